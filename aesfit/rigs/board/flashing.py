# SPDX-License-Identifier: MIT
"""Writing flash through a debugger: blocks are read, erased and written as a whole."""

from .answers import told
from .client import BoardError, StubClient
from .features import MappedMemory

_LARGEST_BLOCK = 1 << 20
"""Bytes that are erased together; microcontrollers have 256 KiB at most."""


def write_flash(client: StubClient, address: int, data: bytes) -> None:
    """Erase what the bytes touch and write them; BoardError outside of known flash."""
    region = _flash_at(client, address, len(data))
    first = address - (address - region.start) % region.block
    last = -(-(address + len(data) - region.start) // region.block) * region.block
    whole = client.read(first, region.start + last - first)
    at = address - first
    if whole[at : at + len(data)] == data:
        return
    whole = whole[:at] + data + whole[at + len(data) :]
    _command(client, f"vFlashErase:{first:x},{len(whole):x}".encode())
    for start in range(0, len(whole), client.most_data):
        head = f"vFlashWrite:{first + start:x}:".encode()
        _command(client, head + whole[start : start + client.most_data])
    _command(client, b"vFlashDone")
    if client.read(address, len(data)) != data:
        raise BoardError(f"the flash at {address:#x} does not hold what was written to it")


def _flash_at(client: StubClient, address: int, size: int) -> MappedMemory:
    for one in client.memories:
        if one.kind == "flash" and one.block and one.holds(address, size):
            _check_block(one)
            return one
    raise BoardError(
        f"the debugger names no flash of {size} bytes at {address:#x} in its memory map, so "
        "nothing can be written there; leave --write-flash out"
    )


def _check_block(region: MappedMemory) -> None:
    """A block is read and written as a whole, so its size has a bound."""
    if region.block > min(_LARGEST_BLOCK, region.size) or region.size % region.block:
        raise BoardError(
            f"the debugger says that its flash of {region.size} bytes at {region.start:#x} is "
            f"erased in blocks of {region.block} bytes, which cannot be; blocks of at most "
            f"{_LARGEST_BLOCK} bytes that divide it are written; leave --write-flash out"
        )


def _command(client: StubClient, command: bytes) -> None:
    answer = client.ask(command)
    if answer != b"OK":
        what = command.partition(b":")[0].decode()
        raise BoardError(
            f"the debugger refused {what} ({told(answer)}); is the flash locked or protected?"
        )
