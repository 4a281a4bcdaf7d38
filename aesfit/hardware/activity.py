# SPDX-License-Identifier: MIT
"""How often the nets of a netlist change, from a VCD file (IEEE Std 1364-2005, 18.2)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Toggles = Mapping[object, int]
"""Changes between 0 and 1, by Yosys' number of the net."""
_VARIABLE = re.compile(r"\$var \w+ (\d+) (\S+) (\S+)(?: \[(\d+):(\d+)\])? \$end")


def _declared(line: str, netnames: Mapping[str, Any]) -> tuple[str, list[object]] | None:
    """Code and nets of a variable, its highest bit first; None where it is none of the netlist."""
    found = _VARIABLE.match(line.strip())
    if found is None or found[3] not in netnames:
        return None
    return found[2], netnames[found[3]]["bits"][::-1]


def toggles(lines: Iterable[str], netnames: Mapping[str, Any]) -> Toggles:
    """Count changes up to the end of the dump, each net once, under whichever name it comes."""
    nets: dict[str, list[object]] = {}
    known: dict[str, str] = {}
    counted: Counter[tuple[str, int]] = Counter()
    for line in lines:
        first = line[0]
        if first == "$":
            variable = _declared(line, netnames)
            if variable:
                nets[variable[0]] = variable[1]
            if line.startswith("$dumpoff"):
                break
        elif first in "01xz":
            _change(line[1:].strip(), first, known, counted)
        elif first == "b":
            value, code = line[1:].split()
            if code in nets:
                fill = value[0] if value[0] in "xz" else "0"
                _change(code, value.rjust(len(nets[code]), fill), known, counted)
    return {
        net: counted[code, place] for code, bits in nets.items() for place, net in enumerate(bits)
    }


def _change(
    code: str, value: str, known: dict[str, str], counted: Counter[tuple[str, int]]
) -> None:
    before = known.get(code)
    known[code] = value
    if before is None or before == value:
        return
    for place, (old, new) in enumerate(zip(before, value, strict=True)):
        if old != new and old in "01" and new in "01":
            counted[code, place] += 1
