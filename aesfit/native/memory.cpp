// SPDX-License-Identifier: MIT
// Memory interfaces and the replay of executed steps behind them, for
// aesfit/rigs/emulator/memory/replay.py and aesfit/platforms/interfaces.py.
#include <cstring>
#include <memory>
#include <vector>

#include "buffers.h"

extern "C" {
#include "../rigs/emulator/memory/replay.h"
}

namespace
{

const aesfit_memory *const all_memories[] = {
#define MEMORY(name) &aesfit_memory_##name,
#include "../rigs/emulator/memory/interfaces.def"
#undef MEMORY
};

nb::list described_parameters(const aesfit_memory &memory)
{
    nb::list found;
    for (const aesfit_memory_parameter &one : memory.parameters)
        if (one.name != nullptr)
            found.append(nb::make_tuple(one.name, one.unit, one.meaning, one.least, one.most));
    return found;
}

nb::dict described(const aesfit_memory &memory)
{
    nb::dict d;
    d["name"] = memory.name;
    d["title"] = memory.title;
    d["source"] = memory.source;
    d["leaves_out"] = memory.leaves_out;
    d["sure"] = memory.sure;
    d["data_uniform"] = memory.data_uniform;
    d["parameters"] = described_parameters(memory);
    return d;
}

nb::list memory_interfaces()
{
    nb::list found;
    for (const aesfit_memory *one : all_memories)
        found.append(described(*one));
    return found;
}

const aesfit_memory &memory_argument(nb::handle name)
{
    const char *asked = str_argument(name, "interface");
    nb::list known;
    for (const aesfit_memory *one : all_memories) {
        if (std::strcmp(one->name, asked) == 0)
            return *one;
        known.append(one->name);
    }
    raise_unknown("memory interface", asked, known);
}

double number_argument(nb::handle value, const aesfit_memory_parameter &wanted)
{
    double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred() != nullptr)
        throw nb::python_error();
    bool in_range = number >= wanted.least && number <= wanted.most;
    bool whole = std::strchr(wanted.unit, '/') != nullptr || number == uint64_t(number);
    bool power = !wanted.power_of_two || (uint64_t(number) & (uint64_t(number) - 1)) == 0;
    if (!in_range || !whole || !power)
        raise_value_error("%s is %S; it must be %s%d to %d %s", wanted.name, nb::str(value).ptr(),
                          wanted.power_of_two ? "a power of two, " : "", int(wanted.least),
                          int(wanted.most), wanted.unit);
    return number;
}

class MemoryReplay
{
  public:
    MemoryReplay(nb::handle interface, nb::handle parameters, nb::handle wait,
                 nb::handle queue_words, nb::handle ahead, nb::handle flash, nb::handle shift)
    {
        const aesfit_memory &memory = memory_argument(interface);
        double values[AESFIT_MOST_MEMORY_PARAMETERS] = {};
        nb::dict given = nb::cast<nb::dict>(parameters);
        size_t wanted = 0;
        for (const aesfit_memory_parameter &one : memory.parameters) {
            if (one.name == nullptr)
                continue;
            if (!given.contains(one.name))
                raise_value_error("%s wants the parameter '%s': %s", memory.name, one.name,
                                  one.meaning);
            values[wanted++] = number_argument(given[one.name], one);
        }
        if (given.size() != wanted)
            raise_value_error("%s has %zu parameters, and %zu are given", memory.name, wanted,
                              given.size());
        size_t bytes = memory.state_bytes(values);
        if (bytes == 0)
            raise_value_error("these parameters of %s do not make a power of two of whole sets",
                              memory.name);
        state_.assign(bytes / sizeof(uint64_t) + 1, 0);
        replay_.memory = &memory;
        replay_.state = state_.data();
        replay_.unit.queue_words = unsigned(int_argument(queue_words, "queue_words", 1, 16));
        replay_.unit.ahead = unsigned(int_argument(ahead, "ahead", 2, 8));
        replay_.shift = uint32_t(int_argument(shift, "shift", 0, 4096));
        replay_.now = quiet;
        take_ranges(flash);
        memory.open(replay_.state, values, unsigned(int_argument(wait, "wait", 0, most_waits)));
    }

    // Cycles of one call.
    uint64_t call(nb::handle records, nb::handle prices)
    {
        Input in(records, "records"), priced(prices, "prices");
        size_t count = in.size / sizeof(aesfit_replay_record), steps = priced.size / 2;
        if (in.size % sizeof(aesfit_replay_record) != 0 || priced.size % 2 != 0)
            raise_value_error("a record takes 8 bytes and a price 2, not %zu and %zu", in.size,
                              priced.size);
        std::vector<aesfit_replay_record> read(count);
        std::vector<aesfit_replay_price> prices_read(steps);
        if (count != 0)
            std::memcpy(read.data(), in.data, in.size);
        if (steps != 0)
            std::memcpy(prices_read.data(), priced.data, priced.size);
        replay_.now += quiet; // whatever ran before is done
        uint64_t begin = replay_.now;
        if (!aesfit_replay_call(&replay_, read.data(), count, prices_read.data(), steps))
            raise_value_error("%zu prices are not those of the executed instructions", steps);
        return replay_.now - begin;
    }

  private:
    static constexpr uint64_t most_waits = 1000000;
    // Cycles between calls, in which reads that were begun come to their end.
    static constexpr uint64_t quiet = UINT64_C(1) << 24;

    void take_ranges(nb::handle flash)
    {
        for (nb::handle range : nb::borrow<nb::object>(flash)) {
            if (replay_.ranges == AESFIT_MOST_RANGES)
                raise_value_error("there are more than %d ranges of flash",
                                  int(AESFIT_MOST_RANGES));
            aesfit_replay_range &taken = replay_.flash[replay_.ranges++];
            taken.start = uint32_t(int_argument(range[0], "start", 0, UINT32_MAX));
            taken.size = uint32_t(int_argument(range[1], "size", 0, UINT32_MAX));
        }
    }

    aesfit_replay replay_{};
    std::vector<uint64_t> state_;
};

} // namespace

void bind_memory(nb::module_ &m)
{
    m.def("memory_interfaces", &memory_interfaces);
    nb::class_<MemoryReplay>(m, "MemoryReplay")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle>(),
             nb::arg("interface"), nb::arg("parameters"), nb::arg("wait"), nb::arg("queue_words"),
             nb::arg("ahead"), nb::arg("flash"), nb::arg("shift"))
        .def("call", &MemoryReplay::call, nb::arg("records"), nb::arg("prices"));
}
