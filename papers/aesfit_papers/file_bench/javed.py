# SPDX-License-Identifier: MIT
"""What Javed, Fast Implementation of AES on Mobile Devices (2010), published: tables 1 to 3.

AES-128 in C on the emulator of Windows Mobile 6, which the paper names an ARM7TDMI; minimum and
average of 100 runs.  `final` is "our final implementation", the core `mobile` here; `v1` is "Newly
Proposed V1", the core `compact` here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

TITLE = "Javed, Fast Implementation of AES on Mobile Devices (2010)"
FINAL, V1 = "mobile", "compact"
KEY_BITS = 128
REPEATS = 100


@dataclass(frozen=True)
class PublishedTimes:
    """One line of a table; microseconds in tables 1 and 2, milliseconds in table 3."""

    final_min: float
    final_avg: float
    v1_min: float
    v1_avg: float

    @property
    def min(self) -> float:
        """V1's time over the final implementation's, by the minima."""
        return self.v1_min / self.final_min

    @property
    def avg(self) -> float:
        """The same by the averages."""
        return self.v1_avg / self.final_avg


BLOCK = PublishedTimes(323, 545, 1200, 3400)
"""Table 1, microseconds."""
KEY_SCHEDULE = PublishedTimes(120, 170, 1590, 4000)
"""Table 2, microseconds."""
CBC: Mapping[int, PublishedTimes] = {
    16: PublishedTimes(0.73, 1.07, 1.20, 3.40),
    32: PublishedTimes(0.79, 1.17, 2.53, 3.70),
    64: PublishedTimes(0.81, 1.25, 4.70, 5.20),
    128: PublishedTimes(0.91, 1.53, 5.58, 8.80),
    256: PublishedTimes(1.35, 1.90, 10.91, 16.90),
    512: PublishedTimes(2.37, 2.65, 20.93, 31.90),
    1 << 10: PublishedTimes(3.74, 4.25, 39.68, 60),
    2 << 10: PublishedTimes(6.92, 7.70, 88.28, 117),
    4 << 10: PublishedTimes(11.51, 14, 160, 201),
    8 << 10: PublishedTimes(17.41, 27, 315, 345),
    16 << 10: PublishedTimes(34.06, 51, 669, 690),
    32 << 10: PublishedTimes(77.62, 89, 1283, 1380),
    64 << 10: PublishedTimes(134, 166, 2529, 2710),
    128 << 10: PublishedTimes(260, 290, 5069, 5450),
    256 << 10: PublishedTimes(533, 570, 10130, 10584),
    512 << 10: PublishedTimes(1053, 1090, 20459, 20800),
    1 << 20: PublishedTimes(2117, 2170, 42191, 44113),
    2 << 20: PublishedTimes(4318, 4442, 83827, 87645),
    4 << 20: PublishedTimes(8374, 8650, 161355, 193902),
    8 << 20: PublishedTimes(16748, 17528, 347872, 393903),
}
"""Table 3, milliseconds by bytes: CBC over data read from a file."""
SIZES = tuple(CBC)
LARGE = 1 << 20
"""Size in bytes from which the paper calls its implementation "nearly 20 times faster"."""
