# SPDX-License-Identifier: MIT
"""Throughput of a lone sender on IEEE 802.11a or 802.11g: the rate minus MAC overhead.

Times of the OFDM PHY with 20 MHz (IEEE Std 802.11-2012, table 18-17).  802.11g without older
stations comes to the same: its SIFS is 6 us shorter and 6 us of silence follow each frame (clause
19.3.2.4).
"""

from math import ceil

SLOT, SIFS, SYMBOL = 9.0, 16.0, 4.0
"""Microseconds; table 18-17 and, of the symbol, table 18-5."""
PREAMBLE = 16.0 + 4.0
"""Microseconds: training, then the symbol SIGNAL (table 18-5)."""
MEAN_BACKOFF = SLOT * 15 / 2
"""Mean microseconds: 0 to CWmin = 15 slots are equally likely (9.3.3, table 18-17)."""
DIFS = SIFS + 2 * SLOT
"""Microseconds (9.3.7)."""
BITS_PER_SYMBOL = {6: 24, 9: 36, 12: 48, 18: 72, 24: 96, 36: 144, 48: 192, 54: 216}
"""Data bits per symbol, by rate in Mbit/s (table 18-4)."""
SERVICE_AND_TAIL = 16 + 6
"""Bits added to the frame's (18.3.5.2, 18.3.5.3)."""
HEADER, CCMP_HEADER, MIC, FCS, ACK = 24, 8, 8, 4, 14
"""Bytes: a data frame's with three addresses (8.3.2), CCMP's (11.4.3.2), an ACK frame (8.3.1.4)."""
MANDATORY = (6, 12, 24)
"""Mbit/s; an ACK is sent at the highest of these not above its frame's rate (9.7.6.5.2)."""


def frame_time(size: int, rate: int) -> float:
    """Microseconds on the air of a frame of so many bytes with its FCS (18.4.3, TXTIME)."""
    bits = SERVICE_AND_TAIL + 8 * size
    return PREAMBLE + SYMBOL * ceil(bits / BITS_PER_SYMBOL[rate])


def exchange_time(payload: int, rate: int) -> float:
    """Microseconds from one frame of a lone sender to its next: wait, frame, acknowledgement."""
    frame = frame_time(HEADER + CCMP_HEADER + payload + MIC + FCS, rate)
    ack = frame_time(ACK, max(one for one in MANDATORY if one <= rate))
    return DIFS + MEAN_BACKOFF + frame + SIFS + ack


def goodput(payload: int, rate: int = 54) -> float:
    """Payload bits per second of frames that are all received, with nobody else on the air."""
    return 8 * payload / (exchange_time(payload, rate) * 1e-6)
