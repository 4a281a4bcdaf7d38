# SPDX-License-Identifier: MIT
"""A complete program that calls a drop-in's first mode, from what the mode says of itself."""

from collections.abc import Iterator
from itertools import groupby

from ..building.calls import context_type
from ..catalog import MODES, Mode, ModeCall
from .choice import DropInChoice

_TEXT = 16
"""Bytes of payload, which every mode takes."""
_AD = 4
_HEADER = 24
"""Of a packet's header, with which the payload begins in modes that have one."""
_COMMENT = " // "
_AGAIN = "    // the same key again, now for decryption"


def program(choice: DropInChoice, size: int = _TEXT, named: str = "int main(void)") -> str:
    """The program, with the library's names; it returns 0.

    `size`: bytes of payload; `named`: what the function is called.
    """
    mode, bits = MODES[choice.modes[0]], choice.key_bits[0]
    backward = mode.decrypt is not None and not choice.encrypt_only
    lines = ['#include "aesfit.h"', "", named, "{"]
    lines += _aligned([f"    {line}" for line in _variables(mode, bits, size)])
    lines += _encrypted(mode, size, both=backward and mode.inverse and not choice.separate_keys)
    if backward:
        lines += _decrypted(mode, size, apart=mode.inverse and choice.separate_keys)
    lines += [
        "    aesfit_wipe(&key, sizeof key);",
        "    return bad != AESFIT_OK; // 0: done",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _variables(mode: Mode, bits: int, size: int) -> Iterator[str]:
    """What the program declares."""
    told = "your key" if mode.keys == 1 else f"{mode.keys} keys, which must differ"
    yield f"static const uint8_t secret[{mode.keys * bits // 8}] = {{1, 2, 3}};{_COMMENT}{told}"
    yield from _nonce(mode)
    if mode.ads.most and not mode.header:
        told = "authenticated, not encrypted"
        yield f"static const uint8_t head[{_AD}] = {{1, 2, 3, 4}};{_COMMENT}{told}"
    yield from _text(mode, size)
    if mode.tags.most:
        yield f"uint8_t tag[{mode.tag}];"
    if mode.start:
        yield f"{mode.state} state;"
    if "&out_bytes" in mode.encrypt.arguments:
        yield "size_t bytes;"
    yield f"{context_type(mode)} key;"


def _nonce(mode: Mode) -> Iterator[str]:
    if mode.nonce_called is None:
        return
    name, size = mode.nonce_called, mode.nonce
    told = f"{_COMMENT}{mode.nonce_rule}"
    if mode.header:
        yield f"{mode.state} {name} = 1;{told}"
    elif mode.carries == "nonce":
        yield f"uint8_t {name}[{size}] = {{7}}, same[{size}] = {{7}};{told}"
    else:
        yield f"static const uint8_t {name}[{size}] = {{7}};{told}"


def _text(mode: Mode, size: int) -> Iterator[str]:
    told = f"{_COMMENT}{mode.payload_rule}" if mode.payload_rule else ""
    room = size + mode.grows + mode.pads_to
    if mode.header:
        yield f"uint8_t text[{_HEADER + room}] = {{0x08, 0x01}};{told}"
    else:
        kept = "static const " if mode.is_mac else ""
        yield f'{kept}uint8_t text[{room}] = "attack at dawn";{told}'


def _encrypted(mode: Mode, size: int, *, both: bool) -> Iterator[str]:
    directions = "AESFIT_BOTH" if both else "AESFIT_ENCRYPT"
    yield f"    int bad = {_expand(mode, directions)};"
    yield from _message(mode, mode.encrypt, _size(mode, size))


def _size(mode: Mode, size: int) -> str:
    """Bytes of what is encrypted, of a payload of that many."""
    if mode.header:
        return str(_HEADER + size)
    return "sizeof text" if "&out_bytes" not in mode.encrypt.arguments else str(size)


def _decrypted(mode: Mode, size: int, *, apart: bool) -> Iterator[str]:
    if apart:
        yield _AGAIN
        yield f"    bad |= {_expand(mode, 'AESFIT_DECRYPT')};"
    grown = "&out_bytes" in mode.encrypt.arguments
    if mode.decrypt:
        yield from _message(mode, mode.decrypt, "bytes" if grown else _size(mode, size), again=True)
    if not mode.is_mac and not mode.header:
        yield "    bad |= text[0] != 'a'; // the text is back"


def _message(mode: Mode, call: ModeCall, size: str, *, again: bool = False) -> Iterator[str]:
    """The calls of one message of `size` bytes."""
    if mode.start:
        yield f"    bad |= {mode.start.function}({_arguments(mode, mode.start, size, again)});"
    yield f"    bad |= {call.function}(&key, {_arguments(mode, call, size, again)});"


def _arguments(mode: Mode, call: ModeCall, size: str, again: bool) -> str:
    nonce = "same" if again and mode.carries == "nonce" else str(mode.nonce_called)
    given = {
        "nonce": nonce,
        "nonce_bytes": nonce if mode.header else str(mode.nonce),
        "ad": "head",
        "ad_bytes": str(_HEADER if mode.header else _AD),
        "in": "text",
        "out": "text",
        "out_size": "sizeof text",
        "&out_bytes": "&bytes",
        "bytes": size,
        "tag_bytes": str(mode.tag),
        "&state": f"&{nonce}" if mode.header else "&state",
    }
    return ", ".join(given.get(one, one) for one in call.arguments)


def _expand(mode: Mode, directions: str) -> str:
    """The call that expands the key, with the default core and multiplier."""
    defaults = "NULL, NULL" if mode.hashes else "NULL"
    last = "" if mode.hashes else f", {directions}"
    return f"{mode.set_up}(&key, {defaults}, secret, sizeof secret{last})"


def _aligned(lines: list[str]) -> Iterator[str]:
    """Comments of neighbouring lines below each other."""
    for told, some in groupby(lines, lambda line: _COMMENT in line):
        group = [line.partition(_COMMENT) for line in some]
        width = max(len(code) for code, _, _ in group)
        yield from (f"{code:{width}}{sign}{text}" if told else code for code, sign, text in group)
