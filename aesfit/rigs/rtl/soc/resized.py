# SPDX-License-Identifier: MIT
"""VexRiscv with caches of another size, from its Verilog with caches of 4 KiB.

The generator writes the size into widths, ranges and constants of the two caches and into one
constant of the processor; all else of the file is the same (third_party/vexriscv/README.md).
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from ....platforms.names import GIVEN, RESIZED, processors
from ....store.contents import Facts, cached, key

_CACHES = "module DataCache "
COUNTER = r"((?:stageB_flusher_c|lineLoader_flushC)ounter"

Rules = Sequence[tuple[str, str]]


def _range(was: int, now: int) -> tuple[str, str]:
    return (rf"\[{was - 1}:0\]", f"[{now - 1}:0]")


def _unknown(was: int, now: int) -> tuple[str, str]:
    return (f"{was}'b{'x' * was};", f"{now}'b{'x' * now};")


def _rules(bits: int) -> Rules:
    """Patterns and what replaces them, for caches of 2**bits bytes; a line is 32 bytes."""
    tag, word, line, counter = 32 - bits, bits - 2, bits - 5, bits - 4
    digits = -(-counter // 4)
    return (
        (rf"\[7:0\]( *){COUNTER};)", f"[{counter - 1}:0]\\1\\2"),
        (rf"{COUNTER})\[7\]", f"\\1[{counter - 1}]"),
        (rf"{COUNTER} <= )8'h0;", f"\\g<1>{counter}'h0;"),
        (rf"{COUNTER} \+ )8'h01", f"\\g<1>{counter}'h{1:0{digits}x}"),
        (r"\[6 : 0\]", f"[{line - 1} : 0]"),
        (r"\[21 : 2\]", f"[{tag + 1} : 2]"),
        (r"\[11 : ", f"[{bits - 1} : "),
        (r"\[31 : 12\]", f"[31 : {bits}]"),
        (r"\[0:127\]", f"[0:{2**line - 1}]"),
        (r"\[0:1023\]", f"[0:{2**word - 1}]"),
        *(one(*widths) for one in (_range, _unknown)
          for widths in ((22, tag + 2), (20, tag), (10, word), (7, line))),
    )  # fmt: skip


def _replaced(rules: Rules, line: str) -> str:
    changed = line
    for pattern, by in rules:
        changed = re.sub(pattern, by, changed)
    if changed != line and re.search(r"\] +\w+;", line):  # names stay in their column
        head, _, name = changed.rpartition(" ")
        return head.rstrip().ljust(line.rindex(" ") + 1) + name
    return changed


def resized(size: int) -> str:
    """The Verilog with two caches of `size` bytes, a power of two."""
    bits = size.bit_length() - 1
    text = processors()[GIVEN].read_text(encoding="utf-8")
    processor, caches = text.split(_CACHES, 1)
    processor = processor.replace(
        "readDataInit_2[12 : 0] = 13'h1000;",
        f"readDataInit_2[{bits} : 0] = {bits + 1}'h{size:0{-(-(bits + 1) // 4)}x};",
    )
    rules = _rules(bits)
    return processor + _CACHES + "\n".join(_replaced(rules, line) for line in caches.split("\n"))


def verilog_of(cpu: str) -> Path:
    """The one file of a processor that is kept in third_party/ or made from one there.

    ValueError where what is made is not what the generator wrote.
    """
    if cpu not in RESIZED:
        return processors()[cpu]

    def make(path: Path) -> Facts:
        path.write_text(_checked(cpu), encoding="utf-8")
        return {}

    return cached(key(cpu, _recorded(cpu)), ".v", make)[0]


def _checked(cpu: str) -> str:
    """Its Verilog; ValueError unless its digest is the recorded one."""
    text = resized(RESIZED[cpu])
    if sha256(text.encode()).hexdigest() != _recorded(cpu):
        raise ValueError(f"{cpu}.v is not what the generator wrote: see SHA256SUMS")
    return text


def _recorded(cpu: str) -> str:
    """The digest of what the generator wrote."""
    sums = (processors()[GIVEN].parent / "SHA256SUMS").read_text(encoding="utf-8")
    return next(line.split()[0] for line in sums.splitlines() if line.endswith(f"  {cpu}.v"))
