# SPDX-License-Identifier: MIT
"""Write the table of the README that says which core wins on ten chips.

Every row is the answer of `aesfit fit --platform CHIP --mode ccm --bytes 1504`, once as it is and
once with `--timing any`.  Figures come from the atlas, and
what it lacks is measured.  Run it after `make atlas`: `python tools/make_winners.py`.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import aesfit
from aesfit import rigs
from aesfit.api.arguments import cores_on
from aesfit.measuring.evidence import evidence_cell
from aesfit.platforms.find import platform_named

README = Path(__file__).resolve().parent.parent / "README.md"
CHIPS = (
    "stm32f030",
    "samd21",
    "rp2040",
    "stm32f103",
    "stm32f407",
    "stm32g431",
    "nrf52840",
    "rp2350",
    "fe310",
    "at91sam7s256",
)
"""Ten common chips, by processor: two Cortex-M0, M0+, M3, M4, M33, RISC-V, ARM7TDMI."""
HEAD = (
    "| chip | processor | independent of the key | evidence | Mbit/s | flash "
    "| any timing | Mbit/s | flash |\n"
    "|---|---|---|---|--:|--:|---|--:|--:|\n"
)
_TABLE = re.compile(r"(?<=<!-- winners -->\n\n)(?:\|.*\n)+")


def why_not() -> str | None:
    """None if every compiler that the chips need is installed; otherwise one sentence."""
    platforms = (platform_named(chip) for chip in CHIPS)
    return next(filter(None, map(rigs.why_not, platforms)), None)


def line(chip: str, cores: Sequence[str] | None = None) -> str:
    """A row of the table; `cores`: only these compete."""
    platform = platform_named(chip)
    assert platform.chip is not None  # noqa: S101 - CHIPS are chips
    processor = platform_named(platform.chip.processor).title
    names = cores_on(platform, cores or ())
    (safe, evidence, *figures), (fastest, _, *others) = (
        _winner(chip, names, timing) for timing in (None, "any")
    )
    cells = (platform.title, processor, safe, evidence, *figures, fastest, *others)
    return f"| {' | '.join(cells)} |\n"


def _winner(chip: str, cores: Sequence[str], timing: str | None) -> tuple[str, ...]:
    """Its name and evidence, Mbit/s of payload at the chip's highest clock, and bytes of flash."""
    answer = aesfit.fit(chip, mode="ccm", payload_bytes=1504, cores=cores, timing=timing)
    best = answer.choice.winner
    if best is None:
        raise SystemExit(f"make_winners: no core of {', '.join(cores)} runs on {chip}")
    clock = platform_named(chip).clock
    assert clock is not None  # noqa: S101 - every chip has one
    rate = 8 * 1504 * clock.value / best.row.cycles
    told = evidence_cell(best.row.secrecy)
    return f"`{best.name}`", told, f"{rate:.3g}", f"{best.row.flash_bytes:,}"


def table(readme: str, rows: str) -> str:
    """The README with these rows."""
    return _TABLE.sub(lambda _: HEAD + rows, readme)


def main() -> None:
    """Write the table; what the atlas lacks is measured."""
    rows = "".join(map(line, CHIPS))
    README.write_text(table(README.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
