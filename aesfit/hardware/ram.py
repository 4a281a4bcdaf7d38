# SPDX-License-Identifier: MIT
"""Bits that the RAM blocks of a netlist hold: in each block, words addressed times bits read.

A port of a block reaches two words for each of its address bits that is no constant, and of a word
only those bits count that something reads.  A block holds what its widest port reaches.  A table
that is stored twice, because a block has too few ports, counts twice.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Cell = Mapping[str, Any]
"""As Yosys writes JSON."""
Net = int | str
"""The number of a net, or a constant: "0", "1", "x", "z"."""


@dataclass(frozen=True)
class ReadPort:
    """Names of the connections of a port that reads."""

    address: str
    data: tuple[str, ...]
    width: str = ""
    """The parameter that holds the width, where low address bits select bytes to write."""


_DP16KD_NO_ADDRESS = {1: 0, 2: 1, 4: 2, 9: 3, 18: 4, 36: 5}
"""Low address pins that address nothing, by width (Lattice FPGA-TN-02204, EBR address mapping)."""
_ECP5 = tuple(ReadPort(f"AD{side}", (f"DO{side}",), f"DATA_WIDTH_{side}") for side in "AB")
_ECP5_WIDE = (ReadPort("ADB", ("DOA", "DOB"), "DATA_WIDTH_B"),)
_ICE40 = (ReadPort("RADDR", ("RDATA",)),)
_XILINX = tuple(ReadPort(f"ADDR{side}", (f"DO{side}", f"DOP{side}")) for side in ("", "A", "B"))


def ram_bits(module: Mapping[str, Any], prefix: str) -> int:
    """Bits held by the blocks whose type begins so, in a module as Yosys writes JSON."""
    read = _read_nets(module)
    blocks = [cell for cell in module["cells"].values() if cell["type"].startswith(prefix)]
    return sum(max(_reached(cell, port, read) for port in _ports(cell)) for cell in blocks)


def _read_nets(module: Mapping[str, Any]) -> set[Net]:
    """Nets that enter a cell or leave the module."""
    entering = [
        net
        for cell in module["cells"].values()
        for name, nets in cell["connections"].items()
        if cell["port_directions"][name] != "output"
        for net in nets
    ]
    ports = [port for port in module["ports"].values() if port["direction"] != "input"]
    return {*entering, *(net for port in ports for net in port["bits"])}


def _ports(cell: Cell) -> Sequence[ReadPort]:
    kind = cell["type"]
    if kind.startswith("DP16KD"):
        return _ECP5_WIDE if _parameter(cell, "DATA_WIDTH_B") == 36 else _ECP5
    if kind.startswith("SB_RAM40_4K"):
        return _ICE40
    return [port for port in _XILINX if port.address in cell["connections"]]


def _parameter(cell: Cell, name: str) -> int:
    return int(cell["parameters"][name], 2)


def _nets(cell: Cell, name: str) -> list[Net]:
    """Of a connection; an ECP5 has one for each bit."""
    connections = cell["connections"]
    if name in connections:
        return list(connections[name])
    bits = [one for one in connections if re.fullmatch(rf"{name}\d+", one)]
    return [connections[f"{name}{number}"][0] for number in range(len(bits))]


def _reached(cell: Cell, port: ReadPort, read: set[Net]) -> int:
    """Bits that a port reads."""
    unused = _DP16KD_NO_ADDRESS[_parameter(cell, port.width)] if port.width else 0
    address = [net for net in _nets(cell, port.address)[unused:] if isinstance(net, int)]
    data = [net for name in port.data for net in _nets(cell, name) if net in read]
    return len(data) << len(address)
