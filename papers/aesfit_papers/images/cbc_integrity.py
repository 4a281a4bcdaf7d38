# SPDX-License-Identifier: MIT
"""Section 3: under CBC "the plaintext cannot be directly manipulated", but for cutting its ends.

Ours: a picture is encrypted with CBC, changed without the key, and decrypted: one bit of the IV,
one bit of a ciphertext block in the middle, two ciphertext blocks exchanged.  What comes out is
compared with the picture bit by bit.  The same is done under GCM, where the library refuses.

What differs: the paper tries nothing here; it argues.  The exchange is shown and not judged: it
garbles blocks and chooses no bit, so that it could not speak against the claim.
"""

from collections.abc import Callable, Sequence

from aesfit import AESGCM, AuthenticationError, Cipher
from aesfit.jobs.job import Progress
from aesfit.pictures.panels import IV, KEY
from aesfit.pictures.picture_file import Picture, pixels_from
from aesfit.pictures.scenes import scene
from aesfit.pictures.statistics import as_bytes
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, Row, Value, Words
from aesfit_papers.judging.images import NO_INTEGRITY, png
from aesfit_papers.judging.place import in_row
from aesfit_papers.judging.tables import table

NUMBER = "Section 3"
TITLE = "Changing a picture under CBC without the key"
COLUMNS = (
    Column("mode"),
    Column("change"),
    Column("chosen_bits"),
    Column("garbled_blocks"),
    Column("refused"),
)
FAST = True
_EDGE = 200
_BLOCK = 16
_PLACE = 3 * _EDGE * _EDGE // 2 // _BLOCK * _BLOCK
"""A block's first byte in the middle of the picture."""
_BIT = 0x80
_EXCHANGE = "two blocks exchanged"
"""Shown, but not held against the claim: it chooses no bit."""
Change = Callable[[bytearray], None]


def _iv_bit(data: bytearray) -> None:
    data[0] ^= _BIT


def _middle_bit(data: bytearray) -> None:
    data[_BLOCK + _PLACE] ^= _BIT


def _exchanged(data: bytearray) -> None:
    first, second = (slice(at, at + _BLOCK) for at in (_PLACE, _PLACE + 8 * _BLOCK))
    data[first], data[second] = data[second], data[first]


_CHANGES: dict[str, Change] = {
    "one bit of the IV": _iv_bit,
    "one bit of a block": _middle_bit,
    _EXCHANGE: _exchanged,
}
"""Of the IV and the ciphertext behind it."""


def _changed_cbc(plain: bytes, change: Change) -> bytes:
    """What the receiver gets."""
    sent = bytearray(IV + Cipher(KEY, "cbc", IV).encrypt(plain))
    change(sent)
    return Cipher(KEY, "cbc", bytes(sent[:_BLOCK])).decrypt(bytes(sent[_BLOCK:]))


def _gcm_refuses(plain: bytes, change: Change) -> bool:
    """Of a nonce of 12 bytes with four unused ones, so that the changes hit as under CBC."""
    nonce = IV[:12]
    sent = bytearray(nonce + bytes(_BLOCK - len(nonce)) + AESGCM(KEY).encrypt(nonce, plain, b""))
    change(sent)
    try:
        AESGCM(KEY).decrypt(bytes(sent[:12]), bytes(sent[_BLOCK:]), b"")
    except AuthenticationError:
        return True
    return False


def _effect(plain: bytes, came: bytes) -> tuple[int, int]:
    """Bits that changed as single ones in their block, and blocks of which many bits changed."""
    apart = as_bytes(plain) ^ as_bytes(came)
    blocks = [int.from_bytes(apart[at : at + _BLOCK].tobytes()) for at in range(0, len(plain), 16)]
    bits = [one.bit_count() for one in blocks if one]
    return sum(1 for many in bits if many == 1), sum(1 for many in bits if many > 1)


def rows(progress: Progress) -> Measured:
    """Each change under both modes."""
    plain = scene("logo", _EDGE).data
    made: list[Row] = []
    for name, change in _CHANGES.items():
        chosen, garbled = _effect(plain, _changed_cbc(plain, change))
        row: dict[str, Value] = {"change": name, "chosen_bits": chosen, "garbled_blocks": garbled}
        made.append({"mode": "CBC", **row, "refused": False})
    for name, change in _CHANGES.items():
        refused = _gcm_refuses(plain, change)
        row = {"mode": "GCM", "change": name}
        made.append({**row, "chosen_bits": None, "garbled_blocks": None, "refused": refused})
    progress(1, 1)
    return Measured(made, (f"key {KEY.hex()}, IV {IV.hex()}, the library's default core",))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """No change of the attacker's choice."""
    chosen = {
        in_row(row, "change").of(mode="CBC"): figure(row["chosen_bits"])
        for row in rows
        if row["mode"] == "CBC" and row["change"] != _EXCHANGE
    }
    why = (
        "A block decrypts to D(C) XOR the ciphertext block before it, or the IV: a bit changed "
        "there changes the same bit of the picture, and no other of that block. In the IV it costs "
        "nothing, elsewhere one garbled block; nothing is refused."
    )
    sentence = "The plaintext cannot be manipulated directly (bits set as an attacker chose)."
    return [Claim(sentence, "at most", chosen, 0, cause="the claim itself", why=why)]


def _painted() -> Picture:
    """A bar across the logo, drawn without the key into every second block of some rows."""
    picture = scene("logo", _EDGE)

    def paint(sent: bytearray) -> None:
        wide = 3 * _EDGE
        for row in range(_EDGE // 2 - 12, _EDGE // 2 + 12):
            start = -(-row * wide // _BLOCK) * _BLOCK
            for at in range(start, start + wide - 2 * _BLOCK, 2 * _BLOCK):
                for byte in range(_BLOCK):  # the block behind this one flips all its bits
                    sent[_BLOCK + at + byte] ^= 0xFF

    came = _changed_cbc(picture.data, paint)
    return Picture(pixels_from(came, picture.pixels), "RGB", "painted")


def render(rows: Sequence[Row]) -> list[Part]:
    """What each change did, and a picture with a bar that its sender never drew."""
    alt = "The logo with a striped bar across it: chosen colours beside garbled blocks."
    note = "Between the chosen stripes are the garbled blocks that they cost."
    shown = [("mode", "mode"), ("change", "change"), ("bits as chosen", "chosen_bits"),
             ("garbled blocks", "garbled_blocks"), ("refused", "refused")]  # fmt: skip
    return [
        table("What the receiver gets", rows, shown),
        png(_painted(), "A bar painted into the ciphertext without the key", alt, note),
        Words(NO_INTEGRITY),
    ]
