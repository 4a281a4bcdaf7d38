# SPDX-License-Identifier: MIT
"""Write what cores, modes and GHASH multipliers say of themselves into documents and Kconfig.

The tables of docs/cores.md and docs/reference/index.md and the menus "Cores", "Modes" and "GHASH
multipliers" of lib/Kconfig follow the registers, with the summary and the figures of each struct.
Build the library first; tests compare all of them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from aesfit.building.sources import needed_modes
from aesfit.catalog import Core, Ghash, Mode, SizeRange, cores, ghashes, modes

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "cores.md"
REFERENCE = ROOT / "docs" / "reference" / "index.md"
KCONFIG = ROOT / "lib" / "Kconfig"
_ROWS = re.compile(r"(?<=\|---\|---\|---\|---\|---\|---\|---\|\n)(?:\| `\w+` \|.*\n)+")
_MODE_ROWS = re.compile(r"(?<=\|---\|---\|--:\|--:\|--:\|--:\|--:\|\n)(?:\| `\w+` \|.*\n)*")
_NO_LIMIT = 1 << 56
"""Bytes that no message has: a standard's limit from here on is left out."""
_MENU = r'(menu "{}"\n.*?\n\n).*?(?=    endmenu)'
_ENTRY = r"config {}\n.*\n((?: +(?!help).*\n)*) +help\n"


def row(core: Core) -> str:
    """A line of the table."""
    cells = (
        f"`{core.name}`",
        core.summary,
        f"{core.table_bytes} / {core.table_bytes_decrypt}",
        str(core.lanes),
        "on the fly" if core.on_the_fly_keys else "unrolled",
        "yes" if core.constant_time else "",
        "yes" if core.study else "",
    )
    return f"| {' | '.join(cells)} |\n"


def sizes(of: SizeRange, *beside: int) -> str:
    """Sizes in bytes, for people."""
    if of.most == 0:
        return ""
    some = [*map(str, beside), str(of.least)]
    if of.most >= _NO_LIMIT:
        some[-1] = f"from {of.least}" if of.least else "any"
    elif of.most > of.least:
        some[-1] += f" to {of.most:,}"
    step = f", by {of.step}" if of.step > 1 else ""
    return ", ".join(some) + step


def mode_row(mode: Mode) -> str:
    """A line of the table of modes."""
    cells = (
        f"`{mode.name}`",
        mode.standard,
        " ".join(
            str(bits) if mode.keys == 1 else f"{mode.keys} x {bits}" for bits in mode.key_bits
        ),
        sizes(mode.nonces),
        sizes(mode.ads),
        sizes(mode.tags, *mode.short_tags),
        sizes(mode.payloads),
    )
    return f"| {' | '.join(cells)} |\n"


def selected(mode: Mode) -> str:
    """Lines that bring the modes along over which it is written."""
    return "".join(f"    select AESFIT_MODE_{one.upper()}\n" for one in needed_modes(mode.name))


def entry(kind: str, one: Core | Ghash | Mode, mark: str, kconfig: str) -> str:
    """An entry of Kconfig; its default and dependencies are kept from `kconfig`."""
    symbol = f"AESFIT_{kind}_{one.name.upper()}"
    before = re.search(_ENTRY.format(symbol), kconfig)
    kept = re.sub(r" +select .*\n", "", before[1] if before else "")
    if isinstance(one, Mode):
        kept += re.sub(r"^", " " * 8, selected(one), flags=re.MULTILINE).rstrip(" ")
    lines = f'config {symbol}\n    bool "{one.name}{mark}"\n'
    indented = re.sub(r"^", "        ", lines, flags=re.MULTILINE).rstrip(" ")
    return f"{indented}{kept}            help\n                {one.summary}.\n\n"


def core_mark(core: Core) -> str:
    """The text after a core's name."""
    return "" if core.constant_time else " (not constant-time)"


def ghash_mark(ghash: Ghash) -> str:
    """The text after a multiplier's name: RAM of a key, and when it is constant-time."""
    if ghash.constant_time:
        when = "constant-time"
    elif ghash.constant_time_multiply or ghash.constant_time_multiply_low:
        when = "constant-time where multiplication is"
    else:
        when = "not constant-time"
    return f" ({ghash.key_bytes} bytes in a key, {when})"


def menus(kconfig: str) -> str:
    """Kconfig with its menus renewed."""
    menus = {
        "Cores": [entry("CORE", one, core_mark(one), kconfig) for one in cores()],
        "Modes": [entry("MODE", one, "", kconfig) for one in modes()],
        "GHASH multipliers": [entry("GHASH", one, ghash_mark(one), kconfig) for one in ghashes()],
    }
    for title, entries in menus.items():
        found = re.search(_MENU.format(title), kconfig, re.DOTALL)
        if found is None:
            raise SystemExit(f"list_cores: {KCONFIG} has no menu {title!r}")
        kconfig = kconfig[: found.end(1)] + "".join(entries) + kconfig[found.end() :]
    return kconfig


def texts() -> Iterator[tuple[Path, str]]:
    """The files, renewed."""
    rows, page = "".join(map(row, cores())), TABLE.read_text(encoding="utf-8")
    yield TABLE, _ROWS.sub(lambda _: rows, page)
    modes_told, page = "".join(map(mode_row, modes())), REFERENCE.read_text(encoding="utf-8")
    yield REFERENCE, _MODE_ROWS.sub(lambda _: modes_told, page)
    yield KCONFIG, menus(KCONFIG.read_text(encoding="utf-8"))


def main() -> None:
    """Write them."""
    for path, text in texts():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
