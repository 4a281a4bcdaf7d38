# SPDX-License-Identifier: MIT
"""Cores that others published, to stand beside ours; facts with their sources, nothing measured."""

from dataclasses import dataclass

LUTS_OF_SLICE = {"xc2vp": 2, "XC2VP30": 2, "XC3S50": 2, "Spartan-II": 2, "Artix-7": 4}
"""By family or device: Xilinx DS083, DS099, DS001 and UG474.

Those of the Artix-7 have six inputs and two flip-flops each, all others four and one.
"""


@dataclass(frozen=True)
class PublishedCore:
    """What a publication says of its core; None where it says nothing, or nothing comparable.

    A slice is two look-up tables with two flip-flops in the Virtex-II Pro, the Spartan-II and the
    Spartan-3, four with eight in the Artix-7, and how full slices are is up to the vendor's tools;
    so slices stand in a column of their own.
    """

    design: str
    device: str
    source: str
    slices: int | None = None
    flip_flops: int | None = None
    ram_blocks: int | None = None
    fmax_mhz: float | None = None
    cycles_per_block: int | None = None
    mbit_per_s: float | None = None

    @property
    def slice_luts(self) -> int | None:
        """Look-up tables that its slices hold, used or not."""
        return None if self.slices is None else self.slices * LUTS_OF_SLICE[self.device]


PAPER = PublishedCore(
    "Parikh and Patel",
    "XC2VP30",
    "C. Parikh, P. Patel, Performance Evaluation of AES Algorithm on Various Development "
    "Platforms: 536 slices, 620 flip-flops, 6.646 ns, 87 cycles, 221.4 Mbit/s",
    slices=536,
    flip_flops=620,
    fmax_mhz=150.5,
    cycles_per_block=87,
    mbit_per_s=221.4,
)
PUBLISHED = (
    PAPER,
    PublishedCore(
        "Rouvroy and others",
        "XC3S50",
        "G. Rouvroy, F.-X. Standaert, J.-J. Quisquater, J.-D. Legat, Compact and Efficient "
        "Encryption/Decryption Module for FPGA Implementation of the AES Rijndael (ITCC 2004): "
        "163 slices, 3 block RAMs, 208 Mbit/s",
        slices=163,
        ram_blocks=3,
        mbit_per_s=208,
    ),
    PublishedCore(
        "Chodowiec and Gaj",
        "Spartan-II",
        "P. Chodowiec, K. Gaj, Very Compact FPGA Implementation of the AES Algorithm: 222 slices, "
        "3 block RAMs, 150 Mbit/s",
        slices=222,
        ram_blocks=3,
        mbit_per_s=150,
    ),
    PublishedCore(
        "Good and Benaissa",
        "Spartan-II",
        "T. Good, M. Benaissa, AES on FPGA from the Fastest to the Smallest: 124 slices, 2 block "
        "RAMs, 2.2 Mbit/s",
        slices=124,
        ram_blocks=2,
        mbit_per_s=2.2,
    ),
    PublishedCore(
        "secworks/aes",
        "Artix-7",
        "README of the project: 2298 slices, 97 MHz, 46 cycles a block of AES-128",
        slices=2298,
        fmax_mhz=97,
        cycles_per_block=46,
    ),
    PublishedCore(
        "OpenTitan aes",
        "-",
        "documentation of the project: 12 cycles a block of AES-128, without masking",
        cycles_per_block=12,
    ),
)
