# SPDX-License-Identifier: MIT
"""--slow, the cases that run without it (markers `slow` and `few`), and the excused skips."""

import re
from collections.abc import Generator, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from covering import thinned


def pytest_addoption(parser: pytest.Parser) -> None:
    """--slow runs the long versions: every pair of core and mode bound at compile time."""
    parser.addoption("--slow", action="store_true", help="run everything in full")
    parser.addoption(
        "--installed",
        action="store_true",
        help="fail if a test is skipped for a reason that tools/setup.sh can remove",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and with --installed the guard over skips."""
    config.addinivalue_line("markers", "slow: runs with --slow alone; for a test or a case of it")
    config.addinivalue_line(
        "markers",
        "few(one_in=1): without --slow run only a covering selection of the cases; with one_in=N "
        "only every Nth of these, so that some values of long lists are left out",
    )
    if config.getoption("--installed") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Guard(), "guard-of-skips")


EXCUSED = re.compile(
    r"this processor |no 64-bit host|root alone can|nothing may be mounted"  # the machine
    r"|atlas|AESFIT_PEERS"  # the state of results, and libraries that a user compiled
)
"""Reasons for a skip that no installation changes."""


def slow_but(quick: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """The cases for parametrize(); those that are not among `quick` run with --slow alone."""
    kept = list(quick)
    return [one if one in kept else _slow(one) for one in cases]


def _slow(case: Any) -> Any:  # noqa: ANN401 - any value of any test
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Make only the cases that run; pytest has no public way to leave some of a product out."""
    yield
    if metafunc.config.getoption("--slow"):
        return
    every: list[Any] = metafunc._calls
    calls = [one for one in every if not any(mark.name == "slow" for mark in one.marks)]
    marker = metafunc.definition.get_closest_marker("few")
    if marker is not None:
        assert every, f"{metafunc.definition.nodeid} is marked few, and is one case"
        calls = _kept(metafunc, calls, marker.kwargs.get("one_in", 1))
    # Without any call pytest would run the test once, without parameters; a slow one is left out.
    metafunc._calls = calls or every[:1]


def _kept(metafunc: pytest.Metafunc, calls: Sequence[Any], one_in: int) -> list[Any]:
    """The cases that cover the product, those that the command names, or all if it has -k."""
    if metafunc.config.option.keyword:
        return list(calls)
    few = thinned(calls, _values, one_in)
    test, named = metafunc.definition, _by_name(metafunc.config)
    place = f"{test.path.resolve()}::{test.nodeid.partition('::')[2]}"
    return [one for one in calls if one in few or f"{place}[{one.id}]" in named]


def _values(call: Any) -> dict[str, Hashable]:  # noqa: ANN401 - pytest's own CallSpec2
    """Each parameter of a case with its value, as it is printed."""
    return {name: repr(value) for name, value in call.params.items()}


def _by_name(config: pytest.Config) -> set[str]:
    """Cases that the command names, each by its file's path and its own name."""
    told = (argument.partition("::") for argument in config.args)
    folder: Path = config.invocation_params.dir
    return {f"{(folder / path).resolve()}::{name}" for path, _, name in told}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that are marked slow as a whole."""
    if config.getoption("--slow"):
        return
    left_out = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


class _Guard:
    """With --installed, fails a run that skipped a test for a reason that is not excused."""

    def __init__(self) -> None:
        self._missing: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note skipped tests with their reasons."""
        if report.skipped and isinstance(report.longrepr, tuple):
            reason = report.longrepr[2].removeprefix("Skipped: ")
            if not EXCUSED.search(reason):
                self._missing[report.nodeid] = reason

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Change the exit status; pytest prints the sentences below."""
        if self._missing and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the tests."""
        for test, reason in self._missing.items():
            told = f"FAILED {test} was skipped ({reason}), though set-up installs what it needs"
            terminalreporter.write_line(told)
