# SPDX-License-Identifier: MIT
"""Stubs of run-time support that objects of C++ and Rust name, and that nobody gave.

Memory that is given back, destructors that are registered and guards of static objects need no more
than a return where one call is counted.  What only reports a fault stops the call: a pure virtual
function, assertions, the stack protector's check, unwinding, and panics, whose names in Rust's
crates end in a hash and so are read from the objects.
ARM's names of memcpy and its like (IHI 0043, 4.3.4) call those that stand in for the C library.
All are weak, so that the user's own take precedence.
"""

import re
from collections.abc import Collection

_DELETES = dict.fromkeys(("_ZdlPv", "_ZdlPvj", "_ZdaPv", "_ZdaPvj"), "operator delete")
_TOLD = {
    **_DELETES,
    "free": "free",
    **{name: name for name in ("__aeabi_atexit", "__cxa_atexit", "atexit")},
    **{name: name for name in ("__cxa_guard_acquire", "__cxa_guard_release")},
}
"""Functions that do less than the real ones, as people know them."""
_PLAIN = {
    "memcmp": "int memcmp(const void *a, const void *b, __SIZE_TYPE__ n) { "
    "const unsigned char *p = a, *q = b; "
    "for (; n && *p == *q; n--) p++, q++; return n ? *p - *q : 0; }",
    "strlen": "__SIZE_TYPE__ strlen(const char *s) { "
    "const char *e = s; while (*e) e++; return (__SIZE_TYPE__)(e - s); }",
}
"""Functions of the C library of which this is a plain version."""
_FAULTS = (
    *("abort", "exit", "_exit", "__assert_func", "__assert_fail", "__stack_chk_fail"),
    *("__cxa_pure_virtual", "__cxa_end_cleanup", "_Unwind_Resume", "__gxx_personality_v0"),
    *(f"__aeabi_unwind_cpp_pr{number}" for number in range(3)),
)
"""What runs after a fault alone; unwinders would pull in the rest of the run-time support."""
_TYPES = tuple(
    f"_ZTVN10__cxxabiv1{name}E"
    for name in ("17__class_type_info", "20__si_class_type_info", "21__vmi_class_type_info")
)
_MEMORY = {
    "memcpy": ("void *to, const void *from, __SIZE_TYPE__ size", "memcpy(to, from, size)"),
    "memmove": ("void *to, const void *from, __SIZE_TYPE__ size", "memmove(to, from, size)"),
    "memset": ("void *to, __SIZE_TYPE__ size, int byte", "memset(to, byte, size)"),
    "memclr": ("void *to, __SIZE_TYPE__ size", "memset(to, 0, size)"),
}
_ALIASES = {
    f"__aeabi_{name}{aligned}": f"({takes}) {{ {calls}; }}"
    for name, (takes, calls) in _MEMORY.items()
    for aligned in ("", "4", "8")
}
_TEXT = "\n".join(
    (
        "void *memcpy(void *, const void *, __SIZE_TYPE__);",
        "void *memmove(void *, const void *, __SIZE_TYPE__);",
        "void *memset(void *, int, __SIZE_TYPE__);",
        "#define WEAK __attribute__((weak))",
        *(f"WEAK void {name}(void *p) {{ (void)p; }}" for name in (*_DELETES, "free")),
        "WEAK int __aeabi_atexit(void *o, void (*d)(void *), void *h)",
        "{ (void)o; (void)d; (void)h; return 0; }",
        "WEAK int __cxa_atexit(void (*d)(void *), void *o, void *h)",
        "{ (void)o; (void)d; (void)h; return 0; }",
        "WEAK int atexit(void (*d)(void)) { (void)d; return 0; }",
        "WEAK int __cxa_guard_acquire(unsigned char *g) { return !*g; }",
        "WEAK void __cxa_guard_release(unsigned char *g) { *g = 1; }",
        *(f"WEAK void {name}(void) {{ __builtin_trap(); }}" for name in _FAULTS),
        *(f"WEAK {text}" for text in _PLAIN.values()),
        "WEAK void *__dso_handle;",
        "WEAK __UINTPTR_TYPE__ __stack_chk_guard = (__UINTPTR_TYPE__)0x5bd1e995;",
        *(f"WEAK void *{name}[3];" for name in _TYPES),
        *(f"WEAK void {name}{takes}" for name, takes in _ALIASES.items()),
    )
)
_KNOWN = frozenset(
    {*_TOLD, *_TYPES, *_ALIASES, *_FAULTS, *_PLAIN, "__dso_handle", "__stack_chk_guard"}
)
_OF_RUST = re.compile(r"_(R|ZN)\w*(4core|5alloc|3std)[0-9]\w+")


_HINTS = {
    r"operator new|`(malloc|calloc|realloc)'": "there is no heap here; give the object of your own",
    r"`__cxa_(throw|allocate_exception)'": "exceptions are not run here; compile it with "
    "-fno-exceptions",
    r"`__dynamic_cast'": "dynamic_cast is not there; give an executable, or leave it out",
    r"`__aeabi_read_tp'": "thread-local variables have no thread here; give an executable, or "
    "make them global",
    r"can not size stub section": "entries from the non-secure side need your own linker script; "
    "compile it without -mcmse, or give an executable",
}
"""What helps, by what the linker says."""


def hint(complaint: str) -> str:
    """What helps where these messages of the linker have a known reason; else empty."""
    return next((told for says, told in _HINTS.items() if re.search(says, complaint)), "")


def stubs(missing: Collection[str]) -> str:
    """C text that defines what it can of these names; empty if it can define none."""
    stops = sorted(name for name in missing if _OF_RUST.fullmatch(name))
    if not stops and _KNOWN.isdisjoint(missing):
        return ""
    panics = [
        f'WEAK void stop_{at}(void) __asm__("{name}");\n'
        f"void stop_{at}(void) {{ __builtin_trap(); }}"
        for at, name in enumerate(stops)
    ]
    return "\n".join((_TEXT, *panics))


def told(functions: Collection[str], missing: Collection[str]) -> str:
    """A note on the stubs among the functions of an image; empty if there are none."""
    linked = {*missing} & {*functions}
    names = dict.fromkeys(title for name, title in _TOLD.items() if name in linked)
    verb = "is a stub that does" if len(names) == 1 else "are stubs that do"
    empty = f"{', '.join(names)} {verb} nothing here; in your firmware the call takes longer"
    plain = " and ".join(name for name in _PLAIN if name in linked)
    loops = f"{plain}: a plain loop over bytes here; your C library's may take other cycles"
    return "; ".join(text for text, found in ((empty, names), (loops, plain)) if found)
