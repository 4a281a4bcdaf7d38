# SPDX-License-Identifier: MIT
"""The kind of each part of a place, and of a change of one into another."""

from math import inf, log

import pytest

from aesfit_papers.judging.axes import Axis, amount, axis, changed
from aesfit_papers.judging.catalog import experiments
from aesfit_papers.judging.run import judged, stored


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("level", ("-O0", "-Os", "-O2", "-O3")),
        ("compiler", ("gcc", "clang")),
        (
            "memory",
            ("1 wait state", "12 wait states", "4 ways", "8 KiB", "16-byte lines",
             "lines of 16 bytes", "cold", "warm", "half-evicted", "empty-buffers"),
        ),
        ("size", ("1 call", "1,000 calls", "4M", "MAC of 16 bytes", "128 bits", "logo 200")),
        (
            "processor",
            ("arm9tdmi", "rv32i", "arm9-cached", "stm32f103", "x86-64", "ecp5", "xc2vp",
             "PDA (ARM9)"),
        ),
        (
            "other",
            ("after 10 rounds", "10 rounds", "3 issues", "load latency 2", "802.11a", "block 1",
             "Opt1", "logo", "as printed", "always", "1504 bytes in 0.3 ms", "1 to 2"),
        ),
    ],
)  # fmt: skip
def test_each_part_has_its_kind(kind: Axis, parts: tuple[str, ...]) -> None:
    assert {part: axis(part) for part in parts} == dict.fromkeys(parts, kind)


def test_every_processor_of_stored_places_is_known() -> None:
    """A place's platform column names its processor: none may be taken for something other."""
    seen = 0
    for one in experiments():
        measured = stored(one)
        rows = [] if measured is None else measured.rows
        names = {str(row["platform"]) for row in rows if row.get("platform")}
        for each in judged(one, rows) if rows else ():
            for part in {part for place in each.claim.found for part in place.split(", ")} & names:
                seen += 1
                assert axis(part) == "processor", (one.name, part)
    assert seen > 100


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("-Os", "-O3", "level"),
        ("1 wait state", "2 wait states", "memory"),
        ("cold", "half-evicted", "memory"),
        ("1 wait state", "4 ways", None),
        ("cold", "4 ways", None),
        ("logo 200", "logo 300", "size"),
        ("logo 200", "gradient 200", "other"),
        ("logo 200", "gradient 300", None),
        ("arm9tdmi", "rv32i", "processor"),
        ("arm9tdmi", "3 issues", None),
        ("after 10 rounds", "after 12 rounds", "other"),
        ("-O2", "-O2", None),
    ],
)
def test_a_change_is_of_one_kind(before: str, after: str, kind: Axis | None) -> None:
    assert changed(before, after) == kind


def test_how_large_a_change_is() -> None:
    assert amount("-O0", "-O2") == 2
    assert amount("1 call", "3 calls") == pytest.approx(log(2))
    assert amount("1,000 calls", "64 calls") == pytest.approx(log(1001 / 65))
    assert amount("4 issues", "3 issues") < amount("doubts for it", "doubts against it") == inf
