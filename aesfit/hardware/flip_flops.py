# SPDX-License-Identifier: MIT
"""Every flip-flop of a soft processor over calls of a function, in the processor's own Verilog.

Yosys tells which bits of the Verilog are flip-flops or memory, Icarus Verilog runs it in
rigs/rtl/soc/soc.v, and a bench that is written for it prints those bits in each cycle.
"""

import json
import re
import shutil
import struct
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray

from ..building.tools import Tool
from ..platforms.platform import Platform
from ..rigs.emulator.machine import MachineError
from ..rigs.program import read_program
from ..rigs.rtl.soc.machine import MEMORY_AT
from ..rigs.rtl.soc.simulator import verilog
from .simulate import Bench, icarus
from .tools import yosys

_FLIP_FLOP: Final = re.compile(r"\$_?(a|al|s)?dffs?r?e?_?|\$(a?dlatch|dlatchsr|ff|dffe|aldffe)$")
_NUMBERED: Final = re.compile(r"_\d+$")
_ARGUMENTS: Final = 8
_NOTHING: Final = 1
_LIMIT: Final = 20_000
"""Cycles of a call, with those that lead to it."""
_BENCH: Final = """
module flip_flops_bench;
  reg clk = 1'b0, reset = 1'b1;
  always #5 clk = !clk;
  wire done, fault;
  soc dut (.clk(clk), .reset(reset), .wait_states(8'd0), .done(done), .fault(fault));
  wire [{last}:0] state = {{{state}}};
  reg [8*512-1:0] name;
  integer file, word, cycle = 0;
  initial begin
    for (word = 0; word < 131072; word = word + 1) dut.memory[word] = 32'h0;
    if (!$value$plusargs("memory=%s", name)) $finish;
    $readmemh(name, dut.memory);
    if (!$value$plusargs("letters=%s", name)) $finish;
    $readmemh(name, dut.letters);
    if (!$value$plusargs("states=%s", name)) $finish;
    file = $fopen(name, "w");
    repeat (8) @(negedge clk);
    reset = 1'b0;
  end
  always @(negedge clk) begin
    if (dut.running)
      $fwrite(file, "%h %h\\n", dut.retired ? dut.retired_pc : 32'h1, state);
    if (done) $fwrite(file, "done\\n");
    cycle = cycle + 1;
    if (done || fault || cycle == {limit}) $finish;
  end
endmodule
"""


@dataclass(frozen=True)
class HeldName:
    """A register of the Verilog, or a word of a memory."""

    name: str
    width: int
    bits: int
    """Those that are flip-flops; the others are constants."""


@dataclass(frozen=True)
class FlipFlopRun:
    """One call."""

    retired: tuple[int, ...]
    """In each cycle, the address of the instruction that was done then; 1: none."""
    bits: NDArray[np.uint8]
    """By cycle, up to seven zeros and the bits of all names in order, each from its highest."""

    def in_progress(self, cycle: int) -> int:
        """The instruction that is done next."""
        return next((at for at in self.retired[cycle:] if at != _NOTHING), 0)


@cache
def flip_flops(cpu: str) -> tuple[HeldName, ...]:
    """Those of a processor; the first name of each bit, and memories word by word."""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        files = [path for path in verilog(cpu) if path.stem not in ("soc", "caller")]
        for at, path in enumerate(files):  # a port has the name of its processor
            shutil.copyfile(path, folder / f"{at}.v")
        read = " ".join(f"{at}.v" for at in range(len(files)))
        steps = f"read_verilog {read}; hierarchy -top processor; proc; flatten; opt_clean"
        yosys().run(["-q", "-p", f"{steps}; write_json made.json"], folder)
        made = json.loads((folder / "made.json").read_text(encoding="utf-8"))
    words = {one for path in files for one in re.findall(r"\w+", path.read_text("utf-8"))}
    return tuple(_held(made["modules"]["processor"], words))


def _held(module: dict[str, Any], words: Collection[str]) -> Iterator[HeldName]:
    left = {
        bit
        for cell in module["cells"].values()
        if _FLIP_FLOP.match(cell["type"])
        for bit in cell["connections"]["Q"]
        if isinstance(bit, int)
    }
    named = [
        (name, one["bits"]) for name, one in module["netnames"].items() if not one["hide_name"]
    ]
    for name, bits in sorted(named, key=_preferred):
        kept = len(left.intersection(bits))
        if kept:
            left.difference_update(bits)
            own = re.split(r"\W", name)[-1] in words
            yield HeldName(name if own else _NUMBERED.sub("", name), len(bits), kept)
    if left:
        raise MachineError(f"{len(left)} flip-flops have no name in the Verilog")
    for name, one in module.get("memories", {}).items():
        for at in range(one["size"]):
            yield HeldName(f"{name}[{one['start_offset'] + at}]", one["width"], one["width"])


def _preferred(named: tuple[str, list[object]]) -> tuple[object, ...]:
    """Yosys numbers copies of a name; a register lies deeper than the wires that it drives."""
    name, bits = named
    return bool(_NUMBERED.search(name)), -name.count("."), -len(bits), name


@cache
def _simulation(cpu: str) -> Tool:
    held = flip_flops(cpu)
    state = ", ".join(f"dut.cpu.{one.name}" for one in held)
    last = sum(one.width for one in held) - 1
    text = _BENCH.format(state=state, last=last, limit=_LIMIT)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        bench = Path(name) / "flip_flops_bench.v"
        bench.write_text(text, encoding="utf-8")
        return icarus(Bench("flip_flops_bench", bench, sources=tuple(verilog(cpu))))


def run(
    elf: Path, platform: Platform, entry: int, calls: Sequence[Sequence[int]]
) -> Iterator[FlipFlopRun]:
    """Call a function with words, each time after power-on; MachineError where it does not return.

    A call is followed by nothing, so a processor that goes on from one to the next shows no more.
    """
    with elf.open("rb") as stream:
        program = read_program(ELFFile(stream), platform)
    stack = next(one.start + one.size for one in platform.memories if "stack" in one.holds)
    pointer = program.symbols.get("__global_pointer$", 0)
    simulation = _simulation(str(platform.cpu))
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        (folder / "memory").write_text(_memory(program.contents), encoding="utf-8")
        for words in calls:
            padded = (*words, *[0] * (_ARGUMENTS - len(words)))
            letters = "\n".join(f"{word:08x}" for word in (0, stack, pointer, *padded, entry))
            (folder / "letters").write_text(letters, encoding="utf-8")
            simulation.run([f"+{file}={folder / file}" for file in ("letters", "memory", "states")])
            yield _run_of(folder / "states")


def _memory(contents: Iterable[tuple[int, bytes]]) -> str:
    """What $readmemh() reads: words behind their number."""
    lines = []
    for address, data in contents:
        first = address - MEMORY_AT
        whole = bytes(first % 4) + data + bytes(-(first + len(data)) % 4)
        words = struct.unpack(f"<{len(whole) // 4}I", whole)
        lines += [f"@{first // 4:x}", *(f"{word:08x}" for word in words)]
    return "\n".join(lines)


def _run_of(path: Path) -> FlipFlopRun:
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines.pop() != "done":
        raise MachineError("a call did not return in the processor's Verilog")
    parts = [re.sub("[xX]", "0", line).split() for line in lines]
    rows = [bytes.fromhex(state.zfill(len(state) + len(state) % 2)) for _, state in parts]
    bits = np.unpackbits(np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1), axis=1)
    return FlipFlopRun(tuple(int(at, 16) for at, _ in parts), bits)
