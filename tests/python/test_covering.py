# SPDX-License-Identifier: MIT
"""The selection that quick runs make of a product of cases, and the marker `few`."""

from collections.abc import Sequence
from itertools import product

import few
import pytest
from covering import covering, thinned

LONG, SHORT = "core", "platform"
PRODUCT = [{LONG: core, SHORT: platform} for core, platform in product(range(12), "ab")]
SLOW = """
import pytest
from few import slow_but

@pytest.mark.slow
def test_whole():
    pass

@pytest.mark.parametrize(("core", "mode"), slow_but([(1, "a")], [(0, "a"), (1, "a"), (1, "b")]))
def test_some(core, mode):
    pass

@pytest.mark.parametrize("core", slow_but([], range(3)))
def test_none(core):
    pass

def test_always():
    pass
"""
PRODUCTS = """
import pytest

@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("platform", "ab")
@pytest.mark.parametrize("core", range(4))
def test_product(core, platform):
    pass
"""
OWN_LIST = """
import pytest

@pytest.mark.few(one_in=4)
@pytest.mark.parametrize("core", range(4))
def test_product(core):
    if core == 0:
        pytest.skip({reason!r})
"""


def test_covering_keeps_every_trait() -> None:
    words = ["abc", "bc", "d", "ce", "a"]
    assert covering(words, set) == ("abc", "d", "ce")
    assert covering([], set) == ()


@pytest.mark.parametrize("one_in", [1, 2, 5, 6, 12, 99])
def test_a_thinned_product_keeps_short_axes(one_in: int) -> None:
    """Of the long axis every Nth value at least; of the short one both, if two cases are kept."""
    kept = thinned(PRODUCT, lambda case: case, one_in)
    assert len({case[LONG] for case in kept}) >= 12 // one_in
    assert len(kept) <= -(-12 // one_in) + 1
    assert {case[SHORT] for case in kept} == (set("ab") if one_in <= 6 else {"a"})
    assert [case for case in PRODUCT if case in kept] == list(kept)


def ran(pytester: pytest.Pytester, text: str, *arguments: str) -> pytest.RunResult:
    """A run of a file with the marker's plugin and no other."""
    pytester.makepyfile(test_it=text)
    return pytester.runpytest_inprocess("-rs", "-p", "no:cacheprovider", *arguments, plugins=[few])


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        ((), 3),
        (("--slow",), 8),
        (("-k", "product"), 8),
        (("test_it.py::test_product",), 3),
        (("test_it.py::test_product[2-b]",), 1),
        (("test_it.py::test_product[2-b]", "test_it.py::test_product[3-b]"), 2),
    ],
)
def test_what_a_run_selects(
    pytester: pytest.Pytester, arguments: Sequence[str], passed: int
) -> None:
    """What is asked for by -k or by a case's own name runs."""
    result = ran(pytester, PRODUCTS, *arguments)
    result.assert_outcomes(passed=passed)
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(("arguments", "passed"), [((), 2), (("--slow",), 8)])
def test_slow_tests_and_cases_wait_for_slow(
    pytester: pytest.Pytester, arguments: Sequence[str], passed: int
) -> None:
    ran(pytester, SLOW, *arguments).assert_outcomes(passed=passed)


def test_a_tool_that_is_missing_fails_no_run(pytester: pytest.Pytester) -> None:
    result = ran(pytester, OWN_LIST.format(reason="no compiler"))
    result.assert_outcomes(skipped=1)
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("reason", "ended"),
    [
        ("no compiler", pytest.ExitCode.TESTS_FAILED),
        ("every core: --slow", pytest.ExitCode.TESTS_FAILED),
        ("this processor has no AES instructions", pytest.ExitCode.OK),
    ],
)
def test_with_installed_a_missing_tool_fails_the_run(
    pytester: pytest.Pytester, reason: str, ended: pytest.ExitCode
) -> None:
    result = ran(pytester, OWN_LIST.format(reason=reason), "--installed")
    assert result.ret == ended
    if ended != pytest.ExitCode.OK:
        result.stdout.fnmatch_lines([f"FAILED *test_product* was skipped ({reason}), though*"])


def test_the_marker_is_for_products(pytester: pytest.Pytester) -> None:
    result = ran(pytester, "import pytest\n@pytest.mark.few\ndef test_one(): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*test_one is marked few, and is one case"])
