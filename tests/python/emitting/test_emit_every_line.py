# SPDX-License-Identifier: MIT
"""Drop-ins have no line that never runs: they are compiled with gcov, and called in every way."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from dropin_run import write
from few import slow_but

from aesfit import cores
from aesfit.building.sources import registered
from aesfit.emitting.choice import DropInChoice

CCM = DropInChoice("ttable1", ("ccm",))

CALLER = r"""
#include "fitaes.h"
#include <string.h>
static uint8_t in[0x10000], out[0x10000], back[0x10000], tag[16];
static const uint8_t secret[32] = {1}, nonce[14] = {2};

/* Every error that a caller can bring about. */
static int refused(const fitaes_key *key)
{
    fitaes_key none;
    const fitaes_key *k = key;
    int good = fitaes_expand_key(NULL, NULL, secret, 16, 1) == FITAES_ERR_NULL;
    good &= fitaes_expand_key(&none, NULL, secret, 15, 1) == FITAES_ERR_KEY_LENGTH;
    good &= fitaes_expand_key(&none, NULL, secret, 16, 0) == FITAES_ERR_ARGUMENT;
    good &= fitaes_ccm_encrypt(NULL, nonce, 13, in, 0, out, in, 1, tag, 8) == FITAES_ERR_NULL;
    good &= fitaes_ccm_encrypt(k, nonce, 6, in, 0, out, in, 1, tag, 8) == FITAES_ERR_NONCE_LENGTH;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, out, in, 1, tag, 5) == FITAES_ERR_TAG_LENGTH;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, out, in, 65536, tag, 8) == FITAES_ERR_LIMIT;
    good &= fitaes_ccm_encrypt(k, nonce, 13, in, 0, NULL, in, 1, tag, 8) == FITAES_ERR_NULL;
    return good;
}

#ifdef ANYWHERE
/* Sealed and opened `i` bytes behind a word, as at a word. */
static int sealed_at(const fitaes_gcm_key *key, size_t i, size_t n, size_t nonce_bytes)
{
    uint8_t other[16];
    int good = fitaes_gcm_encrypt(key, nonce, nonce_bytes, in, n, out, in, n, tag, 16) == FITAES_OK;
    good &= fitaes_gcm_encrypt(key, nonce, nonce_bytes, in + i, n, back + i, in + i, n, other,
                               16) == FITAES_OK;
    good &= memcmp(other, tag, 16) == 0 && memcmp(back + i, out, n) == 0;
    good &= fitaes_gcm_decrypt(key, nonce, nonce_bytes, in, n, out + i, back + i, n, tag,
                               16) == FITAES_OK;
    return good && memcmp(out + i, in, n) == 0;
}

/* A block and its key `i` bytes behind a word, as at words. */
static int block_at(size_t i)
{
    static uint8_t block[16], moved[20];
    fitaes_key key;
    int good = fitaes_expand_key(&key, NULL, secret, 16, FITAES_ENCRYPT) == FITAES_OK;
    good &= fitaes_ecb_encrypt(&key, block, in, 16) == FITAES_OK;
    memcpy(moved + i, secret, 16);
    good &= fitaes_expand_key(&key, NULL, moved + i, 16, FITAES_BOTH) == FITAES_OK;
    good &= fitaes_ecb_encrypt(&key, out + i, in + i, 16) == FITAES_OK;
    good &= memcmp(out + i, block, 16) == 0;
    good &= fitaes_ecb_decrypt(&key, back + i, out + i, 16) == FITAES_OK;
    return good && memcmp(back + i, in, 16) == 0;
}

/* Texts and keys at every address within a word give the same answers, and come back. */
static int at_any_address(void)
{
    fitaes_gcm_key gcm;
    int good = fitaes_gcm_expand_key(&gcm, NULL, NULL, secret, 16) == FITAES_OK;
    for (size_t i = 0; i < 4; i++) {
        for (size_t n = 0; n <= 80; n++)
            good &= sealed_at(&gcm, i, n, 12) & sealed_at(&gcm, i, n, 14);
        good &= block_at(i);
    }
    return good;
}
#endif

int main(void)
{
    fitaes_key key;
    const char *failed;
    int good = fitaes_self_test(&failed) == FITAES_OK;
    good &= fitaes_expand_key(&key, NULL, secret, 16, FITAES_ENCRYPT) == FITAES_OK;
    for (size_t n = 0; n <= 300; n++)
        for (size_t t = 4; t <= 16; t += 6) {
            good &= fitaes_ccm_encrypt(&key, nonce, 13, in, n, out, in, n, tag, t) == FITAES_OK;
            good &= fitaes_ccm_decrypt(&key, nonce, 13, in, n, back, out, n, tag, t) == FITAES_OK;
            good &= memcmp(in, back, n) == 0;
        }
    good &= fitaes_ccm_encrypt(&key, nonce, 13, in, 65280, out, in, 9, tag, 8) == FITAES_OK;
    good &= refused(&key);
#ifdef ANYWHERE
    good &= at_any_address();
#endif
    fitaes_wipe(&key, sizeof key);
    return !good;
}
"""


def never_run(folder: Path, arm: tuple[str, ...] = ()) -> tuple[int, list[str]]:
    """Lines that gcov counts, and those of them that never ran; `arm`: flags, to run them there."""
    (folder / "caller.c").write_text(CALLER)
    tools = "arm-linux-gnueabi-" if arm else ""
    command = [f"{tools}gcc", *arm, "-O0", "--coverage", "fitaes.c", "caller.c", "-o", "caller"]
    subprocess.run(command, cwd=folder, check=True)
    subprocess.run([*(["qemu-arm"] if arm else []), "./caller"], cwd=folder, check=True)
    command = [f"{tools}gcov", "caller-fitaes.c"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    lines = (folder / "fitaes.c.gcov").read_text(encoding="utf-8").splitlines()
    counted = [line for line in lines if not line.lstrip().startswith("-:")]
    return len(counted), [line.split(":", 2)[2] for line in counted if "#####:" in line[:12]]


# A counter's carry beyond 2^32 blocks, 64 GiB of one message; answers of the self-test where the
# machine computes wrong; a block of GHASH that pieces make up, of messages in one call.
FAR = ("bits", "last", "field", "return;", 'return "', "return 0;", "ghash_pad(key, y, used)")


# Of 128-bit keys and the one or two blocks of a call that CCM makes they keep a step that longer
# keys or more blocks need; the least share of their lines that runs.
LESS = {"bytewise_alt1": 95, "bytewise_alt2": 95, "bytewise_unrolled": 95, "compact": 96}
LESS |= {"ttable1_otf": 95, "tiny": 95, "aesni": 92}
LESS |= {"ttable1_armv7m": 95, "ttable_diffused_armv6m": 95}
LESS |= {name: 97 for name in registered("cores") if name.startswith("fixslice")}
ON_ARM = {
    "transposed_armv4": ("-marm",),
    "transposed_armv6m": ("-march=armv6", "-mthumb", "-D__ARM_ARCH_6M__"),
    "ttable1_armv4": ("-marm",),
    "ttable1_armv7m": ("-march=armv7-a", "-mthumb", "-mno-unaligned-access"),
    "ttable1_armv8m": ("-march=armv7-a", "-mthumb", "-mno-unaligned-access"),
    "ttable_diffused_armv6m": ("-march=armv6", "-mthumb", "-D__ARM_ARCH_6M__"),
}
"""Cores that copy blocks for their assembly alone, and compiler flags of a processor that runs it
and programs of Linux.  CCM gives a core no block at an odd address; ECB and GCM do."""
ANYWHERE = ("-static", "-DANYWHERE", "-DFITAES_CLEAR=2")
QUICK = ("ttable1", "transposed", "fixslice", "fixslice_armv7m")
"""Of these 97 of 100 lines run; where the same 11 lines are left of fewer, 96.5 do."""


@pytest.mark.parametrize("name", slow_but(QUICK, registered("cores")))
def test_every_line_runs(name: str, tmp_path: Path) -> None:
    """All but error returns and what no 300 bytes reach; `name`: of a core."""
    if name not in [core.name for core in cores() if core.available]:
        pytest.skip("this processor lacks its instructions")
    arm = ON_ARM.get(name, ())
    modes = ("ccm", "gcm", "ecb") if arm else CCM.modes
    write(replace(CCM, core=name, modes=modes), tmp_path)
    counted, left = never_run(tmp_path, (*arm, *ANYWHERE) if arm else ())
    assert counted > 250
    least = 97 if name in QUICK else LESS.get(name, 96.5)
    assert len(left) <= (1 - least / 100) * counted, left
    if name not in LESS:
        assert [line for line in left if not any(word in line for word in (*FAR, "ERR_"))] == []


def test_a_line_that_never_runs_would_be_found(tmp_path: Path) -> None:
    source = write(CCM, tmp_path)
    text = source.read_text(encoding="utf-8")
    planted = "    if (bytes > 400) {\n        state->used = 9;\n    }\n    while (bytes > 0) {\n"
    assert "    while (bytes > 0) {\n" in text
    source.write_text(text.replace("    while (bytes > 0) {\n", planted, 1), encoding="utf-8")
    _, left = never_run(tmp_path)
    assert any("used = 9" in line for line in left)
