# SPDX-License-Identifier: MIT
"""Cortex-M33, of which Arm gives no table of cycles: what was measured on RP2350 (r1p0).

Waits and pairs are in _armv8m_schedule.py.
"""

from . import _armv7m
from ._armv8m_schedule import DEPTH, DSP, EXTEND_AND_ADD, issue
from ._match import EXCLUSIVE, LOADS, STORES, Match, both, executed, one_and_each
from .model import FetchUnit, Rule, SplitRule, Step, TimingModel, Window

MEASURED = "measured on RP2350 (jnk0le, cortex_m33.md in github.com/jnk0le/random)"
AS_M4 = "as on Cortex-M4 (DDI 0439D, tables 3-1 and 7-1), inferred"
_MULTIPLY = (
    "mul mla mls smulbb smulbt smultb smultt smulwb smulwt smlabb smlabt smlatb smlatt smlawb "
    "smlawt smuad smuadx smusd smusdx smlad smladx smlsd smlsdx smmul smmulr smmla smmlar smmls "
    "smmlsr umull umlal smull smlal umaal smlalbb smlalbt smlaltb smlaltt smlald smlaldx smlsld "
    "smlsldx"
)
_DATA_PROCESSING = " ".join((_armv7m.DATA_PROCESSING, *sorted(DSP | EXTEND_AND_ADD)))
_FLOAT_V5 = (
    "vselge vselgt vseleq vselvs vmaxnm vminnm vcvta vcvtm vcvtn vcvtp vrinta vrintm vrintn "
    "vrintp vrintr vrintx vrintz"
)
"""What FPv5 has beside the instructions of Cortex-M4's floating-point unit."""
_RETURN = 3
"""Cycles beyond its registers of a POP with PC."""


def _skipped(window: Window) -> bool:
    return not window.step.executed


def _registers(window: Window) -> int:
    return window.this.transfers


def _sets_flags(narrow: bool, shifted: str = "") -> Match:
    def matches(window: Window) -> bool:
        this = window.this
        return this.sets_flags and this.shifted == shifted and (this.size == 2) == narrow

    return matches


SYSTEM = (
    Rule(
        "exclusive or ordered access",
        f"{AS_M4}: 2; of LDA and STL too",
        executed(
            "load-exclusive store-exclusive",
            f"{EXCLUSIVE} lda ldab ldah ldaex ldaexb ldaexh stl stlb stlh stlex stlexb stlexh",
        ),
        2,
    ),
    Rule(
        "special register or interrupt mask",
        f"{AS_M4}: 1 or 2; the upper bound",
        executed("status", "mrs msr cps"),
        2,
        least=1,
    ),
    Rule("barrier", f"{AS_M4}: 1", executed("barrier", "dmb dsb"), 1),
    Rule(
        "instruction barrier",
        f"{AS_M4}: 2 to 4; the upper bound",
        executed("barrier", "isb"),
        4,
        least=2,
    ),
)
FLOAT = (
    Rule(
        "float multiply and accumulate",
        f"{MEASURED}: 1; no other of the floating-point unit in the next two cycles, and a result "
        "that is not accumulated is there after 4; 1 to 4, the upper bound",
        executed("float-compute", _armv7m.FLOAT_MULTIPLY_ADD),
        4,
        least=1,
    ),
    Rule(
        "float arithmetic",
        f"{MEASURED}: one each cycle, results after 2; 1 or 2, the upper bound",
        executed("float-compute", f"{_armv7m.FLOAT_PLAIN} {_armv7m.FLOAT_ARITHMETIC} {_FLOAT_V5}"),
        2,
        least=1,
    ),
    Rule(
        "float divide and square root",
        f"{AS_M4}: 14, and 1 more where the next instruction uses the result; the upper bound; at "
        "least 1, as nobody measured whether others go on meanwhile",
        executed("float-compute", _armv7m.FLOAT_LONG),
        15,
        least=1,
    ),
    Rule(
        "float move",
        f"{MEASURED}: 1 or 2 with the wait for the result; the upper bound; of VMRS inferred",
        executed("float-move", "vmov vmrs vmsr"),
        2,
        least=1,
    ),
    Rule(
        "float load or store",
        f"{MEASURED}: one for each word, and 1 more where the next uses what is loaded; the upper "
        "bound",
        executed("float-load float-store", "vldr vldm vldmdb vpop vstr vstm vstmdb vpush"),
        one_and_each,
        least=_registers,
    ),
)
BASE = (
    Rule(
        "condition failed, or branch not taken",
        f"{MEASURED}: what IT skips executes as a NOP; a branch not taken 1",
        _skipped,
        1,
    ),
    Rule(
        "branch",
        f"{MEASURED}: 2; of MOV and ADD with PC inferred",
        executed(
            "branch branch-link branch-register alu", "b bl bx blx cbz cbnz mov add", jumps=True
        ),
        2,
    ),
    Rule(
        "table branch",
        "a load, the wait for it and a branch; inferred",
        executed("branch-register", "tbb tbh"),
        4,
    ),
    Rule(
        "shifted constant that sets flags",
        f"{MEASURED}: 2",
        both(executed("alu", _DATA_PROCESSING, jumps=False), _sets_flags(False, "constant")),
        2,
    ),
    Rule("data processing", f"{MEASURED}: 1", executed("alu", _DATA_PROCESSING, jumps=False), 1),
    Rule(
        "narrow multiply that sets flags",
        f"{MEASURED}: 2, as Arm's knowledge article KA001260 says",
        both(executed("multiply", "mul"), _sets_flags(True)),
        2,
    ),
    Rule("multiply", f"{MEASURED}: 1", executed("multiply multiply-long", _MULTIPLY), 1),
    Rule("load", f"{MEASURED}: 1", executed("load", LOADS, jumps=False), 1),
    Rule(
        "load PC",
        "as a POP of PC; inferred",
        executed("load", "ldr", jumps=True),
        1 + _RETURN,
    ),
    Rule(
        "store",
        f"{MEASURED}: 1; with a register offset and with writeback inferred",
        executed("store", STORES),
        1,
    ),
    Rule(
        "load multiple",
        f"{MEASURED}: as many cycles as registers",
        executed("load-many", f"{_armv7m.LOADS_MULTIPLE} ldrd", jumps=False),
        _registers,
    ),
    Rule(
        "load multiple with PC",
        f"{MEASURED}: POP with LR and BX LR are 1 to 2 cycles faster; so registers + 3, inferred",
        executed("load-many", _armv7m.LOADS_MULTIPLE, jumps=True),
        lambda window: window.this.transfers + _RETURN,
    ),
    Rule(
        "store multiple",
        f"{MEASURED}: as many cycles as registers",
        executed("store-many", f"{_armv7m.STORES_MULTIPLE} strd"),
        _registers,
    ),
    Rule("if-then", f"{MEASURED}: 1 where it does not pair", executed("it", "it"), 1),
    Rule(
        "no operation",
        f"{MEASURED}: 1 where it does not pair",
        executed("nop", "nop sev yield clrex"),
        1,
    ),
    Rule(
        "divide",
        "lists of the processor's features: 11 cycles at most, the upper bound; at least 2 as on "
        "Cortex-M4, inferred",
        executed("divide", "sdiv udiv"),
        11,
        least=2,
    ),
    *SYSTEM,
    *FLOAT,
)


def _own(step: Step) -> int:
    """What an instruction takes alone; one without a rule stops the pricing at its own step."""
    window = Window(step, ())
    return next((rule.price(window) for rule in BASE if rule.applies(window)), 1)


MODEL = TimingModel(
    name="cortex_m33",
    title="Cortex-M33",
    manual=MEASURED,
    assumptions=(
        "No wait states, code and data in different memories; no limit of fetches is known, and "
        "none is counted; flags that a shifted operand sets come a cycle later, which is not "
        "counted; divisions, special registers and the floating-point unit at the upper bound of "
        "a range; exclusive accesses and barriers as on Cortex-M4; what the measurements leave "
        "open says so."
    ),
    base=BASE,
    neighbours=(
        Rule(
            "wait for a register",
            f"{MEASURED}: results of loads, multiplications, shifted operands and DSP instructions "
            "come a cycle later; accumulations and stores can take most of them at once",
            lambda window: bool(window.before),
            lambda window: issue(window, _own).wait,
        ),
        Rule(
            "issued beside the instruction before",
            f"{MEASURED}: a narrow branch, IT or NOP after a narrow instruction",
            lambda window: issue(window, _own).second,
            -1,
        ),
    ),
    fetch=FetchUnit(
        queue_words=3,
        ahead=3,
        source="that of Cortex-M4; inferred, for nothing is published",
        leaves_out="the second instruction of a pair, which has to be fetched in time",
    ),
    splits=SplitRule(
        "unaligned access",
        "one cycle for each aligned access beyond the first, as on Cortex-M4; inferred",
        lambda further: further,
    ),
    depth=DEPTH,
    variable_time=frozenset({"divide"}),
)
