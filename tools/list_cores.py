# SPDX-License-Identifier: MIT
"""Write the cores' and GHASH multipliers' own summaries into docs/cores.md and Kconfig.

The table of docs/cores.md and the menus "Cores" and "GHASH multipliers" of lib/Kconfig follow the
registers, with the summary and the figures of each struct.  Build the library first; tests compare
both.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from aesfit.catalog import Core, Ghash, cores, ghashes

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "cores.md"
KCONFIG = ROOT / "lib" / "Kconfig"
_ROWS = re.compile(r"(?<=\|---\|---\|---\|---\|---\|---\|\n)(?:\| `\w+` \|.*\n)+")
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
    )
    return f"| {' | '.join(cells)} |\n"


def entry(kind: str, one: Core | Ghash, mark: str, kconfig: str) -> str:
    """An entry of Kconfig; its default and dependencies are kept from `kconfig`."""
    symbol = f"AESFIT_{kind}_{one.name.upper()}"
    before = re.search(_ENTRY.format(symbol), kconfig)
    kept = before[1] if before else ""
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
    """Kconfig with both menus renewed."""
    menus = {
        "Cores": [entry("CORE", one, core_mark(one), kconfig) for one in cores()],
        "GHASH multipliers": [entry("GHASH", one, ghash_mark(one), kconfig) for one in ghashes()],
    }
    for title, entries in menus.items():
        found = re.search(_MENU.format(title), kconfig, re.DOTALL)
        if found is None:
            raise SystemExit(f"list_cores: {KCONFIG} has no menu {title!r}")
        kconfig = kconfig[: found.end(1)] + "".join(entries) + kconfig[found.end() :]
    return kconfig


def texts() -> Iterator[tuple[Path, str]]:
    """Both files, renewed."""
    rows, page = "".join(map(row, cores())), TABLE.read_text(encoding="utf-8")
    yield TABLE, _ROWS.sub(lambda _: rows, page)
    yield KCONFIG, menus(KCONFIG.read_text(encoding="utf-8"))


def main() -> None:
    """Write both."""
    for path, text in texts():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
