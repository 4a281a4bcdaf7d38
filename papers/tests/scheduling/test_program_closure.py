# SPDX-License-Identifier: MIT
"""Programs for the Lx are kept by the code that makes them, here and in aesfit."""

from pathlib import Path

from aesfit.store import closure
from aesfit_papers.scheduling import program


def test_a_program_is_kept_by_the_module_that_makes_it_and_what_that_imports() -> None:
    own = Path(program.__file__)
    found = closure.closure(also=(own,))
    assert own in found.files
    assert closure.PACKAGE / "building" / "build.py" in found.files
    assert not found.packages & {"aesfit", "aesfit_papers"}, "their versions stand for no edit"
    assert {one for one in found.packages if closure.package_version(one) == "none"} == set()
