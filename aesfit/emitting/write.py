# SPDX-License-Identifier: MIT
"""Writes the folder of a drop-in: it appears whole or not at all."""

import os
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from ..errors import ArgumentError
from ..files.output import kind, named


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise ValueError, in one sentence, if write() would refuse; makes nothing."""
    if os.path.lexists(folder) and not folder.is_dir():
        what = kind(folder.lstat().st_mode)
        raise ArgumentError("{} is {}; name another folder with {folder}", folder, what)
    if folder.is_dir() and not force:
        raise ArgumentError(
            "the folder {} exists already; {force} replaces the files that are written", folder
        )
    if not folder.parent.is_dir():
        raise ValueError(f"there is no folder '{folder.parent}'; make it, or choose another")


def write(
    folder: Path, contents: Mapping[str, str], *, force: bool = False, once: Collection[str] = ()
) -> None:
    """Make the folder with these files; with `force`, replace them in an existing one.

    `once`: names of files that stay as they are where they exist already.
    """
    check_folder(folder, force=force)
    contents = {
        name: text
        for name, text in contents.items()
        if name not in once or not (folder / name).exists()
    }
    for name in contents:
        if (folder / name).is_dir():
            raise ValueError(f"{folder / name} is a folder; name another with -o")
    where = folder if folder.is_dir() else folder.parent  # same file system: for rename
    with named(folder), tempfile.TemporaryDirectory(dir=where, prefix=".aesfit-") as made:
        beside = Path(made) / "new"
        beside.mkdir()
        for name, text in contents.items():
            (beside / name).parent.mkdir(parents=True, exist_ok=True)
            (beside / name).write_text(text, encoding="utf-8")
        if not folder.is_dir():
            beside.rename(folder)
            return
        for name in contents:  # all files are written; from here on they are only renamed
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (beside / name).replace(folder / name)
