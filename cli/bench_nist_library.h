// SPDX-License-Identifier: Apache-2.0 OR MIT
// Another implementation as a contestant: a shared library with NIST's interface, loaded at run time.
// Its memory is ours, with guard bytes behind every buffer; the code itself runs with all our rights.
#pragma once

#include "bench_contestant.h"

namespace cli {

// A buffer whose end is watched.
class GuardedBuffer {
  public:
    explicit GuardedBuffer(std::size_t bytes);
    std::uint8_t *data()
    {
        return bytes_.data();
    }
    const std::uint8_t *data() const
    {
        return bytes_.data();
    }
    std::size_t size() const
    {
        return bytes_.size() - guard_bytes;
    }
    // Are the guard bytes as they were?
    bool intact() const;

  private:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::uint8_t guard_value = 0xa5;
    std::vector<std::uint8_t> bytes_;
};

class NistLibrary : public Contestant {
  public:
    NistLibrary(const std::string &path, const moonbow_algorithm &algorithm, std::size_t message_bytes);
    ~NistLibrary() override;
    NistLibrary(const NistLibrary &) = delete;
    NistLibrary &operator=(const NistLibrary &) = delete;

    std::string name() const override
    {
        return name_;
    }
    bool has(Operation operation) const override;
    void set_up(Messages &messages) override;
    void perform(Operation operation, std::uint64_t round, const std::vector<std::uint8_t> &message) override;
    // After set_up: do its keys and signatures verify with this library?
    bool format_agrees(Messages &messages) const;

  private:
    using Keypair = int (*)(unsigned char *public_key, unsigned char *secret_key);
    using Sign = int (*)(unsigned char *signed_message, unsigned long long *signed_message_len,
                         const unsigned char *message, unsigned long long message_len,
                         const unsigned char *secret_key);
    using Open = int (*)(unsigned char *message, unsigned long long *message_len,
                         const unsigned char *signed_message, unsigned long long signed_message_len,
                         const unsigned char *public_key);

    template <typename Function> Function find(const char *symbol) const;
    void generate(GuardedBuffer &public_key, GuardedBuffer &secret_key);
    void sign(const std::vector<std::uint8_t> &message);
    void open(std::uint64_t round);
    void check_guards() const;

    const moonbow_algorithm &algorithm_;
    std::string name_;
    void *handle_;
    Keypair keypair_;
    Sign sign_;
    Open open_;
    GuardedBuffer public_key_, secret_key_, spare_public_key_, spare_secret_key_, signed_message_, opened_;
    std::vector<std::vector<std::uint8_t>> signed_messages_; // of the first rounds
};

} // namespace cli
