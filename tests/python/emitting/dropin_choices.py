# SPDX-License-Identifier: MIT
"""What drop-ins are tried as: every core, every mode, every way to ask."""

from collections.abc import Iterator, Sequence
from itertools import product

from dropin_targets import Target

from aesfit.building.sources import registered
from aesfit.catalog import MODES, Mode
from aesfit.emitting.choice import DropInChoice, check

_AT_ONCE = 3


def _group(modes: Sequence[Mode]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names, and the key sizes that all of them take."""
    common = set[int].intersection(*(set(mode.key_bits) for mode in modes))
    return tuple(mode.name for mode in modes), tuple(sorted(common))


GROUPS = [
    _group(list(MODES.values())[first : first + _AT_ONCE])
    for first in range(0, len(MODES), _AT_ONCE)
]
"""Every mode once, several in a drop-in."""


def _every() -> Iterator[DropInChoice]:
    for core in registered("cores"):
        yield DropInChoice(core, ("ccm",), (128, 192, 256))
    for mode, core in product(registered("modes"), ("fixslice", "ttable1")):
        yield DropInChoice(core, (mode,), MODES[mode].key_bits)
    for mode in registered("modes"):
        yield DropInChoice("fixslice", (mode,), (128,), all_functions=True)
        yield DropInChoice("ttable1", (mode,), (128,), encrypt_only=True)
        yield DropInChoice("ttable1", (mode,), (128,), separate_keys=True)
    for ghash in registered("ghash"):
        yield DropInChoice("transposed", ("gcm",), (128, 256), ghash=ghash)
    for modes, bits in GROUPS:
        yield DropInChoice("ttable4", modes, bits, all_functions=True)
    yield DropInChoice("bytewise", ("ctr",), (192,), self_test=False)


def _can_be(choice: DropInChoice) -> bool:
    try:
        check(choice)
    except ValueError:  # a mode that needs decryption, encrypt-only
        return False
    return True


CHOICES = tuple(filter(_can_be, _every()))


def named(choice: DropInChoice) -> str:
    """The choice in a word, for a test's name."""
    marks = {
        "encrypt": choice.encrypt_only,
        "separate": choice.separate_keys,
        "all": choice.all_functions,
    }
    marks[choice.ghash] = choice.ghash != "shift32"
    extra = [name for name, holds in marks.items() if holds]
    return "-".join((choice.core, *choice.modes, *map(str, choice.key_bits), *extra))


def for_x86(choice: DropInChoice) -> bool:
    """It needs instructions that only x86 has."""
    return choice.core == "aesni" or choice.ghash == "clmul"


def fits(choice: DropInChoice, target: Target) -> bool:
    """The machine has the instructions."""
    return target.x86 or not for_x86(choice)
