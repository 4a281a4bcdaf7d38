# SPDX-License-Identifier: MIT
"""GHASH multipliers in assembly: messages equal to GCM, nothing left behind; planted faults."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from few import slow_but
from images import change, needs_prover
from shown import equality, independence

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
HEADERS = {
    "mul_low_armv6m": ("mul_low", "cortex-m0plus"),
    "mul_low_armv7m": ("mul_low", "cortex-m3"),
    "mul32_armv7m": ("mul32", "cortex-m4"),
    "table4_armv7m": ("table4", "cortex-m3"),
}
"""The multiplier of a header, and a platform that it is for."""
FOLD = {"armv6m": ('"lsls r7, r6, #25', '"lsls r7, r6, #24'), "armv7m": ("lsl #25", "lsl #24")}
"""A reduction by another polynomial, of the first word that is folded."""


def job_of(name: str, size: int = 17) -> Job:
    ghash, platform = HEADERS[name]
    job = Job(platform_named(platform), "transposed", 128, "encrypt", mode="gcm", bytes=size)
    return replace(job, ghash=ghash)


@pytest.mark.parametrize("name", slow_but(["mul_low_armv7m"], HEADERS))
def test_equal_to_the_standard_and_nothing_left_behind(name: str, slow: bool) -> None:
    size = 17 if slow else 1
    statement = equality(job_of(name, size))
    assert (statement.outcome, statement.detail) == ("proved", "")
    job = replace(job_of(name, size), core="fixslice")
    independent, left = independence(job)
    assert left.outcome == "proved"
    assert independent.outcome == ("told" if job.ghash == "table4" else "proved")


@pytest.mark.slow
@pytest.mark.parametrize("name", HEADERS)
def test_a_wrong_reduction_is_refuted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of a multiplier in C is refuted without --slow too, by test_modes.py."""
    old, new = FOLD[name.rsplit("_", 1)[1]]
    file = f"assembly/{name}.h"
    change(tmp_path, monkeypatch, file, lambda text: text.replace(old, new, 1))
    statement = equality(job_of(name, 0), planted=True)
    assert statement.outcome == "refuted"
    assert "of the tag differ from the standard" in statement.detail


@pytest.mark.parametrize("name", slow_but(["table4_armv7m"], ["mul_low_armv6m", "table4_armv7m"]))
def test_a_lost_register_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """r4 keeps what the function had there, and the C around it goes on with that.

    Of the others the prover follows for minutes what comes of it.
    """

    def lost(text: str) -> str:
        found = re.sub(
            r'"(pop(\.w)?) \{r4-(r\d+, pc)\}\\n\\t"',
            r'"add\2 sp, sp, #4\\n\\t"\n"\1 {r5-\3}\\n\\t"',
            text,
        )
        assert found != text
        return found

    change(tmp_path, monkeypatch, f"assembly/{name}.h", lost)
    assert equality(job_of(name, 0), planted=True).outcome != "proved"
