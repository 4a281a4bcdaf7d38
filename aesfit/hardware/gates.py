# SPDX-License-Identifier: MIT
"""Circuits as gates of a 180 nm cell library, for what they draw.

The library (osu018, Oklahoma State University's for TSMC 180 nm) has no memories: a synchronous
RAM stays a black box, that is, it works in simulation and draws nothing; a ROM becomes logic.
"""

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..building.tools import Tool, ToolMissingError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .designs import Design
from .tools import yosys

MHZ = 50
"""Clock at which power is taken; energy hardly hangs on it, as leakage is far below 1 %."""
_LIBRARY = Path("/usr/share/qflow/tech/osu018")
_CONSTRAINTS = "set_driving_cell INVX1\nset_load 0.02\n"
"""For ABC: inputs come from the smallest inverter, outputs drive two gates (pF)."""
BLACK_BOX = "word_ram"


def library(suffix: str) -> Path:
    """The library as ".lib" (Liberty) or ".v" (models for simulation)."""
    path = _LIBRARY / f"osu018_stdcells{suffix}"
    if not path.is_file():
        raise ToolMissingError(
            "the osu018 cell library is missing; install it with: apt-get install qflow-tech-osu018"
        )
    return path


@dataclass(frozen=True)
class Circuit:
    """What is to become gates."""

    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, int]
    black_boxes: tuple[Path, ...] = ()
    """Sources of which only the ports count."""


@dataclass(frozen=True)
class Gates:
    """A circuit as gates."""

    top: str
    verilog: str
    """The netlist, for simulation."""
    module: Mapping[str, Any]
    """The netlist as Yosys writes JSON."""
    sha256: str

    @property
    def cells(self) -> int:
        """Gates and flip-flops."""
        return sum(cell["type"] != BLACK_BOX for cell in self.module["cells"].values())

    @property
    def memory_bits(self) -> int:
        """Of the RAMs that are black boxes, which have words of 32 bits."""
        boxes = [c for c in self.module["cells"].values() if c["type"] == BLACK_BOX]
        return sum(32 << int(box["parameters"]["ADDRESS_BITS"], 2) for box in boxes)


def _commands(circuit: Circuit) -> str:
    settings = [f"chparam -set {name} {n} {circuit.top}" for name, n in circuit.parameters.items()]
    steps = [
        "read_liberty -lib osu018.lib",
        *(f"read_verilog -lib {path.name}" for path in circuit.black_boxes),
        "read_verilog " + " ".join(path.name for path in circuit.sources),
        *settings,
        f"synth -flatten -noabc -top {circuit.top}",
        "memory_map",
        "setattr -unset init w:*",
        "opt -full",
        "techmap",
        "dfflibmap -liberty osu018.lib",
        f"abc -liberty osu018.lib -constr constraints -D {1_000_000 // MHZ}",
        "splitnets",
        "setundef -zero",
        "opt_clean -purge",
        "rename -hide",
        "rename -enumerate",
        "write_json made.json",
        "write_verilog -noattr -noexpr made.v",
    ]
    return "; ".join(steps)


def _make(tool: Tool, circuit: Circuit, target: Path) -> Facts:
    beside = circuit.sources[0].parent.glob("*.vh")
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        for path in (*circuit.sources, *circuit.black_boxes, *beside):
            shutil.copyfile(path, folder / path.name)
        shutil.copyfile(library(".lib"), folder / "osu018.lib")
        (folder / "constraints").write_text(_CONSTRAINTS, encoding="utf-8")
        tool.run(["-q", "-p", _commands(circuit)], folder)
        made = json.loads((folder / "made.json").read_text(encoding="utf-8"))
        verilog = (folder / "made.v").read_text(encoding="utf-8")
    whole = {"module": made["modules"][circuit.top], "verilog": verilog}
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
    return Gates(circuit.top, made["verilog"], made["module"], name)


def gates_of(design: Design, *, fresh: bool = False) -> Gates:
    """A design of rtl/ as gates."""
    boxes = tuple(path for path in design.sources if path.stem == BLACK_BOX)
    others = tuple(path for path in design.sources if path not in boxes)
    return gates(Circuit(design.top, others, design.parameters, boxes), fresh=fresh)
