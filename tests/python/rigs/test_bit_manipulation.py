# SPDX-License-Identifier: MIT
"""Bit manipulation of RISC-V on the emulator, of whose processors none has it.

What each instruction computes is said here once more, as The RISC-V Instruction Set Manual,
volume I, chapter "B" Extension for Bit Manipulation has it; encodings are those of GNU as.
"""

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from aesfit.building.build import build
from aesfit.jobs.job import Job
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator import decode_bits
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine, MachineError
from aesfit.rigs.firing import firing_of
from aesfit.rigs.profile import Block

TWIN = platform_named("ibex-small-b-emulated")
ALL = 0xFFFF_FFFF


def signed(value: int, bits: int = 32) -> int:
    low = value & (1 << bits) - 1
    return low - (low >> bits - 1 << bits)


def left(a: int, by: int) -> int:
    return (a << by % 32 | a >> 32 - by % 32) & ALL


Computes = Callable[[int, int], int]
OF_TWO: dict[str, Computes] = {
    "sh1add": lambda a, b: 2 * a + b,
    "sh2add": lambda a, b: 4 * a + b,
    "sh3add": lambda a, b: 8 * a + b,
    "andn": lambda a, b: a & ~b,
    "orn": lambda a, b: a | ~b,
    "xnor": lambda a, b: ~(a ^ b),
    "min": lambda a, b: min(signed(a), signed(b)),
    "minu": min,
    "max": lambda a, b: max(signed(a), signed(b)),
    "maxu": max,
    "rol": left,
    "ror": lambda a, b: left(a, -b),
    "bclr": lambda a, b: a & ~(1 << b % 32),
    "bext": lambda a, b: a >> b % 32 & 1,
    "binv": lambda a, b: a ^ 1 << b % 32,
    "bset": lambda a, b: a | 1 << b % 32,
}
OF_ONE: dict[str, Callable[[int], int]] = {
    "clz": lambda a: 32 - a.bit_length(),
    "ctz": lambda a: (a & -a).bit_length() - 1 if a else 32,
    "cpop": int.bit_count,
    "sext.b": lambda a: signed(a, 8),
    "sext.h": lambda a: signed(a, 16),
    "zext.h": lambda a: a & 0xFFFF,
    "orc.b": lambda a: int.from_bytes(255 * bool(one) for one in a.to_bytes(4, "big")),
    "rev8": lambda a: int.from_bytes(a.to_bytes(4, "little"), "big"),
}
BY_AMOUNT = {f"{name}i": OF_TWO[name] for name in ("ror", "bclr", "bext", "binv", "bset")}
AMOUNTS = (0, 1, 13, 31)
VALUES = (0, 1, 0x80, 0xFF00, 0x8000, 0x0001_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_0000, ALL)


def machine(folder: Path, functions: dict[str, str], platform: Platform = TWIN) -> Machine:
    """With functions of that assembly, compressed code allowed, a return behind each."""
    texts = (f".globl {name}\n{name}:\n{lines}\nret\n" for name, lines in functions.items())
    source, elf = folder / "f.s", folder / "f.elf"
    source.write_text("".join(texts), encoding="utf-8")
    target = ("-march=rv32imc_zba_zbb_zbs", "-mabi=ilp32")
    place = ("-nostdlib", "-Wl,-Ttext=0x40000100", "-Wl,-e,0")
    subprocess.run(["riscv64-unknown-elf-gcc", *target, *place, source, "-o", elf], check=True)
    return Machine(elf, platform)


def operands() -> list[tuple[int, int]]:
    pick = Random("bits")
    edges = [(a, b) for a in VALUES for b in VALUES]
    return edges + [(pick.getrandbits(32), pick.getrandbits(32)) for _ in range(50)]


def wrong(
    run: Machine, name: str, computes: Computes, pairs: Sequence[tuple[int, int]]
) -> list[str]:
    return [
        f"{name}({a:#x}, {b:#x})"
        for a, b in pairs
        if run.call(name, a, b).result != computes(a, b) & ALL
    ]


def test_every_instruction_computes_what_the_manual_says(tmp_path: Path) -> None:
    names = {name: name.replace(".", "_") for name in (*OF_TWO, *OF_ONE)}
    texts = {names[name]: f"{name} a0, a0, a1" for name in OF_TWO}
    texts |= {names[name]: f"{name} a0, a0" for name in OF_ONE}
    run, pairs = machine(tmp_path, texts), operands()
    for name, computes in OF_TWO.items():
        assert wrong(run, names[name], computes, pairs) == []
    for name, of_one in OF_ONE.items():
        assert wrong(run, names[name], lambda a, _, of_one=of_one: of_one(a), pairs) == []  # type: ignore[misc]


def test_amounts_in_the_instruction_are_taken(tmp_path: Path) -> None:
    names = {(name, by): f"{name}_{by}" for name in BY_AMOUNT for by in AMOUNTS}
    run = machine(tmp_path, {own: f"{name} a0, a0, {by}" for (name, by), own in names.items()})
    for (name, by), own in names.items():
        computes = BY_AMOUNT[name]
        pairs = [(a, by) for a in VALUES]
        assert wrong(run, own, computes, pairs) == []


def test_every_instruction_is_decoded_as_it_was_assembled(tmp_path: Path) -> None:
    lines = [f"{name} x5, x6, x7" for name in OF_TWO]
    lines += [f"{name} x5, x6, 9" for name in BY_AMOUNT]
    lines += [f"{name} x5, x6" for name in OF_ONE]
    run = machine(tmp_path, {"f": "\n".join(lines)})
    found = decode_bits.decode(run.code(run.symbol("f"), 4 * len(lines)), 0)
    assert [one.text for one in found] == lines
    for one in found:
        registers = re.findall(r"x\d+", one.text)
        assert one.writes == {registers[0]}
        assert one.reads == set(registers[1:])
        assert (one.kind, one.size, one.name) == ("alu", 4, one.text.split()[0])


def test_other_instructions_lie_between_them(tmp_path: Path) -> None:
    """Compressed ones among them, so that full ones lie at odd half-words."""
    lines = (
        "c.addi a0, 3",
        *["rori a0, a0, 4"] * 2,
        "mul a0, a0, a1",
        "c.mv a2, a0",
        "rev8 a0, a2",
    )
    run = machine(tmp_path, {"f": "\n".join(lines)})
    done = run.call("f", 5, 3)
    assert done.result == int.from_bytes((3 * left(8, -8) & ALL).to_bytes(4, "little"), "big")
    assert done.instructions == 7
    code = decode_blocks(run.code, done.profile.blocks, "rv32imb")
    names = [code[address].name for address in sorted(code)]
    assert names == ["addi", "rori", "rori", "mul", "add", "rev8", "jalr"]


def test_loops_run_them_each_time(tmp_path: Path) -> None:
    loop = "1: rori a0, a0, 1\nbinvi a0, a0, 0\naddi a1, a1, -1\nbnez a1, 1b"
    done = machine(tmp_path, {"f": loop}).call("f", 0x1234, 1000)
    expected = 0x1234
    for _ in range(1000):
        expected = left(expected, -1) ^ 1
    assert (done.result, done.instructions) == (expected, 4001)


def test_the_zero_register_keeps_its_value(tmp_path: Path) -> None:
    run = machine(
        tmp_path, {"f": "orn x0, x0, x0\nrori a0, x0, 4", "g": "orn x0, x0, x0\nmv a0, x0"}
    )
    assert run.call("f", 7).result == 0
    assert run.call("g", 7).result == 0


@pytest.mark.parametrize(
    ("word", "what"),
    [(0x6030_1013, "of the row of clz"), (0x0A00_1033, "clmul"), (0x6000_100B, "rol elsewhere")],
)
def test_what_is_none_of_them_still_traps(tmp_path: Path, word: int, what: str) -> None:
    run = machine(tmp_path, {"f": f"rori a0, a0, 1\n.word {word:#x}"})
    with pytest.raises(MachineError, match=r"illegal instruction.* at 0x40000104"):
        run.call("f", 1)


def test_processors_without_them_still_trap(tmp_path: Path) -> None:
    run = machine(tmp_path, {"f": "rori a0, a0, 1"}, platform_named("ibex-small-emulated"))
    with pytest.raises(MachineError, match="illegal instruction"):
        run.call("f", 1)


def test_the_limit_of_instructions_holds_among_them(tmp_path: Path) -> None:
    """And a machine that was stopped there runs its next call right."""
    run = machine(tmp_path, {"f": "1: rori a0, a0, 1\nrori a0, a0, 1\nj 1b", "g": "rev8 a0, a0"})
    for limit in (9, 10, 11):
        with pytest.raises(MachineError, match=f"{limit}"):
            run.call("f", 1, limit=limit)
        assert run.call("g", 1).result == 0x0100_0000


def test_blocks_do_not_hide_instructions(tmp_path: Path) -> None:
    run = machine(tmp_path, {"f": "\n".join(["rol a0, a0, a1"] * 20)})
    done = run.call("f", 1, 1)
    assert (done.result, done.instructions) == (1 << 20, 21)
    (whole,) = [Block(run.symbol("f"), 4 * 20 + 2)]
    assert sum(one.size for one in done.profile.blocks) == whole.size


def traces(core: str, number: int) -> int:
    """How many secrets look different in instructions and addresses."""
    job = Job(TWIN, core, 128, "encrypt-block")
    firing = firing_of(job)
    run = Machine(build(firing.job).elf, TWIN)
    calls = [firing.fire(run, secret) for secret in range(number)]
    return len({tuple((o.instruction_trace, o.address_trace) for o in one) for one in calls})


def test_constant_time_cores_look_alike_for_every_secret(slow: bool) -> None:
    claiming = [core.name for core in cores_for(TWIN) if core.constant_time]
    assert "fixslice" in claiming
    assert {core: traces(core, 100 if slow else 5) for core in claiming} == dict.fromkeys(
        claiming, 1
    )
    assert traces("ttable1", 5) == 5
