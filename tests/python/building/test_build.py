# SPDX-License-Identifier: MIT
"""Images: what they hold, that their sizes add up, and that the cache goes by content."""

import ctypes
import re
import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from few import slow_but

from aesfit.building import build, linker, sources
from aesfit.catalog import MODES, core_named, cores
from aesfit.jobs import message
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job, Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

ARM, THUMB, RISCV = "arm7tdmi", "cortex-m3", "rv32i"
PEDANTIC = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

pytestmark = pytest.mark.skipif(
    not all(shutil.which(c) for c in ("arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "gcc")),
    reason="no cross-compiler: apt-get install gcc-arm-none-eabi gcc-riscv64-unknown-elf",
)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of a test's own."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))


def job_of(
    core: str, op: str, mode: str | None = None, size: int | None = None, on: str = THUMB
) -> Job:
    return Job(platform_named(on), core, 128, op, mode, size)


def sections(elf: Path) -> dict[str, tuple[int, int]]:
    """Address and size of every section that takes memory."""
    with elf.open("rb") as stream:
        every = ELFFile(stream).iter_sections()
        return {s.name: (s["sh_addr"], s["sh_size"]) for s in every if s["sh_flags"] & 2}


def symbols(elf: Path) -> dict[str, tuple[int, int]]:
    """Address and size of every function and object."""
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {
            s.name: (s["st_value"] & ~1, s["st_size"])
            for s in table.iter_symbols()
            if s["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT")
        }


RUN_ON = {
    core.name: places
    for core in cores()
    if (places := [on for on in (ARM, THUMB, RISCV) if not lacks(core, platform_named(on))])
}
QUICK = {(core, on[at % len(on)]) for at, (core, on) in enumerate(RUN_ON.items()) if at % 3 == 0}
"""Each third core once, on one platform after the other."""


BORROWED = {
    ("fixslice_4k_armv7m", "decrypt"): ["fixslice_4k_armv7m_encrypt_blocks"],
}
"""What a direction links of the other one."""


@pytest.mark.parametrize(
    ("core", "on"), slow_but(QUICK, [(core, on) for core in RUN_ON for on in RUN_ON[core]])
)
def test_sizes_add_up_and_tables_are_the_ones_in_use(core: str, on: str) -> None:
    facts = core_named(core)
    for direction, other in (("encrypt", "decrypt"), ("decrypt", "encrypt")):
        image = build.build(job_of(core, f"{direction}-block", on=on))
        sizes, held = image.sizes, symbols(image.elf)
        total = sum(size for _, size in sections(image.elf).values())
        assert sizes.code_bytes + sizes.table_bytes + sizes.harness_bytes == total
        in_use = {t.name: t.bytes for t in facts.tables if t.direction != other}
        present = {name: held[name][1] for name in in_use if name in held}
        assert sizes.table_bytes == sum(present.values())
        assert all(in_use[name] == size for name, size in present.items())
        assert present.keys() >= {t.name for t in facts.tables if t.direction == direction}
        left_out = {t.name for t in facts.tables} - in_use.keys()
        assert not left_out & held.keys()
        assert [name for name in held if other in name] == BORROWED.get((core, direction), [])
        assert sizes.context_bytes == 4 + facts.round_key_bytes["128"][direction]


def test_the_measured_function_is_the_cores_own() -> None:
    image = build.build(job_of("transposed", "decrypt-block"))
    held = symbols(image.elf)
    assert held["rig_decrypt_block"] == held["transposed_decrypt"]
    assert held["rig_decrypt_block"][1] > 400


def test_key_set_up_holds_one_key_size() -> None:
    small = build.build(job_of("transposed", "key-setup-encrypt"))
    large = build.build(replace(job_of("transposed", "key-setup-encrypt"), key_bits=256))
    assert "transposed_expand_long" not in symbols(small.elf)
    assert small.sizes.code_bytes < large.sizes.code_bytes
    assert large.sizes.context_bytes == 4 + 240


@pytest.mark.parametrize("op", ["key-setup", "message", "encrypt", "decrypt", "both"])
def test_a_mode_carries_what_its_operation_needs(op: str) -> None:
    job = job_of("transposed_otf", op, "cbc", 64)
    image = build.build(job)
    held = symbols(image.elf)
    assert set(build.entries(job)) <= held.keys()
    assert ("aesfit_cbc_encrypt" in held) == (op in ("message", "encrypt", "both"))
    assert ("aesfit_cbc_decrypt" in held) == (op in ("decrypt", "both"))
    assert image.sizes.context_bytes == 4 + (32 if op == "both" else 16)
    total = sum(size for _, size in sections(image.elf).values())
    sizes = image.sizes
    assert sizes.code_bytes + sizes.table_bytes + sizes.harness_bytes == total


def test_contexts_of_modes_with_more_than_a_key() -> None:
    gcm = build.build(job_of("ttable4", "encrypt", "gcm", 64)).sizes.context_bytes
    xts = build.build(job_of("ttable4", "encrypt", "xts", 64)).sizes.context_bytes
    assert gcm == 4 + 176 + 36
    assert xts == 2 * (4 + 176)


def test_a_core_without_tables_has_one_image() -> None:
    """Wherever tables are asked to be, and on platforms that have them in flash and in RAM."""
    for platform in ("cortex-m3", "rv32im-e31"):
        job = replace(job_of("fixslice", "encrypt-block"), platform=platform_named(platform))
        places = (Placement(), Placement(tables="flash"), Placement(tables="ram"))
        images = [build.build(replace(job, placement=one)) for one in places]
        assert len({one.sha256 for one in images}) == 1


def test_tables_go_where_they_are_asked_to_be() -> None:
    job = job_of("ttable4", "encrypt-block")
    moved = replace(job, placement=Placement(0, "ram"))
    flash, ram = build.build(job), build.build(moved)
    assert linker.tables_region(moved).name == "ram"
    for image, region in ((flash, "flash"), (ram, "ram")):
        memory = job.platform.memory(region)
        start, size = sections(image.elf)[".tables"]
        assert memory.start <= start < start + size <= memory.start + memory.size
    assert flash.sizes == ram.sizes


@pytest.mark.few(one_in=4)
@pytest.mark.parametrize("mode", sources.registered("modes"))
def test_each_mode_builds_without_warnings_everywhere(mode: str, slow: bool) -> None:
    """In quick runs test_cover.py builds it."""
    op = "both" if MODES[mode].verifies else "encrypt"
    job = job_of("sbox_columns", op, mode, 64)
    command = ["gcc", *PEDANTIC, *build.COMMON_FLAGS, *build.include_flags()]
    text = build.unit_source(job)
    done = subprocess.run(
        [*command, "-fsyntax-only", "-x", "c", "-"],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for on in ("cortex-m0", RISCV) if slow else ():
        assert build.build(replace(job, platform=platform_named(on))).sizes.code_bytes > 0


def _buffer(content: bytes) -> "ctypes.Array[ctypes.c_char]":
    return ctypes.create_string_buffer(content, max(1, len(content)))


@pytest.mark.parametrize("mode", slow_but(["cbc_mac", "gcm", "kw"], sources.registered("modes")))
def test_messages_have_their_results(mode: str) -> None:
    """On emulated platforms test_cover.py compares those of every mode."""
    host = platform_named("x86-64")
    if build.why_not(host) or ctypes.sizeof(ctypes.c_void_p) != 8:
        pytest.skip("no 64-bit host")
    op = "both" if MODES[mode].verifies else "encrypt"
    job = Job(host, "transposed", 128, op, mode, 96, ("-O1",))
    library = ctypes.CDLL(str(build.compile_unit(job, [], ["-shared", "-fPIC"])))
    context = _buffer(bytes(ctypes.c_uint32.in_dll(library, "rig_context_bytes").value))
    for name, one in zip(
        build.entries(job)[1:], message.messages(job, 1),
        strict=False,
    ):  # fmt: skip
        given_tag = one.tag if name == "rig_decrypt" else bytes(len(one.tag))
        parts = [_buffer(p) for p in (one.key, one.nonce, one.ad, bytes(one.out_size), one.data)]
        key, nonce, ad, out, data = map(ctypes.addressof, parts)
        tag = _buffer(given_tag)
        packed = _buffer(
            one.pack(
                key=key, nonce=nonce, ad=ad, out=out, data=data,
                tag=ctypes.addressof(tag), word_bytes=8,
            )
        )  # fmt: skip
        assert library.rig_key_setup(context, packed) == 0
        assert library[name](context, packed) == 0
        assert parts[3].raw[: len(one.out)] == one.out
        assert tag.raw[: len(one.tag)] == one.tag


@pytest.mark.usefixtures("own_cache")
def test_a_second_build_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of("compact", "encrypt-block")
    first = build.build(job)

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(build, "_run", refuse)
    assert build.build(job) == first
    with pytest.raises(AssertionError, match="compiled again"):
        build.build(replace(job, flags=("-O2", "-fno-gcse")))


def test_flags_and_sources_change_the_digest(tmp_path: Path) -> None:
    job = job_of("compact", "encrypt-block")
    digests = {build.digest(replace(job, flags=f)) for f in (("-O1",), ("-O3", "-funroll-loops"))}
    assert len(digests | {build.digest(job)}) == 3
    assert "-O3 -funroll-loops" in build.build(replace(job, flags=("-O3", "-funroll-loops"))).flags
    assert build.digest(replace(job, placement=Placement(3))) == build.digest(job)
    header = tmp_path / "header.h"
    header.write_text('#include "inner.h"\n')
    inner = tmp_path / "inner.h"
    inner.write_text("int a;\n")
    before = sources.digest('#include "header.h"\n', [tmp_path])
    assert before == sources.digest('#include "header.h"\n', [tmp_path])
    inner.write_text("int ab;\n")
    assert before != sources.digest('#include "header.h"\n', [tmp_path])


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("damage", ["truncate", "note", "remove"])
def test_a_damaged_entry_is_built_again(damage: str) -> None:
    job = job_of("mobile", "encrypt-block")
    image = build.build(job)
    whole = image.elf.read_bytes()
    note = image.elf.with_name(image.elf.name + ".json")
    if damage == "truncate":
        image.elf.write_bytes(whole[:100])
    elif damage == "note":
        note.write_text('{"sha256": 1')
    else:
        image.elf.unlink()
    assert build.build(job) == image
    assert image.elf.read_bytes() == whole


@pytest.mark.usefixtures("own_cache")
def test_two_processes_build_the_same() -> None:
    jobs = [job_of("ttable1", "encrypt-block"), job_of("ttable1", "encrypt-block")]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        first, second = pool.map(build.build, jobs)
    assert first == second == build.build(jobs[0])


def test_a_cache_that_cannot_be_written_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(build.BuildError, match=r"cannot be written \(Not a directory\); choose"):
        build.build(job_of("compact", "encrypt-block"))


def without_compiler(platform: Platform) -> Platform:
    missing = replace(platform.compiler, command="no-such-gcc", package="gcc-arm-none-eabi")
    return replace(platform, compiler=missing)


def test_a_missing_compiler_says_how_to_get_it() -> None:
    platform = without_compiler(platform_named(ARM))
    reason = build.why_not(platform)
    assert reason is not None
    assert reason.endswith("with: sudo apt-get install gcc-arm-none-eabi")
    with pytest.raises(build.BuildError, match=re.escape(reason)):
        build.build(replace(job_of("compact", "encrypt-block"), platform=platform))


def test_a_compiler_error_shows_line_and_command() -> None:
    job = replace(job_of("compact", "encrypt-block"), flags=("-O2", "-fno-such-thing"))
    with pytest.raises(build.BuildError, match=r"error: .*-fno-such-thing.*command: arm-none-eabi"):
        build.build(job)


def test_memory_that_is_too_small_is_an_error() -> None:
    job = job_of("ttable8", "encrypt-block")
    small = tuple(replace(memory, size=2048) for memory in job.platform.memories)
    with pytest.raises(build.BuildError, match=r"does not fit in the 2048 bytes of flash"):
        build.build(replace(job, platform=replace(job.platform, memories=small)))


@pytest.mark.parametrize(
    ("job", "says"),
    [
        (job_of("compact", "encrypt"), "no operation 'encrypt'; choose from: key-setup-encrypt"),
        (job_of("compact", "encrypt-block", "ccm", 64), "no operation 'encrypt-block'"),
        (job_of("compact", "encrypt", "ccn", 64), "no mode 'ccn'"),
        (job_of("compact", "encrypt", "cbc", 63), "in steps of 16, not 63"),
        (job_of("compact", "decrypt", "cbc_mac", 64), "CBC-MAC has no verification"),
        (job_of("aesni", "encrypt-block"), "aesni needs .* cortex-m3 lacks"),
        (job_of("sbox_columns_dsp", "encrypt-block"), "needs UADD8 and SEL, which cortex-m3 lacks"),
        (
            job_of("fixslice_armv7m", "encrypt-block", on="cortex-m0plus"),
            "needs Thumb-2, which cortex-m0plus lacks",
        ),
        (
            job_of("fixslice_armv4", "encrypt-block", on="cortex-m3"),
            "needs ARM state, which cortex-m3 lacks",
        ),
        (
            job_of("fixslice_rv32", "encrypt-block", on="arm7tdmi"),
            "needs RV32I, which arm7tdmi lacks",
        ),
        (
            job_of("fixslice_armv6m", "encrypt-block", on="cortex-m3"),
            "needs ARMv6-M, which cortex-m3 lacks",
        ),
        (
            job_of("sbox_columns_mul", "encrypt-block", on="arm7tdmi"),
            "needs a multiply of one cycle, which arm7tdmi lacks",
        ),
        (replace(job_of("compact", "encrypt", "ccmp", 64), key_bits=256), "takes keys of 128 bits"),
        (replace(job_of("compact", "encrypt", "gcm", 64), ghash="mul8"), "multiplier 'mul8'"),
        (replace(job_of("compact", "encrypt-block"), key_bits=64), "128, 192 or 256 bits, not 64"),
    ],
)
def test_what_does_not_go_together_is_refused(job: Job, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        build.build(job)


def test_windows_say_what_is_inside() -> None:
    job = job_of("fixslice", "message", "ccm", 1504)
    window = build.window(job)
    for piece in ("key set-up", "22 bytes of associated data", "1504 bytes", "8-byte tag"):
        assert piece in window
    assert "keys expanded before" in build.window(replace(job, op="encrypt"))
    assert "2 blocks (32 bytes)" in build.window(job_of("fixslice", "encrypt-block"))


@pytest.mark.parametrize("on", ["cortex-m3", "cortex-m0plus"])
@pytest.mark.parametrize(("op", "most"), [("encrypt-block", 600), ("decrypt-block", 1150)])
def test_tiny_fits_the_last_kilobyte(op: str, most: int, on: str) -> None:
    sizes = build.build(replace(job_of("tiny", op, on=on), flags=("-Os",))).sizes
    assert sizes.code_bytes + sizes.table_bytes < most
