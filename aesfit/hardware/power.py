# SPDX-License-Identifier: MIT
"""Power of a netlist by OpenSTA, from how often its nets change.

OpenSTA of 2019 takes changes per clock cycle, pin by pin, through sta::set_power_pin_activity
(`set_power_activity -pins` is broken there); a net that switches a capacitance C takes C V^2 / 2 a
change, which was checked by hand on one gate.  Pins left alone would get an assumed activity, so
every pin is told.
"""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .activity import Toggles
from .gates import BLACK_BOX, MHZ, Gates, library
from .tools import ToolFailedError, sta

_NUMBER = r"(\d\.\d+e[-+]\d+)"
_TOTAL = re.compile(rf"^Total +{_NUMBER} +{_NUMBER} +{_NUMBER} +{_NUMBER}", re.MULTILINE)
_PARAMETERS = re.compile(rf"\b({BLACK_BOX}) #\(\s*\.\w+\([^)]*\)\s*\)")


@dataclass(frozen=True)
class Power:
    """What OpenSTA reports."""

    watts: float
    """At MHZ."""
    leakage_watts: float
    slack_ns: float
    """Of the slowest path at MHZ."""


def _script(gates: Gates, changes: Toggles, cycles: int) -> str:
    told = [
        f"a {name}/{port} {changes.get(bits[0], 0) / cycles:.6g}"
        for name, cell in gates.module["cells"].items()
        if cell["type"] != BLACK_BOX
        for port, bits in cell["connections"].items()
    ]
    return "\n".join(
        [
            "read_liberty osu018.lib",
            "read_verilog made.v",
            f"link_design {gates.top}",
            f"create_clock -name clock -period {1000 / MHZ:g} [get_ports {clock_of(gates)}]",
            "proc a {pin activity} {",
            "  sta::set_power_pin_activity [get_pins $pin] $activity 0.5",
            "}",
            *told,
            "report_power -digits 6",
            "report_worst_slack",
            "exit",
        ]
    )


def clock_of(gates: Gates) -> str:
    """The clock's port."""
    return "clk_i" if "clk_i" in gates.module["ports"] else "clk"


def power(gates: Gates, changes: Toggles, cycles: int) -> Power:
    """Power over a window of so many cycles in which nets changed so often."""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        (folder / "osu018.lib").write_bytes(library(".lib").read_bytes())
        # OpenSTA reads no parameters of instances; it takes black boxes as they come.
        text = _PARAMETERS.sub(r"\1", gates.verilog)
        (folder / "made.v").write_text(text, encoding="utf-8")
        (folder / "power.tcl").write_text(_script(gates, changes, cycles), encoding="utf-8")
        said = sta().run(["-exit", "power.tcl"], folder)
    found, slack = _TOTAL.search(said), re.search(r"worst slack (-?[\d.]+)", said)
    if found is None or slack is None or re.search(r"^Error", said, re.MULTILINE):
        raise ToolFailedError(f"OpenSTA reported no power: {said[-600:].strip()}")
    return Power(float(found[4]), float(found[3]), float(slack[1]))


def energy_per_cycle(drawn: Power) -> float:
    """Joules."""
    return drawn.watts / (MHZ * 1e6)


def activity_per_cycle(gates: Gates, changes: Mapping[object, int], cycles: int) -> float:
    """Changes of a net in a cycle, in the mean over all outputs of cells."""
    driven = [
        changes.get(cell["connections"][port][0], 0)
        for cell in gates.module["cells"].values()
        if cell["type"] != BLACK_BOX
        for port, direction in cell["port_directions"].items()
        if direction == "output"
    ]
    return sum(driven) / len(driven) / cycles
