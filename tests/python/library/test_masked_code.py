# SPDX-License-Identifier: MIT
"""Masked code that tools/assemble writes: its values, its proof, and what removals undo."""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("pypcode")

from assembly_steps import module
from places import ROOT

from aesfit.counting.foreign import function_in
from aesfit.platforms.find import platform_named
from aesfit.proving.fips197 import sbox
from aesfit.proving.masked.proof import MaskedProof, prove_masked
from aesfit.proving.masked.watched import Statement
from aesfit.rigs import why_not
from aesfit.rigs.emulator.machine import Machine

M3 = platform_named("cortex-m3")
pytestmark = pytest.mark.skipif(why_not(M3) is not None, reason=str(why_not(M3)))
FORMS = range(4)
CLEARED: dict[Statement, str] = {
    "REGISTER": r"mov\.w ",
    "OPERAND": r"cmp",
    "BUS": r"str r2, \[sp, #0\]",
}
"""What clears registers, latches and the bus."""


@pytest.fixture(scope="module")
def masked() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield module("masked")


@pytest.fixture(scope="module")
def rounds(masked: ModuleType) -> ModuleType:
    del masked  # it makes the modules known
    return module("masked_round")


def built(folder: Path, masked: ModuleType, lines: Sequence[str]) -> Path:
    source, made = folder / "f.s", folder / "f.o"
    source.write_text(masked.function("f", lines), encoding="utf-8")
    compiler = M3.compiler
    asked = [compiler.command, *compiler.target, "-c", str(source), "-o", str(made)]
    subprocess.run(asked, check=True)
    return made


def proof(made: Path, size: int = 32) -> MaskedProof:
    return prove_masked(M3, [made], "f", [f"share:{size}:x"] * 2 + ["random:128"])


def called(made: Path, inputs: Sequence[Sequence[int]], draw: random.Random) -> list[list[int]]:
    """Of each words that are shared, the sum of the shares afterwards."""
    found, size = [], 4 * len(inputs[0])
    with function_in(M3, [made], "f") as function:
        machine = Machine(function.image, M3)
        places = [machine.reserve(size), machine.reserve(size), machine.reserve(128)]
        for words in inputs:
            masks = [draw.getrandbits(32) for _ in words]
            machine.write(places[0], packed(masks))
            machine.write(places[1], packed([x ^ y for x, y in zip(words, masks, strict=True)]))
            machine.write(places[2], draw.randbytes(128))
            machine.call(function.address, *places)
            shares = [machine.read(place, 32) for place in places[:2]]
            total = bytes(x ^ y for x, y in zip(*shares, strict=True))
            found.append([int.from_bytes(total[at : at + 4], "little") for at in range(0, 32, 4)])
    return found


def packed(words: Sequence[int]) -> bytes:
    return b"".join(one.to_bytes(4, "little") for one in words)


def sliced(values: bytes) -> list[int]:
    return [sum((v >> bit & 1) << at for at, v in enumerate(values)) for bit in range(8)]


def test_the_sum_of_the_shares_is_the_sbox_of_fips_197(
    masked: ModuleType, tmp_path: Path
) -> None:  # fmt: skip
    inputs = [sliced(bytes(range(first, first + 32))) for first in range(0, 256, 32)]
    wanted = [sliced(bytes(sbox()[first : first + 32])) for first in range(0, 256, 32)]
    made = built(tmp_path, masked, masked.masked_sbox())
    assert called(made, inputs, random.Random(1)) == wanted


@pytest.mark.parametrize("form", FORMS)
def test_the_sum_of_the_shares_is_a_round_of_fixslice(
    form: int, masked: ModuleType, rounds: ModuleType, tmp_path: Path
) -> None:
    draw = random.Random(form)
    inputs = [[draw.getrandbits(32) for _ in range(16)] for _ in range(3)]
    plain = module("fixslice").middle(module("program").Writer(), form, inverse=False)
    made = built(tmp_path, masked, rounds.masked_round(form))
    assert called(made, inputs, draw) == [plain.run(one[:8], one[8:]) for one in inputs]


def test_all_five_statements_are_proved_of_the_sbox(masked: ModuleType, tmp_path: Path) -> None:
    found = proof(built(tmp_path, masked, masked.masked_sbox()))
    assert found.proved
    assert found.findings == ()
    assert min(found.observed.values()) > 200


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_all_five_statements_are_proved_of_a_round(
    form: int, masked: ModuleType, rounds: ModuleType, tmp_path: Path
) -> None:
    assert proof(built(tmp_path, masked, rounds.masked_round(form)), 64).proved


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLEARED)
def test_without_what_clears_a_place_it_is_refuted(
    kind: Statement, masked: ModuleType, tmp_path: Path
) -> None:
    lines = masked.masked_sbox()
    left = [one for one in lines if not re.match(CLEARED[kind], one)]
    assert len(left) < len(lines)
    assert proof(built(tmp_path, masked, left)).outcomes[kind] == "refuted"


def test_code_with_one_random_word_for_all_products_is_not_written(
    masked: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, outputs, words = masked.shared_gates()
    same = [(*one[:3], re.sub(r"random\d+", "random0", one[3])) for one in steps]
    monkeypatch.setattr(masked, "shared_gates", lambda: (same, outputs, words))
    with pytest.raises(masked.LeakError, match="depends on a secret by itself"):
        masked.masked_sbox()


@pytest.mark.slow
def test_shares_that_go_through_a_round_without_a_border_are_not_proved(
    masked: ModuleType, rounds: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget(one: object) -> None:
        one.where.clear()  # type: ignore[attr-defined]
        one.slots.clear()  # type: ignore[attr-defined]

    monkeypatch.setattr(rounds, "_clear_all", forget)
    made = built(tmp_path, masked, rounds.masked_round(1))
    assert proof(made, 64).outcomes["CELL"] != "proved"
