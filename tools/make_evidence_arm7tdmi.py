# SPDX-License-Identifier: MIT
"""Compare timing models with emulators that count cycles themselves, and keep the results.

The ARM7TDMI model is compared with libmgba (Debian libmgba-dev), which has an ARM7TDMI of its own:
the same machine code is priced here and run there, with code, data and stack in single-cycle
memory.  Compared are a test of single instructions (tests/evidence/micro.s) and, of every core,
both key set-ups, encryption and decryption with 128-bit keys.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import shake_256
from pathlib import Path

from elftools.elf.elffile import ELFFile

from aesfit.building.build import build
from aesfit.building.build import why_not as build_why_not
from aesfit.catalog import cores
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.memory import Memory
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.evidence import conclude
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.machine import why_not as machine_why_not
from aesfit.rigs.emulator.timing.arm7tdmi import MODEL
from aesfit.rigs.emulator.timing.model import cycles

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "evidence"
PACKAGE = "libmgba-dev"

# Internal RAM of the witness: 32 KiB from 0300_0000h; its last word is the return address.
CODE, CODE_BYTES = 0x0300_0000, 0x6000
DATA, DATA_BYTES = 0x0300_6000, 0x1F00
STACK = DATA + DATA_BYTES
KEY, CONTEXT, INPUT, OUTPUT, BUFFER_BYTES = DATA, DATA + 0x100, DATA + 0x800, DATA + 0x900, 0x80

MULTIPLIERS = (
    *(0, 1, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000, 0x7FFF_FFFF),
    *(0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FF00, 0xFFFF_FEFF, 0xFFFF_0000, 0xFFFE_FFFF),
    *(0xFF00_0000, 0xFEFF_FFFF),
)
MULTIPLIES = ("mul", "mla", "umull", "umlal", "smull", "smlal")


@dataclass(frozen=True)
class Call:
    """A function with its arguments, and the memory that it writes."""

    name: str
    entry: int
    arguments: tuple[int, int, int, int]
    output: tuple[int, int]
    """Output: address and bytes."""


@dataclass(frozen=True)
class Seen:
    """The results of a call."""

    cycles: int
    instructions: int
    result: int
    output: bytes


@dataclass(frozen=True)
class Comparison:
    """One call, counted by the model and by the witness."""

    name: str
    model: Seen
    witness: Seen

    @property
    def error(self) -> int:
        """The model's excess of cycles."""
        return self.model.cycles - self.witness.cycles

    @property
    def same_work(self) -> bool:
        """Whether both executed equally many instructions, with the same result and output."""
        return replace(self.model, cycles=0) == replace(self.witness, cycles=0)


def witness_platform() -> Platform:
    """The ARM7TDMI with the memory of the witness."""
    platform = platform_named("arm7tdmi")
    flash, ram = platform.memory("flash"), platform.memory("ram")
    memories: tuple[Memory, ...] = (
        replace(flash, start=CODE, size=CODE_BYTES),
        replace(ram, start=DATA, size=DATA_BYTES),
    )
    return replace(platform, memories=memories)


def why_not() -> str | None:
    """None if the comparison is possible; otherwise a sentence that ends with the remedy."""
    if not Path("/usr/include/mgba").is_dir():
        return f"libmgba is missing: apt-get install {PACKAGE}"
    return machine_why_not() or build_why_not(platform_named(MODEL.name))


def _run(command: Sequence[str], text: str = "") -> str:
    done = subprocess.run(  # noqa: S603 (commands of this file, over files of this project)
        command, input=text, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {done.stderr.strip()[:500]}")
    return done.stdout


def build_witness(folder: Path) -> Path:
    """The program that runs functions on libmgba."""
    program = folder / "mgba"
    strict = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
    _run(["gcc", *strict, str(FOLDER / "mgba.c"), "-o", str(program), "-lmgba"])
    return program


def build_micro(folder: Path) -> Path:
    """The single instructions as a program."""
    elf = folder / "micro.elf"
    layout = ["-nostdlib", f"-Wl,-Ttext={CODE:#x}", "-Wl,-e,micro_nothing"]
    source = str(FOLDER / "micro.s")
    _run(["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-marm", *layout, source, "-o", str(elf)])
    return elf


def _loaded(elf: Path) -> Iterator[tuple[int, bytes]]:
    with elf.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments("PT_LOAD"):
            if segment["p_filesz"]:
                yield segment["p_paddr"], segment.data()


def _on_model(machine: Machine, memory: dict[int, bytes], calls: Iterable[Call]) -> Iterator[Seen]:
    for address, data in memory.items():
        machine.write(address, data)
    for call in calls:
        done = machine.call(call.entry, *call.arguments)
        code = decode_blocks(machine.code, done.profile.blocks, "armv4t")
        count = cycles(MODEL, done.profile, code)
        yield Seen(count, done.instructions, done.result, machine.read(*call.output))


def _on_witness(
    program: Path, elf: Path, memory: dict[int, bytes], calls: Sequence[Call]
) -> list[Seen]:
    contents = [*_loaded(elf), *memory.items()]
    lines = [f"write {address:x} {data.hex()}" for address, data in contents]
    for call in calls:
        arguments = " ".join(f"{one:x}" for one in call.arguments)
        lines.append(f"call {call.entry:x} {STACK:x} {arguments}")
        lines.append(f"read {call.output[0]:x} {call.output[1]:x}")
    answers = _run([str(program)], "\n".join(lines) + "\n").splitlines()
    seen = []
    for counts, output in zip(answers[::2], answers[1::2], strict=True):
        count, instructions, result = counts.split()
        seen.append(Seen(int(count), int(instructions), int(result, 16), bytes.fromhex(output)))
    return seen


def _compare(
    program: Path, elf: Path, memory: dict[int, bytes], calls: Sequence[Call]
) -> list[Comparison]:
    machine = Machine(elf, witness_platform())
    ours = list(_on_model(machine, memory, calls))
    theirs = _on_witness(program, elf, memory, calls)
    return [
        Comparison(call.name, one, other)
        for call, one, other in zip(calls, ours, theirs, strict=True)
    ]


def compare_micro(program: Path, folder: Path) -> list[Comparison]:
    """Every function of micro.s; multiplications with multipliers of every length and sign."""
    elf = build_micro(folder)
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        symbols = {one.name: one["st_value"] for one in table.iter_symbols()}  # type: ignore[union-attr]
    micros = {name: value for name, value in symbols.items() if name.startswith("micro_")}
    calls = []
    for name, entry in micros.items():
        values = MULTIPLIERS if name.removeprefix("micro_") in MULTIPLIES else range(4)
        calls += [
            Call(f"{name} {value:#x}", entry, (INPUT, 0x1234_5679 + value, value, 3), (INPUT, 64))
            for value in values
        ]
    return _compare(program, elf, {INPUT: shake_256(b"micro").digest(64)}, calls)


def compare_core(program: Path, name: str, lanes: int) -> list[Comparison]:
    """Both key set-ups, encryption and decryption of one core, 128-bit keys."""
    found = []
    secret = shake_256(f"evidence {name}".encode()).digest(16 * (lanes + 1))
    memory = {KEY: secret[:16], INPUT: secret[16:]}
    for way in ("encrypt", "decrypt"):
        image = build(Job(witness_platform(), name, 128, f"{way}-block"))
        symbols = Machine(image.elf, witness_platform()).symbol
        setup, block = f"rig_key_setup_{way}", f"rig_{way}_block"
        context = (CONTEXT, image.sizes.context_bytes)
        calls = [
            Call(f"{name} {setup}", symbols(setup), (CONTEXT, KEY, 0, 0), context),
            Call(
                f"{name} {block}",
                symbols(block),
                (CONTEXT, OUTPUT, INPUT, lanes),
                (OUTPUT, 16 * lanes),
            ),
        ]
        found += _compare(program, image.elf, memory, calls)
    return found


def compare() -> tuple[str, list[Comparison]]:
    """The witness's version, and the comparisons: single instructions and all portable cores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build_witness(folder)
        found = compare_micro(program, folder)
        for core in cores():
            if not lacks(core, platform_named("arm7tdmi")):
                found += compare_core(program, core.name, core.lanes)
        return _run([str(program)], "version\n").strip(), found


def main() -> int:
    """Compare, print every difference, write the record."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    reason = why_not()
    if reason:
        print(reason, file=sys.stderr)
        return 1
    version, found = compare()
    return conclude(MODEL.name, f"libmgba {version}", found, "make evidence")


if __name__ == "__main__":
    sys.exit(main())
