# SPDX-License-Identifier: MIT
"""QEMU with its stub, in the place of a board on the desk.

The socket listens before QEMU is started, which inherits it, so nobody waits for anything.
"""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

MACHINES = {
    "netduino2": "qemu-system-arm",
    "netduinoplus2": "qemu-system-arm",
    "mps2-an385": "qemu-system-arm",
    "sifive_e": "qemu-system-riscv32",
    "virt": "qemu-system-riscv32",
}


@contextmanager
def qemu_board(machine: str, *options: str) -> Iterator[str]:
    """Address of the stub of a machine that is halted before its first instruction."""
    program = MACHINES[machine]
    if shutil.which(program) is None:
        pytest.fail(f"{program} is missing; install it: tools/setup.sh test")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        line = f"socket,id=gdb,fd={listening.fileno()},server=on,wait=off,nodelay=on"
        quiet = ("-display", "none", "-serial", "none", "-monitor", "none", "-S")
        process = subprocess.Popen(
            [program, "-M", machine, *quiet, "-chardev", line, "-gdb", "chardev:gdb", *options],
            pass_fds=[listening.fileno()],
            stderr=subprocess.DEVNULL,
        )
    try:
        yield address
    finally:
        process.kill()
        process.wait()
