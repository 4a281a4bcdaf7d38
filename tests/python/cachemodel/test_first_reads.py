# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from aesfit.cachemodel.equations import expected_misses
from aesfit.cachemodel.first_reads import first_reads
from aesfit.measuring import bursts
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

ARM = platform_named("arm920t")
pytestmark = pytest.mark.skipif(why_not(ARM) is not None, reason=str(why_not(ARM)))


def test_first_reads_load_each_line_once() -> None:
    seen = first_reads(ARM, "ttable1", ("te",), 32, 1440, (1, 2))
    assert seen[0] == 1.0
    assert set(seen.tolist()) <= {0.0, 0.5, 1.0}
    assert seen.sum() == 32.0


def test_reads_of_key_set_up_do_not_count() -> None:
    trace = bursts.trace(ARM, "ttable8", 2, secret=1)
    table = next(one for one in trace.tables if one.name == "te_last0")
    assert any(address in table for address, _, _ in trace.before())
    lines = [
        address // 32
        for call in (0, 1)
        for address, _, _ in trace.of_call(call)
        if address in table
    ]
    wanted = [float(line not in lines[:at]) for at, line in enumerate(lines)]
    assert len(wanted) == 8
    assert first_reads(ARM, "ttable8", ("te_last0",), 32, 8, (1,)).tolist() == wanted


def test_first_reads_are_as_many_as_expected() -> None:
    tables = ("te0", "te1", "te2", "te3")
    seen = first_reads(ARM, "ttable4", tables, 32, 36, range(1, 17)).cumsum()
    assert seen == pytest.approx(expected_misses(32, np.arange(1, 37)), abs=1.0)


def test_a_table_that_is_never_read() -> None:
    with pytest.raises(ValueError, match="never reads te0"):
        first_reads(ARM, "transposed", ("te0",), 32, 10, (1,))
