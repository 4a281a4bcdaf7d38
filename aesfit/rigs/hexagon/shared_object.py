# SPDX-License-Identifier: MIT
"""Builds the plugin that QEMU loads; it is made when it is first needed.

QEMU is under the GPL-2, so the object is treated like the tracer's (native_object.py).
"""

import hashlib
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

from ...cache import cache_folder
from ...store.files import beside
from .. import native_object
from ..native_object import FLAGS
from ..rig import RigUnavailableError

HERE = Path(__file__).resolve().parent
COMMAND = f"{shlex.quote(sys.executable)} -m aesfit.rigs.hexagon"
TOOLS = ("clang", "ld.lld", "qemu-hexagon")
INSTALL = "apt-get install clang lld qemu-user"


def sources() -> list[Path]:
    """The plugin's C files and headers."""
    return [*beside(__file__, "plugin.c", "qemu_plugin.h")]


@cache
def object_name() -> str:
    """Name of the object: it tells the sources that it was made from."""
    digest = hashlib.sha256(repr(FLAGS).encode())
    for path in sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"libaesfit_packets-{digest.hexdigest()[:16]}.so"


def _folders() -> tuple[Path, Path]:
    return HERE, cache_folder() / "hexagon"


def build() -> Path:
    """Build the object unless it is there; RigUnavailableError says what is missing."""
    found = native_object.find(object_name(), _folders())
    return found or native_object.place(object_name(), _folders(), _compile)


def _compile(target: Path) -> None:
    command = [native_object.compiler("the plugin of QEMU"), *FLAGS, str(sources()[0])]
    native_object.run([*command, "-o", str(target)], "the plugin of QEMU", COMMAND)


def why_not() -> str | None:
    """None when packets can be counted; else one sentence that ends with the command that helps."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return f"the VLIW rig needs {', '.join(lacking)}: {INSTALL}"
    try:
        build()
    except RigUnavailableError as error:
        return str(error)
    return None
