# SPDX-License-Identifier: MIT
"""`aesfit papers run`: experiments measured again, and kept."""

from aesfit.cli.options import Json

from .again import Clang, Host, Name, measure_again

EPILOG = (
    "all leaves out experiments with times of this computer, unless --host is given: those are "
    "renewed when asked for. Results are kept in aesfit_papers/*/results, where aesfit papers "
    "report reads them."
)


def command(name: Name, host: Host = False, clang: Clang = False, json: Json = False) -> None:
    """Measure tables, figures and claims again, and keep the results."""
    measure_again(name, host=host, clang=clang, json=json, checking=False)
