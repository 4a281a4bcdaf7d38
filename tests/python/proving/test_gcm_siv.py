# SPDX-License-Identifier: MIT
"""GCM-SIV over forms: the answers of RFC 8452, and what it says of POLYVAL's field."""

import re

import pytest
from places import ROOT

from aesfit.proving.gcm_siv import dot, gcm_siv, gcm_siv_opened, polyval
from aesfit.proving.standards import Text, text
from aesfit.proving.zones import Atoms

FILE = (ROOT / "tests" / "vectors" / "siv.txt").read_text(encoding="utf-8")
RECORDS = [dict(re.findall(r"^(\w+) (\w+)$", one, re.MULTILINE)) for one in FILE.split("\n\n")]
ANSWERS = [one for one in RECORDS if "key" in one]


def number(known: Text) -> bytes:
    """Bytes whose bits are numbers."""
    return bytes(sum(bit << at for at, bit in enumerate(byte)) for byte in known)


@pytest.mark.parametrize("at", range(0, len(ANSWERS), 7))
def test_published_answers(at: int) -> None:
    atoms = Atoms()
    names = ("key", "nonce", "ad", "plain")
    key, nonce, ad, plain = (text(bytes.fromhex(ANSWERS[at].get(name, ""))) for name in names)
    sealed, tag = gcm_siv(atoms, key, nonce, ad, plain)
    assert number(sealed).hex() == ANSWERS[at].get("cipher", "")
    assert number(tag).hex() == ANSWERS[at]["tag"]
    assert gcm_siv_opened(atoms, key, nonce, ad, sealed, tag) == (plain, tag)


def test_the_field() -> None:
    """The examples of RFC 8452, 7 and appendix A."""
    a = bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e")
    b = bytes.fromhex("ff000000000000000000000000000000")
    assert number(dot(Atoms(), text(a), text(b))).hex() == "ebe563401e7e91ea3ad6426b8140c394"
    h = bytes.fromhex("25629347589242761d31f826ba4b757b")
    x = bytes.fromhex("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362")
    hashed = polyval(Atoms(), text(h), text(x))
    assert number(hashed).hex() == "f7a3b47b846119fae5b7866cf5e5b77e"
