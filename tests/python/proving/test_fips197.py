# SPDX-License-Identifier: MIT
"""The specification that images are compared with, held to the examples of FIPS 197."""

import pytest
from images import needs_prover

pytestmark = needs_prover

PLAIN = bytes.fromhex("00112233445566778899aabbccddeeff")
EXAMPLES = [
    (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
    (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
    (32, "8ea2b7ca516745bfeafc49904b496089"),
]
"""FIPS 197, C.1 to C.3: keys of 00, 01, 02 ..."""


@pytest.mark.parametrize(("size", "cipher"), EXAMPLES)
def test_the_specification_gives_the_examples(size: int, cipher: str) -> None:
    from aesfit.proving.fips197 import Aes
    from aesfit.proving.words import constant
    from aesfit.proving.zones import Atoms

    def forms(data: bytes) -> list[tuple[int, ...]]:
        return [constant(one, 8) for one in data]

    aes = Aes(Atoms(), forms(bytes(range(size))))
    assert aes.encrypt(forms(PLAIN)) == forms(bytes.fromhex(cipher))
    assert aes.decrypt(forms(bytes.fromhex(cipher))) == forms(PLAIN)


def test_decryption_undoes_encryption_for_every_key_and_block() -> None:
    from aesfit.proving.fips197 import Aes
    from aesfit.proving.zones import Atoms

    atoms = Atoms()
    aes = Aes(atoms, [atoms.fresh(8) for _ in range(16)])
    block = [atoms.fresh(8) for _ in range(16)]
    assert aes.decrypt(aes.encrypt(block)) == block
    assert aes.encrypt(aes.decrypt(block)) == block
