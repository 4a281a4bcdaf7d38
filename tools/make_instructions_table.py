# SPDX-License-Identifier: MIT
"""Write docs/silicon.md's table of AES in software and by instructions on PicoRV32.

`python tools/make_instructions_table.py` runs every way's blocks on the processor's Verilog, each
output compared with the library's, and counts what the co-processors take.
"""

from pathlib import Path

from aesfit.hardware.families import FAMILIES
from aesfit.hardware.instructions import (
    INSTRUCTION_SETS,
    WITHOUT,
    block_cycles,
    co_processor,
    zkn_co_processor,
    zkn_cycles,
)
from aesfit.hardware.netlist import CellCounts

PAGE = Path(__file__).resolve().parent.parent / "docs" / "silicon.md"
_BEGIN, _END = "<!-- instructions -->\n", "<!-- end -->"
_OPS = ("encrypt-block", "decrypt-block")
_BOTH = INSTRUCTION_SETS[-1]
_HEAD = (
    "| AES-128 by | encryption | decryption |"
    + "".join(f" {family.name} |" for family in FAMILIES)
    + " RAM blocks |\n|---|---:|---:|"
    + "---:|" * len(FAMILIES)
    + "---:|\n"
)


def main() -> None:
    """Renew the page."""
    rows = [
        _row("software, `transposed`", [block_cycles("transposed", op, WITHOUT) for op in _OPS]),
        _row(
            "software, `ttable4_wide`", [block_cycles("ttable4_wide", op, WITHOUT) for op in _OPS]
        ),
        _row(
            "`pcpi_aes`, `transposed`",
            [block_cycles("transposed", op, _BOTH) for op in _OPS],
            [co_processor(_BOTH, family) for family in FAMILIES],
        ),
        _row(
            "`pcpi_zkn`, `zkn_rv32`",
            [zkn_cycles(op) for op in _OPS],
            [zkn_co_processor(family) for family in FAMILIES],
        ),
    ]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n{_HEAD}{''.join(rows)}\n{_END}{after}", encoding="utf-8")


def _row(way: str, cycles: list[int], cells: list[CellCounts] | None = None) -> str:
    """One line; software takes no cells."""
    luts = [f"{one.luts}" for one in cells or ()] or ["0"] * len(FAMILIES)
    rams = ", ".join(f"{one.ram_blocks}" for one in cells or ()) or "0"
    told = [f"{each:,}" for each in cycles]
    return f"| {' | '.join([way, *told, *luts, rams])} |\n"


if __name__ == "__main__":
    main()
