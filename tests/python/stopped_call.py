# SPDX-License-Identifier: MIT
"""A call of the binding, stopped in the middle of its work while a test looks at what is possible.

A page of its input is protected: the thread that touches it waits until the test lets it go on.
"""

import ctypes
import mmap
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

INPUT_BYTES = 1 << 20
"""Far above the sizes from which a call releases the interpreter's lock and malloc uses mmap."""


def _compiled(folder: Path) -> ctypes.CDLL:
    """What stops a thread."""
    source, library = Path(__file__).with_suffix(".c"), folder / "stopped_call.so"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def _middle_page(data: bytearray) -> ctypes.c_void_p:
    view = (ctypes.c_char * len(data)).from_buffer(data)
    return ctypes.c_void_p((ctypes.addressof(view) + len(data) // 2) & -mmap.PAGESIZE)


@contextmanager
def stopped(folder: Path, data: bytearray, call: Callable[[], object]) -> Iterator[bool]:
    """Inside, a thread stands in the middle of `call`, which reads `data`; afterwards it is done.

    Gives whether the call holds the interpreter's lock; one that does is not stopped.  What stops
    it is compiled in `folder`.
    """
    guard = _compiled(folder).stopped_call_guard
    (told, tell), (wait, go) = os.pipe(), os.pipe()
    locked = ctypes.pythonapi.PyGILState_Check
    assert guard(_middle_page(data), ctypes.c_size_t(mmap.PAGESIZE), tell, wait, locked) == 0
    thread = threading.Thread(target=call)
    thread.start()
    try:
        yield os.read(told, 1) != b"\0"
    finally:
        os.write(go, b"\0")
        thread.join()
        for pipe in (told, tell, wait, go):
            os.close(pipe)
