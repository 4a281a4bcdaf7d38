# SPDX-License-Identifier: MIT
"""Builds the observer: the tracer's sources with other hooks, as an object of its own.

The tracer itself stays as it is, because every measured figure is kept under a digest of it.
"""

import ctypes
import importlib.util
import shlex
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_uint16, c_uint32, c_void_p
from functools import cache
from pathlib import Path

from ..rigs import native_object
from ..rigs.emulator.tracer import shared_object as tracer
from ..rigs.emulator.tracer.native import TracedCall, TracedMemory, TracedResult
from ..rigs.native_object import FLAGS
from ..store import closure
from ..store.files import beside

WHAT = "the observer of the emulator"
_AGAIN = f"{shlex.quote(sys.executable)} -m aesfit leak power --help"
_REPLACED = "hooks.c"


class ObservedStep(Structure):
    """aesfit_observed_step."""

    _fields_ = (("pc", c_uint32), ("writes", c_uint16), ("cells", c_uint16))


_FUNCTIONS = {
    "tracer_open": (c_int, (POINTER(c_void_p), c_int, ctypes.c_uint)),
    "tracer_map": (c_int, (c_void_p, POINTER(TracedMemory))),
    "tracer_close": (None, (c_void_p,)),
    "tracer_engine_error": (c_char_p, (c_int,)),
    "observer_open": (c_int, (POINTER(c_void_p), c_void_p)),
    "observer_close": (None, (c_void_p,)),
    "observer_follow": (None, (c_void_p, c_void_p, c_size_t, c_void_p)),
    "observer_run": (
        c_size_t,
        (c_void_p, POINTER(TracedCall), POINTER(TracedResult), c_void_p, c_size_t),
    ),
}


def _sources() -> list[Path]:
    kept = [path for path in tracer.sources() if path.name != _REPLACED]
    return [*kept, *beside(__file__, "*.[ch]")]


@cache
def library() -> ctypes.CDLL:
    """The loaded object; RigUnavailableError tells how to get it."""
    tracer.build()  # it says what is missing
    made_for = (closure.package_version("unicorn"), str(_unicorn()))
    loaded = ctypes.CDLL(str(native_object.obtain(WHAT, _sources(), made_for, _compile)))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, f"aesfit_{name}")
        function.restype, function.argtypes = result, arguments
    return loaded


def _unicorn() -> Path:
    """Folder of the installed package, whose headers and library the tracer was built with."""
    found = importlib.util.find_spec("unicorn")
    assert found is not None and found.origin is not None  # noqa: S101, PT018 - it was built with it
    return Path(found.origin).parent


def _compile(target: Path) -> None:
    include, libraries = _unicorn() / "include", _unicorn() / "lib"
    units = [str(path) for path in _sources() if path.suffix == ".c"]
    folders = [f"-I{path.parent}" for path in tracer.sources()[:1]]
    command = [native_object.compiler(WHAT), *FLAGS, "-isystem", str(include), *folders, *units]
    command += ["-o", str(target), str(min(libraries.glob("libunicorn.so*")))]
    native_object.run([*command, f"-Wl,-rpath,{libraries}"], WHAT, _AGAIN)
