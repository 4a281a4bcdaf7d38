# SPDX-License-Identifier: MIT
"""The questions that the atlas answers: a platform, a mode and a payload, all else as usual."""

from ..atlas import lines
from ..platforms.find import platform_named, platforms
from ..platforms.platform import Platform
from .answer import Answer, answer_known
from .request import BLOCK, BLOCK_ALONE, Request, request_of

SIZES = lines.SIZES
MODES = tuple(BLOCK if mode == BLOCK_ALONE else mode for mode in lines.MODES)
"""As `fit` names them."""


def usual_platforms() -> tuple[str, ...]:
    """Names of the platforms of which the atlas has lines, apart from those that are gone."""
    known = {one.name for one in platforms()}
    return tuple(name for name in lines.platforms(lines.PATH) if name in known)


def usual_request(platform: Platform, mode: str, size: int) -> Request:
    """What `fit` asks of a mode without further options; a block cipher alone only encrypts."""
    alone = mode in (BLOCK, BLOCK_ALONE)
    name = BLOCK_ALONE if alone else mode
    return request_of(platform, mode=name, bytes=size, encrypt_only=alone)


def usual_mode(request: Request) -> str:
    """One of MODES."""
    return BLOCK if request.mode == BLOCK_ALONE else request.mode


def usual_answer(platform: str, mode: str, size: int) -> Answer | None:
    """The answer out of the atlas, in milliseconds; None where it lacks a row.

    ValueError names the nearest platform or mode.
    """
    return answer_known(usual_request(platform_named(platform), mode, size))
