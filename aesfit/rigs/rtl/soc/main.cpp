/* SPDX-License-Identifier: MIT */
/* Runs soc.v as it is told over a pipe: reads and writes its memory, makes calls.
 *
 * A command is eight words, little endian: what, then arguments.  All words of the answer too.
 *   READ  address bytes            answer: the bytes
 *   WRITE address bytes            followed by the bytes; no answer
 *   CALL  reset wait letters limit (2 words)   followed by the letters (caller.v)
 *         answer: state result fault last lowest, and cycles and instructions of two words each
 * With `reset` the processor is reset before the call, and its caches are empty; without it the
 * clock goes on where the last call stopped it.  `limit` is in cycles. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "verilated.h"

namespace
{

constexpr uint32_t MEMORY = 0x40000000;
constexpr unsigned RESET_CYCLES = 8;
enum What : uint32_t { READ, WRITE, CALL };
enum State : uint32_t { RETURNED, FAULT, OVER_LIMIT };

class Soc
{
  public:
    Soc() : top(new Vsoc(&context))
    {
        reset();
    }

    ~Soc()
    {
        top->final();
    }

    uint8_t byte(uint32_t address) const
    {
        return static_cast<uint8_t>(word(address) >> (8 * (address % 4)));
    }

    void set_byte(uint32_t address, uint8_t value)
    {
        const unsigned shift = 8 * (address % 4);
        word(address) = (word(address) & ~(0xFFu << shift)) | (uint32_t{value} << shift);
    }

    void reset()
    {
        top->reset = 1;
        for (unsigned cycle = 0; cycle < RESET_CYCLES; cycle++)
            tick();
        top->reset = 0;
    }

    State call(uint32_t wait_states, const std::vector<uint32_t> &letters, uint64_t limit)
    {
        top->wait_states = static_cast<uint8_t>(wait_states);
        auto &box = top->rootp->soc__DOT__letters;
        for (size_t at = 0; at < letters.size(); at++)
            box[(top->head + at) % LETTERS] = letters[at];
        for (uint64_t cycle = 0; cycle < limit; cycle++) {
            tick();
            if (top->done)
                return RETURNED;
            if (top->fault)
                return FAULT;
        }
        return OVER_LIMIT;
    }

    const Vsoc &ports() const
    {
        return *top;
    }

    static constexpr size_t LETTERS = 65536;

  private:
    void tick()
    {
        top->clk = 0;
        top->eval();
        top->clk = 1;
        top->eval();
    }

    uint32_t &word(uint32_t address) const
    {
        return top->rootp->soc__DOT__memory[(address - MEMORY) / 4];
    }

    VerilatedContext context;
    std::unique_ptr<Vsoc> top;
};

/* False at the end of the input. */
bool get(void *data, size_t bytes)
{
    return std::fread(data, 1, bytes, stdin) == bytes;
}

void put(const void *data, size_t bytes)
{
    if (std::fwrite(data, 1, bytes, stdout) != bytes)
        std::exit(1);
}

void read(const Soc &soc, uint32_t address, uint32_t bytes)
{
    std::vector<uint8_t> data(bytes);
    for (uint32_t at = 0; at < bytes; at++)
        data[at] = soc.byte(address + at);
    put(data.data(), bytes);
}

bool write(Soc &soc, uint32_t address, uint32_t bytes)
{
    std::vector<uint8_t> data(bytes);
    if (!get(data.data(), bytes))
        return false;
    for (uint32_t at = 0; at < bytes; at++)
        soc.set_byte(address + at, data[at]);
    return true;
}

bool call(Soc &soc, const uint32_t *command)
{
    std::vector<uint32_t> letters(command[3]);
    if (!get(letters.data(), 4 * letters.size()))
        return false;
    if (command[1])
        soc.reset();
    const uint64_t limit = command[4] | uint64_t{command[5]} << 32;
    const State state = soc.call(command[2], letters, limit);
    const Vsoc &seen = soc.ports();
    const uint32_t answer[] = {
        state,
        seen.result,
        seen.fault_address,
        seen.last_pc,
        seen.lowest,
        static_cast<uint32_t>(seen.cycles),
        static_cast<uint32_t>(seen.cycles >> 32),
        static_cast<uint32_t>(seen.instructions),
        static_cast<uint32_t>(seen.instructions >> 32),
    };
    put(answer, sizeof answer);
    return true;
}

} // namespace

int main()
{
    Soc soc;
    uint32_t command[8];
    while (get(command, sizeof command)) {
        bool heard = true;
        if (command[0] == READ)
            read(soc, command[1], command[2]);
        else if (command[0] == WRITE)
            heard = write(soc, command[1], command[2]);
        else
            heard = call(soc, command);
        if (!heard || std::fflush(stdout) != 0)
            return 1;
    }
    return 0;
}
