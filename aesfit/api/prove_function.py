# SPDX-License-Identifier: MIT
"""`aesfit.prove_function`: whether the timing of any function depends on a secret."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from ..errors import about
from .arguments import Files, PlatformLike, files_of, need_emulator, platform_of, text_of, whole
from .prove import check_prover

if TYPE_CHECKING:
    from ..proving.functions.verdict import FunctionVerdict

LONGEST_RUN: Final = 1_000_000
"""Default limit of instructions, both sides of branches on secrets counted: some 20 seconds."""


def prove_function(  # long: what each argument means is said once, here
    platform: PlatformLike,
    *,
    elf: Files,
    function: str,
    arguments: Iterable[str | int | bytes] = (),
    stubs: Iterable[str] = (),
    assume: Mapping[str, int] | None = None,
    max_instructions: int = LONGEST_RUN,
) -> "FunctionVerdict":
    """Say where the timing of your own function depends on a secret, for all values of the secrets.

    Source: docs/proving.md says what is found, and what remains trusted.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`.
        elf: an executable, or one or more objects and archives to link.
        function: the function to examine.
        arguments: in order; an int is a 32-bit value, bytes are a pointer to a copy of them, a text
            is as on the command line: "secret:32", "secret", "out:16", "struct(secret:16,*buf:8)".
        stubs: functions that are not followed, such as "random,1:32", which writes 32 secret bytes
            where its first argument points, or "log=0", which returns 0.
        assume: variables by name, words all of them, and what they hold.
        max_instructions: limit of instructions, both sides of branches on secrets counted.

    Returns:
        FunctionVerdict: `verdict` is "independent", "depends" or "not shown"; `findings` say where
        and why, `not_followed` what was not followed to its end, `left` and `registers` which
        secrets remain.  `as_json()` is what `aesfit prove --function --json` prints.

    Raises:
        ValueError: files, function, arguments and platform do not fit each other.
        TypeError: an argument is of a wrong kind.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    check_prover()
    need_emulator()
    from ..proving.functions.examine import FunctionQuestion, examine  # needs the extra
    from ..proving.functions.stubs import stubs_of  # needs the extra
    from ..proving.functions.words import arguments_of  # needs the extra

    with about():
        where, texts = platform_of(platform), tuple(text_of(one) for one in arguments)
        with about("arguments"):
            given = arguments_of(texts)
        with about("stubs"):
            absent = stubs_of(tuple(stubs))
        limit = whole("max_instructions", max_instructions) or LONGEST_RUN
        return examine(
            where,
            FunctionQuestion(files_of(elf), function, texts, given, absent, assume or {}, limit),
        )
