# SPDX-License-Identifier: MIT
"""Writes the headers of lib/src/assembly from the schedules in tools/assemble/orders.

    python tools/make_assembly.py                        the headers, from the schedules (seconds)
    python tools/make_assembly.py --search encrypt1 ...  new schedules of these pieces (minutes)

tools/assemble/README.md says how.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the timing models, of this copy of the project

from assemble import fixslice_armv7m, ttable1_armv4, ttable1_armv7m  # noqa: E402
from assemble.fixslice import pieces  # noqa: E402
from assemble.fixslice_armv7m import SCHEDULES  # noqa: E402
from assemble.search import Found, checked, load, save, search  # noqa: E402

FOLDER = ROOT / "lib" / "src" / "assembly"
HEADERS = {
    "fixslice_armv7m": fixslice_armv7m.header,
    "ttable1_armv4": ttable1_armv4.header,
    "ttable1_armv7m": ttable1_armv7m.header,
}
"""By core, the text of its header."""


def renew(names: list[str], seed: int) -> None:
    """Searches for schedules, and keeps those that take fewer cycles than before."""
    programs, kept = pieces(), load(SCHEDULES)
    for name in names:
        found = search(programs[name], seed)
        cycles = checked(programs[name], found)
        before = checked(programs[name], kept[name].schedule)
        print(f"{name}: {cycles} cycles, before {before}", flush=True)
        if cycles < before:
            kept[name] = Found(seed, tuple(found))
            save(SCHEDULES, kept)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--search", nargs="+", default=[], metavar="piece", choices=[*pieces()])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    renew(arguments.search, arguments.seed)
    for name, header in HEADERS.items():
        (FOLDER / f"{name}.h").write_text(header(), encoding="utf-8")


if __name__ == "__main__":
    main()
