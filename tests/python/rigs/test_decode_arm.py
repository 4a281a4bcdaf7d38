# SPDX-License-Identifier: MIT
"""The decoder of ARM and Thumb code: every field, and registers checked by running them."""

import random
import shutil

import pytest
from timing_cases import START, assemble

from aesfit.platforms.platform import Isa
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.decode_arm import DecodeError, decode
from aesfit.rigs.emulator.instruction import Instruction, Kind
from aesfit.rigs.profile import Block

unicorn = pytest.importorskip("unicorn")
arm_const = pytest.importorskip("unicorn.arm_const")
pytestmark = pytest.mark.skipif(
    not shutil.which("arm-none-eabi-as"), reason="no ARM assembler: make setup"
)


def decoded(isa: Isa, assembly: str) -> list[Instruction]:
    thumb = isa != "armv4t"
    return decode(assemble(isa, assembly), START, thumb=thumb, mclass=thumb)


def registers(numbers: str) -> frozenset[str]:
    return frozenset(f"r{number}" for number in numbers.split())


PLAIN = Instruction(0, 4, "", "", "nop", frozenset(), frozenset())


def fields(
    name: str, kind: Kind, reads: str, writes: str, address: str = "", **others: object
) -> dict[str, object]:
    """Every field but place and text; those not given are as of a plain instruction."""
    given = {"name": name, "kind": kind, "reads": registers(reads), "writes": registers(writes)}
    return {
        **{field: getattr(PLAIN, field) for field in PLAIN.__slots__},
        **given,
        "address_registers": registers(address),
        **others,
    }


ARM = {
    "addseq r0, r1, r2, lsl #3": fields(
        "add", "alu", "1 2", "0", conditional=True, sets_flags=True
    ),
    "orrs r0, r1, r2, lsr r3": fields("orr", "alu-shift-register", "1 2 3", "0", sets_flags=True),
    "lsl r0, r1, r2": fields("lsl", "alu-shift-register", "1 2", "0"),
    "lsls r0, r1, #2": fields("lsl", "alu", "1", "0", sets_flags=True),
    "cmp r0, r1, ror r2": fields("cmp", "alu-shift-register", "0 1 2", "", sets_flags=True),
    "mul r0, r1, r2": fields("mul", "multiply", "1 2", "0"),
    "mla r0, r1, r2, r3": fields("mla", "multiply", "1 2 3", "0", accumulates=registers("3")),
    "umull r0, r1, r2, r3": fields("umull", "multiply-long", "2 3", "0 1"),
    "smlals r0, r1, r2, r3": fields(
        "smlal", "multiply-long", "0 1 2 3", "0 1", sets_flags=True, accumulates=registers("0 1")
    ),
    "ldr r0, [r1, r2, lsl #2]": fields(
        "ldr", "load", "1 2", "0", "1 2", indexed=True, access_bytes=4
    ),
    "ldrb r0, [r1], r2": fields("ldrb", "load", "1 2", "0 1", "1", writeback=True, access_bytes=1),
    "ldrsh r0, [r1, #2]!": fields(
        "ldrsh", "load", "1", "0 1", "1", writeback=True, access_bytes=2, signed=True
    ),
    "strb r0, [r1], r2": fields("strb", "store", "0 1 2", "1", "1", writeback=True, access_bytes=1),
    "str r0, [r1, r2]!": fields(
        "str", "store", "0 1 2", "1", "1 2", indexed=True, writeback=True, access_bytes=4
    ),
    "pop {pc}": fields(
        "ldr", "load", "13", "13 15", "13", writeback=True, access_bytes=4, writes_pc=True
    ),
    "push {r4}": fields("str", "store", "4 13", "13", "13", writeback=True, access_bytes=4),
    "push {r4, lr}": fields(
        "push",
        "store-many",
        "4 13 14",
        "13",
        "13",
        writeback=True,
        access_bytes=4,
        transfers=2,
        listed=("r4", "r14"),
    ),
    "ldmib r0, {r1, r2, r3}": fields(
        "ldmib",
        "load-many",
        "0",
        "1 2 3",
        "0",
        access_bytes=4,
        transfers=3,
        listed=("r1", "r2", "r3"),
    ),
    "ldmne r0!, {r1, pc}": fields(
        "ldm",
        "load-many",
        "0",
        "0 1 15",
        "0",
        access_bytes=4,
        transfers=2,
        writeback=True,
        conditional=True,
        writes_pc=True,
        listed=("r1", "r15"),
    ),
    "swpb r0, r1, [r2]": fields("swpb", "swap", "1 2", "0", "2", access_bytes=1),
    "bx lr": fields("bx", "branch-register", "14", "15", writes_pc=True),
    "blne .": fields("bl", "branch-link", "", "14 15", writes_pc=True, conditional=True),
    "addls pc, pc, r0, lsl #2": fields(
        "add", "alu", "0 15", "15", writes_pc=True, conditional=True
    ),
    "mrs r0, cpsr": fields("mrs", "status", "", "0"),
}
THUMB = {
    "adds r0, r0, r1": fields("add", "alu", "0 1", "0", size=2, sets_flags=True),
    "adds.w r0, r1, r2, lsl #3": fields(
        "add", "alu", "1 2", "0", size=4, sets_flags=True, shifted="register"
    ),
    "addw r0, r1, #0x555": fields("add", "alu", "1", "0"),
    "movw r0, #5": fields("mov", "alu", "", "0"),
    "movt r0, #5": fields("movt", "alu", "0", "0"),
    "eor.w r0, r1, r2, ror #8": fields("eor", "alu", "1 2", "0", shifted="register"),
    "mvn.w r0, r1, asr #4": fields("mvn", "alu", "1", "0", shifted="register"),
    "mov.w r0, r1, lsl #3": fields("lsl", "alu", "1", "0"),
    "add.w r0, r1, #0x1fc0": fields("add", "alu", "1", "0", shifted="constant"),
    "add.w r0, r1, #0x1b1b1b1b": fields("add", "alu", "1", "0"),
    "tst.w r0, #0x1000": fields("tst", "alu", "0", "", sets_flags=True, shifted="constant"),
    "bfi r0, r1, #2, #3": fields("bfi", "alu", "0 1", "0"),
    "lsls r0, r1": fields("lsl", "alu", "0 1", "0", sets_flags=True),
    "uxtab r0, r1, r2, ror #8": fields("uxtab", "alu", "1 2", "0", accumulates=registers("1")),
    "pkhbt r0, r1, r2, lsl #3": fields("pkhbt", "alu", "1 2", "0", shifted="register"),
    "muls r0, r1, r0": fields("mul", "multiply", "0 1", "0", sets_flags=True),
    "mls r0, r1, r2, r3": fields("mls", "multiply", "1 2 3", "0", accumulates=registers("3")),
    "umaal r0, r1, r2, r3": fields(
        "umaal", "multiply-long", "0 1 2 3", "0 1", accumulates=registers("0 1")
    ),
    "udiv r0, r1, r2": fields("udiv", "divide", "1 2", "0"),
    "ldrd r0, r1, [r2, #8]!": fields(
        "ldrd",
        "load-many",
        "2",
        "0 1 2",
        "2",
        access_bytes=4,
        transfers=2,
        writeback=True,
        listed=("r0", "r1"),
    ),
    "strd r0, r1, [r2]": fields(
        "strd", "store-many", "0 1 2", "", "2", access_bytes=4, transfers=2, listed=("r0", "r1")
    ),
    "pop {r4, pc}": fields(
        "pop",
        "load-many",
        "13",
        "4 13 15",
        "13",
        access_bytes=4,
        transfers=2,
        writeback=True,
        writes_pc=True,
        listed=("r4", "r15"),
    ),
    "pop.w {r8}": fields("ldr", "load", "13", "8 13", "13", access_bytes=4, writeback=True),
    "ldr r0, [pc, #8]": fields("ldr", "load", "15", "0", "15", access_bytes=4),
    "tbb [pc, r0]": fields(
        "tbb", "branch-register", "0 15", "15", "0 15", indexed=True, access_bytes=1, writes_pc=True
    ),
    "cbz r0, .+4": fields("cbz", "branch", "0", "15", conditional=True, writes_pc=True),
    "bne .": fields("b", "branch", "", "15", conditional=True, writes_pc=True),
    "blx r3": fields("blx", "branch-register", "3", "14 15", writes_pc=True),
    "nop": fields("nop", "nop", "", ""),
    "mrs r0, primask": fields("mrs", "status", "", "0"),
}
FLOATS = {
    "vmov s0, r1": fields("vmov", "float-move", "1", ""),
    "vmov r0, r1, d2": fields("vmov", "float-move", "", "0 1"),
    "vmov.f32 s0, s1": fields("vmov", "float-move", "", ""),
    "vmov.f32 s0, #1.0": fields("vmov", "float-move", "", ""),
    "vldr d1, [r2, #8]": fields("vldr", "float-load", "2", "", "2", access_bytes=4, transfers=2),
    "vstr s1, [r2]": fields("vstr", "float-store", "2", "", "2", access_bytes=4, transfers=1),
    "vldmia r3!, {s0-s2}": fields(
        "vldm", "float-load", "3", "3", "3", access_bytes=4, transfers=3, writeback=True
    ),
    "vstmia r3, {d0-d1}": fields("vstm", "float-store", "3", "", "3", access_bytes=4, transfers=4),
    "vpush {d8-d9}": fields(
        "vpush", "float-store", "13", "13", "13", access_bytes=4, transfers=4, writeback=True
    ),
    "vpop {s16}": fields(
        "vpop", "float-load", "13", "13", "13", access_bytes=4, transfers=1, writeback=True
    ),
    "vfma.f32 s0, s1, s2": fields("vfma", "float-compute", "", ""),
    "vcvt.s32.f32 s0, s1": fields("vcvt", "float-compute", "", ""),
    "vmrs APSR_nzcv, fpscr": fields("vmrs", "float-move", "", "", sets_flags=True),
    "vmsr fpscr, r0": fields("vmsr", "float-move", "0", ""),
}
"""The emulator's core registers do not show what these read."""
SYSTEM = {
    "cpsid i": fields("cps", "status", "", "", size=2),
    "msr primask, r0": fields("msr", "status", "0", ""),
    "pld [r1, #32]": fields("pld", "preload", "1", "", "1"),
    "dmb": fields("dmb", "barrier", "", ""),
    "isb": fields("isb", "barrier", "", ""),
    "clrex": fields("clrex", "nop", "", ""),
    "ldrexh r0, [r1]": fields("ldrexh", "load-exclusive", "1", "0", "1", access_bytes=2),
    "strex r0, r1, [r2, #8]": fields("strex", "store-exclusive", "1 2", "0", "2", access_bytes=4),
}
"""What these do depends on more than registers."""


@pytest.mark.parametrize(
    ("isa", "assembly", "want"),
    [
        *(("armv4t", text, want) for text, want in ARM.items()),
        *(("armv7e-m", text, want) for text, want in {**THUMB, **FLOATS, **SYSTEM}.items()),
    ],
)
def test_fields(isa: Isa, assembly: str, want: dict[str, object]) -> None:
    one = decoded(isa, assembly)[0]
    told = {"address", "text"} | ({"size"} if isa != "armv4t" and want["size"] == 4 else set())
    assert {field: getattr(one, field) for field in want.keys() - told} == {
        field: value for field, value in want.items() if field not in told
    }


def test_it_makes_its_block_conditional() -> None:
    code = decoded(
        "armv7-m", "itte eq\n addeq r0, r1\n ldreq r0, [r1]\n movne r2, r3\n adds r0, r1"
    )
    assert [one.conditional for one in code] == [False, True, True, True, False]
    assert [one.name for one in code] == ["it", "add", "ldr", "mov", "add"]


def test_an_it_block_may_lie_in_two_blocks_of_a_profile() -> None:
    code = assemble("armv7-m", "nop\n itt eq\n addeq r0, r1\n moveq r2, r3\n bx lr")

    def read(address: int, size: int) -> bytes:
        return code[address - START : address - START + size]

    parts = [Block(START + 6, 4), Block(START, 4), Block(START + 4, 2), Block(START + 4, 4)]
    found = decode_blocks(read, parts, "armv7-m")
    assert found == {one.address: one for one in decode(code, START, thumb=True, mclass=True)}
    assert [found[START + at].conditional for at in (2, 4, 6, 8)] == [False, True, True, False]


def test_blocks_apart_are_decoded_apart() -> None:
    code = assemble("armv4t", "b .+12\n .word 0xffffffff\n .word 0xffffffff\n bx lr")
    found = decode_blocks(
        lambda address, size: code[address - START :][:size],
        [Block(START, 4), Block(START + 12, 4)],
        "armv4t",
    )
    assert sorted(found) == [START, START + 12]


@pytest.mark.parametrize(
    ("code", "thumb", "message"),
    [
        ("1eff2fe1 ffffffff", False, "ffffffff at 0x1004"),
        ("7047 ffff ffff", True, "ffffffff at 0x1002"),
        ("010000ef", False, "'svc #1' at 0x1000"),
        ("70", True, "70 at 0x1000"),
    ],
)
def test_what_is_no_instruction_is_named(code: str, thumb: bool, message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        decode(bytes.fromhex(code), START, thumb=thumb)


def test_hosts_are_not_decoded() -> None:
    with pytest.raises(ValueError, match="x86-64"):
        decode_blocks(lambda _, size: bytes(size), [Block(START, 4)], "x86-64")


# --- registers, by running: what is not read cannot matter, and what is not written stays

CODE, MEMORY_BYTES = 0x20_0000, 0x10_0000
REGISTERS = [
    *range(arm_const.UC_ARM_REG_R0, arm_const.UC_ARM_REG_R0 + 13),
    arm_const.UC_ARM_REG_SP,
    arm_const.UC_ARM_REG_LR,
]
NAMES = [f"r{number}" for number in range(15)]
TRIALS = 40
ADDRESSES, NUMBERS = range(0x1000, 0x8000, 8), range(1 << 32)
"""Values of registers: for accesses, so that base and shifted index stay inside memory."""

Outcome = dict[str, object]


class Processor:
    """Runs one instruction from given registers, always over the same memory."""

    def __init__(self, code: bytes, *, thumb: bool) -> None:
        self.thumb, self.stores = thumb, list[tuple[int, int, int]]()
        self.engine = unicorn.Uc(
            unicorn.UC_ARCH_ARM,
            unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS if thumb else unicorn.UC_MODE_ARM,
        )
        if thumb:
            self.engine.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
        self.engine.mem_map(CODE, 0x1000)
        self.engine.mem_write(CODE, code)
        self.engine.mem_map(0, MEMORY_BYTES)
        self.contents = random.Random(1).randbytes(MEMORY_BYTES)
        self.engine.mem_write(0, self.contents)
        self.engine.hook_add(unicorn.UC_HOOK_MEM_WRITE, self._stored)

    def _stored(self, _: object, __: int, address: int, size: int, value: int, ___: object) -> None:
        self.stores.append((address, size, value))

    def run(self, registers: list[int], flags: int) -> Outcome:
        """Registers, flags and stores of the instruction."""
        self.engine.reg_write(arm_const.UC_ARM_REG_CPSR, flags << 27 | self.thumb << 5 | 0x1F)
        self.engine.reg_write_batch([*zip(REGISTERS, registers, strict=True)])
        self.stores.clear()
        self.engine.emu_start(CODE | self.thumb, 0, count=1)
        after: Outcome = {"flags": self.engine.reg_read(arm_const.UC_ARM_REG_CPSR) >> 27}
        after["stores"] = (
            [(address, size) for address, size, _ in self.stores],
            [self.engine.mem_read(address, size) for address, size, _ in self.stores],
        )
        for address, size, _ in self.stores:
            self.engine.mem_write(address, self.contents[address : address + size])
        return after | dict(zip(NAMES, self.engine.reg_read_batch(REGISTERS), strict=True))


def observed(code: bytes, values: range, *, thumb: bool) -> tuple[set[str], set[str]]:
    """Registers that changed, and registers that mattered for anything but themselves."""
    processor, rng = Processor(code, thumb=thumb), random.Random(2)
    written, mattered = set[str](), set[tuple[str, str]]()
    for _ in range(TRIALS):
        before = [rng.choice(values) for _ in NAMES]
        flags = rng.randrange(32)
        plain = processor.run(before, flags)
        written |= {name for name, value in zip(NAMES, before, strict=True) if plain[name] != value}
        for index, name in enumerate(NAMES):
            other = [*before[:index], rng.choice(values), *before[index + 1 :]]
            changed = processor.run(other, flags)
            if changed["flags"] != plain["flags"]:
                mattered.add((name, "flags"))
            mattered |= {(name, place) for place in plain if changed[place] != plain[place]}
    return written, {name for name, place in mattered if name != place or name in written}


def _runs_alone(assembly: str) -> bool:
    """Neither a jump nor an access beside PC, nor a special register."""
    return "pc" not in assembly and not assembly.startswith(("b", "cb", "tb", "mrs"))


@pytest.mark.parametrize(
    ("isa", "assembly"),
    [
        *(("armv4t", text) for text in ARM if _runs_alone(text)),
        *(("armv7e-m", text) for text in THUMB if _runs_alone(text) or text.startswith("bf")),
    ],
)
def test_registers_are_those_that_an_emulator_uses(isa: Isa, assembly: str) -> None:
    one = decoded(isa, assembly)[0]
    values = ADDRESSES if one.access_bytes else NUMBERS
    written, mattered = observed(assemble(isa, assembly), values, thumb=isa != "armv4t")
    assert written == one.writes
    kept = one.writes if one.conditional else set()  # when the condition fails
    assert mattered | kept == one.reads | kept
