# SPDX-License-Identifier: MIT
"""Write docs/power.md's table: t-test and attack of every core of the product, in the model.

`python tools/make_power_table.py` traces each core that competes on three processors.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named
from aesfit.power.study import PowerFound, core_power

PAGE = Path(__file__).resolve().parent.parent / "docs" / "power.md"
PLATFORMS = ("cortex-m3", "cortex-m0plus", "rv32im-e31")
NOISE = 2.0
TRACES = 1000
_BEGIN, _END = "<!-- power -->\n", "<!-- end -->"
_HEAD = (
    "| platform | core | instructions | points | failing | first within | key by CPA | SNR |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|\n"
)


def main() -> int:
    """Renew the page."""
    asked = [(name, core.name) for name in PLATFORMS for core in cores_for(platform_named(name))]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        rows = list(pool.map(_row, asked))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n{_HEAD}{''.join(rows)}\n{_END}{after}", encoding="utf-8")
    return 0


def _row(asked: tuple[str, str]) -> str:
    """One line; a core whose paths depend on data has none of the figures."""
    name, core = asked
    print(f"{core} on {name}", file=sys.stderr, flush=True)
    try:
        found = core_power(
            platform_named(name), core, ("ttest", "cpa"), traces=TRACES, noise=NOISE
        )  # fmt: skip
    except (RuntimeError, ValueError) as error:
        return f"| `{name}` | `{core}` | not traced: {error} | | | | | |\n"
    return _line(found)


def _line(found: PowerFound) -> str:
    attack = found.attack
    needed = f"> {TRACES:,}" if attack is None or attack.needed is None else f"{attack.needed:,}"
    first = "-" if found.failed_at is None else f"{found.failed_at:,}"
    ratio = 0.0 if attack is None else attack.snr
    return (
        f"| `{found.platform}` | `{found.name}` | {found.instructions:,} | "
        f"{sum(found.points.values()):,} | {found.failing_points:,} | {first} | {needed} | "
        f"{ratio:.2g} |\n"
    )


if __name__ == "__main__":
    sys.exit(main())
