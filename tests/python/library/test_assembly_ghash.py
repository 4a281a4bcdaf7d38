# SPDX-License-Identifier: MIT
"""GHASH multipliers in assembly: their programs against the C multiplier, the headers, and their
functions on the emulator against another multiplier."""

import ctypes
import importlib
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import ROOT

import aesfit
from aesfit.platforms.find import platform_named

MADE_FOR = {
    "mul_low_armv6m": ("mul_low", ("cortex-m0", "cortex-m0plus")),
    "mul_low_armv7m": ("mul_low", ("cortex-m3", "cortex-m4")),
    "mul32_armv7m": ("mul32", ("cortex-m3", "cortex-m4")),
    "table4_armv7m": ("table4", ("cortex-m3", "cortex-m4")),
}
"""By header: the multiplier that has the function, and processors that it is for."""
CASES = [
    (name, multiplier, on) for name, (multiplier, several) in MADE_FOR.items() for on in several
]
SEARCHED = [name for name in MADE_FOR if name.startswith("mul")]
"""Those whose products have an order that was searched for."""
HEADERS = ROOT / "lib" / "src" / "assembly"
PRODUCTS = """
#define AESFIT_BOUND_GHASH {0}
#include "ghash/{0}.c"
void products(uint32_t work[18], const uint32_t key[9]) {{ {0}_products(work, key); }}
"""
DIFFERENT = """
#define AESFIT_BOUND_GHASH {0}
#include "ghash/{0}.c"
#include "ghash/shift32.c"
unsigned different(const uint8_t *h, const uint8_t *data, unsigned blocks, unsigned offset)
{{
    uint32_t key[64], other[9], room[44];
    uint8_t y[16], z[16], *in = (uint8_t *)room + offset;
    {0}_init(key, h);
    shift32_init(other, h);
    memcpy(in, data, 16 * blocks);
    memcpy(y, data, 16);
    memcpy(z, data, 16);
    {0}_update(key, y, in, blocks);
    shift32_update(other, z, in, blocks);
    unsigned sum = 0;
    for (unsigned i = 0; i < 16; i++)
        sum |= y[i] ^ z[i];
    return sum;
}}
void update(const uint32_t *key, uint8_t *y, const uint8_t *in, unsigned blocks)
{{
    {0}_update(key, y, in, blocks);
}}
"""
AROUND = 80
"""Bytes of stack that the C around a function in assembly may take."""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield


def module(name: str) -> ModuleType:
    return importlib.import_module(f"assemble.{name}")


def writer(name: str) -> Any:  # noqa: ANN401 - a module, or what is like one
    return module("cores").MULTIPLIERS[name]


def compile_(compiler: str, source: str, folder: Path, *flags: str) -> Path:
    (folder / "one.c").write_text("#define AESFIT_BOUND ttable1" + source, encoding="utf-8")
    folders = [f"-I{ROOT / 'lib' / name}" for name in ("src", "include")]
    command = [compiler, "-O2", "-w", *flags, *folders, "-o", "one.o", "one.c"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "one.o"


def products_in_c(multiplier: str, folder: Path) -> Callable[[int, int], tuple[int, int]]:
    """The product of two words by the C multiplier."""
    flags = ("-shared", "-fPIC")
    library = ctypes.CDLL(str(compile_("cc", PRODUCTS.format(multiplier), folder, *flags)))

    def product(a: int, b: int) -> tuple[int, int]:
        work = (ctypes.c_uint32 * 18)(a)
        library.products(work, (ctypes.c_uint32 * 9)(b))
        return work[0], work[9]

    return product


def test_every_multiplier_is_tested() -> None:
    assert [*module("cores").MULTIPLIERS] == [*MADE_FOR]


@pytest.mark.parametrize("name", MADE_FOR)
def test_written_again(name: str) -> None:
    assert writer(name).header() == (HEADERS / f"{name}.h").read_text(encoding="utf-8")


def joined(words: list[int], in_c: Callable[[int, int], tuple[int, int]]) -> list[int]:
    """The product of two words by two, from all four products of words."""
    x, key = words[:2], words[4:6]
    total = 0
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        low, high = in_c(x[i], key[j])
        total ^= (low | high << 32) << 32 * (i + j)
    return [total >> 32 * i & 0xFFFFFFFF for i in range(4)]


@pytest.mark.parametrize("name", SEARCHED)
def test_products_are_those_of_the_c_multiplier(name: str, tmp_path: Path) -> None:
    """All bits set: where most products of bits meet."""
    (program,) = writer(name).programs().values()
    in_c, chance = products_in_c(MADE_FOR[name][0], tmp_path), random.Random(10)
    third = module("ghash").THIRD
    full = [0xFFFFFFFF] * 2
    for words in (full, *([chance.getrandbits(32) for _ in range(2)] for _ in range(40))):
        if "armv6m" in name:
            assert program.run([*words, third])[:2] == [*in_c(*words)]
            continue
        key = [*words, words[0] ^ words[1]]
        memory = [*reversed(words), 0, 0, *key, 0]
        found = program.run([0, third][: len(program.inputs)], memory)
        assert found[:4] == joined(memory, in_c), words


@pytest.mark.parametrize("name", SEARCHED)
def test_the_schedule_keeps_to_the_registers(name: str) -> None:
    this = writer(name)
    ((piece, found),) = module("search").load(this.SCHEDULES).items()
    assert this.cost(piece, found.schedule) > len(this.programs()[piece].operations)


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("name", "multiplier", "platform"), CASES)
def test_as_another_multiplier_at_all_addresses(
    name: str, multiplier: str, platform: str, tmp_path: Path
) -> None:
    """Blocks at words and elsewhere; the stack is as the header says."""
    flags = platform_named(platform).compiler.target
    source = DIFFERENT.format(multiplier)
    made = compile_("arm-none-eabi-gcc", source, tmp_path, *flags, "-ffreestanding", "-c")
    chance = random.Random(11)
    for blocks, offset in ((0, 0), (1, 0), (2, 0), (9, 0), (3, 1), (2, 2), (1, 3)):
        texts = chance.randbytes(16), chance.randbytes(16 * blocks or 16)
        found = aesfit.count(
            platform, elf=made, function="different", arguments=[*texts, blocks, offset]
        )
        assert found.result == 0, (blocks, offset)
    text = (HEADERS / f"{name}.h").read_text(encoding="utf-8")
    (declared,) = map(int, re.findall(r"(\d+) bytes of stack", text))
    found = aesfit.count(
        platform, elf=made, function="update", arguments=["buf:256", "out:16", "buf:32", 2]
    )
    assert declared <= found.stack_bytes <= declared + AROUND


def secrecy(multiplier: str, platform: str) -> set[str]:
    """What the C multiplier is there: a long multiplication takes a variable time on Cortex-M3.

    "proved" is said of images that are recorded as proved.
    """
    if multiplier == "table4":
        return {"here"}
    steady = (multiplier, platform) != ("mul32", "cortex-m3")
    return {"independent", "proved"} if steady else {"depends"}


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("name", "multiplier", "platform"), CASES)
def test_messages_on_the_emulator(name: str, multiplier: str, platform: str) -> None:
    """The rig compares outputs with the host's library, and refuses where a preserved register is
    lost; secrets do not show in the time unless the C multiplier's do."""
    for size in (1, 33, 64):
        found = aesfit.measure(
            platform, cores="fixslice", ops=("encrypt", "decrypt"), mode="gcm", ghash=multiplier,
            payload_bytes=size,
        )  # fmt: skip
        assert found.refused == ()
        assert [row.op for row in found.measured] == ["encrypt", "decrypt"]
        assert {row.secrecy.kind for row in found.measured} <= secrecy(multiplier, platform)
