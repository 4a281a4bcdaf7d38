# SPDX-License-Identifier: MIT
"""One case of pytest for all cores, where each core takes milliseconds: thousands of cases less."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import pytest

import aesfit

Case = TypeVar("Case")
CORES = [core.name for core in aesfit.cores() if core.available]
SHARE = 10
"""In short runs a core takes one case in so many."""
_SHOWN = 200
"""Characters of each variable in a note."""


def on_every_core(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test for each core; failures are reported together, each with its context."""

    @wraps(test)
    def on_all(**given: Any) -> None:  # noqa: ANN401 - of the test
        failures = []
        for core in CORES:
            try:
                test(core=core, **given)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(_variables(error))
                failures.append(error)
        if failures:
            raise BaseExceptionGroup(f"{len(failures)} of {len(CORES)} cores", failures)

    signature = inspect.signature(test)
    others = [one for name, one in signature.parameters.items() if name != "core"]
    on_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
    return on_all


def share(cases: Sequence[Case], core: str, slow: bool, of: int = SHARE) -> Sequence[Case]:
    """What a core takes of these: all in long runs; in short ones the cores together take all."""
    return cases if slow else cases[CORES.index(core) % of :: of]


def _variables(error: BaseException) -> str:
    """Those of the test: its core, its parameters and, in a loop, its vector or length."""
    here = error.__traceback__
    assert here is not None
    assert here.tb_next is not None
    found = here.tb_next.tb_frame.f_locals
    return ", ".join(
        f"{name} = {value!r:.{_SHOWN}}"
        for name, value in found.items()
        if not name.startswith("@")  # pytest's own
    )
