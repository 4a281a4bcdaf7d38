# SPDX-License-Identifier: MIT
"""Drop-ins as a reviewer reads them: no condition that always holds, no body without braces,
nothing in the header that is not there, no name without the prefix."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dropin_choices import CHOICES, named
from dropin_run import write
from made_once import drop_in

from aesfit.emitting.choice import DropInChoice, public_functions
from aesfit.emitting.entries import entries
from aesfit.emitting.expand import expand
from aesfit.emitting.expressions import KnownValues, shortened
from aesfit.emitting.flatten import SourceLine
from aesfit.emitting.prune import pruned
from aesfit.emitting.statements import braced
from aesfit.emitting.wrap import wrapped

CCM = DropInChoice("ttable1", ("ccm",))
FEW = (
    CCM,
    DropInChoice("fixslice", ("gcm", "cmac"), (128, 256), streaming=True),
    DropInChoice("sbox_columns_otf", ("cbc",), (256,)),
    DropInChoice("aesni", ("ctr",), (192,), encrypt_only=True),
)


def code(text: str) -> str:
    """`text` without comments and strings."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', " ", text, flags=re.DOTALL)


def some(choices: tuple[DropInChoice, ...], slow: bool) -> tuple[DropInChoice, ...]:
    return (*FEW, *choices) if slow else FEW


# --- conditions


@pytest.mark.slow
def test_no_condition_always_holds(tmp_path: Path) -> None:
    """As far as cppcheck sees without the caller, in each configuration of the preprocessor."""
    for choice in (*FEW, *CHOICES[::5]):
        source = write(choice, tmp_path)
        command = ["cppcheck", "--enable=style", "--quiet", "--template={id} {line} {message}"]
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=True)
        found = re.findall(r"^knownConditionTrueFalse (\d+) ", done.stderr, re.MULTILINE)
        lines = source.read_text(encoding="utf-8").splitlines()
        assert [lines[int(at) - 1] for at in found if not _misjudged(lines[int(at) - 1])] == []


def _misjudged(line: str) -> bool:
    """cppcheck 2.10 takes it that a sum with 1 never wraps to 0, and forgets that a batch is made
    while there are blocks."""
    return bool(re.search(r"low != 0|\+\+\*|i < batch", line))


def test_what_the_choice_decides_is_resolved() -> None:
    text = code(drop_in(CCM)["fitaes.c"])
    for gone in ("lazy", "batch", "nk == 8", "keys_invert", "lanes > 1", "inv_mix"):
        assert gone not in text


@pytest.mark.parametrize(
    ("expression", "left"),
    [
        ("one == 1 && x", "x"),
        ("x || one", "1"),
        ("x && (y || zero)", "x && y"),
        ("call() || one", "call() || 1"),
        ("(x != 16 || one == 2) && (x != 24 || one == 1)", "x != 16"),
        ("key->rounds == 14 ? x : y", "y"),
        ("(size_t)one > 1u || inverse != NULL", "0"),
        ("x & one", "x & one"),
        ("sizeof(uint32_t) == x", "sizeof(uint32_t) == x"),
    ],
)
def test_expressions_are_shortened(expression: str, left: str) -> None:
    known = KnownValues({"one": 1, "zero": 0, "inverse": 0}, {"rounds": 10})
    assert shortened(expression, known, condition=True) == left


FUNCTION = """static int f(int x)
{
    unsigned unused = 3;
    /* Gone with what it speaks of. */
    if (zero)
        g(x);
    if (zero)
        g(x);
    else if (x) {
        h(x);
    }
    while (one && x)
        x--;
    if (one)
        return x;
    return 4;
}"""

SHORT = """static int f(int x)
{
    if (x) {
        h(x);
    }
    while (x) {
        x--;
    }
    return x;
}"""


LOOPS = """static void f(unsigned n)
{
    for (unsigned i = 0; n == 4 && w != last; i++) {
        w++;
    }
    for (unsigned i = 4; i < n; i++) {
        g(i);
    }
    for (unsigned i = 1; w != last; i++) {
        h(i);
    }
}"""


def test_calls_stay_of_macros_that_do_something_on_some_machines() -> None:
    empty = "#define {name}(a, b) ((void)0)\n"
    lines = "#if defined(__arm__)\n#define LONG(a, b) \\\n    call(a); \\\n    call(b)\n#else\n"
    lines += empty.format(name="LONG") + "#endif\n" + empty.format(name="NOTHING")
    calls = "void f(int x)\n{\n    LONG(x, 1);\n    NOTHING(x, 1);\n}"
    split = [SourceLine("one.c", line) for line in re.split(r"(?<!\\)\n", lines + calls)]
    texts = [one.text for one in expand(entries(split), {})]
    assert calls.replace("    NOTHING(x, 1);\n", "") in texts


def test_loops_go_that_never_begin() -> None:
    left = pruned(LOOPS, KnownValues({"n": 4}))
    assert re.findall(r"for .*", left) == ["for (unsigned i = 0; w != last; i++) {"]
    assert pruned(LOOPS, KnownValues({})).count("for (") == 3
    broken = LOOPS.replace("w++;", "if (g(w++)) {\n            break;\n        }")
    assert pruned(broken, KnownValues({"n": 4})).count("for (") == 2


BATCHES = """static void f(size_t n)
{
    while (n > 0) {
        size_t batch = n < (size_t)lanes ? n : (size_t)lanes;
        n -= batch;
    }
}"""


def test_a_batch_of_one_lane_is_never_less() -> None:
    short = BATCHES.replace("n < (size_t)lanes ? n : ", "")
    assert pruned(BATCHES, KnownValues({"lanes": 1})) == short
    others = (
        BATCHES.replace("n > 0", "n >= 0"),
        BATCHES.replace("n > 0", "m > 0"),
        BATCHES.replace("size_t batch", "n = g();\n        size_t batch"),
        BATCHES.replace("size_t batch", "size_t before = n--, batch"),
        BATCHES.replace("n < (size_t)lanes ?", "n <= (size_t)lanes ?"),
    )
    for kept in others:
        assert pruned(kept, KnownValues({"lanes": 1})).count(" ? n : ") == 1
    assert pruned(BATCHES, KnownValues({"lanes": 2})) == BATCHES


def test_functions_lose_what_is_never_reached() -> None:
    assert pruned(braced(FUNCTION), KnownValues({"one": 1, "zero": 0})) == SHORT
    assert pruned(braced(FUNCTION), KnownValues({})).count("if (") == 4


# --- form


def without_braces(text: str) -> Iterator[str]:
    """Heads of if, for, while, and else that no brace follows."""
    bare = code(text)
    for found in re.finditer(r"\b(if|for|while) \(", bare):
        if bare[: found.start()].endswith(("#", "} ")) and found[1] != "if":
            continue
        depth, at = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(bare[at], 0)
            at += 1
        if bare[at:].lstrip(" \\\n")[0] not in "{;":
            yield bare[found.start() : at]
    for found in re.finditer(r"(?<!#)\belse\b(?!\s*(\{|if\b))", bare):
        yield bare[found.start() : found.end() + 20]


def test_braces_stand_around_every_body(slow: bool) -> None:
    for choice in some(CHOICES, slow):
        assert list(without_braces(drop_in(choice)["fitaes.c"])) == [], named(choice)
    assert list(without_braces("if (x) y; else z; for (;;) ;")) == ["if (x)", "else z; for (;;) ;"]


STRICT = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Wundef",
    "-Wcast-qual",
    "-Werror",
]
LANGUAGES = (
    ("gcc", "-std=c99"),
    ("clang", "-std=c11", "-Wcast-align"),
    ("g++", "-x", "c++", "-std=c++17", "-Wold-style-cast"),
)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language[0])
def test_two_in_one_source_file(language: tuple[str, ...], slow: bool, tmp_path: Path) -> None:
    """Two of the same choice have every name in common but for the prefix."""
    for choice in some(CHOICES, slow):
        one = write(replace(choice, prefix="one"), tmp_path)
        two = write(replace(choice, prefix="two"), tmp_path)
        (tmp_path / "both.c").write_text(f'#include "{one.name}"\n#include "{two.name}"\n')
        command = [*language, *STRICT, "-fsyntax-only", "both.c"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{named(choice)}\n{done.stderr[:2000]}"


def test_lines_have_at_most_100_columns(slow: bool) -> None:
    for choice in some(CHOICES, slow):
        lines = drop_in(choice)["fitaes.c"].splitlines()
        assert [line for line in lines if len(line) > 100 and "0x" not in line] == [], named(choice)


def test_directives_are_wrapped_with_their_backslashes() -> None:
    call = "    CALL(" + ", ".join(f'"%[s{i}]"' for i in range(11)) + ")"
    made = wrapped(f"#define TWO \\\n{call} \\\n{call}").split("\n")
    assert len(made) == 5
    assert {len(line) for line in made[:-1]} == {100}
    assert [line.endswith("\\") for line in made] == [True] * 4 + [False]
    assert (
        wrapped(f"#if {'DEFINED && ' * 10}LAST").split("\n")[1] == "    DEFINED && DEFINED && LAST"
    )


# --- the header


def test_header_lists_the_errors_that_there_are(slow: bool) -> None:
    for choice in some(CHOICES[::3], slow):
        made = drop_in(choice)
        listed = set(re.findall(r"FITAES_ERR_\w+(?= = )", made["fitaes.h"]))
        assert listed
        assert listed == set(re.findall(r"FITAES_ERR_\w+", code(made["fitaes.c"]))), named(choice)


def test_header_names_the_key_sizes_that_there_are() -> None:
    small, both = (
        drop_in(replace(CCM, key_bits=bits))["fitaes.h"] for bits in ((128,), (128, 256))
    )
    assert "(16) of key" in small
    assert "(16 or 32) of key" in both
    for text, wrong in ((small, r"\b(24|32) bytes|XTS|10, 12|4, 6, 8"), (both, r"\b24 |10, 12")):
        assert not re.search(wrong, re.sub(r"uint32_t", "", text))
    xts = drop_in(DropInChoice("ttable1", ("xts",), (256,)))["fitaes.h"]
    assert "(XTS: 64)" in xts


# --- streaming


def test_streaming_adds_the_calls_for_pieces() -> None:
    choice = DropInChoice("fixslice", ("ccm", "gcm", "cmac", "ctr"), streaming=True)
    added = {*public_functions(choice)} - {*public_functions(replace(choice, streaming=False))}
    assert {f"aesfit_{mode}_start" for mode in ("ccm", "gcm", "cmac")} <= added
    assert {"aesfit_ccm_encrypt_update", "aesfit_gcm_finish", "aesfit_cmac_update"} <= added
    assert not {name for name in added if "gmac" in name or "strerror" in name}
    forward = public_functions(replace(choice, encrypt_only=True))
    assert "aesfit_ccm_finish" in forward
    assert not [name for name in forward if "verify" in name or "unverified" in name]


def test_streaming_is_refused_where_there_is_none() -> None:
    with pytest.raises(ValueError, match="in one call, so there is nothing to stream; leave"):
        drop_in(DropInChoice("fixslice", ("kw",), streaming=True))
