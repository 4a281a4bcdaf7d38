# SPDX-License-Identifier: MIT
"""The tracer and the machine: what was executed, counted exactly on every emulated processor."""

import struct
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import unicorn
from tracer_code import ARM, RISCV, SHORT_BLOCKS, THUMB1, THUMB2
from unicorn import arm_const, riscv_const

from aesfit.platforms import platform_named
from aesfit.rigs.decode import decode_blocks
from aesfit.rigs.machine import Machine, MachineError
from aesfit.rigs.profile import NONE, Execution
from aesfit.rigs.rig import RigUnavailableError
from aesfit.rigs.tracer import build, native

PLATFORMS = (
    "arm7tdmi",
    "cortex-m0plus",
    "cortex-m3",
    "cortex-m4",
    "rv32im-e31",
    "rv32i",
)
ASSEMBLY = {
    "arm7tdmi": ARM,
    "cortex-m0plus": THUMB1,
    "cortex-m3": THUMB1 + THUMB2,
    "cortex-m4": THUMB1 + THUMB2,
    "rv32im-e31": RISCV,
    "rv32i": RISCV,
}
Load = Callable[[str], Machine]


def link(folder: Path, name: str) -> Path:
    platform = platform_named(name)
    (folder / "code.c").write_text(SHORT_BLOCKS)
    (folder / f"{name}.S").write_text(ASSEMBLY[name])
    places = [f"-Wl,-Ttext={platform.memory('flash').start + 0x100:#x}"]
    places += [f"-Wl,-Tdata={platform.memory('ram').start:#x}", "-Wl,-e,main"]
    sources = [str(folder / "code.c"), str(folder / f"{name}.S"), "-lgcc"]
    command = [platform.compiler.command, *platform.compiler.target, "-Os", "-ffreestanding"]
    command += ["-nostdlib", "-nostartfiles", "-Wl,--no-warn-rwx-segments", *places, *sources]
    subprocess.run([*command, "-o", str(folder / f"{name}.elf")], check=True)
    return folder / f"{name}.elf"


@pytest.fixture(scope="session")
def elves(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tracer")
    return {name: link(folder, name) for name in PLATFORMS}


@pytest.fixture
def load(elves: dict[str, Path]) -> Load:
    return lambda name: Machine(elves[name], platform_named(name))


def executed(machine: Machine, execution: Execution) -> Counter[int]:
    """Times of each instruction by its address, as the profile has them."""
    profile = execution.profile
    decoded = decode_blocks(machine.code, profile.blocks, machine.platform.isa)
    times: Counter[int] = Counter()
    for (_, _, this, _), count in profile.paths.items():
        address, end = profile.blocks[this].address, profile.blocks[this].address
        end += profile.blocks[this].size
        while address < end:
            times[address] += count
            address += decoded[address].size
    return times


def skipped(execution: Execution) -> Counter[int]:
    times: Counter[int] = Counter()
    for (_, _, this, _), count in execution.profile.paths.items():
        for address in execution.profile.blocks[this].skipped:
            times[address] += count
    return times


# --- the same said by Unicorn's own Python hooks

UNICORN: Any = unicorn  # its functions have no types
ENGINES = {
    "arm7tdmi": (unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM, arm_const.UC_CPU_ARM_TI925T),
    "cortex-m0plus": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M0,
    ),
    "cortex-m3": (
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_CPU_ARM_CORTEX_M3,
    ),
    "rv32im-e31": (
        unicorn.UC_ARCH_RISCV,
        unicorn.UC_MODE_RISCV32,
        riscv_const.UC_CPU_RISCV32_SIFIVE_E31,
    ),
}


class Reference:
    """A call run with Python hooks on every instruction and access."""

    def __init__(self, machine: Machine, function: str, arguments: list[int]) -> None:
        arch, mode, model = ENGINES[machine.platform.name]
        uc = UNICORN.Uc(arch, mode)
        uc.ctl_set_cpu_model(model)
        for memory in machine.platform.memories:
            size = -(-memory.size // 4096) * 4096
            uc.mem_map(memory.start, size)
            uc.mem_write(memory.start, machine.read(memory.start, memory.size))
        uc.mem_map(0x6000_0000, 1 << 16)
        uc.mem_map(0x1000_0000, 4096)
        self.executed: Counter[int] = Counter()
        self.accesses: list[tuple[bool, int, int]] = []
        uc.hook_add(unicorn.UC_HOOK_CODE, self._instruction)
        uc.hook_add(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, self._access)
        arm = arch == unicorn.UC_ARCH_ARM
        stack = machine.platform.memory("ram")
        names = riscv_const
        first = arm_const.UC_ARM_REG_R0 if arm else names.UC_RISCV_REG_A0
        for number, argument in enumerate(arguments):
            uc.reg_write(first + number, argument)
        thumb = arm and machine.platform.name != "arm7tdmi"
        link = 0x1000_0000 | thumb
        uc.reg_write(arm_const.UC_ARM_REG_LR if arm else names.UC_RISCV_REG_RA, link)
        top = stack.start + stack.size
        uc.reg_write(arm_const.UC_ARM_REG_SP if arm else names.UC_RISCV_REG_SP, top - top % 16)
        uc.emu_start(machine.symbol(function) | thumb, 0x1000_0000)
        self.result = uc.reg_read(first)

    def _instruction(self, uc: object, address: int, size: int, _: object) -> None:
        self.executed[address] += 1

    def _access(
        self, uc: object, kind: int, address: int, size: int, value: int, _: object
    ) -> None:
        self.accesses.append((kind == unicorn.UC_MEM_WRITE, address, size))


@pytest.mark.parametrize("name", list(ENGINES))
@pytest.mark.parametrize("function", ["short_blocks", "calls", "conditions", "copies"])
def test_counts_are_those_of_hooks_on_every_instruction(
    load: Load, name: str, function: str
) -> None:
    machine = load(name)
    at = machine.reserve(256)
    arguments = [at, 37, 0x1234_5678]
    expected = Reference(machine, function, arguments)
    got = machine.call(function, *arguments, record=True)
    records = list(struct.iter_unpack("<IHH", machine.records()))
    # Unicorn calls no hook at an instruction that IT skips.
    times, under_it = executed(machine, got), skipped(got) if name == "cortex-m3" else Counter()
    assert times - under_it == expected.executed
    assert got.instructions == times.total()
    assert got.result == expected.result
    assert got.loads == sum(not store for store, _, _ in expected.accesses)
    assert got.stores == sum(store for store, _, _ in expected.accesses)
    accesses = [(kind == 2, address, size) for address, size, kind in records if kind]
    assert accesses == expected.accesses
    assert Counter(a for a, _, kind in records if kind == 0) == times
    assert sum(got.profile.accesses.values()) == len(accesses)


# --- the profile


@pytest.mark.parametrize("name", PLATFORMS)
def test_paths_chain(load: Load, name: str) -> None:
    machine = load(name)
    got = machine.call("short_blocks", machine.reserve(256), 50, 1)
    paths = got.profile.paths
    entered: Counter[tuple[int, int, int]] = Counter()
    left: Counter[tuple[int, int, int]] = Counter()
    for (a, b, c, d), times in paths.items():
        left[a, b, c] += times
        entered[b, c, d] += times
    begin = [triple for triple in left if triple[0] == triple[1] == NONE]
    end = [triple for triple in entered if triple[2] == NONE]
    assert [left[triple] for triple in begin] == [1]
    assert [entered[triple] for triple in end] == [1]
    assert left - entered == Counter(begin)
    assert entered - left == Counter(end)
    assert all(this != NONE for _, _, this, _ in paths)
    assert {block for path in paths for block in path} - {NONE} == set(
        range(len(got.profile.blocks))
    )


@pytest.mark.parametrize("name", PLATFORMS)
def test_memory_tracing_changes_nothing_else(load: Load, name: str) -> None:
    machine = load(name)
    at = machine.reserve(256)
    bare = machine.call("short_blocks", at, 20, 1, memory=False)
    machine.write(at, bytes(256))
    full = machine.call("short_blocks", at, 20, 1)
    assert (bare.loads, bare.stores, bare.profile.accesses) == (0, 0, {})
    assert full.loads > 0 < full.stores
    assert bare.instruction_trace == full.instruction_trace
    assert bare.profile.blocks == full.profile.blocks
    assert bare.profile.paths == full.profile.paths
    assert (bare.stack_bytes, bare.instructions) == (full.stack_bytes, full.instructions)


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m3"])
def test_every_condition_under_all_flags(load: Load, name: str) -> None:
    """Bit n of the result: the n-th conditional instruction, an OR, was executed."""
    machine = load(name)
    for flags in range(16):
        got = machine.call("all_conditions", flags << 28)
        failed = skipped(got)
        addresses = sorted(executed(machine, got))
        decoded = decode_blocks(machine.code, got.profile.blocks, machine.platform.isa)
        ors = [a for a in addresses if decoded[a].conditional and decoded[a].name == "orr"]
        assert len(ors) == 14
        assert got.result == sum(1 << n for n, a in enumerate(ors) if a not in failed)
        assert set(failed) <= set(ors)


def test_it_block_of_four(load: Load) -> None:
    machine = load("cortex-m3")
    traces = set()
    for value, (result, failures) in {5: (3, 2), 6: (12, 2)}.items():
        got = machine.call("it_block", value)
        assert (got.result, skipped(got).total()) == (result, failures)
        assert got.instructions == 8
        traces.add(got.instruction_trace)
    assert len(traces) == 2


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("arm7tdmi", "branch_on"),
        ("cortex-m0plus", "branch_on"),
        ("cortex-m3", "branch_on_wide"),
        ("rv32i", "branch_on"),
        ("rv32im-e31", "branch_on_short"),
    ],
)
def test_branch_to_the_next_instruction(load: Load, name: str, function: str) -> None:
    machine = load(name)
    not_taken, taken = (machine.call(function, value) for value in (0, 1))
    assert not_taken.instructions == taken.instructions
    assert executed(machine, not_taken) == executed(machine, taken)
    assert skipped(not_taken).total() == 1
    assert skipped(taken).total() == 0
    assert not_taken.instruction_trace != taken.instruction_trace


def least(value: int, *, signed: bool) -> int:
    if signed and value >> 31:
        value ^= 0xFFFF_FFFF
    return max(1, (value.bit_length() + 7) // 8)


VALUES = (0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000, 0x7FFF_FFFF)


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m0plus", "cortex-m3", "rv32im-e31"])
def test_operands_of_multiplies(load: Load, name: str) -> None:
    machine = load(name)
    for value in (*VALUES, *(0xFFFF_FFFF - value for value in VALUES)):
        got = machine.call("multiply", 3, value)
        assert got.result == 3 * value % 2**32
        ((_, unsigned, signed),) = got.profile.operands
        assert unsigned == least(value, signed=False)
        assert signed == least(value, signed=True)


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m3"])
def test_multiply_that_was_not_executed_is_not_counted(load: Load, name: str) -> None:
    machine = load(name)
    assert sum(machine.call("multiply_if", 1, 5).profile.operands.values()) == 2
    assert sum(machine.call("multiply_if", 0, 5).profile.operands.values()) == 1


@pytest.mark.parametrize("name", PLATFORMS)
def test_accesses_by_instruction_and_region(load: Load, name: str) -> None:
    machine = load(name)
    got = machine.call("copies", machine.reserve(64), 8, 0)
    regions: Counter[tuple[str, str]] = Counter()
    for (address, kind, region), times in got.profile.accesses.items():
        regions[kind, region] += times
        assert address in executed(machine, got)
    assert regions["load", "flash"] >= 8
    assert regions["store", "ram"] >= 8
    assert regions["store", "flash"] == 0
    assert regions["load", "flash"] + regions["load", "ram"] == got.loads


@pytest.mark.parametrize("name", ["arm7tdmi", "cortex-m0plus", "cortex-m3"])
def test_a_multiple_load_counts_each_word(load: Load, name: str) -> None:
    machine = load(name)
    at = machine.reserve(64)
    got = machine.call("load_many", at)
    assert (got.loads, got.stores) == (4, 4)
    assert set(got.profile.accesses.values()) == {4}


def test_double_words_count_twice(load: Load) -> None:
    machine = load("cortex-m3")
    got = machine.call("load_double", machine.reserve(16))
    assert (got.loads, got.stores) == (2, 2)


def test_swap_loads_and_stores(load: Load) -> None:
    machine = load("arm7tdmi")
    at = machine.reserve(4)
    machine.write(at, b"\1\2\3\4")
    got = machine.call("swap", at, 7)
    assert (got.result, got.loads, got.stores) == (0x0403_0201, 1, 1)
    assert machine.read(at, 4) == b"\7\0\0\0"


# --- digests


@pytest.mark.parametrize("name", PLATFORMS)
def test_digests_tell_runs_apart(load: Load, name: str) -> None:
    machine = load(name)
    one, other = machine.reserve(256), machine.reserve(256)
    first, again, elsewhere, longer = (
        machine.call("copies", at, count, 0)
        for at, count in ((one, 8), (one, 8), (other, 8), (one, 9))
    )
    assert (first.instruction_trace, first.address_trace) == (
        again.instruction_trace,
        again.address_trace,
    )
    assert first.profile == again.profile
    assert elsewhere.instruction_trace == first.instruction_trace
    assert elsewhere.address_trace != first.address_trace
    assert longer.instruction_trace != first.instruction_trace
    fresh = load(name)
    fresh.call("short_blocks", fresh.reserve(256), 3, 1)
    fresh.release()
    assert fresh.call("copies", fresh.reserve(256), 8, 0) == first


# --- calls


@pytest.mark.parametrize("name", PLATFORMS)
def test_many_arguments_and_kept_memory(load: Load, name: str) -> None:
    machine = load(name)
    values = [(1 << number) + number for number in range(12)]
    got = machine.call("twelve", *values)
    assert got.result == sum(value * (n + 1) for n, value in enumerate(values)) % 2**32
    assert [machine.call("counter").result for _ in range(3)] == [1, 2, 3]
    assert machine.call("twelve", *[-1] * 12).result == -78 % 2**32


@pytest.mark.parametrize("name", PLATFORMS)
def test_stack_bytes(load: Load, name: str) -> None:
    machine = load(name)
    assert machine.call("leaf").stack_bytes == 0
    assert machine.call("frame").stack_bytes == 96  # 64 of it are never touched
    deep = [machine.call("recurse", depth).stack_bytes for depth in (1, 2, 9)]
    assert deep[2] - deep[0] == 8 * (deep[1] - deep[0]) > 0


@pytest.mark.parametrize("name", PLATFORMS)
def test_stack_overflow(load: Load, name: str) -> None:
    with pytest.raises(MachineError, match=r"^the stack needs more than its \d+ bytes; .*recurse"):
        load(name).call("recurse", 1_000_000)


def test_loading_pc_does_not_change_state_on_armv4t(load: Load) -> None:
    machine = load("arm7tdmi")
    assert machine.call("pop_odd_pc").result == 42
    assert machine.call("via_thumb", 20).result == 41
    assert not machine.is_thumb
    assert machine.thumb_at(machine.symbol("in_thumb") & ~1)
    assert not machine.thumb_at(machine.symbol("via_thumb"))


def test_code_that_is_written_over_is_translated_anew(load: Load) -> None:
    machine = load("cortex-m3")
    leaf, other = (machine.symbol(name) & ~1 for name in ("leaf", "leaf2"))
    assert machine.call("leaf").result == 1
    machine.write(leaf, machine.read(other, 4))
    assert machine.call("leaf").result == 2


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_failure_leaves_the_machine_usable(load: Load, name: str) -> None:
    machine = load(name)
    before = machine.call("leaf")
    with pytest.raises(MachineError):
        machine.call("read_at", 0xFFFF_0000)
    assert machine.call("leaf") == before


# --- failures

FAILURES: tuple[tuple[tuple[str, ...], str, list[int], str], ...] = (
    (PLATFORMS, "forever", [], r"did not return within 1000 instructions; at 0x\w+ \(forever\+"),
    (PLATFORMS, "read_at", [0xE000_0000], r"^read outside of memory: .* reads 0xe0000000$"),
    (PLATFORMS, "write_at", [0xE000_0000], r"^write outside of RAM: .* writes 0xe0000000$"),
    (PLATFORMS, "jump_to", [0xE000_0001], r"^execution left the code: 0xe000000[01] is not"),
    (PLATFORMS, "system", [], r" call: nothing handles it here; '(svc|ecall).*' at 0x\w+ \(system"),
    (
        ("arm7tdmi", "cortex-m0plus"),
        "read_at",
        [0x6000_0002],
        r"^unaligned access: 'ldr.* at 0x600",
    ),
    (("arm7tdmi", "cortex-m0plus"), "write_at", [0x6000_0001], r"takes 4 bytes at 0x60000001$"),
    (("cortex-m3",), "wait", [], r"^the processor waits for an interrupt; at 0x\w+ \(wait\+"),
    (("arm7tdmi", "cortex-m0plus", "rv32i"), "too_new", [], r"^the processor has no instruction"),
)


@pytest.mark.parametrize(
    ("name", "function", "arguments", "message"),
    [(name, *rest) for names, *rest in FAILURES for name in names],
)
def test_failures_name_instruction_and_address(
    load: Load, name: str, function: str, arguments: list[int], message: str
) -> None:
    with pytest.raises(MachineError, match=message):
        load(name).call(function, *arguments, limit=1000)


def test_flash_cannot_be_written(load: Load) -> None:
    machine = load("cortex-m3")
    flash = machine.platform.memory("flash").start + 0x100
    with pytest.raises(MachineError, match=r"^write outside of RAM: 'str"):
        machine.call("write_at", flash)


def test_unaligned_access_is_fine_where_the_processor_makes_it(load: Load) -> None:
    machine = load("cortex-m3")
    at = machine.reserve(8192)
    page = -(-at // 4096) * 4096 + 4096
    for address in (at + 1, page - 2):
        machine.write(address, b"\1\2\3\4")
        got = machine.call("read_at", address)
        assert (got.result, got.loads) == (0x0403_0201, 1)


def test_unknown_symbol_and_foreign_files(load: Load, elves: dict[str, Path]) -> None:
    with pytest.raises(ValueError, match="no symbol 'nothing'"):
        load("cortex-m3").call("nothing")
    with pytest.raises(ValueError, match="not a program for rv32i"):
        Machine(elves["cortex-m3"], platform_named("rv32i"))
    with pytest.raises(ValueError, match="runs on the host"):
        Machine(elves["cortex-m3"], platform_named("x86-64"))


# --- the object


def test_without_the_object_the_command_that_builds_it_is_named(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = load("cortex-m3")
    monkeypatch.setattr("aesfit.rigs.tracer.shared_object.built", lambda: None)
    native.library.cache_clear()
    with pytest.raises(RigUnavailableError, match=r"build it with: python -m aesfit.rigs.tracer$"):
        machine.call("leaf")
    monkeypatch.undo()
    native.library.cache_clear()
    assert machine.call("leaf").result == 1


def test_the_object_is_built_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "aesfit.rigs.tracer.shared_object._folders",
        lambda: (tmp_path / "absent", tmp_path / "cache"),
    )
    made = build()
    assert made.parent == tmp_path / "cache"
    assert made.read_bytes()[:4] == b"\x7fELF"
    assert build() == made
    monkeypatch.setenv("CC", "no-such-compiler")
    made.unlink()
    with pytest.raises(RigUnavailableError, match="no 'no-such-compiler'; install one with: apt"):
        build()
