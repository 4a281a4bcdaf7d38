# SPDX-License-Identifier: MIT
"""--slow, and the marker `few`, which thins a product of cases without it."""

from collections import defaultdict
from collections.abc import Hashable, Sequence

import pytest
from covering import thinned

REASON = "runs with --slow"


def pytest_addoption(parser: pytest.Parser) -> None:
    """--slow runs the long versions: every pair of core and mode bound at compile time."""
    parser.addoption("--slow", action="store_true", help="run everything in full")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the guard over what it leaves."""
    config.addinivalue_line(
        "markers",
        "few(one_in=1): without --slow run only a covering selection of the cases; with one_in=N "
        "only every Nth of these, so that some values of long lists are left out",
    )
    if not hasattr(config, "workerinput"):  # a worker of xdist may see only some of the cases
        config.pluginmanager.register(_Guard(), "few-guard")


def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Skip the cases that a test marked `few` leaves to --slow, but not what -k chose."""
    if config.getoption("--slow") or config.option.keyword:
        return
    cases: dict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few"):
            assert isinstance(item, pytest.Function)
            assert hasattr(item, "callspec"), f"{item.nodeid} is marked few, and is one case"
            cases[_test_of(item.nodeid)].append(item)
    for of_one_test in cases.values():
        _thin(of_one_test, _by_name(config))


def _thin(cases: Sequence[pytest.Function], by_name: set[str]) -> None:
    """Mark the cases of one test that are left out and not asked for by name."""
    marker = cases[0].get_closest_marker("few")
    assert marker is not None
    kept = thinned(cases, _values, marker.kwargs.get("one_in", 1))
    for case in cases:
        if case not in kept and _place(case) not in by_name:
            case.add_marker(pytest.mark.skip(reason=REASON))


def _values(case: pytest.Function) -> dict[str, Hashable]:
    """Each parameter of a case with its value, as it is printed."""
    return {name: repr(value) for name, value in case.callspec.params.items()}


def _by_name(config: pytest.Config) -> set[str]:
    """Cases that the command names, each by its file's path and its own name."""
    told = (argument.partition("::") for argument in config.args)
    return {f"{(config.invocation_params.dir / path).resolve()}::{name}" for path, _, name in told}


def _place(case: pytest.Item) -> str:
    return f"{case.path.resolve()}::{case.nodeid.partition('::')[2]}"


def _test_of(nodeid: str) -> str:
    """The test of a case."""
    return nodeid.partition("[")[0]


class _Guard:
    """Fails a run in which a test marked `few` ran no case, because it also skips some itself."""

    def __init__(self) -> None:
        self._skipped, self._others = set[str](), set[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sort tests by whether any case ran, or was skipped for another reason."""
        if "few" not in report.keywords or (report.when == "setup" and report.passed):
            return
        left_out = report.skipped and "--slow" in str(report.longrepr)
        if report.when != "teardown":
            (self._skipped if left_out else self._others).add(_test_of(report.nodeid))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Change the exit status; pytest prints the sentence below."""
        if self._unseen() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the tests."""
        for test in self._unseen():
            terminalreporter.write_line(f"FAILED {test} is marked few, and no case of it ran")

    def _unseen(self) -> list[str]:
        return sorted(self._skipped - self._others)
