# SPDX-License-Identifier: MIT
"""What a packet of 802.11's CCMP takes on the Verilog design aes_ccm, in cycles.

The frame is the one that rigs measure: a data frame to the distribution system, whose header of 24
bytes becomes 22 bytes of associated data.  Formatting them is left to whoever builds the frame.
"""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .. import _native
from ..building.tools import Tool, ToolFailedError
from ..jobs.message import CCMP_PACKET_NUMBER, made_up
from .designs import design_named
from .exercise import KEY_BYTES, MIC_BYTES, bench_of
from .simulate import icarus

DESIGN = "aes_ccm"
HEADER_BYTES = 24
CCMP_HEADER_BYTES = 8


@dataclass(frozen=True)
class PacketCycles:
    """Cycles of one packet, nothing else in work before and after it."""

    key: int
    """From the key's first word to the first word of a header."""
    encrypt: int
    """From the first word in to the end of the MIC."""
    decrypt: int
    """Likewise, the MIC compared."""
    provenance: str


@dataclass(frozen=True)
class _Frame:
    key: bytes
    headers: bytes
    """Block B0 and the associated data, formatted (SP 800-38C, A.2)."""
    plain: bytes
    sealed: bytes
    """Ciphertext and MIC."""


def _frame(payload: int) -> _Frame:
    key, plain = made_up("ccmp key", KEY_BYTES), made_up("ccmp text", payload)
    header = bytes((0x08, 0x01)) + made_up("ccmp header", HEADER_BYTES - 2)
    mpdu = _native.ccmp_encapsulate(key, header, plain, CCMP_PACKET_NUMBER)
    # IEEE Std 802.11-2012, 11.4.3.3: Protected Frame is set; what a retry may change is left out.
    ad = bytes((0x08, 0x41)) + header[4:22] + bytes((header[22] & 0x0F, 0))
    nonce = b"\0" + header[10:16] + CCMP_PACKET_NUMBER.to_bytes(6)
    first = b"\x59" + nonce + payload.to_bytes(2)
    data = len(ad).to_bytes(2) + ad
    return _Frame(
        key,
        first + data + bytes(-len(data) % 16),
        plain,
        mpdu[HEADER_BYTES + CCMP_HEADER_BYTES :],
    )


def _words(data: bytes) -> list[str]:
    """32-bit words, the last filled up with zeros."""
    return [data[at : at + 4].ljust(4, b"\0").hex() for at in range(0, len(data), 4)]


def _run(simulation: Tool, frame: _Frame, decrypt: bool) -> tuple[int, int]:
    """Cycles of the key and of the packet; ToolFailedError unless the result is the library's."""
    cipher, mic = frame.sealed[:-MIC_BYTES], frame.sealed[-MIC_BYTES:]
    key, headers = _words(frame.key), _words(frame.headers)
    opened, sealed = _words(frame.plain), _words(cipher) + _words(mic)
    text, wanted = (sealed, opened) if decrypt else (opened, sealed)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        file = Path(folder) / "words"
        file.write_text("\n".join(key + headers + text), encoding="utf-8")
        sizes = {"key": key, "header": headers, "text": text, "out": wanted}
        asked = [f"+{name}_words={len(some)}" for name, some in sizes.items()]
        said = simulation.run([f"+words={file}", f"+decrypt={int(decrypt)}", *asked])
    given = re.findall(r"^word +\d+ ([0-9a-fxz]{8})$", said, re.MULTILINE)
    ended = re.search(r"^done +(\d+) 1$", said, re.MULTILINE)
    if given != wanted or ended is None:
        raise ToolFailedError(f"{DESIGN} in Icarus Verilog does not make the library's CCMP packet")
    keyed, begun = (
        int(found[1])
        for found in (
            re.search(rf"^{name} +(\d+)$", said, re.MULTILINE) for name in ("key", "header")
        )
        if found is not None
    )
    return begun - keyed, int(ended[1]) - begun


def ccmp_cycles(payload: int) -> PacketCycles:
    """Cycles of a packet with that payload in bytes; what the simulations give is checked."""
    if not 0 <= payload < 1 << 16:
        raise ValueError(f"a payload of {payload} bytes does not fit; CCMP takes 0 to 65535")
    simulation, frame = icarus(bench_of(design_named(DESIGN))), _frame(payload)
    key, encrypt = _run(simulation, frame, decrypt=False)
    _, decrypt = _run(simulation, frame, decrypt=True)
    return PacketCycles(
        key,
        encrypt,
        decrypt,
        f"Icarus Verilog {simulation.version}: one packet each way under AES-128, equal to the "
        "library's",
    )
