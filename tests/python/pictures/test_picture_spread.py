# SPDX-License-Identifier: MIT
"""What one changed bit changes under each mode, exactly; and pictures of every kind analysed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aesfit.pictures.analysis import ALL_MODES, FIXED_KEY, GENERATOR, PLAIN, analyse, mode_item
from aesfit.pictures.cipher import MODES
from aesfit.pictures.figures import NAMES, plane_names, planes_of
from aesfit.pictures.picture_file import Palette, Picture
from aesfit.pictures.spread import bit_position, flip, spread
from aesfit.pictures.statistics import repeated_blocks

SIZES = st.integers(1, 70)


def picture(
    *shape: int, mode: str = "L", seed: int = 3, kind: type[np.unsignedinteger] = np.uint8
) -> Picture:
    top = np.iinfo(kind).max + 1
    pixels = np.random.default_rng(seed).integers(0, top, shape, kind)
    return Picture(pixels.reshape(shape[0], shape[1], -1), mode, "seeded")


def difference(one: Picture, mode: str, bit: int) -> NDArray[np.uint8]:
    """Bits that differ between the two encryptions, by bytes."""
    data = mode_item(one, mode, FIXED_KEY, bit).data
    other = Picture(
        np.frombuffer(flip(one.data, bit), np.uint8).reshape(one.pixels.shape), "L", "flipped"
    )
    changed = mode_item(other, mode, FIXED_KEY, bit).data
    return np.frombuffer(data, np.uint8) ^ np.frombuffer(changed, np.uint8)


@pytest.mark.parametrize("mode", ALL_MODES)
@given(size=SIZES, place=st.floats(0, 1, exclude_max=True))
def test_nothing_else_changes(mode: str, size: int, place: float) -> None:
    """Bytes outside the spread stay the same; only the flipped bit changes in its byte."""
    bit = int(place * size * 8)
    found = spread(mode, size, bit)
    apart = difference(picture(1, size), mode, bit)
    for at, bits in enumerate(apart.tolist()):
        if found.flipped is not None and at == bit // 8:
            assert bits == 128 >> bit % 8 == found.flips[0]
        elif at not in found.redrawn:
            assert bits == 0


@pytest.mark.parametrize("mode", ["ctr", "ofb", "gcm", GENERATOR])
def test_streams_change_exactly_one_bit(mode: str) -> None:
    for bit in (0, 77, 799):
        apart = difference(picture(10, 10), mode, bit)
        assert np.flatnonzero(np.unpackbits(apart)).tolist() == [bit]


def test_ecb_changes_one_block() -> None:
    apart = difference(picture(10, 10), "ecb", 8 * 40 + 3)
    assert set(np.flatnonzero(apart) // 16) == {2}
    assert np.count_nonzero(apart) >= 12


def test_ecb_changes_the_rest_with_the_last_whole_block() -> None:
    apart = difference(picture(10, 10), "ecb", 8 * 85)
    assert set(np.flatnonzero(apart) // 16) == {5, 6}
    assert np.flatnonzero(difference(picture(10, 10), "ecb", 8 * 97)).tolist() == [97]


def test_cbc_changes_the_block_and_all_that_follow() -> None:
    apart = difference(picture(10, 10), "cbc", 8 * 40)
    assert not apart[:32].any()
    assert all(apart[at : at + 16].any() for at in range(32, 100, 16))


def test_cfb_changes_one_bit_and_all_that_follow_the_block() -> None:
    apart = difference(picture(10, 10), "cfb", 8 * 40)
    assert np.flatnonzero(apart[:48]).tolist() == [40]
    assert apart[40] == 128
    assert all(apart[at : at + 16].any() for at in range(48, 100, 16))


def test_bits_by_name_and_number() -> None:
    assert [bit_position(name, 30) for name in ("first", "middle", "last", "7")] == [0, 120, 239, 7]
    with pytest.raises(ValueError, match="the last of the picture is 239"):
        bit_position("240", 30)
    for wrong in ("-1", "end", "", "\N{SUPERSCRIPT TWO}", "9" * 30):
        with pytest.raises(ValueError, match="is not a bit"):
            bit_position(wrong, 30)


@given(st.binary(min_size=1), st.integers(0))
def test_flip_changes_one_bit_and_back(data: bytes, bit: int) -> None:
    at = bit % (8 * len(data))
    once = flip(data, at)
    assert int.from_bytes(once, "big") ^ int.from_bytes(data, "big") == 1 << 8 * len(data) - 1 - at
    assert flip(once, at) == data


@pytest.mark.parametrize("bit", ["first", "middle", "last"])
def test_noise_lies_within_under_every_mode(bit: str) -> None:
    one = picture(64, 80, 3, mode="RGB")
    items = list(analyse(one, ALL_MODES, FIXED_KEY, bit_position(bit, len(one.data))))
    assert [item.mode for item in items] == [PLAIN, *ALL_MODES]
    for item in items[1:]:
        assert all(item.within(name) for name in NAMES), item.mode
    assert all(items[0].within(name) is None for name in NAMES)


def test_stripes_show_through_ecb_alone() -> None:
    """48 pixels are 9 blocks: each row is the same, so ECB leaves the columns as they were."""
    pixels = np.tile(np.random.default_rng(1).integers(0, 256, (1, 48, 3), np.uint8), (40, 1, 1))
    one = Picture(pixels, "RGB", "stripes")
    ecb, cbc = (mode_item(one, mode, FIXED_KEY, 0) for mode in ("ecb", "cbc"))
    assert ecb.figures["vertical"] == pytest.approx(1.0)
    assert ecb.figures["repeated_blocks"] == repeated_blocks(one.data) == 1.0
    assert all(ecb.within(name) for name in NAMES if name != "p_value")
    assert ecb.figures["chi_square"] > 10_000  # type: ignore[operator]
    assert cbc.figures["repeated_blocks"] == 0.0
    assert all(cbc.within(name) for name in NAMES)


def test_more_than_noise_lies_outside() -> None:
    """A verdict can be no: what is expected of CBC does not hold for ECB of stripes."""
    pixels = np.tile(np.random.default_rng(1).integers(0, 256, (1, 48, 3), np.uint8), (40, 1, 1))
    one = Picture(pixels, "RGB", "stripes")
    ecb, cbc = (mode_item(one, mode, FIXED_KEY, 0) for mode in ("ecb", "cbc"))
    for name in ("entropy", "chi_square", "vertical", "repeated_blocks", "npcr", "uaci"):
        assert cbc.expected[name].holds(ecb.figures[name]) is False, name


@pytest.mark.parametrize(
    ("one", "planes"),
    [
        (picture(20, 30), ("grey",)),
        (picture(20, 30, mode="I;16", kind=np.uint16), ("high byte", "low byte")),
        (picture(20, 30, 2, mode="LA"), ("grey", "alpha")),
        (picture(20, 30, 4, mode="RGBA"), ("red", "green", "blue", "alpha")),
        (
            Picture(
                np.zeros((20, 30, 1), np.uint8), "P", "palette", Palette("RGB", bytes(range(6)))
            ),
            ("index",),
        ),
    ],
    ids=lambda value: value.mode if isinstance(value, Picture) else "",
)
def test_kinds_of_pictures(one: Picture, planes: tuple[str, ...]) -> None:
    assert plane_names(one) == planes
    assert [plane.shape for plane in planes_of(one.data, one)] == [(20, 30)] * len(planes)
    for item in analyse(one, MODES, FIXED_KEY, 5):
        assert all(item.within(name) is not False for name in NAMES), item.mode


def test_16_bits_are_high_bytes_then_low_bytes() -> None:
    one = Picture(np.full((2, 2, 1), 0x1234, np.uint16), "I;16", "flat")
    high, low = planes_of(one.data, one)
    assert (high.flatten().tolist(), low.flatten().tolist()) == ([0x12] * 4, [0x34] * 4)


def test_one_pixel_leaves_undefined_what_is_and_says_why() -> None:
    items = list(analyse(picture(1, 1, 3, mode="RGB"), ALL_MODES, FIXED_KEY, 0))
    for item in items:
        for name in ("local_entropy", "p_value", "horizontal", "vertical", "diagonal"):
            assert item.figures[name] is None
            assert item.expected[name].why
        assert item.figures["repeated_blocks"] is None
        assert "16 bytes" in (item.expected["repeated_blocks"].why or "")
    for item in items[1:]:
        assert item.figures["npcr"] == pytest.approx(100 / 3)
        assert item.figures["uaci"] == pytest.approx(100 * 128 / (3 * 255))
        assert (item.within("npcr"), item.within("uaci")) == (True, True)


def test_flat_picture_has_no_correlation_and_says_why() -> None:
    flat = Picture(np.full((30, 30, 3), 9, np.uint8), "RGB", "flat")
    plain = next(analyse(flat, (), FIXED_KEY, 0))
    assert plain.figures["horizontal"] is None
    assert "all pixels are equal" in (plain.expected["horizontal"].why or "")
