# SPDX-License-Identifier: MIT
"""What the tests of firmware packages share: commands, snippets of the guide, expected contents."""

import re
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from aesfit.building.sources import needed_modes, registered

LIB = ROOT / "lib"
GUIDE = (ROOT / "docs" / "integrating.md").read_text(encoding="utf-8")

# SP 800-38C, example 1, printed.
MAIN = """
#include <aesfit.h>
#include <stdio.h>
int main(void)
{
    uint8_t secret[16], nonce[7], header[8], text[8];
    aesfit_key key;
    for (uint8_t i = 0; i < 16; i++) secret[i] = 0x40 + i;
    for (uint8_t i = 0; i < 7; i++) nonce[i] = 0x10 + i;
    for (uint8_t i = 0; i < 8; i++) header[i] = i, text[i] = 0x20 + i;
    if (aesfit_self_test(NULL) != AESFIT_OK) return 1;
    if (aesfit_expand_key(&key, NULL, secret, 16, AESFIT_ENCRYPT) != AESFIT_OK) return 2;
    if (aesfit_ccm_encrypt(&key, nonce, 7, header, 8, text, text, 4, text + 4, 4)) return 3;
    for (int i = 0; i < 8; i++) printf("%02x", text[i]);
    return 0;
}
"""
SEALED = "7162015b4dac255d"


def run(*command: object, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Output of a command that has to succeed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def tool(module: str, package: str) -> Any:  # noqa: ANN401 - modules without types
    """A Python module that only these tests need."""
    try:
        return import_module(module)
    except ImportError:
        pytest.fail(f"{module} is missing: pip install {package}")


def kconfig(folder: Path, host: str = "", chosen: str = "") -> Any:  # noqa: ANN401 - untyped
    """The library's Kconfig below `host`, a tool's own symbols, with `chosen` set."""
    kconfiglib = tool("kconfiglib", "kconfiglib")
    (folder / "Kconfig").write_text(f'mainmenu "test"\n{host}\nsource "{LIB}/Kconfig"\n')
    (folder / "chosen.conf").write_text(chosen)
    tree = kconfiglib.Kconfig(str(folder / "Kconfig"), warn_to_stderr=False)
    tree.load_config(str(folder / "chosen.conf"))
    assert tree.warnings == []
    return tree


def snippet(section: str, language: str) -> str:
    """The first code block in that language below a heading of the guide."""
    text = GUIDE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    found = re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"{section} has no block of {language}"
    return found[1]


def version() -> str:
    """The library's version, from its header."""
    header = (LIB / "include" / "aesfit.h").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"^#define AESFIT_VERSION_(\w+) (\d+)$", header, re.MULTILINE))
    return ".".join(numbers[name] for name in ("MAJOR", "MINOR", "PATCH"))


def names_in(archive: Path) -> set[str]:
    """Stems of the objects in a static library."""
    return {name.partition(".")[0] for name in run("ar", "t", archive).split()}


def expected_objects(cores: set[str], modes: set[str], ghashes: set[str] | None = None) -> set[str]:
    """Stems of the objects that a choice is made of; `stream` comes with all of its modes alone.

    `ghashes` None: all but those with long keys.
    """
    with_needed = modes | {need for mode in modes for need in needed_modes(mode)}
    own = {"default", "describe", "key", "nonces", "plain", "register", "self_test", "status"}
    config = (LIB / "include" / "aesfit_config.h").read_text(encoding="utf-8")
    long_keys = re.findall(r"^#define AESFIT_GHASH_(\w+) 0$", config, re.MULTILINE)
    hashes = {*registered("ghash")} - {*long_keys} if ghashes is None else ghashes
    return {*own, *hashes, *cores, *with_needed}
