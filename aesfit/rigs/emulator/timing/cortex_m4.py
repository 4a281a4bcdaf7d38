# SPDX-License-Identifier: MIT
"""Cortex-M4: the pipeline of Cortex-M3 with a multiplier of one cycle and DSP instructions."""

from . import _armv7m
from ._match import executed
from .model import Rule, TimingModel

TABLE = "DDI 0439D, table 3-1"
DSP_TABLE = "DDI 0439D, table 3-2"
PAIRING = "DDI 0439D, 3.3.2"

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

MODEL = TimingModel(
    name="cortex_m4",
    title="Cortex-M4",
    manual="Cortex-M4 Technical Reference Manual, ARM DDI 0439D",
    assumptions=(
        "No wait states, code and data on different buses, data aligned; loads follow one another "
        "without a gap whatever memories they read; divisions, whose time hangs on their "
        "operands, at their upper bound; IT always folded; branch targets issued in the stages "
        "known of Cortex-M3; what 32-bit instructions across words cost in straight code, loads "
        "among them, is not covered."
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
    ),
    neighbours=_armv7m.neighbours(TABLE, PAIRING, chains_updates=True),
    fetch=_armv7m.FETCH,
    variable_time=frozenset({"divide"}),
)
