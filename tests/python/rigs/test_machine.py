# SPDX-License-Identifier: MIT
"""Calls on emulated processors: arguments, stack, states, failures; the tracer's object."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import unicorn
from tracer_machines import PLATFORMS, linked, load

import aesfit
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.machine import Machine, MachineError
from aesfit.rigs.emulator.tracer import build, shared_object, why_not
from aesfit.rigs.emulator.tracer.shared_object import sources
from aesfit.rigs.rig import RigUnavailableError

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
        # At an odd address a byte, a half-word and a byte; else two half-words (DDI 0337I 3.3.2).
        assert [splits for _, splits in got.profile.unaligned] == [2 if address % 2 else 1]


def test_unknown_symbol_and_foreign_files() -> None:
    with pytest.raises(ValueError, match="no symbol 'nothing'"):
        load("cortex-m3").call("nothing")
    with pytest.raises(ValueError, match="not a program for rv32i"):
        Machine(linked("cortex-m3"), platform_named("rv32i"))
    with pytest.raises(ValueError, match="runs on the host"):
        Machine(linked("cortex-m3"), platform_named("x86-64"))


# --- the object


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder without the object, and a process that has not looked for it yet."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    build.cache_clear()
    yield tmp_path / "cache"
    build.cache_clear()


def test_the_object_is_built_into_the_cache_with_one_sentence(
    empty_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = sorted(Path(str(aesfit.__file__)).parent.rglob("*"))
    made = build()
    assert empty_cache in made.parents
    assert made.read_bytes()[:4] == b"\x7fELF"
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "aesfit: the emulator's tracer is built once, into the cache folder\n"
    build.cache_clear()
    assert build() == made
    assert capsys.readouterr().err == ""
    assert sorted(Path(str(aesfit.__file__)).parent.rglob("*")) == package


def test_the_object_belongs_to_compiler_and_unicorn(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_object, "_compile", lambda target: target.write_bytes(b"object"))
    made = {build()}
    for name in ("rigs.native_object.compiler_line", "store.closure.package_version"):
        with monkeypatch.context() as patch:
            patch.setattr(f"aesfit.{name}", lambda _: "another version")
            build.cache_clear()
            made.add(build())
    assert len(made) == 3


BUILD = """
import ctypes, sys
from aesfit.rigs.emulator.tracer import build
sys.stdin.readline()  # until every process is there
print(build())
ctypes.CDLL(str(build())).aesfit_tracer_open
"""


def test_several_processes_build_it_at_once(empty_cache: Path) -> None:
    command = [sys.executable, "-c", BUILD]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    several = [subprocess.Popen(command, text=True, **pipes) for _ in range(2)]  # type: ignore[call-overload]
    for one in several:
        one.stdin.write("\n")
        one.stdin.flush()
    told = {one.communicate()[0] for one in several}
    assert {one.returncode for one in several} == {0}
    assert told == {f"{build()}\n"}
    assert [path.suffix for path in build().parent.iterdir()].count(".so") == 1


def test_what_stops_the_build_is_said(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("CC", "no-such-compiler")
        assert str(why_not()).endswith(
            "no 'no-such-compiler'; install one with: sudo apt-get install gcc"
        )
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(RigUnavailableError, match=r"cannot be written .*export AESFIT_CACHE=FOLD"):
        build()


def test_the_sources_have_no_warnings() -> None:
    """In the project; a newer compiler must not stop who installs it."""
    include = Path(str(unicorn.__file__)).parent / "include"
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]
    units = [str(path) for path in sources() if path.suffix == ".c"]
    command = ["gcc", "-std=c11", "-fsyntax-only", *strict, "-isystem", str(include), *units]
    subprocess.run(command, check=True)
