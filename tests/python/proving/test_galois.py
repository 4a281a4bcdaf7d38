# SPDX-License-Identifier: MIT
"""GCM of the specification side against published examples; products of sums against numbers."""

from itertools import pairwise
from random import Random

import pytest
from evaluation import Evaluation
from images import needs_prover

from aesfit.proving.bilinear import LinearSpan
from aesfit.proving.fips197 import Aes
from aesfit.proving.forms import Equality
from aesfit.proving.galois import gcm, multiplied
from aesfit.proving.standards import text
from aesfit.proving.words import Forms, made
from aesfit.proving.zones import Atoms

pytestmark = needs_prover
KEY = "feffe9928665731c6d6a8f9467308308"
NONCE = "cafebabefacedbaddecaf888"
PLAIN = (
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
)
SEALED = (
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
    "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
)
EXAMPLES = {
    1: ("00" * 16, "00" * 12, "", "", "", "58e2fccefa7e3061367f1d57a4e7455a"),
    2: (
        "00" * 16, "00" * 12, "", "00" * 16, "0388dace60b6a392f328c2b971b2fe78",
        "ab6e47d42cec13bdf53a67b21257bddf",
    ),
    4: (
        KEY, NONCE, "feedfacedeadbeeffeedfacedeadbeefabaddad2", PLAIN, SEALED,
        "5bc94fbc3221a5db94fae95ae7121a47",
    ),
}  # fmt: skip
"""McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, to which SP 800-38D points:
key, nonce, associated data, plaintext, ciphertext, tag."""


def shown(data: list[tuple[int, ...]]) -> str:
    return bytes(sum(bit << at for at, bit in enumerate(byte)) for byte in data).hex()


@pytest.mark.parametrize("number", EXAMPLES)
def test_gcm(number: int) -> None:
    key, nonce, ad, plain, sealed, tag = EXAMPLES[number]
    iv, heard, data = (text(bytes.fromhex(one)) for one in (nonce, ad, plain))
    atoms = Atoms()
    got, mac = gcm(atoms, Aes(atoms, text(bytes.fromhex(key))), iv, heard, data, 16)
    assert (shown(got), shown(mac)) == (sealed, tag)


def test_named_products_are_those_of_numbers() -> None:
    """Two steps of GHASH over atoms, for random y, x and H."""
    rng, atoms = Random("ghash"), Atoms()
    y, x, key = ([atoms.fresh(8) for _ in range(16)] for _ in range(3))
    first = multiplied(atoms, y, key)
    both = [tuple(a ^ b for a, b in zip(*one, strict=True)) for one in zip(first, x, strict=True)]
    second = multiplied(atoms, both, key)
    for _ in range(2):
        blocks = [rng.randbytes(16) for _ in range(3)]
        inputs = {
            form: byte >> at & 1
            for forms, block in zip((y, x, key), blocks, strict=True)
            for bits, byte in zip(forms, block, strict=True)
            for at, form in enumerate(bits)
        }
        choice, numbers = Evaluation(atoms, inputs), [text(one) for one in blocks]
        product = multiplied(Atoms(), numbers[0], numbers[2])
        total = bytes(int(shown([a]), 16) ^ b for a, b in zip(product, blocks[1], strict=True))
        wanted = multiplied(Atoms(), text(total), numbers[2])
        assert [[choice.bit(bit) for bit in byte] for byte in first] == [[*one] for one in product]
        assert [[choice.bit(bit) for bit in byte] for byte in second] == [[*one] for one in wanted]


def test_products_of_sums_are_the_sums_of_products() -> None:
    """Constants and named sums included, whichever factor comes first."""
    rng, atoms = Random("sums"), Atoms()
    inputs = atoms.fresh(12)
    left = [one ^ rng.getrandbits(1) for one in inputs[:6]]
    right = [one ^ rng.getrandbits(1) for one in inputs[6:]]
    pairing = atoms.pair(LinearSpan(left), LinearSpan(right))
    named = [pairing.name(atoms.product(left[0], a) ^ atoms.product(left[1], b), *atoms.fresh(1))
             for a, b in pairwise(right)]  # fmt: skip
    for _ in range(200):
        a, b = (rng.getrandbits(1) ^ _sum_of(rng, forms) for forms in (left, right))
        product = atoms.product(*rng.sample((a, b), 2))
        choice = Evaluation(atoms, {one: rng.getrandbits(1) for one in inputs})
        assert choice.bit(product) == choice.bit(a) & choice.bit(b)
    assert len(set(named)) == len(named)
    assert not atoms.products, "no product was opaque"


def _sum_of(rng: Random, forms: list[int]) -> int:
    total = 0
    for form in rng.sample(forms, rng.randrange(1, 4)):
        total ^= form
    return total


class Table:
    """Words in memory."""

    def __init__(self, words: list[Forms]) -> None:
        self.words = words

    def constant(self, address: int, size: int) -> None:
        del address, size

    def fixed(self, address: int, size: int) -> bool:
        del address, size
        return False

    def value(self, address: int, size: int) -> Forms:
        assert size == 1
        return self.words[address]


def test_a_read_of_a_table_of_words_is_the_entry() -> None:
    """Whatever the entries are, linear in the index or not."""
    rng, atoms = Random("table"), Atoms()
    index, inputs = atoms.fresh(3), atoms.fresh(8)
    words = [Forms(tuple(_sum_of(rng, [*inputs]) for _ in range(8))) for _ in range(8)]
    domain = Equality(atoms)
    got = domain.lookup(Table(words), made(index), 1)
    assert got is not None
    for _ in range(40):
        choice = Evaluation(atoms, {one: rng.getrandbits(1) for one in (*index, *inputs)})
        entry = words[sum(choice.bit(bit) << at for at, bit in enumerate(index))]
        assert [choice.bit(bit) for bit in domain.bits(got, 8)] == [
            choice.bit(bit) for bit in entry.bits
        ]


def test_a_product_with_holes_has_no_carries() -> None:
    """Every fourth bit of integers that use every fourth bit is a sum of products."""
    rng, atoms = Random("holes"), Atoms()
    x, y = atoms.fresh(8), atoms.fresh(8)
    words = [made([one[at // 4] if at % 4 == 0 else 0 for at in range(32)]) for one in (x, y)]
    domain = Equality(atoms)
    got = domain.bits(domain.multiply(words[0], words[1], 64), 64)
    for _ in range(20):
        choice = Evaluation(atoms, {one: rng.getrandbits(1) for one in (*x, *y)})
        a, b = (sum(choice.bit(bit) << 4 * at for at, bit in enumerate(one)) for one in (x, y))
        assert [choice.bit(got[at]) for at in range(0, 64, 4)] == [
            a * b >> at & 1 for at in range(0, 64, 4)
        ]


def test_a_product_without_holes_keeps_what_carries_reach_unknown() -> None:
    """Only the two lowest bits are sums of products."""
    atoms = Atoms()
    domain, x, y = Equality(atoms), atoms.fresh(4), atoms.fresh(4)
    got = domain.bits(domain.multiply(made(x), made(y), 8), 8)
    assert got[0] == atoms.product(x[0], y[0])
    assert got[1] == atoms.product(x[0], y[1]) ^ atoms.product(x[1], y[0])
    sums = {atoms.product(x[0], y[at]) ^ atoms.product(x[at], y[0]) for at in range(4)}
    assert not sums & {*got[2:]}
    assert len({*got[2:]}) == 6
