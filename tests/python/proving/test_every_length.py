# SPDX-License-Identifier: MIT
"""Messages of every length: proved, and faults that begin behind every length that is run alone."""

from pathlib import Path

import pytest
from few import slow_but
from images import needs_prover, plant
from shown import independence

from aesfit.api.prove import prove
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
PROVED = ("ecb encrypt", "cbc encrypt", "cmac encrypt", "xts encrypt", "kw encrypt",
          "ctr encrypt", "ccm encrypt", "ccm decrypt", "cfb encrypt", "ofb encrypt")  # fmt: skip
LEAKS = {
    "a block far behind branches on the key": (
        "        last = out;\n",
        "        if (blocks > 70000 && key->schedule[0] == 90)\n"
        '            __asm__ volatile("nop");\n'
        "        last = out;\n",
        "branch",
    ),
    "its address depends on what came before": (
        "        last = out;\n",
        "        last = out;\n        if (blocks < 70000)\n"
        '            __asm__ volatile("" ::"r"(key->schedule[out[0] & 1]));\n',
        "load address",
    ),
}


def job(call: str) -> Job:
    mode, op = call.split()
    return Job(platform_named("cortex-m3"), "fixslice", 128, op, mode=mode)


@pytest.mark.parametrize("call", slow_but(PROVED[:2], PROVED))
def test_no_secret_decides_at_any_length(call: str) -> None:
    independent, left = independence(job(call))
    assert independent.outcome == "proved", independent.detail
    assert left.outcome in ("proved", "told")
    assert independent.shapes.startswith("every length up to ")


@pytest.mark.parametrize("name", slow_but(list(LEAKS)[:1], list(LEAKS)))
def test_a_leak_that_begins_late_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, kind = LEAKS[name]
    plant(tmp_path, monkeypatch, "parts/cbc_blocks.h", [(old, new)])
    independent, _ = independence(job("cbc encrypt"), planted=True)
    assert independent.outcome == "refuted"
    assert kind in {one.kind for one in independent.findings}


@pytest.mark.slow
def test_a_false_alarm_says_that_it_may_be_one() -> None:
    """Of CCM on RV32, whose counter is widened there: it branches on public bytes alone."""
    asked = Job(platform_named("rv32im-e31"), "fixslice", 128, "encrypt", mode="ccm")
    independent, _ = independence(asked)
    assert "nothing in common" in independent.detail
    assert independent.detail.endswith("; where passes cannot be joined, this may be a false alarm")


def test_what_is_not_followed_is_refused_in_words() -> None:
    independent, left = independence(job("pkcs7 encrypt"))
    assert (independent.outcome, left.outcome) == ("refused", "refused")
    assert "padding" in independent.detail


def test_a_file_has_no_proof_of_every_length(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="every length is proved of the library's images alone"):
        prove(
            "cortex-m3", elf=tmp_path / "a.elf", symbol="aesfit_ccm_encrypt", payload_bytes="every"
        )
