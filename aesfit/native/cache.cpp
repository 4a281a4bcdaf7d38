// SPDX-License-Identifier: MIT
// A set-associative cache that is fed the tracer's records; aesfit/cachemodel/simulate.py uses it.
//
// A store allocates its line like a load, unless write_allocate is false.  An access that straddles
// lines is one access, misses once at most, and fills every line of it that was absent.  Empty ways
// are filled before any line is replaced.
#include <cmath>
#include <cstring>
#include <vector>

#include "buffers.h"

namespace
{

enum class Policy { lru, fifo, random };

// Line numbers have at most 30 bits, so neither of these is one.
constexpr uint32_t empty_line = UINT32_MAX, foreign_line = UINT32_MAX - 1;
constexpr unsigned kinds_of_records = 4, store_kind = 2;
constexpr uint64_t largest_cache = UINT64_C(1) << 26;

// As aesfit_tracer_record in rigs/emulator/tracer/tracer.h.
struct Record {
    uint32_t address;
    uint16_t size, kind;
};
static_assert(sizeof(Record) == 8, "as the tracer writes it");

struct Counts {
    uint64_t accesses[kinds_of_records] = {}, misses[kinds_of_records] = {}, fills = 0;
};

// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Draw
{
  public:
    explicit Draw(uint64_t seed) : state_(seed)
    {
    }
    // A number below `bound`, which has at most 32 bits.
    uint32_t below(uint64_t bound)
    {
        uint64_t z = state_ += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        return static_cast<uint32_t>(((z >> 32) * bound) >> 32);
    }

  private:
    uint64_t state_;
};

bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

Policy policy_argument(nb::handle value)
{
    const char *name = str_argument(value, "replacement");
    if (std::strcmp(name, "lru") == 0)
        return Policy::lru;
    if (std::strcmp(name, "fifo") == 0)
        return Policy::fifo;
    if (std::strcmp(name, "random") == 0)
        return Policy::random;
    nb::list known;
    for (const char *one : {"lru", "fifo", "random"})
        known.append(one);
    raise_unknown("replacement", name, known);
}

class CacheSimulator
{
  public:
    CacheSimulator(nb::handle size, nb::handle line, nb::handle ways, nb::handle replacement,
                   nb::handle seed, nb::handle write_allocate)
        : size_(int_argument(size, "size", 4, largest_cache)),
          line_(int_argument(line, "line", 4, 4096)),
          ways_(static_cast<uint32_t>(int_argument(ways, "ways", 1, largest_cache / 4))),
          policy_(policy_argument(replacement)), draw_(int_argument(seed, "seed", 0, UINT64_MAX)),
          write_allocate_(bool_argument(write_allocate, "write_allocate"))
    {
        if (!is_power_of_two(line_))
            raise_value_error("line is %llu bytes; it must be a power of two", ull(line_));
        uint64_t sets = size_ / (line_ * ways_);
        if (sets * line_ * ways_ != size_ || !is_power_of_two(sets))
            raise_value_error("%llu bytes in %llu ways of %llu-byte lines do not make a power of "
                              "two of sets",
                              ull(size_), ull(ways_), ull(line_));
        while ((UINT64_C(1) << shift_) < line_)
            shift_++;
        set_mask_ = static_cast<uint32_t>(sets - 1);
        lines_.assign(sets * ways_, empty_line);
    }

    nb::tuple run(nb::handle records, nb::handle kinds, nb::handle starts)
    {
        Input in(records, "records");
        if (in.size % sizeof(Record) != 0)
            raise_value_error("records are %zu bytes; each takes 8", in.size);
        unsigned mask = static_cast<unsigned>(int_argument(kinds, "kinds", 0, 15));
        size_t count = in.size / sizeof(Record);
        std::vector<uint64_t> ends = cuts(starts, count), fills;
        fills.reserve(ends.size() + 1);
        ends.push_back(count);
        Counts counts;
        {
            Unlocked unlocked(in.size);
            size_t at = 0;
            for (uint64_t end : ends) {
                uint64_t before = counts.fills;
                feed(in.data + at * sizeof(Record), end - at, mask, counts);
                fills.push_back(counts.fills - before);
                at = end;
            }
        }
        return result(counts, fills);
    }

    void flush()
    {
        lines_.assign(lines_.size(), empty_line);
        last_ = empty_line;
    }

    // Other programs took this share of all lines, chosen at random; theirs are the newest.
    void evict(double share, nb::handle seed)
    {
        if (!(share >= 0 && share <= 1))
            raise_value_error("share must lie within 0 and 1");
        Draw draw(int_argument(seed, "seed", 0, UINT64_MAX));
        size_t wanted = static_cast<size_t>(std::llround(share * double(lines_.size())));
        std::vector<uint32_t> places(lines_.size());
        for (size_t i = 0; i < places.size(); i++)
            places[i] = static_cast<uint32_t>(i);
        std::vector<bool> taken(lines_.size());
        for (size_t i = 0; i < wanted; i++) { // the start of a Fisher-Yates shuffle
            std::swap(places[i], places[i + draw.below(places.size() - i)]);
            taken[places[i]] = true;
        }
        for (size_t set = 0; set <= set_mask_; set++)
            take(set, taken);
        last_ = empty_line;
    }

    // So many bytes from `start` on will not be used again: their lines stay as somebody else's.
    void disown(nb::handle start, nb::handle size)
    {
        uint64_t first = int_argument(start, "start", 0, UINT32_MAX);
        uint64_t bytes = int_argument(size, "size", 0, UINT64_C(1) << 32);
        if (bytes == 0)
            return;
        uint64_t low = first >> shift_, high = (first + bytes - 1) >> shift_;
        for (uint32_t &line : lines_)
            if (line < foreign_line && line >= low && line <= high)
                line = foreign_line;
        last_ = empty_line;
    }

    // Addresses of the lines held, in order.
    nb::list contents() const
    {
        nb::list found;
        for (uint32_t line : lines_)
            if (line < foreign_line)
                found.append(uint64_t(line) << shift_);
        found.attr("sort")();
        return found;
    }

  private:
    static unsigned long long ull(uint64_t value)
    {
        return value;
    }

    static std::vector<uint64_t> cuts(nb::handle starts, uint64_t count)
    {
        std::vector<uint64_t> found;
        if (starts.is_none())
            return found;
        for (nb::handle start : nb::borrow<nb::object>(starts)) {
            found.push_back(int_argument(start, "starts", found.empty() ? 0 : found.back(), count));
        }
        return found;
    }

    static nb::tuple result(const Counts &counts, const std::vector<uint64_t> &fills)
    {
        nb::list accesses, misses, chunks;
        for (unsigned kind = 0; kind < kinds_of_records; kind++) {
            accesses.append(counts.accesses[kind]);
            misses.append(counts.misses[kind]);
        }
        for (uint64_t one : fills)
            chunks.append(one);
        return nb::make_tuple(nb::tuple(accesses), nb::tuple(misses), nb::tuple(chunks));
    }

    void feed(const uint8_t *bytes, size_t count, unsigned mask, Counts &counts)
    {
        if (policy_ == Policy::lru)
            feed_as<Policy::lru>(bytes, count, mask, counts);
        else if (policy_ == Policy::fifo)
            feed_as<Policy::fifo>(bytes, count, mask, counts);
        else
            feed_as<Policy::random>(bytes, count, mask, counts);
    }

    template <Policy policy>
    void feed_as(const uint8_t *bytes, size_t count, unsigned mask, Counts &counts)
    {
        for (size_t i = 0; i < count; i++) {
            Record record;
            std::memcpy(&record, bytes + i * sizeof record, sizeof record);
            unsigned kind = record.kind % kinds_of_records;
            if ((mask >> kind & 1) == 0)
                continue;
            counts.accesses[kind]++;
            uint32_t line = record.address >> shift_;
            uint32_t extent = record.size > 0 ? record.size - 1u : 0;
            uint64_t last = (uint64_t(record.address) + extent) >> shift_;
            if (line == last_ && line == last)
                continue; // the newest line of its set: no order changes
            bool allocate = write_allocate_ || kind != store_kind;
            uint64_t filled = 0;
            for (uint64_t one = line; one <= last; one++)
                filled += !access<policy>(static_cast<uint32_t>(one), allocate);
            counts.fills += allocate ? filled : 0;
            counts.misses[kind] += filled != 0;
        }
    }

    // Whether the line was there; it is afterwards, if a miss may allocate.
    template <Policy policy> bool access(uint32_t line, bool allocate)
    {
        uint32_t *set = &lines_[size_t(line & set_mask_) * ways_];
        uint32_t way = find(set, line);
        bool hit = way < ways_;
        if (!hit && !allocate)
            return false;
        last_ = line;
        if (policy == Policy::random) {
            if (!hit)
                set[victim(set)] = line;
        } else if (!hit || policy == Policy::lru) {
            // Newest first; empty ways are at the end.
            std::memmove(set + 1, set, (hit ? way : ways_ - 1) * sizeof *set);
            set[0] = line;
        }
        return hit;
    }

    uint32_t find(const uint32_t *set, uint32_t line) const
    {
        for (uint32_t way = 0; way < ways_; way++)
            if (set[way] == line)
                return way;
        return ways_;
    }

    uint32_t victim(const uint32_t *set)
    {
        uint32_t way = find(set, empty_line);
        return way < ways_ ? way : draw_.below(ways_);
    }

    void take(size_t set, const std::vector<bool> &taken)
    {
        uint32_t *lines = &lines_[set * ways_];
        std::vector<uint32_t> foreign, kept;
        for (size_t way = 0; way < ways_; way++) {
            bool lost = taken[set * ways_ + way];
            if (lost && policy_ == Policy::random)
                lines[way] = foreign_line;
            (lost ? foreign : kept).push_back(lost ? foreign_line : lines[way]);
        }
        if (policy_ == Policy::random)
            return;
        foreign.insert(foreign.end(), kept.begin(), kept.end());
        std::memcpy(lines, foreign.data(), ways_ * sizeof *lines);
    }

    uint64_t size_, line_;
    uint32_t ways_, set_mask_ = 0;
    unsigned shift_ = 0;
    Policy policy_;
    Draw draw_;
    bool write_allocate_;
    std::vector<uint32_t> lines_; // line numbers, set by set
    uint32_t last_ = empty_line;  // the line that was accessed last
};

} // namespace

void bind_cache(nb::module_ &m)
{
    nb::class_<CacheSimulator>(m, "CacheSimulator")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(),
             nb::arg("size").none(), nb::arg("line").none(), nb::arg("ways").none(),
             nb::arg("replacement").none() = "lru", nb::arg("seed").none() = 0,
             nb::arg("write_allocate").none() = true)
        .def("run", &CacheSimulator::run, nb::arg("records").none(), nb::arg("kinds").none() = 15,
             nb::arg("starts").none() = nb::none())
        .def("evict", &CacheSimulator::evict, nb::arg("share"), nb::arg("seed").none() = 0)
        .def("disown", &CacheSimulator::disown, nb::arg("start").none(), nb::arg("size").none())
        .def("flush", &CacheSimulator::flush)
        .def("contents", &CacheSimulator::contents);
}
