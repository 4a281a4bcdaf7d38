# SPDX-License-Identifier: MIT
"""Write docs/psa.md's table: what the PSA driver adds to the bare calls, in cycles and flash.

`python tools/make_psa_table.py` emits the driver with the default core of three processors, seals a
message of 1,504 bytes through it and by the two bare calls (key set-up and message), and counts
both by the timing models.  PSA's header is that of the tests.  A driver that adds more than 3 %
is an error, and so is one that seals anything else.
"""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import aesfit
from aesfit.emitting.psa import PSA_HEADERS
from aesfit.units import count

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "psa.md"
SHIM = ROOT / "tests" / "c" / "psa_shim"
PLATFORMS = ("cortex-m0plus", "cortex-m3", "cortex-m4")
BYTES, AD_BYTES, TAG_BYTES = 1504, 22, 8
MOST = 3.0
"""Per cent that the driver may add."""
KEY = bytes(range(16))
ATTRIBUTES = (0x2400).to_bytes(2, "little")
"""psa_key_attributes_t of the tests' header: PSA_KEY_TYPE_AES."""
_ALGORITHMS = {"ccm": 0x05500100, "gcm": 0x05500200}
_STRING_H = """#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
"""
"""Cross-compilers may come without a C library; aesfit links the two functions."""
_NONCE_BYTES = {"ccm": 13, "gcm": 12}
_BEGIN, _END = "<!-- psa -->\n", "<!-- end -->"
_HEAD = (
    "| processor | mode | bare calls | through the driver | more | driver, flash | core, flash |\n"
    "|---|---|--:|--:|--:|--:|--:|\n"
)

Argument = str | int | bytes


@dataclass(frozen=True)
class Overhead:
    """One mode on one processor; cycles and bytes."""

    platform: str
    mode: str
    bare: int
    driven: int
    driver_flash: int
    core_flash: int

    @property
    def more(self) -> float:
        """Per cent."""
        return 100 * (self.driven / self.bare - 1)

    @property
    def line(self) -> str:
        """Of the table."""
        cells = (count(self.bare), count(self.driven), f"{self.more:.2f} %")
        flash = (count(self.driver_flash), count(self.core_flash))
        return f"| `{self.platform}` | {self.mode.upper()} | {' | '.join((*cells, *flash))} |\n"


def overhead(platform: str, mode: str, folder: Path) -> Overhead:
    """Emit, compile, and count both ways."""
    made = aesfit.emit(mode=mode, platform=platform, psa=True, folder=folder / "aes", prove=False)
    (folder / "string.h").write_text(_STRING_H)
    command = made.compile.replace(PSA_HEADERS, f"{SHIM} -I{folder}")
    subprocess.run(command, shell=True, cwd=folder, check=True)  # noqa: S602 - our own
    objects = sorted(folder.glob("*.o"))
    own = "gcm_" if mode == "gcm" else ""
    bare, expected = _bare(platform, mode, own, made.context_bytes[f"fitaes_{own}key"], objects)
    driven, sealed = _driven(platform, mode, objects)
    if sealed != expected:
        sys.exit(f"make_psa_table.py: the driver seals {mode} otherwise than the bare calls")
    sizes = {path.stem: _flash(path) for path in objects}
    core = sizes.pop("fitaes")
    return Overhead(platform, mode, bare, driven, sum(sizes.values()), core)


def _bare(
    platform: str, mode: str, own: str, context_bytes: int, objects: list[Path]
) -> tuple[int, bytes]:
    """Cycles of key set-up and message, and ciphertext with tag."""
    given: list[Argument] = [f"out:{context_bytes}", 0, *([0] if own else []), KEY, len(KEY)]
    given += [] if own else [1]
    setup = aesfit.count(platform, elf=objects, function=f"fitaes_{own}expand_key", arguments=given)
    given = [setup.outputs[1], *_message(mode), f"out:{BYTES}", bytes(BYTES), BYTES]
    given += [f"out:{TAG_BYTES}", TAG_BYTES]
    sealed = aesfit.count(platform, elf=objects, function=f"fitaes_{mode}_encrypt", arguments=given)
    return setup.cycles + sealed.cycles, sealed.outputs[6] + sealed.outputs[9]


def _driven(platform: str, mode: str, objects: list[Path]) -> tuple[int, bytes]:
    """The same of the driver's one call."""
    algorithm = _ALGORITHMS[mode] & ~0x3F0000 | TAG_BYTES << 16
    given: list[Argument] = [ATTRIBUTES, KEY, len(KEY), algorithm, *_message(mode)]
    given += [bytes(BYTES), BYTES, f"out:{BYTES + TAG_BYTES}", BYTES + TAG_BYTES, "out:4"]
    done = aesfit.count(platform, elf=objects, function="fitaes_psa_aead_encrypt", arguments=given)
    return done.cycles, done.outputs[11]


def _message(mode: str) -> list[Argument]:
    """Nonce and associated data with their lengths."""
    nonce = bytes(range(_NONCE_BYTES[mode]))
    return [nonce, len(nonce), bytes(AD_BYTES), AD_BYTES]


def _flash(path: Path) -> int:
    """Code and constants of an object; the three compilers' objects are ELF of Arm."""
    words = ["arm-none-eabi-size", str(path)]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout  # noqa: S603
    return int(told.splitlines()[1].split()[0])


def rows() -> Iterator[Overhead]:
    """Each mode on each processor."""
    for platform in PLATFORMS:
        for mode in _ALGORITHMS:
            with TemporaryDirectory() as folder:
                yield overhead(platform, mode, Path(folder))


def main() -> int:
    """Print the table, and renew the page."""
    found = list(rows())
    table = _HEAD + "".join(one.line for one in found)
    print(table, end="")
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n{table}\n{_END}{after}", encoding="utf-8")
    worst = max(found, key=lambda one: one.more)
    if worst.more > MOST:
        print(f"{worst.mode} on {worst.platform}: {worst.more:.2f} % is above {MOST:g} %")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
