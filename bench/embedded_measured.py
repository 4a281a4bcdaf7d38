# SPDX-License-Identifier: MIT
"""Cycles for bench_embedded.py: runs code on emulated processors."""

import sys

from embedded_compiled import compiled
from embedded_questions import Hash, Measured, OnTheFly

import aesfit
from aesfit.building import sources
from aesfit.platforms.find import platform_named

BLOCKS = 94
"""Blocks of a message of 1504 bytes."""
SUBKEY = bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e")
"""AES-128 of zeros under the key of zeros.  If the time of a product depends on its operands, a
subkey of zeros would be too fast."""
OF_FIRMWARE = (
    *("-std=c11", "-ffreestanding", "-fbuiltin", "-fno-pic", "-fno-stack-protector"),
    *(f"-I{folder}" for folder in sources.include_folders()),
)
MULTIPLIER = """
#define AESFIT_BOUND sbox_columns
#define AESFIT_BOUND_GHASH NAME
#include "ghash/NAME.c"
void hash_init(uint32_t *state, const uint8_t h[16]) __attribute__((alias("NAME_init")));
void hash_update(const uint32_t *state, uint8_t y[16], const uint8_t *in, size_t blocks)
    __attribute__((alias("NAME_update")));
"""
CALLER = """
#include <stddef.h>
#include <stdint.h>
void hash_init(uint32_t *state, const uint8_t h[16]);
void hash_update(const uint32_t *state, uint8_t y[16], const uint8_t *in, size_t blocks);
void hash_blocks(uint32_t *state, const uint8_t *h, const uint8_t *in, size_t blocks);
void hash_blocks(uint32_t *state, const uint8_t *h, const uint8_t *in, size_t blocks)
{
    uint8_t y[16] = {0};
    hash_init(state, h);
    hash_update(state, y, in, blocks);
}
"""


def measured(question: Measured) -> float:
    """The rig's counts; exits with the reason and code 1 if it cannot count."""
    answer = aesfit.measure(
        question.platform, cores=question.core, mode=question.mode, ops=question.op,
        key_bits=question.key_bits, payload_bytes=question.payload_bytes, ghash=question.ghash,
        flags=question.flags,
    )  # fmt: skip
    if answer.refused:
        sys.exit(f"bench_embedded: {answer.refused[0]}")
    return round(float(getattr(answer.measured[0], question.figure)), 1)


def on_the_fly(question: OnTheFly) -> tuple[float, float]:
    """Cycles of a block with round keys on the fly, and with the key expanded for it."""

    def cycles(core: str, op: str) -> float:
        return measured(Measured(question.platform, core, op, key_bits=question.key_bits))

    block, set_up = f"{question.op}-block", f"key-setup-{question.op}"
    plain = question.core.removesuffix("_otf")
    value = cycles(question.core, block)
    if question.once:
        value += cycles(question.core, set_up)
    return value, cycles(plain, set_up) + cycles(plain, block)


def hashed(question: Hash) -> float:
    """Cycles per byte of the update function, without key set-up and call."""
    named = platform_named(question.platform).compiler
    command = [named.command, *named.target, *named.optimise, *OF_FIRMWARE]
    texts = (MULTIPLIER.replace("NAME", question.ghash), CALLER)
    objects = [compiled(question.platform, text, command=command) for text in texts]
    message = bytes(byte & 0xFF for byte in range(16 * BLOCKS))

    def cycles(blocks: int) -> int:
        return aesfit.count(
            question.platform, elf=objects, function="hash_blocks",
            arguments=["buf:4096", SUBKEY, message, blocks],
        ).cycles  # fmt: skip

    return round((cycles(BLOCKS) - cycles(1)) / (16 * (BLOCKS - 1)), 1)
