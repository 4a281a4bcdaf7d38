# SPDX-License-Identifier: MIT
"""Synthesis by Yosys: a design becomes cells of a family, which are counted."""

import hashlib
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..building.tools import Tool, ToolFailedError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .designs import Design
from .families import Family
from .netlist import CellCounts, Netlist
from .ram import ram_bits
from .simulate import Parameters, literal
from .tools import RTL, yosys

_LINES = re.compile(r"(\.vh?):\d+(\.\d+-\d+\.\d+)?")
"""Places in a source, as Yosys writes them into names and attributes."""


def headers() -> list[Path]:
    """Files of rtl/ that others include."""
    return sorted(RTL.glob("*.vh"))


def set_parameters(top: str, parameters: Parameters) -> list[str]:
    """Yosys' commands that give a module these parameters."""
    return [f"chparam -set {name} {literal(value)} {top}" for name, value in parameters.items()]


def read_commands(design: Design) -> str:
    """Yosys' commands that read a design, from copies in the folder it runs in."""
    files = " ".join(path.name for path in design.sources)
    settings = set_parameters(design.top, design.parameters)
    return "".join(f"{command}; " for command in (f"read_verilog {files}", *settings))


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


def _made(tool: Tool, design: Design, family: Family) -> str:
    """The netlist as JSON: one module, the cells known by their names, and no lines of sources."""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        made = f"{family.synthesis} -top {design.top}; select {design.top}"
        run_yosys(tool, design, f"{made}; write_json -selected made.json", folder)
        return _LINES.sub(r"\1", (folder / "made.json").read_text(encoding="utf-8"))


def _counted(module: Mapping[str, Any], family: Family) -> CellCounts:
    kinds = Counter(cell["type"] for cell in module["cells"].values())
    return replace(count(kinds, family), ram_bits=ram_bits(module, family.rams))


def synthesise(design: Design, family: Family, *, fresh: bool = False) -> Netlist:
    """The design as cells of the family, from the cache unless `fresh`."""
    tool = yosys()

    def make(target: Path) -> Facts:
        text = _made(tool, design, family)
        target.write_text(text, encoding="utf-8")
        counts = _counted(json.loads(text)["modules"][design.top], family)
        return {"counts": asdict(counts), "sha256": hashlib.sha256(text.encode()).hexdigest()}

    digest = source_digest(design)
    parts = (tool.version, digest, design.top, dict(design.parameters))
    name = key("synthesis", family.synthesis, family.name, *parts, closure.digest(__name__))
    if fresh:
        forget(name, ".json")
    path, facts = cached(name, ".json", make)
    return Netlist(design.top, path, facts["sha256"], CellCounts(**facts["counts"]))
