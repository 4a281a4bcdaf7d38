# SPDX-License-Identifier: MIT
"""Compare the timing models of soft processors with their own Verilog, and keep the results.

Compared are stretches of random instructions, and of every core both key set-ups, encryption and
decryption with 128-bit keys.  Memory answers at once; VexRiscv runs with caches that hold all of
it, warm, because its model is of the pipeline alone.  Processors that have compressed instructions
do all of it a second time, in code that the compiler makes with them.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256, shake_256
from pathlib import Path

from aesfit.building.build import build
from aesfit.catalog import cores
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job, Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.packaged import PACKAGED
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not as rig_why_not
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.evidence import conclude
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.timing import (
    cv32e40p,
    ibex_maxperf,
    ibex_maxperf_b,
    ibex_small,
    ibex_small_b,
    picorv32,
    vexriscv,
)
from aesfit.rigs.emulator.timing.model import TimingModel, cycles
from aesfit.rigs.firing import firing_of
from aesfit.rigs.profile import Execution
from aesfit.rigs.rtl.rig import timed
from aesfit.rigs.rtl.soc.machine import Caches, SocMachine
from aesfit.rigs.rtl.soc.simulator import versions
from aesfit.store import closure

AT_ONCE = Placement(flash_wait=0)
STRETCHES, STEPS = 20, 200
"""Stretches of random instructions, and instructions in each."""
BUFFER = 256
"""Bytes that random instructions read and write."""
CALLER_BYTES = 4096
"""Bytes left free at the start of memory: lines evicted by the caller's code (caller.v)."""


Form = tuple[str, str]
"""Names of instructions, and the operands of all of them."""


@dataclass(frozen=True)
class Trial:
    """A model, and the processor with which it is compared."""

    model: TimingModel
    platform: Platform
    caches: Caches
    forms: Sequence[Form]
    """Mnemonics of the random instructions."""
    compressed: bool = False
    """It has compressed instructions."""

    def built(self) -> list[Platform]:
        """The platform as code is compiled for it: as its file says, and compressed."""
        if not self.compressed:
            return [self.platform]
        compiler = self.platform.compiler
        target = tuple(one.replace("rv32im", "rv32imc") for one in compiler.target)
        digest = sha256(f"{self.platform.sha256} compressed".encode()).hexdigest()
        compact = replace(self.platform, compiler=replace(compiler, target=target), sha256=digest)
        return [self.platform, compact]


@dataclass(frozen=True)
class Comparison:
    """One call, counted by the model and by the Verilog."""

    name: str
    model: int
    witness: int
    same_work: bool
    """Whether both executed equally many instructions, with the same output."""

    @property
    def error(self) -> int:
        """The model's excess of cycles."""
        return self.model - self.witness


def _all_cached() -> Platform:
    """VexRiscv behind caches of the memory's size, its code beside the caller's lines."""
    own = platform_named("vexriscv-cached")
    flash, ram = own.memory("flash"), own.memory("ram")
    shifted = replace(flash, start=flash.start + CALLER_BYTES, size=flash.size - CALLER_BYTES)
    name = "vexriscv_512k512k"
    digest = sha256(f"{own.sha256} {name} {CALLER_BYTES}".encode()).hexdigest()
    return replace(own, cpu=name, memories=(shifted, ram), sha256=digest)


def trials() -> list[Trial]:
    """Every model whose processor's Verilog is available."""
    plain = list(FORMS.items())
    staged = [*plain, *PRODUCTS, *HAZARDS, *QUOTIENTS, *CONTROL]
    return [
        Trial(picorv32.MODEL, platform_named("picorv32"), "cold", [*plain, ("fence", "")]),
        Trial(vexriscv.MODEL, _all_cached(), "warm", [*plain, *MULTIPLYING.items()]),
        *(
            Trial(model, platform_named(name), "cold", forms, compressed=True)
            for model, name, forms in (
                (ibex_small.MODEL, "ibex-small", staged),
                (ibex_maxperf.MODEL, "ibex-maxperf", staged),
                (ibex_small_b.MODEL, "ibex-small-b", [*staged, *BITS]),
                (ibex_maxperf_b.MODEL, "ibex-maxperf-b", [*staged, *BITS]),
            )
        ),
        Trial(cv32e40p.MODEL, platform_named("cv32e40p"), "cold", staged, compressed=True),
    ]


def why_not() -> str | None:
    """None if the comparisons are possible; otherwise a sentence that ends with the remedy."""
    reasons = (rig_why_not(trial.platform) for trial in trials())
    return next((reason for reason in reasons if reason), None)


def _priced(trial: Trial, machine: Machine, done: Execution) -> int:
    code = decode_blocks(machine.code, done.profile.blocks, trial.platform.isa)
    return cycles(trial.model, done.profile, code, AT_ONCE)


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
MULTIPLYING = {"mul mulh mulhsu mulhu div divu rem remu": "{d}, {a}, {b}"}
BITS = [  # Zba, Zbb and Zbs; rotations once more, as they alone take two cycles
    ("sh1add sh2add sh3add andn orn xnor min minu max maxu bclr bext binv bset", "{d}, {a}, {b}"),
    ("clz ctz cpop sext.b sext.h zext.h orc.b rev8", "{d}, {a}"),
    ("bclri bexti binvi bseti rori", "{d}, {a}, {amount}"),
    ("rol ror", "{d}, {a}, {b}"),
    ("lw", "{d}, {word}(x10)\nror {a}, {b}, {d}\nrori {b}, {a}, {amount}"),
]
_JUMP = "jalr {link}, 0(x31)\n{skipped}1:"
PRODUCTS = [("mul mulh mulhsu mulhu", "{d}, {a}, {b}")]
QUOTIENTS = [  # of all lengths, of both signs, and by zero
    ("div divu rem remu", "{d}, {a}, {b}"),
    ("srl", "{b}, {b}, {a}\ndivu {d}, {a}, {b}"),
    ("sra", "{b}, {b}, {a}\nrem {d}, {a}, {b}"),
    ("div divu rem remu", "{d}, {a}, x0"),
]
CONTROL = [  # only what no program sees: values of Unicorn's registers are others
    ("fence", ""),
    ("csrr", "x4, mstatus"),
    ("csrr", "x4, mtvec\nadd {d}, {a}, {b}"),
    ("csrrci csrrsi", "x4, mstatus, 8"),
    ("csrw", "mscratch, {a}\ncsrr {d}, mscratch\nadd {b}, {d}, {a}"),
    ("csrw", "mie, x0"),
    ("lw", "{d}, {word}(x10)\ncsrw mscratch, {d}"),
]
HAZARDS = [
    ("lw lbu", "{d}, {word}(x10)\nadd {a}, {b}, {d}"),
    ("lw lh", "{d}, {word}(x10)\nlw {d}, {word}(x10)"),
    ("lw", "{d}, {word}(x10)\naddi {d}, {b}, {small}"),
    ("lw", "{d}, {word}(x10)\nsw {d}, {word}(x10)"),
    ("mul mulhu", "{d}, {a}, {b}\nadd {a}, {d}, {b}"),
    ("lw", "x31, {kept}(x10)\n" + _JUMP),
    ("lw", "x31, {kept}(x10)\nadd {d}, {a}, {b}\n" + _JUMP),
    ("lw", "x31, {kept}(x10)\nmulh {d}, {a}, {b}\n" + _JUMP),
    ("lw", "x31, {kept}(x10)\nlw {d}, {word}(x10)\n" + _JUMP),
    ("lw", "x31, {kept}(x10)\naddi x31, x31, 0\n" + _JUMP),
]
"""Sequences for which pipelined processors wait, and some for which they need not."""
KEPT = BUFFER - 4
"""Where the target of an indirect jump was stored."""


def random_instructions(seed: int, forms: Sequence[Form], *, waits: bool) -> str:
    """A reproducible function; `waits`: instructions skipped by jumps may wait for registers."""
    pick = random.Random(seed)  # noqa: S311 - nothing secret
    lines = ["mv x30, ra", *(f"li {name}, {pick.getrandbits(32):#x}" for name in FREE)]
    for _ in range(STEPS):
        names, form = pick.choice(forms)
        name = pick.choice(names.split())
        if "x31" in form:
            lines.append("la x31, 1f")
        if "{kept}" in form:
            lines.append(f"sw x31, {KEPT}(x10)")
        operands = form.format(
            d=pick.choice(FREE), a=pick.choice(FREE), b=pick.choice(FREE),
            small=pick.randrange(-2048, 2048), amount=pick.randrange(32),
            large=pick.randrange(1 << 20), word=4 * pick.randrange(BUFFER // 4),
            half=2 * pick.randrange(BUFFER // 2), byte=pick.randrange(BUFFER),
            link=pick.choice(("x0", "x1")), skipped=_skipped(pick, waits=waits),
            kept=KEPT,
        )  # fmt: skip
        lines.append(f"{name} {operands}")
    return "\n".join([*lines, "jr x30"])


def _skipped(pick: random.Random, *, waits: bool) -> str:
    """One or two instructions; the second may wait for the first's result."""
    if not waits:
        return "nop\n" * pick.randrange(1, 3)
    register = pick.choice(FREE)
    first = pick.choice(("nop", f"lw {register}, 0(x10)", f"slli {register}, {register}, 1"))
    second = pick.choice(("", "nop", f"addi {register}, {register}, 1"))
    return f"{first}\n{second}\n"


def _compiled(folder: Path, platform: Platform, assembly: str) -> Path:
    source, elf = folder / "random.s", folder / "random.elf"
    options = ".option norelax\n.option arch, +zicsr\n"
    source.write_text(f"{options}.text\n{assembly}\n", encoding="utf-8")
    compiler, start = platform.compiler, platform.memory("flash").start
    subprocess.run(  # noqa: S603
        [compiler.command, *compiler.target, "-nostdlib", f"-Wl,-e,{start:#x}",
         f"-Wl,-Ttext={start:#x}", source, "-o", elf],
        check=True,
    )  # fmt: skip
    return elf


def compare_random(trial: Trial, platform: Platform, seed: int) -> Comparison:
    """One stretch of random instructions with random memory; in even ones jumps skip more."""
    entry = platform.memory("flash").start
    assembly = random_instructions(seed, trial.forms, waits=seed % 2 == 0)
    with tempfile.TemporaryDirectory() as folder:
        elf = _compiled(Path(folder), platform, assembly)
        ours, theirs = Machine(elf, platform), SocMachine(elf, platform, 0, trial.caches)
        places = (ours.reserve(BUFFER, 64), theirs.reserve(BUFFER, 64))
        ours.write(places[0], shake_256(b"random").digest(BUFFER))
        theirs.write(places[1], shake_256(b"random").digest(BUFFER))
        done, seen = ours.call(entry, places[0]), theirs.call(entry, places[1])
        same = ours.read(places[0], BUFFER) == theirs.read(places[1], BUFFER)
        theirs.close()
    same = same and done.instructions == seen.instructions
    return Comparison(f"random {seed}", _priced(trial, ours, done), seen.cycles, same)


def compare_core(trial: Trial, platform: Platform, name: str) -> list[Comparison]:
    """Both key set-ups, encryption and decryption of one core; both outputs are checked."""
    found = []
    for way in ("encrypt", "decrypt"):
        job = Job(platform, name, 128, f"{way}-block", placement=AT_ONCE)
        elf = build(job).elf
        window = (f"rig_key_setup_{way}", f"rig_{way}_block")
        firing = replace(firing_of(job), window=window)
        ours, theirs = Machine(elf, platform), SocMachine(elf, platform, 0, trial.caches)
        done, seen = firing.fire(ours, 0), timed(firing.fire(theirs, 0))
        theirs.close()
        found += [
            Comparison(
                f"{name} {function}",
                _priced(trial, ours, one),
                other.cycles,
                one.instructions == other.instructions,
            )
            for function, one, other in zip(window, done, seen, strict=True)
        ]
    return found


def compare(trial: Trial, names: Sequence[str] | None = None) -> list[Comparison]:
    """Random instructions and the portable cores, or those named."""
    found = []
    for platform in trial.built():
        found += [compare_random(trial, platform, seed) for seed in range(1, STRETCHES + 1)]
        for core in cores():
            if not lacks(core, platform) and (names is None or core.name in names):
                found += compare_core(trial, platform, core.name)
    return found


def _origin(platform: Platform) -> str:
    """Where the Verilog comes from: a Python package with its version, or the project."""
    cpu = str(platform.cpu)
    if cpu not in PACKAGED:
        return "third_party"
    module = PACKAGED[cpu].module
    return f"package {closure.package_version(module)}"


def main() -> int:
    """Compare, print every difference, write the records."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    reason = why_not()
    if reason:
        print(reason, file=sys.stderr)
        return 1
    codes = [
        conclude(
            trial.model.name,
            f"its Verilog ({_origin(trial.platform)}), {versions().split(',')[0]}",
            compare(trial),
            "make evidence",
        )
        for trial in trials()
    ]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
