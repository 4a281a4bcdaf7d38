# SPDX-License-Identifier: MIT
"""Drop-ins: what the generator makes compiles, links, answers, and holds nothing else."""

import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Hashable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from assembly_cores import assembly_cores, made_for
from covering import covering
from every_core import CORES as AVAILABLE
from few import slow_but
from made_once import drop_in, object_beside

import aesfit
from aesfit.building.sources import registered
from aesfit.catalog import MODES
from aesfit.emitting.choice import DropInChoice, key_words, public_functions
from aesfit.emitting.conditions import evaluate
from aesfit.emitting.head import Origin, head
from aesfit.emitting.prose import trimmed
from aesfit.emitting.source import files
from aesfit.platforms.find import platform_named

PEDANTIC = [
    *("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"),
    *("-Wcast-qual", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wredundant-decls"),
]
CORES = registered("cores")
FORWARD = [mode for mode, shape in MODES.items() if not shape.inverse or mode == "ecb"]
KEY = bytes(range(32))
GUARD = b"\xa5" * 64


def save(choice: DropInChoice, folder: Path) -> Path:
    """Both files; the path of the .c."""
    for name, text in drop_in(choice).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / f"{choice.prefix}.c"


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stderr + done.stdout


def code(choice: DropInChoice) -> str:
    """Both files without comments and strings."""
    text = "\n".join(drop_in(choice).values())
    return re.sub(r'/\*.*?\*/|"[^"\n]*"', " ", text, flags=re.DOTALL)


SMALL = ["-U__x86_64__", "-U__i386__"]  # the branches of microcontrollers, on this computer
CHOICES = [
    *(DropInChoice(core, ("ecb", "ccm")) for core in CORES),
    *(DropInChoice(core, ("ccm",), encrypt_only=True) for core in CORES),
    *(DropInChoice(core, ("kw",), key_bits=(128, 192, 256), self_test=False) for core in CORES),
    *(DropInChoice("fixslice", (mode,)) for mode in MODES),
    *(DropInChoice("transposed", (mode,), encrypt_only=True) for mode in FORWARD),
    *(DropInChoice("ttable1", (mode,), all_functions=True) for mode in MODES),
    *(DropInChoice("ttable1", ("gcm",), ghash=ghash) for ghash in registered("ghash")),
    DropInChoice("fixslice", ("ccm", "gcm", "xts", "cbc"), (128, 256), prefix="my_longer_aes"),
]


def named(choice: DropInChoice) -> str:
    bits = "-".join(map(str, choice.key_bits))
    more = ["encrypt"] * choice.encrypt_only + ["all"] * choice.all_functions
    return "-".join([choice.core, *choice.modes, bits, choice.ghash, *more])


def options(choice: DropInChoice) -> set[Hashable]:
    """What a user chooses, one by one."""
    every = {field.name: getattr(choice, field.name) for field in fields(choice)}
    return {*(("mode", mode) for mode in every.pop("modes")), *every.items()}


QUICK = covering(CHOICES, options)[::4]


@pytest.mark.parametrize("choice", slow_but(QUICK, CHOICES), ids=named)
def test_compiles_without_a_warning(choice: DropInChoice, tmp_path: Path) -> None:
    source = save(choice, tmp_path)
    run("gcc", "-std=c99", *PEDANTIC, "-Wunused-macros", "-fsyntax-only", source)


def unused(source: Path, *flags: str, command: tuple[str, ...] = ("gcc",)) -> set[str]:
    """Static functions and constants that nothing refers to, as the compiler sees it."""
    clear = "-DFITAES_CLEAR=2"  # whoever compiles it decides what clears
    checks = ["-Wunused", "-Wunused-const-variable", "-Wunused-function", clear, *flags]
    told = run(*command, "-std=c99", "-S", "-o", os.devnull, *checks, source)
    return set(re.findall(r"(\w+)\W+defined but not used", told))


@pytest.mark.parametrize("choice", slow_but(QUICK, CHOICES[::4]), ids=named)
def test_holds_nothing_that_is_not_used(choice: DropInChoice, tmp_path: Path) -> None:
    """Neither on computers nor on microcontrollers, attributes and `inline` put aside."""
    source = save(choice, tmp_path)
    text = source.read_text(encoding="utf-8")
    bare = re.sub(r"(always_|no)inline, unused|\binline\b", "", text)
    bare = bare.replace("((noinline))", "(())").replace("aligned(4), unused", "aligned(4)")
    bare = re.sub(r"(#define FITAES_ARGUMENT) .*", r"\1", bare)  # of bodies in assembly
    code = re.sub(r"/\*.*?\*/", "", bare, flags=re.DOTALL)
    assert not re.search(r"\bunused\b(?!\[)", code)  # the attribute; a field may be called so
    source.write_text(bare, encoding="utf-8")
    here = unused(source)
    if choice.core == "aesni" or choice.ghash == "clmul":  # no microcontroller compiles it
        source.write_text(bare.replace("_SMALL_CODE 0", "_SMALL_CODE 1"), encoding="utf-8")
        assert not here & unused(source)
    else:
        machines = made_for(choice.core) if choice.core in assembly_cores() else ()
        for one in machines[:1]:
            alone = (*one.compiler.target, "-ffreestanding")  # RISC-V comes without a C library
            here &= unused(source, *alone, command=(one.compiler.command,))
        assert not here & unused(source, *SMALL)


def test_what_is_not_used_would_be_found(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("static int left_over(void) { return 1; }\n", encoding="utf-8")
    assert unused(source) == {"left_over"}


@pytest.mark.parametrize("choice", slow_but(QUICK, CHOICES[::5]), ids=named)
def test_no_condition_is_left_that_the_choice_decides(choice: DropInChoice) -> None:
    text = code(choice)
    for line in re.findall(r"^#(?:el)?if.*", text, re.MULTILINE):
        assert re.search(r"[A-Za-z]{3,}", line.partition("if")[2]), line
        assert "BOUND" not in line
        assert "BULK" not in line
    assert not re.search(r"CORE_CALL|GHASH_CALL|_JOIN|\bREAD\(|declassify|->core\b", text)


@pytest.mark.parametrize("choice", slow_but(QUICK, CHOICES[::5]), ids=named)
def test_names_have_the_prefix(choice: DropInChoice) -> None:
    text = code(replace(choice, prefix="left"))
    assert "aesfit" not in text.lower()
    for function in public_functions(choice):
        assert f"left_{function.removeprefix('aesfit_')}(" in text


def exported(target: Path) -> set[str]:
    """Names that an object gives to others."""
    listing = run("nm", "--defined-only", "--extern-only", target)
    return {line.split()[-1] for line in listing.splitlines()}


EXPORTS = ["ccmp", "xts", "gcm,kw", "ofb"]


@pytest.mark.parametrize("modes", slow_but(EXPORTS[::2], EXPORTS))
def test_exports_what_it_offers_and_no_more(modes: str, tmp_path: Path) -> None:
    choice = DropInChoice("fixslice", tuple(modes.split(",")), prefix="mine")
    target = object_beside(("gcc", "-O0"), save(choice, tmp_path))
    offered = {f"mine_{name.removeprefix('aesfit_')}" for name in public_functions(choice)}
    assert exported(target) == offered


def test_only_encrypts_when_asked_to() -> None:
    both, forward = (DropInChoice("ttable1", ("ccm",), encrypt_only=only) for only in (False, True))
    assert "fitaes_ccm_decrypt(" in code(both)
    assert not re.search(r"fitaes_\w*(decrypt|unwrap|verify)\w*\(", code(forward))
    assert "td[256]" not in code(both)
    assert "td[256]" in code(DropInChoice("ttable1", ("cbc",)))


def optimised(choice: DropInChoice, folder: Path) -> Path:
    """The object as releases have it; a switch may become a table, which holds no functions."""
    command = ("gcc", "-O2", "-fno-jump-tables", "-fno-stack-protector")
    return object_beside(command, save(choice, folder))


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("core", ["fixslice", "ttable1", "transposed"])
def test_calls_directly(core: str, tmp_path: Path) -> None:
    target = optimised(DropInChoice(core, ("ccm", "gcm", "cbc", "kw")), tmp_path)
    listing = run("objdump", "--disassemble", "--no-show-raw-insn", target)
    assert "<fitaes_ccm_encrypt>:" in listing
    assert not re.search(r"\s(?:notrack )?(?:call|jmp)[a-z]* +\*", listing)


@pytest.mark.parametrize("core", ["fixslice", "aesni"])
def test_needs_memcpy_and_memset_alone(core: str, tmp_path: Path) -> None:
    modes = ("ccm", "kw") if core == "aesni" else ("ccm", "gcm", "cbc", "kw")
    target = optimised(DropInChoice(core, modes), tmp_path)
    listing = run("nm", "--undefined-only", target)
    assert {line.split()[-1] for line in listing.splitlines()} <= {"memcpy", "memset"}


def test_same_bytes_for_the_same_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever order sets have: in another process with another seed."""
    choice = "DropInChoice('ttable1', ('gcm', 'ccmp'), prefix='one')"
    program = (
        "from aesfit.emitting.choice import DropInChoice;"
        "from aesfit.emitting.source import files;"
        f"print(repr(files({choice}, '/* Head. */\\n')))"
    )
    monkeypatch.setenv("PYTHONHASHSEED", "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1")
    told = run(sys.executable, "-c", program)
    made = files(DropInChoice("ttable1", ("gcm", "ccmp"), prefix="one"), "/* Head. */\n")
    assert told == f"{made!r}\n"


def test_head_stands_at_the_top() -> None:
    texts = files(DropInChoice("ttable1", ("ecb",)), "/* What it is. */\n")
    assert texts["fitaes.c"].startswith("/* SPDX-License-Identifier: MIT */\n/* What it is. */\n")
    assert texts["fitaes.h"].startswith("/* SPDX-License-Identifier: MIT */\n/* fitaes: ")


@pytest.mark.slow  # test_emit_runs.py has two in one program by each compiler
def test_two_drop_ins_in_one_program(tmp_path: Path) -> None:
    one = save(DropInChoice("ttable1", ("ccm", "kw"), prefix="one"), tmp_path)
    two = save(DropInChoice("fixslice", ("ccm", "gcm"), (128, 256), prefix="two"), tmp_path)
    main = tmp_path / "main.c"
    main.write_text(
        '#include "one.h"\n#include "two.h"\n'
        "int main(void)\n{\n"
        "    return one_self_test(NULL) != ONE_OK || two_self_test(NULL) != TWO_OK;\n}\n",
        encoding="utf-8",
    )
    run("gcc", "-O1", one, two, main, "-o", tmp_path / "program")
    run(tmp_path / "program")


class Loaded:
    """A drop-in as a shared object."""

    def __init__(self, choice: DropInChoice, folder: Path) -> None:
        target = folder / f"{named(choice)}.so"
        run("gcc", "-O0", "-shared", "-fPIC", save(choice, folder), "-o", target)
        self._library = ctypes.CDLL(str(target))
        self._context = ctypes.create_string_buffer(16 + 4 * key_words(choice) + len(GUARD) + 16)
        self.key = ctypes.c_void_p(-(-ctypes.addressof(self._context) // 16) * 16)

    def call(self, name: str, *arguments: object) -> None:
        wide = [ctypes.c_size_t(a) if isinstance(a, int) else a for a in arguments]
        assert getattr(self._library, f"fitaes_{name}")(*wide) == 0, name

    def guard(self, size: int) -> None:
        """Bytes behind a context of `size`."""
        ctypes.memmove(self.key.value + size, GUARD, len(GUARD))  # type: ignore[operator]

    def guarded(self, size: int) -> bool:
        return ctypes.string_at(self.key.value + size, len(GUARD)) == GUARD  # type: ignore[operator]


ANSWERED = [one.core for one in QUICK if one.modes == ("ecb", "ccm")]
"""Cores whose drop-in is made anyway."""


@pytest.mark.parametrize("core", slow_but(ANSWERED, AVAILABLE))
def test_answers_as_the_library(core: str, tmp_path: Path) -> None:
    """With known answers of its own, and inside a context that has no room to spare."""
    choice = DropInChoice(core, ("ecb", "ccm"))
    drop_in = Loaded(choice, tmp_path)
    drop_in.call("self_test", None)
    context = 16 + 4 * key_words(choice)  # the schedule is aligned to 16 bytes on x86
    drop_in.guard(context)
    drop_in.call("expand_key", drop_in.key, None, KEY[:16], 16, 3)
    assert drop_in.guarded(context)
    nonce, ad, data = KEY[:13], KEY[:20], bytes(range(200, 250)) * 8
    out, tag = ctypes.create_string_buffer(len(data)), ctypes.create_string_buffer(8)
    drop_in.call("ecb_encrypt", drop_in.key, out, data, len(data))
    assert out.raw == aesfit.Cipher(KEY[:16], "ecb").encrypt(data)
    drop_in.call("ecb_decrypt", drop_in.key, out, out, len(data))
    assert out.raw == data
    drop_in.call("ccm_encrypt", drop_in.key, nonce, 13, ad, 20, out, data, len(data), tag, 8)
    assert out.raw + tag.raw == aesfit.AESCCM(KEY[:16], tag_length=8).encrypt(nonce, data, ad)
    drop_in.call("ccm_decrypt", drop_in.key, nonce, 13, ad, 20, out, out, len(data), tag, 8)
    assert out.raw == data


@pytest.mark.few(one_in=5)
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode not in ("ccm", "ecb")])
def test_every_mode_passes_its_self_test(mode: str, tmp_path: Path) -> None:
    sizes = MODES[mode].key_bits
    Loaded(DropInChoice("compact", (mode,), key_bits=sizes), tmp_path).call("self_test", None)


@pytest.mark.few
@pytest.mark.parametrize("mode", ["ctr", "gcm", "xts"])
@pytest.mark.parametrize("step", ["in += 16 * batch", "out += 16 * batch"])
def test_the_self_test_goes_from_batch_to_batch(mode: str, step: str, tmp_path: Path) -> None:
    source = save(DropInChoice("fixslice", (mode,)), tmp_path)
    text = source.read_text(encoding="utf-8")
    assert step in text
    source.write_text(text.replace(step, step.replace("16", "17")), encoding="utf-8")
    run("gcc", "-O0", "-shared", "-fPIC", source, "-o", tmp_path / "broken.so")
    assert ctypes.CDLL(str(tmp_path / "broken.so")).fitaes_self_test(None) != 0


@pytest.mark.parametrize(
    ("core", "mode", "bits"),
    [("fixslice", "ccm", 128), ("ttable1", "cbc", 256), ("transposed", "xts", 128)],
)
def test_context_is_as_large_as_the_rig_has_it(
    core: str, mode: str, bits: int, tmp_path: Path
) -> None:
    from aesfit.building.build import build
    from aesfit.jobs.job import Job

    platform = platform_named("cortex-m3")
    job = Job(platform, core, bits, "both", mode, 1504)
    choice = DropInChoice(core, (mode,), key_bits=(bits,), platform=platform)
    kind = "fitaes_xts_key" if mode == "xts" else "fitaes_key"
    probe = tmp_path / "probe.c"
    save(choice, tmp_path)
    size = build(job).sizes.context_bytes
    probe.write_text(
        f'#include "fitaes.h"\ntypedef char same[sizeof({kind}) == {size} ? 1 : -1];\n',
        encoding="utf-8",
    )
    compiler = platform.compiler
    run(compiler.command, *compiler.target, "-ffreestanding", "-fsyntax-only", probe)


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("defined(X) && !defined(AESFIT_BOUND)", 0),
        ("defined(X) && defined(AESFIT_BOUND)", "defined(X)"),
        ("(SMALL || LARGE) && !defined(NONE)", "SMALL || LARGE"),
        ("defined AESFIT_BOUND || X", 1),
        ("(SIZES & 2) != 0", 0),
        ("(SIZES & 4) != 0 && X > 3", "X > 3"),
        ("__has_include(<string.h>)", "__has_include(<string.h>)"),
        ("!(defined(X) || defined(Y)) || NONE", "!(defined(X) || defined(Y))"),
    ],
)
def test_conditions_are_decided_as_far_as_they_can_be(condition: str, left: int | str) -> None:
    macros = {"AESFIT_BOUND": "fixslice", "SIZES": "5u", "NONE": None}
    assert evaluate(condition, macros) == left


def test_comments_speak_of_what_is_there() -> None:
    text = "\n".join(drop_in(DropInChoice("ttable1", ("ccm",))).values())
    for absent in ("XTS", "every core", "multiplier", "/* The same for", "static or static"):
        assert absent not in text.replace("(XTS: 32 or 64)", "").replace("XTS: both", "")


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("/* All of it. */", "/* All of it. */"),
        ("/* 10, 12; fewer after gone() */", "/* 10, 12 */"),
        ("/* Kept.  With gone() not.  Kept. */", "/* Kept.  Kept. */"),
        ("int x; /* gone() */", "int x;"),
        ("/* One; gone() two.\n * Three. */", "/* One.  Three. */"),
        ("/* One.\n *\n * By gone().\n *\n * Two. */", "/* One.\n *\n * Two. */"),
    ],
)
def test_comments_lose_what_speaks_of_absent_things(comment: str, left: str) -> None:
    assert trimmed(comment, lambda name: name == "gone") == left


def test_a_platforms_title_cannot_end_the_comment(tmp_path: Path) -> None:
    """Platform files may come from others, and their texts appear in the comment at the head."""
    title = "X */ int planted(void) { return 1; } /*"
    platform = replace(platform_named("cortex-m3"), title=title)
    choice = DropInChoice("ttable1", ("ecb",), platform=platform)
    written = files(choice, head(choice, Origin("aesfit emit --platform a*/x.toml"), None))
    assert "planted" in written["fitaes.c"]
    assert "a*/x.toml" not in written["fitaes.c"]
    for text in written.values():
        assert "planted" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
