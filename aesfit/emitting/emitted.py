# SPDX-License-Identifier: MIT
"""A drop-in that was written: what `aesfit.emit` returns."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..measuring.flat import FlatRow, flat
from ..units import five_lines
from . import head, psa
from .choice import DropInChoice, public_functions
from .figures import Figures, contexts


@dataclass(frozen=True, repr=False)
class EmittedFiles:
    """A drop-in that was written."""

    choice: DropInChoice
    origin: head.Origin
    figures: Figures | None
    """Measurements of the files on the choice's platform; None if not measured."""
    files: tuple[Path, ...]
    """The .h and the .c, and those around them."""

    def __repr__(self) -> str:
        """The choice, the files, and the command that compiles them."""
        choice = self.choice
        first = f"EmittedFiles: {choice.core}, {', '.join(choice.modes)}"
        folder = self.files[0].parent
        return five_lines(first, [f"{len(self.files)} files in {folder}", self.compile])

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the public functions in C."""
        prefix = self.choice.prefix
        own = tuple(head.renamed(name, prefix) for name in public_functions(self.choice))
        return own + (psa.functions(self.choice) if self.choice.psa else ())

    @property
    def context_bytes(self) -> dict[str, int]:
        """Bytes of RAM of the types that a program has objects of."""
        return contexts(self.choice) | (psa.operations(self.choice) if self.choice.psa else {})

    @property
    def compile(self) -> str:
        """The command that compiles the .c from here."""
        line = head.compile_line(self.choice, self.origin.flags)
        source = self.files[0]
        if not self.choice.psa:
            return line.removesuffix(source.name) + shlex.quote(str(source))
        folders = psa.include_folders(source.parent)
        sources = [str(path) for path in self.files if path.suffix == ".c"]
        words = [f"-I{folder}" for folder in folders] + ["-c", *sources]
        return line.removesuffix(f"-c {source.name}") + shlex.join(words)

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """A flat mapping for each measured operation; empty if nothing was measured."""
        return tuple(flat(row) for row in self.figures.rows) if self.figures else ()

    def as_json(self) -> dict[str, Any]:
        """What `aesfit emit --json` prints under its head."""
        choice, figures = self.choice, self.figures
        return {
            "files": [str(path) for path in self.files],
            "prefix": choice.prefix,
            "core": choice.core,
            "modes": list(choice.modes),
            "key_bits": list(choice.key_bits),
            "encrypt_only": choice.encrypt_only,
            "separate_keys": choice.separate_keys,
            "platform": choice.platform.name if choice.platform else None,
            "functions": list(self.functions),
            "context_bytes": self.context_bytes,
            "flash_bytes": figures.flash.code + figures.flash.tables if figures else None,
            "stack_bytes": figures.stack_bytes if figures else None,
            "compile": self.compile,
            "rows": [row.as_json() for row in figures.rows] if figures else [],
        }
