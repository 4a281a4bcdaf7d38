# SPDX-License-Identifier: MIT
"""Project Wycheproof: the inputs that have broken other implementations."""

from collections.abc import Callable
from typing import Any

import pytest
from every_core import on_every_core
from vectors import unhex, wycheproof

import aesfit
from aesfit._native import AnyNonceGCM

Test = dict[str, Any]
AEADS: dict[str, Callable[..., Any]] = {"gcm": AnyNonceGCM, "ccm": aesfit.AESCCM}


def check_aead(name: str, group: Test, test: Test, core: str) -> None:
    """A valid test opens and seals alike; an invalid one is refused when opened."""
    nonce, associated = unhex(test["iv"]), unhex(test["aad"])
    plain, sealed = unhex(test["msg"]), unhex(test["ct"]) + unhex(test["tag"])
    if test["result"] == "valid":
        aead = AEADS[name](unhex(test["key"]), group["tagSize"] // 8, core=core)
        assert aead.encrypt(nonce, plain, associated) == sealed
        assert aead.decrypt(nonce, sealed, associated) == plain
    else:
        with pytest.raises((aesfit.AuthenticationError, ValueError)):
            AEADS[name](unhex(test["key"]), group["tagSize"] // 8, core=core).decrypt(
                nonce, sealed, associated
            )


@pytest.mark.parametrize(("name", "count"), [("gcm", 316), ("ccm", 552)])
@on_every_core
def test_aead(core: str, name: str, count: int) -> None:
    tests = wycheproof(f"Cipher/wycheproof/aes_{name}_test.json")
    assert len(tests) == count
    for group, test in tests:
        check_aead(name, group, test, core)


@pytest.mark.parametrize(("name", "padded"), [("wrap", False), ("kwp", True)])
@on_every_core
def test_key_wrap(core: str, name: str, padded: bool) -> None:
    """ "acceptable" are weak but well-formed calls; ours answers them as the vector says or not."""
    for _, test in wycheproof(f"Cipher/wycheproof/aes_{name}_test.json"):
        key, plain, wrapped = unhex(test["key"]), unhex(test["msg"]), unhex(test["ct"])
        if test["result"] == "valid":
            assert aesfit.key_wrap(key, plain, padded=padded, core=core) == wrapped
            assert aesfit.key_unwrap(key, wrapped, padded=padded, core=core) == plain
        elif test["result"] == "invalid":
            with pytest.raises((aesfit.AuthenticationError, ValueError)):
                aesfit.key_unwrap(key, wrapped, padded=padded, core=core)


@on_every_core
def test_cmac(core: str) -> None:
    for group, test in wycheproof("Hash/wycheproof/aes_cmac_test.json"):
        key, message, tag = unhex(test["key"]), unhex(test["msg"]), unhex(test["tag"])
        if len(key) not in (16, 24, 32):
            with pytest.raises(ValueError, match="key"):
                aesfit.cmac(key, message, core=core)
            continue
        ours = aesfit.cmac(key, message, core=core)[: group["tagSize"] // 8]
        assert (ours == tag) == (test["result"] == "valid")
