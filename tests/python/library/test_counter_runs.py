# SPDX-License-Identifier: MIT
"""Cores in assembly that add the key stream of counter blocks themselves (xor_counters of core.h),
under QEMU: carries, field widths, key sizes, lengths, places, against blocks encrypted one by one.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from assembly_cores import RUN_AS, assembly_cores, headers, made_for
from places import ROOT

from aesfit.building.sources import library_folder, unit

COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-arm"
FLAGS = {
    "armv7-m": ("-march=armv7-a", "-mthumb", "-mfloat-abi=soft"),
    "armv4t": ("-mcpu=arm7tdmi", "-marm"),
}
"""By instruction set: a processor that a Linux program may run on, with the same instructions."""
MEMORY = ROOT / "aesfit" / "building" / "firmware" / "memory.c"
"""All that is needed of a libc."""
ASSEMBLY = re.compile(r"^AESFIT_INLINE void (\w+)_counter_blocks\(", re.MULTILINE)
CHECK = """
enum { BLOCKS = 150, MOST = 16 * BLOCKS + 80 };
static uint8_t in[MOST + 4], out[MOST + 4], want[MOST];

static uint8_t some(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 24);
}

/* The counter, big-endian, goes on by one in its rightmost `bits` bits. */
static void step(uint8_t counter[16], unsigned bits)
{
    for (unsigned bit = 0; bit < bits; bit++) {
        counter[15 - bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (counter[15 - bit / 8] & 1u << bit % 8)
            return;
    }
}

static void expect(const aesfit_key *key, const uint8_t *start, unsigned bits, const uint8_t *text,
                   unsigned bytes)
{
    uint8_t counter[16], stream[16];
    memcpy(counter, start, 16);
    for (unsigned i = 0; i < bytes; i++) {
        if (i % 16 == 0) {
            CORE_CALL(key, encrypt)(key, stream, counter, 1);
            step(counter, bits);
        }
        want[i] = text[i] ^ stream[i % 16];
    }
}

/* `into`: where the output goes; out is in for MOST bytes or apart. */
static int wrong(const aesfit_key *key, const uint8_t *counter, unsigned bits, const uint8_t *text,
                 uint8_t *into, unsigned bytes)
{
    aesfit_ctr state;
    expect(key, counter, bits, text, bytes);
    if (aesfit_ctr_start(&state, counter, bits) || aesfit_ctr_crypt(key, &state, into, text, bytes))
        return 1;
    for (unsigned i = 0; i < bytes; i++)
        if (into[i] != want[i])
            return 1;
    return 0;
}

/* The lowest `bytes` bytes of the counter wrap within a few blocks. */
static int borders(const aesfit_key *key, unsigned bits)
{
    uint8_t counter[16];
    unsigned most = bits < 8 ? 16u << bits : MOST, bytes;
    for (unsigned carry = 1; carry <= 16; carry++) {
        for (unsigned i = 0; i < 16; i++)
            counter[i] = i < 16 - carry ? some() : 0xff;
        counter[15] = (uint8_t)(counter[15] - some() % 32);
        if (carry % 5 == 0)
            counter[15] &= 0x7f; /* bit 7 changes within a few blocks */
        for (unsigned i = 0; i < sizeof in; i++)
            in[i] = some();
        bytes = 64 + 16 * (some() % BLOCKS) + some() % 16;
        bytes = bytes < most ? bytes : most;
        if (wrong(key, counter, bits, in + carry % 4, out + some() % 4, bytes) ||
            wrong(key, counter, bits, in + carry % 4, in + carry % 4, bytes))
            return 1;
    }
    return 0;
}

__attribute__((used)) int run(void)
{
    static const uint8_t fields[] = {1, 4, 7, 8, 9, 16, 31, 32, 33, 64, 127, 128};
    for (unsigned size = 16; size <= 32; size += 8) {
        for (unsigned i = 0; i < sizeof fields; i++) {
            uint8_t secret[32];
            aesfit_key key;
            for (unsigned byte = 0; byte < size; byte++)
                secret[byte] = some();
            if (aesfit_expand_key(&key, NULL, secret, size, AESFIT_ENCRYPT) ||
                borders(&key, fields[i]))
                return 1 + (int)(size / 8);
        }
    }
    return 0;
}
__asm__(".arm\\n.global _start\\n_start: ldr r0, =run\\n mov lr, pc\\n bx r0\\n"
        " mov r7, #1\\n svc 0\\n .ltorg\\n");
"""
FAULTS = {
    "kept words of the last carry": ("if (!kept->ready || counter[15] == 0)", "if (!kept->ready)"),
    "a run across a carry": ("field + 1 - (counter[15] & field)", "blocks"),
    "a short field that carries": ("bits < 7 ? (1u << bits) - 1 : 0x7f", "0x7f"),
}
"""Faults planted in parts/keystream.h: the present text, and its replacement."""


def cores() -> tuple[str, ...]:
    """Those with such a function in assembly."""
    texts = {
        core: "".join(path.read_text(encoding="utf-8") for path in headers(core))
        for core in assembly_cores()
    }
    return tuple(core for core, text in texts.items() if ASSEMBLY.search(text))


def code(core: str, library: Path, to: Path) -> int:
    """The exit code of the check with the library in a folder."""
    (to / "run.c").write_text(unit(core, ["ctr"]) + CHECK, encoding="utf-8")
    flags = FLAGS[RUN_AS.get(core, made_for(core)[0].isa)]
    build = ("-O2", "-ffreestanding", "-nostdlib", "-fno-tree-loop-distribute-patterns")
    folders = (f"-I{library / name}" for name in ("src", "include"))
    given = ("run.c", str(MEMORY), "-lgcc", "-o", "run.elf")
    subprocess.run([COMPILER, *flags, *build, *folders, *given], cwd=to, check=True)
    return subprocess.run([EMULATOR, to / "run.elf"], check=False).returncode


@pytest.mark.parametrize("core", cores())
def test_carries_fields_and_places(core: str, tmp_path: Path) -> None:
    assert code(core, library_folder(), tmp_path) == 0


@pytest.mark.few
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("core", cores())
def test_faults_are_found(core: str, fault: str, tmp_path: Path) -> None:
    shutil.copytree(library_folder(), tmp_path / "lib")
    keystream = tmp_path / "lib" / "src" / "parts" / "keystream.h"
    right, wrong = FAULTS[fault]
    text = keystream.read_text(encoding="utf-8")
    assert text.count(right) == 1
    keystream.write_text(text.replace(right, wrong), encoding="utf-8")
    assert code(core, tmp_path / "lib", tmp_path) > 0
