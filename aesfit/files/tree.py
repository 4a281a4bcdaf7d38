# SPDX-License-Identifier: MIT
"""Maps inputs (files, folders, or several of both) to outputs, before any is written.

Encryption adds a suffix to a file's name, decryption removes it.  Folders are walked; symbolic
links in them are not followed.  Encryption skips files that are encrypted already, decryption those
that are not.  A file's first bytes show which it is, or its suffix if the format has no magic
bytes.  A path named by the user is always taken, even a symbolic link.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from .output import STDOUT, Identity, identity_of, kind, refuse_existing
from .source import STDIN, beginning, refuse_special

STREAM = "-"
"""Standard input as an input, standard output as an output."""


@dataclass(frozen=True)
class Naming:
    """How outputs are named after inputs."""

    suffix: str
    encrypt: bool
    magic: bytes | None = None
    """What every encrypted file begins with; None if the format has no magic bytes."""

    def output(self, name: str) -> str | None:
        """Name of the output for an input of that name; None if it cannot be derived."""
        if self.encrypt:
            return name + self.suffix
        stem = name.removesuffix(self.suffix)
        return stem if stem not in (name, "") else None

    def wanted(self, path: Path) -> bool:
        """Whether to process a file found in a folder; OSError if it cannot be read.

        Decryption accepts the suffix too, so that a container with damaged first bytes is reported.
        """
        named_so = path.name.endswith(self.suffix) and path.name != self.suffix
        if self.magic is None:
            return named_so != self.encrypt
        if named_so and not self.encrypt:
            return True
        return (beginning(path, len(self.magic)) == self.magic) != self.encrypt


@dataclass(frozen=True)
class Item:
    """One input and its output; None is standard input and standard output."""

    source: Path | None
    target: Path | None
    size: int | None = None
    """Size in bytes, if known beforehand."""
    follow: bool = True
    """A symbolic link may stand for the source."""
    mirrored: bool = False
    """The output goes to a folder that is created if missing."""
    identity: Identity | None = None
    """Identity of the source."""
    into: Identity | None = None
    """Identity of the target's folder, if that exists already."""


@dataclass
class Plan:
    """What to do, what cannot be done and why, and what is skipped."""

    items: list[Item] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """A sentence for each."""
    links: list[Path] = field(default_factory=list)
    """Symbolic links in folders, which are not followed."""
    left: int = 0
    """Number of files in folders that need no work: already encrypted, or not encrypted."""
    empty: list[Path] = field(default_factory=list)
    """Empty folders; with outputs beside the inputs there is nothing to do for them."""
    folders: list[tuple[Path, Path]] = field(default_factory=list)
    """Empty folders, if the output goes to another folder: what to make, and what it mirrors."""


def plan(inputs: Sequence[str], output: str | None, naming: Naming, *, force: bool) -> Plan:
    """Plan all work; ValueError if the call as a whole makes no sense, before anything is done."""
    made = Plan()
    if "" in (*inputs, output):
        raise ValueError("a name is empty; give the name of a file or a folder")
    if STREAM in inputs:
        made.items = [_stream(inputs, output)]
    else:
        sources = list(dict.fromkeys(Path(name) for name in inputs))
        into = _folder(sources, output)
        for source in sources:
            try:
                _add(made, source, None if into else output, into, naming)
            except (OSError, ValueError) as error:
                made.refused.append(sentence(error))
    unique = {(item.source, item.target): item for item in made.items}
    made.items = [replace(item, into=_folder_identity(item.target)) for item in unique.values()]
    _check_collisions(made.items)
    _refuse_existing(made, force=force)
    return made


def sentence(error: Exception) -> str:
    """What went wrong, beginning with the file concerned."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _stream(inputs: Sequence[str], output: str | None) -> Item:
    if len(inputs) > 1:
        raise ValueError("standard input (-) must be the only input; name no other beside it")
    target = None if output in (None, STREAM) else Path(str(output))
    if target is not None and target.is_dir():
        raise ValueError(f"{target} is a folder; name a file as the output of standard input")
    return Item(None, target, identity=_handle_identity(0))


def _folder(sources: Sequence[Path], output: str | None) -> Path | None:
    """The folder that outputs go to, if one is named."""
    if output is None:
        return None
    many = len(sources) > 1 or sources[0].is_dir()
    if output == STREAM and many:
        raise ValueError("standard output (-) takes one file; name a folder with -o for several")
    path = Path(output)
    if many and path.exists() and not path.is_dir():
        raise ValueError(f"{path} is a file; name a folder for several outputs")
    return path if many or path.is_dir() or output.endswith("/") else None


def _add(made: Plan, source: Path, output: str | None, into: Path | None, naming: Naming) -> None:
    """Put one input into the plan."""
    if source.is_dir():
        _walk(made, source, into, naming)
        return
    status = source.stat()
    refuse_special(status.st_mode, source)
    name = naming.output(source.name)
    target = None
    if output is not None:
        target = None if output == STREAM else Path(output)
    elif name is not None:
        target = (into or source.parent) / name
    else:
        raise ValueError(f"{source} does not end in {naming.suffix}; name the output with -o FILE")
    made.items.append(
        Item(source, target, status.st_size, True, into is not None, identity_of(status))
    )


def _walk(made: Plan, top: Path, into: Path | None, naming: Naming) -> None:
    """Put a folder into the plan; under `into` it keeps its name and the paths within."""
    own = top.name if top.name != ".." else ""
    root = top if into is None else into / own
    for path, status in _entries(made, top):
        place = root / path.parent.relative_to(top)
        if stat.S_ISLNK(status.st_mode):
            made.links.append(path)
        elif stat.S_ISDIR(status.st_mode) and into is not None:
            made.folders.append((place / path.name, path))
        elif stat.S_ISDIR(status.st_mode):
            made.empty.append(path)
        elif not stat.S_ISREG(status.st_mode):
            made.refused.append(f"{path} is {kind(status.st_mode)}, not a file")
        else:
            _add_found(
                made,
                Item(path, place, status.st_size, False, into is not None, identity_of(status)),
                naming,
            )


def _add_found(made: Plan, item: Item, naming: Naming) -> None:
    """Put a file found in a folder into the plan; its target is still the output's folder."""
    path, place = item.source, item.target
    assert path is not None and place is not None  # noqa: S101, PT018 - found in a folder
    try:
        wanted = naming.wanted(path)
    except OSError as error:
        made.refused.append(sentence(error))
        return
    name = naming.output(path.name)
    if not wanted:
        made.left += 1
    elif name is None:
        made.refused.append(
            f"{path} is encrypted, but does not end in {naming.suffix}; decrypt it with -o FILE"
        )
    else:
        made.items.append(replace(item, target=place / name))


def _entries(made: Plan, top: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Files and empty folders below a folder, in order; refuses what it cannot read."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            paths = sorted(folder.iterdir())
        except OSError as error:
            made.refused.append(sentence(error))
            continue
        if not paths and folder != top:
            yield folder, folder.lstat()
        below = []
        for path in paths:
            try:
                status = path.lstat()
            except OSError as error:
                made.refused.append(sentence(error))
                continue
            if stat.S_ISDIR(status.st_mode):
                below.append(path)
            else:
                yield path, status
        waiting += reversed(below)


def _handle_identity(handle: int) -> Identity | None:
    """Identity of standard input or output, if it is a regular file."""
    try:
        status = os.fstat(handle)
    except OSError:
        return None
    return identity_of(status) if stat.S_ISREG(status.st_mode) else None


def _check_collisions(items: Sequence[Item]) -> None:
    """ValueError if two outputs have one path, or an output is an input."""
    resolved = cache(Path.resolve)
    sources = {item.identity: item.source or STDIN for item in items if item.identity}
    taken: dict[Path, Path | str] = {}
    for item in items:
        source = item.source or STDIN
        if item.target is None:
            same = _handle_identity(1)
        else:
            place = resolved(item.target.parent) / item.target.name
            if place in taken:
                raise ValueError(f"{taken[place]} and {source} would both become {item.target}")
            taken[place] = source
            same = _target_identity(item.target)
        if same is not None and same in sources:
            raise ValueError(
                f"the output {item.target or STDOUT} is the input {sources[same]}; "
                "name another with -o"
            )


def _folder_identity(target: Path | None) -> Identity | None:
    return None if target is None else _target_identity(target.parent)


def _target_identity(target: Path) -> Identity | None:
    try:
        return identity_of(target.stat())
    except OSError:
        return None


def _refuse_existing(made: Plan, *, force: bool) -> None:
    """Refuse the items whose outputs exist."""
    kept = []
    for item in made.items:
        try:
            if item.target is not None:
                refuse_existing(item.target, force=force)
            kept.append(item)
        except OSError as error:
            made.refused.append(sentence(error))
    made.items = kept
