# SPDX-License-Identifier: MIT
"""Your own checkouts of what others wrote: none of it is in this repository."""

import subprocess
from pathlib import Path


class NotThereError(Exception):
    """Something that the user has to provide."""


def commit_of(checkout: Path, repository: str) -> str:
    """The commit of an unchanged checkout."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(checkout), *words]
        done = subprocess.run(  # noqa: S603 - git, in a folder that the user names
            command, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NotThereError(f"{checkout} is no checkout; clone {repository} there")
        return done.stdout.strip()

    if git("status", "--porcelain", "--untracked-files=no"):
        raise NotThereError(f"{checkout} has changes of your own; take them back with: git stash")
    return git("rev-parse", "HEAD")
