# SPDX-License-Identifier: MIT
"""What the model of power observes, and the statistics over it."""

import numpy as np
import pytest

from aesfit.power.cpa import check_size
from aesfit.power.operands import uses
from aesfit.power.points import NOTHING, PointLayout, layout
from aesfit.power.ttest import Moments, check_points, t_values, threshold
from aesfit.rigs.emulator import decode_arm, decode_riscv

# Assembled by arm-none-eabi-as and riscv64-unknown-elf-as.
THUMB = {
    "84ea0509": (("r4", "r5"), ("r9",), (), ()),  # eor.w sb, r4, r5
    "8bea2a0c": (("r11", "r10"), ("r12",), (), ()),  # eor.w ip, fp, sl, asr #32
    "4840": (("r0", "r1"), ("r0",), (), ()),  # eors r0, r1
    "0130": (("r0", None), ("r0",), (), ()),  # adds r0, #1
    "0846": (("r1", None), ("r0",), (), ()),  # mov r0, r1
    "5ef82440": (("r14", "r4"), ("r4",), ("r4",), ()),  # ldr.w r4, [lr, r4, lsl #2]
    "0a70": (("r1", "r2"), (), (), ("r2",)),  # strb r2, [r1]
    "03b5": (("r13", None), ("r13",), (), ("r0", "r1", "r14")),  # push {r0, r1, lr}
    "06c9": (("r1", None), ("r1", "r2"), ("r1", "r2"), ()),  # ldm r1, {r1, r2}
}
RISCV = {
    "3305b500": (("x10", "x11"), ("x10",), (), ()),  # add a0, a0, a1
    "13451500": (("x10", None), ("x10",), (), ()),  # xori a0, a0, 1
    "03250900": (("x18", None), ("x10",), ("x10",), ()),  # lw a0, 0(s2)
    "2328a100": (("x2", "x10"), (), (), ("x10",)),  # sw a0, 16(sp)
}


@pytest.mark.parametrize("code", THUMB)
def test_thumb_instructions_use_what_the_assembler_names(code: str) -> None:
    (one,) = decode_arm.decode(bytes.fromhex(code), 0x100, thumb=True, mclass=True)
    used = uses(one)
    assert (used.latches, used.writes, used.loads, used.stores) == THUMB[code]


@pytest.mark.parametrize("code", RISCV)
def test_riscv_instructions_use_what_the_assembler_names(code: str) -> None:
    (one,) = decode_riscv.decode(bytes.fromhex(code), 0x100)
    used = uses(one)
    assert (used.latches, used.writes, used.loads, used.stores) == RISCV[code]


def _laid_out(*codes: str) -> PointLayout:
    code = bytes.fromhex("".join(codes))
    found = decode_arm.decode(code, 0x100, thumb=True, mclass=True)
    return layout([(one.address, True) for one in found], {one.address: one for one in found})


def test_points_are_weights_and_distances_of_what_each_place_held() -> None:
    # movs r0, #3 ; mov r2, r0 ; eors r0, r1 ; strb r0, [r2]
    known = _laid_out("0320", "0246", "4840", "1070")
    before = 1 + np.arange(16)  # indices of the registers' first values
    seen = [(p.kind, p.place, p.old, p.new) for p in known.points]
    first, second, third, cell = 17, 18, 19, 20
    assert seen == [
        ("VALUE", "r0", NOTHING, first),
        ("REGISTER", "r0", before[0], first),
        ("OPERAND", "latch 1", NOTHING, first),
        ("VALUE", "r2", NOTHING, second),
        ("REGISTER", "r2", before[2], second),
        ("OPERAND", "latch 2", NOTHING, before[1]),
        ("VALUE", "r0", NOTHING, third),
        ("REGISTER", "r0", first, third),
        ("OPERAND", "latch 1", first, second),
        ("OPERAND", "latch 2", before[1], third),
        ("CELL", "memory", cell, third),
        ("VALUE", "stored", NOTHING, third),
        ("BUS", "data bus", NOTHING, third),
    ]
    values = np.zeros((1, known.values), np.uint32)
    values[0, [third, cell]] = 0xF0F1, 0x0F
    words = known.seen(values)[0]
    assert words[-3:].tolist() == [0xFE, 0xF1, 0xF1]  # a byte store shows its byte alone


def test_moments_in_pieces_are_those_of_all_rows() -> None:
    draw = np.random.default_rng(1)
    rows = draw.normal(5.0, 2.0, (300, 4)).astype(np.float32)
    found = Moments()
    for piece in np.split(rows, [7, 100, 101]):
        found.add(piece)
    assert np.allclose(found.mean, rows.mean(axis=0))
    assert np.allclose(found.error, rows.var(axis=0, ddof=1) / 300)


def test_t_is_welchs_and_infinite_where_constants_differ() -> None:
    first, second = Moments(), Moments()
    first.add(np.array([[1, 2, 5], [3, 2, 5], [2, 2, 5]], np.float32))
    second.add(np.array([[4, 2, 6], [8, 2, 6]], np.float32))
    t = t_values(first, second)
    assert t[0] == pytest.approx((2 - 6) / np.sqrt(1 / 3 + 8 / 2))
    assert t[1:].tolist() == [0.0, np.inf]


def test_the_threshold_rises_with_the_number_of_points() -> None:
    assert threshold(1) == pytest.approx(4.417, abs=1e-3)
    assert threshold(10_000) == pytest.approx(6.109, abs=1e-3)


def test_long_traces_are_refused_before_any_is_made() -> None:
    check_points(1_000_000, bits=False)
    with pytest.raises(ValueError, match=r"more than 2 GiB, which hold 43,690; choose"):
        check_points(1_000_000, bits=True)


def test_traces_that_would_not_fit_are_refused_before_any_is_made() -> None:
    check_size(10_000, 80_000)
    with pytest.raises(ValueError, match=r"take more than 1 GiB; ask for 89,448 at most"):
        check_size(10_000, 100_000)
