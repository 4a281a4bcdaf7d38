# SPDX-License-Identifier: MIT
"""`aesfit silicon --energy`; separate, because it simulates a processor's gates."""

from ..hardware.designs import Design
from ..hardware.energy import PACKET_BYTES, TECHNOLOGY, EnergyRow, energy_rows
from .common import Align, console, print_json, print_table, print_text, progress_bar
from .records import check_form, print_csv

COLUMNS: tuple[tuple[str, Align], ...] = (
    *(("design", "<"), ("kind", "<"), ("cells", ">"), ("cycles", ">"), ("changes/cycle", ">")),
    *(("mW", ">"), ("MHz possible", ">"), ("pJ/bit", ">"), ("uJ/packet", ">")),
)


def _cells(row: EnergyRow) -> list[str]:
    return [
        *(row.design, row.kind, f"{row.cells}", f"{row.cycles_per_block:g}"),
        *(f"{row.changes_per_cycle:.2f}", f"{row.watts * 1e3:.1f}", f"{row.mhz_possible:.0f}"),
        *(f"{row.pj_per_bit:,.0f}", f"{row.uj_per_packet:,.2f}"),
    ]


def _print(found: list[EnergyRow]) -> None:
    out = console()
    print_table(out, COLUMNS, [_cells(row) for row in found], ("MHz possible",))
    best = {
        kind: min((row for row in found if row.kind == kind), key=lambda row: row.pj_per_bit)
        for kind in ("hardware", "software")
    }
    times = best["software"].pj_per_bit / best["hardware"].pj_per_bit
    for sentence in (
        f"{best['software'].design} takes {times:.0f} times the energy of "
        f"{best['hardware'].design}.",
        f"A proxy ({TECHNOLOGY}): it compares these rows with each other and tells nothing of an "
        "FPGA or of another process.",
        "In: gates, flip-flops and their leakage, while random blocks are encrypted under AES-128; "
        "ROMs, such as tables of S-boxes, are logic here.",
        "Out: synchronous RAM (of a core its round keys and blocks, of the processor its program "
        "and data), wires, clock buffers, glitches, key set-up.",
        f"uJ/packet: {PACKET_BYTES} bytes as {PACKET_BYTES // 16} blocks.",
    ):
        print_text(out, sentence)


def show(designs: tuple[Design, ...], *, json: bool, csv: bool, fresh: bool) -> None:
    """Measure and print, as a table, JSON or CSV."""
    with progress_bar("simulating gates", quiet=check_form(json, csv)) as progress:
        found = energy_rows(designs, progress, fresh=fresh)
    if json or csv:
        (print_csv if csv else print_json)([row.json() for row in found])
        return
    _print(found)
