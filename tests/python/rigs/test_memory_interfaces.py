# SPDX-License-Identifier: MIT
"""Memory interfaces give the cycles that are computed by hand for short streams.

The processor has three stages and a queue of three words.  Where nothing waits, an instruction's
address goes out three cycles before it executes; T is when the first one would execute.
"""

import re

import pytest
from streams import ENTRY, Executed, calls

from aesfit import _native
from aesfit.platforms.interfaces import interfaces
from aesfit.platforms.places import PACKAGE

ROOM = PACKAGE / "rigs" / "emulator" / "memory"
WORDS = [Executed()] * 6
"""Six instructions of a word and a cycle each."""
LOAD = Executed(cycles=2, loads=(0x1100,))
AGAIN = Executed(cycles=2, loads=(0x1104,))


def art(lines: int, data_lines: int, prefetch: int) -> dict[str, float]:
    return {"line": 8, "lines": lines, "data_lines": data_lines, "prefetch": prefetch}


def associative(lines: int, data: int, prefetch: int) -> dict[str, float]:
    return {"line": 8, "lines": lines, "data": data, "prefetch": prefetch}


def cache(size: int, ways: int, data: int) -> dict[str, float]:
    return {"line": 8, "size": size, "ways": ways, "base": 10, "per_byte": 0.5, "data": data}


# --- bare


@pytest.mark.parametrize(("wait", "cycles"), [(0, 6), (1, 12), (3, 24)])
def test_bare_words_cost_a_read_each(wait: int, cycles: int) -> None:
    """The first word comes `wait` cycles late; each next one takes 1 + wait."""
    assert calls("bare", {"line": 4}, wait, WORDS) == [cycles]


def test_bare_waits_hide_behind_slow_instructions() -> None:
    """Reads of 2 cycles beside instructions of 2: only the first is seen, 1 cycle."""
    assert calls("bare", {"line": 4}, 1, [Executed(cycles=2)] * 6) == [13]


def test_bare_latch_holds_a_line() -> None:
    """Words arrive at T-1, T, T+2, T+3, T+5, T+6, each executes two cycles later: T+8, to T+9."""
    assert calls("bare", {"line": 8}, 1, WORDS) == [9]


def test_bare_data_go_before_the_next_fetch() -> None:
    """The load executes at T+1, when word 1 has just been read: its data arrive at T+3, 1 late.

    It ends at T+4 and the next instruction, which was there, at T+5.
    """
    assert calls("bare", {"line": 4}, 1, [LOAD, Executed()]) == [5]


def test_bare_data_wait_for_the_running_fetch() -> None:
    """The load executes at T+2, a cycle after word 2 was begun, and waits for it until T+3."""
    late = [Executed(size=2), Executed(size=2, cycles=2, loads=(0x1100,))]
    assert calls("bare", {"line": 4}, 1, late) == [1 + 1 + 2 + 2]


@pytest.mark.parametrize(("cycles", "found"), [(2, 6), (3, 6), (4, 8)])
def test_bare_jump_waits_for_the_running_fetch(cycles: int, found: int) -> None:
    """What the queue fetches in vain behind a jump is read to its end.

    The jump executes at T+1.  Words behind it are read from T-1 to T+1, and from then to T+3.  The
    address of its target goes out at T from decode, T+1 or T+2, and waits until T+1, T+1 or T+3;
    the target executes four cycles later and takes one.
    """
    jump, target = Executed(cycles=cycles), Executed(at=0x1200)
    assert calls("bare", {"line": 4}, 1, [jump, target]) == [found]


# --- read_ahead


def test_read_ahead_runs_as_fast_as_the_array() -> None:
    """Lines of two words at T, T+3 and T+6: words execute at T+2, 3, 5, 6, 8, 9."""
    assert calls("read_ahead", {"line": 8}, 2, WORDS) == [10]


def test_read_ahead_hides_behind_slow_instructions() -> None:
    """Two words take longer than a read: the first read alone is seen, 2 cycles."""
    assert calls("read_ahead", {"line": 8}, 2, [Executed(cycles=2)] * 6) == [14]


def test_read_ahead_placement_changes_what_the_first_line_gives() -> None:
    """One word of the first line at T, then lines at T+3 and T+6 and T+9: T+2, 5, 6, 8, 9, 11."""
    assert calls("read_ahead", {"line": 8}, 2, WORDS, shift=4) == [12]


def test_read_ahead_data_go_past_the_buffers() -> None:
    """Each read costs the array's two wait states, though its line was read just before."""
    slow = [Executed(cycles=9), LOAD, Executed(cycles=9), LOAD, Executed()]
    assert calls("read_ahead", {"line": 8}, 2, slow) == [2 + 9 + 4 + 9 + 4 + 1]


def test_read_ahead_loads_lose_their_overlap_when_they_come_late() -> None:
    """The second load, first of its line, arrives at T+3 and executes at T+5, not from T+4 on."""
    quick = [Executed(), Executed(cycles=1), Executed(cycles=1, overlap=1)]
    assert calls("read_ahead", {"line": 8}, 2, quick) == [2 + 1 + 1 + 1 + 2]


# --- art


def test_art_keeps_what_came_late() -> None:
    """The first line missed and the others came late, so all are held and nothing waits again."""
    assert calls("art", art(4, 0, 1), 2, WORDS, WORDS) == [10, 6]


def test_art_keeps_no_line_that_came_in_time() -> None:
    """Behind instructions of 2 cycles lines are read ahead in time, every time anew."""
    slow = [Executed(cycles=2)] * 6
    assert calls("art", art(4, 0, 1), 2, slow, slow) == [14, 12]


def test_art_without_prefetch() -> None:
    """Lines at T, T+4, T+8, each asked for when the one before has been taken: T+10, to T+12."""
    assert calls("art", art(4, 0, 0), 2, WORDS, WORDS) == [12, 6]


def test_art_too_small_for_the_code() -> None:
    """Two lines and three in use: the oldest is replaced each time, but for the one in use."""
    first, second = calls("art", art(2, 0, 0), 2, WORDS, WORDS)
    assert (first, second) == (12, 12)


def test_art_data_cache() -> None:
    """Of two loads from one line the first waits."""
    slow = [Executed(cycles=9), LOAD, Executed(cycles=9), AGAIN, Executed()]
    assert calls("art", art(4, 1, 1), 2, slow) == [2 + 9 + 4 + 9 + 2 + 1]
    assert calls("art", art(4, 0, 1), 2, slow) == [2 + 9 + 4 + 9 + 4 + 1]


# --- associative


def test_associative_holds_its_lines() -> None:
    """Three lines fit four buffers, and not two."""
    assert calls("associative", associative(4, 0, 0), 2, WORDS, WORDS) == [12, 6]
    assert calls("associative", associative(2, 0, 0), 2, WORDS, WORDS) == [12, 12]


def test_associative_reads_ahead_into_its_buffers() -> None:
    assert calls("associative", associative(4, 0, 1), 2, WORDS, WORDS) == [10, 6]


def test_associative_data_push_code_out() -> None:
    """Two buffers, one line of code: data of one line stay beside it, of two lines do not."""
    near = [Executed(cycles=9), LOAD, Executed(at=ENTRY, cycles=9), AGAIN]
    shared = calls("associative", associative(4, 1, 0), 2, near, near)
    apart = calls("associative", associative(4, 0, 0), 2, near, near)
    assert shared[1] == 9 + 2 + 9 + 2
    assert apart[1] == 9 + 4 + 9 + 4


# --- cache


def test_cache_miss_costs_base_and_bytes() -> None:
    """A line of 8 bytes takes 1 + 10 + 4 cycles, and is asked for when the one before is taken.

    So lines come 16 cycles apart, the first one 14 late; the last one has two instructions.
    """
    assert calls("cache", cache(64, 2, 0), 0, WORDS, WORDS) == [14 + 2 * 16 + 2, 6]


def test_cache_wait_states_add_to_a_miss() -> None:
    first, second = calls("cache", cache(64, 2, 0), 3, WORDS, WORDS)
    assert (first, second) == (17 + 2 * 19 + 2, 6)


def test_cache_of_one_set_too_small() -> None:
    """Three lines in two ways of one set: each is replaced before it is used again."""
    first, second = calls("cache", cache(16, 2, 0), 0, WORDS, WORDS)
    assert first == second == 14 + 2 * 16 + 2


def test_cache_data_go_through_or_past() -> None:
    """Past the cache a word takes 1 + 10 + 2 cycles each time; through it a line is filled once."""
    slow = [Executed(cycles=30), LOAD, Executed(cycles=30), AGAIN]
    assert calls("cache", cache(64, 2, 1), 0, slow, slow)[1] == 30 + 2 + 30 + 2
    assert calls("cache", cache(64, 2, 0), 0, slow, slow)[1] == 30 + 14 + 30 + 14


# --- all of them


def test_the_register_names_every_file() -> None:
    """A file of the folder is an interface or one of what interfaces share."""
    registered = re.findall(r"^MEMORY\((\w+)\)", (ROOM / "interfaces.def").read_text(), re.M)
    assert {path.stem for path in ROOM.glob("*.c")} == {*registered, "replay"}
    assert [one["name"] for one in _native.memory_interfaces()] == registered


def test_every_interface_says_what_it_rests_on() -> None:
    for kind in interfaces():
        assert all((kind.title, kind.source, kind.leaves_out, kind.sure)), kind.name
        assert kind.parameters[0].name == "line"
        assert all(one.least < one.most and one.unit and one.meaning for one in kind.parameters)
    assert [kind.name for kind in interfaces() if kind.data_uniform] == ["bare"]


@pytest.mark.parametrize(
    ("parameters", "wait", "reason"),
    [
        ({"line": 6}, 1, "line is 6; it must be a power of two, 4 to 64 B"),
        ({"line": 128}, 1, "line is 128; it must be a power of two, 4 to 64 B"),
        ({}, 1, "bare wants the parameter 'line': bytes that one read"),
        ({"line": 4, "lines": 2}, 1, "bare has 1 parameters, and 2 are given"),
        ({"line": 4}, 1_000_001, "wait is 1000001; it takes 0 to 1000000"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, float], wait: int, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        calls("bare", parameters, wait, WORDS)


def test_a_cache_of_odd_size_is_refused() -> None:
    with pytest.raises(ValueError, match="do not make a power of two of whole sets"):
        calls("cache", cache(48, 2, 0), 1, WORDS)


def test_an_unknown_interface_is_refused() -> None:
    with pytest.raises(ValueError, match="read_ahead"):
        calls("read_ahaed", {"line": 8}, 1, WORDS)


def test_prices_must_be_those_of_the_records() -> None:
    replay = _native.MemoryReplay("bare", {"line": 4}, 1, 3, 3, [(0x1000, 64)], 0)
    with pytest.raises(ValueError, match="2 prices are not those of the executed instructions"):
        replay.call(b"\0\x10\0\0\x04\0\0\0", b"\1\0\1\0")
