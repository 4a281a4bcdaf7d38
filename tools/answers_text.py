# SPDX-License-Identifier: MIT
"""Answers of the command line as text that can be compared: a row is a line, a figure a word."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LEFT_OUT: Mapping[str, str] = {
    "version": "changes with each release",
    "available": "depends on what is installed, and on the processor of this computer",
    "why_not": "the same",
    "compiler": "a version; the head of the file names it once",
    "linker": "a version",
    "emulator": "a version",
    "provenance.rig": "holds versions, and the platform says which rig it is",
    "sources_sha256": "of what a figure is computed from; what a change does is in the figure",
    "platform_sha256": "the same",
    "timing_sha256": "the same",
    "image_sha256": "the same",
    "atlas": "whether the figures are from the atlas; measured ones are the same",
    "current": "whether lines of the atlas are renewed; from old ones nothing is answered",
    "old": "the same",
    "date": "when the atlas was measured",
    "cycles_per_byte": "follows from cycles and bytes, which are there",
    "findings.address": "moves with all code before it",
    "findings.line": "moves with all lines before it",
}
"""Keys that are not compared, and why; with a dot, keys within that one."""
ONLY_NAMED = ("winner", "runner_up")
"""Rows of `fit` that its ranking holds too: only their names are compared again."""
TOLD_ONCE = "is built once, into the cache folder"
"""End of a line on standard error that only a run with an empty store prints."""
_USAGE = ("Usage: ", "Try 'aesfit")
"""Starts of lines before a complaint, which --help holds."""
_LONGEST = 60
"""Characters of a text beside others in a line; a longer one has a line of its own."""
_KNOWN_BY = 50
"""Characters at the start of a changed line that are shown although they are equal."""
_AROUND = 20
"""Characters that are shown on either side of a change."""
_APART = "  "


def lines_of(code: int, output: str, complaint: str) -> tuple[str, ...]:
    """The answer of a command as lines; its output is JSON or, if it failed, any text."""
    try:
        told = list(_lines("", json.loads(output)))
    except ValueError:
        told = [f"stdout: {line}" for line in output.splitlines() if line]
    said = [line for line in complaint.splitlines() if line and not line.startswith(_USAGE)]
    kept = [f"stderr: {line}" for line in said if not line.endswith(TOLD_ONCE)]
    return f"exit code: {code}", *told, *kept


def compilers_in(output: str) -> set[str]:
    """The compilers that an answer names."""
    found: set[str] = set()

    def note(value: dict[str, Any]) -> dict[str, Any]:
        if isinstance(name := value.get("compiler"), str):
            found.add(name)
        return value

    try:
        json.loads(output, object_hook=note)
    except ValueError:
        return set()
    return found


def _lines(path: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """The lines of a value: one for a mapping's short values, and others for the rest of it.

    A key of the whole answer has a line of its own.
    """
    if isinstance(value, list) and not _is_word(value):
        for one in value:
            yield from _lines(path or "row", one)
    elif isinstance(value, dict):
        kept = {key: _named(key, one) for key, one in value.items() if _counts(path, key, one)}
        words = {key: one for key, one in kept.items() if path and _is_word(one)}
        if words:
            told = _APART.join(f"{key}={_word(one)}" for key, one in words.items())
            yield f"{path}: {told}"
        for key in (one for one in kept if one not in words):
            yield from _lines(f"{path}.{key}" if path else key, kept[key])
    elif value not in (None, "", []):
        yield f"{path}: {_word(value)}"


def _counts(path: str, key: str, value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Whether it is compared; what is not there, as the GHASH multiplier of CTR, has no line."""
    left_out = key in LEFT_OUT or f"{path.rpartition('.')[2]}.{key}" in LEFT_OUT
    return not left_out and value not in (None, "", [], {})


def _named(key: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if key in ONLY_NAMED and isinstance(value, dict):
        return " ".join(filter(None, (value.get("core"), value.get("ghash"))))
    return value


def _is_word(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Whether it stands beside others in a line."""
    if isinstance(value, list):
        return all(not isinstance(one, list | dict) for one in value) and _is_word(_word(value))
    return not isinstance(value, dict) and len(_word(value)) <= _LONGEST


def _word(value: Any) -> str:  # noqa: ANN401 - any JSON value but a mapping
    """A float has six digits: the last ones may differ with the processor that computes."""
    if isinstance(value, list):
        return ",".join(map(_word, value))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.6g}"
    return value.replace("\n", "\\n") if isinstance(value, str) else json.dumps(value)


def changes(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines that differ, as in a unified diff without context; what is equal is cut."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    told: list[str] = []
    for _, i, j, m, n in (one for one in matcher.get_opcodes() if one[0] != "equal"):
        old, new = list(before[i:j]), list(after[m:n])
        if len(old) == len(new):
            for pair in zip(old, new, strict=True):
                told += [f"{sign}{line}" for sign, line in zip("-+", _cut(*pair), strict=True)]
        else:
            told += [f"-{line}" for line in old] + [f"+{line}" for line in new]
    return told


def _cut(before: str, after: str) -> tuple[str, str]:
    """Two lines without most of what they share, apart from their start."""
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    head, tail = before[:start], before[len(before) - end :]
    if start > _KNOWN_BY + 2 * _AROUND:
        head = f"{head[:_KNOWN_BY]} ... {head[-_AROUND:]}"
    if end > 2 * _AROUND:
        tail = f"{tail[:_AROUND]} ..."
    middles = (one[start : len(one) - end] for one in (before, after))
    first, second = (f"{head}{middle}{tail}" for middle in middles)
    return first, second


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
