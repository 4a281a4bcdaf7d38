# SPDX-License-Identifier: MIT
"""Cortex-M7, of which Arm gives no table of cycles: what was measured on STM32H743.

Waits and pairs are in _cortex_m7_issue.py.  Where sources differ, the measurement is taken: LLVM
issues NOP alone and takes the inserted operand of BFI and the first one of PKHTB a cycle later.  Of
two measurements the one with its method is: another page (mastodawn.com/explore/tag/CortexM7) has
extensions without addition, too, use the shifter.
"""

from . import _armv7m
from ._cortex_m7_issue import DEPTH, banks_unknown, issue, left_loop, mispredicted
from ._cortex_m7_operands import BIT_FIELD
from ._match import EXCLUSIVE, LOADS, STORES, Match
from .model import Rule, SplitRule, Step, TimingModel, Window

MEASURED = "measured on STM32H743 (jnk0le, cortex_m7.md in github.com/jnk0le/random)"
LLVM = "LLVM's model of the processor (ARMScheduleM7.td, ARMLatencyMutations.cpp)"
_MULTIPLY = (
    "mul mla mls smulbb smulbt smultb smultt smulwb smulwt smlabb smlabt smlatb smlatt smlawb "
    "smlawt smuad smuadx smusd smusdx smlad smladx smlsd smlsdx smmul smmulr smmla smmlar smmls "
    "smmlsr umull umlal smull smlal umaal smlalbb smlalbt smlaltb smlaltt smlald smlaldx smlsld "
    "smlsldx"
)
_DATA_PROCESSING = " ".join((_armv7m.DATA_PROCESSING, *sorted(BIT_FIELD)))
_MISPREDICTED = 8


def _named(kinds: str, names: str, *, jumps: bool | None = None) -> Match:
    """An instruction of these kinds and names, whether or not its condition failed."""
    kind_set, name_set = frozenset(kinds.split()), frozenset(names.split())

    def matches(window: Window) -> bool:
        this = window.this
        known = this.kind in kind_set and this.name in name_set
        return known and jumps in (None, this.writes_pc)

    return matches


def _pairs(window: Window) -> int:
    """Two registers a cycle."""
    return (window.this.transfers + 1) // 2


def _stores(window: Window) -> int:
    """The same, and a cycle more for an even number at an odd word."""
    return window.this.transfers // 2 + 1


_LOAD = _named("load preload", f"{LOADS} pld", jumps=False)


def _load_after_load(window: Window) -> bool:
    last = window.last
    return last is not None and banks_unknown(last, window.step)


def _least_after_load(window: Window) -> int:
    """0 where the banks decide alone whether it issues beside the load before."""
    there = issue(window, _own)
    elsewhere = issue(window, _own, apart=True)
    return 0 if elsewhere.second and not there.second else 1


def _least_of_branch(window: Window) -> int:
    """0 where its target could be the younger one beside it."""
    return 0 if window.step.taken and not issue(window, _own).second else 1


BASE = (
    Rule(
        "mispredicted end of a loop",
        f"{MEASURED}: 8 cycles, or 6 with the flags at least 3 cycles before, at the end of a loop "
        "of 1,000 turns; whether that of a short loop is predicted nobody says: the upper bound",
        left_loop,
        lambda window: 1 + mispredicted(issue(window, _own)),
        least=1,
    ),
    Rule(
        "branch",
        f"{MEASURED}: predicted branches cost a slot, taken or not; a taken one can issue beside "
        "its target, as the code around it decides: the upper bound; that one with a target in a "
        "register, too, is predicted is inferred",
        _named(
            "branch branch-link branch-register alu", "b bl bx blx cbz cbnz mov add", jumps=True
        ),
        1,
        least=_least_of_branch,
    ),
    Rule(
        "table branch",
        f"{LLVM}: issues alone and for two cycles; the misprediction {MEASURED}; the upper bound",
        _named("branch-register", "tbb tbh"),
        2 + _MISPREDICTED,
        least=2,
    ),
    Rule("data processing", f"{MEASURED}: a slot", _named("alu", _DATA_PROCESSING, jumps=False), 1),
    Rule("multiply", f"{MEASURED}: a slot", _named("multiply multiply-long", _MULTIPLY), 1),
    Rule(
        "load after a load of unknown bank",
        f"{MEASURED}: two loads issue together if they access different banks; whether they do the "
        "instructions do not say: the upper bound",
        lambda window: _LOAD(window) and _load_after_load(window),
        1,
        least=_least_after_load,
    ),
    Rule("load", f"{MEASURED}: a slot", _named("load", LOADS, jumps=False), 1),
    Rule(
        "preload",
        f"{LLVM}: as the load of a word that nobody waits for; {MEASURED}: its address makes it "
        "wait as that of a load does",
        _named("preload", "pld"),
        1,
    ),
    Rule(
        "load PC",
        f"a load and a branch that may be mispredicted ({MEASURED}); inferred, the upper bound",
        _named("load", "ldr", jumps=True),
        1 + _MISPREDICTED,
        least=1,
    ),
    Rule("store", f"{MEASURED}: a slot", _named("store", STORES), 1),
    Rule(
        "load multiple",
        f"{MEASURED}: alone, a cycle for two registers; with PC, that the return is predicted is "
        "inferred",
        _named("load-many", f"{_armv7m.LOADS_MULTIPLE} ldrd"),
        _pairs,
    ),
    Rule(
        "store multiple",
        f"{MEASURED}: alone, a cycle for two registers, and one more for an even number of them "
        "that is not at a multiple of 8 bytes; the upper bound",
        _named("store-many", f"{_armv7m.STORES_MULTIPLE} strd"),
        _stores,
        least=_pairs,
    ),
    Rule("if-then", f"{MEASURED}: a slot", _named("it", "it"), 1),
    Rule("no operation", f"{MEASURED}: a slot", _named("nop", "nop"), 1),
    Rule(
        "divide",
        f"2 to 12 as on Cortex-M4 (DDI 0439D, table 3-1), inferred, the upper bound; {LLVM} "
        "schedules with 7",
        _named("divide", "sdiv udiv"),
        12,
        least=2,
    ),
    Rule(
        "exclusive access",
        f"{LLVM}: a slot; that LDREX, too, issues alone is inferred",
        _named("load-exclusive store-exclusive", EXCLUSIVE),
        1,
    ),
    Rule(
        "special register, barrier or hint",
        f"{LLVM}: alone, 3, of which it says that many stall longer; the upper bound of 1 to 3",
        _named("status barrier nop", "mrs msr cps dmb dsb isb clrex sev yield"),
        3,
        least=1,
    ),
)


def _own(step: Step) -> int:
    """What an instruction takes alone; one without a rule stops the pricing at its own step."""
    window = Window(step, ())
    return next((rule.price(window) for rule in BASE if rule.applies(window)), 1)


MODEL = TimingModel(
    name="cortex_m7",
    title="Cortex-M7",
    manual=MEASURED,
    assumptions=(
        "Code in ITCM, tables and data in DTCM, or all in caches that hold them; two loads whose "
        "banks the instructions do not say at the upper bound; branches predicted as in the calls "
        "before; no limit of fetches and no store of bytes that waits for the one before, both of "
        "which were seen on silicon and depend on where the code lies or on addresses; ends of "
        f"loops of one or two blocks and fewer than {DEPTH} instructions, taken branches, "
        "divisions, special registers, barriers and stores of several registers at the upper "
        "bound, ends of other loops as predicted."
    ),
    base=BASE,
    neighbours=(
        Rule(
            "wait for a register",
            f"{MEASURED}, and {LLVM}: by the stages that provide and take it; a load of what was "
            "just stored waits 4 cycles (LLVM alone)",
            lambda window: bool(window.before),
            lambda window: issue(window, _own).wait,
        ),
        Rule(
            "issued beside the instruction before",
            f"{MEASURED}, and {LLVM}: two a cycle, but no two multiplications, stores, branches, "
            "bit-field or shifting instructions, nor loads from one bank; bit-field instructions "
            "as the older one alone",
            lambda window: issue(window, _own).second,
            -1,
        ),
    ),
    splits=SplitRule(
        "unaligned access",
        f"{MEASURED}: a load 3 or 4 cycles more, a store none until the buffer of stores is full; "
        "the upper bound",
        lambda further: 4 if further else 0,
    ),
    tables=frozenset({"ram"}),
    depth=DEPTH,
    variable_time=frozenset({"divide"}),
)
