# SPDX-License-Identifier: MIT
"""The designs of rtl/ that `aesfit silicon` compares: which modules, with which parameters."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..building.tools import ToolMissingError
from ..errors import unknown
from ..store.files import beside
from .simulate import Parameters, modules
from .tools import RTL

BLOCK_BITS = 128
_BENCHES = {path.stem: path for path in beside(__file__, "*_bench.v")}


@dataclass(frozen=True, eq=False)
class Design:
    """A core to be synthesised and simulated."""

    name: str
    what: str
    top: str
    bench: str
    """The bench of this folder that knows its ports."""
    parameters: Parameters = field(default_factory=dict)
    expanded_key: bool = False
    """It takes the round keys, not the key."""
    counter: bool = False
    """It is counter mode, with a stream for the counter."""
    by_name: bool = False
    """It is there for one comparison, and left out of what is said of all."""

    @property
    def sources(self) -> list[Path]:
        """The module's file and those of all modules below it."""
        file = RTL / f"{self.top}.v"
        if not file.is_file():
            raise ToolMissingError(
                "the Verilog cores are not part of the installed package; work in a checkout: "
                "pip install -e ."
            )
        return modules(file)

    @property
    def bench_file(self) -> Path:
        """The bench's file."""
        return _BENCHES[self.bench]


def _stream(top: str, suffix: str, what: str, **parameters: int | str) -> Design:
    return Design(
        f"{top}{suffix}",
        what,
        top,
        "stream_bench",
        parameters,
        expanded_key=parameters.get("KEY_EXPANSION") == 0,
    )


_aes32 = partial(_stream, "aes32")
_aes32x2 = partial(_stream, "aes32x2")


DESIGNS = (
    Design(
        "aes32_paper",
        "the paper's core rebuilt: AES-128, round keys given",
        "aes32_paper",
        "packet_bench",
        expanded_key=True,
    ),
    *(
        Design(
            f"aes128_paper{suffix}",
            what,
            "aes128_paper",
            "packet_bench",
            parameters,
            expanded_key=True,
            by_name=bool(suffix),
        )
        for suffix, what, parameters in (
            ("", "the same with a path of 128 bits", {}),
            ("_short", "the same, a round a stage shorter", {"ROW_REGISTER": 0}),
            ("_wide", "the first of these, a packet RAM of 128 bits", {"WIDE_PACKET": 1}),
        )
    ),
    _aes32("", "keys of 128, 192, 256 bits, expanded in hardware"),
    _aes32("_loaded", "the same, round keys given", KEY_EXPANSION=0),
    _aes32(
        "_loaded_table",
        "the same, S-boxes and MixColumns as in aes32_paper",
        KEY_EXPANSION=0,
        SBOX="table",
    ),
    _aes32("_table", "its S-boxes as a table, MixColumns as logic", SBOX="table"),
    _aes32("_logic", "its S-boxes as logic", SBOX="logic"),
    _aes32("_composite", "its S-boxes in a composite field", SBOX="composite"),
    _aes32("_encrypt", "encryption alone", DECRYPT=0),
    *(
        Design(
            f"aes32_parallel{cores}",
            f"{cores} aes32 side by side" if cores > 1 else "one aes32 behind the ports of several",
            "aes32_parallel",
            "stream_bench",
            {"CORES": cores},
        )
        for cores in (1, 2, 4)
    ),
    _aes32x2("", "two blocks in turn on one 32-bit path, keys expanded in hardware"),
    _aes32x2("_lutram", "the same, states in RAM of look-up tables", STATE_IN_LUTS=1),
    _aes32x2("_loaded", "two blocks in turn on one path, round keys given", KEY_EXPANSION=0),
    _aes32x2(
        "_loaded_lutram",
        "the same, states in RAM of look-up tables",
        KEY_EXPANSION=0,
        STATE_IN_LUTS=1,
    ),
    *(
        Design(name, what, "aes_ctr", "stream_bench", parameters, counter=True)
        for name, what, parameters in (
            ("aes_ctr", "counter mode over one aes32", {}),
            ("aes_ctr_paired", "counter mode over one aes32x2", {"PAIRED": 1}),
        )
    ),
    Design("aes_ccm", "CCM of packets: CTR and CBC-MAC over one aes32x2", "aes_ccm", "ccm_bench"),
    Design("aes_gcm", "GCM of packets: CTR and GHASH over one aes32x2", "aes_gcm", "gcm_bench"),
)


def design_named(name: str) -> Design:
    """The design of that name; ValueError names the nearest."""
    for design in DESIGNS:
        if design.name == name:
            return design
    raise unknown("design", name, [design.name for design in DESIGNS])
