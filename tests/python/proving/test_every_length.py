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
from aesfit.proving.answer import ProvedStatement
from aesfit.proving.code import Code
from aesfit.proving.compiled import proof_image
from aesfit.proving.modes import MessageProof
from aesfit.proving.prove import linked

pytestmark = needs_prover
PROVED = ("ecb encrypt", "cbc encrypt", "cmac encrypt", "xts encrypt", "kw encrypt",
          "ctr encrypt", "ccm encrypt", "ccm decrypt", "cfb encrypt", "ofb encrypt",
          "gcm encrypt", "ccmp encrypt", "ccmp decrypt", "pkcs7 encrypt")  # fmt: skip
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


IN_BYTES = ("cortex-m0plus", "arm7tdmi", "rv32im-e31")
"""Processors on which CCM counts its counter in bytes."""


def job(call: str, platform: str = "cortex-m3") -> Job:
    mode, op = call.split()
    return Job(platform_named(platform), "fixslice", 128, op, mode=mode)


def without_store(asked: Job) -> ProvedStatement:
    """For tests that change the prover."""
    return MessageProof(asked, Code(proof_image(linked(asked)))).independent()[0]


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
@pytest.mark.parametrize("platform", IN_BYTES)
def test_ccm_is_proved_where_its_counter_is_counted_in_bytes(platform: str) -> None:
    independent, _ = independence(job("ccm encrypt", platform))
    assert independent.outcome == "proved", independent.detail


@pytest.mark.slow
def test_a_leak_far_behind_in_gcm_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In messages of whole pieces alone: each other length is as long a run."""
    old = "    while (blocks > 0) {\n"
    leak = "        if (blocks > 70000 && key->h[0] == 90)\n"
    new = f'{old}{leak}            __asm__ volatile("nop");\n'
    plant(tmp_path, monkeypatch, "modes/gcm.c", [(old, new)])
    monkeypatch.setattr(
        "aesfit.proving.every_length.payloads", lambda job, first, last: [32 * first]
    )
    independent = without_store(job("gcm encrypt"))
    assert independent.outcome == "refuted"
    assert "branch" in {one.kind for one in independent.findings}


def test_what_is_found_where_passes_cannot_be_joined_may_be_a_false_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, _ = LEAKS["a block far behind branches on the key"]
    plant(tmp_path, monkeypatch, "parts/cbc_blocks.h", [(old, new.replace("70000", "9"))])
    monkeypatch.setattr("aesfit.proving.growing_runs._WIDENED", 0)
    independent = without_store(job("cbc encrypt"))
    assert independent.outcome == "refuted"
    assert "nothing in common; where passes cannot be joined" in independent.detail


def test_what_is_not_followed_is_refused_in_words() -> None:
    independent, left = independence(job("pkcs7 decrypt"))
    assert (independent.outcome, left.outcome) == ("refused", "refused")
    assert "padding" in independent.detail


def test_a_file_has_no_proof_of_every_length(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="every length is proved of the library's images alone"):
        prove(
            "cortex-m3", elf=tmp_path / "a.elf", symbol="aesfit_ccm_encrypt", payload_bytes="every"
        )
