# SPDX-License-Identifier: MIT
"""Archives of objects (.a), as `ar` writes them."""

from collections.abc import Iterator

MAGIC = b"!<arch>\n"
_HEADER = 60
_NO_MEMBERS = ("/", "//", "/SYM64/", "__.SYMDEF")
"""Tables of names and symbols."""


def members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the objects; ValueError where the archive is damaged."""
    at, long_names = len(MAGIC), b""
    while at + _HEADER <= len(data):
        header = data[at : at + _HEADER]
        if header[58:] != b"`\n":
            raise ValueError("the archive is damaged")
        size = int(header[48:58])
        content = data[at + _HEADER : at + _HEADER + size]
        name = header[:16].decode("latin-1").rstrip()
        if name == "//":
            long_names = content
        elif name.startswith("#1/"):  # of BSD: the name is the head of the content
            length = int(name[3:])
            yield content[:length].rstrip(b"\0").decode("latin-1"), content[length:]
        elif name not in _NO_MEMBERS:
            yield _name(name, long_names), content
        at += _HEADER + size + size % 2


def _name(name: str, long_names: bytes) -> str:
    """The name of a member; GNU puts long ones into a table."""
    if name[:1] == "/" and name[1:].isdigit():
        return long_names[int(name[1:]) :].partition(b"\n")[0].decode("latin-1").rstrip("/")
    return name.rstrip("/")
