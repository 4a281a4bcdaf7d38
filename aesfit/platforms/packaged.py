# SPDX-License-Identifier: MIT
"""Verilog of processors that Python packages bring: which of their files, in which configuration.

Both packages hold a processor's repository at one commit; see README.md and LICENSE in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from ..extras import missing


@dataclass(frozen=True)
class Packaged:
    """A processor in one configuration; files and folders are those below the package's own."""

    module: str
    """The Python package, as it is imported."""
    port: str
    """Our files of rigs/rtl/soc that connect it, by how their names begin."""
    first: tuple[str, ...]
    """Files to be read first, in this order: Verilog packages, and what files are not named by."""
    modules: tuple[str, ...]
    """Folders of files that are named by the modules in them."""
    includes: tuple[str, ...]
    """Folders of files that others include."""
    defines: tuple[str, ...]
    """Macros, with their values."""

    @property
    def folder(self) -> Path:
        """Where the package lies; ModuleNotFoundError where it is not installed."""
        spec = find_spec(self.module)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(self.module)
        return Path(spec.origin).parent / "system_verilog"

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that may take part, in the order of their names."""
        folders = {*self.modules, *self.includes}
        found = {self.folder / one for one in self.first}
        for one in folders:
            found |= {*(self.folder / one).glob("*.sv"), *(self.folder / one).glob("*.svh")}
        return tuple(sorted(found))


_PRIM, _GENERIC = (f"vendor/lowrisc_ip/ip/{one}/rtl" for one in ("prim", "prim_generic"))
_DV = "vendor/lowrisc_ip/dv/sv/dv_utils"
_PRIM_PACKAGES = ("cipher", "count", "ram_1p", "secded", "mubi", "util")
_IBEX = Packaged(
    module="pythondata_cpu_ibex",
    port="ibex",
    first=(*(f"{_PRIM}/prim_{one}_pkg.sv" for one in _PRIM_PACKAGES), "rtl/ibex_pkg.sv"),
    modules=(_PRIM, _GENERIC, "rtl"),
    includes=(_PRIM, _DV),
    defines=("SYNTHESIS", "RVFI"),  # no assertions; ports that say what retires
)


def _ibex(multiplier: str, stages: int, bits: str) -> Packaged:
    """Ibex with a multiplier, 2 or 3 stages, and bit manipulation."""
    chosen = (f"IBEX_RV32M={multiplier}", f"IBEX_THIRD_STAGE={stages - 2}", f"IBEX_RV32B={bits}")
    return replace(_IBEX, defines=(*_IBEX.defines, *chosen))


_CV32E40P = Packaged(
    module="pythondata_cpu_cv32e40p",
    port="cv32e40p",
    first=(
        *(f"rtl/include/cv32e40p_{one}pkg.sv" for one in ("apu_core_", "fpu_", "")),
        "bhv/cv32e40p_sim_clock_gate.sv",  # of this and the next the module has another name
        "rtl/cv32e40p_register_file_ff.sv",
    ),
    modules=("rtl",),
    includes=("rtl/include",),
    defines=(),
)

PACKAGED: Mapping[str, Packaged] = {
    # The names of ibex_configs.yaml in the package, and their values; those with "b" have the bit
    # manipulation of its maxperf-pmp-bmbalanced.
    "ibex_small": _ibex("RV32MFast", 2, "RV32BNone"),
    "ibex_maxperf": _ibex("RV32MSingleCycle", 3, "RV32BNone"),
    "ibex_small_b": _ibex("RV32MFast", 2, "RV32BBalanced"),
    "ibex_maxperf_b": _ibex("RV32MSingleCycle", 3, "RV32BBalanced"),
    "cv32e40p": _CV32E40P,
}
"""By the name that a platform file gives as `cpu`."""


def packaged_why_not(cpu: str) -> str | None:
    """None when the processor's Verilog is there; else how to get it."""
    one = PACKAGED.get(cpu)
    return missing(f"the Verilog of {cpu}", (one.module,)) if one else None
