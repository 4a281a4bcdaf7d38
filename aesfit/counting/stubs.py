# SPDX-License-Identifier: MIT
"""Stubs of run-time support that objects of C++ and Rust name, and that nobody gave.

Memory that is given back, destructors that are registered and guards of static objects need no more
than a return where one call is counted.  What only reports a fault stops the call: a pure virtual
function, and panics, whose names in Rust's crates end in a hash and so are read from the objects.
ARM's names of memcpy and its like (IHI 0043, 4.3.4) call those that stand in for the C library.
All are weak, so that the user's own take precedence.
"""

import re
from collections.abc import Collection

_DELETES = dict.fromkeys(("_ZdlPv", "_ZdlPvj", "_ZdaPv", "_ZdaPvj"), "operator delete")
_TOLD = {
    **_DELETES,
    **{name: name for name in ("__aeabi_atexit", "__cxa_atexit", "atexit")},
    **{name: name for name in ("__cxa_guard_acquire", "__cxa_guard_release")},
}
"""Functions that do less than the real ones, as people know them."""
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
        *(f"WEAK void {name}(void *p) {{ (void)p; }}" for name in _DELETES),
        "WEAK int __aeabi_atexit(void *o, void (*d)(void *), void *h)",
        "{ (void)o; (void)d; (void)h; return 0; }",
        "WEAK int __cxa_atexit(void (*d)(void *), void *o, void *h)",
        "{ (void)o; (void)d; (void)h; return 0; }",
        "WEAK int atexit(void (*d)(void)) { (void)d; return 0; }",
        "WEAK int __cxa_guard_acquire(unsigned char *g) { return !*g; }",
        "WEAK void __cxa_guard_release(unsigned char *g) { *g = 1; }",
        "WEAK void __cxa_pure_virtual(void) { __builtin_trap(); }",
        "WEAK void *__dso_handle;",
        *(f"WEAK void *{name}[3];" for name in _TYPES),
        *(f"WEAK void {name}{takes}" for name, takes in _ALIASES.items()),
    )
)
_KNOWN = frozenset({*_TOLD, *_TYPES, *_ALIASES, "__cxa_pure_virtual", "__dso_handle"})
_OF_RUST = re.compile(r"_(R|ZN)\w*(4core|5alloc|3std)[0-9]\w+")


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
    names = dict.fromkeys(_TOLD[name] for name in _TOLD if name in missing and name in functions)
    if not names:
        return ""
    verb = "is a stub that does" if len(names) == 1 else "are stubs that do"
    return f"{', '.join(names)} {verb} nothing here; in your firmware the call takes longer"
