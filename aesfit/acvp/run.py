# SPDX-License-Identifier: MIT
"""Reads a vector file, answers its tests, and compares with the expected answers.

A file is a prompt (questions), expected results (answers), or an internal projection (both), as
they lie in NIST's repository ACVP-Server under gen-val/json-files.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .answers import Answer, Fields, UnsupportedTestError, answer, unsupported

_MOST_BYTES = 1 << 26
"""Limit, because lists of empty lists take 20 times the memory of their text."""
_NAME = re.compile(r"[A-Za-z0-9./_-]{0,40}")
_OUTPUTS = ("ct", "pt", "tag", "mac", "testPassed", "resultsArray")


@dataclass
class AcvpReport:
    """The results of a file's tests."""

    algorithm: str
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    """A sentence for each test whose answer differs."""
    unanswered: int = 0
    """Tests with nothing to compare with."""
    left: dict[str, int] = field(default_factory=dict)
    """Tests that were not run, by reason."""
    responses: dict[str, Any] = field(default_factory=dict)
    """The file that answers a prompt."""

    def leave(self, why: str, many: int) -> None:
        """Count tests that are not run."""
        self.left[why] = self.left.get(why, 0) + many

    def as_json(self) -> dict[str, Any]:
        """Plain values of everything but the responses."""
        return {
            "algorithm": self.algorithm,
            "right": self.right,
            "wrong": self.wrong,
            "unanswered": self.unanswered,
            "left": [{"reason": why, "tests": many} for why, many in self.left.items()],
        }


def read(path: Path) -> dict[str, Any]:
    """The document with test groups; ValueError in a sentence for any other file."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path}: this is not a file")
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"{path}: longer than {_MOST_BYTES >> 20} MiB; is it the right file?")
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(f"{path}: this is not JSON, as ACVP's files are") from None
    for one in content if isinstance(content, list) else [content]:
        if isinstance(one, dict) and isinstance(one.get("testGroups"), list):
            return one
    raise ValueError(f"{path}: there are no testGroups, as ACVP's files have")


def run(
    document: Mapping[str, Any], expected: Mapping[str, Any] | None, core: str | None = None
) -> AcvpReport:
    """Answer all tests; ValueError if fields are missing or of a wrong type."""
    algorithm = _named(document, "algorithm")
    report = AcvpReport(algorithm)
    known = _expected(expected or document)
    groups = []
    for group in _objects(document, "testGroups"):
        tests = list(_objects(group, "tests"))
        _named(group, "testType")
        why = unsupported(algorithm, group)
        if why:
            report.leave(why, len(tests))
            continue
        some = [_one(report, group, test, known, core) for test in tests]
        groups.append({"tgId": group.get("tgId"), "tests": [one for one in some if one]})
    same = {name: document.get(name) for name in ("vsId", "algorithm", "revision")}
    report.responses = {**same, "testGroups": groups}
    return report


def _one(
    report: AcvpReport, group: Fields, test: Fields, known: Mapping[Any, Fields], core: str | None
) -> Answer | None:
    """Answer one test and compare."""
    algorithm, case = report.algorithm, test.get("tcId")
    where = f"{algorithm}, group {group.get('tgId')}, test {case}"
    try:
        found = answer(algorithm, group, _asked(group, test), core)
    except UnsupportedTestError as error:
        report.leave(str(error), 1)
        return None
    except KeyError as error:
        raise ValueError(f"{where}: the field {error} is missing") from None
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None
    wanted = known.get(case)
    if wanted is None:
        report.unanswered += 1
    elif _same(found, wanted):
        report.right += 1
    else:
        report.wrong.append(f"{where}: the answer differs from the expected one")
    return {"tcId": case, **found}


def _asked(group: Fields, test: Fields) -> Fields:
    """The question without the answers that a projection also holds."""
    if group.get("testType") == "MCT" or "direction" not in group:
        return test
    outputs = {"encrypt": ("ct", "tag"), "decrypt": ("pt",), "gen": ("mac",)}
    hidden = outputs.get(group["direction"], ())
    return {name: value for name, value in test.items() if name not in hidden}


def _expected(document: Mapping[str, Any]) -> dict[Any, Fields]:
    """Answers by the number of their test."""
    found: dict[Any, Fields] = {}
    for group in _objects(document, "testGroups"):
        for test in _objects(group, "tests"):
            outputs = {name: test[name] for name in _answers(group) if name in test}
            if outputs:
                found[test.get("tcId")] = outputs
    return found


def _answers(group: Fields) -> tuple[str, ...]:
    """Fields that are answers; a group in a file of expected results lacks its direction."""
    if group.get("testType") == "MCT":
        return ("resultsArray",)
    by_direction = {
        "encrypt": ("ct", "tag"),
        "decrypt": ("pt", "testPassed"),
        "gen": ("mac",),
        "ver": ("testPassed",),
    }
    return by_direction.get(str(group.get("direction")), _OUTPUTS)


def _same(found: Answer, wanted: Fields) -> bool:
    """Whether every expected field was found; the case of hexadecimal digits does not matter."""
    if wanted.get("testPassed") is False:
        return found == {"testPassed": False}
    return all(
        _plain(found.get(name)) == _plain(value)
        for name, value in wanted.items()
        if name != "testPassed" or name in found
    )


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value


def _objects(holder: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The objects of a list; ValueError if it is not one."""
    values = holder.get(name)
    if not isinstance(values, list) or not all(isinstance(one, dict) for one in values):
        raise ValueError(f"'{name}' is not a list of objects, as ACVP's files have")
    for value in values:
        for number in ("tgId", "tcId"):
            if not isinstance(value.get(number, 0), int):
                raise ValueError(f"'{number}' is not a whole number, as ACVP's files have")
        yield value


def _named(holder: Mapping[str, Any], field_name: str) -> str:
    """A name to use in sentences; ValueError if it is not a string."""
    value = holder.get(field_name, "")
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"'{field_name}' is not a name, as ACVP's files have")
    return value
