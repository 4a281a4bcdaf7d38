# SPDX-License-Identifier: MIT
"""Any function of a user's files: where its timing depends on a secret."""

import re
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from images import needs_prover
from places import ROOT

import aesfit
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.functions.verdict import FunctionFinding, FunctionVerdict

pytestmark = needs_prover
TIMING = ROOT / "tests" / "evidence" / "timing"
PATTERNS = tomllib.loads((TIMING / "patterns.toml").read_text(encoding="utf-8"))
Examine = Callable[..., "FunctionVerdict"]


def compiled(source: Path, platform: str, out: Path, *flags: str) -> Path:
    compiler = platform_named(platform).compiler
    common = [compiler.command, *compiler.target, "-g", "-ffreestanding", "-ffunction-sections"]
    tables = f"-I{ROOT / 'lib/src/parts/tables'}"
    command = [*common, *(flags or ("-O2",)), tables, "-c", str(source), "-o", str(out)]
    subprocess.run(command, check=True)
    return out


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    """Compile C or assembly, and examine its function f."""

    def run(text: str, *arguments: str, on: str = "cortex-m0plus", **more: object) -> object:
        source = tmp_path / ("f.s" if text.startswith(".") else "f.c")
        source.write_text(text)
        elf = compiled(source, on, tmp_path / "f.o")
        return aesfit.prove_function(on, elf=elf, function="f", arguments=arguments, **more)  # type: ignore[arg-type]

    return run  # type: ignore[return-value]


def places(found: "FunctionVerdict") -> list[tuple[str, int]]:
    return [(one.kind, one.place.line) for one in found.findings]


def only(found: "FunctionVerdict") -> "FunctionFinding":
    (one,) = found.findings
    return one


@pytest.mark.parametrize(
    ("pattern", "platform", "kinds"),
    [
        ("division", "cortex-m0plus", {"branch"}),
        ("division", "rv32im-e31", {"variable time"}),
        ("division_repaired", "cortex-m0plus", set()),
        ("cmov", "cortex-m33", {"predicated instruction"}),
        ("masked_select", "cortex-m0plus", set()),
        ("product64", "cortex-m0plus", {"branch"}),
        ("field_product", "cortex-m3", {"variable time"}),
        ("field_product", "cortex-m33", set()),
        ("ladder_step", "rv32im-e31", set()),
        ("compare", "cortex-m3", {"branch"}),
        ("compare_repaired", "cortex-m3", set()),
        ("chacha20", "cortex-m3", set()),
        ("sha256", "rv32im-e31", set()),
        ("aes_table", "cortex-m3", {"load address"}),
    ],
)
def test_the_evidence_is_judged(
    pattern: str, platform: str, kinds: set[str], tmp_path: Path
) -> None:
    asked = PATTERNS[pattern]
    elf = compiled(TIMING / f"{pattern}.c", platform, tmp_path / "f.o")
    found = aesfit.prove_function(
        platform, elf=elf, function=asked["function"], arguments=asked["arguments"]
    )
    assert {one.kind for one in found.findings} == kinds
    assert found.verdict == ("depends" if kinds else "independent")
    assert not kinds or {one.source.split(",")[0] for one in found.findings} <= {
        "argument 1",
        "argument 2",
        "argument 3",
    }


AFTER_THE_FIRST = """unsigned f(unsigned *a)
{
    unsigned z = 0;
    if (a[0])
        z = a[1] * 3;
    else
        __asm__ volatile("nop");
    if (a[2])
        __asm__ volatile("nop");
    return z;
}
"""


def test_a_run_goes_on_behind_a_finding(examine: Examine) -> None:
    found = examine(AFTER_THE_FIRST, "secret:12")
    assert places(found) == [("branch", 4), ("branch", 8)]
    assert [one.source for one in found.findings] == ["argument 1, byte 3", "argument 1, byte 11"]
    assert not found.not_followed


BOTH_SIDES = """unsigned f(unsigned secret, unsigned *a)
{
    volatile unsigned at = 0;
    if (secret)
        at = 2;
    return a[at];
}
"""


def test_what_differs_behind_a_branch_depends_on_its_secret(examine: Examine) -> None:
    """The index is a number on each side; that it differs shows in the address."""
    found = examine(BOTH_SIDES, "secret", "hex:000000000100000002000000")
    assert places(found) == [("branch", 4), ("load address", 6)]
    assert found.findings[1].source == "argument 1"
    assert [one.line for one in found.findings[1].path] == [4, 4, 6]


IN_THE_OTHER_SIDE = """unsigned f(unsigned secret, unsigned *a)
{
    if (secret) {
        if (a[0])
            __asm__ volatile("nop");
    } else {
        if (a[1])
            __asm__ volatile("nop");
    }
    return 0;
}
"""


def test_both_sides_of_a_branch_are_run(examine: Examine) -> None:
    found = examine(IN_THE_OTHER_SIDE, "secret", "secret:8")
    assert places(found) == [("branch", 3), ("branch", 4), ("branch", 7)]


@pytest.mark.parametrize("on", ["cortex-m0plus", "cortex-m3", "rv32im-e31"])
@pytest.mark.parametrize(("end", "known"), [("row + 16", True), ("table + s", False)])
def test_a_loop_over_a_secret_row_of_a_table_has_a_known_length(
    examine: Examine, on: str, end: str, known: bool
) -> None:
    text = f"""unsigned f(unsigned s, const unsigned char *table)
{{
    const unsigned char *row = table + 16 * (s & 15), *end = {end};
    unsigned sum = 0;
    __asm__("" : "+r"(end));
    for (; row != end; row++)
        sum ^= *row;
    return sum;
}}
"""
    found = examine(text, "secret", "buf:256", on=on)
    kinds = [one.kind for one in found.findings]
    assert ("branch" not in kinds) is known
    assert kinds.count("load address") == 1
    assert (found.not_followed == ()) is known


@pytest.mark.parametrize("first", ["", "if (s & 1) "])
def test_a_switch_by_libgcc_comes_back_to_its_function(tmp_path: Path, first: str) -> None:
    source = tmp_path / "f.c"
    cases = "".join(
        f"case {at}: a = (a {op} b) + {at}; break; " for at, op in enumerate("+^-&*|/%")
    )
    text = f"unsigned f(unsigned s, unsigned n, unsigned a, unsigned b) {{ {first}switch (n) "
    source.write_text(f"{text} {{ {cases} }} return a ^ s; }}")
    elf = compiled(source, "cortex-m0plus", tmp_path / "f.o", "-Os")
    given = ("secret", "3", "secret", "2")
    found = aesfit.prove_function("cortex-m0plus", elf=elf, function="f", arguments=given)
    assert b"__gnu_thumb1_case_" in elf.read_bytes()
    assert found.not_followed == ()
    assert [one.kind for one in found.findings] == (["branch"] if first else [])


@pytest.mark.parametrize("first", ["", "if (s & 1) "])
def test_a_far_jump_by_a_call_stays_in_its_function(tmp_path: Path, first: str) -> None:
    source = tmp_path / "f.c"
    long = f'asm volatile("{"nop;" * 1200}");'  # gcc counts instructions by their ends
    body = f"for (unsigned i = 0; i < n; i++) {{ {first}{{ a += i; {long} }} a ^= s; {long} }}"
    source.write_text(f"unsigned f(unsigned s, unsigned n, unsigned a) {{ {body} return a; }}")
    elf = compiled(source, "cortex-m0plus", tmp_path / "f.o")
    given = ("secret", "3", "5")
    found = aesfit.prove_function("cortex-m0plus", elf=elf, function="f", arguments=given)
    assert found.not_followed == ()
    assert [one.kind for one in found.findings] == (["branch"] if first else [])
    assert found.findings == () or found.findings[0].calls == ()


def test_a_store_at_a_secret_address_makes_its_reach_secret(examine: Examine) -> None:
    text = """unsigned char f(unsigned char *k, unsigned char *to)
{
    to[k[0] & 3] = 1;
    if (to[3])
        __asm__ volatile("nop");
    if (to[4])
        __asm__ volatile("nop");
    return 0;
}
"""
    assert places(examine(text, "secret:1", "buf:8")) == [("store address", 3), ("branch", 4)]


def test_the_path_names_the_secret_and_each_line(examine: Examine) -> None:
    text = """unsigned f(const unsigned *a)
{
    unsigned x = a[1] * 5;
    __asm__ volatile("" : "+r"(x));
    x += 7;
    __asm__ volatile("" : "+r"(x));
    if (x & 16)
        __asm__ volatile("nop");
    return 0;
}
"""
    one = only(examine(text, "struct(0,secret:4)"))
    assert one.source.startswith("argument 1, byte ")
    assert [step.line for step in one.path if step.line != one.place.line][-1] == 5
    assert {3, 5} <= {step.line for step in one.path}


def test_pointers_in_a_struct_lead_to_secrets(examine: Examine) -> None:
    text = """struct s { unsigned n; unsigned char *key; struct s *next; };
unsigned f(const struct s *a)
{
    return a->next->key[1] ? 1 + (a->key[0] == a->n) : 0;
}
"""
    inner = "*struct(1,*secret:2,0)"
    found = examine(text, f"struct:1,hex:05,{inner[1:]}")
    assert found == replace(
        examine(text, f"struct(1, *hex:05, {inner})"), arguments=found.arguments
    )
    assert (
        "argument 1, pointer at byte 8, pointer at byte 4, byte 1"
        in {one.source for one in found.findings} | set()
    )


def test_a_call_into_the_compilers_library_is_followed_and_named(examine: Examine) -> None:
    found = examine("unsigned f(unsigned a)\n{\n    return a / 7;\n}\n", "secret")
    assert {one.place.function for one in found.findings} == {"__udivsi3"}
    assert {(call.function, call.line) for one in found.findings for call in one.calls} == {
        ("f", 3)
    }


def test_a_stub_gives_what_is_said_of_it(examine: Examine) -> None:
    text = """int draw(unsigned char *to, unsigned bytes);
int f(unsigned char *out)
{
    unsigned char own[8];
    if (draw(own, 8))
        return -1;
    out[0] = own[7];
    return 0;
}
"""
    with pytest.raises(ValueError, match=r"undefined reference to 'draw'.*stubs"):
        examine(text, "out:1")
    unknown = examine(text, "out:1", stubs=["draw,1:8"])
    assert (places(unknown), only(unknown).source) == ([("branch", 5)], "what draw returns")
    given = examine(text, "out:1", stubs=["draw=0,1:8"])
    assert given.verdict == "independent"
    assert given.assumed == ("draw returns 0 and writes 8 secret bytes to argument 1",)
    assert examine(text, "out:1", stubs=["draw=0"]).verdict == "not shown", "own[7] is unwritten"
    assert dict(given.left) == {"draw": 8}


def test_a_loop_that_a_secret_ends_is_not_followed_for_ever(examine: Examine) -> None:
    text = "unsigned f(unsigned a)\n{\n    while (a)\n        a = a * 5 + 1;\n    return a;\n}\n"
    found = examine(text, "secret")
    assert set(places(found)) == {("branch", 3)}
    assert "64 rounds" in found.not_followed[0]


def test_a_variable_may_hold_anything(examine: Examine) -> None:
    text = "unsigned ready;\nunsigned f(unsigned a)\n{\n    return ready && a ? 3 : 5;\n}\n"
    unknown = examine(text, "secret")
    assert (unknown.verdict, "--assume ready" in unknown.not_followed[0]) == ("not shown", True)
    assert examine(text, "secret", assume={"ready": 0}).verdict == "independent"
    assert examine(text, "secret", on="rv32im-e31", assume={"ready": 1}).instructions > 0


def test_a_missing_argument_is_not_shown(examine: Examine) -> None:
    found = examine("unsigned f(unsigned a, unsigned b)\n{\n    return a + b;\n}\n", "secret")
    assert found.verdict == "not shown"
    assert "is an argument missing" in found.not_followed[0]


def test_a_missing_argument_that_is_overwritten_is_not_shown(examine: Examine) -> None:
    text = ".syntax unified\n.thumb\n.global f\n.type f, %function\nf: str r0, [sp, #4]\nbx lr\n"
    found = examine(text, "secret", "1")
    assert found.verdict == "not shown"
    assert found.not_followed[0].endswith(", which is not its own; is an argument missing?")
    assert examine(text, "secret", "1", "2", "3", "4", "5").verdict == "independent"


def test_predicated_data_processing_takes_one_cycle_on_arm7(examine: Examine) -> None:
    text = ".arm\n.global f\n.type f, %function\nf: cmp r0, #0\n{}bx lr\n"
    assert examine(text.format("movne r0, #1\n"), "secret", on="arm7tdmi").verdict == "independent"
    found = examine(text.format("ldrne r0, [r1]\n"), "secret", "buf:4", on="arm7tdmi")
    assert only(found).kind == "predicated instruction"
    found = examine(text.format("moveq r0, r1, lsl r1\n"), "secret", "1", on="arm7tdmi")
    assert only(found).kind == "predicated instruction"


def test_a_secret_in_a_register_is_told(examine: Examine) -> None:
    text = ".thumb\n.syntax unified\n.global f\n.thumb_func\nf: ldr r3, [r0]\nmovs r0, #0\nbx lr\n"
    assert examine(text, "secret:4").registers == ("r3",)


def test_objects_of_an_archive_are_linked(tmp_path: Path) -> None:
    one, two = tmp_path / "one.c", tmp_path / "a_second_name_of_some_length.c"
    one.write_text("unsigned g(unsigned);\nunsigned f(unsigned a)\n{\n    return g(a) + 1;\n}\n")
    two.write_text("unsigned g(unsigned a)\n{\n    return a ? a * 3 : 7;\n}\nint h(void);\n")
    for source in (one, two):
        compiled(source, "cortex-m0plus", source.with_suffix(".o"))
    archive = tmp_path / "lib.a"
    objects = [str(source.with_suffix(".o")) for source in (one, two)]
    subprocess.run(["arm-none-eabi-ar", "rcs", str(archive), *objects], check=True)
    found = aesfit.prove_function("cortex-m0plus", elf=archive, function="f", arguments=["secret"])
    assert (only(found).place.function, only(found).calls[0].function) == ("g", "f")


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("secrt:3", "is not an argument; give secret:SIZE, secret, a number, hex"),
        ("secret:0", "has no size in bytes"),
        ("struct(*same:1)", "does not name an argument before it"),
        ("struct(4,(3)", "brackets that do not match"),
    ],
)
def test_wrong_arguments_are_refused(argument: str, sentence: str, examine: Examine) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        examine("void f(void)\n{\n}\n", argument)
