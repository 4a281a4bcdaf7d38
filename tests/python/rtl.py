# SPDX-License-Identifier: MIT
"""What the tests of the Verilog cores share: benches, commands for them, and their answers."""

import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from made_once import made_once
from places import ROOT
from verilated import verilated

from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, icarus, modules
from aesfit.hardware.tools import RTL

BENCHES = ROOT / "tests" / "rtl"
TOOLS = ROOT / "tools"


VECTORS = {
    "aes32_paper": "aes32_paper",
    "aes128_paper": "aes32_paper",
    "aes32": "blocks",
    "aes32x2": "blocks",
    "aes32_parallel": "blocks",
    "aes_ctr": "aes_ctr",
    "aes_ctr_axis": "aes_ctr_axis",
    "aes_ccm": "aes_ccm",
    "aes_ccm_axis": "aes_ccm_axis",
    "aes_gcm": "aes_gcm",
    "aes32_axil": "aes32_axil",
}
"""Of each core that a user may instantiate."""


def script(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that scripts may import one another
    spec.loader.exec_module(module)
    return module


TABLES = script("make_tables")
"""The constants of FIPS 197."""
WORKS = script("bench_commands")
"""Keys and blocks, and commands for them."""
READER = script("register_map")
MAPS = script("make_register_map")
AXIL = script("bench_axil")
CCM = script("packets_ccm")
CCM_BENCH = script("bench_ccm")
CCM_AXIS_BENCH = script("bench_ccm_axis")
CTR_AXIS_BENCH = script("bench_ctr_axis")
GCM_BENCH = script("bench_gcm")
COMMANDS = script("bench_vectors")
"""What benches are told."""
ROUNDS: dict[int, int] = WORKS.ROUNDS
"""By the key's bytes."""
SIZES: list[int] = WORKS.SIZES
Work = tuple[bytes, bytes, bool]
"""Key, block, and whether it is decrypted."""
expanded, preloaded, expected = WORKS.expanded, WORKS.preloaded, WORKS.expected
random_works, key_commands, mixed = WORKS.random_works, WORKS.key_commands, WORKS.mixed
SIMULATORS: dict[str, Callable[[Bench], Tool]] = {"verilator": verilated, "icarus": icarus}


@cache
def vectors(name: str) -> tuple[str, ...]:
    """The lines of a file that tools/bench_vectors.py writes."""
    return tuple(COMMANDS.MADE[name]())


def shipped(top: str) -> tuple[str, ...]:
    """What a core's bench is told in every run."""
    return vectors(VECTORS[top])


def bench(top: str, **parameters: int | str) -> Bench:
    """A bench of tests/rtl."""
    return Bench(top, BENCHES / f"{top}.v", parameters)


@dataclass(frozen=True)
class Block:
    """A block that came out of aes32."""

    data: bytes
    first: int
    """The cycle of its first word."""
    last: int


@dataclass(frozen=True)
class Answer:
    """What a bench of aes32 printed."""

    blocks: list[Block]
    taken: list[int]
    """Cycles at which first data words were taken."""
    keyed: list[int]
    """Cycles at which first key words were taken."""

    @property
    def data(self) -> list[bytes]:
        """The blocks' contents."""
        return [block.data for block in self.blocks]


def printed(simulation: Tool, commands: Path | None = None) -> list[str]:
    """Lines that a bench prints, kept by the program and by what it is told.

    Nothing else takes part: a run that is the same prints the same.
    """
    arguments = [f"+commands={commands}"] if commands else []

    def make(target: Path) -> None:
        target.write_text(simulation.run(arguments), encoding="utf-8")

    read = [_contents(word) for word in (*simulation.command, str(commands))]
    return made_once(".txt", make, "bench", read).read_text(encoding="utf-8").splitlines()


def _contents(word: str) -> str:
    """A word of a command; of a file its digest."""
    path = Path(word)
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else word


def run(
    simulation: Tool, commands: Iterable[str], folder: Path, verdict: str | None = None
) -> list[list[str]]:
    """Lines that the bench prints for these commands, in words; complaints raise.

    A bench that compares for itself ends with a verdict.
    """
    file = folder / "commands"
    file.write_text("\n".join(commands) + "\n")
    said = printed(simulation, file)
    lines = [line.split() for line in said if line and not line.startswith("- ")]
    complaints = [line for line in lines if line[0] in {"stuck", "error", "stuck:"}]
    assert complaints == []
    verdicts = [line for line in lines if line[0] in {"PASS", "FAIL"}]
    assert [line[0] for line in verdicts] == ([verdict] if verdict else []), verdicts
    return [line for line in lines if line[0] in {"word", "in", "key", "reset"}]


def answer(lines: Sequence[list[str]]) -> Answer:
    """Blocks of a run; words before a reset that make no whole block are dropped."""
    blocks: list[Block] = []
    pending: list[tuple[int, str]] = []
    for kind, cycle, *rest in lines:
        if kind == "word":
            pending.append((int(cycle), rest[0]))
        if kind == "reset":
            pending = []
        if len(pending) == 4:
            data = bytes.fromhex("".join(word for _, word in pending))
            blocks.append(Block(data, pending[0][0], pending[-1][0]))
            pending = []
    assert pending == []
    return Answer(
        blocks,
        [int(line[1]) for line in lines if line[0] == "in"],
        [int(line[1]) for line in lines if line[0] == "key"],
    )


def judged(works: list[Work]) -> list[bytes]:
    """What the C library says."""
    return [expected(*work) for work in works]


def planted(path: Path, fault: tuple[str, str, str]) -> str:
    """The text of a module; if the fault is in it, what stands there once is replaced."""
    text = path.read_text(encoding="utf-8")
    file, right, wrong = fault
    if path.name != f"{file}.v":
        return text
    assert text.count(right) == 1, (fault, text.count(right))
    return text.replace(right, wrong)


def with_fault(
    folder: Path, top: str, fault: tuple[str, str, str], **parameters: int | str
) -> Bench:
    """A bench over copies of its modules; in one of them something is replaced."""
    bench_file = BENCHES / f"{top}.v"
    sources = []
    for path in modules(bench_file):
        sources.append(folder / path.name)
        sources[-1].write_text(planted(path, fault), encoding="utf-8")
    assert fault[0] in {path.stem for path in sources}
    return Bench(top, bench_file, parameters, sources=tuple(sources))


def listed(name: str) -> set[Path]:
    """Files that a FuseSoC core lists, with those of the cores that it depends on."""
    path = next(folder / f"{name}.core" for folder in (RTL, BENCHES) if
                (folder / f"{name}.core").is_file())  # fmt: skip
    text = path.read_text(encoding="utf-8")
    assert f"name: aesfit:rtl:{name}\n" in text
    files = set(re.findall(r"^ +- ([\w.]+\.\w+)\b", text, re.MULTILINE))
    depends = re.search(r"^ +depend: \[(.*)\]", text, re.MULTILINE)
    others = re.findall(r"aesfit:rtl:(\w+)", depends[1]) if depends else []
    return {path.parent / file for file in files}.union(*map(listed, others))


@cache
def mix_columns_lines() -> list[list[str]]:
    """What the bench of MixColumns prints: inverse or not, the state, the result of each form."""
    said = printed(SIMULATORS["icarus"](bench("mix_columns_tb")))
    assert said[-1] == "PASS 258 states"
    return [line.split()[1:] for line in said if line.startswith("mix ")]
