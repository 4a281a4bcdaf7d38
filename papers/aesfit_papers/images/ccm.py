# SPDX-License-Identifier: MIT
"""Section 1: CTR encrypts, CBC-MAC authenticates, CCM does both "in a single efficient solution".

"There are varying MAC lengths to choose from for AES-CBC-MAC and AES-CCM modes of operation (4, 8
or 16 bytes), allowing for some scalability of security."  CBC-MAC "computes a MAC over the packet
and includes the length of the authenticated data".  No figures are given with any of this.

Ours: a packet of 1504 bytes with 22 bytes of associated data by the library's own modes, in cycles,
on six 32-bit processors at -O2, for plain and fully optimised code, with `fixslice` beside them.
CBC-MAC covers what it covers inside CCM: a block with the length, the associated data, the packet.
What each mode is worth is tried on a short message: every bit of what is sent is changed, one at a
time, and two messages are joined to one whose MAC the attacker knows.

What differs: efficiency is held as "no dearer than both parts", which is our reading.  The library
has no CBC-MAC with a length, so the length is put before the message here.
"""

from collections.abc import Callable, Sequence
from itertools import product

from aesfit import AESCCM, AuthenticationError, Cipher, cbc_mac
from aesfit.catalog import MODES
from aesfit.jobs.job import Job, Progress
from aesfit.jobs.message import made_up
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.tag_lengths import ccm_cycles
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import CORES, FULL, PLAIN, PLATFORMS
from aesfit_papers.judging.place import ClaimPlace, in_row, told
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Section 1"
TITLE = "CTR, CBC-MAC and CCM: what they cost and what they detect"
_TAGS = (4, 8, 16)
COLUMNS = (
    Column("platform"),
    Column("core"),
    Column("mode"),
    Column("mac_bytes", "B"),
    Column("cycles", "cycles"),
    Column("change"),
    Column("tried"),
    Column("refused"),
)
FAST = False
_LEVEL = "-O2"
_PARALLEL = "fixslice"
_CODES = {PLAIN: CORES[PLAIN], FULL: CORES[FULL], _PARALLEL: _PARALLEL}
_BLOCK = 16
_PACKET = 1504
_COVERED = _BLOCK + -(-(2 + MODES["ccm"].ad) // _BLOCK) * _BLOCK + _PACKET
"""Bytes that CBC-MAC takes in CCM: the block with the length; the associated data behind their own
length, padded; the packet."""
_BIT, _JOINED = "one bit", "two messages joined"
_KEY, _NONCE, _AD, _TEXT = (made_up(f"ccm {what}", size) for what, size in
                            (("key", 16), ("nonce", 13), ("ad", 22), ("text", 48)))  # fmt: skip


def rows(progress: Progress) -> Measured:
    """Cycles everywhere, then what is detected."""
    every = list(product(PLATFORMS, _CODES))
    sizes = {"ctr": _PACKET, "cbc_mac": _COVERED, "ccm": _PACKET}
    jobs = [
        Job(platform_named(name), core, 128, "encrypt", mode, size, (_LEVEL,))
        for name, core in every
        for mode, size in sizes.items()
    ]
    taken = measured(jobs, progress)
    made: list[Row] = []
    for job, one in zip(jobs, taken, strict=True):
        if job.mode != "ccm":
            made.append(
                _row(platform=one.platform, core=one.core, mode=job.mode, cycles=one.cycles)
            )
            continue
        for tag in _TAGS:
            cycles = one.cycles if tag == MODES["ccm"].tag else ccm_cycles(job, tag)
            made.append(_row(platform=one.platform, core=one.core, mode="ccm", mac_bytes=tag,
                             cycles=cycles))  # fmt: skip
    return Measured([*made, *_detected()], lines(taken))


def _row(**cells: Value) -> Row:
    """The cells that are given; all others are empty."""
    return {column.name: cells.get(column.name) for column in COLUMNS}


def _detected() -> list[Row]:
    """Every change of one bit under each mode, and messages joined under CBC-MAC."""
    made = [_bits("ctr", None, _NONCE + bytes(3) + _ctr(_NONCE + bytes(3), _TEXT), _ctr_accepts)]
    for tag in _TAGS:
        sealed = AESCCM(_KEY, tag_length=tag).encrypt(_NONCE, _TEXT, _AD)
        made.append(_bits("ccm", tag, _NONCE + _AD + sealed, _ccm_accepts(tag)))
        mac = _mac(_TEXT, length=True)[:tag]
        made.append(_bits("cbc_mac", tag, _TEXT + mac, _mac_accepts(tag)))
    for length in (True, False):
        name = "cbc_mac" if length else "cbc_mac without length"
        made.append(_row(mode=name, mac_bytes=_BLOCK, change=_JOINED, tried=1,
                         refused=int(not _join_accepted(length=length))))  # fmt: skip
    return made


def _bits(mode: str, tag: int | None, sent: bytes, accepts: Callable[[bytes], bool]) -> Row:
    """Each bit of what is sent changed by itself."""
    if not accepts(sent):
        raise RuntimeError(f"{mode} refuses what it made itself")
    refused = sum(
        not accepts((int.from_bytes(sent) ^ 1 << bit).to_bytes(len(sent)))
        for bit in range(8 * len(sent))
    )
    return _row(mode=mode, mac_bytes=tag, change=_BIT, tried=8 * len(sent), refused=refused)


def _ctr(counter: bytes, text: bytes) -> bytes:
    return Cipher(_KEY, "ctr", counter).encrypt(text)


def _ctr_accepts(sent: bytes) -> bool:
    """Whatever comes is decrypted: there is nothing to refuse it by."""
    return len(_ctr(sent[:_BLOCK], sent[_BLOCK:])) == len(_TEXT)


def _ccm_accepts(tag: int) -> Callable[[bytes], bool]:
    ends = len(_NONCE), len(_NONCE) + len(_AD)

    def accepts(sent: bytes) -> bool:
        nonce, ad, sealed = sent[: ends[0]], sent[ends[0] : ends[1]], sent[ends[1] :]
        try:
            AESCCM(_KEY, tag_length=tag).decrypt(nonce, sealed, ad)
        except AuthenticationError:
            return False
        return True

    return accepts


def _mac(text: bytes, *, length: bool) -> bytes:
    """CBC-MAC, with the length of the text in a block before it."""
    before = len(text).to_bytes(_BLOCK) if length else b""
    return cbc_mac(_KEY, before + text)


def _mac_accepts(tag: int) -> Callable[[bytes], bool]:
    return lambda sent: _mac(sent[:-tag], length=True)[:tag] == sent[-tag:]


def _join_accepted(*, length: bool) -> bool:
    """Two texts with their MACs, joined so that the chain after the first goes on as the second."""
    first, second = _TEXT[:32], _TEXT[16:]
    mac = _mac(first, length=length)
    chained = (len(second).to_bytes(_BLOCK) if length else b"") + second
    start = bytes(a ^ b for a, b in zip(chained[:_BLOCK], mac, strict=True))
    forged = first + start + chained[_BLOCK:]
    return _mac(forged, length=length) == _mac(second, length=length)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Cost, and what is detected."""
    return [*_costs(rows), *_detections(rows)]


def _costs(rows: Sequence[Row]) -> list[Claim]:
    tag, made = MODES["ccm"].tag, []
    for core in (PLAIN, FULL):
        of_ctr, of_mac = (
            pairs(rows, "cycles", by=("platform",), core=core, mode=("ccm", mode),
                  mac_bytes=(tag, None))
            for mode in ("ctr", "cbc_mac")
        )  # fmt: skip
        together = {
            place.of(mode=("ccm", "ctr", "cbc_mac")): Pair(pair.a, pair.b + of_mac[place].b)
            for place, pair in of_ctr.items()
        }
        sentence = f"CCM costs what CTR and CBC-MAC cost together, {CORES[core]} code (cycles)."
        made.append(Claim(sentence, "equal", together))
    return made


def _share(row: Row) -> Pair:
    return Pair(figure(row["refused"]), figure(row["tried"]))


def _detections(rows: Sequence[Row]) -> list[Claim]:
    """What stands in the second half of the rows."""
    changed = [row for row in rows if row["change"] == _BIT]
    joined = [row for row in rows if row["change"] == _JOINED]

    def of(mode: str) -> dict[ClaimPlace, Pair | float]:
        return {in_row(row, "mac_bytes").of(mode=mode, change=_BIT): _share(row)
                for row in changed if row["mode"] == mode}  # fmt: skip

    (ctr,) = (row for row in changed if row["mode"] == "ctr")
    (safe,) = (row for row in joined if row["mode"] == "cbc_mac")
    sizes: dict[ClaimPlace, Pair | float] = {
        told("# bytes", "size", tag).of(mode="ccm", change=_BIT, mac_bytes=tag): Pair(
            figure(row["mac_bytes"]), tag
        )
        for tag, row in zip(_TAGS, (row for row in changed if row["mode"] == "ccm"), strict=True)
    }
    built = "The library's CCM was written to give MACs of these lengths."
    return [
        Claim("CTR only encrypts: every changed bit passes.", "exact",
              {told("every bit").of(mode="ctr", change=_BIT): Pair(
                  figure(ctr["tried"]) - figure(ctr["refused"]), figure(ctr["tried"]))}, 1,
              by_construction="CTR sends nothing by which a change could be noticed."),
        Claim("CBC-MAC authenticates: every changed bit is refused.", "exact", of("cbc_mac"), 1),
        Claim("CCM authenticates: every changed bit is refused.", "exact", of("ccm"), 1),
        Claim("With the length inside, CBC-MAC refuses two messages joined to one.", "exact",
              {in_row(safe, "mac_bytes").of(mode="cbc_mac", change=_JOINED): _share(safe)}, 1),
        Claim("MACs have 4, 8 or 16 bytes.", "exact", sizes, 1, by_construction=built),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles by mode, then what is detected."""
    cell = found(rows, "platform", "core", "mode", "mac_bytes")
    wide: list[Row] = []
    for name, core in product(PLATFORMS, _CODES):
        ctr, mac = (figure(cell(name, core, mode, None)["cycles"]) for mode in ("ctr", "cbc_mac"))
        ccm = {f"ccm_{tag}": figure(cell(name, core, "ccm", tag)["cycles"]) for tag in _TAGS}
        wide.append({"platform": name, "code": _CODES[core], "ctr": ctr, "cbc_mac": mac, **ccm,
                     "times": ccm["ccm_8"] / (ctr + mac)})  # fmt: skip
    shown = [("platform", "platform"), ("code", "code"), ("CTR", "ctr"), ("CBC-MAC", "cbc_mac")]
    shown += [(f"CCM, MAC of {tag}", f"ccm_{tag}") for tag in _TAGS]
    shown.append(("CCM over both", "times"))
    series = [
        Bars(
            mode, [figure(row[column]) / figure(row["ctr"]) for row in wide if row["code"] == code]
        )
        for mode, column in (("CBC-MAC", "cbc_mac"), ("CCM", "ccm_8"))
        for code in (CORES[PLAIN],)
    ]
    image = bars(PLATFORMS, series, Scale("cycles over those of CTR, plain code"),
                 write=lambda value: f"{value:.2f}")  # fmt: skip
    seen = [row for row in rows if row["change"] is not None]
    told = [("mode", "mode"), ("MAC bytes", "mac_bytes"), ("change", "change"), ("tried", "tried"),
            ("refused", "refused")]  # fmt: skip
    return [
        table(f"Cycles of {_PACKET} bytes at {_LEVEL}", wide, shown),
        Figure("CBC-MAC and CCM against CTR", image, ".svg",
               "Bars: CBC-MAC costs about what CTR does, CCM about twice as much."),
        table("What is refused", seen, told),
        Words(_told(wide)),
    ]  # fmt: skip


def _told(wide: Sequence[Row]) -> str:
    """What the length of the MAC changes, and what it does not."""
    apart = max(
        abs(figure(row[f"ccm_{tag}"]) / figure(row["ccm_8"]) - 1) for row in wide for tag in _TAGS
    )
    return (
        f"The length of the MAC changes the time by {100 * apart:.2g} % at most, for CCM computes "
        "16 bytes and sends some of them: what scales is the chance of a forgery, 2^-32, 2^-64 or "
        "2^-128 for each try, and the bytes that are sent. Without the length, CBC-MAC accepts two "
        "messages joined to one. Code of two blocks at once (fixslice) makes the keystream while "
        "it makes the MAC."
    )
