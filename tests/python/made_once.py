# SPDX-License-Identifier: MIT
"""What tests make once: files that all tests, workers and runs share, named by their sources.

They are entries of the store's builds (store/contents.py).  A test that names an entry by less than
all that it depends on would find an old one in the place of its own.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from aesfit.building.sources import digest, include_folders
from aesfit.emitting.choice import DropInChoice, check
from aesfit.emitting.source import files, unit
from aesfit.store import closure
from aesfit.store.contents import cached, key


def made_once(suffix: str, make: Callable[[Path], None], *parts: object) -> Path:
    """The file that `make` writes at a path of its own; `parts`: all that it is made from.

    They print as JSON.  Where `make` raises, nothing is kept.
    """

    def and_no_facts(target: Path) -> dict[str, object]:
        make(target)
        return {}

    return cached(key("tests", suffix, *parts), suffix, and_no_facts)[0]


def drop_in(choice: DropInChoice) -> dict[str, str]:
    """The text of each file of a drop-in, as emitting.source.files() gives it; ValueError too."""
    check(choice)
    return dict(_drop_in(replace(choice, platform=None)))  # which decides nothing but that


@cache
def _drop_in(choice: DropInChoice) -> Mapping[str, str]:
    own = closure.digest("aesfit.emitting.source")
    sources = digest(unit(choice), include_folders())

    def make(target: Path) -> None:
        target.write_text(json.dumps(files(choice)), encoding="utf-8")

    made = made_once(".json", make, "drop-in", own, sources, repr(choice))
    return dict(json.loads(made.read_text(encoding="utf-8")))


def files_sha256(paths: Iterable[Path]) -> str:
    """Digest of files with their names; folders among the paths are passed over."""
    digests = sorted(f"{path} {_sha256(path)}" for path in paths if path.is_file())
    return sha256("\n".join(digests).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@cache
def tool_line(command: str) -> str:
    """Which tool this is: its path, and what it says of its version."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return f"{shutil.which(command)} {done.stdout}"


def object_beside(command: Sequence[str], source: Path) -> Path:
    """The object of a C or C++ file that includes its own headers from its folder alone.

    The command's complaint fails the test.
    """
    headers = {one.name: one.read_text(encoding="utf-8") for one in source.parent.glob("*.h")}
    text = source.read_text(encoding="utf-8")

    def make(target: Path) -> None:
        asked = [*command, "-c", str(source), "-o", str(target)]
        done = subprocess.run(asked, text=True, capture_output=True, check=False)
        assert done.returncode == 0, f"{' '.join(asked)}\n{done.stderr[:3000]}"

    return made_once(".o", make, "object", list(command), tool_line(command[0]), text, headers)
