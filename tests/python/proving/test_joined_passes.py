# SPDX-License-Identifier: MIT
"""What the state of a loop may hold: values that a later pass changes are no part of it."""

from random import Random

import pytest
from images import needs_prover

from aesfit.proving.cells import Cells
from aesfit.proving.compared_runs import ComparingForms
from aesfit.proving.compared_state import BesideStandard, ComparedState, Payload
from aesfit.proving.counted_forms import CountedForms
from aesfit.proving.domain import UNWRITTEN, Value
from aesfit.proving.findings import StuckError
from aesfit.proving.fips197 import Aes
from aesfit.proving.forms import Equality
from aesfit.proving.growing import GrowingBits
from aesfit.proving.known_bits import secret
from aesfit.proving.looping import Comparing, GrowingState, Loop, Pass
from aesfit.proving.operations import Operations
from aesfit.proving.stepwise import Cmac, EcbEncryption
from aesfit.proving.sums import CountCondition, Linear, Public, Ranges, growing, open_bits
from aesfit.proving.words import constant, made
from aesfit.proving.zones import Atoms

pytestmark = needs_prover
WORD = 32


def comparing() -> tuple[Comparing, GrowingBits]:
    domain = GrowingBits()
    return Comparing(domain, Operations(domain)), domain


def state_of(domain: GrowingBits, value: Value, ranges: Ranges) -> GrowingState:
    state = GrowingState(Cells(domain), Cells(domain), Cells(domain), ranges=ranges)
    state.memory.write(0, 4, value)
    return state


def count(base: int, factor: int = 1) -> Linear:
    return Linear(base, (("n", factor),))


def loop_of(a: Value, b: Value, most: int = 100, least: int = 4) -> Loop | None:
    """That of two passes in which a word is `a`, then `b`, and one of n pieces is behind each."""
    comparer, domain = comparing()
    passes = [
        Pass(
            state_of(domain, value, {"n": (least + at, most)}),
            CountCondition(count(-1 - at), "zero", negated=True),
            1,
        )
        for at, value in enumerate((a, b))
    ]
    domain.ranges = passes[1].state.ranges
    return comparer.loop(passes[0], passes[1], ("done", "left"), 0)


def after_pass(loop: Loop, value: Value) -> GrowingState:
    """Where a pass ended that went on, and left that in the word."""
    *_, goes_on = loop.starts()
    after = goes_on.copy()
    after.memory.write(0, 4, value)
    return after


@pytest.mark.parametrize(
    ("held", "late"),
    [
        (5, 7),
        (5, UNWRITTEN),
        (open_bits(0, 0xFF, 0), UNWRITTEN),
        (0, secret(WORD)),
        (open_bits(0, 0xFF, 0), open_bits(0, 0xF0, 0x0F)),
        (growing(count(0, 16), WORD), growing(Linear(48, (("done", 16), ("left", 16))), WORD)),
        (Public(0, 1, 0, CountCondition(count(0), "zero")), open_bits(0, 1, 0)),
        (Public(0, 0xFF, 0, apart=growing(count(0), WORD)), open_bits(0, 0xFF, 0)),
        (
            Public(0, 0xFF, 0, apart=growing(count(0), WORD)),
            Public(0, 0xFF, 0, apart=growing(count(1), WORD)),
        ),
    ],
)
def test_what_a_pass_changes_is_widened(held: Value, late: Value) -> None:
    """Nothing known, no test and no difference outlives a pass that has another."""
    loop = loop_of(held, held)
    assert loop is not None
    comparer, _ = comparing()
    wider = comparer.widened(loop, after_pass(loop, late))
    assert wider is not None
    assert wider.state.memory.held[0] != loop.state.memory.held[0]


def test_what_a_pass_keeps_is_held() -> None:
    loop = loop_of(5, 5)
    assert loop is not None
    comparer, _ = comparing()
    down = comparer.widened(loop, after_pass(loop, 5))
    assert down is not None, "the last pass ends with less to come"
    assert comparer.widened(down, after_pass(down, 5)) is None


def test_a_loop_that_some_length_enters_behind_its_end_is_refused() -> None:
    """`for (i = 5; i != blocks; i++)` of four blocks."""
    comparer, domain = comparing()
    passes = [
        Pass(
            state_of(domain, at, {"n": (4, 100)}),
            CountCondition(count(-5 - at), "zero", negated=True),
            1,
        )
        for at in range(2)
    ]
    with pytest.raises(StuckError, match="may begin behind its end"):
        comparer.loop(passes[0], passes[1], ("done", "left"), 0)


def test_conditions_are_joined_for_all_counts_of_the_first_pass() -> None:
    """With four pieces the first does not hold, and the second pass has five or more."""
    first, second = (Public(0, 1, 0, CountCondition(count(-5, at), "positive")) for at in (1, 2))
    loop = loop_of(first, second)
    assert loop is not None
    (_, value) = loop.state.memory.held[0]
    assert isinstance(value, Public)
    assert value.public & 1


def test_what_was_put_off_is_worked_out_anew_for_other_counts() -> None:
    """Of `cmp` both sides of a branch use the flags; one of them knows more of the length."""
    rng = Random("put off")
    for _ in range(50):
        domain = GrowingBits()
        operations = Operations(domain)
        bound, wide = rng.randrange(200), {"n": (0, 100)}
        less = growing(count(-rng.randrange(1, 100)), WORD)
        flag = operations.compute("INT_LESS", [less, bound], (4, 4), 1)
        domain.ranges = {"n": (99, 100)}
        operations.force(flag)
        domain.ranges = wide
        again = operations.compute("INT_LESS", [less, bound], (4, 4), 1)
        assert operations.force(flag) == operations.force(again)


def test_all_bits_of_long_words_are_compared() -> None:
    """A register of 128 bits whose upper half a pass changes."""
    forms = Equality(Atoms())
    domain = CountedForms(forms)
    key = [constant(at, 8) for at in range(16)]
    machine = EcbEncryption(forms, Aes(forms.atoms, key), key)
    comparer = ComparingForms(domain, Operations(domain), BesideStandard(domain, machine, False))
    bits = forms.atoms.fresh(129)
    low, other = made(bits[:128]), made((*bits[:127], bits[128]))
    assert comparer._holds(low, low, 128)
    assert not comparer._holds(low, other, 128)


def test_a_last_block_that_was_taken_as_one_before_it_is_no_end() -> None:
    """Of CMAC, whose last block is none of the steps though it may be whole."""
    forms, key = Equality(Atoms()), [constant(at, 8) for at in range(16)]
    domain = CountedForms(forms)
    machine = Cmac(forms, Aes(forms.atoms, key), [])
    whole = Payload(Linear(32), position=Linear(32), held=machine.start())
    state = ComparedState(Cells(domain), Cells(domain), Cells(domain), payload=whole)
    with pytest.raises(StuckError, match="takes the last block as one of those before"):
        BesideStandard(domain, machine, False).finished(state)
