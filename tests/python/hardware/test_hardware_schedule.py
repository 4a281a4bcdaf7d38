# SPDX-License-Identifier: MIT
"""The cycles of the paper's core, as its simulation passes through its phases."""

import pytest

from aesfit.hardware.schedule import PhaseCycles, _cycles, _stretches, stretches, total
from aesfit.hardware.tools import simulation_why_not

HEAD = (
    *("$var wire 1 ! clk_i $end", "$var reg 2 % phase_q [1:0] $end"),
    *("$var reg 4 & round_q [3:0] $end", "$var reg 7 ' block_q [6:0] $end", "$enddefinitions $end"),
)


def block(number: int) -> list[PhaseCycles]:
    """As the paper has it."""
    rounds = [PhaseCycles(number, "round", one, 8) for one in range(1, 10)]
    last = PhaseCycles(number, "round", 10, 7)
    return [
        PhaseCycles(number, "load", None, 4),
        *rounds,
        last,
        PhaseCycles(number, "store", None, 4),
    ]


@pytest.mark.skipif(simulation_why_not() is not None, reason=str(simulation_why_not()))
@pytest.mark.parametrize("decrypt", [False, True])
def test_the_paper_s_schedule(decrypt: bool) -> None:
    found, told = stretches(2, decrypt=decrypt)
    assert found == [*block(0), *block(1)]
    assert total(found) == 2 * 87
    assert ("decrypted" if decrypt else "encrypted") in told


def test_cycles_are_those_before_the_edges() -> None:
    """A register that changes with an edge had its old value before, whatever comes first."""
    changes = (
        *("#0", "0!", "b01 %", "b0 &", "b0 '", "#5", "1!", "#10", "0!"),
        *("#15", "b10 %", "b0001 &", "1!", "#20", "0!", "#25", "1!", "b0 %", "#35", "1!"),
    )
    seen = list(_cycles([*HEAD, *changes]))
    assert seen == [(0, "load", 0), (0, "load", 0), (0, "round", 1)]
    assert list(_stretches(seen)) == [
        PhaseCycles(0, "load", None, 2),
        PhaseCycles(0, "round", 1, 1),
    ]
