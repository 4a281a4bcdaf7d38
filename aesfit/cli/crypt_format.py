# SPDX-License-Identifier: MIT
"""Makes a format from options: its names, its warnings, and its functions."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import cast

import click

from .._native import AES
from ..errors import unknown
from ..files import (
    RAW_MODES,
    KeyBytes,
    Keyring,
    Options,
    Passphrase,
    RawMode,
    RawOptions,
    SaltedOptions,
    Scrypt,
    Secret,
    decrypt_raw,
    decrypt_salted,
    encrypt_raw,
    encrypt_salted,
    seal,
    unseal,
)
from ..files.flow import Progress, Sink, Source
from ..files.header import MAGIC, MODES, Mode
from ..files.openssl import ITERATIONS
from ..files.openssl import MAGIC as SALTED
from ..files.work import Work
from .crypt_options import CryptRequest
from .crypt_secret import from_hex

_UNAUTHENTICATED = "nothing detects a change to the file; without {option} aesfit does"
_ECB = "equal blocks of 16 bytes stay equal, which shows patterns; "


@dataclass(frozen=True)
class Format:
    """One way to write or read files."""

    suffix: str
    work: Callable[[Secret], AbstractContextManager[Work]]
    """Makes the work for a secret; the same work serves any number of files."""
    warning: str | None = None
    magic: bytes | None = None
    """The bytes that every encrypted file begins with, if any."""
    one_iv: bool = False
    """It encrypts with a given IV, which must not be used for two files."""


def format_asked(asked: CryptRequest) -> Format:
    """The format that options ask for; usage errors name the option."""
    _check_core(asked.form.core)
    if asked.form.raw:
        return _raw(asked)
    return _openssl(asked) if asked.form.openssl else _container(asked)


def _container(asked: CryptRequest) -> Format:
    mode = cast(Mode, _mode(asked.mode or "gcm", MODES))
    cost = Scrypt() if asked.form.kdf_cost is None else Scrypt(asked.form.kdf_cost)
    options = Options(mode, _key_bits(asked), scrypt=cost, core=asked.form.core)

    @contextmanager
    def work(secret: Secret) -> Iterator[Work]:
        with Keyring(secret) as ring:
            if asked.encrypt:
                yield lambda source, sink, report: seal(source, sink, ring, options, report)
            else:
                yield lambda source, sink, report: unseal(
                    source, sink, ring, asked.form.core, report
                )

    return Format(".aesfit", work, magic=MAGIC)


def _raw(asked: CryptRequest) -> Format:
    mode = cast(RawMode, _mode(asked.mode or "", RAW_MODES))
    iv = None if asked.form.iv is None else from_hex(asked.form.iv, "--iv", (32,))
    run = encrypt_raw if asked.encrypt else decrypt_raw

    @contextmanager
    def work(secret: Secret) -> Iterator[Work]:
        key = cast(KeyBytes, secret).value
        options = RawOptions(mode, key, iv, not asked.form.nopad, asked.form.core)
        yield lambda source, sink, report: run(source, sink, options, report)

    return Format(".enc", work, _warning(mode, "--raw"), one_iv=asked.encrypt and iv is not None)


def _openssl(asked: CryptRequest) -> Format:
    mode = cast(RawMode, _mode(asked.mode or "cbc", RAW_MODES))
    iterations = ITERATIONS if asked.form.iterations is None else asked.form.iterations
    try:
        options = SaltedOptions(
            mode, _key_bits(asked), iterations, not asked.form.nopad, asked.form.core
        )
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--iter") from None
    salted = encrypt_salted if asked.encrypt else decrypt_salted

    @contextmanager
    def work(secret: Secret) -> Iterator[Work]:
        def run(source: Source, sink: Sink, report: Progress) -> None:
            salted(source, sink, cast(Passphrase, secret), options, report)

        yield run

    return Format(".enc", work, _warning(mode, "--openssl"), SALTED)


def _warning(mode: str, option: str) -> str:
    first = _ECB if mode == "ecb" else ""
    return f"warning: {mode}: {first}{_UNAUTHENTICATED.format(option=option)}"


def _mode(mode: str, allowed: Sequence[str]) -> str:
    if mode not in allowed:
        raise click.BadParameter(
            f"{unknown('mode', mode, allowed)}; here it is one of {', '.join(allowed)}",
            param_hint="--mode",
        )
    return mode


def _key_bits(asked: CryptRequest) -> int:
    bits = 256 if asked.key_bits is None else asked.key_bits
    if bits not in (128, 192, 256):
        raise click.BadParameter(
            f"'{bits}' is not a key size; choose: 128, 192, 256", param_hint="--key-bits"
        )
    return bits


def _check_core(core: str | None) -> None:
    """Refuse an unknown core before asking for secrets."""
    try:
        AES(bytes(16), core)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--core") from None
