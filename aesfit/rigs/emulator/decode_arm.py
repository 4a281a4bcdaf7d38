# SPDX-License-Identifier: MIT
"""ARM, Thumb and Thumb-2 instructions as timing rules see them, decoded with Capstone.

Capstone gives mnemonics, operands and most registers.  What its version 5 leaves out is completed
here: registers of shifts and `bx` and some post-indexed bases in ARM state, results that an
accumulation reads, second operands of DSP instructions.  IT blocks are counted here too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from operator import attrgetter
from typing import Literal

from capstone import (  # type: ignore[import-untyped]
    CS_ARCH_ARM,
    CS_MODE_ARM,
    CS_MODE_MCLASS,
    CS_MODE_THUMB,
    CS_MODE_V8,
    Cs,
    CsInsn,
)
from capstone.arm import (  # type: ignore[import-untyped]
    ARM_CC_AL,
    ARM_CC_INVALID,
    ARM_OP_MEM,
    ARM_OP_REG,
    ARM_SFT_ASR_REG,
    ARM_SFT_RRX_REG,
)

from .instruction import Instruction, Kind

SHIFTS_BY_REGISTER = range(ARM_SFT_ASR_REG, ARM_SFT_RRX_REG + 1)
NUMBERED = {"sb": 9, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15}
REGISTERS = {f"r{n}": f"r{n}" for n in range(16)} | {a: f"r{n}" for a, n in NUMBERED.items()}

LISTS = {"ldm", "ldmda", "ldmdb", "ldmib", "pop", "stm", "stmda", "stmdb", "stmib", "push"}
SPELLINGS = {
    **{"movs": "mov", "movw": "mov", "addw": "add", "subw": "sub"},
    **{"vldmia": "vldm", "vstmia": "vstm", "fconsts": "vmov", "fmstat": "vmrs"},
}
"""Capstone's names of what has another name here."""
COMPARES = {"cmp", "cmn", "tst", "teq"}
READ_RESULT = {"movt", "bfi", "bfc"}
"""Instructions that keep a part of their destination."""


class DecodeError(ValueError):
    """Bytes that are no instruction, or one that no timing model could know."""


EXTEND_AND_ADD = {"sxtab", "sxtab16", "sxtah", "uxtab", "uxtab16", "uxtah"}
NAMES: Mapping[Kind, str] = {
    "alu": """adc add adr and asr bfc bfi bic clz cmn cmp eor lsl lsr mov movt mvn orn orr pkhbt
        pkhtb qadd qdadd qdsub qsub rbit rev rev16 revsh ror rrx rsb rsc sbc sbfx sel ssat ssat16
        sub sxtab sxtab16 sxtah sxtb sxtb16 sxth teq tst ubfx usad8 usada8 usat usat16 uxtab
        uxtab16 uxtah uxtb uxtb16 uxth""",
    "multiply": """mul mla mls smulbb smulbt smultb smultt smulwb smulwt smlabb smlabt smlatb
        smlatt smlawb smlawt smuad smuadx smusd smusdx smlad smladx smlsd smlsdx smmul smmulr smmla
        smmlar smmls smmlsr""",
    "multiply-long": """umull umlal smull smlal umaal smlalbb smlalbt smlaltb smlaltt smlald smlaldx
        smlsld smlsldx""",
    "divide": "sdiv udiv",
    "load": "ldr ldrb ldrh ldrsb ldrsh",
    "preload": "pld",
    "store": "str strb strh",
    "load-many": "ldm ldmda ldmdb ldmib pop ldrd",
    "store-many": "stm stmda stmdb stmib push strd",
    "swap": "swp swpb",
    "load-exclusive": "ldrex ldrexb ldrexh lda ldab ldah ldaex ldaexb ldaexh",
    "store-exclusive": "strex strexb strexh stl stlb stlh stlex stlexb stlexh",
    "float-move": "vmov vmrs vmsr",
    "float-compute": """vabs vadd vcmp vcmpe vcvt vcvtr vdiv vfma vfms vfnma vfnms vmla vmls vmul
        vneg vnmla vnmls vnmul vsqrt vsub vselge vselgt vseleq vselvs vmaxnm vminnm vcvta vcvtm
        vcvtn vcvtp vrinta vrintm vrintn vrintp vrintr vrintx vrintz""",
    "float-load": "vldr vldm vldmdb vpop",
    "float-store": "vstr vstm vstmdb vpush",
    "branch": "b cbz cbnz",
    "branch-link": "bl",
    "branch-register": "bx blx tbb tbh",
    "it": "it",
    "nop": "nop sev yield clrex",
    "status": "mrs msr cps",
    "barrier": "dmb dsb isb",
}


def _kinds() -> dict[str, Kind]:
    kinds = {name: kind for kind, names in NAMES.items() for name in names.split()}
    for sign, operation in product(
        ("s", "u", "q", "uq", "sh", "uh"), ("add8", "add16", "sub8", "sub16", "asx", "sax")
    ):
        kinds[sign + operation] = "alu"
    return kinds


KINDS: Mapping[str, Kind] = _kinds()
WIDTHS = {
    **dict.fromkeys(("tbb", "swpb", "ldrb", "ldrsb", "strb"), 1),
    **dict.fromkeys(("ldrexb", "ldab", "ldaexb", "strexb", "stlb", "stlexb"), 1),
    **dict.fromkeys(("tbh", "ldrh", "ldrsh", "strh"), 2),
    **dict.fromkeys(("ldrexh", "ldah", "ldaexh", "strexh", "stlh", "stlexh"), 2),
}
"""Bytes of one access; 4 for every other instruction that accesses memory."""
FLOAT_ACCESSES = ("float-load", "float-store")
EXCLUSIVE = ("load-exclusive", "store-exclusive")
ACCESSING = {"load", "store", "load-many", "store-many", "swap", *EXCLUSIVE, *FLOAT_ACCESSES}
STACKING = ("push", "pop", "vpush", "vpop")
"""Lists of registers without a base: the stack pointer is understood."""


def decode(
    code: bytes, address: int, *, thumb: bool, mclass: bool = False, v8: bool = False
) -> list[Instruction]:
    """Decode all of `code`, which lies at `address`; an IT block must be whole or absent.

    `mclass` allows the Thumb instructions of the M profile, `v8` those of ARMv8.  Bytes that are no
    instruction, or one that needs more than the processor (coprocessors, waiting for interrupts),
    raise DecodeError.
    """
    found: list[Instruction] = []
    at, end, under_it = address, address + len(code), 0
    for insn in _capstone(thumb, mclass, v8).disasm(code, address):
        found.append(_known_instruction(insn, thumb, under_it > 0))
        under_it = len(insn.mnemonic) - 1 if found[-1].kind == "it" else max(0, under_it - 1)
        at += insn.size
    if at != end:
        rest = code[at - address : at - address + 4].hex()
        state = "Thumb" if thumb else "ARM"
        raise DecodeError(f"the bytes {rest} at {at:#x} are no {state} instruction")
    return found


@cache
def _capstone(thumb: bool, mclass: bool, v8: bool) -> Cs:
    mode = CS_MODE_THUMB if thumb else CS_MODE_ARM
    mode |= (CS_MODE_MCLASS if mclass else 0) | (CS_MODE_V8 if v8 else 0)
    engine = Cs(CS_ARCH_ARM, mode)
    engine.detail = True
    return engine


_known: dict[tuple[object, ...], Instruction] = {}
"""Instructions by all that they follow from but the address."""
_MOST_KNOWN = 1 << 16
_FACTS = attrgetter(*(one.name for one in fields(Instruction) if one.name != "address"))
"""All but the address, in order."""


def _known_instruction(insn: CsInsn, thumb: bool, under_it: bool) -> Instruction:
    """The same few instructions make up all images; asking Capstone for registers takes longest."""
    key = thumb, under_it, bytes(insn.bytes), insn.mnemonic, insn.op_str
    known = _known.get(key)
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[key] = _instruction(insn, thumb, under_it)
    return known if known.address == insn.address else Instruction(insn.address, *_FACTS(known))


def _instruction(insn: CsInsn, thumb: bool, under_it: bool) -> Instruction:
    name = _name(insn)
    text = f"{insn.mnemonic} {insn.op_str}".strip()
    if name not in KINDS:
        raise DecodeError(f"'{text}' at {insn.address:#x} is not among the instructions handled")
    kind = KINDS[name]
    if kind == "alu" and not thumb and _shifts_by_register(insn):
        kind = "alu-shift-register"
    reads, writes = _registers(insn, name, kind)
    memory = [operand.mem for operand in insn.operands if operand.type == ARM_OP_MEM]
    return Instruction(
        address=insn.address,
        size=insn.size,
        text=text,
        name=name,
        kind=kind,
        reads=reads,
        writes=writes,
        address_registers=_address_registers(insn, name),
        indexed=any(one.index for one in memory),
        writeback=_writes_back(insn, name),
        access_bytes=WIDTHS.get(name, 4 if kind in ACCESSING else 0),
        signed=name in ("ldrsb", "ldrsh"),
        transfers=_transfers(insn, name),
        shifted=_shifted(bytes(insn.bytes)) if thumb and insn.size == 4 else "",
        sets_flags=bool(insn.update_flags) or name in COMPARES,
        listed=_listed(insn, name),
        accumulates=_accumulates(insn, name),
        conditional=under_it or name in ("cbz", "cbnz") or (kind != "it" and _has_condition(insn)),
        writes_pc="r15" in writes,
    )


def _name(insn: CsInsn) -> str:
    name = str(insn.insn_name())
    if name in ("hint", "nop"):
        return str(insn.mnemonic).split(".")[0]
    if name in ("push", "pop") and insn.size == 4 and _is_single_transfer(insn):
        return "str" if name == "push" else "ldr"
    return SPELLINGS.get(name, name)


def _transfers(insn: CsInsn, name: str) -> int:
    """Words moved: a register of a list, each of LDRD's two; two of a double-word register."""
    if name in ("ldrd", "strd"):
        return 2
    if name in LISTS:
        return len(insn.operands) - (name not in STACKING)
    if KINDS[name] not in FLOAT_ACCESSES:
        return 0
    moved = insn.operands[:1] if name in ("vldr", "vstr") else insn.operands[name not in STACKING :]
    return sum(2 if insn.reg_name(one.reg).startswith("d") else 1 for one in moved)


def _shifted(code: bytes) -> Literal["", "register", "constant"]:
    """How the second operand of Thumb-2 data processing is shifted (DDI 0403E).

    A modified immediate (A5.3.1) that is no plain byte and no pattern of bytes (A5.3.2), or a
    shifted register (A5.3.11) but of MOV, which is a shift by itself.
    """
    first, second = int.from_bytes(code[:2], "little"), int.from_bytes(code[2:], "little")
    if first & 0xFA00 == 0xF000 and not second & 0x8000:
        return "constant" if first & 0x0400 or second & 0x4000 else ""
    moves = first & 0xFFEF == 0xEA4F
    return "register" if first & 0xFE00 == 0xEA00 and not moves and second & 0x70F0 else ""


def _listed(insn: CsInsn, name: str) -> tuple[str, ...]:
    """Registers that are moved one after the other, core registers alone."""
    if name in ("ldrd", "strd"):
        moved = insn.operands[:2]
    elif name in LISTS:
        moved = insn.operands[name not in STACKING :]
    else:
        return ()
    return tuple(REGISTERS[insn.reg_name(one.reg)] for one in moved)


def _accumulates(insn: CsInsn, name: str) -> frozenset[str]:
    """Registers to which the result is added before it is written."""
    if KINDS[name] == "multiply-long":
        added = insn.operands[:2] if name not in ("umull", "smull") else []
    elif KINDS[name] == "multiply":
        added = insn.operands[3:4]
    else:
        added = insn.operands[1:2] if name in EXTEND_AND_ADD and len(insn.operands) > 2 else []
    return _names(insn, (one.reg for one in added))


def _is_single_transfer(insn: CsInsn) -> bool:
    """Encoded as LDR or STR with writeback, which Capstone shows as pop or push of one register.

    ARM: bits 27:26 are 01; Thumb-2: the first half-word is LDR or STR (immediate), F84D or F85D.
    """
    word = int.from_bytes(insn.bytes, "little")
    return (word >> 26) & 3 == 1 if _in_arm_state(insn) else word & 0xFFEF == 0xF84D


def _writes_back(insn: CsInsn, name: str) -> bool:
    """Capstone's flag, the stack instructions, and post-indexing: an operand after the memory."""
    after_memory = len(insn.operands) > 1 and insn.operands[-2].type == ARM_OP_MEM
    return bool(insn.writeback) or name in STACKING or after_memory


def _in_arm_state(insn: CsInsn) -> bool:
    return "arm" in (insn.group_name(group) for group in insn.groups)


def _has_condition(insn: CsInsn) -> bool:
    return insn.cc not in (ARM_CC_INVALID, ARM_CC_AL)


def _shifts_by_register(insn: CsInsn) -> bool:
    """DDI 0100, A3.4.1: data processing with bits 27:25 zero, bit 4 set and bit 7 clear."""
    return int.from_bytes(insn.bytes, "little") & 0x0E000090 == 0x10


def _names(insn: CsInsn, registers: Iterable[int]) -> frozenset[str]:
    """Core registers alone: flags and the IT state are left out."""
    named = (insn.reg_name(register) for register in registers if register)
    return frozenset(REGISTERS[name] for name in named if name in REGISTERS)


def _address_registers(insn: CsInsn, name: str) -> frozenset[str]:
    if str(insn.insn_name()) in STACKING:
        return frozenset({"r13"})
    if name in LISTS or name.startswith(("vldm", "vstm")):
        return _names(insn, [insn.operands[0].reg])
    found: set[int] = set()
    for operand in insn.operands:
        if operand.type == ARM_OP_MEM:
            found |= {operand.mem.base, operand.mem.index}
    return _names(insn, found)


def _registers(insn: CsInsn, name: str, kind: Kind) -> tuple[frozenset[str], frozenset[str]]:
    operands = _names(insn, (o.reg for o in insn.operands if o.type == ARM_OP_REG))
    first = _names(insn, (o.reg for o in insn.operands[:1] if o.type == ARM_OP_REG))
    if kind in ("branch", "branch-link", "branch-register"):
        link = frozenset({"r14"}) if name in ("bl", "blx") else frozenset[str]()
        return operands | _address_registers(insn, name), link | {"r15"}
    base = _address_registers(insn, name)
    if name in LISTS:
        listed = _names(insn, (o.reg for o in insn.operands[0 if name in ("push", "pop") else 1 :]))
        updated = base if _writes_back(insn, name) else frozenset[str]()
        if kind == "load-many":
            return base, listed | updated
        return base | listed, updated
    reads, writes = (_names(insn, some) for some in insn.regs_access())
    if kind in FLOAT_ACCESSES:
        return base, base if _writes_back(insn, name) else frozenset()
    shifting = _names(
        insn, (o.shift.value for o in insn.operands if o.shift.type in SHIFTS_BY_REGISTER)
    )
    reads |= shifting | base
    if kind in ("alu", "alu-shift-register", "multiply"):
        reads |= _names(insn, (o.reg for o in insn.operands[1:] if o.type == ARM_OP_REG))
    if name in READ_RESULT:
        reads |= first
    if name == "vmsr":
        reads |= operands
    if kind in ("load", "store") and _writes_back(insn, name):
        writes |= _names(insn, (o.mem.base for o in insn.operands if o.type == ARM_OP_MEM))
    if kind == "multiply-long" and name not in ("umull", "smull"):
        reads |= operands
    return reads, writes
