# SPDX-License-Identifier: MIT
"""Writes the drop-ins that fuzz_dropin.c tests: FOLDER/CORE/dropin.c for each CORE.

    python tests/fuzz/emit_dropins.py FOLDER CORE...

One program for all of them: to import aesfit takes longer than to emit.
"""

import sys
from pathlib import Path

import aesfit

MODES = ("cbc", "ctr", "cmac", "kw", "ccm", "gcm")


def main(folder: Path, cores: list[str]) -> None:
    """Emit one drop-in a core."""
    for core in cores:
        aesfit.emit(core, mode=MODES, key_bits=(128, 192, 256), prefix="dropin",
                    folder=folder / core, force=True)  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
