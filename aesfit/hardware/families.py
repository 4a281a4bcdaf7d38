# SPDX-License-Identifier: MIT
"""The FPGA families that designs are synthesised for: how, and how their cells are counted."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import unknown

TARGET_MHZ = 150
"""What nextpnr is asked for, for every design: the clock that the paper reports (150.5 MHz)."""


@dataclass(frozen=True)
class Device:
    """A chip that nextpnr places into."""

    title: str
    nextpnr: str
    options: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Family:
    """A family of FPGAs as Yosys knows it.

    A cell of an unlisted type makes a design impossible to count, and is an error.
    """

    name: str
    title: str
    synthesis: str
    """Yosys' command; a top module is added."""
    luts: Mapping[str, int]
    """Look-up tables of four inputs that a cell of that type takes."""
    flip_flops: str
    """How the types of flip-flops begin."""
    rams: str
    """How the types of RAM blocks begin."""
    free: frozenset[str]
    """Cells that stand beside a look-up table and take none."""
    device: Device | None
    unplaced: str = ""
    """Why there is no device."""


# Wide multiplexers are off: with them Yosys 0.70 takes up to 2.7 times the look-up tables, which
# are half empty, and ECP5 gets slower too (aes32_paper 117 MHz instead of 120).
XC2VP = Family(
    "xc2vp",
    "Virtex-II Pro",
    "synth_xilinx -family xc2vp -flatten -noiopad -noclkbuf -nowidelut",
    luts={
        **{f"LUT{inputs}": 1 for inputs in (1, 2, 3, 4)},
        **{"INV": 1, "SRL16": 1, "SRL16E": 1, "RAM16X1S": 1, "RAM16X1D": 2},
    },
    flip_flops="FD",
    rams="RAMB16",
    free=frozenset({"MUXCY", "XORCY", "MULT_AND", "GND", "VCC"}),
    device=None,
    unplaced="no open place and route for the Virtex-II Pro",
)
ECP5 = Family(
    "ecp5",
    "ECP5",
    "synth_ecp5 -nowidelut",
    luts={"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6},
    flip_flops="TRELLIS_FF",
    rams="DP16KD",
    free=frozenset(),
    device=Device(
        "LFE5U-45F, CABGA381, speed grade 6",
        "ecp5",
        ("--45k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"),
    ),
)
ICE40 = Family(
    "ice40",
    "iCE40",
    "synth_ice40",
    luts={"SB_LUT4": 1},
    flip_flops="SB_DFF",
    rams="SB_RAM40_4K",
    free=frozenset({"SB_CARRY"}),
    device=Device(
        "iCE40 HX8K, CT256",
        "ice40",
        ("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"),
    ),
)
FAMILIES = (XC2VP, ECP5, ICE40)


def family_named(name: str) -> Family:
    """The family of that name; ValueError names the nearest."""
    for family in FAMILIES:
        if family.name == name:
            return family
    raise unknown("family", name, [family.name for family in FAMILIES])
