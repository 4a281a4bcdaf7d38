# SPDX-License-Identifier: MIT
"""Commands for the bench of aes32_axil, which tools/bench_axil.py makes."""

from rtl import AXIL

MAP, SOURCE, RESET, LANES = AXIL.MAP, AXIL.SOURCE, AXIL.RESET, AXIL.LANES
AT: dict[str, int] = AXIL.AT
MASK: dict[str, int] = AXIL.MASK
DECODE_ERROR, SLAVE_ERROR = AXIL.DECODE_ERROR, AXIL.SLAVE_ERROR
ALL_STALLS: int = AXIL.ALL_STALLS
NOTHING_LEFT: list[str] = AXIL.NOTHING_LEFT
write, read, until_none, words = AXIL.write, AXIL.read, AXIL.until_none, AXIL.words
control, status, identity = AXIL.control, AXIL.status, AXIL.identity
load, send, receive, exchange = AXIL.load, AXIL.send, AXIL.receive, AXIL.exchange
counts, refusals, in_work = AXIL.counts, AXIL.refusals, AXIL.in_work
key_behind_a_word, results_pile_up = AXIL.key_behind_a_word, AXIL.results_pile_up
half_a_key, erased, interrupts = AXIL.half_a_key, AXIL.erased, AXIL.interrupts
