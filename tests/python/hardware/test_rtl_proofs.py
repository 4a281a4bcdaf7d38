# SPDX-License-Identifier: MIT
"""Proofs on the Verilog cores, for all inputs and states; each notices a fault that is planted.

rtl/README.md says what is proved, and what is left out.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from few import slow_but
from yosys_proofs import NETLIST, PROOFS, Fault, copies, induction, left, script

from aesfit.building.tools import Tool, ToolFailedError, program

MIXES = ("aes_inv_mix_columns_standard", "aes_inv_mix_columns_transposed",
         "aes_inv_mix_row_transposed", "aes_mix_columns_standard", "aes_mix_columns_transposed",
         "aes_mix_row_transposed")  # fmt: skip


def differing(folder: Path, fault: Fault | None = None) -> int:
    """Bits in which two forms of MixColumns may differ, as canonical functions (BDDs) of ABC."""
    files = {name for top in MIXES for name in copies(folder, top, None).split()}
    if fault is not None:
        copies(folder, fault[0], fault)
    harness = "mix_columns_proof.v"
    (folder / harness).write_bytes((PROOFS / harness).read_bytes())
    script(
        folder,
        f"read_verilog -sv {' '.join(sorted(files))} {harness}",
        "hierarchy -top mix_columns_proof; proc; flatten; opt_clean; simplemap",
        "aigmap; opt_clean; write_aiger mixes.aig",
    )
    abc = Tool("ABC", "", (program("ABC", "yosys-abc", "yosys"),))
    abc.run(["-c", "read mixes.aig; collapse; strash; write_aiger bits.aig"], folder)
    lines = (folder / "bits.aig").read_bytes().splitlines()
    bits = int(lines[0].split()[4])
    assert bits == 5 * 128
    return sum(one != b"0" for one in lines[1 : 1 + bits])


def test_all_forms_of_mix_columns_are_equal(tmp_path: Path) -> None:
    assert differing(tmp_path) == 0


def test_a_form_that_differs_is_found(tmp_path: Path) -> None:
    """One row of 32 bits, which two comparisons see."""
    fault = ("aes_mix_columns_transposed", "x1 ^ x2 ^ x3 ^ twice0", "x1 ^ x2 ^ twice0")
    assert differing(tmp_path, fault) == 64


HOLDS = "stream_holds.v"


@pytest.mark.parametrize("top", slow_but(["aes32x2"], ["aes32", "aes32x2"]))
def test_a_word_that_waits_stays(tmp_path: Path, top: str) -> None:
    assert induction(tmp_path, top, HOLDS, f"-DCORE={top}", None) == "proved"


@pytest.mark.parametrize(
    "fault",
    [
        ("aes32x2", "if (leaving_q && step) data_o", "if (leaving_q) data_o"),
        pytest.param(
            ("aes32x2", "leaving_q || (data_valid_o && !data_ready_i)", "leaving_q"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("aes32", "last_q) || (data_valid_o && !data_ready_i);", "last_q);"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_that_a_word_stays_is_no_longer_proved(tmp_path: Path, fault: Fault) -> None:
    """No run of the steps that are looked at need break it: a word leaves later."""
    assert induction(tmp_path, fault[0], HOLDS, f"-DCORE={fault[0]}", fault) != "proved"


def test_rules_of_the_bus(tmp_path: Path) -> None:
    assert induction(tmp_path, "aes32_axil", "axil_rules.v", "", None) == "proved"


@pytest.mark.parametrize(
    "fault",
    [
        ("aes32_axil", "s_axi_bvalid && !s_axi_bready);", "1'b0);"),
        pytest.param(
            ("aes32_axil", "s_axi_rvalid && !s_axi_rready);", "1'b0);"), marks=pytest.mark.slow
        ),
        pytest.param(
            (
                "aes32_axil",
                "s_axi_awvalid && s_axi_wvalid && !s_axi_awready",
                "s_axi_awvalid && !s_axi_awready",
            ),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("aes32_axil", "!s_axi_arready && !s_axi_rvalid", "!s_axi_arready"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("aes32_axil", "else if (s_axi_rready) begin", "else begin"), marks=pytest.mark.slow
        ),
    ],
)
def test_a_broken_rule_of_the_bus_is_found(tmp_path: Path, fault: Fault) -> None:
    assert induction(tmp_path, "aes32_axil", "axil_rules.v", "", fault) == "refuted"


STREAMS = "o:key_ready_o o:data_ready_o o:data_valid_o o:counter_ready_o"
BUS = "o:s_axi_awready o:s_axi_wready o:s_axi_bvalid o:s_axi_arready o:s_axi_rvalid"
HANDSHAKES = {
    "aes32": (STREAMS, "i:key_i i:data_i i:decrypt_i t:$mem*"),
    "aes32x2": (STREAMS, "i:key_i i:data_i i:decrypt_i t:$mem*"),
    "aes32_parallel": (STREAMS, "i:key_i i:data_i i:decrypt_i t:$mem*"),
    "aes_ctr": (STREAMS, "i:key_i i:data_i i:counter_i t:$mem*"),
    "aes_gcm": (
        "o:key_ready_o o:data_ready_o o:unverified_valid_o o:done_o",
        "i:key_i i:data_i t:$mem*",
    ),
    "aes32_axil": (BUS, "i:s_axi_wdata i:s_axi_awaddr i:s_axi_araddr t:$mem*"),
}
"""Outputs that say when words move, and what may never lie on a way to them: words and RAM."""


def follow(folder: Path, top: str, fault: Fault | None = None) -> None:
    """ToolFailedError if a handshake depends on a word, through any number of registers."""
    outputs, words = HANDSHAKES[top]
    script(
        folder,
        f"read_verilog {copies(folder, top, fault)}",
        f"hierarchy -top {top}; proc; flatten; opt_clean; memory_collect; opt; opt_clean",
        f"select -set cone {outputs} %% %ci*",
        "select -assert-any @cone i:rst_ni i:aresetn %u %i",
        f"select -assert-none @cone {words}{' %u' * words.count(' ')} %i",
    )


@pytest.mark.parametrize("top", slow_but(["aes32x2", "aes32_axil"], HANDSHAKES))
def test_no_handshake_depends_on_a_word(tmp_path: Path, top: str) -> None:
    follow(tmp_path, top)


@pytest.mark.parametrize(
    "fault",
    [
        ("aes32x2", "data_valid_o <= leaving_q", "data_valid_o <= (leaving_q && data_o != 0)"),
        pytest.param(
            ("aes_ctr", "counter_ready_o = !begun", "counter_ready_o = !begun && !counter_q[0]"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            (
                "aes32_axil",
                "s_axi_awready <= s_axi_awvalid",
                "s_axi_awready <= !result[0] && s_axi_awvalid",
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_handshake_that_depends_on_a_word_is_found(tmp_path: Path, fault: Fault) -> None:
    with pytest.raises(ToolFailedError, match="selection is not empty"):
        follow(tmp_path, fault[0], fault)


@dataclass(frozen=True)
class Erasing:
    """A core, and what is left of any state that it was in."""

    top: str
    cycles: int
    """Of erasing."""
    harmless: frozenset[str]
    """Counters, lengths and flags, which hold no word."""
    kept: frozenset[str] = frozenset()
    """What rtl/README.md says is kept."""
    parameters: str = ""
    """A command of Yosys."""
    quiet: str = ""
    """Inputs that say no word comes."""


def inside(core: str, *names: str) -> frozenset[str]:
    return frozenset(f"{core}{name}" for name in names)


SIZES = ("u_keys.u_expand.turn_q", "u_keys.u_expand.odd_q", "u_keys.u_expand.half_q")
ENTERING = inside("u_core.", *(f"entering_{stage}_q" for stage in range(2, 6)))
"""Stages through which the idle core of another design lets a word pass that is offered to it."""
LENGTHS = ("left_q", "rest_q", "whole_q", "more_q", "mic_last_q", "mic_half_q")
PACKET = inside("u_words.", *LENGTHS, "first_q", "header_last_q", "ok_o")
BLOCKS = inside("u_feed.", "blocks_q", "rest_q", "whole_q", "pad_q")
RAMS = [inside(f"{ram}.", "words", "data_o") for ram in ("u_plain", "u_chain", "u_key_stream")]
CCM_KEPT = inside("u_feed.", "front_q", "next_q").union(ENTERING, *RAMS)
FRAMES = inside("", "text_bytes_q", "data_bytes_q", "nonce_bytes_q", "mic_q", "left_q", "ends_q",
                "header_q", "header_last_q", "text_last_q", "text_keep_q", "last_q", "keep_q",
                "decrypt_q", "u_ccm.u_words.decrypt_q")  # fmt: skip
"""Sizes and marks of aes_ccm_axis."""
GCM_RAMS = [
    inside(f"{ram}.", "words", "data_o")
    for ram in ("u_stream", "u_ghash.u_blocks", "u_ghash.u_operand")
]
ERASINGS = [
    Erasing("aes32x2", 66, inside("", *SIZES)),
    Erasing(
        "aes32_axil",
        68,
        inside("u_core.", *SIZES) | inside("", "s_axi_bresp", "s_axi_rresp", "key_left_q"),
        quiet="{s_axi_awvalid, s_axi_wvalid, s_axi_arvalid} = 0;",
    ),
    Erasing(
        "aes_ctr",
        66,
        inside("u_core.", *SIZES),
        inside("", "counter_q", "u_waiting.words", "u_waiting.data_o") | ENTERING,
        parameters="chparam -set PAIRED 1 aes_ctr",
        quiet="counter_valid_i = 0;",
    ),
    Erasing(
        "aes_ccm",
        66,
        inside("u_core.", *SIZES) | inside("", "macs_q") | PACKET | BLOCKS,
        CCM_KEPT,
    ),
    Erasing(
        "aes_ccm_axis",
        66,
        inside("u_ccm.u_core.", *SIZES).union(
            inside("u_ccm.", "macs_q"), FRAMES, (f"u_ccm.{one}" for one in PACKET | BLOCKS)
        ),
        inside("u_ccm.", *CCM_KEPT),
        quiet="erase = 0;",
    ),
    Erasing(
        "aes_ctr_axis",
        66,
        inside("u_ctr.u_core.", *SIZES) | inside("", "pads_q", "keep_q"),
        inside("u_ctr.", "counter_q", "u_waiting.words", "u_waiting.data_o", *ENTERING),
        parameters="chparam -set PAIRED 1 aes_ctr_axis",
        quiet="erase = 0;",
    ),
    Erasing(
        "aes_gcm",
        66,
        inside("u_core.", *SIZES)
        | inside("u_words.", "ok_o", "decrypt_q", "whole_q", "rest_q")
        | inside("u_ghash.", "count_q", "length_q", "special_q"),
        inside("u_ghash.", "digits_q").union(*GCM_RAMS),
    ),
    Erasing(
        "aes32",
        128,
        inside("u_keys.", "bits_o", "rcon_q") | inside("", "decrypt_q", "next_decrypt_q"),
        inside("u_block.", "words", "data_o"),
        parameters='chparam -set SBOX "table" aes32',
    ),
]
NAMED_ERASE = {"aes32x2", "aes_ctr", "aes_ccm", "aes_gcm", "aes32"}
"""Cores whose port is erase_i: of others it is among all inputs."""
MODEL = "sbox_of_unknowns.v"
RESET = "forget; rst_ni = 0; tick; tick; rst_ni = 1;"


def remains(folder: Path, one: Erasing, start: str, fault: Fault | None = None) -> frozenset[str]:
    """Registers that depend on what was before, or is offered before the last 16 cycles.

    What was read in the last cycle of erasing is gone 6 cycles later.
    """
    files = copies(folder, one.top, fault).split()
    (folder / MODEL).write_bytes((PROOFS / MODEL).read_bytes())
    others = [name for name in files if not name.startswith(("aes32_sbox", "aes32_column_table"))]
    read = f"read_verilog {' '.join(others)} {MODEL}"
    script(folder, read, one.parameters, f"hierarchy -top {one.top}; {NETLIST}")
    rest = f"repeat ({one.cycles - 10}) tick; nothing; repeat (16) tick; look;"
    begin = "erase_i = 0;" if one.top in NAMED_ERASE else ""
    bench = f"anything; {one.quiet} {start} {rest}"
    return left(folder, one.top, begin, bench)


@pytest.mark.parametrize("one", slow_but(ERASINGS[:1], ERASINGS), ids=lambda one: one.top)
def test_a_reset_reaches_every_word(tmp_path: Path, one: Erasing) -> None:
    assert remains(tmp_path, one, RESET) == one.harmless | one.kept


LEFT: list[Fault] = [
    ("aes32x2_key_expand", "write_address_o != 6'h3f", "write_address_o != 6'h37"),
    ("aes32x2", "if (erasing) data_o <= 32'd0;", ""),
    ("aes32x2_column", "if (clear_i) column_q <= 32'd0;", ""),
    ("aes_ghash", "step_q[Wipe] && entry_q != 4'd15;", "step_q[Wipe] && entry_q != 4'd13;"),
    ("aes_ccm_axis", "    if (clear) word_q <= 32'd0;\n", ""),
    ("aes_ccm_axis", "if (padded || clear) carry_q", "if (padded) carry_q"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), slow_but(LEFT[:1], LEFT))
def test_a_word_that_is_left_is_found(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    top = {"aes_ghash": "aes_gcm", "aes_ccm_axis": "aes_ccm_axis"}.get(file, "aes32x2")
    one = next(one for one in ERASINGS if one.top == top)
    assert remains(tmp_path, one, RESET, (file, right, wrong)) > one.harmless | one.kept
