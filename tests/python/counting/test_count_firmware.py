# SPDX-License-Identifier: MIT
"""`aesfit count` on what real firmware has: critical sections, atomics, callbacks, C++ and Rust."""

import shutil
import subprocess
from pathlib import Path

import pytest
from foreign_objects import NEEDS_COMPILERS, Compile, compiler_in, complaint, counted

from aesfit.counting.stubs import stubs

pytestmark = NEEDS_COMPILERS


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    return compiler_in(tmp_path_factory.mktemp("firmware"))


CRITICAL = r"""
unsigned f(unsigned *p)
{
    unsigned mask;
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(mask));
    *p += 1;
    __asm__ volatile("msr primask, %0\n cpsie i\n dmb\n dsb\n isb" : : "r"(mask));
    return *p;
}
"""
# MRS, CPS, MSR, CPS, DMB, DSB, ISB; then BX LR.  The rest is the increment, and a load.
SYSTEM = {
    "cortex-m0": 4 + 1 + 4 + 1 + 4 + 4 + 4,
    "cortex-m0plus": 3 + 1 + 3 + 1 + 3 + 3 + 3,
    "cortex-m3": 2 + 2 + 2 + 2 + 1 + 1 + 4,
    "cortex-m4": 2 + 2 + 2 + 2 + 1 + 1 + 4,
    "cortex-m33": 2 + 2 + 2 + 2 + 1 + 1 + 4,
}


@pytest.mark.parametrize(("platform", "cycles"), SYSTEM.items())
def test_a_critical_section_is_counted(platform: str, cycles: int, build: Compile) -> None:
    plain = "unsigned f(unsigned *p) { *(volatile unsigned *)p += 1; return *p; }"
    without = counted(platform, build(platform, source=plain), "f", "inout:04000000")
    done = counted(platform, build(platform, source=CRITICAL), "f", "inout:04000000")
    assert (done.result, done.outputs[1]) == (5, bytes.fromhex("05000000"))
    assert abs(done.cycles - without.cycles - cycles) <= 1  # the compiler may save a load or a wait


@pytest.mark.parametrize("platform", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
def test_atomics_and_divisions_are_counted(platform: str, build: Compile) -> None:
    source = "unsigned f(unsigned *p, unsigned b) { return __atomic_fetch_add(p, b, 5) / b; }"
    done = counted(platform, build(platform, source=source), "f", "inout:40000000", "int:8")
    assert (done.result, done.outputs[1]) == (8, bytes.fromhex("48000000"))
    assert (done.loads, done.stores) == (1, 1)


@pytest.mark.parametrize(
    ("platform", "unit"), [("cortex-m4", "fpv4-sp-d16"), ("cortex-m33", "fpv5-sp-d16")]
)
def test_floating_point_is_counted(platform: str, unit: str, build: Compile) -> None:
    source = "int f(int n) { float a = n, b = a / 3; b = __builtin_fmaf(a, b, 1); return b < 9; }"
    flags = ("-mfloat-abi=hard", f"-mfpu={unit}")
    assert counted(platform, build(platform, *flags, source=source), "f", "int:3").result == 1


def test_floating_point_of_version_5_is_counted(build: Compile) -> None:
    source = "int f(int a, int b) { float m = __builtin_fmaxf(a, b); return __builtin_floorf(m); }"
    flags = ("-mfloat-abi=hard", "-mfpu=fpv5-sp-d16", "-ffast-math")
    done = counted("cortex-m33", build("cortex-m33", *flags, source=source), "f", "int:3", "int:7")
    assert done.result == 7
    assert done.cycles_min is not None
    assert done.cycles_min < done.cycles


def test_an_address_that_is_looked_up_is_no_store(build: Compile) -> None:
    source = 'unsigned f(unsigned a) { __asm__ volatile("tt %0, %0" : "+r"(a)); return a; }'
    elf = build("cortex-m33", "-mcmse", source=source)
    with pytest.raises(RuntimeError, match=r"'tt r0, r0' .* is not among the instructions handled"):
        counted("cortex-m33", elf, "f", "int:5")


CONTROL = r"""
unsigned f(unsigned *p)
{
    unsigned before;
    __asm__ volatile(".option arch, +zicsr\n csrrci %0, mstatus, 8" : "=r"(before));
    *(volatile unsigned *)p += 1;
    __asm__ volatile(".option arch, +zicsr\n csrw mstatus, %0" : : "r"(before));
    return 5;
}
"""


@pytest.mark.parametrize(
    ("platform", "cycles"),
    [("rv32im-e31", 6 + 6), ("ibex-small-emulated", 1 + 3), ("cv32e40p-emulated", 4 + 4)],
)
def test_a_critical_section_of_risc_v_is_counted(
    platform: str, cycles: int, build: Compile
) -> None:
    plain = CONTROL.replace("csrrci %0, mstatus, 8", "li %0, 8").replace("csrw mstatus, %0", "nop")
    without, done = (
        counted(platform, build(platform, source=one), "f", "inout:04000000")
        for one in (plain, CONTROL)
    )
    assert done.outputs[1] == bytes.fromhex("05000000")
    assert done.instructions == without.instructions
    assert done.cycles - without.cycles == cycles - 2


CALLBACKS = """
struct context { const unsigned char *in; unsigned char *out; int (*step)(int); unsigned size; };
int twice(int a) { return 2 * a; }
static int thrice(int a) { return 3 * a; }
int (*const used)(int) = thrice;
int f(int (*step)(int), int a) { return step(a) + 1; }
unsigned g(struct context *c)
{
    for (unsigned i = 0; i < c->size; i++)
        c->out[i] = c->step(c->in[i]);
    return c->size;
}
unsigned h(const unsigned char *in, const struct context *c) { return c->in == in; }
struct outer { struct context *inner; unsigned char *copy; };
unsigned n(struct outer *o) { o->copy[0] = 9; return g(o->inner) + o->inner->in[0]; }
"""


@pytest.mark.parametrize("platform", ["cortex-m3", "arm7tdmi", "rv32im-e31"])
def test_functions_are_called_back_and_structs_hold_pointers(platform: str, build: Compile) -> None:
    elf = build(platform, "-ffunction-sections", source=CALLBACKS)
    assert counted(platform, elf, "f", "sym:twice", "int:5").result == 11
    assert counted(platform, elf, "f", "sym:thrice", "int:5").result == 16
    done = counted(platform, elf, "g", "struct:hex:010203,out:3,sym:twice,int:3")
    assert done.outputs == {1: bytes.fromhex("020406")}
    assert counted(platform, elf, "h", "buf:2", "struct:same:1,int:0").result == 1
    inner = "(struct:hex:050607,out:3,sym:twice,int:3)"
    done = counted(platform, elf, "n", f"struct:{inner},out:1")
    assert done.result == 3 + 5
    assert done.outputs == {1: bytes.fromhex("0a0c0e09")}


def test_wrong_structs_and_symbols_say_what_is_allowed(build: Compile) -> None:
    asked = ("--platform", "cortex-m3", "--elf", build("cortex-m3", source=CALLBACKS))
    for argument, allowed in {
        "sym:": "sym:my_callback",
        "sym:twic": "no symbol 'twic'",
        "struct:": "same:K or sym:NAME",
        "struct:int:1,struct:int:2": "or a struct in parentheses",
        "struct:(struct:int:1": "'(struct:int:1' is not an argument",
    }.items():
        said = complaint(*asked, "--function", "f", "--arg", argument, "--arg", "int:1")
        assert allowed in said, argument


OBJECTS = """
struct Key { virtual ~Key(); virtual unsigned go(unsigned); unsigned words[4]; };
Key::~Key() { words[0] = 0; }
unsigned Key::go(unsigned a) { return a + words[1]; }
extern "C" unsigned f(unsigned a) { static Key key; key.words[1] = a; return key.go(2); }
"""


@pytest.mark.skipif(not shutil.which("arm-none-eabi-g++"), reason="no arm-none-eabi-g++")
def test_objects_with_a_destructor_are_linked_with_stubs(tmp_path: Path) -> None:
    (tmp_path / "key.cpp").write_text(OBJECTS)
    command = ["arm-none-eabi-g++", "-mcpu=cortex-m3", "-mthumb", "-Os", "-c", "key.cpp"]
    subprocess.run([*command, "-ffunction-sections"], check=True, cwd=tmp_path)
    done = counted("cortex-m3", tmp_path / "key.o", "f", "int:5")
    assert done.result == 7
    (warning,) = done.warnings
    assert "__aeabi_atexit" in warning
    assert "takes longer" in warning


UNWOUND = """
struct Key { unsigned word; Key(unsigned); ~Key(); unsigned go(unsigned); };
extern "C" unsigned called(unsigned);
extern "C" unsigned f(unsigned a) { Key key(a); return key.go(2) + called(3); }
Key::Key(unsigned a) : word(a) {}
Key::~Key() { *(volatile unsigned *)&word = 0; }
unsigned Key::go(unsigned a) { return a + word; }
extern "C" unsigned called(unsigned a) { return a + 1; }
"""


@pytest.mark.skipif(not shutil.which("arm-none-eabi-g++"), reason="no arm-none-eabi-g++")
@pytest.mark.parametrize(
    ("platform", "cpu"), [("cortex-m0", "cortex-m0"), ("cortex-m4", "cortex-m4")]
)
def test_tables_for_exceptions_need_no_run_time(platform: str, cpu: str, tmp_path: Path) -> None:
    (tmp_path / "key.cpp").write_text(UNWOUND)
    command = ["arm-none-eabi-g++", f"-mcpu={cpu}", "-mthumb", "-O0", "-c", "key.cpp"]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert counted(platform, tmp_path / "key.o", "f", "int:5").result == 5 + 2 + 4


CHECKED = """
void abort(void);
void __assert_func(const char *, int, const char *, const char *);
int memcmp(const void *, const void *, unsigned);
unsigned f(const char *a, const char *b, unsigned n)
{
    volatile char copy[32];
    copy[n] = 0;
    if (n > 30) abort();
    if (n > 20) __assert_func("f.c", 1, "f", "n <= 20");
    return memcmp(a, b, n) == 0;
}
"""


@pytest.mark.parametrize("platform", ["cortex-m3", "rv32im-e31"])
def test_checks_that_hold_are_counted(platform: str, build: Compile) -> None:
    elf = build(platform, "-fstack-protector-all", source=CHECKED)
    equal = counted(platform, elf, "f", "hex:010203", "hex:010203", "int:3")
    differ = counted(platform, elf, "f", "hex:010203", "hex:010204", "int:3")
    assert (equal.result, differ.result) == (1, 0)
    (warning,) = equal.warnings
    assert warning == "memcmp: a plain loop over bytes here; your C library's may take other cycles"


def test_checks_that_fail_stop_the_call(build: Compile) -> None:
    elf = build("cortex-m3", source=CHECKED)
    for number, name in ((25, "__assert_func"), (31, "abort")):
        told = rf"the code stops itself at \w+ \({name}.*\), as after a failed check"
        with pytest.raises(RuntimeError, match=told):
            counted("cortex-m3", elf, "f", "buf:32", "buf:32", f"int:{number}")


@pytest.mark.parametrize(
    ("source", "helps"),
    [
        ("void *malloc(unsigned); void *f(void) { return malloc(4); }", "there is no heap here"),
        ("__thread int t; int f(void) { return t; }", "thread-local variables have no thread here"),
    ],
)
def test_what_cannot_be_linked_says_why(source: str, helps: str, build: Compile) -> None:
    with pytest.raises(RuntimeError, match=helps):
        counted("cortex-m3", build("cortex-m3", source=source), "f")


PANICS = """
extern void panics(void) __asm__("_RNvNtNtCs1_4core5slice5index16slice_index_fail");
extern void __aeabi_memclr4(void *, unsigned);
unsigned f(unsigned *p, unsigned at) { if (at > 3) panics(); __aeabi_memclr4(p, 8); return p[at]; }
"""


def test_panics_of_rust_stop_the_call(build: Compile) -> None:
    """The names that rustc leaves undefined in an object, in C, for want of its compiler."""
    elf = build("cortex-m3", source=PANICS)
    done = counted("cortex-m3", elf, "f", "inout:010000000200000003000000", "int:2")
    assert (done.result, done.outputs[1][:8]) == (3, bytes(8))
    assert done.warnings == ()
    with pytest.raises(RuntimeError, match="slice_index_fail"):
        counted("cortex-m3", elf, "f", "buf:16", "int:4")


def test_names_of_both_manglings_of_rust_are_known() -> None:
    ours = "_ZN4core9panicking5panic17h0123456789abcdefE"
    assert f'__asm__("{ours}")' in stubs({ours, "other"})
    assert not stubs({"other", "_ZN5other4calc17h01E"})
