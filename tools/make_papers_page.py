# SPDX-License-Identifier: MIT
"""Write the findings on the five papers into docs/papers.md, from stored results only.

The texts are in papers/aesfit_papers/findings.toml; each finding names the claims that it depends
on and their verdicts, and is refused if a verdict has changed.  Figures, totals, causes and the
share of verdicts that flip come from the results.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from aesfit_papers.judging.catalog import experiment_named, experiments
from aesfit_papers.judging.contract import CAUSES, PAPERS, Paper, Part, ResultTable, Words
from aesfit_papers.judging.flips import Standing, claims_of, tries
from aesfit_papers.judging.lx import bounds_told
from aesfit_papers.judging.maps import MappedClaim, every_map
from aesfit_papers.judging.run import stored
from aesfit_papers.judging.sections import left_out, outcomes
from aesfit_papers.judging.told import span
from aesfit_papers.judging.verdict import GROUPS
from aesfit_papers.reporting import headline, map_picture
from aesfit_papers.reporting.findings import Results, in_a_minute, resting, told
from aesfit_papers.reporting.page import count_verdicts, section

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "papers.md"
MAP = ROOT / "docs" / "papers-map.md"
FINDINGS = ROOT / "papers" / "aesfit_papers" / "findings.toml"
LX = ROOT / "docs" / "lx-bounds.md"
_MAP_BEGIN = "<!-- map: begin -->\n"
_KINDS = {"holds": "What holds", "not": "What does not", "open": "What cannot be judged here"}
_FAILED = GROUPS[1:-1]
README = ROOT / "README.md"
_COUNTED = re.compile(
    r"\d+ claims with an outcome, \d+ hold"
    r"( \(\d+ more fail on code that is not the paper's, and are not counted\))?"
)


def main() -> int:
    """Renew the page."""
    try:
        page = renewed(PAGE.read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"make_papers_page: {error}", file=sys.stderr)
        return 1
    PAGE.write_text(page, encoding="utf-8")
    LX.write_text(lx_page(LX.read_text(encoding="utf-8")), encoding="utf-8")
    MAP.write_text(map_page(MAP.read_text(encoding="utf-8")), encoding="utf-8")
    for path, image in pictures().items():
        path.write_bytes(image)
    readme = README.read_text(encoding="utf-8")
    README.write_text(recounted(readme), encoding="utf-8")
    return 0


def recounted(readme: str) -> str:
    """The README with its count of claims renewed."""
    made, many = _COUNTED.subn(counted(_results()), readme)
    if many != 1:
        raise ValueError("README.md does not count the claims with an outcome")
    return made


def renewed(page: str) -> str:
    """The page with its generated parts renewed: the minute, the headlines and the papers."""
    place = "docs/papers.md has no place for the"
    page = _between(page, "papers", f"{place} papers", lambda: "\n".join((*_made(), "")))
    page = _between(page, "minute", f"{place} table of one minute", _minute)
    return _between(page, "headlines", f"{place} headlines", _headlines)


def _minute() -> str:
    return "\n".join(("", *in_a_minute(_written(), _results()), ""))


def _headlines() -> str:
    table = headline.table([section(one, drawn=False) for one in experiments()])
    return "\n" + table.partition("\n")[2]


def lx_page(page: str) -> str:
    """The page on E of the Lx, its figures renewed."""
    return _between(page, "lx", "docs/lx-bounds.md has no place for its figures", _lx)


def _lx() -> str:
    measured = stored(experiment_named("cache_lx_bounds"))
    if measured is None:
        raise ValueError("cache_lx_bounds has no stored rows")
    return "\n".join(line for part in bounds_told(measured.rows) for line in _part(part))


def _between(page: str, mark: str, complaint: str, make: Callable[[], str]) -> str:
    """The page with the lines between the two comments of this name made again."""
    before, begin, rest = page.partition(f"<!-- {mark}: begin -->\n")
    _, end, after = rest.partition(f"<!-- {mark}: end -->\n")
    if not begin or not end:
        raise ValueError(f"{complaint}: its two marks are gone")
    return "".join((before, begin, make(), "\n", end, after))


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, Words):
        yield f"\n{part.text}"
    elif isinstance(part, ResultTable):
        yield f"\n### {part.title}\n"
        yield from _table(part.head, len(part.head) - 1, part.lines)
        if part.note:
            yield f"\n{part.note}"


def map_page(page: str) -> str:
    """The page with a line for each claim, renewed: where it holds, and what turns it."""
    before, begin, _ = page.partition(_MAP_BEGIN)
    if not begin:
        raise ValueError("docs/papers-map.md has no place for the map: its mark is gone")
    lines = [line for paper in PAPERS.values() for line in _mapped(paper)]
    return "\n".join((f"{before}{begin.strip()}", *lines, ""))


def pictures() -> dict[Path, bytes]:
    """The map of each paper as a picture."""
    drawn = map_picture.figures(_maps())
    return {_picture(key): one.image for key, one in drawn.items()}


def _picture(key: str) -> Path:
    return ROOT / "docs" / "figures" / f"map_{key}.svg"


@lru_cache
def _maps() -> tuple[MappedClaim, ...]:
    return every_map()


def _mapped(paper: Paper) -> Iterator[str]:
    lines = [
        (f"`{one.name}`", _cell(one.one.claim.sentence), span(one.one.claim, one.one.verdict),
         one.one.verdict.group, _cell(one.map.where), _cell(one.map.turned))
        for one in _maps()
        if one.experiment.paper == paper
    ]  # fmt: skip
    yield f"\n## {paper.short}\n"
    alt = f"{len(lines)} claims: where each holds, and what turns it"
    yield f"![{alt}](figures/{_picture(paper.key).name})\n"
    head = ("claim", "the paper says", "found", "verdict", "where", "turned")
    yield from _table(head, 0, lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


@lru_cache
def _results() -> Results:
    return Results(claims_of(experiments(), built=True))


def _written() -> list[Mapping[str, Any]]:
    """What findings.toml has on each paper."""
    written: list[Mapping[str, Any]] = tomllib.loads(FINDINGS.read_text(encoding="utf-8"))["paper"]
    if [one["key"] for one in written] != list(PAPERS):
        raise ValueError(f"findings.toml is to have the papers {', '.join(PAPERS)}, in this order")
    return written


def _made() -> Iterator[str]:
    results = _results()
    written = _written()
    yield from _totals(results)
    yield from _firmness()
    yield from _causes(results)
    for one in written:
        yield from _paper(PAPERS[one["key"]], one, results)


def _table(head: Sequence[str], right: int, lines: Sequence[Sequence[object]]) -> Iterator[str]:
    """Markdown; the last `right` columns are numbers."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * (len(head) - right) + "--:|" * right
    for line in lines:
        yield "| " + " | ".join(map(str, line)) + " |"


def _totals(results: Results) -> Iterator[str]:
    every = [
        (paper.short, count_verdicts([one.judged for one in some]))
        for paper in PAPERS.values()
        for some in [results.of_paper(paper)]
    ]
    every.append(("all", count_verdicts([one.judged for one in results.claims])))
    lines = [(name, outcomes(found), *found.values()) for name, found in every]
    yield "\n## In figures\n"
    yield f"{counted(results)}."
    yield "The last three columns are counted apart."
    yield f"{left_out(every[-1][1])}\n"
    yield from _table(("paper", "with an outcome", *GROUPS), 1 + len(GROUPS), lines)


def counted(results: Results) -> str:
    """What README and page say of all claims."""
    found = count_verdicts([one.judged for one in results.claims])
    theirs = found["not judged on their code"]
    return (
        f"{outcomes(found)} claims with an outcome, {found['holds']} hold ({theirs} more fail on "
        "code that is not the paper's, and are not counted)"
    )


def _firmness() -> Iterator[str]:
    yield "\nHow many verdicts flip if another possible choice is made:\n"
    lines = [
        (one.what, one.tried, one.flipped, f"{100 * one.flipped / max(one.tried, 1):.0f} %")
        for one in tries(experiments())
    ]
    yield from _table(("changed", "claims", "flip", "share"), 3, lines)


def _causes(results: Results) -> Iterator[str]:
    yield "\n## Causes\n"
    lines = [
        (cause, what, sum(one.judged.cause == cause for one in results.claims))
        for cause, what in CAUSES.items()
    ]
    yield from _table(("cause", "it means", "claims"), 1, lines)


def _paper(paper: Paper, written: Mapping[str, Any], results: Results) -> Iterator[str]:
    yield f"\n## {paper.short}: {paper.title}\n"
    yield f"{written['had']}"
    if odd := sorted({one["kind"] for one in written["finding"]} - {*_KINDS}):
        raise ValueError(
            f"{paper.key}: no finding is of the kind '{odd[0]}'; use {', '.join(_KINDS)}"
        )
    for kind, title in _KINDS.items():
        some = [one for one in written["finding"] if one["kind"] == kind]
        if some:
            yield f"\n{title}:\n"
            yield from (_finding(one, results) for one in some)
    yield '\nEvery verdict of this paper other than "holds", by its cause:\n'
    yield from _failures(results.of_paper(paper))


def _finding(written: Mapping[str, Any], results: Results) -> str:
    """The sentence with its figures, if its claims still have the verdicts that it names."""
    rests = resting(written, results)
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(one.experiment for one in rests))
    return f"- {told(written, rests)} ({names})"


def _failures(claims: Sequence[Standing]) -> Iterator[str]:
    lines = []
    for cause in CAUSES:
        some = [one for one in claims if one.judged.cause == cause]
        if some:
            counts = [sum(one.judged.verdict.group == group for one in some) for group in _FAILED]
            names = dict.fromkeys(f"`{one.experiment}`" for one in some)
            lines.append((cause, ", ".join(names), *counts))
    yield from _table(("cause", "experiments", *_FAILED), len(_FAILED), lines)


if __name__ == "__main__":
    sys.exit(main())
