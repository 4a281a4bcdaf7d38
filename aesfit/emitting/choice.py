# SPDX-License-Identifier: MIT
"""The choice that a drop-in is made for, and which choices are refused."""

import re
from dataclasses import dataclass
from functools import cache

from ..building import sources
from ..building.calls import public_calls
from ..catalog import MODES, Ghash, core_named, ghashes
from ..errors import ArgumentError, unknown
from ..jobs.abilities import HOST_ISAS, lacks
from ..platforms.platform import Platform
from .clearing import ClearedDepth

_BACKWARD = re.compile(r"decrypt|unwrap|unpad|decapsulate|verify")
_STREAMED = re.compile(
    r"aesfit_(?:feedback_start|\w+_(?:start|ad|update|\w+_update|finish|verify)|\w+_unverified)"
)
"""Functions that take a message piece by piece; one-shot `verify` functions match too."""
_LONGEST_PREFIX = 31
"""Significant initial characters of an external name in C99 (5.2.4.1)."""
_HEADERS = (
    *("assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits"),
    *("locale", "math", "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool"),
    *("stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string", "tgmath", "threads"),
    *("time", "uchar", "wchar", "wctype"),
)
"""Names of C's own headers (C17, 7.1.2): a file of that name would hide them."""


@dataclass(frozen=True)
class DropInChoice:
    """What the user wants in a drop-in."""

    core: str
    modes: tuple[str, ...]
    """Names of the library's modes: "ccm", "cbc", "ctr" ..."""
    key_bits: tuple[int, ...] = (128,)
    """In ascending order."""
    encrypt_only: bool = False
    platform: Platform | None = None
    """The platform it is made for; None if none was named."""
    prefix: str = "fitaes"
    """Prefix of every name, and the base name of both files."""
    ghash: str = "shift32"
    """The multiplier of GCM."""
    self_test: bool = True
    streaming: bool = False
    """Include calls that take a message piece by piece."""
    psa: bool = False
    """The driver of PSA Crypto goes around them, with the streamed calls of the modes that have
    any."""
    all_functions: bool = False
    """Include streamed calls, CBC over many streams, and texts of statuses."""
    separate_keys: bool = False
    """A key object holds the round keys of one direction at a time."""
    cleared: tuple[ClearedDepth, ...] = ()
    """What calls clear of the stack with one compiler; empty: the library's constants."""


def check(choice: DropInChoice) -> None:
    """Raise ValueError, in one sentence, for a drop-in that cannot be made."""
    _check_names(choice)
    _check_keys(choice)
    _check_platform(choice)
    _check_directions(choice)
    _check_separate(choice)
    _check_streaming(choice)
    check_prefix(choice.prefix)


def _check_names(choice: DropInChoice) -> None:
    if not choice.modes:
        raise ValueError(f"name at least one mode: {', '.join(MODES)}")
    asked = [("core", choice.core, sources.registered("cores"))]
    asked += [("mode", mode, sources.registered("modes")) for mode in choice.modes]
    asked.append(("GHASH multiplier", choice.ghash, sources.registered("ghash")))
    for kind, name, known in asked:
        if name not in known:
            raise unknown(kind, name, known)
    if len(set(choice.modes)) < len(choice.modes):
        raise ValueError(f"name each mode once, not: {', '.join(choice.modes)}")


def _check_keys(choice: DropInChoice) -> None:
    if not choice.key_bits or list(choice.key_bits) != sorted(set(choice.key_bits)):
        raise ValueError("name the key sizes once each and ascending: 128, 192, 256")
    for bits in choice.key_bits:
        if bits not in (128, 192, 256):
            raise ValueError(f"keys have 128, 192 or 256 bits, not {bits}")
    for mode in choice.modes:
        shape = MODES[mode]
        for bits in choice.key_bits:
            if bits not in shape.key_bits:
                allowed = " or ".join(map(str, shape.key_bits))
                raise ValueError(f"{shape.title} takes keys of {allowed} bits, not {bits}")


def _check_platform(choice: DropInChoice) -> None:
    platform = choice.platform
    if platform is None:
        return
    if lacks(core_named(choice.core), platform):
        needs = core_named(choice.core).needs
        raise ValueError(f"the core {choice.core} needs {needs}, which {platform.name} lacks")
    if platform.isa in HOST_ISAS:
        return
    needs = _ghash(choice).needs
    if hashes(choice) and needs:
        raise ValueError(
            f"the GHASH multiplier {choice.ghash} needs {needs}, which {platform.name} lacks"
        )


def _check_directions(choice: DropInChoice) -> None:
    """Refuse modes whose decryption needs the inverse cipher, which an encrypt-only build lacks.

    ECB is allowed: its encryption is the block cipher, on which users build their own modes.
    """
    if not choice.encrypt_only:
        return
    usable = [name for name, shape in MODES.items() if not shape.inverse or name == "ecb"]
    for mode in choice.modes:
        if mode not in usable:
            fitting = ", ".join(usable)
            raise ValueError(
                f"{MODES[mode].title} needs decryption, which an encrypt-only build leaves out; "
                f"build both directions, or choose from: {fitting}"
            )


def _check_separate(choice: DropInChoice) -> None:
    if choice.separate_keys and len(directions(choice)) == 1:
        raise ArgumentError(
            "keys hold only the encryption round keys anyway, so there is nothing to separate; "
            "leave {separate_keys} out"
        )


def _check_streaming(choice: DropInChoice) -> None:
    for mode in choice.modes if choice.streaming and not choice.psa else ():
        if not _takes_pieces(mode):
            known = [name for name in MODES if _takes_pieces(name)]
            raise ArgumentError(
                "{} takes a message in one call, so there is nothing to stream; leave {streaming} "
                "out, or choose from: {}",
                MODES[mode].title,
                ", ".join(known),
            )


def check_prefix(prefix: str) -> None:
    """ValueError for a prefix that names neither C identifiers nor files of the drop-in.

    C keywords are allowed: every name made from a prefix continues with an underscore.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", prefix):
        raise ValueError(
            f"the prefix {prefix!r} is no C identifier: "
            "letters, digits and underscores, a letter first"
        )
    if len(prefix) > _LONGEST_PREFIX:
        raise ValueError(f"the prefix has {len(prefix)} characters, at most {_LONGEST_PREFIX}")
    if prefix.endswith("_") or "__" in prefix:
        raise ValueError(
            f"the prefix {prefix!r} would give names with two underscores, which C++ reserves"
        )
    if prefix.lower() in _HEADERS:
        raise ValueError(f"the prefix {prefix!r} would hide <{prefix.lower()}.h>; choose another")


def _ghash(choice: DropInChoice) -> Ghash:
    return next(ghash for ghash in ghashes() if ghash.name == choice.ghash)


def directions(choice: DropInChoice) -> tuple[str, ...]:
    """Directions (encryption, decryption) that keys are expanded for."""
    inverse = any(MODES[mode].inverse for mode in choice.modes)
    return ("encrypt", "decrypt") if inverse and not choice.encrypt_only else ("encrypt",)


def keys_for_both(choice: DropInChoice) -> bool:
    """Whether one key may hold the round keys of both directions."""
    return len(directions(choice)) == 2 and not choice.separate_keys


def key_words(choice: DropInChoice) -> int:
    """Words of the longest key schedule over all key sizes and directions held at once."""
    kept = ("both",) if keys_for_both(choice) else directions(choice)
    sizes = core_named(choice.core).round_key_bytes
    # The second key of XTS only encrypts, so it never needs more.
    return max(sizes[str(bits)][one] for bits in choice.key_bits for one in kept) // 4


def ghash_words(choice: DropInChoice) -> int:
    """Size of the GHASH key in words."""
    return _ghash(choice).key_bytes // 4


@cache
def _offered(mode: str) -> tuple[str, ...]:
    """All public functions of a mode's source file, except those that only the library offers."""
    path = sources.library_folder() / "src" / "modes" / f"{mode}.c"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^#if !defined\(AESFIT_BOUND\).*?^#endif$", "", text)
    return tuple(re.findall(r"^int (aesfit_\w+)\(", text, re.MULTILINE))


@cache
def _streamed(mode: str) -> tuple[str, ...]:
    """Functions of a mode that take a message piece by piece."""
    offered = (name for name in _offered(mode) if "gmac" not in name)  # has no streamed calls
    found = tuple(name for name in offered if _STREAMED.fullmatch(name))
    return found if any("start" in name for name in found) else ()


def _takes_pieces(mode: str) -> bool:
    """It has streamed calls, or a call continues the last one, as the caller keeps IV or state."""
    return bool(_streamed(mode)) or MODES[mode].carries is not None


def hashes(choice: DropInChoice) -> bool:
    """Whether a mode of the choice multiplies by a GHASH multiplier."""
    return any(MODES[mode].hashes for mode in choice.modes)


def public_functions(choice: DropInChoice) -> tuple[str, ...]:
    """The library's names of the functions that the drop-in offers."""
    setup = {MODES[mode].set_up for mode in choice.modes}
    names = [*sorted(setup), "aesfit_wipe"]
    names += ["aesfit_self_test"] if choice.self_test else []
    names += ["aesfit_strerror"] if choice.all_functions else []
    for mode in choice.modes:
        names += public_calls(MODES[mode])
        names += _offered(mode) if choice.all_functions else ()
        names += _streamed(mode) if choice.streaming else ()
    wanted = dict.fromkeys(names)
    return tuple(name for name in wanted if not (choice.encrypt_only and _BACKWARD.search(name)))
