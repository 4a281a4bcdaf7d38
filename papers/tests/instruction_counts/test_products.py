# SPDX-License-Identifier: MIT
"""MixColumns with products made in three ways: every form computes it, on every processor."""

from itertools import product

import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit_papers.instruction_counts import products
from aesfit_papers.instruction_counts.code_sizes import pentium_4, with_flags
from aesfit_papers.instruction_counts.products import INV_MIX, MIX, WAYS, Products

# FIPS 197, appendix B, round 1, by columns: after ShiftRows, after MixColumns
BEFORE = bytes.fromhex("d4bf5d30e0b452aeb84111f11e2798e5")
AFTER = bytes.fromhex("046681e5e0cb199a48f8d37a2806264c")
CALLING = tuple(product(WAYS, ("plain", "inner", "whole")))
INLINING = tuple(product(("logs", "shifts"), ("inner_inlined", "whole_inlined")))


def built(platform: str, level: str = "-O2") -> Products:
    reason = why_not(platform_named(platform))
    if reason:
        pytest.skip(reason)
    return Products(with_flags(platform_named(platform), (level,)))


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0plus", "rv32i"])
def test_every_form_computes_mix_columns_and_its_inverse(platform: str) -> None:
    forms = built(platform)
    for way, form in (*CALLING, *INLINING):
        assert forms.run(way, form, MIX, BEFORE)[1] == AFTER, (way, form)
        assert forms.run(way, form, INV_MIX, AFTER)[1] == BEFORE, (way, form)


def test_a_product_of_zero_is_zero() -> None:
    forms = built("arm7tdmi")
    for way, form in CALLING:
        assert forms.run(way, form, INV_MIX, bytes(16))[1] == bytes(16)


def test_another_generator_gives_other_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables that are compiled in are those that the functions read."""
    text = products._tables().replace("{1, 3, 5", "{1, 3, 6", 1)
    monkeypatch.setattr(products, "_tables", lambda: text)
    forms = built("arm7tdmi")
    every = bytes(range(16))
    right = forms.run("table", "plain", INV_MIX, every)
    wrong = [forms.run("logs", "plain", INV_MIX, bytes([x] * 16))[1] != bytes([x] * 16)
             for x in range(256)]  # fmt: skip
    assert right[1] != every
    assert any(wrong)


def test_sizes_of_a_pentium_4_are_those_of_its_own_code() -> None:
    slow, fast = (Products(pentium_4(level)).sizes for level in ("-O0", "-O2"))
    assert slow.keys() >= {f"{way}_{form}_{which}" for way, form in (*CALLING, *INLINING)
                           for which in (MIX, INV_MIX)}  # fmt: skip
    assert slow["logs_plain_mix"] > fast["logs_plain_mix"]
    assert slow["logs_whole_inlined_mix"] > slow["logs_whole_mix"] > slow["logs_plain_mix"]
