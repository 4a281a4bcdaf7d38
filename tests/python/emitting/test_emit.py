# SPDX-License-Identifier: MIT
"""`aesfit emit` and `aesfit fit --emit`: what they write, print and refuse."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import fakes
import pytest
from click.testing import CliRunner, Result
from few import slow_but
from made_once import drop_in
from places import ROOT
from stores import own_rows

import aesfit.choosing.field
from aesfit.catalog import MODES
from aesfit.cli import app
from aesfit.emitting import head
from aesfit.emitting.choice import DropInChoice, check, public_functions
from aesfit.emitting.figures import contexts
from aesfit.emitting.secrecy import timing_told
from aesfit.platforms.find import platform_named

CCM = ("--core", "transposed", "--mode", "ccm")
HEAD = {"schema", "version", "question", "limits"}
JSON_KEYS = {
    *("files", "prefix", "core", "modes", "key_bits", "encrypt_only", "separate_keys", "platform"),
    *("functions", "context_bytes", "flash_bytes", "stack_bytes", "compile", "rows"),
}


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, and a folder to be in."""
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def pretend(tmp_path: Path) -> str:
    """A Cortex-M3 with a clock, whose cycles follow from a formula."""
    return fakes.pretend(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def emit(*arguments: str) -> Result:
    return run("emit", *arguments)


def good(result: Result) -> str:
    assert result.exit_code == 0, result.stderr + repr(result.exception)
    return result.stdout


def compiled(folder: Path, *sources: str) -> int:
    """What the program of these files returns, compiled as strictly as a user may.

    Sanitized code takes half as long to compile without optimisation.
    """
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
    made = subprocess.run(
        ["gcc", "-O0", *strict, "-fsanitize=address,undefined", *sources, "-o", "program"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return subprocess.run([folder / "program"], check=False).returncode


def example_in(source: str) -> str:
    """The program in the head of a drop-in."""
    lines = source.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(" *     #include"))
    last = next(at for at, line in enumerate(lines) if line == " *     }")
    return "".join(line.removeprefix(" *").removeprefix("     ") + "\n"
                   for line in lines[first : last + 1])  # fmt: skip


def test_two_files_that_compile_and_a_table() -> None:
    told = good(emit(*CCM))
    assert {path.name for path in Path("fitaes").iterdir()} == {"fitaes.c", "fitaes.h"}
    assert "fitaes_ccm_encrypt" in told
    assert "fitaes_key 180 bytes" in told
    assert re.search(r"^next: cc .* -c fitaes/fitaes\.c$", told, re.MULTILINE)
    source = Path("fitaes/fitaes.c").read_text(encoding="utf-8")
    Path("fitaes/main.c").write_text(example_in(source), encoding="utf-8")
    assert compiled(Path("fitaes"), "fitaes.c", "main.c") == 0


def test_json_has_the_stable_keys(pretend: str) -> None:
    told = json.loads(good(emit(*CCM, "--platform", pretend, "--prefix", "mine", "--json")))
    assert set(told) == JSON_KEYS | HEAD
    assert told["files"] == ["mine/mine.c", "mine/mine.h"]
    assert told["functions"][0] == "mine_expand_key"
    assert told["context_bytes"] == {"mine_key": 180}
    assert [row["op"] for row in told["rows"]] == ["key-setup", "encrypt", "decrypt"]
    assert told["flash_bytes"] > 1000
    assert told["compile"].startswith("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O3 ")
    without = json.loads(good(emit(*CCM, "--json")))
    assert set(without) == JSON_KEYS | HEAD
    assert (without["rows"], without["flash_bytes"], without["platform"]) == ([], None, None)


def test_the_same_choice_gives_the_same_bytes_without_day_or_place(pretend: str) -> None:
    texts = []
    for folder in ("one", "two"):
        good(emit(*CCM, "--platform", pretend, "-o", folder))
        texts.append([path.read_bytes() for path in sorted(Path(folder).iterdir())])
    assert texts[0] == texts[1]
    text = b"".join(texts[0]).decode()
    assert str(Path.cwd().parent) not in text
    assert str(ROOT) not in text
    assert not re.search(r"20\d\d-\d\d|:\d\d:\d\d", text)
    assert (
        "Made by:\n *     aesfit emit --core transposed --mode ccm --platform pretend.toml\n"
        in text
    )


@pytest.mark.parametrize(
    ("ghash", "claim"),
    [
        ("shift32", "Timing: independent of the key.  The C is written"),
        ("mul32", "Timing: independent of the key where the processor multiplies in"),
        ("mul_low", "Timing: independent of the key where the processor multiplies in"),
        ("table8", "Timing: depends on the key.  GHASH is table8"),
    ],
)
def test_the_claim_is_that_of_the_multiplier(ghash: str, claim: str) -> None:
    choice = DropInChoice("fixslice", ("gcm",), (128,), ghash=ghash)
    assert timing_told(choice, None, "aesfit emit").startswith(claim)


def test_the_head_tells_what_was_measured(pretend: str) -> None:
    told = json.loads(good(emit(*CCM, "--key-bits", "256,128", "--platform", pretend, "--json")))
    source = Path("fitaes/fitaes.c").read_text(encoding="utf-8")
    top = source.partition("*/\n#include")[0]
    for bits in (128, 256):
        rows = [row for row in told["rows"] if row["key_bits"] == bits]
        cells = [f"{row['cycles']:,}" for row in rows]
        assert re.search(rf"ccm, {bits} bits +{cells[0]} +{cells[1]} +[\d.]+ +{cells[2]} ", top)
    assert f"Flash: {told['flash_bytes']:,} bytes" in top
    assert f"stack at most {told['stack_bytes']} bytes" in top
    for said in ("Permission is hereby granted", "SPDX-License-Identifier: MIT", "Timing:",
                 "SHA-256", "fitaes_self_test(NULL)", "-mcpu=cortex-m3"):  # fmt: skip
        assert said in top, said
    assert max(map(len, top.splitlines())) <= 100


def test_the_command_in_the_head_compiles_without_a_libc(tmp_path: Path) -> None:
    choice = DropInChoice("compact", ("cbc",), platform=platform_named("rv32im-e31"))
    for name, text in drop_in(choice).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = head.compile_line(choice, None).split()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("core", "modes", "needs"),
    [
        ("aesni", ("gcm",), "x86 AES-NI, PCLMULQDQ, SSE4.1 and SSSE3"),
        ("fixslice", ("gcm",), "PCLMULQDQ and SSSE3"),
        ("fixslice", ("ctr",), ""),
    ],
)
def test_the_head_tells_which_instructions_are_needed(
    core: str, modes: tuple[str, ...], needs: str
) -> None:
    top = head.head(DropInChoice(core, modes, ghash="clmul"), head.Origin("aesfit emit"), None)
    found = re.search(
        r"runs only on processors that have (.*?)\.  Nothing", " ".join(top.split(" * "))
    )
    assert (found[1] if found else "") == needs


@pytest.mark.parametrize(
    ("modes", "encrypt_only", "told"),
    [(("ctr",), False, False), (("ctr", "ccm"), True, False), (("ctr", "ccm"), False, True)],
)
def test_the_head_tells_of_verdicts_where_there_are_any(
    modes: tuple[str, ...], encrypt_only: bool, told: bool
) -> None:
    choice = DropInChoice("fixslice", modes, encrypt_only=encrypt_only)
    assert ("Whether" in head.head(choice, head.Origin("aesfit emit"), None)) == told
    assert head.title(choice).startswith("AES in CTR")
    assert "counter" not in head.title(choice)


def test_times_that_do_not_repeat_are_not_in_the_file() -> None:
    good(emit(*CCM, "--platform", "x86-64"))
    top = Path("fitaes/fitaes.c").read_text(encoding="utf-8")
    assert "aesfit measure --platform x86-64 --core transposed --mode ccm --key-bits 128" in top
    assert "cycles " not in top.partition("#include")[0]


KEYS = (
    ("aesni", "clmul", 128),
    ("aesni", "clmul", 256),
    ("ttable1", "table4", 128),
    ("ttable1", "table4", 256),
)


@pytest.mark.parametrize(("core", "ghash", "bits"), slow_but(KEYS[::3], KEYS))
def test_bytes_of_keys_on_this_computer(core: str, ghash: str, bits: int, tmp_path: Path) -> None:
    platform = platform_named("x86-64")
    choice = DropInChoice(core, ("ccm", "gcm", "xts"), (bits,), platform=platform, ghash=ghash)
    told = contexts(choice)
    same = " && ".join(f"sizeof({name}) == {size}" for name, size in told.items())
    program = f'#include "fitaes.h"\nint main(void)\n{{\n    return !({same});\n}}\n'
    for name, text in {**drop_in(choice), "main.c": program}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert compiled(tmp_path, "main.c") == 0, same  # the header alone says it


@pytest.mark.few(one_in=5)
@pytest.mark.parametrize("mode", MODES)
def test_the_example_of_every_mode_works(mode: str, slow: bool, tmp_path: Path) -> None:
    """In both directions; then with separate keys, or encrypting only, and the longest keys.

    In short runs the one or the other, mode by mode.
    """
    shortest, longest = MODES[mode].key_bits[0], MODES[mode].key_bits[-1]
    full = DropInChoice("ttable1", (mode,), (shortest,))
    inverse = MODES[mode].inverse
    less = replace(full, key_bits=(longest,), encrypt_only=not inverse, separate_keys=inverse)
    for choice in (full, less) if slow else ((full, less)[list(MODES).index(mode) % 2],):
        check(choice)
        made = {**drop_in(choice), "main.c": head.example(choice)}
        for name, text in made.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        assert compiled(tmp_path, "fitaes.c", "main.c") == 0
        called = set(re.findall(r"fitaes_\w+(?=\()", made["main.c"]))
        offered = {head.renamed(name, "fitaes") for name in public_functions(choice)}
        assert offered - called <= {"fitaes_self_test"}
        assert len(made["main.c"].splitlines()) <= 20


@pytest.mark.parametrize("mode", [name for name, shape in MODES.items() if shape.inverse])
def test_separate_keys_take_the_ram_of_one_direction(mode: str, tmp_path: Path) -> None:
    """The stated size is right, and a call for both directions does not compile."""
    choice = DropInChoice("ttable1", (mode,), separate_keys=True)
    ((name, size),) = contexts(choice).items()
    assert size == 180 * MODES[mode].keys
    asked = f'#include "fitaes.h"\ntypedef char same[sizeof({name}) == {size} ? 1 : -1];\n'
    made = {**drop_in(choice), "size.c": asked, "both.c": asked + "unsigned d = FITAES_BOTH;\n"}
    for file, text in made.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-ffreestanding", "-fsyntax-only"]
    assert subprocess.run([*command, str(tmp_path / "size.c")], check=False).returncode == 0
    done = subprocess.run([*command, str(tmp_path / "both.c")], capture_output=True, text=True)
    assert "FITAES_BOTH" in done.stderr


def test_separate_keys_are_of_no_use_where_keys_only_encrypt() -> None:
    asked = ("--core", "ttable1", "--separate-keys")
    for rest in (("--mode", "ccm"), ("--mode", "ecb", "--encrypt-only")):
        told = run("emit", *asked, *rest)
        assert told.exit_code == 2
        assert "nothing to separate" in " ".join(told.output.split())
    top = good(emit(*asked, "--mode", "cbc"))
    assert "RAM: fitaes_key 180 bytes" in top
    assert "--separate-keys" in Path("fitaes/fitaes.c").read_text(encoding="utf-8")


def test_examples_with_nonces_say_that_they_never_repeat() -> None:
    for mode in ("ccm", "gcm", "ctr", "ofb", "ccmp"):
        assert re.search(r"twice under one key", head.example(DropInChoice("ttable1", (mode,)))), (
            mode
        )


def test_block_is_one_function_that_encrypts(pretend: str) -> None:
    block = ("--core", "compact", "--mode", "block", "--encrypt-only")
    told = json.loads(good(emit(*block, "--json")))
    assert told["modes"] == ["ecb"]
    names = ["fitaes_expand_key", "fitaes_wipe", "fitaes_self_test", "fitaes_ecb_encrypt"]
    assert told["functions"] == names
    assert "decrypt(" not in Path("fitaes/fitaes.c").read_text(encoding="utf-8")
    good(run("fit", "--platform", pretend, *block, "--emit", "chosen"))
    assert "fitaes_ecb_encrypt(" in Path("chosen/fitaes.c").read_text(encoding="utf-8")


REFUSED = {
    "the block in both directions": ("--core", "compact", "--mode", "block"),
    "no such core": (*CCM, "--core", "transpose"),
    "a core that the platform cannot run": ("--core", "aesni", *CCM[2:], "--platform", "cortex-m3"),
    "decryption in an encrypt-only build": (*CCM[:2], "--mode", "cbc", "--encrypt-only"),
    "no such mode": (*CCM[:2], "--mode", "ccx"),
    "no mode": (*CCM[:2], "--mode", ","),
    "a key size that the mode lacks": (*CCM[:2], "--mode", "ccmp", "--key-bits", "256"),
    "no key size": (*CCM, "--key-bits", "100"),
    "no C identifier": (*CCM, "--prefix", "9lives"),
    "a path for a prefix": (*CCM, "--prefix", "a/b"),
    "a header of C": (*CCM, "--prefix", "string"),
    "no such platform": (*CCM, "--platform", "cortex-m35"),
    "two platforms": (*CCM, "--platform", "cortex-m3,cortex-m4"),
    "a multiplier without gcm": (*CCM, "--ghash", "table4"),
    "no such multiplier": (*CCM[:2], "--mode", "gcm", "--ghash", "table5"),
    "a message that the mode does not take": (
        *(*CCM[:2], "--mode", "cbc", "--bytes", "17", "--platform", "cortex-m3"),
    ),
    "a folder that is there": (*CCM, "-o", "there"),
    "a file in the folder's place": (*CCM, "-o", "there/file", "--force"),
    "no folder to put it in": (*CCM, "-o", "nowhere/fitaes"),
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED.keys())
def test_bad_requests_are_refused_and_nothing_is_written(arguments: tuple[str, ...]) -> None:
    Path("there").mkdir()
    Path("there/file").write_text("kept", encoding="utf-8")
    result = emit(*arguments)
    assert result.exit_code == 2, result.output
    assert len(result.stderr.partition("Error: ")[2].strip().splitlines()) == 1
    assert result.stdout == ""
    assert [path.name for path in Path().rglob("*")] == ["there", "file"]
    assert Path("there/file").read_text(encoding="utf-8") == "kept"


def test_force_replaces_both_files_and_no_other() -> None:
    good(emit(*CCM))
    before = Path("fitaes/fitaes.c").read_bytes()
    Path("fitaes/main.c").write_text("mine", encoding="utf-8")
    good(emit(*CCM, "--key-bits", "256", "--force"))
    assert Path("fitaes/fitaes.c").read_bytes() != before
    assert Path("fitaes/main.c").read_text(encoding="utf-8") == "mine"
    assert {path.name for path in Path("fitaes").iterdir()} == {"fitaes.c", "fitaes.h", "main.c"}


def test_force_takes_the_folder_that_one_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("src").mkdir()
    monkeypatch.chdir("src")
    good(emit(*CCM, "-o", ".", "--force"))
    assert {path.name for path in Path().iterdir()} == {"fitaes.c", "fitaes.h"}


def test_a_place_that_cannot_be_written_is_a_failure() -> None:
    result = CliRunner().invoke(app, ["emit", *CCM, "-o", "/proc/fitaes"])
    assert isinstance(result.exception, OSError)  # main() says so in a sentence, and returns 1
    assert result.exception.filename == "/proc/fitaes"


def test_what_fails_half_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_text

    def full(self: Path, text: str, encoding: str) -> int:
        if self.suffix == ".h":
            raise OSError(28, "No space left on device")
        return write(self, text, encoding=encoding)

    monkeypatch.setattr(Path, "write_text", full)
    assert isinstance(emit(*CCM).exception, OSError)
    assert list(Path().iterdir()) == []


def test_fit_emits_its_winner(pretend: str) -> None:
    asked = ("fit", "--platform", pretend, "--core", "compact,ttable4", "--flags", "-Os")
    told = json.loads(good(run(*asked, "--emit", "out", "--json")))
    winner = told["winner"]["core"]
    assert told["files"] == ["out/fitaes.c", "out/fitaes.h"]
    source = Path("out/fitaes.c").read_text(encoding="utf-8")
    prose = re.sub(r"\s*\n \* *", " ", source)
    assert told["sentence"] in prose
    assert "Made by: aesfit fit --platform pretend.toml --core compact,ttable4" in prose
    assert "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -ffreestanding" in prose
    assert f"core {winner}." in prose
    assert "out/fitaes.c written" in good(run(*asked, "--emit", "out", "--force"))


@pytest.mark.parametrize("arguments", [("-o",), ("--mode", "cbc", "--encrypt-only")])
def test_fit_refuses_before_it_measures(
    pretend: str, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("measured")

    monkeypatch.setattr(aesfit.choosing.field, "answered", never)
    if arguments == ("-o",):
        Path("out").mkdir()
        arguments = ()
    result = run("fit", "--platform", pretend, "--emit", "out", *arguments)
    assert result.exit_code == 2, result.output
    assert run("fit", "--platform", pretend, "--force").exit_code == 2
    assert not list(Path().rglob("*.c"))


def test_fit_without_a_winner_writes_nothing(pretend: str) -> None:
    result = run("fit", "--platform", pretend, "--max-flash", "10", "--emit", "out")
    assert result.exit_code == 1
    assert not Path("out").exists()
