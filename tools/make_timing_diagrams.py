# SPDX-License-Identifier: MIT
"""Draw the timing diagrams of rtl/README.md from simulations, by Icarus Verilog.

Usage: make_timing_diagrams.py [README]   (default: rtl/README.md of this checkout)

A diagram is the code block below a comment with its name.  A test draws and compares.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from register_map import parse

from aesfit import AES
from aesfit.hardware.simulate import Bench, icarus

ROOT = Path(__file__).resolve().parents[1]
BENCHES = ROOT / "tests" / "rtl"
MAP = parse((ROOT / "rtl" / "aes32_axil.toml").read_text(encoding="utf-8"))
MARK = "<!-- diagram: {} -->\n```\n"
Levels = dict[str, str]
"""Of each signal the characters of all cycles."""


@dataclass(frozen=True)
class Diagram:
    """What is shown of one simulation."""

    name: str
    bench: str
    parameters: dict[str, int]
    commands: tuple[str, ...]
    """Of aes32_axil_tb, none for benches that know what they do."""
    signals: tuple[str, ...]
    windows: tuple[range, ...]
    """Cycles; what is between them does not change, or repeats."""


def _level(bit: str) -> str:
    return "_#"[int(bit)]


def _core_levels(said: str, signals: Sequence[str]) -> Levels:
    """Of aes32x2_waves_tb: the cycle, and a bit for each signal."""
    rows = [line.split()[1] for line in said.splitlines() if line[:1].isdigit()]
    return {name: "".join(_level(row[at]) for row in rows) for at, name in enumerate(signals)}


def _letter(valid: str, address: str) -> str:
    """The first letter of the register while an address is valid."""
    names = {one.offset: one.name[0].upper() for one in MAP.registers}
    return names[int(address, 16)] if valid == "1" else "."


def _axi_levels(said: str) -> Levels:
    """Of aes32_axil_tb with +waves, from the end of the reset on."""
    levels: dict[str, list[str]] = {}
    for line in said.splitlines():
        if not line.startswith("wave 1 "):
            continue
        aw, w, b, ar, r, erasing = line.split()[2:]
        shown = {
            **{"s_axi_awaddr": _letter(aw[0], aw[2:]), "s_axi_awvalid": _level(aw[0])},
            **{
                "s_axi_awready": _level(aw[1]),
                "s_axi_wvalid": _level(w[0]),
                "s_axi_wready": _level(w[1]),
            },
            **{"s_axi_bresp": b[2:].lstrip("0") or "0", "s_axi_bvalid": _level(b[0])},
            **{"s_axi_bready": _level(b[1]), "s_axi_araddr": _letter(ar[0], ar[2:])},
            **{
                "s_axi_arvalid": _level(ar[0]),
                "s_axi_arready": _level(ar[1]),
                "s_axi_rvalid": _level(r[0]),
            },
            **{"s_axi_rready": _level(r[1]), "s_axi_rresp": r[2:], "ERASING": _level(erasing)},
        }
        if b[0] == "0":
            shown["s_axi_bresp"] = "."
        if r[0] == "0":
            shown["s_axi_rresp"] = "."
        for name, level in shown.items():
            levels.setdefault(name, []).append(level)
    return {name: "".join(one) for name, one in levels.items()}


def draw(one: Diagram) -> str:
    """The lines of a diagram."""
    bench = Bench(one.bench, BENCHES / f"{one.bench}.v", one.parameters)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        file = Path(folder) / "commands"
        file.write_text("\n".join(one.commands) + "\n", encoding="utf-8")
        said = icarus(bench).run([f"+commands={file}", "+waves"])
    if "FAIL" in said:
        raise ValueError(f"{one.name}: {said[said.index('FAIL') :].splitlines()[0]}")
    levels = _axi_levels(said) if one.commands else _core_levels(said, one.signals)
    width = max(len(name) for name in ("cycle", *one.signals)) + 2
    starts = "  ".join(str(some.start).ljust(len(some)) for some in one.windows)
    rows = ["cycle".ljust(width) + starts]
    for name in one.signals:
        drawn = "  ".join(levels[name][some.start : some.stop] for some in one.windows)
        rows.append(name.ljust(width) + drawn)
    return "\n".join(row.rstrip() for row in rows) + "\n"


CORE_SIGNALS = (
    *("key_valid_i", "key_ready_o", "data_valid_i", "data_ready_o", "data_valid_o"),
    *("data_ready_i", "erase_i"),
)
"""In the order of aes32x2_waves_tb."""
WRITE_SIGNALS = (
    *("s_axi_awaddr", "s_axi_awvalid", "s_axi_awready", "s_axi_wvalid", "s_axi_wready"),
    *("s_axi_bresp", "s_axi_bvalid", "s_axi_bready"),
)
READ_SIGNALS = (
    "s_axi_araddr",
    "s_axi_arvalid",
    "s_axi_arready",
    "s_axi_rresp",
    "s_axi_rvalid",
    "s_axi_rready",
)
EVERY_SIGNAL = (*WRITE_SIGNALS, *READ_SIGNALS, "ERASING")
AWAKE = "n c 00000004 0"
"""Wait for the end of erasing, which a reset begins."""
KEY = ("w 8 00000000 0", *(f"w 10 {word:08x} 0" for word in (0, 0, 0, 0)))
BLOCK = tuple(f"w 14 {word:08x} 0" for word in (0, 0, 0, 0))
_ZERO = AES(bytes(16)).encrypt_block(bytes(16))
RESULT = tuple(
    f"r 18 {int.from_bytes(_ZERO[at : at + 4], 'little'):08x} 0" for at in range(0, 16, 4)
)
RESULT_READY = "o c 000c0000 0"
ERASE = "w 8 00000008 0"


def _axi(name: str, signals: tuple[str, ...], commands: Sequence[str], *windows: range) -> Diagram:
    return Diagram(name, "aes32_axil_tb", {}, (AWAKE, *commands), signals, windows)


DIAGRAMS = (
    Diagram(
        *("aes32x2 with key expansion", "aes32x2_waves_tb", {"KEY_EXPANSION": 1}, ()),
        CORE_SIGNALS,
        (range(66, 74), range(122, 137), range(210, 232), range(236, 242), range(302, 307)),
    ),
    Diagram(
        *("aes32x2 without key expansion", "aes32x2_waves_tb", {"KEY_EXPANSION": 0}, ()),
        CORE_SIGNALS,
        (range(128, 135), range(218, 233), range(306, 324), range(328, 334), range(457, 462)),
    ),
    _axi("load", (*WRITE_SIGNALS, "ERASING"), KEY, range(62, 85)),
    _axi(
        "encrypt",
        EVERY_SIGNAL[:-1],
        (*KEY, *BLOCK, RESULT_READY, *RESULT),
        range(84, 104),
        range(222, 240),
    ),
    _axi(
        *("back-pressure", EVERY_SIGNAL[:-1]),
        ("h 4 0 0", "w 8 00000000 0", "w 14 00000000 2", "h 3 0 0", "r 4 00020100 0", "r 18 0 2"),
        range(69, 90),
    ),
    _axi(
        "erase", EVERY_SIGNAL, (*KEY, *BLOCK, ERASE, AWAKE, *KEY), range(96, 107), range(160, 183)
    ),
)


def renew(text: str) -> str:
    """The README with all diagrams drawn anew."""
    for one in DIAGRAMS:
        before, mark, rest = text.partition(MARK.format(one.name))
        if not mark or mark in rest:
            raise ValueError(f"the README needs one place for the diagram {one.name}")
        text = before + mark + draw(one) + rest[rest.index("```") :]
    return text


def main() -> None:
    """Write the README."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "rtl" / "README.md"
    try:
        path.write_text(renew(path.read_text(encoding="utf-8")), encoding="utf-8")
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    except ValueError as error:
        print(f"{path}: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
