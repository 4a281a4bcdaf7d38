# SPDX-License-Identifier: MIT
"""What the five papers state, in the order of their texts, and the experiments on it.

The list is `papers/aesfit_papers/claims.toml`.  It is complete if faults() finds nothing.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from math import fsum
from pathlib import Path
from typing import Any, TypeVar

from . import catalog
from .contract import PAPERS

_TEXTS = ("id", "paper", "place", "says")


@dataclass(frozen=True)
class Statement:
    """A table, a figure or a claim of a paper."""

    id: str
    """"cache-figure-3": where the report shows it."""
    paper: str
    place: str
    """"Table 2, Pentium III", "section 4.1": of a table or figure it begins with its number."""
    says: str
    """The statement in our words."""
    experiments: tuple[str, ...] = ()
    """Experiments that judge it or show it."""
    reason: str = ""
    """Why there are no experiments."""


@dataclass(frozen=True)
class Leading:
    """The claim that stands for a paper: what its abstract says first."""

    place: str
    says: str
    """The paper's sentence in our words."""
    experiment: str
    claim: str
    """The beginning of the claim's sentence, unique within the experiment."""


@dataclass(frozen=True)
class Story:
    """A claim by which the report introduces its paper."""

    paper: str
    experiment: str
    claim: str
    """The beginning of the claim's sentence, unique within the experiment."""
    picture: str = ""
    """The beginning of the title of a figure that shows it."""


@dataclass(frozen=True)
class ShownFigure:
    """A figure at the top of docs/papers.md."""

    experiment: str
    picture: str
    """The beginning of its title."""


@dataclass(frozen=True)
class Statements:
    """The whole list."""

    entries: tuple[Statement, ...]
    numbered: Mapping[str, tuple[str, ...]]
    """All printed tables and figures, by paper."""
    leading: Mapping[str, Leading] = field(default_factory=dict)
    """By paper."""
    story: tuple[Story, ...] = ()
    pictures: tuple[ShownFigure, ...] = ()

    def of_paper(self, key: str) -> tuple[Statement, ...]:
        """The statements of one paper."""
        return tuple(one for one in self.entries if one.paper == key)

    def answered_by(self, experiment: str) -> tuple[Statement, ...]:
        """The statements that an experiment answers."""
        return tuple(one for one in self.entries if experiment in one.experiments)

    def nearest(self, experiment: str, sentence: str) -> tuple[Statement, ...]:
        """What an experiment answers, first the statement with most rare words of the sentence."""
        some = self.answered_by(experiment)
        many = Counter(word for one in some for word in _words(one.says))
        wanted = _words(sentence)

        def shared(one: Statement) -> float:
            # exactly: a sum rounded in the order of a set would differ from run to run
            return fsum(1 / many[word] for word in wanted & _words(one.says))

        return tuple(sorted(some, key=lambda one: -shared(one)))


_WORD = re.compile(r"\d[\d.,]*\d|\d|[a-z]{3,}")
_COMMON = frozenset(("and", "are", "both", "for", "its", "not", "than", "that", "the", "with"))
_STEM = 6
"""Letters by which words are compared: "encrypts" and "encryption" are one."""


def _words(text: str) -> frozenset[str]:
    return frozenset(one[:_STEM] for one in {*_WORD.findall(text.lower())} - _COMMON)


NOTHING_STATED = Statements((), {})


def statements() -> Statements:
    """Read the list beside the experiments; ValueError says what is wrong in it."""
    path = catalog.folder() / "claims.toml"
    return parse(path.read_text(encoding="utf-8"), path) if path.is_file() else NOTHING_STATED


def parse(text: str, path: Path) -> Statements:
    """Parse the list; errors name `path`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    entries = tuple(_statement(one, path) for one in table.get("claim", []))
    numbered = {paper: tuple(some) for paper, some in table.get("numbered", {}).items()}
    leading = {key: _leading(key, one, path) for key, one in table.get("headline", {}).items()}
    story = tuple(_texts(Story, one, path, "story") for one in table.get("story", []))
    pictures = tuple(_texts(ShownFigure, one, path, "picture") for one in table.get("picture", []))
    return Statements(entries, numbered, leading, story, pictures)


def _leading(paper: str, values: Mapping[str, Any], path: Path) -> Leading:
    return _texts(Leading, values, path, f"headline of {paper}")


_Made = TypeVar("_Made", Leading, Story, ShownFigure)


def _texts(made: type[_Made], values: Mapping[str, Any], path: Path, what: str) -> _Made:
    """Of texts alone; those with a default may be left out."""
    wanted = {one.name: one.default is MISSING for one in fields(made)}
    needed = {name for name, must in wanted.items() if must}
    texts = all(isinstance(one, str) for one in values.values())
    if not (texts and needed <= set(values) <= set(wanted)):
        raise ValueError(f"{path}: the {what} needs the texts {', '.join(wanted)}")
    return made(**values)


def _statement(values: Mapping[str, Any], path: Path) -> Statement:
    name = values.get("id", "without an id")
    for key in _TEXTS:
        if not isinstance(values.get(key), str) or not values[key]:
            raise ValueError(f"{path}: the claim {name} needs the text '{key}'")
    if unknown := set(values) - {*_TEXTS, "experiments", "reason"}:
        raise ValueError(f"{path}: the claim {name} has an unknown key '{min(unknown)}'")
    texts = {key: values[key] for key in _TEXTS}
    return Statement(
        **texts, experiments=tuple(values.get("experiments", ())), reason=values.get("reason", "")
    )


def faults(listed: Statements, experiments: Collection[str]) -> list[str]:
    """Sentences on what is missing or superfluous in the list; empty if it is complete."""
    return [
        *_of_entries(listed.entries, experiments),
        *_of_experiments(listed.entries, experiments),
        *_of_numbered(listed),
        *_of_leading(listed, experiments),
        *_of_story(listed, experiments),
    ]


def _of_entries(entries: Sequence[Statement], experiments: Collection[str]) -> Iterable[str]:
    for name, many in Counter(one.id for one in entries).items():
        if many > 1:
            yield f"{name} is the id of {many} claims"
    for one in entries:
        if one.paper not in PAPERS:
            yield f"{one.id} is of the unknown paper '{one.paper}'"
        if not one.experiments and not one.reason:
            yield f"{one.id} has neither an experiment nor a reason"
        if one.experiments and one.reason:
            yield f"{one.id} has both an experiment and a reason"
        for name in one.experiments:
            if name not in experiments:
                yield f"{one.id} names the experiment '{name}', which there is not"


def _of_experiments(entries: Sequence[Statement], experiments: Collection[str]) -> Iterable[str]:
    answering = {name for one in entries for name in one.experiments}
    for name in experiments:
        if name not in answering:
            yield f"the experiment {name} answers no claim"


def _of_numbered(listed: Statements) -> Iterable[str]:
    for paper, numbers in listed.numbered.items():
        places = {one.place.partition(",")[0] for one in listed.of_paper(paper)}
        for number in numbers:
            if number not in places:
                yield f"{number} of the paper '{paper}' has no claim"
    for paper in PAPERS:
        if paper not in listed.numbered:
            yield f"the tables and figures of the paper '{paper}' are not listed"


def _of_leading(listed: Statements, experiments: Collection[str]) -> Iterable[str]:
    for paper in PAPERS:
        if paper not in listed.leading:
            yield f"the paper '{paper}' has no headline"
    for paper, one in listed.leading.items():
        if one.experiment not in experiments or not one.experiment.startswith(f"{paper}_"):
            yield f"the headline of '{paper}' is not of its experiments: {one.experiment}"


def _of_story(listed: Statements, experiments: Collection[str]) -> Iterable[str]:
    for paper in PAPERS:
        if not any(one.paper == paper for one in listed.story):
            yield f"no claim introduces the paper '{paper}' in the report"
    for one in listed.story:
        if one.experiment not in experiments or not one.experiment.startswith(f"{one.paper}_"):
            yield f"the story of '{one.paper}' is not of its experiments: {one.experiment}"
    for shown in listed.pictures:
        if shown.experiment not in experiments:
            yield f"a picture is of the experiment '{shown.experiment}', which there is not"
