# SPDX-License-Identifier: MIT
"""The file of the atlas: a group of lines for each platform, under a head with its provenance.

The head is a comment with the name of the platform, JSON, and a digest of JSON and lines.  A line
is CSV: what was asked, its key (keys.py), the cells of three images, and those of their runs by
payload (cells.py).  An empty cell of an image is as that to its left, and one of a run as that of
the payload before; `!` begins the reason why there is no row.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ..jobs.job import Job
from .cells import Setting
from .origin import Tools

PATH = Path(__file__).with_name("atlas.csv")
SIZES = (16, 64, 1504)
"""Payloads in bytes: a block, a short message, and the longest packet of Ethernet or of IEEE
802.11 behind it."""
MODES = ("ecb", "ctr", "ccm", "gcm", "cmac", "xts")
"""`ecb` is what `fit` calls the mode block."""
KEY_BITS = 128
DIRECTIONS = {"both": "both", "encrypt": "message"}
"""Of the firmware, and the operation whose image carries them."""
COMMON = ("key-setup", "encrypt")
"""Operations that every firmware has."""
REFUSED = "!"
_HEAD = "# "
_NAMES = ("setup", "encrypt", "whole")
COLUMNS = (
    *("platform", "core", "mode", "ghash", "directions", "key"),
    *_NAMES,
    *(f"{name}_{size}" for size in SIZES for name in _NAMES),
)
_OWN = 6
"""Columns before the cells."""
_OPENING = (
    "# SPDX-License-Identifier: MIT\n"
    "# What `aesfit fit` answers with; written by tools/make_atlas.py, see docs/atlas.md.\n"
    f"{','.join(COLUMNS)}\n"
)


class DamagedAtlasError(ValueError):
    """Lines are not those that were written."""


@dataclass(frozen=True)
class Subject:
    """What a line is about."""

    platform: str
    core: str
    mode: str
    ghash: str
    """Of GCM; empty in other modes."""
    directions: str
    """One of DIRECTIONS."""

    @property
    def ops(self) -> tuple[str, ...]:
        """Operations of the line, in the order of its cells."""
        return (*COMMON, DIRECTIONS[self.directions])


def asked_of(job: Job, directions: str) -> Subject:
    """The line that would hold a job."""
    ghash = job.ghash if job.mode == "gcm" else ""
    return Subject(job.platform.name, job.core, job.mode or "", ghash, directions)


@dataclass(frozen=True)
class Line:
    """Figures of one core in one mode on one platform."""

    asked: Subject
    key: str
    images: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...]
    """By payload, then by operation."""

    def cells(self, op: str, size: int) -> tuple[str, str]:
        """The cell of the image, and that of the run."""
        at, last = self.asked.ops.index(op), SIZES.index(size)
        return _latest(self.images[: at + 1]), _latest([run[at] for run in self.runs[: last + 1]])


def _latest(cells: Sequence[str]) -> str:
    """The last one that is not empty, for an empty one is as that before."""
    return next((cell for cell in reversed(cells) if cell), "")


def sparse(cells: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """The cells; those that are as the ones before are empty."""
    return tuple("" if new == old else new for new, old in zip(cells, before, strict=True))


@dataclass(frozen=True)
class Group:
    """All lines of a platform, measured with the same tools."""

    platform: str
    date: str
    """YYYY-MM-DD of the latest measurement."""
    tools: Tools
    setting: Setting
    lines: Mapping[Subject, Line]


def group_text(group: Group) -> str:
    """The group as it stands in the file."""
    body = io.StringIO()
    writer = csv.writer(body, lineterminator="\n")
    for asked, line in sorted(group.lines.items(), key=lambda one: tuple(asdict(one[0]).values())):
        runs = (cell for cells in line.runs for cell in cells)
        writer.writerow((*asdict(asked).values(), line.key, *line.images, *runs))
    told = {
        "date": group.date,
        **asdict(group.tools),
        "version": group.setting.version,
        "memory": group.setting.memory,
    }
    head = json.dumps(told, sort_keys=True)
    return f"{_HEAD}{group.platform} {head} {_seal(head, body.getvalue())}\n{body.getvalue()}"


def _seal(head: str, body: str) -> str:
    return sha256(f"{head}\n{body}".encode()).hexdigest()


def file_text(groups: Iterable[Group]) -> str:
    """The whole file."""
    return _OPENING + "".join(map(group_text, sorted(groups, key=lambda one: one.platform)))


def platforms(path: Path) -> tuple[str, ...]:
    """Names of the platforms that the atlas has, in its order."""
    return tuple(_parts(path))


def group_of(platform: str, path: Path) -> Group | None:
    """The lines of a platform; None where there are none.

    DamagedAtlasError where they are not what was written.
    """
    text = _parts(path).get(platform)
    return None if text is None else _group(text)


def _parts(path: Path) -> Mapping[str, str]:
    try:
        stat = path.stat()
    except OSError:
        return {}
    return _split(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _split(path: Path, _time: int, _size: int) -> Mapping[str, str]:
    """The text of each group, by its platform."""
    text = path.read_text(encoding="utf-8", errors="replace")
    found: dict[str, str] = {}
    for part in text.removeprefix(_OPENING).split(f"\n{_HEAD}"):
        body = part.removeprefix(_HEAD).rstrip("\n") + "\n"
        found[body.partition(" ")[0]] = body
    return {name: body for name, body in found.items() if name.strip()}


@lru_cache(maxsize=64)
def _group(text: str) -> Group:
    head, _, body = text.partition("\n")
    name, _, told = head.partition(" ")
    note, _, seal = told.rpartition(" ")
    if seal != _seal(note, body):
        raise DamagedAtlasError(
            f"the atlas holds lines of {name} that were changed or damaged, so aesfit fit measures "
            "instead; in a checkout, make atlas renews them"
        )
    facts = json.loads(note)
    tools = Tools(facts["compiler"], facts["linker"], facts["packages"])
    setting = Setting(tools.compiler, facts["version"], facts["memory"])
    lines = [_line(row) for row in csv.reader(io.StringIO(body))]
    return Group(name, facts["date"], tools, setting, {one.asked: one for one in lines})


def _line(row: list[str]) -> Line:
    own, cells = row[:_OWN], row[_OWN:]
    width = len(_NAMES)
    images, *runs = (tuple(cells[at : at + width]) for at in range(0, len(cells), width))
    return Line(Subject(*own[:-1]), own[-1], images, tuple(runs))
