# SPDX-License-Identifier: MIT
"""Sizes, clocks and rates as people write them, and numbers in words."""

import pytest

from aesfit.units import (
    count,
    parse_clock,
    parse_key_changes,
    parse_rate,
    parse_size,
    scaled,
    seconds,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("4K", 4096),
        ("4k", 4096),
        ("4KiB", 4096),
        ("4 KiB", 4096),
        ("8KB", 8192),
        ("1.5K", 1536),
        ("1M", 1 << 20),
        ("0", 0),
        ("200B", 200),
    ],
)
def test_sizes(text: str, value: int) -> None:
    assert parse_size(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("72MHz", 72e6),
        ("72 MHz", 72e6),
        ("72M", 72e6),
        ("1000", 1000),
        ("72Hz", 72),
        ("16000000", 16e6),
        ("1.2GHz", 1.2e9),
        ("32kHz", 32e3),
    ],
)
def test_clocks(text: str, value: float) -> None:
    assert parse_clock(text) == pytest.approx(value)


def test_a_clock_of_two_digits_has_its_unit() -> None:
    with pytest.raises(ValueError, match=r"'72' has no unit; write 72MHz, or 72Hz"):
        parse_clock("72")


@pytest.mark.parametrize(
    ("text", "value"),
    [("54Mbit/s", 54e6), ("1.5Mbit/s", 1.5e6), ("250kbit/s", 250e3), ("9600bit/s", 9600)],
)
def test_rates(text: str, value: float) -> None:
    assert parse_rate(text) == pytest.approx(value)


def test_a_rate_has_its_unit() -> None:
    """54 alone would be taken for Mbit/s by who writes it, and for bit/s by who reads it."""
    with pytest.raises(ValueError, match=r"'54' is not a rate, such as 54Mbit/s"):
        parse_rate("54")


@pytest.mark.parametrize("text", ["", "K", "-4K", "4Q", "4K4", "1e3", "٤K", "4,096", "0.3", "nan"])
def test_wrong_sizes_say_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"a size in bytes, such as|give whole bytes"):
        parse_size(text)


@pytest.mark.parametrize("text", ["0", "0MHz", "fast", "72MB", "-1MHz", "inf"])
def test_wrong_clocks_and_rates(text: str) -> None:
    with pytest.raises(ValueError, match="a clock, such as"):
        parse_clock(text)
    with pytest.raises(ValueError, match="a rate, such as"):
        parse_rate(text)


def test_key_changes() -> None:
    assert parse_key_changes("never") is None
    assert parse_key_changes("12") == 12
    for text in ("0", "-1", "often", "1.5", ""):
        with pytest.raises(ValueError, match="neither 'never' nor a number"):
            parse_key_changes(text)


def test_numbers_in_words() -> None:
    assert [count(v) for v in (78312, 12.5, 3.14159, 1234.5, 7)] == [
        "78,312",
        "12.5",
        "3.14",
        "1,234",
        "7",
    ]
    assert [scaled(v, "Hz") for v in (72e6, 1.2345e9, 32768, 999, 364_123_456)] == [
        "72 MHz",
        "1.23 GHz",
        "32.8 kHz",
        "999 Hz",
        "364 MHz",
    ]
    assert [seconds(v) for v in (0.0402, 2, 3.5e-6, 1e-8)] == ["40.2 ms", "2 s", "3.5 us", "10 ns"]
