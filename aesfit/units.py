# SPDX-License-Identifier: MIT
"""Sizes, clocks, rates and packets as people write them: `4K`, `72MHz`, `54Mbit/s`, `64:7`."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

_NUMBER = re.compile(r"\s*(\d{1,18}(?:\.\d{1,18})?)\s*([A-Za-z/]*)\s*")
_SIZES = {"": 1, "b": 1, **dict.fromkeys(("k", "kb", "kib"), 1 << 10)}
_SIZES |= dict.fromkeys(("m", "mb", "mib"), 1 << 20)
_CLOCKS = {"": 1, "hz": 1, "k": 1e3, "khz": 1e3, "m": 1e6, "mhz": 1e6, "g": 1e9, "ghz": 1e9}
_LEAST_BARE_CLOCK = 1000
"""Hertz: a number below, without a unit, was meant in megahertz."""
_TIMES = {"us": 1e-6, "ms": 1e-3, "cycles": 1}
_RATES = {"bit/s": 1, "kbit/s": 1e3, "mbit/s": 1e6, "gbit/s": 1e9}


def parse_size(text: str) -> int:
    """Bytes: `4096`, `4K`, `4KB`, `4KiB`, `1.5K`, `1M`; K, KB and KiB are 1024 bytes."""
    value = _parse(text, _SIZES, "a size in bytes, such as 4096, 4K, 4KiB or 1M")
    if value != int(value):
        raise ValueError(f"'{text}' is {value:g} bytes; give whole bytes")
    return int(value)


def parse_clock(text: str) -> float:
    """Hertz: `72MHz`, `72M`, `32.768kHz`, `1.2GHz`, `16000000`."""
    found = _NUMBER.fullmatch(text) if text.isascii() else None
    if found and not found[2] and 0 < float(found[1]) < _LEAST_BARE_CLOCK:
        raise ValueError(f"'{text}' has no unit; write {found[1]}MHz, or {found[1]}Hz")
    return _positive(text, _CLOCKS, "a clock, such as 72MHz, 32.768kHz, 1.2GHz or 16000000")


def parse_rate(text: str) -> float:
    """Bits per second: `54Mbit/s`, `250kbit/s`, `1.5Mbit/s`, `1Gbit/s`."""
    return _positive(text, _RATES, "a rate, such as 54Mbit/s, 250kbit/s, 1Gbit/s or 9600bit/s")


def parse_deadline(text: str) -> tuple[float, str]:
    """Seconds with "s", or cycles with "cycles": `192us`, `1.5ms`, `20000cycles`."""
    value = _positive(text, _TIMES, "a time, such as 192us, 1.5ms or 20000cycles")
    cycles = text.strip().lower().endswith("cycles")
    return value, "cycles" if cycles else "s"


def parse_key_changes(text: str) -> int | None:
    """Messages between key changes; None for `never`."""
    if text.strip().lower() == "never":
        return None
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ValueError(f"'{text}' is neither 'never' nor a number of messages from 1")
    return int(text)


def parse_share(text: str) -> float:
    """A share from 0 to 1, also as a percentage."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*", text, re.ASCII)
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"'{text}' is no share; give 0% to 100%, or 0 to 1")
    return value


def _parse(text: str, units: dict[str, int] | dict[str, float], what: str) -> float:
    found = _NUMBER.fullmatch(text) if text.isascii() else None
    if not found or found[2].lower() not in units:
        raise ValueError(f"'{text:.40}' is not {what}")
    return float(found[1]) * units[found[2].lower()]


def _positive(text: str, units: dict[str, int] | dict[str, float], what: str) -> float:
    value = _parse(text, units, what)
    if value <= 0:
        raise ValueError(f"'{text}' is not above 0; give {what}")
    return value


def plain(value: float) -> str:
    """The shortest digits that read back as this number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


def count(value: float) -> str:
    """A number of cycles or bytes with thousands apart: 78,312; 12.5 below 100 where not whole."""
    digits = 0 if value == int(value) or value >= 1000 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def five_lines(first: str, others: Sequence[str]) -> str:
    """An answer as Python shows it: at most five lines, the last of which counts those left out."""
    shown = others if len(others) <= 4 else [*others[:3], f"... and {len(others) - 3} more lines"]
    return "\n  ".join((first, *(" ".join(line.split()) for line in shown)))


def scaled(value: float, unit: str) -> str:
    """Three figures and a prefix: 72e6 and "Hz" give "72 MHz"."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{_three(value / factor)} {prefix}{unit}"
    return f"{_three(value)} {unit}"


def seconds(value: float) -> str:
    """A duration: "40.2 ms"."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= factor:
            return f"{_three(value / factor)} {unit}"
    return f"{_three(value / 1e-9)} ns"


def _three(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    text = f"{value:.3g}"
    return f"{float(text):g}"


def parse_packets(text: str) -> tuple[tuple[int, float], ...]:
    """Parse sizes with shares: "64:7,576:4,1504:1"; a size without a share has share 1."""
    found = []
    for part in text.split(","):
        bytes_, _, share_ = part.strip().partition(":")
        try:
            found.append((int(bytes_), float(share_) if share_ else 1.0))
        except ValueError:
            raise ValueError(
                f"'{part}' is not a packet size; give sizes such as 64:7,1504:1"
            ) from None
    check_packets(found)
    return tuple(found)


def check_packets(sizes: Iterable[tuple[int, float]]) -> None:
    """Raise ValueError for sizes and shares that make no sense."""
    for size, share in sizes:
        if not (1 <= size <= 65535 and 0 < share < 1e9):
            raise ValueError(
                f"packets have 1 to 65535 bytes and shares above 0, not {size}:{share:g}"
            )
