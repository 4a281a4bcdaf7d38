# SPDX-License-Identifier: MIT
"""Faults planted in the library's sources: none is proved, each is found where it is."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from few import slow_but
from images import DECRYPT, ENCRYPT, block_job, line_of, needs_prover, plant
from shown import equality, independence

if TYPE_CHECKING:
    from aesfit.proving.image import ProofImage

pytestmark = needs_prover

WRONG = {
    "S-box entry": (
        "parts/tables/sbox_bytes.h", "W(0x20) W(0xfc)", "W(0x21) W(0xfc)", "transposed", ENCRYPT,
    ),
    "rcon": ("parts/tables/rcon.h", "0x1b, 0x36", "0x1b, 0x35", "transposed", DECRYPT),
    "MixColumns coefficient": (
        "parts/steps/transposed.h", "c = xtime4(c);", "", "transposed", ENCRYPT,
    ),
    "ShiftRows column": (
        "parts/steps/transposed.h", "transposed_sub_row(s.r1, 1)", "transposed_sub_row(s.r1, 2)",
        "transposed", ENCRYPT,
    ),
    "round offset of fixslice": (
        "parts/steps/fixslice_rounds.h", "case 2:\n            fixslice_mix_columns(q, 2);",
        "case 2:\n            fixslice_mix_columns(q, 0);", "fixslice", ENCRYPT,
    ),
    "round offset of fixslice, backwards": (
        "parts/steps/fixslice_rounds.h", "default:\n            fixslice_inv_mix_columns(q, 3);",
        "default:\n            fixslice_inv_mix_columns(q, 1);", "fixslice", DECRYPT,
    ),
}  # fmt: skip
"""File, what stands there, the fault, a core that has it, the direction that it is in."""
QUICK = ("S-box entry", "MixColumns coefficient", "round offset of fixslice")
"""One of each kind: an entry of a table that few blocks read, a step, a step of bitslicing."""


@pytest.mark.parametrize("name", slow_but(QUICK, WRONG))
def test_a_wrong_result_is_refuted_with_an_example(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new, core, op = WRONG[name]
    plant(tmp_path, monkeypatch, file, [(old, new)])
    job = block_job("cortex-m3", core, op)
    statement = equality(job, planted=True)
    assert statement.outcome == "refuted"
    assert "gives" in statement.detail


DELAY = """if ((q[0] & 0xff) == 0x5a)
        for (volatile unsigned spin = 0; spin < 9; spin++) {
        }
    fixslice_add_round_key(q, round_key);
    fixslice_align(q, key->rounds);
    bitslice_store(out, out + second, q);"""
STORE = """fixslice_add_round_key(q, round_key);
    fixslice_align(q, key->rounds);
    bitslice_store(out, out + second, q);"""


@pytest.mark.parametrize("platform", slow_but(["rv32im-e31"], ["cortex-m0plus", "rv32im-e31"]))
def test_a_secret_delay_is_found_at_its_line(
    platform: str, slow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, monkeypatch, "parts/steps/fixslice_rounds.h", [(STORE, DELAY)])
    job = block_job(platform, "fixslice")
    independent, _ = independence(job, planted=True)
    assert independent.outcome == "refuted"
    places = [(one.kind, one.file, one.line) for one in independent.findings]
    at = line_of("parts/steps/fixslice_rounds.h", "if ((q[0] & 0xff) == 0x5a)")
    assert places == [("branch", "lib/src/parts/steps/fixslice_rounds.h", at)]
    if slow:  # past a secret branch nothing is equal to anything
        assert equality(job, planted=True).outcome == "open"


def test_a_register_that_is_not_preserved_is_found() -> None:
    """The first load that brings a preserved register back does nothing."""
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image

    job = block_job("rv32im-e31", "transposed")
    image = proof_image(job)
    ((start, data),) = [one for one in image.pieces if image.piece(entry(image)) == one]
    code = Code(image)
    at = entry(image)
    while not code.text(at).startswith("lw s0,"):
        at += 4
    nop = (0x13).to_bytes(4, "little")
    spoilt = data[: at - start] + nop + data[at - start + 4 :]
    pieces = tuple((start, spoilt) if one[0] == start else one for one in image.pieces)
    statement = equality(job, replace(image, pieces=pieces))
    assert statement.outcome == "refuted"
    assert [one.kind for one in statement.findings] == ["register not preserved"]
    assert "s0" in statement.findings[0].text


def entry(image: "ProofImage") -> int:
    """Address of the block function."""
    return image.symbol("rig_encrypt_block")
