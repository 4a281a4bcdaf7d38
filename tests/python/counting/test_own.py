# SPDX-License-Identifier: MIT
"""A user's own function in the place of a core: how it is named, and what its rows contain."""

from dataclasses import replace
from pathlib import Path

import pytest
from few import slow_but
from foreign_objects import NEEDS_COMPILERS, SOURCE, compiler_in, counted

from aesfit.choosing.request import jobs, request_of
from aesfit.counting.own import own_function, own_functions
from aesfit.counting.own_image import check_own_files
from aesfit.counting.own_row import own_row
from aesfit.jobs.job import Row
from aesfit.platforms.find import platform_named
from aesfit.rigs.firing import WrongOutputError

KEYED = """
void *memcpy(void *, const void *, __SIZE_TYPE__);
void foreign_aes128(const unsigned char *, const unsigned char *, unsigned char *);
struct context { unsigned bits; unsigned char key[16]; };
void set_up(struct context *c, unsigned bits, const unsigned char *key)
{
    c->bits = bits;
    memcpy(c->key, key, 16);
}
void in_place(const struct context *c, unsigned char *block)
{
    if (c->bits == 128)
        foreign_aes128(c->key, block, block);
}
void leaks(const struct context *c, const unsigned char *in, unsigned char *out)
{
    for (volatile unsigned i = 0; i < c->key[0]; i++)
        ;
    foreign_aes128(c->key, in, out);
}
void wrong(const struct context *c, const unsigned char *in, unsigned char *out)
{
    foreign_aes128(c->key, in, out);
    out[15] ^= 1;
}
static void hidden(void) { }
void calls_hidden(void) { hidden(); }
"""
SETUP = ":set_up:context=20,128,key"
ARGUMENTS = f"in,out{SETUP}"


def rows(
    platform: str, text: str, *, mode: str = "ecb", size: int = 16, waits: int | None = None
) -> dict[str, Row]:
    """Rows by operation."""
    one = own_function(text)
    asked = request_of(platform_named(platform), mode=mode, bytes=size, encrypt_only=True)
    wanted = [
        replace(job, placement=replace(job.placement, flash_wait=waits))
        for job in jobs(asked, [one.title])
    ]
    return {job.op: own_row(job, one) for job in wanted}


def keyed(folder: Path, platform: str) -> str:
    compiled = compiler_in(folder)
    return f"{compiled(platform, source=KEYED)},{compiled(platform)}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("aes.o", "is not FILE"),
        ("aes.o:", "is not FILE"),
        ("aes.o:f:key,in,out:setup", "is not FILE"),
        ("aes.o:f:key,in", "give it in and out"),
        ("aes.o:f:key,in,out,inout", "give it in and out"),
        ("aes.o:f:in,out", "gets no key"),
        ("aes.o:f:key,text,out", "'text' is no argument"),
        ("aes.o:f:key,in,out,4294967296", "'4294967296' is no argument"),
        ("aes.o:f:context,in,out", "nothing fills the context"),
        ("aes.o:f:key,in,out:g:key,context=16", "nothing uses"),
        ("aes.o:f:context,in,out:g:context=16", "give it key and context"),
        ("aes.o:f:context,in,out:g:key,in,context=16", "and no block"),
        ("aes.o:f:context,in,out:g:key,context", "say once how many bytes"),
        ("aes.o:f:context=8,in,out:g:key,context=16", "say once how many bytes"),
        ("aes.o:f:context,in,out:g:key,context=0", "has no size"),
    ],
)
def test_a_text_that_names_no_function_says_what_is_allowed(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        own_function(text)


def test_arguments_keep_their_order_and_numbers_their_value() -> None:
    one = own_function("a.o,b.o:f:0x10,context,inout:g:key,context=176")
    assert [str(path) for path in one.files] == ["a.o", "b.o"]
    assert one.encrypt.arguments == ("16", "context", "inout")
    assert (one.title, one.context_bytes) == ("a.o:f", 176)
    assert own_function("a.o:f").encrypt.arguments == ("key", "in", "out")


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="is given twice"):
        own_functions(["x/a.o:f", "y/a.o:f"])


@NEEDS_COMPILERS
@pytest.mark.parametrize(
    "platform",
    slow_but(["cortex-m0plus", "fe310"], ["cortex-m3", "cortex-m0plus", "arm7tdmi", "fe310"]),
)
def test_a_block_costs_what_the_function_alone_is_counted_to_cost(
    tmp_path: Path, platform: str
) -> None:
    elf = compiler_in(tmp_path)(platform)
    alone = counted(platform, elf, "foreign_aes128", "buf:16", "buf:16", "out:16")
    text = f"{elf}:foreign_aes128"
    one, four = (rows(platform, text, size=size)["encrypt"] for size in (16, 64))
    a_block = (four.cycles - one.cycles) / 3
    # The function's cycles depend on its data by some branches; the loop around it takes few.
    assert 0.9 * alone.cycles < a_block < 1.1 * alone.cycles + 40


@NEEDS_COMPILERS
def test_the_key_set_up_is_apart_and_the_context_and_variables_take_ram(tmp_path: Path) -> None:
    found = rows("cortex-m3", f"{keyed(tmp_path, 'cortex-m3')}:in_place:context,inout{SETUP}")
    assert 0 < found["key-setup"].cycles < found["encrypt"].cycles / 10
    # 20 bytes of context and 4 beside it, 256 of the table that the file fills as it runs, and a
    # variable of another function, since the file was compiled without -fdata-sections.
    assert found["encrypt"].context_bytes == 20 + 4 + 256 + 4
    assert found["encrypt"].round_key_bytes == 20
    assert found["message"].flash_bytes > 300


@NEEDS_COMPILERS
def test_a_wrong_function_is_not_ranked(tmp_path: Path) -> None:
    text = f"{keyed(tmp_path, 'cortex-m3')}:wrong:context,{ARGUMENTS}"
    with pytest.raises(WrongOutputError, match="does not compute AES-128: called as set_up"):
        rows("cortex-m3", text)


@NEEDS_COMPILERS
def test_time_that_depends_on_the_key_is_seen(tmp_path: Path) -> None:
    files = keyed(tmp_path, "cortex-m3")
    assert (
        rows("cortex-m3", f"{files}:leaks:context,{ARGUMENTS}")["encrypt"].secrecy.kind == "depends"
    )
    in_place = rows("cortex-m3", f"{files}:in_place:context,inout{SETUP}")
    assert in_place["encrypt"].secrecy.kind == "here"


@NEEDS_COMPILERS
@pytest.mark.parametrize(
    ("platform", "const", "waits", "expected"),
    [
        ("stm32f103", "const ", None, "depends"),  # a table behind the buffers of the flash
        ("stm32f103", "", None, "here"),  # the same in RAM
        ("stm32f103", "const ", 0, "here"),  # no wait states
        ("arm9-cached", "", None, "depends"),
    ],
)
def test_where_a_table_lies_decides_whether_its_addresses_show(
    tmp_path: Path, platform: str, const: str, waits: int | None, expected: str
) -> None:
    reads = f"""
        void foreign_aes128(const unsigned char *, const unsigned char *, unsigned char *);
        {const}unsigned char table[256] = {{1, 2, 3}};
        unsigned char last;
        void reads(const unsigned char *key, const unsigned char *in, unsigned char *out)
        {{
            last = table[key[0]];
            foreign_aes128(key, in, out);
        }}"""
    compiled = compiler_in(tmp_path)
    files = f"{compiled(platform, source=reads)},{compiled(platform)}"
    assert rows(platform, f"{files}:reads", waits=waits)["encrypt"].secrecy.kind == expected


@pytest.mark.slow
@NEEDS_COMPILERS
def test_a_mode_that_decrypts_without_the_inverse_cipher_is_answered_whole(tmp_path: Path) -> None:
    one = own_function(f"{compiler_in(tmp_path)('stm32f103')}:foreign_aes128")
    asked = request_of(platform_named("stm32f103"), mode="gcm", bytes=33)
    found = {(job.op, job.ghash): own_row(job, one) for job in jobs(asked, [one.title])}
    assert {op for op, _ in found} == {"key-setup", "encrypt", "both"}
    assert len(found) == 3 * len(asked.ghashes)
    whole = found["encrypt", "shift32"]
    assert whole.cycles_min is not None
    assert whole.cycles_max is not None
    assert whole.cycles_min <= whole.cycles <= whole.cycles_max


@NEEDS_COMPILERS
@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        ("foreign_aes129", "there is no function 'foreign_aes129'"),
        ("hidden", "declare it without static"),
    ],
)
def test_a_function_that_cannot_be_linked_is_refused(
    tmp_path: Path, function: str, complaint: str
) -> None:
    elf = compiler_in(tmp_path)("cortex-m3", "-O0", source=KEYED)
    with pytest.raises(ValueError, match=complaint):
        check_own_files(own_function(f"{elf}:{function}"), platform_named("cortex-m3"))


@NEEDS_COMPILERS
def test_files_of_other_processors_and_executables_are_refused(tmp_path: Path) -> None:
    compiled = compiler_in(tmp_path)
    wanted = {
        compiled("fe310"): "32-bit little-endian ARM code",
        compiled("arm7tdmi"): "is in ARM state, and cortex-m3 runs Thumb alone",
        compiled("cortex-m3", "-nostdlib", "-Wl,-e,0", source="int f(void) { return 1; }"): (
            "is an executable"
        ),
        SOURCE: "is not an ELF file",
        tmp_path / "none.o": "there is no file",
    }
    for path, complaint in wanted.items():
        name = "f" if "executable" in complaint else "foreign_aes128"
        with pytest.raises(ValueError, match=complaint):
            check_own_files(own_function(f"{path}:{name}"), platform_named("cortex-m3"))
