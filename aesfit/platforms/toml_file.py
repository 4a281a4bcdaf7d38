# SPDX-License-Identifier: MIT
"""A TOML file read strictly: what is wrong is told with file, line and what is allowed there.

`tomllib` gives no lines, so the text is scanned for the headers and keys; a value within an inline
table or an array is told with the line of its key.
"""

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ..errors import unknown

Place = tuple[str | int, ...]
"""Where a value is: keys, and indices of tables in an array, from the root."""

_HEADER = re.compile(r"\s*+(\[\[?)([\w.\-\"' ]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*+([\w.\-\"' ]+)=")
_MOST_BYTES = 1 << 18
_MOST_LINE = 1 << 13
"""Letters; with the next one it keeps the time short that a file takes to be read."""
_DEEP_KEY = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]++\s*+\.\s*+){16}")
"""A key of more than 16 parts, for which tomllib takes time that grows with their square."""
_LONG_NUMBER = re.compile(r"\b0[box]\w{64}")
"""Python limits decimal digits alone, and fails when it prints so large a number."""
_BROKEN = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MOST_WHOLE = 1 << 53
"""Beyond it not every whole number is a float."""
_INFINITE = 1e300
"""Beyond it integers no longer fit a float."""
_KINDS: Mapping[type, str] = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list in square brackets",
    dict: "a table",
}


class PlatformError(ValueError):
    """A platform file is wrong; the message has file, line and what is allowed."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit and where it comes from."""

    value: float
    unit: str
    source: str
    unconfirmed: bool = False
    """It was not read in a document of the maker."""


def _names(dotted: str) -> Place:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _lines(text: str) -> dict[Place, int]:
    """Line numbers of all headers and keys."""
    found: dict[Place, int] = {}
    here: Place = ()
    counts: dict[Place, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            here = _names(header[2])
            if header[1] == "[[":
                counts[here] = counts.get(here, -1) + 1
                found.setdefault(here, number)
                here = (*here, counts[here])
            found[here] = number
        elif key := _KEY.match(line):
            found.setdefault(here + _names(key[1]), number)
    return found


@dataclass(frozen=True)
class TomlTable:
    """A table of the file; its methods give checked values or raise PlatformError."""

    path: Path
    lines: Mapping[Place, int]
    place: Place
    values: Mapping[str, Any] = field(repr=False)

    def wrong(self, what: str, key: str | None = None) -> NoReturn:
        """Raise the error for a key here, or for this table."""
        place = self.place if key is None else (*self.place, key)
        while place and place not in self.lines:
            place = place[:-1]
        raise PlatformError(f"{self.path}:{self.lines.get(place, 1)}: {what}")

    @property
    def title(self) -> str:
        """What to call this table: "[[memory]]", "[compiler]"."""
        keys = [part for part in self.place if isinstance(part, str)]
        if not keys:
            return "the file"
        dotted = ".".join(keys)
        return f"[[{dotted}]]" if self.place[-1] != keys[-1] else f"[{dotted}]"

    def only(self, allowed: Sequence[str]) -> None:
        """Refuse every key that is not allowed."""
        for key in self.values:
            if key not in allowed:
                sentence = unknown("key", key, allowed)
                self.wrong(f"in {self.title} {sentence}; allowed are {', '.join(allowed)}", key)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self.values

    def _value(self, key: str, kind: type, allowed: str = "") -> Any:  # noqa: ANN401 - a TOML value
        allowed = allowed or _KINDS[kind]
        if key not in self.values:
            self.wrong(f"{self.title} lacks the key '{key}', which is {allowed}")
        value = self.values[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
            self.wrong(f"'{key}' in {self.title} is {value!r:.40}; it must be {allowed}", key)
        return value

    def text(self, key: str) -> str:
        """A text that says something, in one line without what could steer a terminal."""
        value: str = self._value(key, str)
        if not value.isprintable():
            self.wrong(
                f"'{key}' in {self.title} is {value!a:.40}; it must be one line of printable "
                "characters",
                key,
            )
        if not value.strip():
            self.wrong(f"'{key}' in {self.title} is empty; say what it is", key)
        return value

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of the allowed texts."""
        if default is not None and not self.has(key):
            return default
        listed = ", ".join(allowed)
        value: str = self._value(key, str, f"one of {listed}")
        if value not in allowed:
            nearest = str(unknown(key, value, allowed)).partition("; ")[2]
            self.wrong(
                f"'{key}' in {self.title} is '{value}'; {nearest}; allowed are {listed}", key
            )
        return value

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        """True or false."""
        if default is not None and not self.has(key):
            return default
        return bool(self._value(key, bool))

    def whole(self, key: str, least: int = 0, among: Sequence[int] = ()) -> int:
        """A whole number, at least `least`, and one of `among` when that is given."""
        listed = ", ".join(str(one) for one in among)
        allowed = f"one of {listed}" if among else f"a whole number of at least {least}"
        value: int = self._value(key, int, allowed)
        if not least <= value <= _MOST_WHOLE or (among and value not in among):
            self.wrong(f"'{key}' in {self.title} is {value!r:.40}; it must be {allowed}", key)
        return value

    def texts(self, key: str, allowed: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts, each of them allowed."""
        kind = "a list of texts" if allowed is None else f"a list out of {', '.join(allowed)}"
        values: list[object] = self._value(key, list, kind)
        for value in values:
            if not isinstance(value, str) or (allowed is not None and value not in allowed):
                self.wrong(f"'{key}' in {self.title} holds {value!r}; it must be {kind}", key)
        return tuple(str(value) for value in values)

    def within(self) -> Iterator["TomlTable"]:
        """The table itself and all that are written inside it, tables in arrays too."""
        yield self
        for key, value in self.values.items():
            if isinstance(value, dict):
                yield from self.table(key).within()
            elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
                for table in self.tables(key):
                    yield from table.within()

    def sources(self) -> Iterator[tuple["TomlTable", str]]:
        """Every source that is written here or inside, with its table."""
        for table in self.within():
            if isinstance(source := table.values.get("source"), str):
                yield table, source

    def unconfirmed(self) -> Iterator[str]:
        """Titles of the quantities inside that are marked as unconfirmed."""
        for table in self.within():
            if table.values.get("unconfirmed") is True:
                yield table.title.strip("[]")

    def table(self, key: str) -> "TomlTable":
        """A table within."""
        return TomlTable(self.path, self.lines, (*self.place, key), self._value(key, dict))

    def tables(self, key: str) -> list["TomlTable"]:
        """The tables of an array; none where the key is missing."""
        values = self._value(key, list, f"[[{key}]]") if self.has(key) else []
        if not all(isinstance(value, dict) for value in values):
            self.wrong(f"'{key}' must be written as tables headed [[{key}]]", key)
        return [
            TomlTable(self.path, self.lines, (*self.place, key, index), value)
            for index, value in enumerate(values)
        ]

    def quantity(self, key: str, units: Sequence[str], *, positive: bool = False) -> Quantity:
        """A number with unit and source."""
        allowed = f'{{ value = ..., unit = "{units[0]}", source = "..." }}'
        self._value(key, dict, allowed)
        inner = self.table(key)
        inner.only(("value", "unit", "source", "unconfirmed"))
        inner.choice("unit", units)
        bound = "a finite number " + ("above 0" if positive else "of at least 0")
        value = inner._value("value", object, bound)
        if isinstance(value, bool) or not isinstance(value, int | float):
            inner.wrong(f"'value' in {inner.title} is {value!r:.40}; it must be {bound}")
        if not 0 <= value < _INFINITE or (positive and value == 0):  # NaN compares false
            inner.wrong(f"'value' in {inner.title} is {value!r:.40}; it must be {bound}")
        unsure = inner.flag("unconfirmed", default=False)
        return Quantity(value, inner.choice("unit", units), inner.text("source"), unsure)


def read_bytes(path: Path) -> bytes:
    """What a TOML file holds; PlatformError for what is no file, or is too long to be one of ours.

    Pipes and devices, which may have no end, are refused before they are read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            mode = os.fstat(handle).st_mode
            raw = stream.read(_MOST_BYTES + 1) if stat.S_ISREG(mode) else None
    except OSError as error:
        raise PlatformError(f"{path}: cannot be read: {error.strerror}") from None
    if raw is None:
        raise PlatformError(f"{path}: not a file; name a TOML file")
    if len(raw) > _MOST_BYTES:
        raise PlatformError(f"{path}: longer than {_MOST_BYTES} bytes; is it the right file?")
    return raw


def _refuse_slow(path: Path, text: str) -> None:
    """What would take minutes to be read, and no person writes."""
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > _MOST_LINE:
            raise PlatformError(f"{path}:{number}: a line of {len(line)} letters; break it")
        if _DEEP_KEY.search(line):
            raise PlatformError(f"{path}:{number}: a key of more than 16 parts; use fewer")
        if _LONG_NUMBER.search(line):
            raise PlatformError(f"{path}:{number}: a number of too many digits; use fewer")


def read_table(path: Path, raw: bytes) -> TomlTable:
    """Parse a file's bytes; PlatformError with the line when it is no TOML."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise PlatformError(f"{path}:{line}: not UTF-8; TOML files must be") from None
    _refuse_slow(path, text)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _BROKEN.search(str(error))
        end = len(text.splitlines()) or 1
        line = int(found[1]) if found and found[1] else end
        what = _BROKEN.sub("", str(error))
        raise PlatformError(f"{path}:{line}: not TOML: {what[:1].lower()}{what[1:]}") from None
    except ValueError:  # of a number, from Python's own limit
        raise PlatformError(f"{path}:1: not TOML: it holds a number of too many digits") from None
    except RecursionError:
        raise PlatformError(f"{path}:1: not TOML: nested too deeply to be read") from None
    return TomlTable(path, _lines(text), (), values)
