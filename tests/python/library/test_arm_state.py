# SPDX-License-Identifier: MIT
"""fixslice_armv4 where the rest is Thumb, or lies off words: the example of FIPS 197 under QEMU."""

import subprocess
from pathlib import Path

import pytest
from places import ROOT

COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-arm"
BUILD = ("-mthumb-interwork", "-ffreestanding", "-nostdlib")
SOURCE = """
#define AESFIT_BOUND fixslice_armv4
#include "cores/fixslice_armv4.c"
#ifndef AESFIT_ARM_ASSEMBLY
#error "the C rounds stand in"
#endif
static const uint8_t cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                   0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
static aesfit_key key;
static uint8_t text[64];
void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = (char)x;
    return to;
}
static int differ(unsigned at, int encrypted)
{
    int differ = 0;
    for (unsigned i = 0; i < 48; i++)
        differ |= text[at + i] != (encrypted ? cipher[i % 16] : 0x11 * (i % 16));
    return differ;
}
__attribute__((used)) int run(void)
{
    uint8_t bytes[16];
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (uint8_t)i;
    key.rounds = 10, key.key_words = 4;
    fixslice_armv4_expand_key(&key, bytes, 3);
    for (unsigned at = 0; at < 4; at++) {
        for (unsigned i = 0; i < 48; i++)
            text[at + i] = (uint8_t)(0x11 * (i % 16));
        fixslice_armv4_encrypt(&key, text + at, text + at, 3);
        if (differ(at, 1))
            return 1;
        fixslice_armv4_decrypt(&key, text + at, text + at, 3);
        if (differ(at, 0))
            return 2;
    }
    return 0;
}
__asm__(".arm\\n.global _start\\n_start: ldr r0, =run\\n mov lr, pc\\n bx r0\\n"
        " mov r7, #1\\n svc 0\\n .ltorg\\n");
"""


@pytest.mark.parametrize(
    "flags",
    [
        "-march=armv4t -marm",
        "-march=armv4t -mthumb",
        "-march=armv4t -mthumb -fPIC",
        "-march=armv4t -mthumb -flto",
        "-march=armv5te -mthumb -Os",
        "-march=armv7-a -mthumb -mfloat-abi=soft",  # single words load at any address
    ],
)
def test_arm_state_from_any_state_at_any_address(flags: str, tmp_path: Path) -> None:
    (tmp_path / "run.c").write_text(SOURCE, encoding="utf-8")
    folders = [f"-I{ROOT / 'lib' / name}" for name in ("src", "include")]
    subprocess.run(
        [COMPILER, "-O2", *flags.split(), *BUILD, *folders, "run.c", "-lgcc", "-o", "run.elf"],
        cwd=tmp_path,
        check=True,
    )
    assert subprocess.run([EMULATOR, tmp_path / "run.elf"], check=False).returncode == 0
