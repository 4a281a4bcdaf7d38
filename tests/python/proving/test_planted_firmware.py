# SPDX-License-Identifier: MIT
"""Faults planted in a user's own program, whose file alone is proved."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from images import needs_prover
from made_once import drop_in
from own_firmware import linked

from aesfit.building import sources
from aesfit.emitting.choice import DropInChoice
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.answer import Proof

pytestmark = needs_prover
WIPES = "        fitaes_own_wipe(out, bytes);\n    }\n    return status;\n"
GIVES_THE_KEY = WIPES.replace(
    "    return",
    "    if (status != FITAES_OK)\n        memcpy(out, key->schedule, 16);\n    return",
)
OWN = """int own_cmac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t *tag,
             size_t tag_bytes)
{
    if (key->schedule[0] & 1)
        __asm__ volatile("nop");
    return aesfit_cmac(key, in, bytes, tag, tag_bytes);
}
int own_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw, size_t bytes,
                   unsigned directions)
{
    return aesfit_expand_key(key, core, raw, bytes, directions);
}
"""
BRANCH = "    if (key->schedule[0] & 1)\n"


def proof(elf: Path, symbol: str, size: int, values: Mapping[str, int]) -> "Proof":
    from aesfit.proving.firmware import prove_firmware

    platform = platform_named("cortex-m0plus")
    (found,) = prove_firmware(elf, platform, symbol, 128, (size,), values)
    return found


@pytest.mark.slow
def test_a_drop_in_that_gives_the_key_away_is_not_proved(tmp_path: Path) -> None:
    """After a wrong tag its output is the first round key; the library wipes it."""
    made = drop_in(DropInChoice("fixslice", ("ccm",), (128,), self_test=False))
    (tmp_path / "fitaes.h").write_text(made["fitaes.h"])
    assert made["fitaes.c"].count(WIPES) == 1
    elf = linked(made["fitaes.c"].replace(WIPES, GIVES_THE_KEY), "fitaes_ccm_decrypt", tmp_path)
    found = proof(elf, "fitaes_ccm_decrypt", 17, {})
    assert found.failed
    assert "after a refusal bytes" in found.statements[0].detail
    assert "of the output are not 0" in found.statements[0].detail


def test_a_comment_that_is_written_after_compiling_excuses_nothing(tmp_path: Path) -> None:
    """The lines of the file lead to the source, which nobody reads."""
    elf = linked(sources.unit("fixslice", ["cmac"]) + OWN, "own_cmac", tmp_path)
    source = tmp_path / "unit.c"
    text = source.read_text()
    assert text.count(BRANCH) == 1
    public = " /* schedule[0] is public from here: declassify(key, 4) */\n"
    source.write_text(text.replace(BRANCH, BRANCH.replace("\n", public)))
    found = proof(elf, "own_cmac", 0, {})
    assert found.failed
    findings = {(one.kind, one.function) for one in found.statements[1].findings}
    assert findings == {("branch", "own_cmac")}
