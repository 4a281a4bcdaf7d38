# SPDX-License-Identifier: MIT
"""Write docs/power.md's table of flip-flops: what a proved masked AND shows in soft processors.

`python tools/make_flip_flop_table.py` runs the Verilog of each processor for all values of its
shares and its random word.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from aesfit.hardware.toggles import DependentFlipFlop, dependent_flip_flops
from aesfit.platforms.find import platform_named

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "power.md"
SOURCE = ROOT / "tests" / "python" / "power" / "masked_and_rv32.s"
ARGUMENTS = ("share:a", "share:a", "share:b", "share:b", "random", f"int:{0x4005_0000}")
"""The last is where a share of the result goes: RAM that nobody else uses."""
IMAGES = {"as proved": (), "cleared": ("-Wa,--defsym,CLEARED=1",)}
PLATFORMS = ("picorv32", "vexriscv-nocache")
_BEGIN, _END = "<!-- flip-flops -->\n", "<!-- end -->"
_HEAD = (
    "| processor | image | flip-flops | cycles | values that depend | changes that depend |\n"
    "|---|---|--:|--:|---|---|\n"
)


def main() -> int:
    """Renew the page."""
    rows = [_row(name, image) for name in PLATFORMS for image in IMAGES]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n{_HEAD}{''.join(rows)}\n{_END}{after}", encoding="utf-8")
    return 0


def _row(name: str, image: str) -> str:
    platform = platform_named(name)
    compiler = platform.compiler
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        made = Path(folder) / "masked_and.o"
        given = [
            compiler.command,
            *compiler.target,
            *IMAGES[image],
            "-c",
            str(SOURCE),
            "-o",
            str(made),
        ]
        subprocess.run(given, check=True)  # noqa: S603
        found = dependent_flip_flops(platform, [made], "masked_and", ARGUMENTS)
    told = [_told(found.values), _told(found.changes)]
    return f"| `{name}` | {image} | {found.bits:,} | {found.cycles} | {told[0]} | {told[1]} |\n"


def _told(found: tuple[DependentFlipFlop, ...]) -> str:
    names = sorted(one.name.removeprefix("core.") for one in found)
    return ", ".join(f"`{name}`" for name in names) or "none"


if __name__ == "__main__":
    sys.exit(main())
