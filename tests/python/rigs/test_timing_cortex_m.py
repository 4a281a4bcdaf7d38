# SPDX-License-Identifier: MIT
import pytest
import timing_cases
from timing_cases import Case

from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.decode_arm import DecodeError
from aesfit.rigs.emulator.timing import cortex_m0, cortex_m0plus, cortex_m3, cortex_m4
from aesfit.rigs.emulator.timing.model import TimingModel, UnknownInstructionError


def small_cases(taken: int) -> list[Case]:
    """DDI 0432C and DDI 0484C, table 3-1; `taken`: cycles of B."""

    def case(rule: str, assembly: str, cycles: int, note: str = "") -> Case:
        return Case(rule, "armv6-m", assembly, cycles, note)

    return [
        case("data processing", "lsrs r0, r1, #8\nrors r0, r2\nuxtb r3, r0\nadd r8, r3", 4),
        case("data processing", "sub sp, #8\nrev16 r0, r1\nmvns r2, r0\ntst r2, r0", 4),
        case("data processing to PC", "mov pc, lr", taken),
        case("multiply", "muls r0, r1, r0", 1),
        case("load", "ldrb r0, [r1, r2]\nldr r3, [r0, #4]\nldrsh r3, [r0, r1]", 6),
        case("load", "ldr r0, [r1]\nadds r0, #1", 3, "no interlock"),
        case("store", "str r0, [sp, #4]\nstrb r0, [r1, r2]\nstrh r0, [r1]", 6),
        case("load multiple", "ldm r0!, {r1, r2, r3}\npop {r4}", 6, "(1 + 3) + (1 + 1)"),
        case("pop and return", "pop {r4, r5, pc}", 1 + taken + 3),
        case("store multiple", "push {r4, lr}\nstm r0!, {r1, r2, r3, r4}", 8, "(1 + 2) + (1 + 4)"),
        case("branch not taken", "beq 1f\n1: nop", 2),
        case("branch", "b 1f\nnop @ unreached\n1: nop", taken + 1),
        case("branch", "bne 1f\nnop @ unreached\n1: nop", taken + 1),
        case("branch with link", "bl 1f\nnop @ unreached\n1: nop", taken + 2),
        case("branch to register", "bx lr", taken),
        case("branch to register", "blx r3", taken),
        case("interrupt mask", "cpsid i\ncpsie i", 2),
        case("special register", "mrs r0, primask\nmsr primask, r0", 2 * (taken + 1)),
        case("barrier", "dmb\ndsb\nisb", 3 * (taken + 1)),
        case("no operation", "sev\nyield", 2),
        Case("no operation", "armv7-m", "nop", 1, "the assembler has `mov r8, r8` for v6-M"),
    ]


def big_cases(isa: Isa) -> list[Case]:
    """DDI 0337I and DDI 0439D, table 3-1 and section 3.3.2; DDI 0337G, table 15-3."""

    def case(rule: str, assembly: str, cycles: int, note: str = "") -> Case:
        return Case(rule, isa, assembly, cycles, note)

    return [
        case("condition failed", "bne 1f\n1: adds r0, #1", 2),
        case("condition failed", "cbz r0, 1f\nadds r0, #1\n1:", 2),
        case(
            "condition failed",
            "cmp r0, #1\nite eq\nmoveq r0, #2 @ skipped\nldrne r1, [r2]",
            4,
            "1, IT folded 0, skipped 1, load 2",
        ),
        case("data processing", "eor r0, r1, r2, ror #24\nubfx r3, r0, #8, #8\nlsl r4, r3, r2", 3),
        case("data processing", "movw r0, #4660\nmovt r0, #22136\nmvn.w r1, r0\nrbit r2, r1", 4),
        case("multiply", "mul r0, r1, r2", 1),
        case("divide", "udiv r0, r1, r2 @ operand 0 3\nsdiv r3, r4, r5 @ operand 3 0", 4),
        case("operands of a division", "udiv r0, r1, r2 @ operand 3 4", 3),
        case("operands of a division", "udiv r0, r1, r2 @ operand 32 25", 6, "5 + 7 / 4"),
        case("operands of a division", "sdiv r0, r1, r2 @ operand 224 65", 12, "5 + 31 / 4"),
        case("no operation", "nop\nnop", 2),
        case("no operation", "sev\nclrex", 2),
        case("exclusive access", "ldrex r0, [r1]\nstrexb r2, r0, [r1]", 4),
        case(
            "special register or interrupt mask",
            "mrs r0, primask\ncpsid i\nmsr primask, r0",
            6,
            "1 or 2",
        ),
        case("barrier", "dmb\ndsb", 2, "1 + B, B is 0"),
        case("instruction barrier", "isb", 4, "1 + B, B is 3"),
        case("branch", "b 1f\nnop @ unreached\n1: adds r0, #1", 3, "1 + 1, then 1"),
        case("branch", "bl 1f\n1: adds r0, #1", 3),
        case("compare and branch", "cbnz r0, 1f\nnop @ unreached\n1: adds r0, #1", 4),
        case("branch to link register", "bx lr", 2),
        case("branch to link register", "mov pc, lr", 2),
        case("branch to register", "mov lr, r0\nbx lr", 4, "1, then 1 + 2: LR is being written"),
        case("branch to register", "bx r3", 3),
        case("branch to register", "blx r3", 3),
        case("table branch", "tbb [pc, r0]", 6),
        case("load", "ldr r0, [r1]\nadds r0, #1", 3),
        case("load", "ldrb r0, [r1]\nldr r2, [r3, r0]", 4, "address from the load: no pairing"),
        case("load PC", "ldr pc, [r0]", 5),
        case("store", "strb r0, [r1, #1]\nadds r0, #1", 2),
        case("store", "str r0, [r1], #4\nadds r0, #1", 2),
        case("store, register offset", "str r0, [r1, r2]\nadds r0, #1", 3),
        case("load multiple", "ldm r0, {r1, r2, r3}", 4, "the manual's example"),
        case("load multiple", "ldrd r0, r1, [r2]\npop {r4, r5}", 6, "3 each"),
        case("load multiple with PC", "pop {r4, r5, pc}", 7, "1 + 3 + 3"),
        case(
            "store multiple",
            "stmia r0, {r1, r2, r3, r4, r5, r6, r7, r8}",
            9,
            "the manual's example",
        ),
        case("store multiple", "push {r4, lr}\nstrd r0, r1, [r2]", 6),
        case("if-then", "add.w r0, r0, #1\nit eq\nmoveq r0, #0", 3, "not after 32 bits"),
        case("folded if-then", "adds r0, #1\nit eq\nmoveq r0, #0", 2),
        case(
            "target across words",
            "b 1f\nnop @ unreached\nnop @ unreached\n1: add.w r0, r0, #1",
            4,
            "1 + 2, then 1; the target lies at 6",
        ),
        case("load after load", "ldr r0, [r1]\nldr r1, [r2]", 3, "the manual's example"),
        case("load after load", "ldr r0, [r1, r5]\nldr r1, [r2]\nldr r2, [r3, #4]", 4, "as above"),
        case("load after load", "ldr r0, [r1], #4\nldr r2, [r3]", 3),
        case("load after load", "ldr r0, [r1] @ flash\nldr r2, [r3] @ flash", 3, "one memory"),
        case("load", "ldr r0, [r1] @ flash\nldr r2, [r3]", 4, "two memories: no pairing"),
        case(
            "store after load",
            "ldr r0, [r1, r2]\nstr r0, [r3, #20]",
            2,
            "as measured; 3 in the manual's example, DDI 0337I and DDI 0439D 3.3.2",
        ),
        case("store after load", "ldr r0, [r1]\nldr r2, [r3]\nstrb r4, [r3, #1]", 3, "2 + 1 + 0"),
        case("store after load", "ldr r0, [r1]\nstr r0, [r3]\nldr r0, [r1]", 5, "2 + 0 + 3"),
        case("store", "ldr r0, [r1] @ flash\nstr r0, [r3]", 3, "two memories: no pairing"),
        case("store", "ldr r0, [r1]\nstr r2, [r0]", 3, "address from the load: no pairing"),
        case("store, register offset", "ldr r0, [r1] @ flash\nstr r1, [r3, r2]", 4),
        case("unaligned access", "ldr r0, [r1] @ splits 2", 4, "a byte, a half-word, a byte"),
        case("unaligned access", "ldrh r0, [r1] @ splits 1\nstr r0, [r2] @ splits 1", 4),
        case(
            "three instructions across words",
            "ldr r0, [r1]\nadd.w r2, r2, #1\nadd.w r3, r3, #1\nadd.w r4, r4, #1",
            6,
            "2 + 3 + 1",
        ),
        case(
            "three instructions across words",
            "ldr r0, [r1]\nldr.w r8, [r1, #4]\nldr.w r9, [r1, #8]\nldr.w r10, [r1, #12]\n"
            "ldr.w r11, [r1, #16]",
            7,
            "2 + 4 + 1: the first load takes two cycles, the others one",
        ),
        case(
            "data processing",
            "adds r0, #1\nadd.w r2, r2, #1\nadd.w r3, r3, #1\nadd.w r4, r4, #1",
            4,
            "after an instruction of one cycle nothing is lost",
        ),
        case("store, register offset, after load", "ldr r0, [r1, r2]\nstr r1, [r3, r2]", 3),
        case("load after store", "str r0, [r1]\nldr r2, [r3]", 4),
        case("load after store", "str r0, [r1]\nldm r3, {r4, r5}", 5),
        case("stores that update one base", "str r0, [r1], #4\nstr r2, [r1], #4", 3),
        case("address from data processing", "uxtb r0, r1\nldr r2, [r3, r0, lsl #2]", 4),
        case("address from data processing", "sub sp, #8\nstr r0, [sp]", 3),
        case("address from data processing", "add r0, r0, #16\nldm r0, {r1, r2}", 5),
        case("no operation after an access", "ldr r0, [r1]\nnop", 2),
        case("no operation after an access", "str r0, [r1, r2]\nnop", 2),
        case("load after load", "uxtb r0, r1\nadds r4, #1\nldr r2, [r3, r0]\nldr r5, [r3]", 5),
    ]


M3_CASES = [
    *big_cases("armv7-m"),
    Case("multiply and accumulate", "armv7-m", "mla r0, r1, r2, r3\nmls r0, r1, r2, r3", 4),
    Case("long multiply", "armv7-m", "umull r0, r1, r2, r3", 5, "3 to 5"),
    Case("long multiply and accumulate", "armv7-m", "smlal r0, r1, r2, r3", 7, "4 to 7"),
    Case("load", "armv7-m", "ldr r0, [r1]\nldr r2, [r3], #4", 4, "only the first may update"),
    Case("store that updates its base, after load", "armv7-m", "ldr r0, [r1]\nstr r2, [r3], #4", 4),
    Case(
        "three instructions across words",
        "armv7-m",
        "nop\nmla r0, r1, r2, r3\nadd.w r2, r2, #1\nadd.w r3, r3, #1\nadd.w r4, r4, #1",
        7,
        "1 + 2 + 3 + 1",
    ),
]
M4_CASES = [
    *big_cases("armv7e-m"),
    Case("multiply and accumulate", "armv7e-m", "mla r0, r1, r2, r3\nmls r0, r1, r2, r3", 2),
    Case("long multiply", "armv7e-m", "umull r0, r1, r2, r3\nsmlal r0, r1, r2, r3", 2),
    Case("DSP", "armv7e-m", "uxtb16 r0, r1, ror #8\nuadd8 r0, r1, r2\nsel r3, r0, r1", 3),
    Case("DSP", "armv7e-m", "pkhbt r0, r1, r2, lsl #16\nuqsub8 r0, r0, r2\nusad8 r3, r0, r1", 3),
    Case("DSP multiply", "armv7e-m", "smlad r0, r1, r2, r3\numaal r4, r5, r0, r1", 2),
    Case("load after load", "armv7e-m", "ldr r0, [r1]\nldr r2, [r3], #4", 3),
    Case("load", "armv7e-m", "ldr r0, [r1], #4\nldr r2, [r1], #4", 4, "one base"),
    Case("store after load", "armv7e-m", "ldr r0, [r1]\nstr r2, [r3], #4", 2),
    Case("float to or from core register", "armv7e-m", "vmov s0, r0\nvmov r1, r2, d0", 4),
    Case("float move", "armv7e-m", "vmov.f32 s0, s1\nvmov.f32 s2, #1.0", 2),
    Case("float load", "armv7e-m", "vldr s0, [r0]\nvldr d1, [r0]", 5, "2 + 3"),
    Case("float load", "armv7e-m", "vldmia r0!, {s0-s3}\nvpop {d8-d9}", 10, "1 + 4, 1 + 2 x 2"),
    Case("float store", "armv7e-m", "vstr s0, [r0]\nvpush {s16-s19}\nvstmdb r0!, {d0}", 10),
    Case("condition failed", "armv7e-m", "cmp r0, #1\nit eq\nvmoveq s0, r1 @ skipped", 2),
    Case("float arithmetic", "armv7e-m", "vadd.f32 s0, s1, s2\nadds r0, #1", 2),
    Case("float arithmetic", "armv7e-m", "vcmp.f32 s0, s1\nvmrs APSR_nzcv, fpscr", 2),
    Case("float multiply and accumulate", "armv7e-m", "vfma.f32 s0, s1, s2\nadds r0, #1", 4),
    Case("float divide and square root", "armv7e-m", "vdiv.f32 s0, s1, s2\nadds r0, #1", 15),
    Case("float result used at once", "armv7e-m", "vmul.f32 s0, s1, s2\nvadd.f32 s3, s0, s1", 3),
    Case("float result used at once", "armv7e-m", "vsqrt.f32 s0, s1\nvstr s0, [r0]", 17),
]
ALL: list[tuple[TimingModel, list[Case]]] = [
    (cortex_m0.MODEL, small_cases(taken=3)),
    (cortex_m0plus.MODEL, small_cases(taken=2)),
    (cortex_m3.MODEL, M3_CASES),
    (cortex_m4.MODEL, M4_CASES),
]
MODELS = [model for model, _ in ALL]


@pytest.mark.parametrize(
    ("model", "case"),
    [
        pytest.param(model, case, id=f"{model.name}-{index}-{case.rule}".replace(" ", "-"))
        for model, cases in ALL
        for index, case in enumerate(cases)
    ],
)
def test_rule_gives_what_the_manual_says(model: TimingModel, case: Case) -> None:
    timing_cases.check(model, case)


@pytest.mark.parametrize(("model", "cases"), ALL, ids=lambda value: getattr(value, "name", ""))
def test_every_rule_has_a_case(model: TimingModel, cases: list[Case]) -> None:
    timing_cases.check_coverage(model, cases)


@pytest.mark.parametrize(
    ("model", "isa", "assembly"),
    [
        (cortex_m0.MODEL, "armv7-m", "ldrex r0, [r1]"),
        (cortex_m0plus.MODEL, "armv7-m", "ubfx r0, r1, #8, #8"),
        (cortex_m0plus.MODEL, "armv7-m", "umull r0, r1, r2, r3"),
        (cortex_m3.MODEL, "armv7e-m", "uxtb16 r0, r1"),
        (cortex_m3.MODEL, "armv7e-m", "umaal r0, r1, r2, r3"),
        (cortex_m3.MODEL, "armv7e-m", "vadd.f32 s0, s1, s2"),
        (cortex_m4.MODEL, "armv8-m.main", "stl r0, [r1]"),
    ],
)
def test_instruction_without_a_rule_stops_the_pricing(
    model: TimingModel, isa: Isa, assembly: str
) -> None:
    name = assembly.split()[0]
    with pytest.raises(UnknownInstructionError, match=f"{model.name} has no rule for '{name}"):
        timing_cases.priced(model, Case("", isa, assembly, 0))


@pytest.mark.parametrize("assembly", ["wfi", "svc #0", "mcr p15, 0, r0, c7, c10, 5"])
def test_instruction_outside_any_aes_is_not_decoded(assembly: str) -> None:
    with pytest.raises(DecodeError):
        timing_cases.priced(cortex_m4.MODEL, Case("", "armv7e-m", assembly, 0))


def test_models_say_what_they_assume() -> None:
    assert all("wait states" in model.assumptions for model in MODELS)
    assert all("multipl" in model.assumptions for model in MODELS if model is not cortex_m4.MODEL)


def test_multiplies_are_told_from_constant_time_ones() -> None:
    assert cortex_m3.MODEL.variable_time == {"multiply-long", "divide"}
    assert cortex_m4.MODEL.variable_time == {"divide"}
    assert not cortex_m0.MODEL.variable_time
    assert not cortex_m0plus.MODEL.variable_time
