# SPDX-License-Identifier: MIT
"""The self-test's known answers agree with PyCA cryptography and with the standards."""

import re

import pytest
from places import ROOT

from aesfit.building.sources import registered
from rtl import script

KNOWN = ROOT / "lib" / "src" / "known"
MAKER = script("make_known_answers")


def test_every_mode_has_an_answer() -> None:
    assert set(MAKER.ANSWERS) == {"block", *registered("modes")}
    assert {path.stem for path in KNOWN.glob("*.h")} == {"known", *MAKER.ANSWERS}


@pytest.mark.parametrize("mode", MAKER.ANSWERS)
def test_committed_answers_are_those_made(mode: str) -> None:
    text = (KNOWN / f"{mode}.h").read_text(encoding="utf-8")
    emptied = re.sub(r"(_answers\[\]\[\d+\] = {)[^;]*(};)", r"\1\n\2", text)
    assert emptied != text
    assert MAKER.filled(mode, emptied) == text


@pytest.mark.parametrize("mode", MAKER.ANSWERS)
def test_answers_have_the_declared_length(mode: str) -> None:
    text = (KNOWN / f"{mode}.h").read_text(encoding="utf-8")
    found = re.search(rf"known_{mode}_answers\[\]\[(\d+)\] = ", text)
    assert found is not None
    assert len(MAKER.ANSWERS[mode](MAKER.TEXT[: MAKER.key_bytes(mode)[0]])) == int(found[1])


def test_the_self_test_calls_every_mode() -> None:
    text = (KNOWN.parent / MAKER.SELF_TEST).read_text(encoding="utf-8")
    assert MAKER.self_test(text) == text
    for lost in ('#include "known/ofb.h"\n', "    if (!known_ofb(core, key_bytes, text))\n"):
        assert text.count(lost) == 1
        assert MAKER.self_test(text.replace(lost, "")) == text


def test_parts_lie_where_the_c_code_has_them() -> None:
    text = (KNOWN / "known.h").read_text(encoding="utf-8")
    found = re.search(r"known_nonce = (\d+), known_ad = (\d+), known_data = (\d+)", text)
    assert found is not None
    nonce, ad, data = map(int, found.groups())
    assert (MAKER.IV[0], MAKER.HEADER[0], MAKER.DATA[0]) == (nonce, ad, data)


def test_blocks_are_those_of_fips_197() -> None:
    """Appendix C, the ciphertexts."""
    printed = (
        "69c4e0d86a7b0430d8cdb78070b4c55a",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
        "8ea2b7ca516745bfeafc49904b496089",
    )
    for bits, answer in zip((128, 192, 256), printed, strict=True):
        assert MAKER.ANSWERS["block"](bytes(range(bits // 8))).hex() == answer


def test_composed_modes_are_those_of_the_standards() -> None:
    """CBC-CS3: RFC 3962, appendix B, 31 bytes.  CCMP: IEEE 802.11-2012, annex M.6.4."""
    made = MAKER.cbc_cs3(b"chicken teriyaki", b"I would like the General Gau's ", bytes(16))
    assert made.hex() == "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"
    header = bytes.fromhex("0848c32c0fd2e128a57c5030f1844408abaea5b8fcba8033")
    data = bytes.fromhex("f8ba1a55d02f85ae967bb62fb6cda8eb7e78a050")
    key = bytes.fromhex("c97c1f67ce371185514a8a19f2bdd52f")
    made = MAKER.ccmp(key, header, data, bytes.fromhex("b5039776e70c"))
    assert made.hex().endswith("f3d0a2fe9a3dbf2342a643e43246e80c3c04d0197845ce0b16f97623")
    assert made.hex().startswith("0ce70020769703b5")
