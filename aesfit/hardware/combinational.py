# SPDX-License-Identifier: MIT
"""Combinational modules: look-up tables and their levels on an FPGA, area and delay as gates.

Gates are those of the 180 nm library osu018, chosen twice by ABC: the smallest, and the fastest.
OpenSTA computes the delay of the slowest path, from any input to any output, before layout: inputs
come from the library's smallest inverter, outputs drive two gates, wires have no capacitance.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..building.tools import ToolFailedError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .designs import Design
from .families import FAMILIES, Family
from .gates import DRIVER, LOAD_PF, Circuit, Gates, gates, library
from .synthesis import synthesise
from .tools import sta, yosys

TECHNOLOGY = (
    "osu018, 180 nm, 1.8 V, typical, before layout; delay: of the slowest path by OpenSTA, behind "
    f"{DRIVER} and with {LOAD_PF} pF at each output"
)
_SMALLEST, _FASTEST = 1_000_000, 1
"""Picoseconds that ABC is told: every circuit here meets the one, and none the other."""
_PERIOD_NS = 1000
"""Of the clock that OpenSTA subtracts a path from; longer than any path."""


@dataclass(frozen=True)
class MappedModule:
    """A module as gates."""

    area_um2: float
    delay_ns: float


@dataclass(frozen=True)
class CombinationalFigures:
    """What a module costs."""

    luts: Mapping[str, int]
    """By family."""
    levels: Mapping[str, int]
    """By family: look-up tables on the longest path."""
    smallest: MappedModule
    fastest: MappedModule


def combinational(design: Design, *, fresh: bool = False) -> CombinationalFigures:
    """Figures of a module without a clock."""
    made = {family: synthesise(design, family, fresh=fresh) for family in FAMILIES}
    return CombinationalFigures(
        {family.name: netlist.counts.luts for family, netlist in made.items()},
        {
            family.name: levels(_module(netlist.file, design.top), family)
            for family, netlist in made.items()
        },
        *(_mapped(design, target, fresh=fresh) for target in (_SMALLEST, _FASTEST)),
    )


def tool_versions() -> str:
    """Of the tools whose figures these are."""
    return ", ".join(f"{tool.name} {tool.version}" for tool in (yosys(), sta()))


def _module(file: Path, top: str) -> Mapping[str, Any]:
    made: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))["modules"][top]
    return made


def levels(module: Mapping[str, Any], family: Family) -> int:
    """Look-up tables on the longest path of a netlist as Yosys writes JSON."""
    drivers = {
        net: cell
        for cell in module["cells"].values()
        for port, direction in cell.get("port_directions", {}).items()
        if direction == "output"
        for net in cell["connections"][port]
    }

    @cache
    def depth(net: int | str) -> int:
        cell = drivers.get(net)
        if cell is None:
            return 0
        inputs = (
            each
            for port, direction in cell["port_directions"].items()
            if direction == "input"
            for each in cell["connections"][port]
        )
        return max(map(depth, inputs), default=0) + (cell["type"] in family.luts)

    ports = module["ports"].values()
    return max(
        depth(net) for port in ports if port["direction"] == "output" for net in port["bits"]
    )


# --- gates


def _mapped(design: Design, picoseconds: int, *, fresh: bool) -> MappedModule:
    circuit = Circuit(design.top, tuple(design.sources), design.parameters, picoseconds=picoseconds)
    made = gates(circuit, fresh=fresh)
    return MappedModule(area(made), _delay_ns(made, fresh=fresh))


def area(made: Gates) -> float:
    """Of all its cells, in square micrometres."""
    return sum(_areas()[cell["type"]] for cell in made.module["cells"].values())


@cache
def _areas() -> dict[str, float]:
    """Of each cell of the library."""
    text = library(".lib").read_text(encoding="utf-8")
    found = re.findall(r"^cell \((\w+)\) \{.*?^\s*area : ([\d.]+);", text, re.MULTILINE | re.DOTALL)
    return {name: float(size) for name, size in found}


def _delay_ns(made: Gates, *, fresh: bool) -> float:
    """Of the slowest path, from the cache unless `fresh`."""
    name = key("delay", made.sha256, sta().version, closure.digest(__name__))
    if fresh:
        forget(name, ".delay")

    def make(target: Path) -> Facts:
        facts = {"ns": _slowest(made)}
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    return float(cached(name, ".delay", make)[1]["ns"])


def _slowest(made: Gates) -> float:
    script = f"""
read_liberty osu018.lib
read_verilog made.v
link_design {made.top}
create_clock -name virtual -period {_PERIOD_NS}
set_input_delay 0 -clock virtual [all_inputs]
set_output_delay 0 -clock virtual [all_outputs]
set_driving_cell -lib_cell {DRIVER} [all_inputs]
set_load {LOAD_PF} [all_outputs]
report_worst_slack -digits 4
exit
"""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        (folder / "osu018.lib").write_bytes(library(".lib").read_bytes())
        (folder / "made.v").write_text(made.verilog, encoding="utf-8")
        (folder / "delay.tcl").write_text(script, encoding="utf-8")
        said = sta().run(["-exit", "delay.tcl"], folder)
    slack = re.search(r"worst slack ([\d.]+)", said)
    if slack is None:
        raise ToolFailedError(f"OpenSTA reported no delay: {said[-600:].strip()}")
    return round(_PERIOD_NS - float(slack[1]), 4)
