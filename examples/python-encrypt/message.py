# SPDX-License-Identifier: MIT
"""A message under AES-GCM and under AES-CCM: sealed, opened, and refused when it was changed."""

import os
import sys

from aesfit import AESCCM, AESGCM, AuthenticationError

HEADER = b"to: lighthouse"
"""Travels in the clear, but cannot be changed unnoticed either."""


def seal(cipher: AESGCM | AESCCM, text: str) -> bytes:
    """Nonce, ciphertext and tag; the nonce is fresh, for under one key none may come twice."""
    nonce = os.urandom(12)
    return nonce + cipher.encrypt(nonce, text.encode(), HEADER)


def unseal(cipher: AESGCM | AESCCM, sealed: bytes) -> str:
    """Return the text; AuthenticationError where anything was changed or the key is another."""
    return cipher.decrypt(sealed[:12], sealed[12:], HEADER).decode()


def main() -> None:
    """Show both modes on the message of the command line."""
    text = " ".join(sys.argv[1:]) or "Meet me at the lighthouse."
    key = os.urandom(32)
    for cipher in (AESGCM(key), AESCCM(key, tag_length=8)):
        print(type(cipher).__name__)
        sealed = seal(cipher, text)
        print("  sealed ", sealed.hex())
        print("  opened ", unseal(cipher, sealed))
        try:
            unseal(cipher, sealed[:-1] + bytes([sealed[-1] ^ 1]))
        except AuthenticationError as error:
            print("  changed", error)


if __name__ == "__main__":
    main()
