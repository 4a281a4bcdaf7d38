# SPDX-License-Identifier: MIT
"""Write what cores say of themselves where people and Kconfig read it.

The table of the README and the menu "Cores" of lib/Kconfig follow the register, with the summary
and the figures of each core's struct.  Build the library first; tests compare both.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from aesfit.catalog import Core, cores

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
KCONFIG = ROOT / "lib" / "Kconfig"
_ROWS = re.compile(r"(?<=\|---\|---\|---\|---\|---\|---\|\n)(?:\| `\w+` \|.*\n)+")
_MENU = re.compile(r'(menu "Cores"\n.*?\n\n).*?(?=    endmenu)', re.DOTALL)
_ENTRY = r"config {}\n.*\n((?: +(?!help).*\n)*) +help\n"


def row(core: Core) -> str:
    """A line of the README's table."""
    cells = (
        f"`{core.name}`",
        core.summary,
        f"{core.table_bytes} / {core.table_bytes_decrypt}",
        str(core.lanes),
        "on the fly" if core.on_the_fly_keys else "unrolled",
        "yes" if core.constant_time else "",
    )
    return f"| {' | '.join(cells)} |\n"


def entry(core: Core, kconfig: str) -> str:
    """An entry of Kconfig; a default and what it depends on stay as they are in `kconfig`."""
    symbol = f"AESFIT_CORE_{core.name.upper()}"
    before = re.search(_ENTRY.format(symbol), kconfig)
    kept = before[1] if before else ""
    mark = "" if core.constant_time else " (not constant-time)"
    lines = f'config {symbol}\n    bool "{core.name}{mark}"\n'
    indented = re.sub(r"^", "        ", lines, flags=re.MULTILINE).rstrip(" ")
    return f"{indented}{kept}            help\n                {core.summary}.\n\n"


def texts() -> Iterator[tuple[Path, str]]:
    """Both files as they should be."""
    rows, readme = "".join(map(row, cores())), README.read_text(encoding="utf-8")
    yield README, _ROWS.sub(lambda _: rows, readme)
    kconfig = KCONFIG.read_text(encoding="utf-8")
    entries = "".join(entry(core, kconfig) for core in cores())
    yield KCONFIG, _MENU.sub(lambda menu: menu[1] + entries, kconfig)


def main() -> None:
    """Write both."""
    for path, text in texts():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
