# SPDX-License-Identifier: MIT
"""What every Python test shares: the cores under test, and fixtures of the option --slow."""

import os
import signal
from collections.abc import Generator

import pytest
from every_core import CORES
from hypothesis import HealthCheck, settings

pytest_plugins = ["bare", "few", "pytester"]

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


@pytest.fixture(scope="session")
def slow(request: pytest.FixtureRequest) -> bool:
    """Whether the long version was asked for."""
    return bool(request.config.getoption("--slow"))


@pytest.fixture(params=CORES)
def core(request: pytest.FixtureRequest) -> str:
    """Every core that this processor can run, by name."""
    return str(request.param)
