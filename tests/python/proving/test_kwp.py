# SPDX-License-Identifier: MIT
"""KWP on its refused side, through the library's own function: `aesfit prove` has no mode for it.

A wrapped secret of two semiblocks is given with any integrity block: any difference from ICV2, any
lowest byte of the length with zeros above it, and a 1 above it alone; any text and any padding.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from images import needs_prover, plant
from own_firmware import linked

from aesfit.building import sources
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.calls import Calls
    from aesfit.proving.fips197 import Byte
    from aesfit.proving.messages import Parts, Places
    from aesfit.proving.verdicts import CallVerdict
    from aesfit.proving.zones import Atoms

pytestmark = needs_prover
ICV2 = bytes.fromhex("a65959a6")
PADDED = 16
"""Bytes of text and padding, of which at most seven are padding (SP 800-38F, 6.3)."""


@dataclass
class Unwrap:
    """aesfit_key_unwrap_padded()."""

    at: "Places" = field(default_factory=dict)

    def context_bytes(self, calls: "Calls") -> int:
        return 1024

    def set_up(self, parts: "Parts", at: "Places") -> tuple[str, tuple[int, ...]]:
        key = (at["key"].start, len(parts.key))
        return "aesfit_expand_key", (at["context"].start, 0, *key, 2)

    def act(self, parts: "Parts", at: "Places") -> tuple[str, tuple[int, ...]]:
        self.at = at
        out = (at["out"].start, PADDED, at["message"].start)
        call = (at["context"].start, *out, at["data"].start, len(parts.data))
        return "aesfit_key_unwrap_padded", call


def given(bits: "Byte", value: int) -> dict[int, int]:
    """Atoms with the bits of a number."""
    return {bit.bit_length() - 1: value >> at & 1 for at, bit in enumerate(bits)}


def verdict(
    atoms: "Atoms", differences: list["Byte"], length: list["Byte"], text: list["Byte"]
) -> "CallVerdict":
    """When KWP accepts (SP 800-38F, 6.3, KWP-AD): a right ICV2, a length of 9 to 16, and zeros."""
    from aesfit.proving.substitution import Substitution
    from aesfit.proving.verdicts import CallVerdict

    *upper, low = length
    right = {at: bit for one in differences for at, bit in given(one, 0).items()}
    short = {at: bit for one in upper for at, bit in given(one, 0).items()}
    accepts, refuses = [], [{at: 1} for at in right]
    top = upper[0][7].bit_length() - 1
    refuses += [{**short, at: 1} for at in short if at != top]
    for value in range(256):
        refuses.append({**short, top: 1, **given(low, value)})  # one by one the domain can tell
        told = {**short, **given(low, value)}
        if not PADDED - 7 <= value <= PADDED:
            refuses.append(told)
            continue
        zeros = {at: bit for one in text[value:] for at, bit in given(one, 0).items()}
        accepts.append({**told, **right, **zeros})
        refuses += [{**told, at: 1} for at in zeros]
    made = [[Substitution(atoms, one) for one in some] for some in (accepts, refuses)]
    return CallVerdict(*made)


def unwrapped(folder: Path) -> str:
    """What is wrong with the library's unwrapping; empty where nothing is."""
    from aesfit.proving.code import Code
    from aesfit.proving.compared import wrong
    from aesfit.proving.equality import calls_of
    from aesfit.proving.fips197 import Aes, xor
    from aesfit.proving.forms import Equality
    from aesfit.proving.image import read_image
    from aesfit.proving.messages import MessageCalls, Parts
    from aesfit.proving.specified import Expected
    from aesfit.proving.standards import kw_wrap, text
    from aesfit.proving.words import made
    from aesfit.proving.zones import Atoms

    atoms = Atoms()
    key, differences, length, plain = (
        [atoms.fresh(8) for _ in range(count)] for count in (16, 4, 4, PADDED)
    )
    icv = [xor(one, other) for one, other in zip(text(ICV2), differences, strict=True)]
    data = kw_wrap(Aes(atoms, key), plain, [*icv, *length])
    accepts = verdict(atoms, differences, length, plain)
    parts = Parts([made(one) for one in key], (), (), [made(one) for one in data], (), 0, 0, PADDED)
    elf = linked(sources.unit("transposed", ["kw"]), "aesfit_key_unwrap_padded", folder)
    domain = Equality(atoms)
    calls = calls_of(Code(read_image(elf, platform_named("cortex-m0plus").isa)), domain, accepts)
    unwrap = Unwrap()
    ended = MessageCalls(calls, unwrap).run(parts)
    found = wrong(domain, ended, Expected(parts, plain, [], [], accepts))
    for one in ended:
        got = domain.bits(calls.get(one.state, unwrap.at["message"].start, 1)[0], 8)
        meant = (0,) * 8 if one.state.accepted is False else length[-1]
        holds = accepts.refused if one.state.accepted is False else accepts.accepted
        if any(holds(a ^ b) != 0 for a, b in zip(got, meant, strict=True)):
            found = found or "the length is another function"
    return found


def test_it_accepts_what_is_genuine_alone_and_leaves_zeros(tmp_path: Path) -> None:
    assert unwrapped(tmp_path) == ""


REFUSED = "        return AESFIT_ERR_AUTHENTICATION;\n    }\n    declassify(&length"
FAULTS = {
    "a byte of ICV2 is not compared": (
        "uint32_t bad = load32_be(a) ^ KW_PADDED_ICV;",
        "uint32_t bad = (load32_be(a) ^ KW_PADDED_ICV) & 0xffffffu;",
        "a branch depends on a secret",
    ),
    "a length of 8 bytes less is accepted": ("zeros & ~7u", "zeros & ~15u", ""),
    "the last byte of padding is not compared": ("i < 7; i++", "i < 6; i++", ""),
    "text is left after a refusal": (
        f"        wipe(out, bytes - 8);\n{REFUSED}", REFUSED, "after a refusal",
    ),
}  # fmt: skip
"""What stands there, the fault, in what is said of it."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_not_proved(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aesfit.proving.findings import StuckError

    old, new, says = FAULTS[name]
    plant(tmp_path, monkeypatch, "modes/kw.c", [(old, new)])
    try:
        told = unwrapped(tmp_path)
    except StuckError as stuck:
        told = str(stuck)
    assert told
    assert says in told
