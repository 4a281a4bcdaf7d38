# SPDX-License-Identifier: MIT
"""Whether a platform keeps up with a network, from cycles for one packet.  Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..choosing.request import TimingLimit, allows
from ..jobs.secrecy import Secrecy
from ..units import scaled
from .airtime import goodput
from .battery import Battery
from .paper import PACKET_BYTES

Kind = Literal["emulated", "soft CPU", "host", "hardware"]
KINDS: tuple[Kind, ...] = ("emulated", "soft CPU", "host", "hardware")
PACKET_BITS = 8 * PACKET_BYTES
GOODPUT = "goodput"


@dataclass(frozen=True)
class Need:
    """Payload to keep up with."""

    name: str
    """Key of its entries in JSON: "54Mbit/s" or "goodput"."""
    rate: float
    """Bits per second."""

    @property
    def told(self) -> str:
        """Text for a heading."""
        return scaled(self.rate, "bit/s") if self.name != GOODPUT else f"{GOODPUT} {self.short}"

    @property
    def short(self) -> str:
        """The rate in Mbit/s, three figures."""
        return f"{self.rate / 1e6:.3g}"


def needs(rates: Sequence[float], given: float | None = None) -> tuple[Need, ...]:
    """Nominal rates, then the throughput at 54 Mbit/s after MAC overhead, or the given goodput."""
    nominal = [Need(f"{rate / 1e6:g}Mbit/s", rate) for rate in dict.fromkeys(rates)]
    return (*nominal, Need(GOODPUT, goodput(PACKET_BYTES) if given is None else given))


@dataclass(frozen=True)
class PacketRow:
    """A platform with one core, and the cost of a packet there; None for unknown values."""

    platform: str
    kind: Kind
    core: str | None
    cycles: float | None = None
    clock_hz: float | None = None
    picojoules: float | None = None
    """Joules for each cycle."""
    secrecy: Secrecy | None = None
    """Of its timing."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Reasons for None, by the keys of the JSON."""

    @property
    def us_per_packet(self) -> float | None:
        """Microseconds of a packet at the clock."""
        if self.cycles is None or self.clock_hz is None:
            return None
        return self.cycles / self.clock_hz * 1e6

    @property
    def mbit_per_s(self) -> float | None:
        """Payload bits per second of packets in a row."""
        return None if self.us_per_packet is None else PACKET_BITS / self.us_per_packet

    @property
    def energy_per_packet_uj(self) -> float | None:
        """Energy of the cycles alone, as if the processor were stopped between packets."""
        if self.cycles is None or self.picojoules is None:
            return None
        return self.cycles * self.picojoules * 1e-6

    def needed_clock_hz(self, need: Need) -> float | None:
        """The clock at which packets are encrypted as fast as they arrive."""
        return None if self.cycles is None else self.cycles * need.rate / PACKET_BITS

    def keeps_up(self, need: Need) -> bool | None:
        """Whether the platform's clock suffices."""
        needed = self.needed_clock_hz(need)
        return None if needed is None or self.clock_hz is None else needed <= self.clock_hz

    def battery_hours(self, need: Need, battery: Battery) -> float | None:
        """Hours with no load but encrypting all packets, or as many as the platform can."""
        if self.energy_per_packet_uj is None or self.mbit_per_s is None:
            return None
        packets = min(need.rate, self.mbit_per_s * 1e6) / PACKET_BITS
        return battery.hours(packets * self.energy_per_packet_uj * 1e-6)

    def as_json(self, asked: Sequence[Need], battery: Battery | None) -> dict[str, Any]:
        """The stable keys; `why` where something is null, `battery_hours` with a battery."""
        row: dict[str, Any] = {
            "platform": self.platform,
            "core": self.core,
            "clock_hz": self.clock_hz,
            "us_per_packet": self.us_per_packet,
            "mbit_per_s": self.mbit_per_s,
            "needed_clock_hz": {need.name: self.needed_clock_hz(need) for need in asked},
            "keeps_up": {need.name: self.keeps_up(need) for need in asked},
            "energy_per_packet_uj": self.energy_per_packet_uj,
            "timing": self.secrecy and self.secrecy.timing,
            "evidence": self.secrecy and self.secrecy.evidence,
        }
        if battery is not None:
            row["battery_hours"] = {n.name: self.battery_hours(n, battery) for n in asked}
        return {**row, "why": dict(self.why)} if self.why else row


@dataclass(frozen=True)
class PlatformVerdict:
    """A platform's fastest core, and the fastest whose timing is independent of the key."""

    best: PacketRow
    safe: PacketRow | None
    proved: PacketRow | None = None
    """The fastest whose independence is proved."""
    other: PacketRow | None = None
    """What stands beside `best`: the fastest of any timing, or the fastest that is independent."""

    def within(self, limit: TimingLimit | None) -> "PlatformVerdict":
        """The fastest core that a limit allows in the place of the fastest of all.

        None: as in `aesfit fit` what is proved leads, then what is independent, and then any core.
        """
        if limit is None:
            return replace(self, best=self.proved or self.safe or self.best, other=self.best)
        if limit == "any":
            return replace(self, other=self.safe)
        found = self.proved if limit == "proved" else self.safe
        if found is None and self.best.cycles is not None:
            reason = f"none of these cores is {_WANTED[limit]}"
            empty = replace(self.best, core=None, cycles=None, picojoules=None)
            names = (
                *("core", "us_per_packet", "mbit_per_s", "needed_clock_hz", "keeps_up"),
                "energy_per_packet_uj",
            )
            return PlatformVerdict(replace(empty, why=dict.fromkeys(names, reason)), None)
        return replace(self, best=found or self.best)


_WANTED = {
    "proved": "proved independent of the key",
    "independent": "independent of the key",
}


def verdict_of(entries: Sequence[PacketRow]) -> PlatformVerdict:
    """The verdict on a platform with these cores, the fastest first."""

    def first(limit: TimingLimit) -> PacketRow | None:
        return next((one for one in entries if one.secrecy and allows(limit, one.secrecy)), None)

    return PlatformVerdict(entries[0], first("independent"), first("proved"))


def ordered(lines: Sequence[PlatformVerdict]) -> list[PlatformVerdict]:
    """Kind by kind, the slowest first, those without figures last."""

    def place(line: PlatformVerdict) -> tuple[int, bool, float]:
        rate = line.best.mbit_per_s
        return KINDS.index(line.best.kind), rate is None, rate or 0.0

    return sorted(lines, key=place)


def verdict(lines: Sequence[PlatformVerdict], asked: Sequence[Need]) -> list[str]:
    """Who keeps up, a sentence for each rate."""
    return [_sentence([line.best for line in lines], need) for need in asked]


def _sentence(entries: Sequence[PacketRow], need: Need) -> str:
    known = [one for one in entries if one.keeps_up(need) is not None]
    able = [f"{one.platform} ({one.core})" for one in known if one.keeps_up(need)]
    what = f"the {GOODPUT} of {need.short} Mbit/s" if need.name == GOODPUT else need.told
    if not known:
        return f"Nothing here is known to keep up with {what}."
    if not able:
        return f"Nothing here keeps up with {what}."
    return f"{len(able)} of {len(known)} keep up with {what}: {', '.join(able)}."
