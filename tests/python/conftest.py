# SPDX-License-Identifier: MIT
"""What every Python test shares: the cores under test, and the option --slow."""

import os
import signal
from collections import defaultdict
from collections.abc import Generator, Hashable, Sequence

import pytest
from covering import covering
from every_core import CORES
from hypothesis import HealthCheck, settings

# Tests run beside each other, so matrices are multiplied in one thread: OpenBLAS' threads wait for
# each other at work.  NumPy reads it when it is first imported, in programs under test too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell ignores these for what it runs in the background, and programs under test inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No property is judged by the speed of the machine; what fails can be run again by its blob.
settings.register_profile(
    "aesfit", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("aesfit")


_TERMINAL = {"COLUMNS": "1000", "AESFIT_PROGRESS": "never"}
"""What is printed is compared sentence by sentence; tests of folding and progress set their own."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Give each test, its fixtures and its subprocesses a wide terminal; pytest keeps its own."""
    before = {name: os.environ.get(name) for name in _TERMINAL}
    os.environ.update(_TERMINAL)
    try:
        return (yield)
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def pytest_addoption(parser: pytest.Parser) -> None:
    """--slow runs the long versions: every pair of core and mode bound at compile time."""
    parser.addoption("--slow", action="store_true", help="run everything in full")


@pytest.fixture(scope="session")
def slow(request: pytest.FixtureRequest) -> bool:
    """Whether the long version was asked for."""
    return bool(request.config.getoption("--slow"))


@pytest.fixture(scope="session")
def only_slow(slow: bool) -> None:
    """For tests that run with --slow alone."""
    if not slow:
        pytest.skip("runs with --slow")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that thins a product of cases."""
    config.addinivalue_line(
        "markers",
        "few(one_in=1): without --slow run only cases in which each value of each parameter "
        "occurs, and of these one in so many",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Skip the cases that a test marked `few` leaves to --slow."""
    if config.getoption("--slow"):
        return
    cases: dict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("few"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one_test in cases.values():
        kept = _few(of_one_test)
        for item in of_one_test:
            if item not in kept:
                item.add_marker(pytest.mark.skip(reason="runs with --slow"))


def _few(cases: Sequence[pytest.Function]) -> Sequence[pytest.Function]:
    """The cases of one test that run without --slow; those asked for by name all run."""
    marker = cases[0].get_closest_marker("few")
    assert marker is not None
    if len(cases) == 1:
        return cases
    return covering(cases, _values)[:: marker.kwargs.get("one_in", 1)]


def _values(case: pytest.Function) -> list[Hashable]:
    """Each parameter of a case with its value, as it is printed."""
    return [(name, repr(value)) for name, value in case.callspec.params.items()]


@pytest.fixture(params=CORES)
def core(request: pytest.FixtureRequest) -> str:
    """Every core that this processor can run, by name."""
    return str(request.param)
