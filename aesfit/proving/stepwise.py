# SPDX-License-Identifier: MIT
"""Modes as machines that take a block at a time, over forms: the specification of any length.

What a machine holds between two blocks is a few texts by name.  The tests hold these machines to
standards.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from .findings import StuckError
from .fips197 import Aes, Byte
from .forms import Equality
from .standards import Text, added, doubled, doubled_little, padded, text
from .words import constant
from .zones import Atoms

COUNTER: Final = "counter"


@dataclass(frozen=True)
class Counter:
    """A counter of 16 bytes, some blocks after `first`.

    Where `first` is any of those whose low bytes have `ones`, its bytes that count are: so many
    that are all ones, but for bits that stay 0 until `steps`, and one that is not.
    """

    first: Text
    times: int = 0
    steps: int = 0
    """Blocks of a pass, a power of two; 0: all that counts in `first` is known."""
    ones: int = 0

    def plus(self, blocks: int) -> "Counter":
        """That many blocks later."""
        return replace(self, times=self.times + blocks)

    def text(self, atoms: Atoms) -> Text:
        """Its bytes; StuckError where it was not known so far ahead."""
        if not self.steps:
            return _plus(self.first, self.times)
        if self.times > self.steps:
            raise StuckError("a counter is needed more than a pass ahead")
        if self.times < self.steps:
            return [*self.first[:-1], _with_low(self.first[-1], self.times, self.steps)]
        at = 15 - self.ones
        low = self.steps.bit_length() - 1 if self.ones == 0 else 0
        counted = _next_in_byte(self.first[at], low, atoms)
        return [*self.first[:at], counted, *text(bytes(self.ones))]


def _with_low(byte: Byte, times: int, steps: int) -> Byte:
    low = steps.bit_length() - 1
    return (*constant(times, low), *byte[low:])


def _next_in_byte(byte: Byte, low: int, atoms: Atoms) -> Byte:
    """Plus 1 at bit `low`, as an adder makes it: nothing is carried out of the byte."""
    found, carry = list(byte[:low]), 1
    for bit in byte[low:]:
        found.append(bit ^ carry)
        carry = atoms.product(carry, bit)
    return tuple(found)


def _plus(first: Text, times: int) -> Text:
    """Of which the low bytes are known, and the carry ends in them."""
    number, found = times, list(first)
    for at in reversed(range(16)):
        if not number:
            break
        if any(bit > 1 for bit in found[at]):
            raise StuckError("the counter's carry reaches bytes that are not known")
        number += sum(bit << up for up, bit in enumerate(found[at]))
        found[at] = constant(number & 0xFF, 8)
        number >>= 8
    return found


@dataclass(frozen=True)
class HeldTexts:
    """What a machine holds between two blocks."""

    texts: Mapping[str, Text] = field(default_factory=dict)
    counter: Counter | None = None

    def named(self, atoms: Atoms) -> dict[str, Text]:
        """All of it as texts."""
        more = {} if self.counter is None else {COUNTER: self.counter.text(atoms)}
        return {**self.texts, **more}


@dataclass(frozen=True)
class Finished:
    """What a call gave in the end."""

    out: Text
    tag: Text = field(default_factory=list)
    iv: Text | None = None
    """None: the caller's stays."""


class ModeMachine:
    """One mode, in one direction, with one key."""

    inputs: frozenset[str] = frozenset()
    """Texts that are the block of input before."""
    reads = False
    """It has no output: what it took is known by what it read."""
    keeps_last = False
    """The last block is no step, though it may be whole."""

    def __init__(self, forms: Equality, aes: Aes, nonce: Text) -> None:
        """Of a message with this IV, counter or tweak."""
        self.atoms, self.aes, self.nonce = forms.atoms, aes, nonce
        self._known: dict[tuple[bool, tuple[Byte, ...]], Text] = {}

    def encrypt(self, block: Text) -> Text:
        """The cipher."""
        return self._crypt(block, inverse=False)

    def decrypt(self, block: Text) -> Text:
        """Its inverse."""
        return self._crypt(block, inverse=True)

    def _crypt(self, block: Text, *, inverse: bool) -> Text:
        key = inverse, tuple(map(tuple, block))
        if key not in self._known:
            self._known[key] = (self.aes.decrypt if inverse else self.aes.encrypt)(block)
        return self._known[key]

    def start(self) -> HeldTexts:
        """Before the first block."""
        return HeldTexts({"chain": self.nonce})

    def blocks(self, size: int) -> int:
        """Blocks that so many bytes are steps of, to the end of a message."""
        return size // 16

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block, and the block that it gives."""
        raise NotImplementedError

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """What a message ends with whose last, short block is `rest`."""
        del held
        if rest:
            raise StuckError("its specification takes whole blocks alone")
        return Finished([])


class EcbEncryption(ModeMachine):
    """SP 800-38A, 6.1."""

    def start(self) -> HeldTexts:
        """Before the first block."""
        return HeldTexts()

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        return held, self.encrypt(block)


class EcbDecryption(EcbEncryption):
    """SP 800-38A, 6.1, backwards."""

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        return held, self.decrypt(block)


class CbcEncryption(ModeMachine):
    """SP 800-38A, 6.2."""

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        sealed = self.encrypt(added(held.texts["chain"], block))
        return HeldTexts({"chain": sealed}), sealed

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last, short block."""
        return replace(super().end(held, rest), iv=held.texts["chain"])


class CbcDecryption(CbcEncryption):
    """SP 800-38A, 6.2, backwards."""

    inputs = frozenset(("chain",))

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        return HeldTexts({"chain": block}), added(self.decrypt(block), held.texts["chain"])


class CfbEncryption(ModeMachine):
    """SP 800-38A, 6.3, with segments of a block."""

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        sealed = added(self.encrypt(held.texts["chain"]), block)
        return HeldTexts({"chain": sealed}), sealed

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last, short block."""
        return Finished(added(self.encrypt(held.texts["chain"]), rest) if rest else [])


class CfbDecryption(CfbEncryption):
    """SP 800-38A, 6.3, backwards."""

    inputs = frozenset(("chain",))

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        return HeldTexts({"chain": block}), added(self.encrypt(held.texts["chain"]), block)


class Ofb(CfbEncryption):
    """SP 800-38A, 6.4."""

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        chain = self.encrypt(held.texts["chain"])
        return HeldTexts({"chain": chain}), added(chain, block)


class Ctr(ModeMachine):
    """SP 800-38A, 6.5."""

    def start(self) -> HeldTexts:
        """Before the first block."""
        return HeldTexts(counter=Counter(self.nonce))

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        counter = held.counter
        assert counter is not None  # noqa: S101 - start() gave one
        return HeldTexts(counter=counter.plus(1)), added(
            self.encrypt(counter.text(self.atoms)), block
        )

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last, short block."""
        return Finished(self.step(held, rest)[1] if rest else [])


class CbcMac(ModeMachine):
    """The last block of CBC under an IV of zeros."""

    reads = True

    def start(self) -> HeldTexts:
        """Before the first block."""
        return HeldTexts({"chain": text(bytes(16))})

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        return HeldTexts({"chain": self.encrypt(added(held.texts["chain"], block))}), []

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last, short block."""
        return replace(super().end(held, rest), tag=held.texts["chain"])


class Cmac(CbcMac):
    """SP 800-38B, 6.2."""

    keeps_last = True

    def __init__(self, forms: Equality, aes: Aes, nonce: Text) -> None:
        """With the subkeys."""
        super().__init__(forms, aes, nonce)
        self._whole = doubled(self.encrypt(text(bytes(16))))
        self._short = doubled(self._whole)

    def blocks(self, size: int) -> int:
        """All but the last, which may be empty."""
        return max(0, size - 1) // 16

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last block."""
        last = added(rest, self._whole)
        if len(rest) < 16:
            last = added(padded([*rest, constant(0x80, 8)]), self._short)
        return Finished([], tag=self.encrypt(added(held.texts["chain"], last)))


class XtsEncryption(ModeMachine):
    """IEEE 1619-2018, 5.3, with ciphertext stealing."""

    cipher = ModeMachine.encrypt

    def __init__(self, forms: Equality, aes: Aes, nonce: Text, tweak_key: Aes) -> None:
        """With the key of tweaks."""
        super().__init__(forms, aes, nonce)
        self._first = tweak_key.encrypt(nonce)

    def start(self) -> HeldTexts:
        """Before the first block."""
        return HeldTexts({"tweak": self._first})

    def blocks(self, size: int) -> int:
        """All but the last whole block of a message that steals."""
        return size // 16 - (size % 16 != 0)

    def step(self, held: HeldTexts, block: Text) -> tuple[HeldTexts, Text]:
        """After a whole block."""
        tweak = held.texts["tweak"]
        return HeldTexts({"tweak": doubled_little(tweak)}), self._masked(block, tweak)

    def _masked(self, block: Text, tweak: Text) -> Text:
        return added(type(self).cipher(self, added(block, tweak)), tweak)

    def end(self, held: HeldTexts, rest: Text) -> Finished:
        """The last, short block."""
        if not rest:
            return Finished([])
        tweak = held.texts["tweak"]
        first, second = self._tweaks(tweak, doubled_little(tweak))
        block, size = self._masked(rest[:16], first), len(rest) - 16
        return Finished([*self._masked([*rest[16:], *block[size:]], second), *block[:size]])

    def _tweaks(self, one: Text, other: Text) -> tuple[Text, Text]:
        return one, other


class XtsDecryption(XtsEncryption):
    """IEEE 1619-2018, 5.4."""

    cipher = ModeMachine.decrypt

    def _tweaks(self, one: Text, other: Text) -> tuple[Text, Text]:
        return other, one


MACHINES: Final[Mapping[tuple[str, str], type[ModeMachine]]] = {
    ("ecb", "encrypt"): EcbEncryption,
    ("ecb", "decrypt"): EcbDecryption,
    ("cbc", "encrypt"): CbcEncryption,
    ("cbc", "decrypt"): CbcDecryption,
    ("cfb", "encrypt"): CfbEncryption,
    ("cfb", "decrypt"): CfbDecryption,
    ("ofb", "encrypt"): Ofb,
    ("ofb", "decrypt"): Ofb,
    ("ctr", "encrypt"): Ctr,
    ("ctr", "decrypt"): Ctr,
    ("cbc_mac", "encrypt"): CbcMac,
    ("cmac", "encrypt"): Cmac,
    ("xts", "encrypt"): XtsEncryption,
    ("xts", "decrypt"): XtsDecryption,
}
"""By mode and operation."""
