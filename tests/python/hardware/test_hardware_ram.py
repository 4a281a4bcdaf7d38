# SPDX-License-Identifier: MIT
"""Bits that RAM blocks hold, counted on cells as Yosys writes them."""

from itertools import count
from typing import Any

import pytest

from aesfit.hardware.ram import ram_bits

CONSTANT = "0"
Pins = dict[str, list[Any]]


def cell(kind: str, parameters: dict[str, int], inputs: Pins, outputs: Pins) -> dict[str, Any]:
    """A block; connections by name."""
    return {
        "type": kind,
        "parameters": {name: f"{value:032b}" for name, value in parameters.items()},
        "port_directions": {
            **dict.fromkeys(inputs, "input"),
            **dict.fromkeys(outputs, "output"),
        },
        "connections": {**inputs, **outputs},
    }


def module(*cells: dict[str, Any], read: list[int]) -> dict[str, Any]:
    """The cells, and an output that reads these nets."""
    ports = {"data_o": {"direction": "output", "bits": read}}
    return {"ports": ports, "cells": {str(number): one for number, one in enumerate(cells)}}


def pins(name: str, bits: list[Any]) -> Pins:
    """As those of an ECP5: each bit by itself, in another order than theirs."""
    return {f"{name}{at}": [bit] for at, bit in reversed(list(enumerate(bits)))}


def test_ice40_counts_words_addressed_and_bits_read() -> None:
    """128 of 256 words, of which 12 of 16 bits are read; the write port counts for nothing."""
    given = {"RADDR": [*range(2, 9), *CONSTANT * 4], "WADDR": [*range(20, 31)]}
    block = cell("SB_RAM40_4K", {}, given, {"RDATA": list(range(100, 116))})
    assert ram_bits(module(block, read=list(range(100, 112))), "SB_RAM40_4K") == 128 * 12


def test_each_block_counts_and_others_do_not() -> None:
    numbers = count(2)

    def block(kind: str) -> dict[str, Any]:
        address = [next(numbers) for _ in range(9)]
        return cell(kind, {}, {"ADDR": address}, {"DO": list(range(200, 208)), "DOP": [208]})

    made = module(
        block("RAMB16_S9"), block("RAMB16_S9"), block("other"), read=list(range(200, 208))
    )
    assert ram_bits(made, "RAMB16") == 2 * 512 * 8


@pytest.mark.parametrize(("width", "words"), [(9, 1 << 11), (18, 1 << 10)])
def test_ecp5_ports_side_by_side(width: int, words: int) -> None:
    """The wider reach of two ports counts; low pins that select bytes to write address nothing."""
    given = {**pins("ADA", list(range(2, 16))), **pins("ADB", [*CONSTANT * 13, 40])}
    taken = {**pins("DOA", list(range(100, 118))), **pins("DOB", list(range(120, 138)))}
    widths = {"DATA_WIDTH_A": width, "DATA_WIDTH_B": width}
    block = cell("DP16KD", widths, given, taken)
    assert ram_bits(module(block, read=[100, 101, 102, 120]), "DP16KD") == 3 * words


def test_ecp5_both_halves_of_a_wide_port() -> None:
    """At 36 bits port B reads, through the outputs of both."""
    given = {**pins("ADA", list(range(2, 16))), **pins("ADB", [*"00000", *range(50, 57), *"00"])}
    taken = {**pins("DOA", list(range(100, 118))), **pins("DOB", list(range(120, 138)))}
    block = cell("DP16KD", {"DATA_WIDTH_A": 36, "DATA_WIDTH_B": 36}, given, taken)
    read = [*range(100, 118), *range(120, 134)]
    assert ram_bits(module(block, read=read), "DP16KD") == 128 * 32
