# SPDX-License-Identifier: MIT
"""Flip-flops of soft processors under a masked AND: what depends on secrets is seen or named."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("pypcode")

from aesfit.hardware.toggles import FlipFlopsFound, dependent_flip_flops
from aesfit.hardware.tools import simulation_why_not
from aesfit.platforms.find import platform_named
from aesfit.proving.masked.proof import prove_masked
from aesfit.rigs import why_not

E31, PICORV32 = platform_named("rv32im-e31"), platform_named("picorv32")
_MISSING = why_not(E31) or why_not(PICORV32) or simulation_why_not()
pytestmark = [
    pytest.mark.skipif(_MISSING is not None, reason=str(_MISSING)),
    pytest.mark.slow,
]
SOURCE = Path(__file__).with_name("masked_and_rv32.s").read_text(encoding="utf-8")
SHARES = ("share:a", "share:a", "share:b", "share:b", "random")
RESULT = "core.alu_out_q"
"""Of PicoRV32: results of the ALU one after the other, which the model does not observe."""
OBSERVED = {
    "core.cpuregs": {"VALUE", "REGISTER"}, "core.pcpi_rs": {"OPERAND", "VALUE"},
    "core.dbg_mem_wdata": {"BUS", "VALUE"}, "core.mem_rdata_q": {"BUS"},
}  # fmt: skip
"""Statements that cover a register of PicoRV32."""
MUTANTS = {
    "no random word": ("xor t0, t0, a4          # a0 b1 + r", "xor t0, t0, t6"),
    "registers swapped": ("and t2, a1, a3", "and t2, a0, a3"),
    "shares meet in a register": ("li t6, 0", "mv t6, a0\n    mv t6, a1\n    li t6, 0"),
    "a share is stored over the other": (
        "li t6, 0",
        "sw a0, 0(a5)\n    sw a1, 0(a5)\n    li t6, 0",
    ),
}


def built(folder: Path, text: str, *options: str) -> Path:
    source, made = folder / "f.s", folder / "f.o"
    source.write_text(text, encoding="utf-8")
    compiler = PICORV32.compiler
    asked = [compiler.command, *compiler.target, *options, "-c", str(source), "-o", str(made)]
    subprocess.run(asked, check=True)
    return made


def refuted(made: Path) -> set[str]:
    found = prove_masked(E31, [made], "masked_and", [*SHARES, "out:4"])
    assert found.detail == ""
    return {kind for kind, outcome in found.outcomes.items() if outcome == "refuted"}


def dependent(made: Path) -> FlipFlopsFound:
    return dependent_flip_flops(PICORV32, [made], "masked_and", [*SHARES, f"int:{0x4005_0000}"])


def test_of_proved_code_the_result_register_alone_depends_on_a_secret(tmp_path: Path) -> None:
    made = built(tmp_path, SOURCE)
    assert refuted(made) == set()
    found = dependent(made)
    assert (found.bits > 1600, found.calls, found.values) == (True, 32, ())
    assert [one.name for one in found.changes] == [RESULT]


def test_no_flip_flop_depends_on_a_secret_if_results_are_cleared(tmp_path: Path) -> None:
    made = built(tmp_path, SOURCE, "-Wa,--defsym,CLEARED=1")
    assert refuted(made) == set()
    found = dependent(made)
    assert (found.values, found.changes) == ((), ())


@pytest.mark.parametrize("mutant", MUTANTS)
def test_what_depends_in_a_mutant_is_refuted_or_a_result(mutant: str, tmp_path: Path) -> None:
    before, after = MUTANTS[mutant]
    assert SOURCE.count(before) == 1
    made = built(tmp_path, SOURCE.replace(before, after))
    found = dependent(made)
    kinds = refuted(made)
    names = {one.name for one in (*found.values, *found.changes)} - {RESULT}
    assert names
    for name in names:
        (covering,) = [some for start, some in OBSERVED.items() if name.startswith(start)]
        assert covering & kinds, name
