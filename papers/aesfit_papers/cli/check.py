# SPDX-License-Identifier: MIT
"""`aesfit papers check`: experiments measured again, and compared with what is kept."""

from aesfit.cli.options import Json

from .again import Clang, Host, Name, measure_again

EPILOG = "all leaves out experiments with times of this computer, unless --host is given."


def command(name: Name, host: Host = False, clang: Clang = False, json: Json = False) -> None:
    """Measure again without keeping anything; fail if results changed."""
    measure_again(name, host=host, clang=clang, json=json, checking=True)
