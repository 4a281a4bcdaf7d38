# SPDX-License-Identifier: MIT
"""Calls on emulated processors: arguments, stack, states, failures; the tracer's object."""

import subprocess
from pathlib import Path

import pytest
import unicorn
from tracer_machines import PLATFORMS, linked, load

from aesfit.platforms import platform_named
from aesfit.rigs.machine import Machine, MachineError
from aesfit.rigs.rig import RigUnavailableError
from aesfit.rigs.tracer import build, native
from aesfit.rigs.tracer.shared_object import sources

# --- calls


@pytest.mark.parametrize("name", PLATFORMS)
def test_many_arguments_and_kept_memory(name: str) -> None:
    machine = load(name)
    values = [(1 << number) + number for number in range(12)]
    got = machine.call("twelve", *values)
    assert got.result == sum(value * (n + 1) for n, value in enumerate(values)) % 2**32
    assert [machine.call("counter").result for _ in range(3)] == [1, 2, 3]
    assert machine.call("twelve", *[-1] * 12).result == -78 % 2**32


@pytest.mark.parametrize("name", PLATFORMS)
def test_stack_bytes(name: str) -> None:
    machine = load(name)
    assert machine.call("leaf").stack_bytes == 0
    assert machine.call("frame").stack_bytes == 96  # 64 of it are never touched
    deep = [machine.call("recurse", depth).stack_bytes for depth in (1, 2, 9)]
    assert deep[2] - deep[0] == 8 * (deep[1] - deep[0]) > 0


@pytest.mark.parametrize("name", PLATFORMS)
def test_stack_overflow(name: str) -> None:
    with pytest.raises(MachineError, match=r"^the stack needs more than its \d+ bytes; .*recurse"):
        load(name).call("recurse", 1_000_000)


def test_loading_pc_does_not_change_state_on_armv4t() -> None:
    machine = load("arm7tdmi")
    assert machine.call("pop_odd_pc").result == 42
    assert machine.call("via_thumb", 20).result == 41
    assert not machine.is_thumb
    assert machine.thumb_at(machine.symbol("in_thumb") & ~1)
    assert not machine.thumb_at(machine.symbol("via_thumb"))


def test_code_that_is_written_over_is_translated_anew() -> None:
    machine = load("cortex-m3")
    leaf, other = (machine.symbol(name) & ~1 for name in ("leaf", "leaf2"))
    assert machine.call("leaf").result == 1
    machine.write(leaf, machine.read(other, 4))
    assert machine.call("leaf").result == 2


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_failure_leaves_the_machine_usable(name: str) -> None:
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
    (("rv32im-e31", "rv32i"), "read_at", [0x6000_0002], r"^unaligned access: '(c.)?lw.*0x600"),
    (("cortex-m3",), "load_many", [0x6000_0002], r"^unaligned access: 'ldm.* takes 4 bytes at"),
    (("cortex-m3",), "load_double", [0x6000_0002], r"^unaligned access: 'ldrd"),
    (("cortex-m3",), "wait", [], r"^the processor waits for an interrupt; at 0x\w+ \(wait\+"),
    (("arm7tdmi", "cortex-m0plus", "rv32i"), "too_new", [], r"^the processor has no instruction"),
)


@pytest.mark.parametrize(
    ("name", "function", "arguments", "message"),
    [(name, *rest) for names, *rest in FAILURES for name in names],
)
def test_failures_name_instruction_and_address(
    name: str, function: str, arguments: list[int], message: str
) -> None:
    with pytest.raises(MachineError, match=message):
        load(name).call(function, *arguments, limit=1000)


def test_flash_cannot_be_written() -> None:
    machine = load("cortex-m3")
    flash = machine.platform.memory("flash").start + 0x100
    with pytest.raises(MachineError, match=r"^write outside of RAM: 'str"):
        machine.call("write_at", flash)


def test_unaligned_access_is_fine_where_the_processor_makes_it() -> None:
    machine = load("cortex-m3")
    at = machine.reserve(8192)
    page = -(-at // 4096) * 4096 + 4096
    for address in (at + 1, page - 2):
        machine.write(address, b"\1\2\3\4")
        got = machine.call("read_at", address)
        assert (got.result, got.loads) == (0x0403_0201, 1)


def test_unknown_symbol_and_foreign_files() -> None:
    with pytest.raises(ValueError, match="no symbol 'nothing'"):
        load("cortex-m3").call("nothing")
    with pytest.raises(ValueError, match="not a program for rv32i"):
        Machine(linked("cortex-m3"), platform_named("rv32i"))
    with pytest.raises(ValueError, match="runs on the host"):
        Machine(linked("cortex-m3"), platform_named("x86-64"))


# --- the object


def test_without_the_object_the_command_that_builds_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = load("cortex-m3")
    monkeypatch.setattr("aesfit.rigs.tracer.shared_object.built", lambda: None)
    native.library.cache_clear()
    with pytest.raises(RigUnavailableError, match=r"build it with: \S+ -m aesfit.rigs.tracer$"):
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


def test_the_sources_have_no_warnings() -> None:
    """In the project; a newer compiler must not stop who installs it."""
    include = Path(str(unicorn.__file__)).parent / "include"
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]
    units = [str(path) for path in sources() if path.suffix == ".c"]
    command = ["gcc", "-std=c11", "-fsyntax-only", *strict, "-isystem", str(include), *units]
    subprocess.run(command, check=True)
