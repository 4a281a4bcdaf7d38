# SPDX-License-Identifier: MIT
"""Measure on the simulated processors, and print the tables into docs/soft-cpus.md.

One sets blocks on Ibex beside those on Ibex with bit manipulation.  The others are of the 1504-byte
packet: ECB, keys expanded for both directions together, as Parikh and Patel have it; one message is
encrypted and decrypted on each platform, with each core, for every number of wait states.  The
caches are empty before each of the three windows.  Figures are kept by content in the cache folder.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of, why_not
from aesfit.rigs.firing import firing_of
from aesfit.rigs.rtl.rig import machine_of, timed
from aesfit.store import closure
from aesfit.store.contents import cached, key

PAGE = Path(__file__).resolve().parent.parent / "docs" / "soft-cpus.md"
BYTES = 1504
PLATFORMS = (
    "vexriscv-nocache",
    "vexriscv-icache",
    "vexriscv-small",
    "vexriscv-cached",
    "picorv32",
)
CORES = ("equivalent_inverse", "transposed", "ttable1", "ttable4")
"""The paper's structure, and those that are quickest on one platform or another."""
GEOMETRY_CORES = ("equivalent_inverse", "transposed", "ttable4")
WAITS = range(21)
BITS = ("ibex-small", "ibex-maxperf")
"""Processors that are there with bit manipulation too."""
BITS_CORES = ("ttable4", "sbox_columns", "fixslice")
SHOWN = 10
"""Wait states of the tables that have one figure for each platform."""
WINDOWS = ("rig_key_setup", "rig_encrypt", "rig_decrypt")
PUBLISHED = {"key": (1.4, 0.14), "encrypt": (119.7, 11.2), "decrypt": (138.57, 12.86)}
"""Parikh and Patel, ms without and with cache."""


@dataclass(frozen=True)
class Packet:
    """Cycles of one packet."""

    key: int
    encrypt: int
    decrypt: int


def measured(platform: str, core: str, wait: int) -> Packet:
    """One packet, or what was kept of it."""
    job = Job(platform_named(platform), core, 128, "both", "ecb", BYTES, placement=Placement(wait))

    def make(target: Path) -> dict[str, object]:
        machine = machine_of(job)
        try:
            calls = timed(replace(firing_of(job), window=WINDOWS).fire(machine, 0))
        finally:
            machine.close()
        facts = asdict(Packet(*(call.cycles for call in calls)))
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    own = closure.digest(also=(Path(__file__),))
    return Packet(**cached(key("packet", rig_of(job.platform).key(job), own), ".json", make)[1])


Packets = dict[tuple[str, str, int], Packet]


def _one(asked: tuple[str, str, int]) -> Packet:
    found = measured(*asked)
    print(*asked, found, file=sys.stderr, flush=True)
    return found


def everything(workers: int) -> Packets:
    """Every platform, core and number of wait states."""
    asked = list(product(PLATFORMS, CORES, WAITS))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return dict(zip(asked, pool.map(_one, asked), strict=True))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' + '---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def packets_table(found: Packets) -> str:
    """Cycles and milliseconds on each platform at one number of wait states."""
    rows = []
    for platform, core in product(PLATFORMS, CORES):
        one, clock = found[platform, core, SHOWN], platform_named(platform).clock
        assert clock is not None  # noqa: S101 - the rig's platforms have one
        cycles = (one.key, one.encrypt, one.decrypt)
        shown = (f"{n:,} ({n / clock.value / 1000:.3g})" for n in cycles)
        rows.append([f"`{platform}`, {clock.value:g} MHz", f"`{core}`", *shown])
    return _table(["platform", "core", "key set-up", "encryption", "decryption"], rows)


def ratios_table(found: Packets) -> str:
    """Without caches over with both, the paper's structure, beside the paper's."""
    core, rows = CORES[0], []
    for wait in WAITS:
        bare, behind = (found[f"vexriscv-{name}", core, wait] for name in ("nocache", "cached"))
        pairs = [(getattr(bare, name), getattr(behind, name)) for name in PUBLISHED]
        cells = [f"{value:,}" for pair in pairs[1:] for value in pair]
        rows.append([str(wait), *cells, *(f"{slow / fast:.1f}" for slow, fast in pairs)])
    theirs = [f"{slow / fast:.1f}" for slow, fast in PUBLISHED.values()]
    times = [f"{value} ms" for name in ("encrypt", "decrypt") for value in PUBLISHED[name]]
    rows.append(["Parikh, Patel", *times, *theirs])
    head = ["wait states", "encryption, no cache", "4 + 4 KiB", "decryption, no cache", "4 + 4 KiB"]
    return _table([*head, "ratio: key", "encryption", "decryption"], rows)


def geometries_table(found: Packets) -> str:
    """Encryption without caches over encryption with some, by core."""
    names = PLATFORMS[1:4]
    rows = []
    for wait in WAITS[::2]:
        cells = [
            f"{found[PLATFORMS[0], core, wait].encrypt / found[name, core, wait].encrypt:.1f}"
            for core, name in product(GEOMETRY_CORES, names)
        ]
        rows.append([str(wait), *cells])
    columns = [f"`{core}`, {name[9:]}" for core, name in product(GEOMETRY_CORES, names)]
    return _table(["wait states", *columns], rows)


def bits_table() -> str:
    """Blocks on Ibex without and with bit manipulation, and what that saves."""
    asked = list(product(BITS, BITS_CORES, ("encrypt", "decrypt")))
    names = [(one, core, way) for name, core, way in asked for one in (name, f"{name}-b")]
    rows = measure([Job(platform_named(n), core, 128, f"{way}-block") for n, core, way in names])
    work = [(one.instructions or 0, one.cycles) for one in rows if isinstance(one, Row)]
    shown = []
    for (name, core, way), plain, bits in zip(asked, work[::2], work[1::2], strict=True):
        cells = [_saved(*pair) for pair in zip(plain, bits, strict=True)]
        shown.append([f"`{name}`", f"`{core}`, {way}ion", *cells[0], *cells[1]])
    head = ["platform", "block", "instructions", "with B", "saved", "cycles", "with B", "saved"]
    return _table(head, shown)


def _saved(before: float, after: float) -> tuple[str, str, str]:
    return f"{before:,.0f}", f"{after:,.0f}", f"{100 * (1 - after / before):.1f} %"


def main() -> int:
    """Measure and write the page's tables anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="simulations at once")
    parser.add_argument("--bits", action="store_true", help="only the table of bit manipulation")
    given = parser.parse_args()
    for name in (*BITS, *(f"{one}-b" for one in BITS), *(() if given.bits else PLATFORMS)):
        if reason := why_not(platform_named(name)):
            print(reason, file=sys.stderr)
            return 1
    tables = {"bits": bits_table()}
    if not given.bits:
        found = everything(given.workers)
        tables |= {
            "packets": packets_table(found),
            "ratios": ratios_table(found),
            "geometries": geometries_table(found),
        }
    return _write(tables)


def _write(tables: Mapping[str, str]) -> int:
    """Put each table behind its mark; the exit code."""
    page = PAGE.read_text(encoding="utf-8")
    for mark, table in tables.items():
        begin, end = f"<!-- {mark} -->\n", "<!-- end -->"
        page, times = re.subn(
            f"({re.escape(begin)}).*?({end})", rf"\g<1>\n{table}\n\g<2>", page, flags=re.DOTALL
        )
        if times != 1:
            print(f"{PAGE} has no place for the table of {mark}", file=sys.stderr)
            return 1
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
