# SPDX-License-Identifier: MIT
"""Measure the drop-in itself: compiled as a file of its own, and called from another.

Figures are those of the very C that is handed out, under the library's names, which are as long as
any and change no instruction.  Only rigs whose figures repeat have a say in files that must be the
same each time they are made.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ..building import build
from ..building.unit import DropIn
from ..catalog import MODES
from ..jobs.job import Placement, Progress
from ..measuring.measure import Refusal
from ..measuring.measure import measure as measure_jobs
from .choice import DropInChoice, public_functions
from .figures import Figures, Flash
from .source import files

_LIBRARY = "aesfit"
_FOR_SIZE = ("-Os",)
Flags = tuple[str, ...] | None


def operations(choice: DropInChoice, mode: str) -> tuple[str, ...]:
    """The operations measured in each mode."""
    backward = MODES[mode].verifies and not choice.encrypt_only
    return ("key-setup", "encrypt", *(["decrypt"] if backward else []))


def jobs(
    choice: DropInChoice,
    size: int = 1504,
    flags: Flags = None,
    placement: Placement = Placement(),  # noqa: B008 - frozen
) -> list[DropIn]:
    """The jobs for the rig: every operation for each mode and key size."""
    if choice.platform is None:
        raise ValueError("a drop-in is measured on a platform; name one")
    made = files(replace(choice, prefix=_LIBRARY), apart=False)  # the rig knows tables by name
    header = made[f"{_LIBRARY}.h"]
    source = made[f"{_LIBRARY}.c"].replace(f'#include "{_LIBRARY}.h"\n', header)
    return [
        DropIn(
            platform=choice.platform,
            core=choice.core,
            key_bits=bits,
            op=op,
            mode=mode,
            bytes=size,
            flags=flags,
            ghash=choice.ghash,
            placement=placement,
            source=source,
            header=header,
        )
        for mode, bits in product(choice.modes, choice.key_bits)
        for op in operations(choice, mode)
    ]


def measure(
    asked: Sequence[DropIn],
    choice: DropInChoice,
    *,
    fresh: bool = False,
    progress: Progress = lambda done, total: None,
) -> Figures:
    """Run jobs(), and messages optimised for size; RuntimeError if one cannot be measured."""
    small = [replace(one, flags=_FOR_SIZE) for one in asked if one.op != "key-setup"]
    small = [] if _optimised(asked[0]) == _FOR_SIZE else small
    rows = []
    for result in measure_jobs([*asked, *small], fresh=fresh, progress=progress):
        if isinstance(result, Refusal):
            raise RuntimeError(f"{result.job.mode} {result.job.op}: {result.reason}")
        rows.append(result)
    every, sizes = tuple(rows), _sizes(small[-1], _called(choice)) if small else None
    flash = sizes.code_bytes + sizes.table_bytes if sizes else 0
    return Figures(every[: len(asked)], _flash(asked, choice), every[len(asked) :], flash)


def _optimised(job: DropIn) -> tuple[str, ...]:
    return job.platform.compiler.optimise if job.flags is None else job.flags


def _called(choice: DropInChoice) -> tuple[str, ...]:
    """The public functions that are measured, by name."""
    bare = replace(choice, self_test=False, streaming=False, all_functions=False)
    return tuple(name for name in public_functions(bare) if not name.endswith("_wipe"))


def _flash(asked: Sequence[DropIn], choice: DropInChoice) -> Flash:
    """Flash of an image with all measured functions, and what the others add."""
    some, every = (
        _sizes(asked[-1], roots) for roots in (_called(choice), public_functions(choice))
    )
    held = some.code_bytes + some.table_bytes
    return Flash(some.code_bytes, some.table_bytes, every.code_bytes + every.table_bytes - held)


def _sizes(job: DropIn, roots: tuple[str, ...]) -> build.Sizes:
    return build.build(replace(job, roots=roots)).sizes
