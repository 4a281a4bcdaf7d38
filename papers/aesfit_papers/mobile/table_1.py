# SPDX-License-Identifier: MIT
"""Table 1: the final implementation encrypts a block more than 3 times as fast as V1.

The table has minimum and average of 100 runs on an emulated phone: 323 and 545 us against 1200 and
3400 us.

Ours: the cores `mobile` and `compact`, written after the paper's description of both, at four
optimisation levels on four emulated ARM processors.

What differs: the paper gives neither code nor optimisation level.  Its third table of 256 bytes,
"for the construction of finite field elements", holds 2 x here.  The code that the paper starts
from, Gladman's, has three lists of 256 bytes in its source, the third "for forming finite field
tables": of these a compiler makes eight tables, and the experiment on single steps has them too.
Times of the paper's emulator mean nothing in themselves; ratios are the claim.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.file_bench import javed
from aesfit_papers.judging import mobile
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Measured, Part, Row

NUMBER = "Table 1"
TITLE = "A block, final implementation and V1"
COLUMNS = mobile.COLUMNS
FAST = False
_WHAT = "a block"


def rows(progress: Progress) -> Measured:
    """Encryption of a block, keys expanded before."""
    return mobile.run("encrypt-block", javed.BLOCK, progress)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The headline and the ratios of the table."""
    arm7 = {str(row["flags"]): row for row in rows if row["platform"] == mobile.PLATFORMS[0]}
    slow = figure(arm7["-O0"]["final"]) / figure(arm7["-O2"]["final"])
    lost = {core: 1 - figure(arm7["-O3"][core]) / figure(arm7["-O2"][core])
            for core in ("final", "v1")}  # fmt: skip
    third = (
        "The final implementation reads 2 x from a table where the paper's may read 2 S(x): its "
        "three tables have the names of the three lists in Gladman's source, of which a compiler "
        "makes eight tables. With those the claim is judged in the experiment on single steps. "
    )
    levels = (
        "At -O0 the final implementation's registers are in memory like all else, and it takes "
        f"{slow:.1f} times its cycles of -O2 on ARM7TDMI. From -O2 to -O3 it loses "
        f"{100 * lost['final']:.0f} % of them there, and V1, whose loops over bytes the compiler "
        f"inlines and unrolls, {100 * lost['v1']:.0f} %."
    )
    spread = (
        "The paper's averages are 1.7 and 2.8 times its minima, and it does not say why; "
        "emulated cycles have no such spread."
    )
    return [
        Claim("The final implementation is more than 3 times as fast.", "at least",
              mobile.ratios(rows), 3, cause="our code differs", why=third + levels),
        *mobile.ratio_claims(rows, _WHAT, javed.BLOCK, (third + levels, spread),
                             "our code differs"),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles and ratios."""
    return mobile.parts(rows, _WHAT, javed.BLOCK)
