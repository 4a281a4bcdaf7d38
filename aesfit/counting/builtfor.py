# SPDX-License-Identifier: MIT
"""Finds the processor that an ARM object was built for, if the object says so."""

import re

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection

from ..platforms.platform import Platform

Attributes = dict[str, int | str]

_FPV5 = (7, 8)
"""Tag_FP_arch of the floating-point units of Cortex-M7 and M33 (ABI addenda IHI 0045, section
3.3.5.2); Cortex-M4 has FPv4."""
_PRODUCER = re.compile(rb"-mcpu=([\w-]+)")


def attributes(elf: ELFFile) -> Attributes | None:
    """The build attributes of an ARM file; None if it has none."""
    section = elf.get_section_by_name(".ARM.attributes")
    if not isinstance(section, ARMAttributesSection):
        return None
    return {
        attribute.tag: attribute.value
        for part in section.iter_subsections()
        for piece in part.iter_subsubsections()
        for attribute in piece.iter_attributes()
    }


def other_processor(elf: ELFFile, platform: Platform) -> str:
    """The processor that a file was built for if it is another one; empty if nothing says so.

    Clang writes the processor into the attributes.  GCC writes only the architecture there, but its
    options are in the debug information.
    """
    found = attributes(elf)
    if found is None:
        return ""
    named = _named(str(found.get("TAG_CPU_NAME", ""))) or _compiled_for(elf)
    own = {one.partition("=")[2] for one in platform.compiler.target if one.startswith("-mcpu=")}
    if named and not named & (own | {platform.name}):
        return " and ".join(sorted(named))
    if found.get("TAG_FP_ARCH") in _FPV5 and own & {"cortex-m3", "cortex-m4"}:
        return "a processor with the floating-point unit FPv5, such as Cortex-M7 or Cortex-M33"
    return ""


def _named(text: str) -> set[str]:
    """Whether the name is an architecture's, which GCC writes in place of the processor's."""
    name = text.lower()
    return {name} if name.startswith(("cortex-", "arm")) else set()


def _compiled_for(elf: ELFFile) -> set[str]:
    strings = elf.get_section_by_name(".debug_str")
    return {one.decode() for one in _PRODUCER.findall(strings.data())} if strings else set()
