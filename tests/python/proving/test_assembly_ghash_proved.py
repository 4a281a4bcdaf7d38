# SPDX-License-Identifier: MIT
"""GHASH multipliers in assembly: messages equal to GCM, nothing left behind; planted faults."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from images import change, needs_prover

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.answer import ProvedStatement

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


def skip_others(slow: bool, names: tuple[str, ...], name: str) -> None:
    """Without --slow these alone run, which take the fewest seconds."""
    if not slow and name not in names:
        pytest.skip("runs with --slow")


def job_of(name: str, size: int = 17) -> Job:
    ghash, platform = HEADERS[name]
    job = Job(platform_named(platform), "transposed", 128, "encrypt", mode="gcm", bytes=size)
    return replace(job, ghash=ghash)


def message(job: Job) -> "ProvedStatement":
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import prove_message

    return prove_message(job, Code(proof_image(job)))


@pytest.mark.parametrize("name", HEADERS)
def test_equal_to_the_standard_and_nothing_left_behind(name: str, slow: bool) -> None:
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import message_statements

    skip_others(slow, ("mul_low_armv7m",), name)
    statement = message(job_of(name))
    assert (statement.outcome, statement.detail) == ("proved", "")
    job = replace(job_of(name), core="fixslice")
    independent, left = message_statements(job, Code(proof_image(job)))
    assert left.outcome == "proved"
    assert independent.outcome == ("told" if job.ghash == "table4" else "proved")


@pytest.mark.usefixtures("only_slow")
@pytest.mark.parametrize("name", HEADERS)
def test_a_wrong_reduction_is_refuted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of a multiplier in C is refuted without --slow too, by test_modes.py."""
    old, new = FOLD[name.rsplit("_", 1)[1]]
    file = f"assembly/{name}.h"
    change(tmp_path, monkeypatch, file, lambda text: text.replace(old, new, 1))
    statement = message(job_of(name, 0))
    assert statement.outcome == "refuted"
    assert "of the tag are other functions" in statement.detail


@pytest.mark.parametrize("name", ["mul_low_armv6m", "table4_armv7m"])
def test_a_lost_register_is_found(
    name: str, slow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """r4 keeps what the function had there, and the C around it goes on with that.

    Of the others the prover follows for minutes what comes of it.
    """

    skip_others(slow, ("table4_armv7m",), name)

    def lost(text: str) -> str:
        found = re.sub(
            r'"(pop(\.w)?) \{r4-(r\d+, pc)\}\\n\\t"',
            r'"add\2 sp, sp, #4\\n\\t"\n"\1 {r5-\3}\\n\\t"',
            text,
        )
        assert found != text
        return found

    change(tmp_path, monkeypatch, f"assembly/{name}.h", lost)
    assert message(job_of(name, 0)).outcome != "proved"
