# SPDX-License-Identifier: MIT
"""Power of a netlist by OpenSTA, from how often its nets change.

OpenSTA of 2019 overwrites activities that pins are told by ones that it propagates from the inputs.
So it reports every gate alone with all pins at no and at one change a cycle (the power is linear in
it), and each gate's share is taken by how often its output changed in simulation.  What is drawn
without changes is that of the clock, and leakage.
"""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..building.tools import ToolFailedError
from .activity import Toggles
from .gates import BLACK_BOXES, MHZ, Gates, library
from .tools import sta

_NUMBER = r"(\d\.\d+e[-+]\d+)"
_GATE = re.compile(rf"^ +{_NUMBER} +{_NUMBER} +{_NUMBER} +{_NUMBER} +(_\d+_)$", re.MULTILINE)


@dataclass(frozen=True)
class Power:
    """What OpenSTA reports."""

    watts: float
    """At MHZ."""
    leakage_watts: float
    slack_ns: float
    """Of the slowest path at MHZ."""


def _script(gates: Gates) -> str:
    names = " ".join(gate for gate, _ in _outputs(gates))
    told = [
        line
        for activity in (0, 1)
        for line in (
            f"sta::set_power_global_activity {activity} 0.5",
            f'puts "activity {activity}"',
            "report_power -instances $gates -digits 6",
        )
    ]
    return "\n".join(
        [
            "read_liberty osu018.lib",
            "read_verilog made.v",
            f"link_design {gates.top}",
            f"create_clock -name clock -period {1000 / MHZ:g} [get_ports {clock_of(gates)}]",
            f"set gates [get_cells {{{names}}}]",
            *told,
            "report_worst_slack",
            "exit",
        ]
    )


def _outputs(gates: Gates) -> list[tuple[str, int]]:
    """Every gate with the net that it drives; those of the library here have one output."""
    return [
        (name, cell["connections"][port][0])
        for name, cell in gates.module["cells"].items()
        if cell["type"] not in BLACK_BOXES
        for port, direction in cell["port_directions"].items()
        if direction == "output"
    ]


def clock_of(gates: Gates) -> str:
    """The clock's port."""
    return "clk_i" if "clk_i" in gates.module["ports"] else "clk"


def power(gates: Gates, changes: Toggles, cycles: int) -> Power:
    """Power over a window of so many cycles in which nets changed so often."""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        (folder / "osu018.lib").write_bytes(library(".lib").read_bytes())
        (folder / "made.v").write_text(gates.timed, encoding="utf-8")
        (folder / "power.tcl").write_text(_script(gates), encoding="utf-8")
        said = sta().run(["-exit", "power.tcl"], folder)
    slack = re.search(r"worst slack (-?[\d.]+)", said)
    still, busy = (_GATE.findall(part) for part in said.partition("activity 1")[::2])
    outputs = _outputs(gates)
    if slack is None or not len(outputs) == len(still) == len(busy):
        raise ToolFailedError(f"OpenSTA reported no power: {said[-600:].strip()}")
    at_rest = {gate: float(total) for *_, total, gate in still}
    changing = {gate: float(total) for *_, total, gate in busy}
    return Power(
        sum(
            at_rest[gate] + (changing[gate] - at_rest[gate]) * changes.get(net, 0) / cycles
            for gate, net in outputs
        ),
        sum(float(leakage) for _, _, leakage, _, _ in still),
        float(slack[1]),
    )


def activity_per_cycle(gates: Gates, changes: Mapping[object, int], cycles: int) -> float:
    """Changes of a net in a cycle, in the mean over all outputs of cells."""
    driven = [changes.get(net, 0) for _, net in _outputs(gates)]
    return sum(driven) / len(driven) / cycles
