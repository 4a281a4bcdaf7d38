# SPDX-License-Identifier: MIT
"""The page as static files: answers of the chooser over the atlas, computed in advance.

`answers/<platform>.bin` is JSON under gzip, which the page's own script unpacks, so that it does
not matter how a server labels compressed files.  What all answers say alike stands once, in `same`;
values that several share stand in `pool`, and answers name them by their places there.
"""

import gzip
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

from ..choosing.answer import Answer
from ..choosing.request import OBJECTIVES, TIMING_LIMITS, models_misses
from ..choosing.usual import MODES, SIZES, usual_platforms
from ..jobs.job import Progress
from ..platforms.find import platform_named
from . import answers, offers
from .schema import Choices, PageAnswer, PageQuestion

FLASH_LIMITS = (2048, 4096, 8192, 12288, 16384)
"""Bytes, those to which the page's slider snaps."""
POOLED = ("verdict", "notes", "asked", "unit", "command")
"""Keys of an answer whose words stand in the pool."""
ROW = ("core", "ghash", "cycles", "flash", "ram", "timing", "evidence", "kind", "proved")
"""What a core costs, as the pool has it: values in this order."""
_STATIC = Path(__file__).parent / "static"
_BODY = "<body>"
_STORED_BODY = '<body data-source="stored">'


def classes() -> Iterator[dict[str, Any]]:
    """What is asked of each platform, mode and payload; the page's own keys."""
    plain = {"timing": None, "objective": "cycles", "flash": None}
    yield from ({**plain, "timing": timing} for timing in (None, *TIMING_LIMITS))
    for timing, objective in product((None, "any"), OBJECTIVES[1:]):
        yield {**plain, "timing": timing, "objective": objective}
    yield from ({**plain, "flash": flash} for flash in FLASH_LIMITS)


def key_of(question: PageQuestion) -> str:
    """By which stored.js finds an answer."""
    limits = (question.timing or "", question.objective, question.flash or "")
    return "/".join(map(str, (question.mode, question.bytes, *limits)))


def files(
    platforms: Sequence[str] | None = None, progress: Progress = lambda done, total: None
) -> Iterator[tuple[str, bytes]]:
    """Paths and contents; platforms without a current line in the atlas are left out."""
    names = usual_platforms() if platforms is None else platforms
    packed: dict[str, bytes] = {}
    progress(0, len(names))
    with ProcessPoolExecutor() as pool:
        for done, data in enumerate(pool.map(packed_answers, names), 1):
            packed[names[done - 1]] = data
            progress(done, len(names))
    held = [name for name in names if packed[name]]
    if not held:
        raise RuntimeError("no line of the atlas is current; renew it with: make atlas")
    for path in sorted(_STATIC.iterdir()):
        data = path.read_bytes()
        if path.name == "index.html":
            data = data.replace(_BODY.encode(), _STORED_BODY.encode())
        yield path.name, data
    yield "choices.json", choices(held).model_dump_json(by_alias=True).encode()
    for name in held:
        yield f"answers/{name}.bin", packed[name]


def choices(names: Sequence[str]) -> Choices:
    """The same list as the served page has, of what is held here."""
    offered = [
        one.model_copy(
            update={"kind": "messages", "cache": None, "penalty": None, "modes": list(MODES),
                    "ghashes": [], "unavailable": None}
        )
        for one in offers.offered()
        if one.name in names
    ]  # fmt: skip
    start = offers.COMMON if offers.COMMON in names else names[0]
    return Choices(platforms=offered, start=start, bytes=list(SIZES), token="")


def packed_answers(name: str) -> bytes:
    """All answers about a platform; empty where the atlas has none that is current."""
    found, pool = dict[str, Any](), dict[str, int]()
    for mode, size in product(MODES, SIZES):
        for question, told in _asked(name, mode, size):
            found[key_of(question)] = _packed(told, pool)
    if not found:
        return b""
    same = _same(list(found.values()))
    some = {key: _without(same, each) for key, each in found.items()}
    whole = {"row": ROW, "pool": list(map(json.loads, pool)), "same": same, "answers": some}
    return gzip.compress(json.dumps(whole, separators=(",", ":")).encode(), mtime=0)


def _same(answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all of them say alike."""
    first = answers[0]
    return {key: first[key] for key in first if all(one[key] == first[key] for one in answers)}


def _without(same: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key not in same}


def _packed(told: PageAnswer, pool: dict[str, int]) -> dict[str, Any]:
    """An answer as stored.js unpacks it.

    The question, which asks for it, and the long sentence, which no page shows, are left out.
    """
    plain = told.model_dump(by_alias=True, exclude={"question", "sentence"})
    words = {key: _pooled(plain[key], pool) for key in POOLED}
    rows = [_figures(one, pool) for one in plain["ranking"]]
    front = [one["rank"] for one in plain["ranking"] if one["front"]]
    dropped = [(_figures(one, pool), _pooled(one["reason"], pool)) for one in plain["dropped"]]
    return {**plain, **words, "ranking": rows, "front": front, "dropped": dropped}


def _figures(row: dict[str, Any], pool: dict[str, int]) -> int:
    """What a core costs, which is the same in many answers; whole cycles without a point."""
    values = (row.get(key) for key in ROW)
    plain = [int(one) if isinstance(one, float) and one == int(one) else one for one in values]
    return pool.setdefault(json.dumps(plain), len(pool))


def _pooled(value: Any, pool: dict[str, int]) -> Any:  # noqa: ANN401 - any JSON
    """The place of a value in the pool, or of each member of a list; new ones are added."""
    if isinstance(value, list):
        return [_pooled(one, pool) for one in value]
    return pool.setdefault(json.dumps(value, sort_keys=True), len(pool))


def _asked(name: str, mode: str, size: int) -> Iterator[tuple[PageQuestion, PageAnswer]]:
    earlier: tuple[Answer, ...] = ()
    for each in classes():
        question = question_of(name, mode, size, each)
        found = answers.answer(question, earlier, only_known=True)
        if found.unmeasured or found.origin is None or found.origin.rows < found.origin.of:
            return  # a row that is stored on this computer alone is not published
        earlier = (found,)
        yield question, answers.without_curve(question, found)


def question_of(name: str, mode: str, size: int, limits: dict[str, Any]) -> PageQuestion:
    """The page's question; behind a data cache, misses are those that were measured."""
    platform = platform_named(name)
    misses = {"misses": "measured"} if models_misses(platform) else {}
    asked = {"platform": name, "mode": mode, "bytes": size, **misses, **limits}
    return PageQuestion.model_validate(asked)


def check_folder(folder: Path) -> None:
    """ValueError in a sentence for a folder that is not new or empty, or cannot be made."""
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder} exists and is not empty; name another folder, or empty it")
    if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
        raise ValueError(f"{folder} is no folder; name one that is new or empty")
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not there.is_dir():
        raise ValueError(f"{there} is no folder, so nothing can be below it; name another folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(f"the folder {there} cannot be written; name another folder")


def export(
    folder: Path,
    platforms: Sequence[str] | None = None,
    progress: Progress = lambda done, total: None,
) -> int:
    """Write all files into a new or empty folder; the bytes written.

    Everything is computed before the first file is written.
    """
    check_folder(folder)
    made = list(files(platforms, progress))
    for path, data in made:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return sum(len(data) for _, data in made)
