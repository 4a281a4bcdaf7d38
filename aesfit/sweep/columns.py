# SPDX-License-Identifier: MIT
"""The columns of a table of a sweep, in their order.  Every column but the first may be null."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "whole", "number", "flag"]


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str
    kind: Kind
    unit: str
    """Empty where there is none."""
    meaning: str


COLUMNS = (
    Column("key", "text", "", "digest of the design: of all columns up to `family`"),
    Column("method", "text", "", "`measured`, `model`, `simulated` or `synthesised`"),
    Column("platform", "text", "", "name of the platform; of hardware the FPGA family"),
    Column("core", "text", "", "AES implementation; of hardware the design"),
    Column("key_bits", "whole", "bits", "of the AES key"),
    Column("op", "text", "", "operation, as `aesfit measure` names them"),
    Column("mode", "text", "", "mode of operation; null: the block cipher alone"),
    Column("bytes", "whole", "bytes", "payload of one message; null without a mode"),
    Column(
        "flags", "text", "", "optimisation flags of the compiler; null where nothing is compiled"
    ),
    Column("ghash", "text", "", "GHASH multiplier; null but for GCM"),
    Column("cache_bytes", "whole", "bytes", "size of the data cache"),
    Column("line_bytes", "whole", "bytes", "line of the data cache"),
    Column("ways", "whole", "", "of the data cache"),
    Column("replacement", "text", "", "`lru`, `fifo` or `random`"),
    Column("write_allocate", "flag", "", "a store that misses fills its line"),
    Column("miss_base", "number", "cycles", "of a miss, whatever the line"),
    Column("miss_per_byte", "number", "cycles", "of a miss, for each byte of a line"),
    Column("critical_word_first", "flag", "", "only `miss_base` stalls the first access"),
    Column("calls", "whole", "", "operations of one burst"),
    Column("evicted", "number", "share", "of the cache that others take between bursts, 0 to 1"),
    Column("family", "text", "", "FPGA family that is to carry it; null elsewhere"),
    Column("cycles", "number", "cycles", "of one operation; on bursts the average over its calls"),
    Column("cycles_per_byte", "number", "cycles", "`cycles` over the payload of one operation"),
    Column("burst_cycles", "number", "cycles", "of the whole burst, overhead and stalls included"),
    Column("stall_cycles", "number", "cycles", "of the burst, lost to misses"),
    Column("instructions", "whole", "", "of one operation"),
    Column("flash", "whole", "bytes", "code, constants and tables"),
    Column("ram", "whole", "bytes", "context and stack, and tables where they are placed there"),
    Column("code_bytes", "whole", "bytes", "code and constants without tables"),
    Column("table_bytes", "whole", "bytes", "lookup tables"),
    Column("context_bytes", "whole", "bytes", "expanded key, or the mode's key"),
    Column("stack_bytes", "whole", "bytes", "deepest stack"),
    Column("constant_time", "text", "", "`always`, `here` or `no`, without regard to the cache"),
    Column("clock", "number", "MHz", "of the platform; of hardware `max_clock`"),
    Column("time", "number", "us", "`cycles` at `clock`"),
    Column("energy", "number", "uJ", "`cycles` by the energy a cycle of the platform file"),
    Column("luts", "whole", "", "hardware and soft CPUs alone: lookup tables of an FPGA"),
    Column("flip_flops", "whole", "", "likewise"),
    Column("block_ram_bits", "whole", "bits", "likewise: of the RAM blocks taken"),
    Column("max_clock", "number", "MHz", "hardware alone: clock that place and route reached"),
    Column("version", "text", "", "of aesfit"),
    Column("sources_sha256", "text", "", "of the library's sources and the harness compiled"),
    Column("platform_sha256", "text", "", "of the platform file"),
    Column("compiler", "text", "", "first line of its `--version`"),
    Column(
        "inputs_sha256", "text", "", "of all that a row hangs on; compared when a sweep goes on"
    ),
    Column("error", "text", "", "why there are no figures; null where there are"),
)
NAMES = tuple(column.name for column in COLUMNS)
