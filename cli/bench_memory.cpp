// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory of every operation.
#include "bench_memory.h"

#include "keys.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>

namespace cli {

namespace {

constexpr std::size_t stack_bytes = std::size_t{8} << 20;
constexpr std::uint8_t paint = 0xa5;

// A stack for a thread, painted.
class PaintedStack {
  public:
    PaintedStack()
    {
        void *start = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        if (start == MAP_FAILED)
            throw Failure("stack", std::string("cannot be mapped: ") + std::strerror(errno));
        start_ = static_cast<std::uint8_t *>(start);
        std::memset(start_, paint, stack_bytes);
    }
    ~PaintedStack()
    {
        munmap(start_, stack_bytes);
    }
    PaintedStack(const PaintedStack &) = delete;
    PaintedStack &operator=(const PaintedStack &) = delete;

    std::uint8_t *start()
    {
        return start_;
    }
    // The lowest byte that was written to.
    const std::uint8_t *lowest() const
    {
        return std::find_if(start_, start_ + stack_bytes, [](std::uint8_t byte) { return byte != paint; });
    }

  private:
    std::uint8_t *start_;
};

// What the thread on the painted stack is given, and what it finds.
struct Measured {
    const std::function<void()> *work;
    const PaintedStack *stack;
    std::size_t used;
};

// Scans before it returns: the end of a thread writes to its stack, too.
void *run_on_painted_stack(void *argument)
{
    auto *measured = static_cast<Measured *>(argument);
    const auto *frame = static_cast<const std::uint8_t *>(__builtin_frame_address(0));
    (*measured->work)();
    measured->used = static_cast<std::size_t>(frame - measured->stack->lowest());
    return nullptr;
}

} // namespace

std::size_t measure_stack(const std::function<void()> &work)
{
    PaintedStack stack;
    Measured measured = {&work, &stack, 0};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    int error = pthread_attr_setstack(&attributes, stack.start(), stack_bytes);
    if (error == 0) {
        error = pthread_create(&thread, &attributes, run_on_painted_stack, &measured);
    }
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        throw Failure("stack", std::string("cannot start a thread on it: ") + std::strerror(error));
    }
    pthread_join(thread, nullptr);
    return measured.used;
}

namespace {

// One algorithm's keys and a signature, and its operations in one mode. Statuses are kept, because
// nothing may throw on the painted stack.
class Operations {
  public:
    Operations(const moonbow_algorithm &algorithm, moonbow_mode mode)
        : algorithm_(algorithm), mode_(mode), public_key_(algorithm.parameters->public_key_bytes),
          secret_key_(algorithm.parameters->secret_key_bytes),
          signature_(algorithm.parameters->signature_bytes)
    {
        const Scratch scratch(generate_bytes(), mode);
        require_ok(moonbow_generate(algorithm.generator, public_key_.data(), public_key_.size(),
                                    secret_key_.data(), secret_key_.size(), nullptr, scratch.get()),
                   "key generation");
    }

    std::vector<MemoryFigure> measure();

  private:
    using Work = std::function<int(const moonbow_scratch *)>;

    std::size_t generate_bytes() const
    {
        return moonbow_generate_scratch_bytes(algorithm_.generator, mode_);
    }
    MemoryFigure measure(const char *operation, std::size_t scratch_bytes, const Work &work) const;
    int keygen(const moonbow_scratch *scratch) const;
    int sign(const moonbow_scratch *scratch);
    int verify(const moonbow_scratch *scratch) const;
    int verify_streamed(const moonbow_scratch *scratch) const;

    const moonbow_algorithm &algorithm_;
    moonbow_mode mode_;
    Memory public_key_, secret_key_, signature_;
    static constexpr std::uint8_t message_[32] = {};
};

int Operations::keygen(const moonbow_scratch *scratch) const
{
    return moonbow_generate_to_sinks(algorithm_.generator, nullptr, nullptr, nullptr, scratch);
}

int Operations::sign(const moonbow_scratch *scratch)
{
    return moonbow_sign(algorithm_.signer, signature_.data(), signature_.size(), message_, sizeof message_,
                        secret_key_.data(), secret_key_.size(), nullptr, scratch);
}

int Operations::verify(const moonbow_scratch *scratch) const
{
    return moonbow_verify(algorithm_.verifier, signature_.data(), signature_.size(), message_,
                          sizeof message_, public_key_.data(), public_key_.size(), scratch);
}

// The key in pieces of 256 bytes, as from a serial line.
int Operations::verify_streamed(const moonbow_scratch *scratch) const
{
    moonbow_verification *verification = nullptr;
    int status = moonbow_verify_begin(&verification, algorithm_.verifier, signature_.data(),
                                      signature_.size(), scratch);
    if (status != MOONBOW_OK)
        return status;
    moonbow_verify_message(verification, message_, sizeof message_);
    for (std::size_t done = 0; done < public_key_.size(); done += 256) {
        const std::size_t bytes = std::min<std::size_t>(256, public_key_.size() - done);
        moonbow_verify_key(verification, public_key_.data() + done, bytes);
    }
    return moonbow_verify_finish(verification);
}

MemoryFigure Operations::measure(const char *operation, std::size_t scratch_bytes, const Work &work) const
{
    const Scratch scratch(scratch_bytes, mode_);
    int status = work(scratch.get());
    std::size_t used = 0;
    if (status == MOONBOW_OK)
        used = measure_stack([&] { status = work(scratch.get()); });
    require_ok(status, std::string(algorithm_.parameters->name) + ", " + operation);
    return {operation, mode_, scratch_bytes, used};
}

std::vector<MemoryFigure> Operations::measure()
{
    const std::size_t sign_bytes = moonbow_sign_scratch_bytes(algorithm_.signer, mode_);
    const std::size_t verify_bytes = moonbow_verify_scratch_bytes(algorithm_.verifier, mode_);
    return {
        measure("keygen", generate_bytes(), [&](const moonbow_scratch *scratch) { return keygen(scratch); }),
        measure("sign", sign_bytes, [&](const moonbow_scratch *scratch) { return sign(scratch); }),
        measure("verify", verify_bytes, [&](const moonbow_scratch *scratch) { return verify(scratch); }),
        measure("verify, streamed key", verify_bytes,
                [&](const moonbow_scratch *scratch) { return verify_streamed(scratch); })};
}

} // namespace

std::vector<MemoryFigure> measure_memory(const moonbow_algorithm &algorithm)
{
    std::vector<MemoryFigure> figures;
    for (const moonbow_mode mode : {MOONBOW_FAST, MOONBOW_SMALL}) {
        Operations operations(algorithm, mode);
        const std::vector<MemoryFigure> of_mode = operations.measure();
        figures.insert(figures.end(), of_mode.begin(), of_mode.end());
    }
    return figures;
}

const char *mode_text(moonbow_mode mode)
{
    return mode == MOONBOW_SMALL ? "small" : "fast";
}

} // namespace cli
