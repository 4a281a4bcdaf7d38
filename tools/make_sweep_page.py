# SPDX-License-Identifier: MIT
"""Run sweeps/example.toml and renew its fronts in docs/sweep.md.

The page's own commands are run; the author must check the sentences between them.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "sweep.md"
_FRONT = r"sweep front results\.parquet [^\n]*"
_BLOCK = re.compile(rf"```console\n\$ aesfit ({_FRONT})\n.*?```", re.DOTALL)
_START = "## The example"


def aesfit(arguments: list[str], folder: str) -> str:
    """What the command prints, run in `folder`."""
    command = [sys.executable, "-m", "aesfit", *arguments]
    done = subprocess.run(  # noqa: S603 - arguments of the page's own
        command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def main() -> None:
    """Renew the blocks of the section on the example."""
    head, start, example = PAGE.read_text(encoding="utf-8").partition(_START)
    with tempfile.TemporaryDirectory() as folder:
        print(aesfit(["sweep", str(ROOT / "sweeps/example.toml"), "-o", "results.parquet"], folder))

        def renewed(found: re.Match[str]) -> str:
            printed = aesfit(shlex.split(found[1]), folder)
            return f"```console\n$ aesfit {found[1]}\n{printed}```"

        example, times = _BLOCK.subn(renewed, example)
        if not times:
            raise ValueError(f"{PAGE.name} has no block of `aesfit sweep front`")
    PAGE.write_text(head + start + example, encoding="utf-8")


if __name__ == "__main__":
    main()
