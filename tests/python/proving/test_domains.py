# SPDX-License-Identifier: MIT
"""Every operation over a domain against the same operation on numbers."""

from random import Random

import pytest
from evaluation import Evaluation
from images import needs_prover

from aesfit.proving.domain import Domain, Value
from aesfit.proving.forms import Equality
from aesfit.proving.known_bits import KnownBits, PartlyKnown
from aesfit.proving.known_bits import made as known
from aesfit.proving.operations import _CONCRETE, Operations
from aesfit.proving.words import constant, made
from aesfit.proving.zones import Atoms

pytestmark = needs_prover

SIZE = 2
"""Bytes of the operands."""
OPERATIONS = sorted(
    set(_CONCRETE) - {"LZCOUNT"} - {one for one in _CONCRETE if "DIV" in one or "REM" in one}
)
ROUNDS = 40


def sizes_of(name: str) -> tuple[int, int]:
    """Bytes of the operands and of the result."""
    if name.startswith("BOOL"):
        return 1, 1
    flag = "EQUAL" in name or "LESS" in name or "CARRY" in name or "BORROW" in name
    if flag or name in ("POPCOUNT", "SUBPIECE"):
        return SIZE, 1
    return SIZE, 2 * SIZE if name.endswith("EXT") else SIZE


def second_of(name: str, rng: Random) -> int | None:
    """A second operand that has to be a number; None where it may be a word."""
    if name in ("INT_LEFT", "INT_RIGHT", "INT_SRIGHT"):
        return rng.randrange(20)
    if name == "INT_MULT":
        return rng.getrandbits(16)
    return rng.randrange(2) if name == "SUBPIECE" else None


def concrete(name: str, a: int, b: int, size: int, output: int) -> int:
    """On numbers."""
    return int(_CONCRETE[name](a, b, 8 * size, 8 * output)) & (1 << 8 * output) - 1


@pytest.mark.parametrize("name", OPERATIONS)
def test_known_bits_are_those_of_every_number(name: str) -> None:
    """Whatever the secret bits are, the result has the bits that are said to be known."""
    rng, (size, output) = Random(name), sizes_of(name)
    width = 1 if name.startswith("BOOL") else 8 * size
    for _ in range(ROUNDS):
        words = [
            (rng.getrandbits(width), rng.getrandbits(width) & rng.getrandbits(width)) for _ in "ab"
        ]
        second = second_of(name, rng)
        if second is not None:
            words[1] = (second, 0)
        values = tuple(known(value, mask) for value, mask in words)
        result = computed(KnownBits(), name, values, size, output)
        for _ in range(8):
            a, b = (value & ~mask | rng.getrandbits(width) & mask for value, mask in words)
            wanted = concrete(name, a, b, size, output)
            if isinstance(result, PartlyKnown):
                assert wanted & ~result.mask == result.value
            else:
                assert wanted == result


@pytest.mark.parametrize("name", OPERATIONS)
def test_forms_are_the_functions_of_their_inputs(name: str) -> None:
    """For any choice of the inputs, the form of each bit is that bit."""
    rng, (size, output) = Random(name), sizes_of(name)
    for _ in range(ROUNDS // 4):
        atoms = Atoms()
        inputs = atoms.fresh(10)
        domain = Equality(atoms)
        words: list[Value] = [
            made(random_bits(rng, inputs, 1 if name.startswith("BOOL") else 8 * size)) for _ in "ab"
        ]
        second = second_of(name, rng)
        if second is not None:
            words[1] = second
        result = computed(domain, name, tuple(words), size, output)
        domain.bits(result, 8 * output)  # a sum is worked out now, with the atoms it makes
        for _ in range(4):
            choice = Evaluation(atoms, {one: rng.getrandbits(1) for one in inputs})
            a, b = (number(domain, choice, one, 8 * size) for one in words)
            assert number(domain, choice, result, 8 * output) == concrete(name, a, b, size, output)


def random_bits(rng: Random, inputs: tuple[int, ...], width: int) -> list[int]:
    """Constants, inputs and sums of inputs."""
    bits = []
    for _ in range(width):
        bit = rng.getrandbits(1)
        for _ in range(rng.randrange(3)):
            bit ^= rng.choice(inputs)
        bits.append(bit)
    return bits


def computed(domain: Domain, name: str, values: tuple[Value, ...], size: int, output: int) -> Value:
    """Over a domain, put off or not."""
    operations = Operations(domain)
    return operations.force(operations.compute(name, values, (size, size), output))


def number(domain: Equality, choice: Evaluation, value: Value, width: int) -> int:
    """A value for one choice of inputs."""
    return sum(choice.bit(bit) << at for at, bit in enumerate(domain.bits(value, width)))


def test_a_circuit_and_a_table_of_one_function_have_one_form() -> None:
    """The S-box as 256-entry table, and as its algebraic normal form with products alone."""
    from aesfit.proving.fips197 import sbox

    atoms = Atoms()
    x = atoms.fresh(8)
    tables = [sum((y >> bit & 1) << at for at, y in enumerate(sbox())) for bit in range(8)]
    looked_up = atoms.of_tables(x, tables)
    assert [by_products(atoms, x, table) for table in tables] == looked_up


def by_products(atoms: Atoms, x: tuple[int, ...], table: int) -> int:
    """The sum of the products of inputs that a truth table's Moebius transform names."""
    terms = [table >> at & 1 for at in range(256)]
    for bit in range(8):
        for at in range(256):
            if at >> bit & 1:
                terms[at] ^= terms[at ^ 1 << bit]
    total = 0
    for at in (at for at in range(256) if terms[at]):
        product = 1
        for bit in range(8):
            product = atoms.product(product, x[bit]) if at >> bit & 1 else product
        total ^= product
    return total


def test_a_sum_with_equal_terms_doubles_them() -> None:
    """(r + c) + r is 2 r + c, as doubling with carries in is compiled."""
    atoms = Atoms()
    domain = Equality(atoms)
    r, c = made(atoms.fresh(16)), made((*atoms.fresh(1), *constant(0, 15)))
    total = domain.add(domain.add(r, c, 0, 16), r, 0, 16)
    assert domain.bits(total, 16) == (*domain.bits(c, 1), *domain.bits(r, 16)[:15])


def test_a_counter_is_one_function_in_32_and_in_64_bits() -> None:
    """x + 1 with zeros above, plus 1 in 64 bits, is x + 2 in its low half, and carries above it."""
    atoms = Atoms()
    domain, inputs = Equality(atoms), atoms.fresh(8)
    x = made((*inputs, *(inputs[0],) * 24))
    low = domain.bits(domain.add(x, 1, 0, 32), 32)
    total = domain.add(made((*low, *constant(0, 32))), 1, 0, 64)
    assert domain.bits(total, 64)[:32] == domain.bits(domain.add(x, 2, 0, 32), 32)
    for value in range(256):
        choice = Evaluation(atoms, {one: value >> at & 1 for at, one in enumerate(inputs)})
        once = number(domain, choice, x, 32) + 1 & 0xFFFF_FFFF
        assert number(domain, choice, total, 64) == once + 1


def test_bits_that_choose_between_two_words_give_their_bits() -> None:
    """e a + (1 - e) b carries nothing, whatever a and b are; twice e is no choice."""
    rng, atoms = Random("choice"), Atoms()
    domain, inputs = Equality(atoms), atoms.fresh(30)
    gate, other = (made((one, *constant(0, 7))) for one in (inputs[0], inputs[0] ^ 1))
    a, b = (made(random_bits(rng, inputs[1:], 8)) for _ in "ab")
    chosen = domain.multiply(a, gate, 8)
    total = domain.add(chosen, domain.multiply(b, other, 8), 0, 8)
    twice = domain.add(chosen, domain.multiply(b, gate, 8), 0, 8)
    domain.bits(twice, 8)  # it is worked out now, with the atoms it makes
    for _ in range(20):
        choice = Evaluation(atoms, {one: rng.getrandbits(1) for one in inputs})
        e, x, y = (number(domain, choice, one, 8) for one in (gate, a, b))
        assert number(domain, choice, total, 8) == (x if e else y)
        assert number(domain, choice, twice, 8) == (x + y & 255 if e else 0)


def test_faults_planted_in_the_domains_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparisons above fail with a product that is a sum, and with a secret that is lost."""
    with monkeypatch.context() as patch:
        patch.setattr(Atoms, "product", lambda self, a, b: a ^ b)
        with pytest.raises(AssertionError):
            test_forms_are_the_functions_of_their_inputs("INT_AND")
    with monkeypatch.context() as patch:
        patch.setattr(KnownBits, "both", lambda self, a, b, width: KnownBits().xor(a, a, width))
        with pytest.raises(AssertionError):
            test_known_bits_are_those_of_every_number("INT_AND")
    with monkeypatch.context() as patch:
        patch.setattr(KnownBits, "xor", lambda self, a, b, width: a)
        with pytest.raises(AssertionError):
            test_known_bits_are_those_of_every_number("INT_XOR")


@pytest.mark.slow
def test_with_a_fault_in_the_domain_right_code_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from images import block_job

    from aesfit.proving import equality
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.equality import prove_blocks

    monkeypatch.setattr(equality, "_DIRECTED_BLOCKS", 2)  # none is wrong: the code is right
    job = block_job("cortex-m3", "transposed")
    monkeypatch.setattr(Equality, "_ripple", lambda self, a, b, carry: tuple(
        x ^ y for x, y in zip(a, b, strict=True)))  # fmt: skip
    assert prove_blocks(job, Code(proof_image(job))).outcome != "proved"
