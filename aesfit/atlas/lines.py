# SPDX-License-Identifier: MIT
"""The file of the atlas: a group of lines for each platform, under a head with its provenance.

The head is a comment: the platform, the group whose fields are left out (`-` for none), JSON, and a
digest of all that, of the lines, and of the other group's digest.  A line is CSV: what was asked,
its key (keys.py), the cells of three images, and those of their runs by payload (cells.py); `!`
begins the reason why there is no row.  Fields that are repeated are left out (repeats.py).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ..jobs.job import Job
from .body import NONE, OWN, About, Fields, Rows, body_of, fields_of, most_alike, rows_of
from .cells import Setting
from .origin import Tools
from .repeats import REFUSED as REFUSED
from .repeats import WIDTH, Cells, folded, unfolded

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
_HEAD = "# "
_NAMES = ("setup", "encrypt", "whole")
COLUMNS = (
    *OWN,
    *_NAMES,
    *(f"{name}_{size}" for size in SIZES for name in _NAMES),
)
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

    @property
    def about(self) -> About:
        """Without the platform."""
        return self.core, self.mode, self.ghash, self.directions


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


def file_text(groups: Iterable[Group]) -> str:
    """The whole file; a group leaves out fields of at most one that stands before it."""
    text, seals = _OPENING, {NONE: ""}
    rows: dict[str, Rows] = {NONE: {}}
    fields: dict[str, Fields] = {}
    for group in sorted(groups, key=lambda one: one.platform):
        name, own = group.platform, _rows(group)
        told = fields_of(own)
        other = most_alike(told, fields)
        head, body = _head(group, other), body_of(own, rows[other])
        rows[name], fields[name], seals[name] = own, told, _seal(head, body, seals[other])
        text += f"{_HEAD}{head} {seals[name]}\n{body}"
    return text


def _rows(group: Group) -> Rows:
    cells = {one: (*line.images, *sum(line.runs, ())) for one, line in group.lines.items()}
    return {one.about: (line.key, folded(cells[one])) for one, line in group.lines.items()}


def _head(group: Group, other: str) -> str:
    told = {
        "date": group.date,
        **asdict(group.tools),
        "version": group.setting.version,
        "memory": group.setting.memory,
    }
    return f"{group.platform} {other} {json.dumps(told, sort_keys=True)}"


def _seal(head: str, body: str, other: str) -> str:
    """`other`: the digest of the group whose fields are left out."""
    return sha256(f"{other}\n{head}\n{body}".encode()).hexdigest()


def platforms(path: Path) -> tuple[str, ...]:
    """Names of the platforms that the atlas has, in its order."""
    return tuple(_parts(path))


def group_of(platform: str, path: Path) -> Group | None:
    """The lines of a platform; None where there are none.

    DamagedAtlasError where they are not what was written.
    """
    parts = _parts(path)
    return _group(_chain(platform, parts)) if platform in parts else None


def _chain(platform: str, parts: Mapping[str, str]) -> tuple[str, ...]:
    """The text of a group, that of the group whose fields it leaves out, and so on."""
    chain: list[str] = []
    name = platform
    while name in parts and parts[name] not in chain:
        chain.append(parts[name])
        head, _, _ = parts[name].partition("\n")
        _, _, rest = head.partition(" ")
        name, _, _ = rest.partition(" ")
    return tuple(chain)


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
def _group(chain: tuple[str, ...]) -> Group:
    """The group of the first text; the next ones are those whose fields are left out."""
    rows = _completed(chain)
    name, _, told = _parted(chain[0])[0].split(" ", 2)
    facts = json.loads(told)
    tools = Tools(facts["compiler"], facts["linker"], facts["packages"])
    setting = Setting(tools.compiler, facts["version"], facts["memory"])
    return Group(name, facts["date"], tools, setting, _UnfoldedLines(name, rows))


@lru_cache(maxsize=64)
def _completed(chain: tuple[str, ...]) -> Rows:
    """The lines of the first text; DamagedAtlasError unless all texts are as written."""
    text, *others = chain
    head, seal, body = _parted(text)
    if seal != _seal(head, body, _parted(others[0])[1] if others else ""):
        raise DamagedAtlasError(
            f"the atlas holds lines of {head.partition(' ')[0]} that were changed or damaged, so "
            "aesfit fit measures instead; in a checkout, make atlas renews them"
        )
    return rows_of(body, _completed(tuple(others)) if others else {})


def _parted(text: str) -> tuple[str, str, str]:
    """The head of a group, its digest, and its lines."""
    first, _, body = text.partition("\n")
    head, _, seal = first.rpartition(" ")
    return head, seal, body


class _UnfoldedLines(Mapping[Subject, Line]):
    """Lines of a group, each of which is unfolded when it is asked for."""

    def __init__(self, platform: str, rows: Rows) -> None:
        self._platform, self._rows = platform, rows
        self._made: dict[Subject, Line] = {}

    def __getitem__(self, asked: Subject) -> Line:
        if asked not in self._made:
            if asked.platform != self._platform:
                raise KeyError(asked)
            self._made[asked] = _line(asked, *self._rows[asked.about])
        return self._made[asked]

    def __iter__(self) -> Iterator[Subject]:
        return (Subject(self._platform, *about) for about in self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _line(asked: Subject, key: str, cells: Cells) -> Line:
    each = unfolded(cells)
    images, *runs = (each[at : at + WIDTH] for at in range(0, len(each), WIDTH))
    return Line(asked, key, images, tuple(runs))
