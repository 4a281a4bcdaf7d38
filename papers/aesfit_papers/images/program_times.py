# SPDX-License-Identifier: MIT
"""Sections 4 and 5 on the program that was found by its code sizes: what optimisation gains it.

Functions gain 20, 30, 21 and 13 %, encrypt() 20 to 30 %, and 13, 12 and 20 % where every other
round, two of four, or all are optimised; MixColumns takes more time than all others together.

Ours: the program that is nearest to table 2 by its sizes, and the ten next (images_program_sizes),
at the level that the sizes tell, on six emulated 32-bit processors.  Each function is run on the
state of FIPS 197's example, checked, and priced; a block is the sum over its calls.

What differs: the processors, and the frame around the functions, which is left out.  The same
sentences are judged on the paper's samples and with mul() (images_gains, images_product_or_table),
so that they are not counted again here: the rule's words on all eleven programs are shown.
"""

from collections.abc import Mapping, Sequence

from aesfit.building.build import compiler_version
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.code_sizes import with_flags
from aesfit_papers.instruction_counts.shapes import ShapesRun
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, ResultTable, Row
from aesfit_papers.judging.images import CALLS, PLATFORMS, SAVED, STEPS, block_optimised
from aesfit_papers.judging.place import ClaimPlace, in_row
from aesfit_papers.judging.program import AFTER, BEFORE, Program, nearest
from aesfit_papers.judging.provenance import rests_on
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.told import bound, span, verdict_told
from aesfit_papers.judging.verdict import judge

NUMBER = "Section 4, the program"
TITLE = "What optimisation gains the program that was found by its sizes"
COLUMNS = (
    Column("platform"),
    Column("program"),
    Column("flags"),
    Column("function"),
    Column("plain_shape"),
    Column("optimised_shape"),
    Column("plain", "cycles"),
    Column("optimised", "cycles"),
)
FAST = False
_MIX = "MixColumns"
_KEY = bytes.fromhex("a0fafe1788542cb123a339392a6c7605")
_BLOCKS = {
    "AddRoundKey": "046681e5e0cb199a48f8d37a2806264c a49c7ff2689f352b6b5bea43026a5049",
    "SubBytes": "193de3bea0f4e22b9ac68d2ae9f84808 d42711aee0bf98f1b8b45de51e415230",
    "ShiftRows": "d42711aee0bf98f1b8b45de51e415230 d4bf5d30e0b452aeb84111f11e2798e5",
    _MIX: "d4bf5d30e0b452aeb84111f11e2798e5 046681e5e0cb199a48f8d37a2806264c",
}
"""FIPS 197, appendix B, round 1: before and after each function."""
_GAINS = {"AddRoundKey": 0.21, "SubBytes": 0.20, "ShiftRows": 0.30, _MIX: 0.13}


def rows(progress: Progress) -> Measured:
    """Each function of each program everywhere."""
    programs = nearest()
    made: list[Row] = []
    told = []
    for done, name in enumerate(PLATFORMS):
        progress(done, len(PLATFORMS))
        (level,) = {level for level, _ in programs}
        platform = with_flags(platform_named(name), (level,))
        wanted = {
            one[form, step] for _, one in programs for form in (BEFORE, AFTER) for step in STEPS
        }
        cycles = _cycles(ShapesRun(platform, sorted(wanted)), programs)
        for number, (_, shapes) in enumerate(programs, 1):
            made += [
                {"platform": name, "program": number, "flags": level, "function": step,
                 "plain_shape": shapes[BEFORE, step], "optimised_shape": shapes[AFTER, step],
                 "plain": cycles[shapes[BEFORE, step]],
                 "optimised": cycles[shapes[AFTER, step]]}
                for step in STEPS
            ]  # fmt: skip
        target = " ".join((*platform.compiler.target, level))
        told.append(f"{name}: {compiler_version(platform)}; {target}; {rests_on(platform)}")
    return Measured(made, tuple(told))


def _cycles(run: ShapesRun, programs: Sequence[Program]) -> dict[str, int]:
    """Of a call of each shape; RuntimeError if one computes something else."""
    found: dict[str, int] = {}
    for _, shapes in programs:
        for step in STEPS:
            before, after = map(bytes.fromhex, _BLOCKS[step].split())
            for shape in (shapes[form, step] for form in (BEFORE, AFTER)):
                if shape not in found:
                    found[shape], left = run.run(shape, before, _KEY)
                    if left != after:
                        raise RuntimeError(f"{shape} is not {step}")
    return found


Block = Mapping[str, Pair]
"""By function: cycles of a call optimised, against plain."""


def _blocks(rows: Sequence[Row]) -> Mapping[ClaimPlace, Block]:
    """By place: a program on a processor."""
    made: dict[ClaimPlace, dict[str, Pair]] = {}
    for row in rows:
        at = in_row(row, "program", "platform")
        pair = Pair(figure(row["optimised"]), figure(row["plain"]))
        made.setdefault(at, {})[str(row["function"])] = pair
    return made


def claims(rows: Sequence[Row]) -> list[Claim]:
    """None: these sentences are judged elsewhere, and counted once."""
    del rows
    return []


def tried(rows: Sequence[Row]) -> list[Claim]:
    """Gains of each function, of the whole, and of the three levels."""
    blocks = _blocks(rows)
    by_code = {
        code: {at: block_optimised(code, one) for at, one in blocks.items()} for code in SAVED
    }
    share = {
        at: Pair(CALLS[_MIX] * one[_MIX].b,
                 sum(many * one[step].b for step, many in CALLS.items() if step != _MIX))
        for at, one in blocks.items()
    }  # fmt: skip
    return [
        Claim("In the program found MixColumns takes more time than all other functions together.",
              "order", share),
        *(Claim(f"In the program found {step} gains {100 * gain:.0f} %.", "effect",
                {at: one[step] for at, one in blocks.items()}, gain, "saved")
          for step, gain in _GAINS.items()),
        Claim("In the program found encrypt() gains 20 to 30 %.", "range", by_code["OptF"],
              (0.20, 0.30), "saved"),
        *(Claim(f"In the program found {code} takes {100 * gain:.0f} % less time.", "effect",
                by_code[code], gain, "saved") for code, gain in SAVED.items()),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles of a call in the nearest program, and the rule's words on all."""
    best = [row for row in rows if row["program"] == 1]
    shown = [(name.replace("_", " "), name)
             for name in ("platform", "function", "plain", "optimised")]  # fmt: skip
    lines = []
    for claim in tried(rows):
        verdict = judge(claim, "images_program_times")
        told = (bound(claim), span(claim, verdict), verdict_told(verdict))
        lines.append((claim.sentence, *told))
    note = "Eleven programs on six processors; shown, and not counted."
    return [
        table("Cycles of a call in the nearest program", best, shown),
        ResultTable("By the rule", ("claim", "asked", "found", "word"), tuple(lines), note),
    ]
