# SPDX-License-Identifier: MIT
"""The columns of a table of a sweep, in their order.  Every column but the first may be null."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "whole", "number", "flag"]


@dataclass(frozen=True)
class SweepColumn:
    """One column."""

    name: str
    kind: Kind
    unit: str
    """Unit; empty if it has none."""
    meaning: str


COLUMNS = (
    SweepColumn("key", "text", "", "digest of the design: of all columns up to `family`"),
    SweepColumn("method", "text", "", "`measured`, `model`, `simulated` or `synthesised`"),
    SweepColumn("platform", "text", "", "name of the platform; of hardware the FPGA family"),
    SweepColumn("core", "text", "", "AES implementation; of hardware the design"),
    SweepColumn("key_bits", "whole", "bits", "size of the AES key"),
    SweepColumn("op", "text", "", "operation, as `aesfit measure` names them"),
    SweepColumn("mode", "text", "", "mode of operation; null: the block cipher alone"),
    SweepColumn("bytes", "whole", "bytes", "payload of one message; null without a mode"),
    SweepColumn(
        "flags", "text", "", "optimisation flags of the compiler; null if nothing is compiled"
    ),
    SweepColumn("ghash", "text", "", "GHASH multiplier; null except for GCM"),
    SweepColumn("cache_bytes", "whole", "bytes", "size of the data cache"),
    SweepColumn("line_bytes", "whole", "bytes", "line size of the data cache"),
    SweepColumn("ways", "whole", "", "associativity of the data cache"),
    SweepColumn("replacement", "text", "", "`lru`, `fifo` or `random`"),
    SweepColumn("write_allocate", "flag", "", "whether a store that misses allocates its line"),
    SweepColumn("miss_base", "number", "cycles", "penalty of a miss, independent of the line size"),
    SweepColumn("miss_per_byte", "number", "cycles", "penalty of a miss for each byte of a line"),
    SweepColumn(
        "critical_word_first", "flag", "", "whether only `miss_base` stalls the first access"
    ),
    SweepColumn("calls", "whole", "", "operations of one burst"),
    SweepColumn(
        "evicted", "number", "share", "fraction of cache lines evicted between bursts, 0 to 1"
    ),
    SweepColumn("family", "text", "", "FPGA family of hardware and soft CPUs; null elsewhere"),
    SweepColumn(
        "cycles", "number", "cycles", "of one operation; on bursts the average over its calls"
    ),
    SweepColumn(
        "cycles_per_byte", "number", "cycles", "`cycles` over the payload of one operation"
    ),
    SweepColumn(
        "burst_cycles", "number", "cycles", "of the whole burst, including overhead and stalls"
    ),
    SweepColumn("stall_cycles", "number", "cycles", "of the burst, spent on misses"),
    SweepColumn("instructions", "whole", "", "of one operation"),
    SweepColumn("flash", "whole", "bytes", "code, constants and tables"),
    SweepColumn("ram", "whole", "bytes", "context and stack, and tables if they are placed there"),
    SweepColumn("code_bytes", "whole", "bytes", "code and constants without tables"),
    SweepColumn("table_bytes", "whole", "bytes", "lookup tables"),
    SweepColumn("context_bytes", "whole", "bytes", "expanded key, or the mode's key"),
    SweepColumn("stack_bytes", "whole", "bytes", "deepest stack"),
    SweepColumn(
        "timing",
        "text",
        "",
        "`independent`, `independent here` or `depends on the key`, without regard to the cache",
    ),
    SweepColumn(
        "evidence", "text", "", "of independence: `proved`, the runs that agree, or null for none"
    ),
    SweepColumn(
        "clock",
        "number",
        "MHz",
        "of the platform, null for a processor alone; of hardware `max_clock`",
    ),
    SweepColumn("time", "number", "us", "`cycles` at `clock`"),
    SweepColumn(
        "energy",
        "number",
        "uJ",
        "`cycles` by the energy of one, from the data sheet's current at `clock`; null where it "
        "gives none",
    ),
    SweepColumn("luts", "whole", "", "hardware and soft CPUs alone: lookup tables of an FPGA"),
    SweepColumn("flip_flops", "whole", "", "likewise"),
    SweepColumn("block_ram_bits", "whole", "bits", "likewise: size of the RAM blocks used"),
    SweepColumn("max_clock", "number", "MHz", "hardware alone: clock after place and route"),
    SweepColumn("version", "text", "", "of aesfit"),
    SweepColumn("sources_sha256", "text", "", "of the library's sources and the harness compiled"),
    SweepColumn("platform_sha256", "text", "", "of the platform file"),
    SweepColumn("compiler", "text", "", "first line of its `--version`"),
    SweepColumn(
        "inputs_sha256",
        "text",
        "",
        "of everything that a row depends on; compared when a sweep continues",
    ),
    SweepColumn("error", "text", "", "why there are no figures; null if there are"),
)
NAMES = tuple(column.name for column in COLUMNS)
