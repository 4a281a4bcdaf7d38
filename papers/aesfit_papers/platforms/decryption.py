# SPDX-License-Identifier: MIT
"""Section II: decryption is straightforward, with encryption's keys, or equivalent, with its own.

The straightforward method undoes the steps one by one and takes the same keys in reverse order; the
equivalent one has the sequence of encryption, and keys of which all but the first and the last went
through InvMixColumns.  The paper chooses the second, so that keys are taken in the same order, and
does not compare their costs.

Ours: both methods from the same steps, those of the core `equivalent_inverse`, keys expanded for
both directions, on six 32-bit processors with the flags of their platform files, in cycles.

What differs: nothing can be held against figures, for there are none; what the choice costs is the
answer here.
"""

from collections.abc import Sequence

from aesfit import AES
from aesfit.building.build import compiler_version
from aesfit.jobs.job import Progress
from aesfit.jobs.message import made_up
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.decryption import KEY_BYTES, METHODS, Decrypted, Decryption
from aesfit_papers.judging.cells import figure, figures, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.provenance import rests_on
from aesfit_papers.judging.tables import number, table

NUMBER = "Section II"
TITLE = "Straightforward and equivalent decryption"
COLUMNS = (
    Column("platform"),
    Column("method"),
    Column("expansion", "cycles"),
    Column("block", "cycles"),
    Column("key_bytes", "B"),
    Column("shared_keys"),
    Column("other_keys"),
)
FAST = False
_PLATFORMS = ("arm7tdmi", "arm9tdmi", "cortex-m0plus", "cortex-m3", "rv32i", "rv32im-e31")
_STRAIGHT, _EQUIVALENT = METHODS
_KEY, _BLOCK = made_up("decryption key", 16), made_up("decryption block", 16)
_ROUND_KEY = 16
_KEYS = 11


def rows(progress: Progress) -> Measured:
    """Both methods everywhere; what comes out is compared with the library on this computer."""
    made: list[Row] = []
    told = []
    for done, name in enumerate(_PLATFORMS):
        progress(done, len(_PLATFORMS))
        platform = platform_named(name)
        built = Decryption(platform)
        for method in METHODS:
            ran = built.run(method, _KEY, _BLOCK)
            if ran.text != AES(_KEY).decrypt_block(_BLOCK):
                raise RuntimeError(f"{method} decryption on {name} is not the library's")
            same = _shared(ran)
            made.append(
                {
                    "platform": name,
                    "method": method,
                    "expansion": ran.expansion,
                    "block": ran.block,
                    "key_bytes": KEY_BYTES[method],
                    "shared_keys": same,
                    "other_keys": _KEYS - same,
                }
            )
        flags = " ".join((*platform.compiler.target, *platform.compiler.optimise))
        told.append(f"{name}: {compiler_version(platform)}; {flags}; {rests_on(platform)}")
    return Measured(made, tuple(told))


def _shared(ran: Decrypted) -> int:
    """How many of the keys for decryption are keys for encryption."""
    every = [ran.schedule[at : at + _ROUND_KEY] for at in range(0, len(ran.schedule), _ROUND_KEY)]
    return len(set(every[:_KEYS]) & set(every[-_KEYS:]))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Which keys both methods take."""

    def shared(method: str, column: str) -> dict[ClaimPlace, float]:
        return figures(rows, column, ("platform",), method=method)

    built = "Both methods were written after FIPS 197, 5.3 and 5.3.5."
    return [
        Claim("Straightforward decryption takes the keys of encryption (other keys).", "exact",
              shared(_STRAIGHT, "other_keys"), 0, by_construction=built),
        Claim("Of the equivalent method's keys only the first and the last are encryption's.",
              "exact", shared(_EQUIVALENT, "shared_keys"), 2, by_construction=built),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles of both, and what the choice costs."""
    cell = found(rows, "platform", "method")
    series = [
        Bars(f"{what}, {method}", [figure(cell(name, method)[column]) for name in _PLATFORMS])
        for column, what in (("block", "a block"), ("expansion", "keys"))
        for method in METHODS
    ]
    image = bars(_PLATFORMS, series, Scale("cycles"))
    shown = [("platform", "platform"), ("method", "method"), ("keys, both directions", "expansion"),
             ("a block", "block"), ("bytes of keys", "key_bytes")]  # fmt: skip
    over = {
        column: [
            figure(cell(name, _EQUIVALENT)[column]) / figure(cell(name, _STRAIGHT)[column])
            for name in _PLATFORMS
        ]
        for column in ("block", "expansion")
    }
    told = {column: f"{number(min(some))} to {number(max(some))}" for column, some in over.items()}
    return [
        Figure("Keys and a block by both methods", image, ".svg",
               "Bars: a block takes about as long by both, keys take several times as long by the "
               "equivalent method."),
        table("Cycles of both methods", rows, shown),
        Words(
            f"By the equivalent method a block takes {told['block']} times as long, and keys for "
            f"both directions {told['expansion']} times, in twice the memory: with S-boxes alone "
            "its order of steps gains nothing in software. It pays with tables that hold "
            "InvSubBytes and InvMixColumns together, and in hardware whose datapath serves both "
            "directions."
        ),
    ]  # fmt: skip
