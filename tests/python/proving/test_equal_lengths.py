# SPDX-License-Identifier: MIT
"""Results of messages of every length: proved, and faults that begin far behind are no proof."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from few import slow_but
from images import needs_prover, plant
from shown import equality

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.fips197 import Aes, Byte
from aesfit.proving.forms import Equality
from aesfit.proving.specified import standard_opened, standard_sealed
from aesfit.proving.stepwise import MACHINES
from aesfit.proving.words import constant
from aesfit.proving.zones import Atoms

pytestmark = needs_prover
PROVED = ("cbc encrypt", "cbc decrypt", "ecb encrypt", "ecb decrypt", "cfb encrypt", "cfb decrypt",
          "ofb encrypt", "ctr encrypt", "cbc_mac encrypt", "cmac encrypt")  # fmt: skip
_LOOP = "        return;\n    for (; blocks > 0; blocks--, in += 16, out += 16) {\n"
_COUNTED = _LOOP.replace("    for", "    const uint8_t *from = in;\n    for")
_END = "        last = out;\n"


def _behind(condition: str, fault: str) -> list[tuple[str, str]]:
    """The fault at the end of those blocks of CBC for which the condition holds."""
    return [(_LOOP, _COUNTED), (_END, f"{_END}        if ({condition})\n            {fault};\n")]


FAULTS: dict[str, tuple[str, str, Sequence[tuple[str, str]]]] = {
    "wrong from block 5 on": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("in - from >= 64", "out[0] ^= 1"),
    ),
    "wrong from block 70,000 on": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("in - from >= 16 * 70000", "out[0] ^= 1"),
    ),
    "the chain is replaced once in 256 blocks": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("(blocks & 255) == 200", "last = chain"),
    ),
    "written one block off from the second pass on": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("in == from", "out += 16"),
    ),
    "written one block off from block 1,000 on": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("in - from == 16000", "out += 16"),
    ),
    "a block is written once more later": (
        "cbc encrypt", "parts/cbc_blocks.h", _behind("in - from == 16000", "out[-160] ^= 1"),
    ),
    "the counter does not carry above 2^16 blocks": (
        "ctr encrypt", "parts/keystream.h",
        [("if (++*last != 0)", "if (++*last != 0 || (bits == 120 && last[-2] == 1))")],
    ),
    "the chain of CBC-MAC is lost behind 2^16 blocks": (
        "cbc_mac encrypt", "parts/mac.h",
        [("        encrypt_block(key, mac, mac);\n",
          "        encrypt_block(key, mac, mac);\n        if (blocks == 65536)\n"
          "            mac[0] = 0;\n")],
    ),
    "a whole last block of CMAC is one of the middle behind 100,000 bytes": (
        "cmac encrypt", "modes/cmac.c",
        [("        memcpy(work + 16, in, 16);\n        encrypt_few",
          "        middle += bytes > 100000 && bytes % 16 == 0;\n"
          "        memcpy(work + 16, in, 16);\n        encrypt_few")],
    ),
    "the length is compared signed": (
        "cbc encrypt", "parts/cbc_blocks.h",
        _behind("(int32_t)((uint32_t)(in - from) << 7) < 0", "out[0] ^= 1"),
    ),
    "a counter of 16 bits on the stack wraps": (
        "cbc encrypt", "parts/cbc_blocks.h",
        [(_LOOP, _COUNTED.replace("    for", "    volatile uint16_t wraps = 0;\n    for")),
         (_END, f"{_END}        if (++wraps == 0)\n            out[0] ^= 1;\n")],
    ),
    "in place alone": (
        "cbc encrypt", "parts/cbc_blocks.h",
        _behind("in == out && in - from == 16000", "out[0] ^= 1"),
    ),
    "a byte behind the message is read": (
        "cbc encrypt", "parts/cbc_blocks.h",
        _behind("in - from == 16000", "(void)*(const volatile uint8_t *)&in[16 * blocks + 3]"),
    ),
    "two branches use one comparison of a length": (
        "cbc encrypt", "parts/cbc_blocks.h",
        [(_LOOP, _COUNTED.replace("    for", "    uint32_t far = 0, at;\n    for")),
         (_END, _END + "        at = (uint32_t)(in - from);\n"
          '        __asm__ volatile("cmp %1, #16\\n cbz %2, 1f\\n nop\\n1: bcc 2f\\n"\n'
          '                         " mov %0, #1\\n2:"\n'
          '                         : "+r"(far) : "r"(16000u - at), "l"(at - 320) : "cc");\n'
          "        if (far && at > 16000)\n            out[0] ^= 1;\n        far = 0;\n")],
    ),
    "a predicated instruction depends on the count": (
        "cbc encrypt", "parts/cbc_blocks.h",
        [(_LOOP, _COUNTED.replace("    for", "    uint32_t far = 0;\n    for")),
         (_END, _END + '        __asm__ volatile("cmp %1, %2\\n it eq\\n eoreq %0, %0, #1"\n'
          '                         : "+r"(far) : "r"(in - from), "r"(16000) : "cc");\n'
          "        out[0] ^= (uint8_t)far;\n")],
    ),
}  # fmt: skip
"""Mode, file and edits; messages of fewer than four pieces have none of the late ones."""
QUICK = tuple(FAULTS)[1:3]


def job(call: str) -> Job:
    mode, op = call.split()
    return Job(platform_named("cortex-m3"), "fixslice", 128, op, mode=mode)


@pytest.mark.parametrize("call", slow_but(PROVED[:1], PROVED))
def test_results_are_those_of_the_standard_at_every_length(call: str) -> None:
    found = equality(job(call))
    assert found.outcome == "proved", found.detail
    assert found.shapes.startswith("every length up to 16,777,216 bytes")


@pytest.mark.parametrize("name", slow_but(QUICK, FAULTS))
def test_a_fault_is_no_proof(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, file, edits = FAULTS[name]
    plant(tmp_path, monkeypatch, file, edits)
    found = equality(job(call), planted=True)
    assert found.outcome in ("refuted", "open")
    assert found.detail


def test_a_mode_without_a_specification_by_steps_says_so() -> None:
    found = equality(job("ccm encrypt"))
    assert found.outcome == "refused"
    assert "name lengths" in found.detail


@pytest.mark.parametrize("call", [f"{mode} {op}" for mode, op in MACHINES])
def test_a_specification_by_steps_is_that_of_the_standard(call: str) -> None:
    """Of a few bytes, which are numbers."""
    mode, op = call.split()
    rng, forms = Random(call), Equality(Atoms())
    shape = job(call).shape
    for size in (one for one in (0, 1, 16, 17, 32, 47, 64) if one in shape.payloads):
        asked = replace(job(call), bytes=size)
        inputs = [list(rng.randbytes(16 * asked.keys)), list(rng.randbytes(16)),
                  list(rng.randbytes(size))]  # fmt: skip
        key, nonce, data = ([constant(one, 8) for one in part] for part in inputs)
        wanted = of_standard(asked, forms.atoms, key, nonce, data)
        ciphers = [Aes(forms.atoms, key[at : at + 16]) for at in range(0, len(key), 16)]
        machine = MACHINES[mode, op](forms, ciphers[0], nonce, *ciphers[1:])
        held, out = machine.start(), []
        for at in range(machine.blocks(size)):
            held, block = machine.step(held, data[16 * at : 16 * at + 16])
            out += block
        ended = machine.end(held, data[16 * machine.blocks(size) :])
        assert (out + ended.out, ended.tag) == wanted


def of_standard(
    asked: Job, atoms: Atoms, key: list[Byte], nonce: list[Byte], data: list[Byte]
) -> tuple[list[Byte], list[Byte]]:
    if asked.op == "decrypt":
        return standard_opened(asked, atoms, key, nonce, data), []
    return standard_sealed(asked, atoms, key, nonce, [], data, 16)
