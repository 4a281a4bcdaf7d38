# SPDX-License-Identifier: MIT
"""Cortex-M4: the pipeline of Cortex-M3 with a multiplier of one cycle and DSP instructions."""

from . import _armv7m, _armv7m_neighbours
from ._match import both, executed, negate, one_and_each
from .model import Rule, TimingModel, Window

TABLE = "DDI 0439D, table 3-1"
DSP_TABLE = "DDI 0439D, table 3-2"
PAIRING = "DDI 0439D, 3.3.2"
FPU_TABLE = "DDI 0439D, table 7-1"

LANES = " ".join(
    sign + operation
    for sign in ("s", "u", "q", "uq", "sh", "uh")
    for operation in ("add8", "add16", "sub8", "sub16", "asx", "sax")
)
DSP = (
    f"{LANES} pkhbt pkhtb qadd qdadd qdsub qsub sel ssat16 sxtab sxtab16 sxtah sxtb16 usad8 usada8 "
    "usat16 uxtab uxtab16 uxtah uxtb16"
)
DSP_MULTIPLY = (
    "smlabb smlabt smlatb smlatt smlawb smlawt smulbb smulbt smultb smultt smulwb smulwt smlad "
    "smladx smlsd smlsdx smuad smuadx smusd smusdx smmul smmulr smmla smmlar smmls smmlsr "
    "smlalbb smlalbt smlaltb smlaltt smlald smlaldx smlsld smlsldx umaal"
)

FLOAT_MOVE = executed("float-move", "vmov")


def _moves_core_registers(window: Window) -> bool:
    return bool(window.this.reads | window.this.writes)


FLOAT_TO_OR_FROM_CORE = both(FLOAT_MOVE, _moves_core_registers)
FLOAT = (
    Rule(
        "float to or from core register",
        f"{FPU_TABLE}: VMOV between core registers and one float, two floats or a double 2",
        FLOAT_TO_OR_FROM_CORE,
        2,
    ),
    Rule(
        "float move",
        f"{FPU_TABLE}: VMOV of an immediate or a float to a float register 1",
        both(FLOAT_MOVE, negate(_moves_core_registers)),
        1,
    ),
    Rule(
        "float load",
        f"{FPU_TABLE}: VLDR.32 2, VLDR.64 3; VLDM, VPOP 1 + N, or 1 + 2N of doubles",
        executed("float-load", "vldr vldm vldmdb vpop"),
        one_and_each,
    ),
    Rule(
        "float store",
        f"{FPU_TABLE}: VSTR.32 2, VSTR.64 3; VSTM, VPUSH 1 + N, or 1 + 2N of doubles",
        executed("float-store", "vstr vstm vstmdb vpush"),
        one_and_each,
    ),
    Rule(
        "float arithmetic",
        f"{FPU_TABLE}: VABS, VADD, VCMP, VCVT, VMUL, VNEG, VNMUL, VSUB 1; VMRS, VMSR 1",
        executed(
            "float-compute float-move",
            f"{_armv7m.FLOAT_PLAIN} {_armv7m.FLOAT_ARITHMETIC} vmrs vmsr",
        ),
        1,
    ),
    Rule(
        "float multiply and accumulate",
        f"{FPU_TABLE}: VFMA, VMLA and their like 3",
        executed("float-compute", _armv7m.FLOAT_MULTIPLY_ADD),
        3,
    ),
    Rule(
        "float divide and square root",
        f"{FPU_TABLE}: VDIV, VSQRT 14",
        executed("float-compute", _armv7m.FLOAT_LONG),
        14,
    ),
)
_WITH_RESULT = frozenset(
    f"{_armv7m.FLOAT_ARITHMETIC} {_armv7m.FLOAT_MULTIPLY_ADD} {_armv7m.FLOAT_LONG}".split()
)


def _float_after_result(window: Window) -> bool:
    last = window.last
    found = last is not None and last.executed and last.instruction.name in _WITH_RESULT
    return found and window.step.executed and window.this.kind.startswith("float-")


FLOAT_RESULT = Rule(
    "float result used at once",
    f"{FPU_TABLE}, note: arithmetic takes a cycle longer if the next instruction uses its result; "
    "charged for each next instruction of the floating-point unit",
    _float_after_result,
    1,
)

MODEL = TimingModel(
    name="cortex_m4",
    title="Cortex-M4",
    manual="Cortex-M4 Technical Reference Manual, ARM DDI 0439D",
    assumptions=(
        f"No wait states, code and data on different buses; {_armv7m.PAIRED}; divisions by "
        "operands, as measured; unaligned stores, whose time depends on the write buffer, at their "
        "upper bound; IT always folded; branch targets issued in the stages known of Cortex-M3; "
        "loads, stores and moves of floating-point registers by Arm's table alone, without "
        "pairing; "
        f"{_armv7m.TABLES_IN_FLASH}."
    ),
    base=(
        *_armv7m.base(TABLE, PAIRING),
        Rule(
            "multiply and accumulate",
            f"{TABLE}: MLA, MLS 1",
            executed("multiply", "mla mls"),
            1,
        ),
        Rule(
            "long multiply",
            f"{TABLE}: UMULL, SMULL, UMLAL, SMLAL 1",
            executed("multiply-long", "umull smull umlal smlal"),
            1,
        ),
        Rule("DSP", f"{DSP_TABLE}: 1", executed("alu", DSP), 1),
        Rule(
            "DSP multiply",
            f"{DSP_TABLE}: 1",
            executed("multiply multiply-long", DSP_MULTIPLY),
            1,
        ),
        *FLOAT,
    ),
    neighbours=(
        *_armv7m_neighbours.neighbours(
            TABLE, PAIRING, chains_updates=True, lasting=FLOAT_TO_OR_FROM_CORE
        ),
        FLOAT_RESULT,
    ),
    operands=(_armv7m.DIVIDER,),
    fetch=_armv7m.FETCH,
    splits=_armv7m.splits(PAIRING),
    depth=_armv7m_neighbours.DEPTH,
    variable_time=frozenset({"divide"}),
)
