# SPDX-License-Identifier: MIT
"""The processors whose Verilog is at hand: those of third_party/."""

from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent


def third_party_folder() -> Path:
    """Where their Verilog is: beside the package in a checkout, inside it once installed."""
    package = HERE.parents[1]
    beside = package.parent / "third_party"
    in_checkout = (package.parent / "pyproject.toml").is_file() and beside.is_dir()
    return beside if in_checkout else package / "data" / "third_party"


@cache
def processors() -> dict[str, Path]:
    """Files by the name that a platform file gives as `cpu`."""
    return {path.stem: path for path in sorted(third_party_folder().glob("*/*.v"))}
