# SPDX-License-Identifier: MIT
"""Circuits as gates of a 180 nm cell library, for what they draw.

The library (osu018, Oklahoma State University's for TSMC 180 nm) has no memories: a synchronous
RAM stays a black box, that is, it works in simulation and draws nothing; a ROM becomes logic.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..building.tools import Tool, ToolFailedError, ToolMissingError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .designs import Design
from .simulate import Parameters
from .synthesis import set_parameters
from .tools import yosys

MHZ = 50
"""Clock at which power is taken; energy hardly depends on it, as leakage is far below 1 %."""
_LIBRARY = Path("/usr/share/qflow/tech/osu018")
DRIVER, LOAD_PF = "INVX1", 0.02
"""For ABC: inputs come from the smallest inverter, outputs drive two gates."""
BLACK_BOXES = ("aes32_word_ram", "aes32x2_ram")
"""Modules that are synchronous RAM alone, one port to write and one to read."""

_FLIP_FLOP = re.compile(r"^module DFF(?:POSX1|SR)\b.*?^endmodule", re.DOTALL | re.MULTILINE)
_BEGUN = """
module DFFPOSX1 (input CLK, input D, output reg Q);
  initial Q = 1'b0;
  always @(posedge CLK) Q <= D;
endmodule

module DFFSR (input CLK, input D, input R, input S, output reg Q);
  initial Q = 1'b0;
  always @(posedge CLK or negedge R or negedge S)
    if (!R) Q <= 1'b0;
    else if (!S) Q <= 1'b1;
    else Q <= D;
endmodule
"""
_REGISTERED = """
module {name} #(parameter ADDRESS_BITS = 7, parameter WIDTH = 32, parameter IN_LUTS = 0) (
    input clk_i, input write_i, input [ADDRESS_BITS-1:0] write_address_i, input [WIDTH-1:0] data_i,
    input read_i, input [ADDRESS_BITS-1:0] read_address_i, output [WIDTH-1:0] data_o
);
  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : gen
      DFFPOSX1 register (.CLK(clk_i), .D(data_i[i]), .Q(data_o[i]));
    end
  endgenerate
endmodule
"""
"""What OpenSTA gets in the place of a RAM: without a driver gates would have no slopes, and cost
next to nothing.  These flip-flops are not counted."""


def library(suffix: str) -> Path:
    """The library as ".lib" (Liberty) or ".v" (models for simulation)."""
    path = _LIBRARY / f"osu018_stdcells{suffix}"
    if not path.is_file():
        raise ToolMissingError(
            "the osu018 cell library is missing; install it with: apt-get install qflow-tech-osu018"
        )
    return path


def models() -> str:
    """The library's models for simulation, with flip-flops that begin as zero.

    Gates hand on an unknown value where their inputs would cancel it, so it may never die out.
    """
    text = library(".v").read_text(encoding="utf-8")
    others, many = _FLIP_FLOP.subn("", text)
    if many != len(re.findall(r"^module", _BEGUN, re.MULTILINE)):
        raise ToolFailedError("the models of the osu018 cell library lack DFFPOSX1 or DFFSR")
    return others + _BEGUN


@dataclass(frozen=True)
class Circuit:
    """What is to become gates."""

    top: str
    sources: tuple[Path, ...]
    parameters: Parameters
    black_boxes: tuple[Path, ...] = ()
    """Sources of which only the ports count."""
    picoseconds: int = 1_000_000 // MHZ
    """Delay of the slowest path that gates are chosen for; the smallest that meet it are taken."""


@dataclass(frozen=True)
class Gates:
    """A circuit as gates."""

    top: str
    verilog: str
    """The netlist, for simulation."""
    timed: str
    """The same for OpenSTA, each RAM a register of its output."""
    module: Mapping[str, Any]
    """The netlist as Yosys writes JSON."""
    sha256: str

    @property
    def cells(self) -> int:
        """Gates and flip-flops."""
        return sum(cell["type"] not in BLACK_BOXES for cell in self.module["cells"].values())

    @property
    def memory_bits(self) -> int:
        """Of the RAMs that are black boxes."""
        pins = [
            cell["connections"]
            for cell in self.module["cells"].values()
            if cell["type"] in BLACK_BOXES
        ]
        return sum(len(one["data_o"]) << len(one["read_address_i"]) for one in pins)


def _commands(circuit: Circuit) -> str:
    steps = [
        "read_liberty -lib osu018.lib",
        *(f"read_verilog -lib {path.name}" for path in circuit.black_boxes),
        "read_verilog " + " ".join(path.name for path in circuit.sources),
        *set_parameters(circuit.top, circuit.parameters),
        f"synth -flatten -noabc -top {circuit.top}",
        "memory_map",
        "setattr -unset init w:*",
        "opt -full",
        "techmap",
        "dfflibmap -liberty osu018.lib",
        f"abc -liberty osu018.lib -constr constraints -D {circuit.picoseconds}",
        "splitnets",
        "setundef -zero",
        "opt_clean -purge",
        "rename -hide",
        "rename -enumerate",
        "write_json made.json",
        "write_verilog -noattr -noexpr made.v",
        "techmap -map registered.v",
        "write_verilog -noattr -noexpr timed.v",
    ]
    return "; ".join(steps)


def _make(tool: Tool, circuit: Circuit, target: Path) -> Facts:
    beside = circuit.sources[0].parent.glob("*.vh")
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        for path in (*circuit.sources, *circuit.black_boxes, *beside):
            shutil.copyfile(path, folder / path.name)
        shutil.copyfile(library(".lib"), folder / "osu018.lib")
        constraints = f"set_driving_cell {DRIVER}\nset_load {LOAD_PF}\n"
        (folder / "constraints").write_text(constraints, encoding="utf-8")
        registered = "".join(_REGISTERED.format(name=name) for name in BLACK_BOXES)
        (folder / "registered.v").write_text(registered, encoding="utf-8")
        tool.run(["-q", "-p", _commands(circuit)], folder)
        made = json.loads((folder / "made.json").read_text(encoding="utf-8"))
        verilog, timed = (
            (folder / f"{name}.v").read_text(encoding="utf-8") for name in ("made", "timed")
        )
    whole = {"module": made["modules"][circuit.top], "verilog": verilog, "timed": timed}
    target.write_text(json.dumps(whole), encoding="utf-8")
    return {}


def gates(circuit: Circuit, *, fresh: bool = False) -> Gates:
    """The circuit in cells of the library, from the cache unless `fresh`."""
    tool = yosys()
    files = (*circuit.sources, *circuit.black_boxes, *circuit.sources[0].parent.glob("*.vh"))
    texts = [path.read_text(encoding="utf-8") for path in sorted(files)]
    cells = [library(suffix).read_text(encoding="utf-8") for suffix in (".lib", ".v")]
    own = closure.digest(__name__)
    name = key("gates", tool.version, _commands(circuit), texts, cells, own)
    if fresh:
        forget(name, ".gates")
    path, _ = cached(name, ".gates", lambda target: _make(tool, circuit, target))
    made = json.loads(path.read_text(encoding="utf-8"))
    return Gates(circuit.top, made["verilog"], made["timed"], made["module"], name)


def gates_of(design: Design, *, fresh: bool = False) -> Gates:
    """A design of rtl/ as gates."""
    boxes = tuple(path for path in design.sources if path.stem in BLACK_BOXES)
    others = tuple(path for path in design.sources if path not in boxes)
    return gates(Circuit(design.top, others, design.parameters, boxes), fresh=fresh)
