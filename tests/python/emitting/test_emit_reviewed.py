# SPDX-License-Identifier: MIT
"""Drop-ins as a reviewer reads them: no line that never runs, no condition that always holds, no
body without braces, nothing in the header that is not there, no name without the prefix."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dropin_choices import CHOICES, named
from dropin_run import write
from few import slow_but
from made_once import drop_in

from aesfit import cores
from aesfit.building.sources import registered
from aesfit.emitting.choice import DropInChoice, public_functions
from aesfit.emitting.expressions import KnownValues, shortened
from aesfit.emitting.prune import pruned
from aesfit.emitting.statements import braced

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


# --- what never runs

CALLER = r"""
#include "fitaes.h"
#include <string.h>
static uint8_t in[0x10000], out[0x10000], back[0x10000], tag[16];
static const uint8_t secret[32] = {1}, nonce[14] = {2};

/* Every error that a caller can bring about. */
static int refused(const fitaes_key *key)
{
    fitaes_key none;
    const fitaes_key *k = key;
    int good = fitaes_expand_key(NULL, NULL, secret, 16, 1) == FITAES_ERR_NULL;
    good &= fitaes_expand_key(&none, NULL, secret, 15, 1) == FITAES_ERR_KEY_LENGTH;
    good &= fitaes_expand_key(&none, NULL, secret, 16, 0) == FITAES_ERR_ARGUMENT;
    good &= fitaes_ccm_encrypt(NULL, nonce, 13, in, 0, out, in, 1, tag, 8) == FITAES_ERR_NULL;
    good &= fitaes_ccm_encrypt(k, nonce, 6, in, 0, out, in, 1, tag, 8) == FITAES_ERR_NONCE_LENGTH;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, out, in, 1, tag, 5) == FITAES_ERR_TAG_LENGTH;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, out, in, 65536, tag, 8) == FITAES_ERR_LIMIT;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, NULL, in, 1, tag, 8) == FITAES_ERR_NULL;
    return good;
}

int main(void)
{
    fitaes_key key;
    const char *failed;
    int good = fitaes_self_test(&failed) == FITAES_OK;
    good &= fitaes_expand_key(&key, NULL, secret, 16, FITAES_ENCRYPT) == FITAES_OK;
    for (size_t n = 0; n <= 300; n++)
        for (size_t t = 4; t <= 16; t += 6) {
            good &= fitaes_ccm_encrypt(&key, nonce, 13, in, n, out, in, n, tag, t) == FITAES_OK;
            good &= fitaes_ccm_decrypt(&key, nonce, 13, in, n, back, out, n, tag, t) == FITAES_OK;
            good &= memcmp(in, back, n) == 0;
        }
    good &= fitaes_ccm_encrypt(&key, nonce, 13, in, 65280, out, in, 9, tag, 8) == FITAES_OK;
    good &= refused(&key);
    fitaes_wipe(&key, sizeof key);
    return !good;
}
"""


def never_run(folder: Path, source: str = "fitaes.c") -> tuple[int, list[str]]:
    """Lines that gcov counts, and those of them that never ran."""
    (folder / "caller.c").write_text(CALLER)
    command = ["gcc", "-O0", "--coverage", source, "caller.c", "-o", "caller"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run(["./caller"], cwd=folder, check=True)
    subprocess.run(["gcov", f"caller-{source}"], cwd=folder, check=True, capture_output=True)
    lines = (folder / f"{source}.gcov").read_text(encoding="utf-8").splitlines()
    counted = [line for line in lines if not line.lstrip().startswith("-:")]
    return len(counted), [line.split(":", 2)[2] for line in counted if "#####:" in line[:12]]


# A counter's carry beyond 2^32 blocks, 64 GiB of one message; answers of the self-test where the
# machine computes wrong.
FAR = ("bits", "last", "field", "return;", 'return "ccm"', "return 0;")


# Of 128-bit keys and the one or two blocks of a call that CCM makes they keep a step that longer
# keys or more blocks need; the least share of their lines that runs.
LESS = {"bytewise_alt1": 95, "bytewise_alt2": 95, "bytewise_unrolled": 95, "compact": 96}
LESS |= {"ttable1_otf": 95, "tiny": 95, "aesni": 92}
LESS |= {name: 97 for name in registered("cores") if name.startswith("fixslice")}
QUICK = ("ttable1", "transposed", "fixslice", "fixslice_armv7m")
"""Of these 97 of 100 lines run; where the same 11 lines are left of fewer, 96.5 do."""


@pytest.mark.parametrize("name", slow_but(QUICK, registered("cores")))
def test_every_line_runs(name: str, tmp_path: Path) -> None:
    """All but error returns and what no 300 bytes reach; `name`: of a core."""
    if name not in [core.name for core in cores() if core.available]:
        pytest.skip("this processor lacks its instructions")
    write(replace(CCM, core=name), tmp_path)
    counted, left = never_run(tmp_path)
    assert counted > 250
    least = 97 if name in QUICK else LESS.get(name, 96.5)
    assert len(left) <= (1 - least / 100) * counted, left
    if name not in LESS:
        assert [line for line in left if not any(word in line for word in (*FAR, "ERR_"))] == []


def test_a_line_that_never_runs_would_be_found(tmp_path: Path) -> None:
    source = write(CCM, tmp_path)
    text = source.read_text(encoding="utf-8")
    planted = "    if (bytes > 400) {\n        state->used = 9;\n    }\n    while (bytes > 0) {\n"
    assert "    while (bytes > 0) {\n" in text
    source.write_text(text.replace("    while (bytes > 0) {\n", planted, 1), encoding="utf-8")
    _, left = never_run(tmp_path)
    assert any("used = 9" in line for line in left)


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


def test_loops_go_that_never_begin() -> None:
    left = pruned(LOOPS, KnownValues({"n": 4}))
    assert re.findall(r"for .*", left) == ["for (unsigned i = 0; w != last; i++) {"]
    assert pruned(LOOPS, KnownValues({})).count("for (") == 3
    broken = LOOPS.replace("w++;", "if (g(w++)) {\n            break;\n        }")
    assert pruned(broken, KnownValues({"n": 4})).count("for (") == 2


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
