# SPDX-License-Identifier: MIT
"""Synthesis by Yosys: a design becomes cells of a family, which are counted."""

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ..building.tools import Tool, ToolFailedError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .designs import Design
from .families import Family
from .tools import RTL, yosys


@dataclass(frozen=True)
class CellCounts:
    """What a design takes of an FPGA."""

    luts: int
    """Look-up tables of four inputs, those of carry chains and small memories among them."""
    flip_flops: int
    ram_blocks: int


@dataclass(frozen=True)
class Netlist:
    """A synthesised design."""

    top: str
    file: Path
    """As Yosys writes JSON."""
    sha256: str
    counts: CellCounts


def headers() -> list[Path]:
    """Files of rtl/ that others include."""
    return sorted(RTL.glob("*.vh"))


def read_commands(design: Design) -> str:
    """Yosys' commands that read a design, from copies in the folder it runs in."""
    files = " ".join(path.name for path in design.sources)
    settings = "".join(
        f"chparam -set {name} {value} {design.top}; " for name, value in design.parameters.items()
    )
    return f"read_verilog {files}; {settings}"


def source_digest(design: Design) -> str:
    """Of everything in rtl/ that a design is made from."""
    files = [*design.sources, *headers()]
    return key([(path.name, path.read_text(encoding="utf-8")) for path in files])


def run_yosys(tool: Tool, design: Design, commands: str, folder: Path) -> None:
    """Run commands after those that read the design, in a folder that gets its sources."""
    for path in (*design.sources, *headers()):
        shutil.copyfile(path, folder / path.name)
    tool.run(["-q", "-p", read_commands(design) + commands], folder)


def count(cells: Mapping[str, int], family: Family) -> CellCounts:
    """Sort cells into what a family has; ToolFailedError for one that is not known."""
    luts = flip_flops = rams = 0
    for kind, number in cells.items():
        if kind in family.luts:
            luts += number * family.luts[kind]
        elif kind.startswith(family.flip_flops):
            flip_flops += number
        elif kind.startswith(family.rams):
            rams += number
        elif kind not in family.free and not kind.startswith("$scopeinfo"):
            raise ToolFailedError(f"Yosys made cells '{kind}', which are not counted yet")
    return CellCounts(luts, flip_flops, rams)


def synthesise(design: Design, family: Family, *, fresh: bool = False) -> Netlist:
    """The design as cells of the family, from the cache unless `fresh`."""
    tool = yosys()

    def make(target: Path) -> Facts:
        with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
            folder = Path(name)
            synthesis = f"{family.synthesis} -top {design.top}"
            commands = f"{synthesis}; write_json made.json; tee -q -o stat.json stat -json"
            run_yosys(tool, design, commands, folder)
            stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
            shutil.copyfile(folder / "made.json", target)
        return asdict(count(stat["design"]["num_cells_by_type"], family))

    digest = source_digest(design)
    parts = (tool.version, digest, design.top, dict(design.parameters))
    name = key("synthesis", family.synthesis, family.name, *parts, closure.digest(__name__))
    if fresh:
        forget(name, ".json")
    path, facts = cached(name, ".json", make)
    return Netlist(design.top, path, name, CellCounts(**facts))
