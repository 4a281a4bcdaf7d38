# SPDX-License-Identifier: MIT
"""What the choice is made from: rows of every core, and the coefficients that bursts need.

It depends on what runs, and not on limits, objective, burst lengths, caches or key changes: who
moves a slider over one of these measures nothing anew.
"""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from ..atlas.look_up import known
from ..atlas.origin import AtlasOrigin
from ..cachemodel.question import Version
from ..cachemodel.versions import UnmeasuredError, versions
from ..catalog import core_named
from ..jobs.job import Job, Progress, Provenance, Row
from ..jobs.secrecy import Timing
from ..measuring.measure import Refusal, Result
from ..platforms.platform import Platform
from ..rigs.rig import RigUnavailableError
from .answered import answered
from .mix import mean_results
from .pricing import Modelled
from .request import BLOCK, BLOCK_BYTES, Flags, Request, jobs

Variant = tuple[str, Flags]
"""A core by name, and its flags."""


@dataclass(frozen=True)
class Field:
    """Every core that was asked for, as it was measured."""

    asked: tuple[Job, ...]
    results: tuple[Result, ...]
    """In the order of `asked`."""
    versions: Mapping[Variant, Version | str] = field(default_factory=dict)
    """In bursts: the model's coefficients, or why there are none."""
    origin: AtlasOrigin | None = None
    """Of results from the atlas; None where all were measured here."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the atlas, a sentence each."""
    unmeasured: tuple[str, ...] = ()
    """Cores that were asked for and would have to be measured, which was not to be done."""
    about: Hashable = None
    """What it depends on (measured_by)."""

    def with_others(self, others: Sequence[tuple[Job, Row]]) -> "Field":
        """The same with rows that were measured elsewhere."""
        jobs, rows = tuple(job for job, _ in others), tuple(row for _, row in others)
        return replace(self, asked=(*self.asked, *jobs), results=(*self.results, *rows))

    def modelled(self, request: Request) -> dict[Variant, Modelled]:
        """What the model needs of each variant, behind the caches of the request."""
        if request.bursts is None:
            return {}
        return {
            variant: Modelled(version, request.hierarchy)
            for variant, version in self.versions.items()
            if isinstance(version, Version)
        }

    def usable(self) -> list[Result]:
        """The results; those of a variant without coefficients are refused with the reason."""
        return [
            Refusal(job, why) if isinstance(why, str) else result
            for job, result in zip(self.asked, self.results, strict=True)
            for why in [self.versions.get((job.core, job.flags))]
        ]


class _How(NamedTuple):
    """How rows are come by."""

    fresh: bool
    """Measure all, whatever is stored."""
    only_known: bool
    """Measure nothing."""


def measured_by(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[Flags] = (None,),
    text: Path | None = None,
) -> Hashable:
    """What a field depends on: where it is equal, one field answers both questions."""
    platform = request.counted_on
    placed = (platform.name, platform.sha256, platform.memories)  # a clock sets wait states
    asked = (request.mode, request.bytes, request.packets, request.key_bits, request.placement)
    built = (request.ops, request.ghashes, tuple(cores), tuple(variants), text)
    return placed, request.bursts is not None, asked, built


def field_of(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[Flags] = (None,),
    *,
    text: Path | None = None,
    fresh: bool = False,
    only_known: bool = False,
    progress: Progress = lambda done, total: None,
) -> Field:
    """Measure the cores, each with every variant of flags; `text`: a file to encrypt.

    Takes seconds where nothing is stored.  RigUnavailableError says what is missing.
    `only_known`: measure nothing, and leave out cores whose figures are neither in the atlas nor
    stored.
    """
    how = _How(fresh, only_known)
    if request.packets:
        found = _of_mix(request, cores, variants, how, progress)
    else:
        found = _of_one_size(request, cores, variants, text, how, progress)
    if found.unmeasured:
        rest = [core for core in cores if core not in found.unmeasured]
        known = field_of(request, rest, variants, text=text, only_known=True)
        found = replace(known, unmeasured=(*found.unmeasured, *known.unmeasured))
    return replace(found, about=measured_by(request, cores, variants, text))


def _of_one_size(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[Flags],
    text: Path | None,
    how: _How,
    progress: Progress,
) -> Field:
    asked = with_text(jobs(request, cores, variants), text_of(text, 0, request.bytes))
    if request.platform.rig == "published":
        known = _versions(request, cores, (None,), how, progress)
        found = tuple(_published(request, job.core, known[job.core, None]) for job in asked)
        return Field(tuple(asked), found, known)
    after = len(asked)
    more = len(cores) * len(variants) if request.bursts else 0
    rows = answered(asked, progress=lambda done, of: progress(done, of + more), **how._asdict())
    lacking = [job.core for job, row in zip(asked, rows.results, strict=True) if row is None]
    if request.bursts:
        known = _versions(
            request, cores, variants, how, lambda done, of: progress(after + done, after + of)
        )
        lacking += [core for core in cores for flags in variants if (core, flags) not in known]
    else:
        known = {}
    if lacking:
        return Field((), (), unmeasured=tuple(dict.fromkeys(lacking)))
    results = tuple(row for row in rows.results if row is not None)
    return Field(tuple(asked), results, known, rows.origin, rows.warnings)


def _of_mix(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[Flags],
    how: _How,
    progress: Progress,
) -> Field:
    """The mean over the sizes of a mix, each measured by itself; coefficients are of the mode."""
    parts, found = request.parts, list[Field]()
    for part in parts:

        def told(done: int, total: int) -> None:
            progress(len(found) * total + done, len(parts) * total)

        found.append(_of_one_size(part, cores, variants, None, how, told))
    lacking = dict.fromkeys(core for one in found for core in one.unmeasured)
    if lacking:
        return Field((), (), unmeasured=tuple(lacking))
    results = mean_results(request, [one.results for one in found])
    origins = [one.origin for one in found if one.origin is not None]
    rows = sum(one.rows for one in origins)
    origin = replace(origins[0], rows=rows, of=len(found) * len(results)) if origins else None
    warnings = dict.fromkeys(told for one in found for told in one.warnings)
    asked = tuple(jobs(request, cores, variants))
    return Field(asked, results, found[0].versions, origin, tuple(warnings))


def field_known(request: Request, cores: Sequence[str]) -> Field | None:
    """The field out of the atlas alone, without any compiler; None where a row is missing."""
    if request.bursts is not None or request.packets or request.platform.rig == "published":
        return None
    asked = tuple(jobs(request, cores))
    found = known(asked)
    rows = tuple(row for row in found.rows if row is not None)
    return Field(asked, rows, origin=found.origin) if len(rows) == len(asked) else None


def text_of(file: Path | None, at: int, size: int) -> bytes | None:
    """Bytes of the file; None when it has not as many."""
    if file is None:
        return None
    with file.open("rb") as stream:
        stream.seek(at)
        text = stream.read(size)
    return text if len(text) == size else None


def with_text(asked: Sequence[Job], text: bytes | None) -> list[Job]:
    """The jobs with that payload, where they have one."""
    return [job if job.op == "key-setup" else replace(job, text=text) for job in asked]


def _versions(
    request: Request,
    cores: Sequence[str],
    variants: Sequence[Flags],
    how: _How,
    progress: Progress,
) -> dict[Variant, Version | str]:
    """Those that are not known are left out where nothing is to be measured."""
    found: dict[Variant, Version | str] = {}
    wanted = [(core, flags) for core in cores for flags in variants]
    for done, (core, flags) in enumerate(wanted, 1):
        with suppress(UnmeasuredError):
            found[core, flags] = _version(request, core, flags, how.only_known)
        progress(done, len(wanted))
    return found


def _version(request: Request, core: str, flags: Flags, only_known: bool) -> Version | str:
    """Coefficients of one variant, or the reason why there are none."""
    platform = _flagged(request.counted_on, flags)
    mode = None if request.mode == BLOCK else request.mode
    try:
        (version,) = versions(
            platform, [core], mode=mode, key_bits=request.key_bits, only_known=only_known
        )
    except RigUnavailableError as error:
        if only_known:
            raise UnmeasuredError(str(error)) from None
        raise
    except UnmeasuredError:
        raise
    except (RuntimeError, ValueError) as error:  # of this core; the others may well work
        return str(error)
    return version


def _flagged(platform: Platform, flags: Flags) -> Platform:
    if flags is None:
        return platform
    return replace(platform, compiler=replace(platform.compiler, optimise=flags))


def _published(request: Request, name: str, found: Version | str) -> Result:
    """Sizes that the core's own description gives: its tables, and the keys of one direction."""
    if isinstance(found, str):
        return Refusal(jobs(request, [name])[0], found)
    core = core_named(name)
    keys = core.round_key_bytes[str(request.key_bits)]["encrypt"]
    platform = request.platform
    # Behind a data cache, a core whose addresses depend on secrets leaks them.
    timing: Timing = "independent" if core.constant_time else "depends on the key"
    source = next(one for one in platform.coefficients if one.core == name).cycles_per_call.source
    return Row(
        platform=platform.name,
        core=name,
        key_bits=request.key_bits,
        op="encrypt-block",
        mode=None,
        bytes=BLOCK_BYTES,
        cycles=0,
        cycles_per_byte=None,
        instructions=None,
        code_bytes=0,
        table_bytes=core.table_bytes,
        round_key_bytes=keys,
        context_bytes=keys,
        stack_bytes=None,
        timing=timing,
        evidence=None,
        provenance=Provenance(
            sources_sha256="",
            platform_sha256=platform.sha256,
            timing_sha256="",
            compiler="",
            flags="",
            rig=platform.rig,
            version="",
            window="",
            memory=f"E and c as published: {source}",
        ),
    )
