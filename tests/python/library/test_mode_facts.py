# SPDX-License-Identifier: MIT
"""What modes say of themselves (lib/src/mode.h), held against what their functions do."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mode_calls import CCMP_HEADER, ENCRYPT, HEADER, ModeCalls
from places import ROOT

from aesfit.catalog import Mode, SizeRange, modes

BY_NAME = {mode.name: mode for mode in modes()}
SIZES = range(80)
"""Of payload: some blocks, and what lies between."""
PARTS = range(20)
"""Of nonces and tags: none is longer than a block, but for GCM's nonces."""
TEXT = bytes(range(100, 148))


def wrong(mode: Mode, folder: Path) -> set[str]:
    """Facts of which a function shows something else."""
    return {fact for fact, holds in _held(mode, ModeCalls(mode, folder)) if not holds}


def _held(mode: Mode, calls: ModeCalls) -> Iterator[tuple[str, bool]]:
    """A fact, and whether a call agrees."""
    yield from _sizes(mode, calls)
    yield from _keys(mode, calls)
    yield from _results(mode, calls)
    if mode.decrypt:
        yield from _decrypted(mode, calls)


def _sizes(mode: Mode, calls: ModeCalls) -> Iterator[tuple[str, bool]]:
    for size in SIZES:
        done = calls.encrypt(bytes(size))
        yield "payloads", (done.status == 0) == (size in mode.payloads)
    called = {*mode.encrypt.arguments, *(mode.start.arguments if mode.start else ())}
    yield "nonces", ("nonce" in called) == (mode.nonces.most > 0)
    if "nonce_bytes" in called and not mode.header:
        for size in PARTS:
            done = calls.encrypt(TEXT, nonce=bytes(size))
            yield "nonces", (done.status == 0) == (size in mode.nonces)
    yield "tags", ("tag" in called) == (mode.tags.most > 0)
    if "tag_bytes" in called:
        for size in PARTS:
            good = size in mode.tags or size in mode.short_tags
            yield "tags", (calls.encrypt(TEXT, tag=size).status == 0) == good
    yield "ads", ("ad_bytes" in called) == (mode.ads.most > 0)


def _keys(mode: Mode, calls: ModeCalls) -> Iterator[tuple[str, bool]]:
    for bits in (128, 192, 256):
        one = replace(calls, key_bits=bits)
        good = one.expand()[0] == 0 and one.encrypt(TEXT).status == 0
        yield "key_bits", good == (bits in mode.key_bits)


def _results(mode: Mode, calls: ModeCalls) -> Iterator[tuple[str, bool]]:
    done, other = calls.encrypt(TEXT), calls.encrypt(TEXT[::-1])
    padding = mode.pads_to - len(TEXT) % mode.pads_to if mode.pads_to else 0
    start = len(HEADER) if mode.header else 0
    wanted = 0 if mode.is_mac else start + len(TEXT) + mode.grows + padding
    yield "grows", len(done.out) == wanted
    if not mode.is_mac:
        start += CCMP_HEADER if mode.header else 0
        pairs = zip(done.out[start:], other.out[start:], TEXT, TEXT[::-1], strict=False)
        betrays = all(a ^ b == c ^ d for a, b, c, d in pairs)
        yield "keystream", betrays == mode.keystream
    follows = len(done.nonce) == 16 and done.nonce == done.out[-16:]
    yield "carries", follows == (mode.carries == "nonce")
    yield "carries", (mode.start is not None) == (mode.carries == "state")


def _decrypted(mode: Mode, calls: ModeCalls) -> Iterator[tuple[str, bool]]:
    sealed = calls.encrypt(TEXT)
    data = TEXT if mode.is_mac else sealed.out
    back = calls.decrypt(data, sealed.tag)
    begin = HEADER[:1] if mode.header else b""
    yield "decrypt", back.status == 0
    yield "decrypt", mode.is_mac or (back.out.endswith(TEXT) and back.out.startswith(begin))
    forged = bytes((*data[:-1], data[-1] ^ 1))
    yield "verdict", (calls.decrypt(forged, sealed.tag).status != 0) == mode.verdict
    forward = replace(calls, directions=ENCRYPT).decrypt(data, sealed.tag)
    yield "inverse", (forward.status != 0) == mode.inverse


@pytest.mark.parametrize("name", BY_NAME)
def test_functions_do_what_the_mode_says(name: str, tmp_path: Path) -> None:
    assert wrong(BY_NAME[name], tmp_path) == set()


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("cbc", {"payloads": SizeRange(0, 1 << 24, 1)}, "payloads"),
    ("cbc_cs3", {"payloads": SizeRange(17, 1 << 24, 1)}, "payloads"),
    ("ccm", {"nonces": SizeRange(7, 12, 1)}, "nonces"),
    ("ccm", {"tags": SizeRange(4, 16, 1)}, "tags"),
    ("gcm", {"short_tags": (8,)}, "tags"),
    ("xts", {"key_bits": (128, 192, 256)}, "key_bits"),
    ("kw", {"grows": 16}, "grows"),
    ("pkcs7", {"pads_to": 20}, "grows"),
    ("ofb", {"keystream": False}, "keystream"),
    ("cbc", {"carries": None}, "carries"),
    ("ctr", {"carries": None}, "carries"),
    ("cmac", {"verdict": False}, "verdict"),
    ("ecb", {"inverse": False}, "inverse"),
]
"""A mode, what it says falsely, and the fact that is found."""


@pytest.mark.parametrize(("name", "said", "fact"), FAULTS)
def test_a_false_fact_is_found(name: str, said: dict[str, Any], fact: str, tmp_path: Path) -> None:
    assert wrong(replace(BY_NAME[name], **said), tmp_path) == {fact}


def test_no_firmware_carries_them(tmp_path: Path) -> None:
    """They cost flash in a program that is linked without --gc-sections."""
    for mode in BY_NAME:
        source, made = ROOT / "lib" / "src" / "modes" / f"{mode}.c", tmp_path / f"{mode}.o"
        compiled = ["gcc", "-c", "-I", str(ROOT / "lib" / "include"), str(source), "-o", str(made)]
        for more, there in (((), False), (("-DAESFIT_MODE_FACTS",), True)):
            subprocess.run([*compiled, *more], check=True)
            names = subprocess.run(["nm", str(made)], check=True, capture_output=True, text=True)
            assert (f" aesfit_mode_{mode}\n" in names.stdout) is there
