# SPDX-License-Identifier: MIT
"""Processes of a pool whose parent is killed."""

import signal
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from aesfit.measuring.measure import _born

if __name__ == "__main__":
    with ProcessPoolExecutor(2, get_context("spawn"), _born) as pool:
        pool.submit(os.getpid).result()
        print("ready", flush=True)
        sys.stdin.read()
"""


def test_they_end_with_it(tmp_path: Path) -> None:
    """They hold its standard output, which ends only when they do."""
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "ready\n"
    parent.kill()
    assert parent.communicate()[0] == ""
    assert parent.returncode == -signal.SIGKILL
