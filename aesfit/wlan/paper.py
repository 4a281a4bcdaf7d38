# SPDX-License-Identifier: MIT
"""The figures of Parikh and Patel, who asked the question first, and their contradictions.

C. Parikh, P. Patel, Performance Evaluation of AES Algorithm on Various Development Platforms,
tables 1 and 2.  Their packet of 1504 bytes is encrypted in ECB, without a MIC: half the AES calls
of CCMP.  Only facts; nothing here is measured.
"""

from dataclasses import dataclass

PACKET_BYTES = 1504


@dataclass(frozen=True)
class Software:
    """A column of table 1: milliseconds for one packet; of keys, for both directions."""

    platform: str
    key_ms: float
    encryption_ms: float
    decryption_ms: float

    @property
    def mbit_per_s(self) -> float:
        """The rate that follows from the time of one encryption."""
        return 8 * PACKET_BYTES / (self.encryption_ms * 1e3)


SOFTWARE = (
    Software("FPGA software, no cache", 1.4, 119.7, 138.57),
    Software("FPGA software, cache", 0.14, 11.2, 12.86),
    Software("PDA (ARM9)", 0.008, 0.3, 0.4),
    Software("desktop PC (Pentium 4)", 0.0055, 0.019, 0.029),
)
HARDWARE = "FPGA hardware (XC2VP30)"
SLICES, FLIP_FLOPS, CLOCK_MHZ = 536, 620, 150.5
HARDWARE_MBIT_PER_S = 221.4
"""128 bits in 87 cycles of 6.646 ns."""
DESKTOP_MBIT_PER_S, PDA_MBIT_PER_S = 245, 40
"""Sustained rates that its text gives."""


def remarks() -> tuple[str, str]:
    """Sentences on the paper's contradictions."""
    desktop = next(one for one in SOFTWARE if one.platform.startswith("desktop"))
    return (
        f"Its desktop PC encrypts {PACKET_BYTES} bytes in {desktop.encryption_ms} ms, which are "
        f"{desktop.mbit_per_s:.0f} Mbit/s, and its text says {DESKTOP_MBIT_PER_S}.",
        f"Its text finds the PDA with {PDA_MBIT_PER_S} Mbit/s sufficient, because 54 Mbit/s are "
        "never reached; its conclusion is that only hardware is.",
    )
