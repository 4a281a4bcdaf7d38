#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the table of docs/integrating.md, "Rust": a packet sealed in C and by the traits.

Builds rust/examples/packet for three processors (cargo and their targets are needed) and counts
cycles by the timing models.  One packet: 1504 bytes under AES-128-CCM, key set-up included.
"C" is aesfit_expand_key() and aesfit_ccm_encrypt() of the same image; the crates aes and ccm stand
beside.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aesfit

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "rust" / "examples" / "packet"
BUILT = ROOT / "build" / "rust"
PLATFORMS = {
    "cortex-m0plus": "thumbv6m-none-eabi",
    "cortex-m3": "thumbv7m-none-eabi",
    "cortex-m4": "thumbv7em-none-eabi",
}
KEY, NONCE, BYTES, TAG_BYTES = bytes([7] * 16), bytes([1] * 13), 1504, 8
CONTEXT_BYTES = 356
"""sizeof(aesfit_key) with 128-bit keys and a core of the fixslice family."""


def run(program: str, *words: str) -> str:
    """Output of a program that has to succeed."""
    path = shutil.which(program)
    if path is None:
        sys.exit(f"measure_rust.py: {program} is not installed")
    done = subprocess.run(  # noqa: S603 - our own words
        [path, *words], cwd=EXAMPLE, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"measure_rust.py: {program} failed")
    return done.stdout


def image(target: str, *options: str) -> Path:
    """The example, built."""
    run("cargo", "build", "--quiet", "--locked", "--release", "--target", target, *options)
    return BUILT / target / "release" / "packet"


def by_traits(platform: str, elf: Path) -> tuple[int, bytes]:
    """Cycles, and the tag."""
    done = aesfit.count(
        platform,
        elf=elf,
        function="seal",
        arguments=[KEY, NONCE, f"buf:{BYTES}", f"out:{TAG_BYTES}"],
    )
    return done.cycles, done.outputs[4]


def in_c(platform: str, elf: Path) -> tuple[int, bytes]:
    """Cycles of the two calls, and the tag."""
    key = aesfit.count(
        platform,
        elf=elf,
        function="aesfit_expand_key",
        arguments=[f"out:{CONTEXT_BYTES}", 0, KEY, len(KEY), 1],
    )
    message: list[str | int | bytes]
    message = [key.outputs[1], NONCE, len(NONCE), 0, 0, f"buf:{BYTES}", "same:6", BYTES]
    message += [f"out:{TAG_BYTES}", TAG_BYTES]
    sealed = aesfit.count(platform, elf=elf, function="aesfit_ccm_encrypt", arguments=message)
    return key.cycles + sealed.cycles, sealed.outputs[9]


def flash_bytes(elf: Path) -> int:
    """Code and constants of the whole program, which prints too."""
    return int(run("arm-none-eabi-size", str(elf)).splitlines()[1].split()[0])


def rows() -> Iterator[str]:
    """A line for each processor."""
    for platform, target in PLATFORMS.items():
        theirs = image(target, "--features", "rustcrypto")
        others, their_flash = by_traits(platform, theirs), flash_bytes(theirs)
        ours = image(target)  # the same file
        bare, traits, flash = in_c(platform, ours), by_traits(platform, ours), flash_bytes(ours)
        if not bare[1] == traits[1] == others[1]:
            sys.exit(f"measure_rust.py: the tags differ on {platform}")
        cells = (bare[0], traits[0], others[0], flash, their_flash)
        yield f"| {platform} | " + " | ".join(f"{cell:,}" for cell in cells) + " |"


def main() -> None:
    """Print them."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
