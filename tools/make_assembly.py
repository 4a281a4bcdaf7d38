# SPDX-License-Identifier: MIT
"""Writes the headers of lib/src/assembly from the schedules in tools/assemble/orders.

    python tools/make_assembly.py                          all headers, from the schedules (seconds)
    python tools/make_assembly.py --core fixslice_armv4 --search encrypt1 ...
                                                new schedules of these pieces of a core (minutes)

tools/assemble/README.md says how.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the timing models of this checkout

from assemble import cores  # noqa: E402
from assemble.ghash_armv7m import ByPairs  # noqa: E402
from assemble.search import Found, load, save  # noqa: E402

HEADERS = ROOT / "lib" / "src" / "assembly"
CORES = cores.CORES | cores.MULTIPLIERS
SEARCHED = cores.SEARCHED | {
    name: one for name, one in cores.MULTIPLIERS.items() if hasattr(one, "searched")
}


def renew(core: ModuleType | ByPairs, names: list[str], seed: int) -> None:
    """Search for schedules, and keep those that take fewer cycles than before."""
    kept = load(core.SCHEDULES)
    for name in names:
        found = core.searched(name, seed)
        cycles = core.cost(name, found)
        before = core.cost(name, kept[name].schedule) if name in kept else None
        print(f"{name}: {cycles} cycles, before {before}", flush=True)
        if before is None or cycles < before:
            kept[name] = Found(seed, tuple(found))
            save(core.SCHEDULES, kept)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--core", choices=[*CORES], help="Only this core.")
    parser.add_argument("--search", nargs="+", default=[], metavar="piece")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.search and arguments.core not in SEARCHED:
        parser.error(f"--search needs --core, one of {', '.join(SEARCHED)}")
    for name in [arguments.core] if arguments.core else [*CORES]:
        unknown = [one for one in arguments.search if one not in SEARCHED[name].programs()]
        if unknown:
            known = " ".join(SEARCHED[name].programs())
            parser.error(f"{name} has no piece {unknown[0]}; its pieces are {known}")
        if arguments.search:
            renew(SEARCHED[name], arguments.search, arguments.seed)
        (HEADERS / f"{name}.h").write_text(CORES[name].header(), encoding="utf-8")


if __name__ == "__main__":
    main()
