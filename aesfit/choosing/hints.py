# SPDX-License-Identifier: MIT
"""What would make a core fit that only a limit of flash or RAM keeps from winning, measured."""

from collections.abc import Iterator
from dataclasses import replace

from ..jobs.job import Progress
from ..rigs.rig import RigUnavailableError
from ..units import count
from .field import field_of
from .ranking import Candidate, Choice, choose, order_of, too_weak
from .request import Flags, Limits, Request

_SMALL = ("-Os",)
_EVIDENCE = {"proved": ", proved independent of the key", "independent": ", not proved"}


def hints_of(choice: Choice, fresh: bool, progress: Progress) -> tuple[str, ...]:
    """A sentence for each way that helps; none where no limit of sizes decides."""
    wanted = _wanted(choice)
    if wanted is None:
        return ()
    try:
        return tuple(_helping(choice.request, wanted, fresh, progress))
    except RigUnavailableError as error:
        return (f"What would make {wanted.title} fit was not measured: {error}",)


def _wanted(choice: Choice) -> Candidate | None:
    """The core that would win without limits of sizes; None where it wins with them."""
    request = choice.request
    free = replace(request, limits=Limits(timing=request.limits.timing))
    able = [one for one in choice.candidates if not too_weak(free.limits, one.row)]
    best = min(able, key=lambda one: order_of(free, one), default=None)
    return None if best is None or best in choice.ranking else best


def _ways(request: Request, wanted: Candidate) -> Iterator[tuple[str, Request, Flags]]:
    """What else could be asked of the same core."""
    if not request.only_encrypts:
        alone = replace(request, encrypt_only=True)
        yield "in firmware that only encrypts (--encrypt-only)", alone, wanted.flags
    if request.platform.rig != "published" and wanted.flags != _SMALL:
        yield "compiled for size (--flags -Os)", request, _SMALL


def _helping(request: Request, wanted: Candidate, fresh: bool, progress: Progress) -> Iterator[str]:
    flash, ram = request.sizes
    for way, asked, flags in _ways(request, wanted):
        found = field_of(asked, [wanted.name], (flags,), fresh=fresh, progress=progress)
        best = choose(asked, found.asked, found.usable(), found.modelled(asked)).winner
        if best is not None:
            sizes = (
                f"{count(best.row.flash_bytes)} bytes of {flash}, "
                f"{count(best.row.ram_bytes)} of {ram}, {count(best.row.cycles)} cycles"
            )
            yield f"{wanted.title} fits {way}: {sizes}{_EVIDENCE.get(best.row.secrecy.kind, '')}."
