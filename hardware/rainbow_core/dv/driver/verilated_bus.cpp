/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * APB accesses of two cycles on the model that Verilator makes of rtl/rainbow_system.sv in system_bench.sv. */
#include "verilated_bus.h"

#include "Vsystem_bench.h"

#include <new>

namespace {

struct Bus {
    VerilatedContext context;
    Vsystem_bench core{&context};
    bool refused = false;

    void cycle()
    {
        core.clk_i = 0;
        core.eval();
        core.clk_i = 1;
        core.eval();
    }

    uint32_t access(uint32_t offset, bool write, uint32_t value)
    {
        core.psel_i = 1;
        core.penable_i = 0;
        core.pwrite_i = write;
        core.paddr_i = offset & 0xFFF;
        core.pwdata_i = value;
        cycle();
        core.penable_i = 1;
        core.clk_i = 0;
        core.eval(); /* the answer stands before the edge that ends the access */
        const uint32_t answer = core.prdata_o;
        refused = core.pslverr_o;
        cycle();
        core.psel_i = 0;
        core.penable_i = 0;
        core.pwrite_i = 0;
        core.pwdata_i = 0;
        return answer;
    }
};

} // namespace

void *verilated_bus_new(void)
{
    Bus *bus = new (std::nothrow) Bus;
    if (bus != nullptr) {
        bus->core.rst_ni = 0;
        bus->cycle();
        bus->core.rst_ni = 1;
        bus->cycle();
    }
    return bus;
}

void verilated_bus_free(void *bus)
{
    delete static_cast<Bus *>(bus);
}

uint32_t verilated_bus_read(void *bus, uint32_t offset)
{
    return static_cast<Bus *>(bus)->access(offset, false, 0);
}

void verilated_bus_write(void *bus, uint32_t offset, uint32_t value)
{
    static_cast<Bus *>(bus)->access(offset, true, value);
}

void verilated_bus_idle(void *bus, unsigned cycles)
{
    for (; cycles != 0; cycles--) {
        static_cast<Bus *>(bus)->cycle();
    }
}

int verilated_bus_error(const void *bus)
{
    return static_cast<const Bus *>(bus)->refused;
}

int verilated_bus_interrupt(const void *bus)
{
    return static_cast<const Bus *>(bus)->core.interrupt_o;
}

verilated_secrets verilated_bus_secrets(const void *bus)
{
    const Vsystem_bench &core = static_cast<const Bus *>(bus)->core;
    return {core.vinegars_stand_o != 0, core.signature_stands_o != 0, core.key_beat_stands_o != 0};
}

size_t verilated_bus_key_words(void *bus)
{
    Vsystem_bench &core = static_cast<Bus *>(bus)->core;
    size_t words = 0;
    for (core.beat_i = 0; core.beat_i < core.key_beats_o; core.beat_i++) {
        for (core.word_i = 0; core.word_i < core.key_words_o; core.word_i++) {
            core.eval();
            words += core.key_word_o != 0;
        }
    }
    return words;
}
