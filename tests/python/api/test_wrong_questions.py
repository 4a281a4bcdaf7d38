# SPDX-License-Identifier: MIT
"""The public functions asked what makes no sense: one sentence, in the words of Python."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import pretend

import aesfit

PRETEND = "pretend.toml"


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, and a folder with a platform whose figures are a formula's."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    pretend(tmp_path)
    monkeypatch.chdir(tmp_path)


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: aesfit.fit("cortex-m35"), ValueError, "the nearest is 'cortex-m3'"),
    (lambda: aesfit.fit("gone.toml"), ValueError, "gone.toml: cannot be read"),
    (lambda: aesfit.fit(3), TypeError, "a name, a path or a Platform, not 3"),  # type: ignore
    (lambda: aesfit.fit(PRETEND, mode="ccmm"), ValueError, "the nearest is 'ccm'"),
    (lambda: aesfit.fit(PRETEND, mode="block"), ValueError, "; give calls_per_burst, or"),
    (lambda: aesfit.fit(PRETEND, payload_bytes=0), ValueError, "whole number from 1, not 0"),
    (lambda: aesfit.fit(PRETEND, payload_bytes="9"), TypeError, "whole number, not '9'"),  # type: ignore
    (lambda: aesfit.fit(PRETEND, payload_bytes=99999), ValueError, "0 to 65535 bytes, not 99999"),
    (lambda: aesfit.fit(PRETEND, key_bits=100), ValueError, "bits, not 100"),
    (lambda: aesfit.fit(PRETEND, messages_per_key=0), ValueError, "whole number from 1, not 0"),
    (lambda: aesfit.fit(PRETEND, max_flash_bytes=-1), ValueError, "whole number from 0, not -1"),
    (lambda: aesfit.fit(PRETEND, objective="speed"), ValueError, "not one of cycles, flash, ram"),
    (lambda: aesfit.fit(PRETEND, clock_hz=0), ValueError, "clock_hz is a number above 0, not 0"),
    (lambda: aesfit.fit(PRETEND, rate_bit_per_s=-1), ValueError, "rate_bit_per_s is a number"),
    (
        lambda: aesfit.fit(PRETEND, tables="rom"),
        ValueError,
        "no memory 'rom'; the nearest is 'ram'",
    ),
    (lambda: aesfit.fit(PRETEND, timing="here"), ValueError, "not one of proved, independent, any"),
    (
        lambda: aesfit.fit(PRETEND, buffers="off"),
        ValueError,
        "usual or reset or uniform, not 'off'",
    ),
    (lambda: aesfit.fit(PRETEND, buffers="reset"), ValueError, "leave buffers out, or name a chip"),
    (lambda: aesfit.measure("stm32f103", clock_hz=73e6), ValueError, "at most 72 MHz, not 73"),
    (lambda: aesfit.measure(PRETEND, clock_hz=0), ValueError, "clock_hz is a number above 0"),
    (lambda: aesfit.measure(PRETEND, tables="rom"), ValueError, "no memory 'rom'; the nearest"),
    (lambda: aesfit.emit("compact", mode="ctr", clock_hz=8e6), ValueError, "give platform too"),
    (lambda: aesfit.fit("stm32h743", flash_wait=3), ValueError, "no source says how stm32h743 wa"),
    (lambda: aesfit.measure("cortex-m7", flash_wait=1), ValueError, "; leave flash_wait out"),
    (lambda: aesfit.fit(PRETEND, flash_wait=-1), ValueError, "whole number from 0, not -1"),
    (lambda: aesfit.fit(PRETEND, ghash="mul32"), ValueError, "only gcm has one; give mode gcm too"),
    (lambda: aesfit.fit(PRETEND, cores="fixslise"), aesfit.UnknownCore, "nearest is 'fixslice'"),
    (lambda: aesfit.fit(PRETEND, cores="aesni"), ValueError, "which pretend lacks"),
    (lambda: aesfit.fit(PRETEND, cores=[]), ValueError, "name at least one"),
    (lambda: aesfit.fit(PRETEND, calls_per_burst=4), ValueError, "evicted and explain out"),
    (lambda: aesfit.fit(PRETEND, ways=2), ValueError, "leave cache_bytes, ways, line_bytes and m"),
    (lambda: aesfit.fit("lx-st200", calls_per_burst=4, evicted=2), ValueError, "0 and 1"),
    (lambda: aesfit.fit("cortex-m3", payload_bytes=1 << 21, mode="ctr"), ValueError, "too long"),
    (lambda: aesfit.measure(PRETEND, ops="encrypt"), ValueError, "without mode there is no op"),
    (lambda: aesfit.measure(PRETEND, payload_bytes=9), ValueError, "needs a mode; give mode too"),
    (lambda: aesfit.measure(PRETEND, key_bits=(128, 1)), ValueError, "'1' is not a key size"),
    (lambda: aesfit.measure(PRETEND, warm=True), ValueError, "no caches can be warm"),
    (lambda: aesfit.measure(f"{PRETEND},nowhere"), ValueError, "no platform 'nowhere'"),
    (lambda: aesfit.predict(PRETEND), ValueError, "give cache_bytes, line_bytes, ways, miss_pen"),
    (lambda: aesfit.predict("lx-st200", calls=0), ValueError, "have 1 to 65536 calls"),
    (lambda: aesfit.predict("lx-st200", calls=(9, 2)), ValueError, "not 9 to 2"),
    (lambda: aesfit.predict("lx-st200", evicted=1.5), ValueError, "not between 0 and 1"),
    (lambda: aesfit.predict("lx-st200", replacement="plru"), ValueError, "no replacement 'plru'"),
    (lambda: aesfit.predict("lx-st200", packets={64: 1}), ValueError, "need a mode; give mode"),
    (lambda: aesfit.predict("lx-st200", messages_per_key=2), ValueError, "give packets too"),
    (
        lambda: aesfit.predict("lx-st200", mode="ccm", packets={0: 1}),
        ValueError,
        "packets have 1 to 65535 bytes",
    ),
    (lambda: aesfit.predict("lx-st200", cores="transpose"), ValueError, "is 'transposed'"),
    (lambda: aesfit.emit("compact", mode="cbc", encrypt_only=True), ValueError, "needs decryption"),
    (lambda: aesfit.emit("compact", mode="block"), ValueError, "give encrypt_only too"),
    (lambda: aesfit.emit("compact", mode="ctr", payload_bytes=9), ValueError, "give platform too"),
    (lambda: aesfit.emit("compact", mode="ctr", prefix="9"), ValueError, "no C identifier"),
    (
        lambda: aesfit.emit("compact", mode="ctr", folder="."),
        ValueError,
        "; force replaces the files",
    ),
    (lambda: aesfit.count("cortex-m3", elf="no.o", function="f"), ValueError, "no.o"),
    (
        lambda: aesfit.count("cortex-m3", elf="no.o", function="f", arguments=[1 << 40]),
        ValueError,
        "does not fit 32 bits",
    ),
]


@pytest.mark.parametrize(("ask", "kind", "sentence"), WRONG)
def test_a_wrong_question_is_refused_in_the_words_of_python(
    ask: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        ask()
    told = str(caught.value)
    assert sentence in told
    assert "--" not in told
    assert "\n" not in told


def test_what_has_to_be_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(aesfit.RigUnavailableError, match="apt-get install gcc-arm-none-eabi"):
        aesfit.fit("cortex-m3", cores="compact", key_bits=192)  # the atlas has 128
