# SPDX-License-Identifier: MIT
"""Where a job's image lies in the memories of its platform."""

from dataclasses import replace
from string import Template

from ..jobs.job import Job, Placement
from ..platforms.memory import Memory
from ..store.files import beside

(_TEMPLATE,) = beside(__file__, "firmware/link.ld")
_VECTORS = 0x100
"""Bytes left free where a vector table would stand."""


def code_region(job: Job) -> Memory:
    """Where the image's code lies."""
    return job.platform.home("code")


def tables_region(job: Job) -> Memory:
    """Where the image's tables lie; without any it is the platform's own image in every case."""
    asked = job if table_names(job) else replace(job, placement=Placement())
    return job.platform.memory(asked.placed.tables or "flash")


def table_names(job: Job) -> tuple[str, ...]:
    """The core's tables, largest first, so that none needs padding."""
    sizes = {table.name: table.bytes for table in job.implementation.tables}
    return tuple(sorted(sizes, key=lambda name: (-sizes[name], name)))


def linker_script(job: Job) -> str:
    """The linker script of a job's image."""
    code, tables = code_region(job), tables_region(job)
    start = f"(ORIGIN({code.name}) + 0x{_VECTORS:x})"
    regions = (
        f"    {memory.name} (rwx) : ORIGIN = 0x{memory.start:08x}, LENGTH = 0x{memory.size:x}"
        for memory in job.platform.memories
    )
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        memories="\n".join(regions),
        tables_at=start if tables == code else "",
        code_at="" if tables == code else start,
        code_in=code.name,
        tables_in=tables.name,
        data_in=job.platform.home("data").name,
        table_sections=" ".join(f"*(.rodata.{name})" for name in table_names(job)),
    )
