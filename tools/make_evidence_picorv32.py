# SPDX-License-Identifier: MIT
"""Compare the timing model of PicoRV32 with a simulation of its Verilog, and keep what came out.

The Verilog is that of the Python package pythondata-cpu-picorv32, the simulator Icarus Verilog.
Compared are 4000 random instructions, and of every core both key set-ups, encryption and
decryption with 128-bit keys.
"""

import argparse
import importlib.util
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_256
from importlib import metadata
from pathlib import Path

from elftools.elf.elffile import ELFFile

from aesfit.build import build
from aesfit.build import why_not as build_why_not
from aesfit.catalog import cores
from aesfit.platforms import platform_named
from aesfit.rigs.decode import decode_blocks
from aesfit.rigs.evidence import conclude
from aesfit.rigs.machine import Machine
from aesfit.rigs.machine import why_not as machine_why_not
from aesfit.rigs.rig import Job
from aesfit.rigs.timing.model import cycles
from aesfit.rigs.timing.picorv32 import MODEL

ROOT = Path(__file__).resolve().parents[1]
TESTBENCH = ROOT / "tests" / "evidence" / "picorv32.v"
PACKAGE = "pythondata-cpu-picorv32"
PLATFORM = platform_named("rv32i")

RAM = PLATFORM.memory("ram")
KEY, CONTEXT, INPUT, OUTPUT = RAM.start, RAM.start + 0x100, RAM.start + 0x800, RAM.start + 0x1000
STACK = RAM.start + RAM.size
OUTPUTS = (CONTEXT, OUTPUT + 0x800)
"""From and to: what the calls may write, zeroed before."""

COMPILER = ("riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-nostdlib", "-Wl,-e,0")


@dataclass(frozen=True)
class Call:
    """A function with its arguments."""

    name: str
    entry: int
    arguments: tuple[int, ...]


@dataclass(frozen=True)
class Seen:
    """What a call did."""

    cycles: int
    instructions: int


@dataclass(frozen=True)
class Comparison:
    """One call, counted by the model and by the Verilog."""

    name: str
    model: Seen
    witness: Seen
    same_output: bool

    @property
    def error(self) -> int:
        """Cycles that the model counts too many."""
        return self.model.cycles - self.witness.cycles

    @property
    def same_work(self) -> bool:
        """Both executed as many instructions, to the same output."""
        return self.same_output and self.model.instructions == self.witness.instructions


def why_not() -> str | None:
    """None when the comparison can be made; else a sentence that ends with the remedy."""
    if shutil.which("iverilog") is None:
        return "Icarus Verilog is missing: apt-get install iverilog"
    if importlib.util.find_spec("pythondata_cpu_picorv32") is None:
        return f"the Verilog of PicoRV32 is missing: pip install {PACKAGE}"
    return machine_why_not() or build_why_not(PLATFORM)


def _run(command: Sequence[str | Path]) -> str:
    done = subprocess.run(  # noqa: S603 (commands of this file, over files of this project)
        list(map(str, command)), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {done.stderr.strip()[:500]}")
    return done.stdout


def build_witness(folder: Path) -> Path:
    """The simulation."""
    spec = importlib.util.find_spec("pythondata_cpu_picorv32")
    if spec is None or spec.origin is None:
        raise RuntimeError(str(why_not()))
    verilog = Path(spec.origin).parent / "verilog" / "picorv32.v"
    made = folder / "picorv32"
    _run(["iverilog", "-g2012", "-s", "witness", "-o", made, TESTBENCH, verilog])
    return made


def _compiled(folder: Path, name: str, assembly: str, start: int) -> Path:
    source, elf = folder / f"{name}.s", folder / f"{name}.elf"
    source.write_text(f".option norelax\n.text\n{assembly}\n")
    _run([*COMPILER, f"-Wl,-Ttext={start:#x}", source, "-o", elf])
    return elf


def _caller(folder: Path, calls: Sequence[Call]) -> Path:
    lines = [f"li sp, {STACK:#x}"]
    for call in calls:
        lines += [f"li a{at}, {value:#x}" for at, value in enumerate(call.arguments)]
        lines += [f"li t0, {call.entry:#x}", "jalr ra, 0(t0)"]
    return _compiled(folder, "caller", "\n".join([*lines, "ebreak"]), 0)


def _loaded(elf: Path) -> dict[int, bytes]:
    with elf.open("rb") as stream:
        sections = list(ELFFile(stream).iter_sections())
        return {
            one["sh_addr"]: one.data()
            for one in sections
            if one["sh_type"] == "SHT_PROGBITS" and one["sh_flags"] & 2 and one["sh_size"]
        }


def _hex(contents: dict[int, bytes]) -> str:
    """Memory as $readmemh takes it: from address 0, zeros where there is nothing."""
    end = max([start + len(data) for start, data in contents.items()] + [RAM.start + RAM.size])
    memory = bytearray(end + 3 & ~3)
    for start, data in contents.items():
        memory[start : start + len(data)] = data
    words = (memory[at : at + 4] for at in range(0, len(memory), 4))
    return "\n".join(f"{int.from_bytes(word, 'little'):x}" for word in words)


def _on_witness(
    simulation: Path, elf: Path, memory: dict[int, bytes], calls: Sequence[Call], folder: Path
) -> tuple[list[Seen], bytes]:
    program, ram = folder / "program.hex", folder / "ram.hex"
    program.write_text(_hex(_loaded(elf) | _loaded(_caller(folder, calls)) | memory))
    said = _run(["vvp", "-n", simulation, f"+program={program}", f"+ram={ram}"])
    marks = [tuple(map(int, line.split())) for line in said.splitlines() if line[:1].isdigit()]
    seen = [
        Seen(back[0] - out[0], back[1] - out[1])
        for out, back in zip(marks[::2], marks[1::2], strict=True)
    ]
    words = [line for line in ram.read_text().splitlines() if not line.startswith("//")]
    return seen, b"".join(int(word, 16).to_bytes(4, "little") for word in words)


def _on_model(
    elf: Path, memory: dict[int, bytes], calls: Sequence[Call]
) -> tuple[list[Seen], bytes]:
    machine = Machine(elf, PLATFORM)
    for address, data in memory.items():
        machine.write(address, data)
    seen = []
    for call in calls:
        done = machine.call(call.entry, *call.arguments)
        code = decode_blocks(machine.code, done.profile.blocks, PLATFORM.isa)
        seen.append(Seen(cycles(MODEL, done.profile, code), done.instructions))
    return seen, machine.read(OUTPUTS[0], OUTPUTS[1] - OUTPUTS[0])


def _compare(
    simulation: Path, elf: Path, filled: dict[int, bytes], calls: Sequence[Call]
) -> list[Comparison]:
    memory = {OUTPUTS[0]: bytes(OUTPUTS[1] - OUTPUTS[0])} | filled
    with tempfile.TemporaryDirectory() as folder:
        theirs, ram = _on_witness(simulation, elf, memory, calls, Path(folder))
    ours, output = _on_model(elf, memory, calls)
    same = ram[OUTPUTS[0] - RAM.start : OUTPUTS[1] - RAM.start] == output
    return [
        Comparison(call.name, one, other, same)
        for call, one, other in zip(calls, ours, theirs, strict=True)
    ]


FREE = [f"x{number}" for number in range(5, 30) if number != 10]
"""Registers of the random instructions; x10 points to memory and x30 holds the return address."""
FORMS = {
    "add sub sll slt sltu xor srl sra or and": "{d}, {a}, {b}",
    "addi slti sltiu xori ori andi": "{d}, {a}, {small}",
    "slli srli srai": "{d}, {a}, {amount}",
    "lui auipc": "{d}, {large}",
    "lw sw": "{d}, {word}(x10)",
    "lh lhu sh": "{d}, {half}(x10)",
    "lb lbu sb": "{d}, {byte}(x10)",
    "beq bne blt bge bltu bgeu": "{a}, {b}, 1f\n{skipped}1:",
    "jal": "{link}, 1f\n{skipped}1:",
    "jalr": "{link}, 0(x31)\n{skipped}1:",
    "nop": "",
}


def random_instructions(count: int) -> str:
    """A function of that many steps, the same each time."""
    pick = random.Random(1)  # noqa: S311 - nothing secret
    lines = ["mv x30, ra", *(f"li {name}, {pick.getrandbits(32):#x}" for name in FREE)]
    for _ in range(count):
        names, form = pick.choice(list(FORMS.items()))
        name = pick.choice(names.split())
        if name == "jalr":
            lines.append("la x31, 1f")
        operands = form.format(
            d=pick.choice(FREE), a=pick.choice(FREE), b=pick.choice(FREE),
            small=pick.randrange(-2048, 2048), amount=pick.randrange(32),
            large=pick.randrange(1 << 20), word=4 * pick.randrange(64),
            half=2 * pick.randrange(128), byte=pick.randrange(256),
            link=pick.choice(("x0", "x1")), skipped="nop\n" * pick.randrange(1, 3),
        )  # fmt: skip
        lines.append(f"{name} {operands}")
    return "\n".join([*lines, "jr x30"])


def compare_random(simulation: Path) -> list[Comparison]:
    """Random instructions with random memory."""
    start = PLATFORM.memory("flash").start
    with tempfile.TemporaryDirectory() as folder:
        elf = _compiled(Path(folder), "random", random_instructions(4000), start)
        calls = [Call("random instructions", start, (INPUT,))]
        return _compare(simulation, elf, {INPUT: shake_256(b"random").digest(256)}, calls)


def compare_core(simulation: Path, name: str, lanes: int) -> list[Comparison]:
    """Both key set-ups, encryption and decryption of one core, 128-bit keys."""
    found = []
    secret = shake_256(f"evidence {name}".encode()).digest(16 * (lanes + 1))
    memory = {KEY: secret[:16], INPUT: secret[16:]}
    for way in ("encrypt", "decrypt"):
        elf = build(Job(PLATFORM, name, 128, f"{way}-block")).elf
        symbols = Machine(elf, PLATFORM).symbol
        setup, block = f"rig_key_setup_{way}", f"rig_{way}_block"
        calls = [
            Call(f"{name} {setup}", symbols(setup), (CONTEXT, KEY)),
            Call(f"{name} {block}", symbols(block), (CONTEXT, OUTPUT, INPUT, lanes)),
        ]
        found += _compare(simulation, elf, memory, calls)
    return found


def compare(names: Sequence[str] | None = None) -> tuple[str, list[Comparison]]:
    """The witness's version, and the comparisons: random instructions and the portable cores."""
    with tempfile.TemporaryDirectory() as folder:
        simulation = build_witness(Path(folder))
        found = compare_random(simulation)
        for core in cores():
            if core.name != "aesni" and (names is None or core.name in names):
                found += compare_core(simulation, core.name, core.lanes)
    simulator = _run(["iverilog", "-V"]).split("\n", 1)[0].split("(")[0].strip()
    return f"the Verilog of {PACKAGE} {metadata.version(PACKAGE)}, {simulator}", found


def main() -> int:
    """Compare, tell every difference, write the record."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    reason = why_not()
    if reason:
        print(reason, file=sys.stderr)
        return 1
    version, found = compare()
    return conclude(MODEL.name, version, found, "make evidence")


if __name__ == "__main__":
    sys.exit(main())
