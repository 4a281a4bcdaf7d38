# SPDX-License-Identifier: MIT
"""Write the test vectors of docs/file-format.md: make_container_vectors.py [FILE].

Salts and nonces are fixed here, which is insecure for real files. The vectors are checked in.  A
test makes them again and compares, and an independent reader, written from docs/file-format.md with
another library, opens them.
"""

import hashlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path

from aesfit.files import KeyBytes, Keyring, Passphrase, Scrypt, Secret
from aesfit.files.container import seal_under
from aesfit.files.header import HEADER_BYTES, MODES, Header, Mode

FILE = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "container.txt"
HEAD = """\
# SPDX-License-Identifier: MIT
# Known answers of the aesfit container (docs/file-format.md): records of "name value" lines, a
# blank line ends one.  Hexadecimal; what is empty is left out.  The file is header and chunks.
# Made by tools/make_container_vectors.py.
"""
QUICK = Scrypt(4, 1, 1)
"""Cost of scrypt, only for tests."""
KEY = KeyBytes(bytes(range(0x40, 0x60)))
PASSPHRASE = Passphrase(b"correct horse battery staple")


@dataclass(frozen=True)
class Case:
    """A file to seal."""

    secret: Secret
    mode: Mode
    key_bits: int
    plain_bytes: int
    chunk_bytes: int = 16
    scrypt: Scrypt = QUICK


def cases() -> list[Case]:
    """Every mode, key size, source of keys, and shape of last chunk."""
    sizes = (0, 1, 16, 17, 32, 40)
    both = [(mode, bits) for mode in MODES for bits in (128, 192, 256)]
    made = [
        Case(secret, mode, bits, size)
        for (mode, bits), size in zip(both, sizes, strict=True)
        for secret in (KEY, PASSPHRASE)
    ]
    return [*made, Case(PASSPHRASE, "gcm", 256, 100, 64, Scrypt(15, 8, 3))]


def seeded(name: str, number: int, size: int) -> bytes:
    """Reproducible pseudo-random bytes."""
    return hashlib.shake_128(f"{name} {number}".encode()).digest(size)


def record(case: Case, number: int) -> str:
    """One record of the file."""
    scrypt = case.scrypt if isinstance(case.secret, Passphrase) else None
    salt, nonce = seeded("salt", number, 16), seeded("nonce", number, 32)
    header = Header(case.mode, case.key_bits, case.chunk_bytes, scrypt, salt, nonce)
    plain, sealed = seeded("plain", number, case.plain_bytes), io.BytesIO()
    with Keyring(case.secret) as ring:
        seal_under(header, io.BytesIO(plain), sealed, ring)
    whole = sealed.getvalue()
    values = {
        "passphrase": case.secret.text if isinstance(case.secret, Passphrase) else b"",
        "key": case.secret.value if isinstance(case.secret, KeyBytes) else b"",
        "plain": plain,
        "header": whole[:HEADER_BYTES],
        "chunks": whole[HEADER_BYTES:],
    }
    return "".join(f"{name} {value.hex()}\n" for name, value in values.items() if value)


def render() -> str:
    """The whole file of vectors."""
    return "\n".join([HEAD, *(record(case, number) for number, case in enumerate(cases()))])


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_text(render(), encoding="utf-8")
