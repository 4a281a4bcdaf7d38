# SPDX-License-Identifier: MIT
"""QingKe V2A, the processor of CH32V003: RV32EC in two stages.

Its maker publishes no cycles; the rules are what jnk0le measured on CH32V003 (github.com/jnk0le/
random, pipeline cycle test) without wait states.  WCH's own compressed loads and stores count as
the others: nothing else is said of them.
"""

from ..instruction import Kind
from .model import FetchUnit, Rule, TimingModel, Window

_MEASURED = "measured on CH32V003 (jnk0le, ch32v003_(qkv2).md in github.com/jnk0le/random)"
_JUMPS: tuple[Kind, ...] = ("branch", "branch-link", "branch-register")
_TAKEN = 3


def _is(window: Window, *kinds: Kind) -> bool:
    return window.this.kind in kinds


def _target_across_words(window: Window) -> bool:
    target = window.step.target
    return target is not None and target.size == 4 and target.address % 4 == 2


MODEL = TimingModel(
    name="qingke_v2",
    title="QingKe V2A",
    manual=_MEASURED,
    assumptions=(
        "No wait states; the one cycle that full instructions across words sometimes cost once in "
        "a straight run is not covered."
    ),
    base=(
        Rule(
            "data processing",
            f"{_MEASURED}: ten NOPs in ten cycles",
            lambda window: _is(window, "alu", "nop"),
            1,
        ),
        Rule("load", f"{_MEASURED}: 2; of WCH's own too", lambda window: _is(window, "load"), 2),
        Rule("store", f"{_MEASURED}: 2", lambda window: _is(window, "store"), 2),
        Rule(
            "jump or branch taken",
            f"{_MEASURED}: 3",
            lambda window: _is(window, *_JUMPS) and window.step.taken,
            _TAKEN,
        ),
        Rule(
            "branch not taken",
            "an instruction like any other; inferred",
            lambda window: _is(window, "branch") and window.this.conditional,
            1,
        ),
    ),
    neighbours=(
        Rule(
            "target across words",
            f"{_MEASURED}: 1 more when jumping to a full instruction that is not word-aligned",
            _target_across_words,
            1,
        ),
    ),
    fetch=FetchUnit(
        queue_words=3,
        ahead=3,
        source=f"{_MEASURED}, and 13 sequences with wait states (jnk0le, rv003usb, issue 5): "
        "the larger of cycles and words, which takes three words; a taken branch costs 4 or 5 "
        "cycles at one wait state by the half of the word it lies in, 1 more to an odd half-word",
        leaves_out="cycles in which data take the one bus from fetches",
    ),
)
