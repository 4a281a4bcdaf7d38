# SPDX-License-Identifier: MIT
"""Faults planted in modes: forged tags accepted, refusals that leak, paths of one layout alone.

Each is refuted, or not proved, whatever the lines and comments around it say.
"""

from pathlib import Path

import pytest
from few import slow_but
from images import needs_prover, plant
from planted import ACCEPTED, FUNCTIONS, Planted, is_leaked, is_wrong
from shown import independence

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

pytestmark = needs_prover


CCM, GCM, CMAC, KW = (f"modes/{name}.c" for name in ("ccm", "gcm", "cmac", "kw"))
VERDICT = "parts/verdict.h"
CCM_GOOD = "uint32_t good = equal_bytes(ccm_tag(state), tag, state->tag_bytes);"
CCM_END = (
    f"    {CCM_GOOD}\n    wipe(state, sizeof *state);\n    declassify(&good, sizeof good); "
    "/* the verdict is the result of the call */\n"
    "    return good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION;"
)
CCM_ODD = "    uint32_t odd = state->key->schedule[0] & 1;\n" + CCM_END
"""With a bit of the key, which a fault returns or branches on."""
CCM_WIPE = "    if (status != AESFIT_OK && bytes > 0)\n        wipe(out, bytes);\n"
GCM_GOOD = "uint32_t good = equal_bytes(computed, tag, tag_bytes);\n    wipe(computed, 16);"
CMAC_GOOD = "uint32_t good = equal_bytes(computed, tag, tag_bytes);"
KW_GOOD = "uint32_t good = equal_bytes(a, icv, 8);"
SINGLES = "    transposed_encrypt_blocks(key, out, in, blocks);\n"
PAIRS = "    fixslice_encrypt_pairs(key, out, in, blocks);\n"
WORDS = "    state->blocks[ccm_mac + i] ^= x ^ (mask & all_out);\n"
LEFT = "after a refusal"
ON_A_SECRET = "a branch depends on a secret"
FOREIGN = "access to memory that is not the function's"

WRONG = {
    "the last byte of a tag is not compared": Planted(
        CCM, CCM_GOOD, CCM_GOOD.replace("->tag_bytes", "->tag_bytes - 1u"), "ccm decrypt 17",
        ON_A_SECRET,
    ),
    "every tag of CCM is accepted": Planted(
        CCM, CCM_GOOD, CCM_GOOD + "\n    good |= 1;", "ccm decrypt 16", ACCEPTED
    ),
    "every tag of GCM is accepted": Planted(
        VERDICT, GCM_GOOD, GCM_GOOD + "\n    good |= 1;", "gcm decrypt 16", ACCEPTED
    ),
    "every MAC is accepted": Planted(
        CMAC, CMAC_GOOD, CMAC_GOOD + "\n    good |= 1;", "cmac decrypt 17", ACCEPTED
    ),
    "every integrity value is accepted": Planted(
        KW, KW_GOOD, KW_GOOD + "\n    good |= 1;", "kw decrypt 16", ACCEPTED
    ),
    "a tag has a back door": Planted(
        CCM, CCM_GOOD, CCM_GOOD + "\n    good |= tag[0] == 0x42;", "ccm decrypt 17",
        ON_A_SECRET,
    ),
    "a MAC has a back door": Planted(
        CMAC, CMAC_GOOD, CMAC_GOOD + "\n    good |= tag[0] == 0x42;", "cmac decrypt 17",
        "not refused by one status",
    ),
    "plaintext is left after a refusal": Planted(CCM, CCM_WIPE, "", "ccm decrypt 17", LEFT),
    "plaintext of GCM is left after a refusal": Planted(GCM, CCM_WIPE, "", "gcm decrypt 17", LEFT),
    "the last byte is left after a refusal": Planted(
        CCM, CCM_WIPE, CCM_WIPE.replace("(out, bytes)", "(out, bytes - 1)"), "ccm decrypt 17", LEFT
    ),
    "padding is not compared to its end": Planted(
        "modes/pkcs7.c", "bad |= (0u - pkcs7_less(i, padding))",
        "bad |= (0u - pkcs7_less(i + 1, padding))", "pkcs7 decrypt 1", ON_A_SECRET,
    ),
    "the key comes out of a refusal": Planted(
        CCM, CCM_WIPE,
        CCM_WIPE + "    if (status != AESFIT_OK)\n        memcpy(out, key->schedule, 16);\n",
        "ccm decrypt 17", LEFT,
    ),
    "the right tag is written over the given one": Planted(
        CCM, CCM_GOOD,
        CCM_GOOD + "\n    memcpy((void *)(uintptr_t)tag, ccm_bytes(state, ccm_mac), 4);",
        "ccm decrypt 17", FOREIGN,
    ),
    "a nonce is written": Planted(
        CCM, "    memcpy(counter + 1, nonce, nonce_bytes);",
        "    memcpy(counter + 1, nonce, nonce_bytes);\n    *(uint8_t *)(uintptr_t)nonce ^= 1;",
        "ccm encrypt 17", FOREIGN,
    ),
    "a word is wrong where all are aligned": Planted(
        "parts/ccm_blocks.h", WORDS, WORDS.replace("x ^", "~x ^"), "ccm encrypt 33", FUNCTIONS
    ),
    "a byte is wrong in place": Planted(
        "modes/cbc.c", "    cbc_blocks_encrypt(key, iv, out, in, bytes / 16);\n",
        "    cbc_blocks_encrypt(key, iv, out, in, bytes / 16);\n"
        "    if (out == in && bytes > 0)\n        out[0] ^= 1;\n",
        "cbc encrypt 16", FUNCTIONS,
    ),
    "the IV is not handed back": Planted(
        "modes/cbc.c", "    cbc_blocks_encrypt(key, iv, out, in, bytes / 16);\n",
        "    uint8_t own[16];\n    memcpy(own, iv, 16);\n"
        "    cbc_blocks_encrypt(key, own, out, in, bytes / 16);\n",
        "cbc encrypt 16", "of the IV differ from the standard",
    ),
    "associated data beyond 22 bytes are skipped": Planted(
        CCM, "    ccm_absorb(state, ad, ad_bytes);\n    ccm_pad(state);",
        "    ccm_absorb(state, ad, ad_bytes > 22 ? 22 : ad_bytes);\n    ccm_pad(state);",
        "ccm encrypt 16", FUNCTIONS,
    ),
    "short nonces are cut": Planted(
        CCM, "    memcpy(counter + 1, nonce, nonce_bytes);",
        "    memcpy(counter + 1, nonce, nonce_bytes < 13 ? nonce_bytes - 1 : nonce_bytes);",
        "ccm encrypt 16", FUNCTIONS,
    ),
    "tags are compared to 8 bytes": Planted(
        CCM, CCM_GOOD, CCM_GOOD.replace("state->tag_bytes", "state->tag_bytes & 8 ? 8 : 4"),
        "ccm decrypt 16", ON_A_SECRET,
    ),
    "hashed nonces are wrong": Planted(
        GCM, "    if (nonce_bytes == 12) {", "    if (nonce_bytes >= 12) {", "gcm encrypt 33",
        FUNCTIONS,
    ),
    "a core is wrong where data lie two bytes off": Planted(
        "cores/transposed.c", SINGLES,
        f"{SINGLES}    if (((uintptr_t)in & 3) == 2)\n        out[0] ^= 1;\n",
        "block encrypt-block 0", "gives",
    ),
    "a key of XTS with equal halves is taken": Planted(
        "modes/xts.c", "if (equal != 0)", "if (equal > 1)", "xts encrypt 16", ACCEPTED
    ),
}  # fmt: skip
QUICK_WRONG = (
    "a tag has a back door",
    "the key comes out of a refusal",
    "a word is wrong where all are aligned",
    "a byte is wrong in place",
)


@pytest.mark.parametrize("name", slow_but(QUICK_WRONG, WRONG))
def test_it_is_not_equal_to_the_standard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wrong(WRONG[name], tmp_path, monkeypatch)


LEAKS = {
    "a branch on the key where all words are aligned": Planted(
        "parts/ccm_blocks.h", WORDS,
        WORDS + "    if (state->key->schedule[0] == 0x5a)\n        __asm__ volatile(\"nop\");\n",
        "ccm encrypt 33", "branch", core="fixslice",
    ),
    "a status that tells a bit of the key": Planted(
        CCM, CCM_END, CCM_ODD.replace("OK : ", "OK : odd ? AESFIT_ERR_NULL : "),
        "ccm decrypt 17", "not refused by one status", core="fixslice", platform="rv32im-e31",
    ),
    "a branch on the key that says it is a verdict": Planted(
        CCM, CCM_END,
        CCM_ODD.replace("    return", "    if (odd) /* odd is public from here: */\n"
        '        __asm__ volatile("nop");\n    return'),
        "ccm decrypt 17", "branch", core="fixslice",
    ),
    "a secret left in a register of the floating-point unit": Planted(
        CMAC, "    cmac_tag(key, in, bytes, computed);\n    memcpy(tag",
        "    cmac_tag(key, in, bytes, computed);\n"
        '    __asm__ volatile(".fpu fpv4-sp-d16\\n vmov s5, %0" ::"r"(computed[0]));\n'
        "    memcpy(tag",
        "cmac encrypt 17", "register", core="fixslice", platform="cortex-m4",
    ),
    "a register of the floating-point unit is not preserved": Planted(
        CMAC, "    cmac_tag(key, in, bytes, computed);\n    memcpy(tag",
        "    cmac_tag(key, in, bytes, computed);\n"
        '    __asm__ volatile(".fpu fpv4-sp-d16\\n vmov s16, %0" ::"r"(bytes));\n    memcpy(tag',
        "cmac encrypt 17", "register not preserved", core="fixslice", platform="cortex-m4",
    ),
    "a register of the floating-point unit is not preserved by a core": Planted(
        "cores/fixslice.c", PAIRS,
        PAIRS + '    __asm__ volatile(".fpu fpv4-sp-d16\\n vmov s16, %0" ::"r"(blocks));\n',
        "block encrypt-block 0", "register not preserved", core="fixslice", platform="cortex-m4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", slow_but(list(LEAKS)[:1], LEAKS))
def test_it_is_not_independent_of_secrets(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_leaked(LEAKS[name], tmp_path, monkeypatch)


def test_a_conditional_move_on_a_secret_takes_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an IT block of Cortex-M3, either way; a load in its place does not."""
    made = "    cmac_tag(key, in, bytes, computed);\n    memcpy(tag"
    moves = {"it eq\\n moveq %0, #3": "proved", "ite ne\\n movne %0, #3\\n moveq %0, #5": "proved"}
    for inside, outcome in {**moves, "it eq\\n ldrbeq %0, [%1]": "refuted"}.items():
        move = (
            "    uint32_t odd = computed[0];\n"
            f'    __asm__ volatile("cmp %0, #9\\n {inside}"\n'
            '                     : "+r"(odd) : "r"(key) : "cc");\n'
            "    computed[0] ^= (uint8_t)(odd & 0);\n"
        )
        new = made.replace("    memcpy(tag", move + "    memcpy(tag")
        folder = tmp_path / str(len(inside))
        folder.mkdir()
        with monkeypatch.context() as patch:
            plant(folder, patch, CMAC, [(made, new)])
            job = Job(platform_named("cortex-m3"), "fixslice", 128, "encrypt", mode="cmac", bytes=0)
            independent, _ = independence(job, planted=True)
        assert independent.outcome == outcome, independent.findings
