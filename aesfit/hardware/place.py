# SPDX-License-Identifier: MIT
"""Placing and routing by nextpnr: the clock that a synthesised design reaches on a device."""

import json
import re
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..building.tools import Tool, ToolFailedError
from ..store import closure
from ..store.contents import Facts, cached, forget, key
from .families import TARGET_MHZ, Device
from .netlist import Netlist
from .tools import nextpnr

SEEDS = 3
"""Runs, of which the median clock counts, unless others are asked for."""
_USE = re.compile(r"^Info:\s+(\w+):\s+(\d+)/\s*(\d+)\b", re.MULTILINE)
_OUT_OF_ROOM = re.compile(r"no BELs|[Uu]nable to (find|place)|[Ff]ailed to (place|find)|over-?util")


@dataclass(frozen=True)
class Placed:
    """Clocks of a design in MHz, by seed; or why it does not fit."""

    fmax_mhz: tuple[float, ...]
    why_not: str | None = None

    @property
    def median(self) -> float | None:
        """The clock to expect."""
        return statistics.median(self.fmax_mhz) if self.fmax_mhz else None

    @property
    def best(self) -> float | None:
        """The clock after trying all seeds."""
        return max(self.fmax_mhz, default=None)


def _why_not(log: str, device: Device) -> str | None:
    """What there is too little of, where that is why nextpnr failed."""
    short = [
        f"{used} {cell} and it has {there}"
        for cell, used, there in _USE.findall(log)
        if int(used) > int(there)
    ]
    if short:
        return f"does not fit the {device.title}: it takes {', '.join(short)}"
    if _OUT_OF_ROOM.search(log):
        last = next(line for line in log.splitlines() if line.startswith("ERROR: "))
        return f"does not fit the {device.title}: {last.removeprefix('ERROR: ').rstrip('.')}"
    return None


def _place(tool: Tool, netlist: Netlist, device: Device, seed: int, target: Path) -> Facts:
    """Place and route once; the report is kept, and the clock or why there is none told."""
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        shutil.copyfile(netlist.file, folder / "made.json")
        asked = [*device.options, "--json", "made.json", "--seed", str(seed)]
        asked += ["--freq", str(TARGET_MHZ), "--timing-allow-fail"]
        asked += ["--report", "report.json", "--log", "log", "--quiet"]
        try:
            tool.run(asked, folder)
        except ToolFailedError:
            log = (folder / "log").read_text(encoding="utf-8", errors="replace")
            reason = _why_not(log, device)
            if reason is None:
                raise
            target.write_text(log, encoding="utf-8")
            return {"why": reason}
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        shutil.copyfile(folder / "report.json", target)
    clocks = [clock["achieved"] for clock in report["fmax"].values()]
    if not clocks:
        return {"why": "has no path between flip-flops, so no clock limits it"}
    return {"mhz": min(clocks)}


def place_once(netlist: Netlist, device: Device, seed: int, *, fresh: bool = False) -> Placed:
    """The clock with one seed, from the cache unless `fresh`."""
    tool = nextpnr(device.nextpnr)
    own = closure.digest(__name__)
    name = key("place", tool.version, netlist.sha256, device.options, seed, own)
    if fresh:
        forget(name, ".report")
    facts = cached(name, ".report", lambda path: _place(tool, netlist, device, seed, path))[1]
    return Placed((facts["mhz"],)) if "mhz" in facts else Placed((), facts["why"])


def together(placed: Sequence[Placed]) -> Placed:
    """Several seeds as one."""
    reasons = [one.why_not for one in placed if one.why_not]
    clocks = tuple(mhz for one in placed for mhz in one.fmax_mhz)
    return Placed((), reasons[0]) if reasons else Placed(clocks)
