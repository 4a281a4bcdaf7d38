# SPDX-License-Identifier: MIT
"""Write docs/peers.md's tables from bench/peers.csv and bench/peers_timing.csv.

They say what you would pick instead of aesfit.

`python tools/make_peers_page.py` after tools/measure_peers.py.
"""

import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from peers_rows import (
    CSV,
    OURS,
    SIZES,
    UNCLEARED,
    PeerRow,
    TimingRow,
    read,
    read_timing,
    timing_beside,
)
from peers_timing_table import timing_told

from aesfit.catalog import MODES as SHAPES
from aesfit.platforms.find import platform_named

PAGE = Path(__file__).resolve().parent.parent / "docs" / "peers.md"
_BEGIN, _END = "<!-- {} -->\n", "<!-- end of {} -->"
REASONS = CSV.with_name("peers_reasons.toml")
Reasons = Mapping[tuple[str, str], str]
_TIE = 0.01
"""What a function that puts arguments in order may cost of a block: 5 cycles of some 600."""
_LEVELS = ("-Os", "-O2", "-O3")
"""From smallest code to fastest; assembly has none."""
_UNEQUAL = (
    "The compiler has a part in some of these factors, because these libraries have no build "
    "with the flags that ours have:\n"
)
_BLOCK_JOBS = {
    "encrypt-block": "one block, encrypt",
    "decrypt-block": "one block, decrypt",
    "key-setup-encrypt": "key set-up to encrypt",
    "key-setup-decrypt": "key set-up to decrypt",
}


@dataclass(frozen=True)
class Aim:
    """What somebody may choose by."""

    title: str
    cost: Callable[[PeerRow], int]
    allowed: Callable[[PeerRow], bool]
    jobs: Callable[[PeerRow], bool]
    tie: float = 0.0
    """Ratios that differ from 1 by no more are ties."""

    def best(self, rows: Sequence[PeerRow]) -> PeerRow:
        """The cheapest; of equals the fastest."""
        return min(rows, key=lambda row: (self.cost(row), row.cycles))


@dataclass(frozen=True)
class Contest:
    """The best of ours and the best of theirs at one job, by one measure."""

    platform: str
    job: str
    ours: PeerRow
    theirs: PeerRow
    aim: Aim

    @property
    def ratio(self) -> float:
        """How many times what ours costs theirs costs."""
        return self.aim.cost(self.theirs) / self.aim.cost(self.ours)

    @property
    def lead(self) -> int:
        """1 where ours win, -1 where theirs do, 0 at a tie."""
        if 1 - self.aim.tie <= self.ratio <= 1 + self.aim.tie:
            return 0
        return 1 if self.ratio > 1 else -1

    @property
    def told(self) -> str:
        """The ratio, with a third digit where two would look like a tie."""
        text = f"{self.ratio:.2f}"
        looks = 1 - self.aim.tie <= float(text) <= 1 + self.aim.tie
        return f"{self.ratio:.3f}" if looks and self.lead else text


def _settled(row: PeerRow) -> bool:
    """Sizes hardly depend on the length of the message, so the longest stands for all."""
    return row.op in ("encrypt-block", "decrypt-block") or row.bytes == max(SIZES)


def _clears(row: PeerRow) -> bool:
    """Another library, or a build of ours that clears the stack it used."""
    return not row.configuration.endswith(UNCLEARED)


def _races(row: PeerRow) -> bool:
    """It clears, and key set-up makes the round keys: blocks of other cores pay for theirs."""
    core = row.configuration.partition(",")[0]
    return _clears(row) and not (core.endswith("_otf") and row.op.startswith("key-setup"))


_ALIKE = Aim(
    "Least RAM, where neither clears its stack",
    lambda row: row.ram_bytes,
    lambda row: row.library != OURS or not _clears(row),
    _settled,
)
AIMS = (
    Aim("Fastest", lambda row: row.cycles, _races, lambda _: True, _TIE),
    Aim(
        "Fastest, constant-time",
        lambda row: row.cycles,
        lambda row: row.steady and _races(row),
        lambda _: True,
        _TIE,
    ),
    Aim("Least flash", lambda row: row.flash_bytes, _clears, _settled),
    Aim("Least RAM", lambda row: row.ram_bytes, _clears, _settled),
    _ALIKE,
)


def job_of(row: PeerRow) -> str:
    """What a row is of, whatever the blocks of one call."""
    if row.mode == "block":
        return _BLOCK_JOBS[row.op]
    title = SHAPES[row.mode].title.partition(",")[0]
    return f"{title}, key set-up" if row.op == "key-setup" else f"{title}, {row.bytes} bytes"


def contests(rows: Iterable[PeerRow], aim: Aim) -> list[Contest]:
    """Jobs for which both sides have a build that is allowed."""
    groups: dict[tuple[str, str], list[PeerRow]] = {}
    for row in rows:
        if aim.allowed(row) and aim.jobs(row):
            groups.setdefault((row.platform, job_of(row)), []).append(row)
    found = []
    for (platform, job), group in groups.items():
        ours = [row for row in group if row.library == OURS]
        theirs = [row for row in group if row.library != OURS]
        if ours and theirs:
            found.append(Contest(platform, job, aim.best(ours), aim.best(theirs), aim))
    return found


def verdict(rows: Sequence[PeerRow], reasons: Reasons = MappingProxyType({})) -> str:
    """Where another library wins, and why, first; for the rest, by how much ours are ahead."""
    every = [one for aim in AIMS if aim is not _ALIKE for one in contests(rows, aim)]
    lost = sum(one.lead < 0 for one in every)
    head = f"Of {len(every)} jobs in the first four comparisons another library wins {lost}.\n\n"
    return head + "".join(_told(aim, contests(rows, aim), reasons) for aim in AIMS)


def check_reasons(rows: Sequence[PeerRow], reasons: Reasons) -> None:
    """Raise ValueError unless each job that is lost has its reason, and no other has one."""
    lost = {(aim.title, one.job) for aim in AIMS for one in contests(rows, aim) if one.lead < 0}
    for (aim, job), what in [
        *((one, "is lost, and has no reason there; add it") for one in sorted(lost - set(reasons))),
        *((one, "is not lost; remove its reason") for one in sorted(set(reasons) - lost)),
    ]:
        raise ValueError(f"{REASONS.name}: {aim}, {job} {what}")


def read_reasons(path: Path = REASONS) -> Reasons:
    """Why another library wins, by aim and job."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))["reason"]
    return {(one["aim"], job): one["why"] for one in told for job in one["jobs"]}


def _told(aim: Aim, every: Sequence[Contest], reasons: Reasons) -> str:
    lost = [one for one in every if one.lead < 0]
    won = sorted((one for one in every if one.lead > 0), key=lambda one: one.ratio)
    ahead = "" if not won else f", aesfit {len(won)}, by {won[0].told} to {won[-1].told} times"
    level = len(every) - len(lost) - len(won)
    ties = f"; {level} are ties ({1 - aim.tie:.2f} to {1 + aim.tie:.2f})" if level else ""
    counts = f"of {len(every)} jobs another library wins {len(lost)}{ahead}{ties}"
    head = f"- **{aim.title}**: {counts}.\n"
    groups: dict[str, list[Contest]] = {}
    for one in sorted(lost, key=lambda one: one.ratio):
        groups.setdefault(f"{_library(one.theirs)}: {one.job}", []).append(one)
    lines, told = [head], ""
    for name, each in groups.items():
        why = reasons.get((aim.title, each[0].job), "")
        lines.append(f"    - {name}: {_places(each)}.\n")
        lines += [f"      {'The same reason.' if why == told else why}\n"] * bool(why)
        told = why
    return "".join(lines)


def _places(lost: Sequence[Contest]) -> str:
    told = [f"{one.told} on {platform_named(one.platform).title}" for one in lost]
    return ", ".join(told)


def _library(row: PeerRow) -> str:
    told = "" if row.configuration == "default" else f", {row.configuration}"
    return f"{row.library}{told}, {row.flags}"


def tables(rows: Sequence[PeerRow]) -> str:
    """A section for each platform with a table for each aim; the longest message stands for all."""
    parts = []
    for platform in dict.fromkeys(row.platform for row in rows):
        parts.append(f"## {platform_named(platform).title}\n\n")
        for aim in AIMS:
            sides = [row for row in rows if row.platform == platform and _settled(row)]
            here = contests(sides, aim)
            parts.append(f"### {aim.title} on {platform_named(platform).title}\n\n{_table(here)}\n")
    return "".join(parts).rstrip("\n") + "\n"


def _table(every: Sequence[Contest]) -> str:
    head = (
        "| job | aesfit | cycles | flash | RAM | instead | cycles | flash | RAM | times |\n"
        "|---|---|--:|--:|--:|---|--:|--:|--:|--:|\n"
    )
    return head + "".join(map(_line, every))


def _line(one: Contest) -> str:
    cells = [one.job, *_cells(one.ours, _core(one.ours)), *_cells(one.theirs, _library(one.theirs))]
    ratio = one.told
    return f"| {' | '.join(cells)} | {f'**{ratio}**' if one.lead < 0 else ratio} |\n"


def _core(row: PeerRow) -> str:
    core, comma, rest = row.configuration.partition(",")
    return f"`{core}`{comma}{rest}, {row.flags}"


def _cells(row: PeerRow, name: str) -> tuple[str, ...]:
    return (name, f"{row.cycles:,}", f"{row.flash_bytes:,}", f"{row.ram_bytes:,}")


def gains(rows: Sequence[PeerRow]) -> str:
    """How many times ours each library takes, its fastest build against the fastest of ours."""
    return "\n".join(
        f"{aim.title}:\n\n{_matrix(rows, aim)}{_unequal(rows, aim)}" for aim in AIMS[:2]
    )


def _unequal(rows: Sequence[PeerRow], aim: Aim) -> str:
    """Which of these factors compare a build of ours with builds that were optimised less."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for name, platform, sides in _sides(rows):
        theirs = {row.flags for row in sides if row.library == name and aim.allowed(row)}
        for one in contests(sides, aim):
            if theirs <= set(_LEVELS) and max(map(_level, theirs)) < _level(one.ours.flags):
                places = found.setdefault(f"{name}, measured with {_flags(theirs)} alone", {})
                places.setdefault(one.ours.flags, {})[platform_named(platform).title] = None
    lines = [f"- {told}: {_against(places)}.\n" for told, places in sorted(found.items())]
    return f"\n{_UNEQUAL}\n{''.join(lines)}" if lines else ""


def _against(places: Mapping[str, Iterable[str]]) -> str:
    return "; ".join(f"against `{flags}` on {_and(list(on))}" for flags, on in places.items())


def _sides(rows: Sequence[PeerRow]) -> list[tuple[str, str, list[PeerRow]]]:
    """Each library and platform with rows of ours and of the library, job by job of the factors."""
    jobs: dict[tuple[str, str], list[PeerRow]] = {}
    for row in filter(_settled, rows):
        jobs.setdefault((row.platform, job_of(row)), []).append(row)
    return [
        (name, platform, [row for row in group if row.library in (OURS, name)])
        for name in sorted({row.library for row in rows} - {OURS})
        for (platform, _), group in jobs.items()
    ]


def _level(flags: str) -> int:
    return _LEVELS.index(flags)


def _flags(flags: Iterable[str]) -> str:
    return _and([f"`{one}`" for one in sorted(flags, key=_level)])


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _matrix(rows: Sequence[PeerRow], aim: Aim) -> str:
    platforms = list(dict.fromkeys(row.platform for row in rows))
    titles = [platform_named(one).title for one in platforms]
    lines = [f"| job | library | {' | '.join(titles)} |\n", f"|---|---|{'--:|' * len(titles)}\n"]
    for job in dict.fromkeys(job_of(row) for row in rows if _settled(row)):
        for name in sorted({row.library for row in rows} - {OURS}):
            sides = [row for row in rows if row.library in (OURS, name) and job_of(row) == job]
            ratios = {one.platform: one.told for one in contests(sides, aim)}
            cells = [ratios.get(one, "") for one in platforms]
            if ratios:
                lines.append(f"| {job} | {name} | {' | '.join(cells)} |\n")
    return "".join(lines)


def libraries(rows: Iterable[PeerRow]) -> str:
    """Which versions were measured, taken from where."""
    peers = sorted({(row.library, row.version, row.source) for row in rows} - _own(rows))
    compilers = sorted({row.compiler for row in rows if row.library == OURS})
    lines = [f"| {library} | {version} | {source} |\n" for library, version, source in peers]
    head = "| library | version | taken from |\n|---|---|---|\n"
    return f"{head}{''.join(lines)}\nCompilers: {'; '.join(compilers)}.\n"


def _own(rows: Iterable[PeerRow]) -> set[tuple[str, str, str]]:
    return {(row.library, row.version, row.source) for row in rows if row.library == OURS}


def renewed(page: str, rows: Sequence[PeerRow], timing: Sequence[TimingRow]) -> str:
    """The page with what the rows say."""
    reasons = read_reasons()
    check_reasons(rows, reasons)
    parts = {
        "verdict": verdict(rows, reasons),
        "gains": gains(rows),
        "timing": timing_told(rows, timing),
        "libraries": libraries(rows),
        "tables": tables(rows),
    }
    for name, made in parts.items():
        head, begin, rest = page.partition(_BEGIN.format(name))
        _, end, tail = rest.partition(_END.format(name))
        if not begin or not end:
            raise ValueError(f"{PAGE.name} has no place for its {name}")
        page = f"{head}{begin}\n{made}\n{end}{tail}"
    return page


def main() -> None:
    """Write the page anew."""
    try:
        text = renewed(PAGE.read_text(encoding="utf-8"), read(), read_timing(timing_beside(CSV)))
        PAGE.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        sys.exit(f"make_peers_page: {error}")


if __name__ == "__main__":
    main()
