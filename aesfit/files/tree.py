# SPDX-License-Identifier: MIT
"""Which inputs become which outputs: files, folders, many of both; decided before any is written.

A file `NAME` becomes `NAME` and a suffix, and back.  Folders are walked; in them symbolic links
are not followed, and only what has a meaning is taken: for encryption what is not encrypted yet,
for decryption what is.  A file's first bytes say which it is, where the format has such bytes, and
else its suffix.  What is named itself is taken as it is, a symbolic link too.
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
    """How outputs are called after inputs."""

    suffix: str
    encrypt: bool
    magic: bytes | None = None
    """What every encrypted file begins with; None where the format has no such bytes."""

    def output(self, name: str) -> str | None:
        """Name of the output for an input of that name; None where that cannot be told."""
        if self.encrypt:
            return name + self.suffix
        stem = name.removesuffix(self.suffix)
        return stem if stem not in (name, "") else None

    def wanted(self, path: Path) -> bool:
        """Whether a file found in a folder is to be taken; OSError where it cannot be read.

        For decryption a suffix is enough, so that a container whose first bytes are damaged fails.
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
    """Bytes, where they are known beforehand."""
    follow: bool = True
    """A symbolic link may stand for the source."""
    mirrored: bool = False
    """The output goes to a folder that is made where it is missing."""
    identity: Identity | None = None
    """Of the source."""
    into: Identity | None = None
    """Of the target's folder, where that is there already."""


@dataclass
class Plan:
    """What is to be done, what cannot be done and why, and what is left alone."""

    items: list[Item] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """A sentence for each."""
    links: list[Path] = field(default_factory=list)
    """Symbolic links in folders, which are not followed."""
    left: int = 0
    """Files in folders that are encrypted, or are not, already."""
    empty: list[Path] = field(default_factory=list)
    """Folders with nothing in them, which have no output beside them."""
    folders: list[tuple[Path, Path]] = field(default_factory=list)
    """The same where the output goes to another folder: what to make, and what it mirrors."""


def plan(inputs: Sequence[str], output: str | None, naming: Naming, *, force: bool) -> Plan:
    """Decide all; ValueError where the call makes no sense as a whole, so that nothing is begun."""
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
    """What went wrong, with the file that it concerns first."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _stream(inputs: Sequence[str], output: str | None) -> Item:
    if len(inputs) > 1:
        raise ValueError("standard input (-) is read alone; name no other input beside it")
    target = None if output in (None, STREAM) else Path(str(output))
    if target is not None and target.is_dir():
        raise ValueError(f"{target} is a folder; name the file for what standard input gives")
    return Item(None, target, identity=_handle_identity(0))


def _folder(sources: Sequence[Path], output: str | None) -> Path | None:
    """The folder that outputs go to, where one is named."""
    if output is None:
        return None
    many = len(sources) > 1 or sources[0].is_dir()
    if output == STREAM and many:
        raise ValueError("standard output (-) takes one file, not several and no folder")
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
    """Put a file of a folder into the plan, whose target is still the folder of its output."""
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
    """All below a folder but folders that hold something, in order; refuses what it cannot read."""
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
    """Of a regular file that standard input or output is."""
    try:
        status = os.fstat(handle)
    except OSError:
        return None
    return identity_of(status) if stat.S_ISREG(status.st_mode) else None


def _check_collisions(items: Sequence[Item]) -> None:
    """ValueError where two outputs are one, or an output is an input."""
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
    """Move the items whose outputs exist to what is refused."""
    kept = []
    for item in made.items:
        try:
            if item.target is not None:
                refuse_existing(item.target, force=force)
            kept.append(item)
        except OSError as error:
            made.refused.append(sentence(error))
    made.items = kept
