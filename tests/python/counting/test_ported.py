# SPDX-License-Identifier: MIT
"""Another library behind the entry points of the rig: its rows, and what is refused."""

from pathlib import Path

import pytest
from foreign_objects import NEEDS_COMPILERS, compiler_in

from aesfit.building.build import FIRMWARE
from aesfit.counting.ported import Port, port_row
from aesfit.jobs.job import Job, Row
from aesfit.platforms.find import platform_named
from aesfit.rigs.firing import WrongOutputError

PORT = """
#include <stddef.h>
#include <stdint.h>
#include "harness.h"
void *memcpy(void *, const void *, size_t);
void foreign_aes128(const unsigned char *, const unsigned char *, unsigned char *);
typedef struct { uint8_t key[16]; } rig_context;
extern const uint32_t rig_context_bytes;
RIG_OWN(bytes) const uint32_t rig_context_bytes = sizeof(rig_context);
uint8_t rig_buffer[OWN];
uint8_t library_buffer[ROOM];
RIG_OWN(setup) int rig_key_setup(rig_context *k, const rig_message *m)
{
    memcpy(k->key, m->key, 16);
    library_buffer[0] = rig_buffer[0];
    return STATUS;
}
RIG_OWN(encrypt) int rig_encrypt(const rig_context *k, const rig_message *m)
{
    for (size_t at = 0; at < m->bytes; at += 16)
        foreign_aes128(k->key, m->in + at, m->out + at);
    m->out[3] ^= FAULT;
    return 0;
}
RIG_OWN(block_setup) void rig_key_setup_encrypt(rig_context *k, const uint8_t *bytes)
{
    memcpy(k->key, bytes, 16);
}
RIG_OWN(block) void rig_encrypt_block(const rig_context *k, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16)
        foreign_aes128(k->key, in, out);
    out[-1] ^= FAULT;
}
"""

pytestmark = NEEDS_COMPILERS


def port(folder: Path, platform: str = "cortex-m3", blocks: int = 1, **values: int) -> Port:
    """AES without a key schedule behind a port; FAULT, STATUS, ROOM and OWN have defaults."""
    compiled = compiler_in(folder)
    given = {"FAULT": 0, "STATUS": 0, "ROOM": 8, "OWN": 8} | values
    defines = [f"-D{name}={value}" for name, value in given.items()]
    own = compiled(platform, f"-I{FIRMWARE}", "-fdata-sections", *defines, source=PORT)
    return Port("made-up 1.0", (compiled(platform), own), blocks)


def message_row(one: Port, size: int = 32) -> Row:
    job = Job(platform_named("cortex-m3"), "", 128, "encrypt", mode="ecb", bytes=size)
    return port_row(job, one)


def block_row(one: Port, op: str = "encrypt-block", platform: str = "cortex-m3") -> Row:
    return port_row(Job(platform_named(platform), "", 128, op), one)


def test_a_message_and_a_block_have_rows(tmp_path: Path) -> None:
    message, block = message_row(port(tmp_path)), block_row(port(tmp_path))
    assert (message.core, message.bytes, message.mode) == ("made-up 1.0", 32, "ecb")
    assert (block.bytes, block.mode) == (16, None)
    assert block.cycles < message.cycles < 3 * block.cycles
    assert message.flash_bytes >= block.flash_bytes > 500
    assert block.provenance.compiler.startswith("GCC")


def test_two_blocks_of_a_call_are_two_blocks(tmp_path: Path) -> None:
    one, two = block_row(port(tmp_path)), block_row(port(tmp_path, blocks=2))
    assert two.bytes == 32
    assert 1.9 < two.cycles / one.cycles < 2.1


def test_key_setup_is_checked_by_what_it_sets_up(tmp_path: Path) -> None:
    row = block_row(port(tmp_path), "key-setup-encrypt")
    assert row.bytes == 0
    assert 0 < row.cycles < 100


def test_variables_count_but_for_those_of_the_port(tmp_path: Path) -> None:
    small = message_row(port(tmp_path)).context_bytes
    assert message_row(port(tmp_path, ROOM=208)).context_bytes == small + 200
    assert message_row(port(tmp_path, OWN=208)).context_bytes == small


def test_a_wrong_output_is_refused(tmp_path: Path) -> None:
    for run in (message_row, block_row):
        with pytest.raises(WrongOutputError, match=r"made-up 1\.0 does not compute .*from byte"):
            run(port(tmp_path, FAULT=1))
    with pytest.raises(WrongOutputError, match="rig_key_setup returned 7"):
        message_row(port(tmp_path, STATUS=7))


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="takes 3 blocks a call; give 1 or 2"):
        block_row(port(tmp_path, blocks=3))
    with pytest.raises(ValueError, match=r"rig_(key_setup_decrypt|decrypt_block)"):
        block_row(port(tmp_path), "decrypt-block")
    with pytest.raises(ValueError, match="RISC-V"):
        block_row(port(tmp_path), platform="rv32im-e31")
