# SPDX-License-Identifier: MIT
"""The table of docs/peers.md that says where the timing of other libraries depends on secrets."""

from collections.abc import Iterable, Sequence

from peers_rows import OURS, PeerRow, TimingRow

from aesfit.catalog import MODES as SHAPES
from aesfit.platforms.find import platform_named

NOT_TRIED = "not tried"
_SETUP = "key set-up"
_BLOCK = "one block"
_FOR_MODES = ("; no decryption", ", GHASH")
"""What a mode adds to the name of a configuration, from there on."""
_Case = tuple[str, str, str, int]
"""Platform, flags, verdict and places."""


def timing_told(rows: Sequence[PeerRow], timing: Sequence[TimingRow]) -> str:
    """The table, and how it goes with what was measured."""
    parts = (agreement(rows, timing), in_part(timing), same_images(rows, timing))
    return f"{timing_table(rows, timing)}\n{''.join(parts)}"


def timing_table(rows: Iterable[PeerRow], timing: Iterable[TimingRow]) -> str:
    """A line for each build of a library, a column for each job; what was not tried says so."""
    known = _cases(rows, timing)
    every = [_SETUP, _BLOCK, *(_title(mode) for mode in SHAPES)]
    jobs = [job for job in every if any(job in each for each in known.values())]
    lines = [_line(["library", "build", *jobs]), f"|{'---|' * (2 + len(jobs))}\n"]
    for (library, build), each in sorted(known.items()):
        lines.append(_line([library, build, *(_cell(each.get(job, ())) for job in jobs)]))
    return "".join(lines)


def agreement(rows: Iterable[PeerRow], timing: Iterable[TimingRow]) -> str:
    """How many rows that four runs call constant-time the examination calls independent."""
    found = {_key(row): row.verdict for row in timing}
    looked = [
        row
        for row in rows
        if row.library != OURS and row.steady and "decrypt" not in row.op and _key(row) in found
    ]
    odd = [row for row in looked if found[_key(row)] != "independent"]
    what = "rows of `bench/peers.csv`, all but decryption, that four runs call constant-time"
    told = f"Of {len(looked)} {what}"
    if not odd:
        return f"{told}, the examination calls all independent.\n"
    names = dict.fromkeys(
        ", ".join((*row.build, platform_named(row.platform).title)) for row in odd
    )
    rest = len(looked) - len(odd)
    return f"{told}, the examination calls {rest} independent, but not: {'; '.join(names)}.\n"


def in_part(timing: Iterable[TimingRow]) -> str:
    """Which runs did not come to their end, so that there may be other places."""
    rows = [row for row in timing if row.followed != "all"]
    jobs: dict[str, dict[str, None]] = {}
    for row in rows:
        name = ", ".join((*row.build, platform_named(row.platform).title))
        jobs.setdefault(name, {})[_job(row.mode, _key(row)[-1])] = None
    told = "; ".join(f"{name} ({', '.join(each)})" for name, each in jobs.items())
    return f"Followed in part, so that their places may be others: {told}.\n" if rows else ""


def same_images(rows: Iterable[PeerRow], timing: Iterable[TimingRow]) -> str:
    """How many of the images that were examined were also counted."""
    counted = {row.image_sha256 for row in rows}
    examined = {row.image_sha256 for row in timing}
    same, every = len(examined & counted), len(examined)
    rest = "" if same == every else "; the others were compiled for the examination"
    return f"{same} of {every} images are byte for byte those that were counted{rest}.\n"


def _cases(
    rows: Iterable[PeerRow], timing: Iterable[TimingRow]
) -> dict[tuple[str, str], dict[str, list[_Case]]]:
    """What was found, by library and build, and then by job."""
    known: dict[tuple[str, str], dict[str, list[_Case]]] = {}
    found = {_key(row): row for row in timing}
    for one in _builds(rows):
        jobs = known.setdefault((one.library, _common(one.configuration)), {})
        for op in ("key-setup", "encrypt"):
            told = found.get((*_build(one), op))
            verdict, places = (told.verdict, told.places) if told else (NOT_TRIED, 0)
            case = (one.platform, one.flags, verdict, places)
            jobs.setdefault(_job(one.mode, op), []).append(case)
    return known


def _builds(rows: Iterable[PeerRow]) -> list[PeerRow]:
    """One row of each build of other libraries."""
    others = [row for row in rows if row.library != OURS]
    return list({_build(row): row for row in others}.values())


def _build(row: PeerRow | TimingRow) -> tuple[str, ...]:
    return (row.platform, row.mode, *row.build, row.version)


def _key(row: PeerRow | TimingRow) -> tuple[str, ...]:
    return (*_build(row), "key-setup" if row.op.startswith("key-setup") else "encrypt")


def _common(configuration: str) -> str:
    for one in _FOR_MODES:
        configuration = configuration.partition(one)[0]
    return configuration


def _job(mode: str, op: str) -> str:
    if op == "key-setup":
        return _SETUP
    return _BLOCK if mode == "block" else _title(mode)


def _title(mode: str) -> str:
    return SHAPES[mode].title.partition(",")[0]


def _cell(cases: Sequence[_Case]) -> str:
    """Verdicts, with processors and flags where they differ."""
    if not cases:
        return ""
    groups: dict[str, list[_Case]] = {}
    for case in sorted(cases, key=lambda one: one[2]):
        groups.setdefault(case[2], []).append(case)
    if len(groups) == 1:
        return _told(cases)
    told = [f"{_told(group)} on {_where(group, cases)}" for group in groups.values()]
    return "; ".join(told)


def _told(cases: Sequence[_Case]) -> str:
    """Of cases with one verdict."""
    verdict = cases[0][2]
    if verdict != "depends":
        return verdict
    least, most = min(one[3] for one in cases), max(one[3] for one in cases)
    if least != most:
        return f"depends ({least} to {most} places)"
    return f"depends ({least} place{'s' * (least > 1)})"


def _where(group: Sequence[_Case], cases: Sequence[_Case]) -> str:
    """Platforms; with flags where others of the platform have another verdict."""
    others = {one[0] for one in cases if one[2] != group[0][2]}
    return ", ".join(
        dict.fromkeys(
            f"{platform_named(platform).title}{f' with `{flags}`' if platform in others else ''}"
            for platform, flags, *_ in group
        )
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
