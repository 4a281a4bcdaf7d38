# SPDX-License-Identifier: MIT
"""docs/reference against the header and the library: synopses, errors, and programs that run."""

import re
import subprocess
from pathlib import Path

import pytest
from firmware_packages import LIB, run, version
from places import ROOT

import aesfit._native

HEADER = "".join(
    (LIB / "include" / f"aesfit{part}.h").read_text(encoding="utf-8")
    for part in ("", "_seal", "_messages")
)
PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
C_TESTS = ROOT / "tests" / "c"
STRICT = ["cc", "-std=c11", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

DECLARATION = re.compile(r"^(?:const )?[a-z]\w*[ *]+(aesfit_\w+)\([^;]*;", re.MULTILINE)
DECLARED = {found[1]: " ".join(found[0].split()) for found in DECLARATION.finditer(HEADER)}
STATUSES = re.findall(r"^    AESFIT_ERR_(\w+) = (-\d+)", HEADER, re.MULTILINE)
PROGRAMS = [
    pytest.param(text, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, text in enumerate(
        re.findall(r"^```c\n(#include.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    )
]

TELLING = """
#include <aesfit.h>
#include <stdio.h>
static unsigned char told_before[FUNCTIONS][64];
static inline int told(int function, const char *name, int status)
{
    if (!told_before[function][-status]++)
        printf("told %s %d\\n", name, status);
    return status;
}
"""
"""What C tests are compiled with, so that they tell every status that a function gave."""
TELLERS = (
    "test_wild",
    "test_aead_errors",
    "test_gcm_siv",
    "test_nonces",
    "test_modes_errors",
    "test_ccmp",
    "test_mac_wrap",
    "test_padding",
    "test_ctr",
    "test_wipe",
    "test_cbc_many",
    "test_study",
)
NOT_SEEN = {
    *((name, status) for name in DECLARED for status in ("UNKNOWN_CORE", "UNAVAILABLE")),
    # More data than memory holds.
    *((f"aesfit_gcm_{name}", "LIMIT") for name in ("encrypt", "decrypt")),
    *((f"aesfit_gcm_siv_{name}", "LIMIT") for name in ("encrypt", "decrypt")),
    *((f"aesfit_{name}", "LIMIT") for name in ("gmac", "gmac_verify", "stream_update")),
    # A key that was wiped while a state held it.
    *((f"aesfit_{name}", "DIRECTION") for name in ("stream_update", "stream_finish")),
    ("aesfit_cmac_finish", "DIRECTION"),
    ("aesfit_self_test", "SELF_TEST"),
}
"""Errors that the pages list and no test here can bring about."""


def errors() -> dict[str, list[str]]:
    """The tables of errors of all pages."""
    rows = (
        re.findall(r"^\| `(aesfit_\w+)` \| ([A-Z_ ]+) \|$", page.read_text(), re.MULTILINE)
        for page in PAGES
    )
    return {name: words.split() for page in rows for name, words in page}


@pytest.fixture(scope="module")
def sanitized(slow: bool) -> list[str]:
    """Flags of the compiler; the same C tests are sanitized in short runs by tools/test_c.sh."""
    return SANITIZERS if slow else []


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, sanitized: list[str]) -> Path:
    """A library that checks overlaps."""
    build = tmp_path_factory.mktemp("library")
    run("cmake", "-S", LIB, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
        "-DAESFIT_CORES=bytewise;fixslice;sbox_columns;ttable4", "-DAESFIT_CHECK_OVERLAP=ON",
        f"-DCMAKE_C_FLAGS={' '.join(sanitized)}")  # fmt: skip
    run("cmake", "--build", build)
    return build / "libaesfit.a"


def test_synopses_are_the_header() -> None:
    shown: list[tuple[str, str]] = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        synopsis = re.search(r"^## Synopsis\n\n```c\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        assert synopsis or page.stem == "index"
        found = DECLARATION.finditer(synopsis[1] if synopsis else "")
        shown += [(one[1], " ".join(one[0].split())) for one in found]
    assert len(DECLARED) > 50
    assert len(shown) == len(dict(shown))
    assert dict(shown) == DECLARED


def test_every_status_has_its_functions() -> None:
    listed, known = errors(), {name for name, _ in STATUSES}
    without_status = {name for name, text in DECLARED.items() if not text.startswith("int ")}
    without_status |= {"aesfit_core_available", "aesfit_ghash_available"}
    assert set(listed) == set(DECLARED) - without_status
    used = {word for words in listed.values() for word in words}
    assert used == known - {"OVERLAP"}  # of the common page


def test_what_verifies_must_be_checked(tmp_path: Path) -> None:
    """The compiler warns for these and for those of nonces, and for no others."""
    listed = errors()
    verifying = {n for n, words in listed.items() if {"AUTHENTICATION", "SELF_TEST"} & {*words}}
    verifying |= {f"aesfit_nonces_{name}" for name in ("next", "save", "restore")}
    assert {name for name, text in DECLARED.items() if "MUST_CHECK" in text} == verifying
    calls = []
    for name in listed:
        arguments = DECLARED[name].partition("(")[2].rpartition(")")[0].split(",")
        calls.append(f"    {name}({', '.join('0' for _ in arguments)});\n")
    (source := tmp_path / "ignores.c").write_text(
        f"#include <aesfit.h>\nvoid ignores(void);\nvoid ignores(void)\n{{\n{''.join(calls)}}}\n"
    )
    words = ["cc", f"-I{LIB / 'include'}", "-c", str(source), "-o", str(tmp_path / "ignores.o")]
    warned = subprocess.run(words, capture_output=True, text=True, check=True).stderr
    assert set(re.findall(r"ignoring return value of .(\w+).", warned)) == verifying


@pytest.mark.few(one_in=5)
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(library: Path, sanitized: list[str], tmp_path: Path, program: str) -> None:
    (source := tmp_path / "example.c").write_text(program)
    made = tmp_path / "example"
    run(*STRICT, *sanitized, f"-I{LIB / 'include'}", source, library, "-o", made)
    run(made)


def test_there_is_a_program_for_every_function() -> None:
    every = "".join(str(program.values[0]) for program in PROGRAMS)
    assert [name for name in DECLARED if f"{name}(" not in every] == []


def test_errors_are_those_that_come(
    library: Path, sanitized: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every error seen by the C tests is listed, and every listed error is seen."""
    monkeypatch.setenv("AESFIT_SEED", "1")  # they draw lengths, of which not all bring every error
    numbers = {int(value): name for name, value in STATUSES}
    told = [TELLING.replace("FUNCTIONS", str(len(DECLARED)))]
    for at, name in enumerate(errors()):
        told.append(f'#define {name}(...) told({at}, "{name}", {name}(__VA_ARGS__))\n')
    (telling := tmp_path / "telling.h").write_text("".join(told))
    came: set[tuple[str, str]] = set()
    for test in TELLERS:
        made = tmp_path / test
        run("cc", "-std=c11", "-g1", "-w", *sanitized, "-include", telling,
            f"-I{LIB / 'include'}", f"-I{LIB / 'src'}", C_TESTS / f"{test}.c", library,
            "-o", made)  # fmt: skip
        output = run(made, ROOT / "tests" / "vectors")
        for name, status in re.findall(r"^told (\w+) (-\d+)$", output, re.MULTILINE):
            came.add((name, numbers[int(status)]))
    listed = {(name, status) for name, words in errors().items() for status in words}
    assert sorted(came - listed) == []
    assert sorted(listed - came - NOT_SEEN) == []


def test_every_function_with_two_pointers_is_tried_for_overlap() -> None:
    calls = (C_TESTS / "overlap_calls.h").read_text(encoding="utf-8")
    pasted = {f"aesfit_{name}" for name in re.findall(r"^FEEDBACK\((\w+)\)", calls, re.MULTILINE)}
    one = {"aesfit_self_test", "aesfit_study_expand_key"}  # one pointer; as aesfit_expand_key()
    tried = {name for name in DECLARED if f" {name}(" in calls} | pasted
    assert {*errors()} - one <= tried


def test_one_version() -> None:
    """The three numbers are its only place in the header."""
    assert not re.search(r'"\d+\.\d+', HEADER)
    assert version() == aesfit._native.version
