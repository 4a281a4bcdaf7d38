# SPDX-License-Identifier: MIT
"""`aesfit emit --psa`: the folder compiles, seals what the library seals, and says what it has."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from places import ROOT

import aesfit
from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.figures import contexts
from aesfit.emitting.psa import PSA_HEADERS, operations
from aesfit.platforms.find import platform_named

COMPILERS = {
    "cortex-m3": ("arm-none-eabi-gcc", ("-mcpu=cortex-m3", "-mthumb"), "arm-none-eabi-nm"),
    "x86-64": ("cc", (), "nm"),
}
SHIM = ROOT / "tests" / "c" / "psa_shim"
PAGE = (ROOT / "docs" / "psa.md").read_text(encoding="utf-8")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")
# SP 800-38C, example 1, printed.
SEALED = "7162015b4dac255d"


def _program() -> str:
    """The page's first program in C."""
    found = re.search(r"```c\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def _emit(folder: Path, *modes: str) -> list[Path]:
    aesfit.emit("fixslice", mode=modes, psa=True, folder=folder)
    return sorted(folder.glob("*.c"))


def _output(folder: Path, sources: list[Path]) -> str:
    (folder / "main.c").write_text(_program(), encoding="utf-8")
    program = folder / "program"
    include = (f"-I{folder}", f"-I{SHIM}")
    subprocess.run(["cc", *FLAGS, *include, "-o", program, folder / "main.c", *sources], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()


def test_the_program_of_the_page_seals_a_known_message(tmp_path: Path) -> None:
    folder = tmp_path / "aes"
    assert _output(folder, _emit(folder, "ccm", "gcm")) == SEALED


def test_the_program_notices_a_driver_that_writes_something_else(tmp_path: Path) -> None:
    folder = tmp_path / "aes"
    sources = _emit(folder, "ccm")
    driver = folder / "fitaes_psa_aead.c"
    text = driver.read_text(encoding="utf-8")
    spoilt = text.replace("*out_bytes = bytes + tag_bytes;", "out[0] ^= 1; *out_bytes = bytes + 4;")
    assert spoilt != text
    driver.write_text(spoilt, encoding="utf-8")
    assert _output(folder, sources) != SEALED


@pytest.mark.parametrize(
    "modes", [("cbc", "ctr"), ("cmac",), ("cfb", "ofb", "gcm"), ("xts",), ("xts", "ofb", "gcm")]
)
def test_every_choice_of_modes_compiles_alone(tmp_path: Path, modes: tuple[str, ...]) -> None:
    folder = tmp_path / "aes"
    for source in _emit(folder, *modes):
        command = ["cc", *FLAGS, f"-I{folder}", f"-I{SHIM}", "-fsyntax-only", str(source)]
        subprocess.run(command, check=True)


def test_the_description_names_what_was_chosen(tmp_path: Path) -> None:
    folder = tmp_path / "aes"
    aesfit.emit("fixslice", mode="ccm,cmac,xts", key_bits=(128, 256), psa=True, folder=folder)
    told = json.loads((folder / "fitaes_psa.json").read_text(encoding="utf-8"))
    assert told["prefix"] == "fitaes_psa"
    kept = [(one["algorithms"], one["key_sizes"]) for one in told["capabilities"]]
    assert kept == [
        (["PSA_ALG_XTS"], [256, 512]),
        (["PSA_ALG_CCM"], [128, 256]),
        (["PSA_ALG_CMAC"], [128, 256]),
    ]
    header = (folder / "fitaes_psa.h").read_text(encoding="utf-8")
    for capability in told["capabilities"]:
        for name in capability["entry_points"]:
            assert f"psa_status_t fitaes_psa_{name}(" in header


def test_the_command_that_is_printed_compiles_every_source(tmp_path: Path) -> None:
    folder = tmp_path / "aes"
    answer = aesfit.emit("fixslice", mode="ccm", psa=True, folder=folder)
    assert {path.name for path in folder.glob("*.c")} == {
        Path(word).name for word in answer.compile.split() if word.endswith(".c")
    }
    command = answer.compile.replace(PSA_HEADERS, str(SHIM))
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    assert {path.stem for path in tmp_path.glob("*.o")} == {p.stem for p in folder.glob("*.c")}


def test_functions_are_those_that_the_headers_declare(tmp_path: Path) -> None:
    folder = tmp_path / "aes"
    answer = aesfit.emit("fixslice", mode="ccm,cmac", psa=True, folder=folder)
    header = (folder / "fitaes_psa.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"psa_status_t (fitaes_psa_\w+)\(", header))
    told = {name for name in answer.functions if name.startswith("fitaes_psa_")}
    assert told == {name for name in declared if "cipher" not in name}
    assert answer.as_json()["functions"] == list(answer.functions)


@pytest.mark.parametrize(
    "modes", ["ccm", "gcm", "ccm,gcm,cmac,cbc,ctr,cfb,ofb,xts", "cbc", "ofb", "ctr,cmac", "xts"]
)
@pytest.mark.parametrize("platform", ["cortex-m3", "x86-64"])
def test_contexts_have_the_sizes_that_a_compiler_gives_them(
    tmp_path: Path, platform: str, modes: str
) -> None:
    folder = tmp_path / "aes"
    choice = DropInChoice("fixslice", tuple(modes.split(",")), platform=platform_named(platform))
    sizes = contexts(choice) | operations(choice)
    aesfit.emit("fixslice", mode=modes, psa=True, folder=folder)
    lines = [f"char of_{name}[sizeof({name})];" for name in sizes]
    (folder / "sizes.c").write_text('#include "fitaes_psa.h"\n' + "\n".join(lines) + "\n")
    compiler, target, nm = COMPILERS[platform]
    made = folder / "sizes.o"
    include = (f"-I{folder}", f"-I{SHIM}")
    subprocess.run([compiler, *target, *include, "-c", folder / "sizes.c", "-o", made], check=True)
    listed = subprocess.run([nm, "-S", made], check=True, capture_output=True, text=True).stdout
    found = {line.split()[-1]: int(line.split()[1], 16) for line in listed.splitlines()}
    assert {name.removeprefix("of_"): size for name, size in found.items()} == sizes


@pytest.mark.parametrize(
    ("mode", "encrypt_only", "told"),
    [("kw", False, "not for kw"), ("ccm", True, "leave encrypt_only out")],
)
def test_what_cannot_be_emitted_is_refused(
    tmp_path: Path, mode: str, *, encrypt_only: bool, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        aesfit.emit(mode=mode, encrypt_only=encrypt_only, psa=True, folder=tmp_path / "aes")
    assert not (tmp_path / "aes").exists()
