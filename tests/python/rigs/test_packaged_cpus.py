# SPDX-License-Identifier: MIT
"""Ibex and CV32E40P in their own Verilog, which Python packages bring.

Cycles are those of the processors' manuals and of their own counter, mcycle.
"""

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aesfit.building import build
from aesfit.catalog import MODES
from aesfit.counting.arguments import parse
from aesfit.counting.count import count
from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring.measure import cores_for
from aesfit.platforms import packaged
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.names import BLOCK_OPS
from aesfit.platforms.packaged import PACKAGED
from aesfit.platforms.platform import Platform, counted
from aesfit.rigs import rig_of, why_not
from aesfit.rigs.emulator.machine import MachineError
from aesfit.rigs.firing import firing_of
from aesfit.rigs.rtl.soc.machine import SocMachine
from aesfit.rigs.rtl.soc.simulator import sources_sha256

HERE = [one for one in platforms() if one.cpu in PACKAGED]
SMALL, MAXPERF, CV32E40P = map(platform_named, ("ibex-small", "ibex-maxperf", "cv32e40p"))
BALANCED = [platform_named(f"{one.name}-b") for one in (SMALL, MAXPERF)]
"""Ibex with bit manipulation."""
Loaded = Callable[..., SocMachine]

pytestmark = [
    pytest.mark.slow,  # one more simulation to build
    pytest.mark.skipif(why_not(SMALL) is not None, reason=str(why_not(SMALL))),
]


@pytest.fixture
def some() -> list[Platform]:
    """The processors of a test."""
    return HERE


def measured(job: Job) -> Row:
    return rig_of(job.platform).measure([job], lambda done, total: None)[0]


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    """A machine with a function f of that assembly."""

    def load(platform: Platform, assembly: str, wait: int = 0, march: str = "rv32im") -> SocMachine:
        (tmp_path / "f.s").write_text(f".option norelax\n.globl f\nf:\n{assembly}\nret\n")
        command = ["riscv64-unknown-elf-gcc", f"-march={march}_zicsr", "-mabi=ilp32", "-nostdlib"]
        link = ["-Wl,-Ttext=0x40000100,-e,f", "f.s", "-o", "f.elf"]
        subprocess.run([*command, *link], check=True, cwd=tmp_path)
        return SocMachine(tmp_path / "f.elf", platform, wait, "cold")

    return load


def cycles(machine: SocMachine, *arguments: int) -> int:
    found = machine.call("f", *arguments).cycles
    machine.close()
    return found


def added(
    loaded: Loaded, platform: Platform, assembly: str, wait: int = 0, march: str = "rv32im"
) -> int:
    """Cycles of a snippet between instructions that wait for nothing."""
    around = "nop\nnop\n{}\nnop\nnop"
    whole, bare = (around.format(some) for some in (assembly, ""))
    buffer = 0x4004_0000
    return cycles(loaded(platform, whole, wait, march), buffer) - cycles(
        loaded(platform, bare, wait, march), buffer
    )


# --- cycles of the manuals: Ibex, "Multi- and Single-Cycle Instructions"; CV32E40P, "Cycle counts
# per instruction type" and "Hazards"

TAKEN, NOT_TAKEN = "beq x0, x0, 1f\nnop\n1:", "bne x0, x0, 1f\n1:"
TABLE = [
    # assembly, Ibex small, CV32E40P; Ibex maxperf where the manual has it
    ("add x5, x6, x7", 1, 1, 1),
    ("lw x5, 0(a0)", 2, 1, None),
    ("lw x5, 0(a0)\nadd x6, x5, x5", 3, 3, None),
    ("sw x5, 0(a0)", 2, 1, None),
    ("mul x5, x6, x7", 3, 1, 1),
    ("mulhu x5, x6, x7", 4, 5, 2),
    ("li x5, 3\ndivu x6, x7, x5", 1 + 37, None, 1 + 37),
    ("divu x6, x7, x0", 2, 35, 2),
    ("li x5, 0x80000000\ndivu x6, x7, x5", 1 + 37, 1 + 3, 1 + 37),
    ("j 1f\nnop\n1:", 2, 2, 2),
    (TAKEN, 3, 3, 2),
    (NOT_TAKEN, 1, 1, 1),
]


@pytest.mark.parametrize(("assembly", "small", "cv32e40p", "maxperf"), TABLE)
def test_instructions_take_what_the_manual_says(
    loaded: Loaded, some: list[Platform], assembly: str, small: int,
    cv32e40p: int | None, maxperf: int | None,
) -> None:  # fmt: skip
    cycles = {SMALL: small, CV32E40P: cv32e40p, MAXPERF: maxperf}
    for platform in some:
        wanted = cycles[platform_named(platform.name.removesuffix("-b"))]
        if wanted is not None:
            assert added(loaded, platform, assembly) == wanted, platform.name


# Ibex, "Bit-Manipulation Extension": Zba, Zbb and Zbs in one cycle, rotations in two
MARCH = "rv32im_zba_zbb_zbs"
MANIPULATIONS = [
    *(f"sh{n}add x5, x6, x7" for n in (1, 2, 3)),
    *("andn x5, x6, x7\norn x6, x5, x7\nxnor x7, x6, x5", "min x5, x6, x7\nmaxu x6, x5, x7"),
    *("clz x5, x6\nctz x6, x5\ncpop x7, x6", "sext.b x5, x6\nzext.h x6, x5", "rev8 x5, x6"),
    *("bclr x5, x6, x7\nbexti x6, x5, 3\nbinvi x7, x6, 4\nbset x5, x6, x7", "orc.b x5, x6"),
]
ROTATIONS = [
    "rol x5, x6, x7",
    "ror x5, x6, x7\nrori x6, x5, 8",
    "lw x6, 0(a0)\nnop\nrori x5, x6, 1",
]


def test_rotations_take_two_cycles_and_other_bit_manipulations_one(loaded: Loaded) -> None:
    for platform in BALANCED:
        for text in MANIPULATIONS:
            assert added(loaded, platform, text, march=MARCH) == 1 + text.count("\n")
        for text in ROTATIONS:
            plain = re.sub("ro[lr].*", "add x5, x6, x6", text)
            more = added(loaded, platform, text, march=MARCH) - added(loaded, platform, plain)
            assert more == len(re.findall("ro[lr]", text))


def test_bit_manipulation_is_there_where_the_platform_says_so(
    loaded: Loaded, some: list[Platform]
) -> None:
    rotate = "rori a0, a0, 4"
    for platform in some:
        machine = loaded(platform, rotate, march=MARCH)
        if platform in BALANCED:
            assert machine.call("f", 0x12).result == 0x2000_0001
        else:
            with pytest.raises(MachineError, match="the processor trapped"):
                machine.call("f", 0x12)
        machine.close()


@pytest.mark.parametrize("core", ["ttable4", "fixslice", "sbox_columns"])
def test_bit_manipulation_saves_instructions_and_fewer_cycles(core: str) -> None:
    """Each rotation that takes the place of three instructions costs two cycles."""
    for platform in BALANCED:
        plain = platform_named(platform.name.removesuffix("-b"))
        rows = [measured(Job(one, core, 128, "encrypt-block")) for one in (plain, platform)]
        done = [one.instructions for one in rows]
        assert done[0] is not None
        assert done[1] is not None
        assert 0 < rows[0].cycles - rows[1].cycles <= done[0] - done[1]


def test_windows_have_the_cycles_of_the_processors_own_counter(
    loaded: Loaded, some: list[Platform]
) -> None:
    """Read before and after; mcountinhibit lets mcycle of CV32E40P run."""
    body = "lw x5, 0(a0)\nadd x5, x5, x5\nsw x5, 0(a0)\nmul x6, x5, x5\nbeqz x0, 1f\nnop\n1:"
    read = "csrw 0x320, x0\ncsrr t5, mcycle\n{}\ncsrr t6, mcycle\nsub a0, t6, t5"
    for platform in some:
        machines = [loaded(platform, read.format(one)) for one in (body, "")]
        calls = [one.call("f", 0x4004_0000) for one in machines]
        assert calls[0].cycles - calls[1].cycles == calls[0].result - calls[1].result > 5


# --- memory


def test_code_and_data_do_not_wait_for_each_other(loaded: Loaded) -> None:
    """With one port each load would take a fetch's turn: two cycles for each."""
    for platform in (MAXPERF, CV32E40P):
        assert added(loaded, platform, "lw x5, 0(a0)\nlw x6, 4(a0)\nsw x7, 8(a0)\n" * 20) == 60


def test_each_wait_state_is_a_cycle_of_every_fetch(loaded: Loaded, some: list[Platform]) -> None:
    """A full instruction is a fetch; accesses, which are fewer, wait beside them."""
    for platform in some:
        for wait in (1, 2, 5):
            assert added(loaded, platform, "add x5, x6, x7\n" * 40, wait) == 40 * (1 + wait)


def test_wait_states_cost_at_least_what_fetches_wait(some: list[Platform]) -> None:
    for platform in some:
        base = Job(platform, "transposed", 128, "encrypt-block")
        done = [measured(replace(base, placement=Placement(wait))) for wait in range(3)]
        for wait, row in enumerate(done):
            assert row.instructions is not None
            assert row.cycles >= row.instructions * (1 + wait)
        assert done[0].cycles < done[1].cycles < done[2].cycles
        assert "0 wait states, a port for code and another for data" in done[0].provenance.memory


# --- AES


def test_every_core_computes_aes(some: list[Platform]) -> None:
    """The rig compares each output with the host's, and instructions with the emulator's."""
    for platform in some:
        cores = [core.name for core in cores_for(platform)]
        for core in cores:
            for op in BLOCK_OPS:
                row = measured(Job(platform, core, 128, op))
                assert row.instructions is not None
                assert row.cycles > row.instructions > 20


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_counts_what_its_rules_count(mode: str, some: list[Platform]) -> None:
    """Multiplications by GHASH are among them."""
    for platform in some:
        key_bits = MODES[mode].key_bits[-1]
        job = Job(platform, "ttable4", key_bits, "message", mode, 48)
        assert measured(job).cycles == measured(replace(job, platform=counted(platform))).cycles


def test_compressed_code_takes_less_flash_and_other_cycles() -> None:
    platform = BALANCED[0]
    job = Job(platform, "transposed", 128, "encrypt-block")
    flags = (*platform.compiler.optimise, "-march=rv32imc")
    plain, compact = measured(job), measured(replace(job, flags=flags))
    assert compact.code_bytes < plain.code_bytes
    assert compact.instructions == plain.instructions
    assert compact.cycles == measured(replace(job, platform=counted(platform), flags=flags)).cycles


def test_count_takes_compressed_code(tmp_path: Path, some: list[Platform]) -> None:
    (tmp_path / "f.s").write_text(
        ".globl f\n.type f, @function\nf: c.addi a0, 1\nadd a1, a0, a0\nc.jr ra\n"
    )
    command = ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "-c", "f.s"]
    subprocess.run([*command, "-o", "f.o"], check=True, cwd=tmp_path)
    for platform in some:
        done = count(platform, [tmp_path / "f.o"], "f", parse([]))
        assert done.runs[0] == count(counted(platform), [tmp_path / "f.o"], "f", parse([])).runs[0]


def test_figures_repeat_and_calls_follow_each_other(some: list[Platform]) -> None:
    for platform in some:
        job = Job(platform, "ttable1", 128, "encrypt-block")
        assert measured(job) == measured(job)
        machine = SocMachine(build.build(job).elf, platform, 0, "kept")
        first, second = (firing_of(job).fire(machine, number) for number in range(2))
        machine.close()
        assert [one.instructions for one in first] == [one.instructions for one in second]


# --- refusals


def test_calls_that_do_not_return_are_told(loaded: Loaded, some: list[Platform]) -> None:
    for platform in some:
        with pytest.raises(MachineError, match=r"did not return within 1000 cycles; last at 0x4"):
            loaded(platform, "1: j 1b").call("f", limit=1000)
        with pytest.raises(MachineError, match="trapped or left its memory at 0x10000000"):
            loaded(platform, "lui a0, 0x10000\nlw a0, 0(a0)").call("f")
        with pytest.raises(MachineError, match="the processor trapped or left its memory"):
            loaded(platform, ".word 0").call("f")
        with pytest.raises(MachineError, match="the processor trapped or left its memory"):
            loaded(platform, "lui t1, 0x50000\njr t1").call("f")


@pytest.mark.parametrize("platform", HERE, ids=[one.name for one in HERE])
def test_a_missing_package_is_one_sentence(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    cpu = str(platform.cpu)
    gone = replace(PACKAGED[cpu], module="pythondata_cpu_nothing")
    name = PACKAGED[cpu].module.replace("_", "-")
    monkeypatch.setattr(packaged, "missing", lambda what, modules: f"{what} needs {modules[0]}")
    assert why_not(platform) == f"the Verilog of {cpu} needs {PACKAGED[cpu].module}"
    monkeypatch.undo()
    monkeypatch.setattr("aesfit.extras.find_spec", lambda name: None)
    assert why_not(platform) == (
        f"the Verilog of {cpu} needs the Python package {name}; "
        "install with: pip install 'aesfit[processors]'"
    )
    with pytest.raises(ModuleNotFoundError):
        _ = gone.folder


def test_every_file_and_choice_of_a_processor_is_in_its_digest() -> None:
    digests = {cpu: sources_sha256(cpu) for cpu in PACKAGED}
    assert len(set(digests.values())) == len(PACKAGED)
    for one in PACKAGED.values():
        names = {path.name for path in one.files}
        assert {Path(name).name for name in one.first} <= names
        assert len(names) > 25
