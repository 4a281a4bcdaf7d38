# SPDX-License-Identifier: MIT
"""Python packages that are there on demand: what brings them, and how to get it."""

import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path


def _pip() -> str:
    """The pip of the running Python: by its bare name where the shell would find that one."""
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return "pip"
    return f"{shlex.quote(sys.executable)} -m pip"


INSTALL = f"{_pip()} install 'aesfit[rig]'"
_DISTRIBUTIONS = {
    "PIL": ("pillow", "image"),
    "capstone": ("capstone", "rig"),
    "distributed": ("distributed", "sweep"),
    "elftools": ("pyelftools", "rig"),
    "fastapi": ("fastapi", "web"),
    "matplotlib": ("matplotlib", "plot"),
    "pyarrow": ("pyarrow", "sweep"),
    "pypcode": ("pypcode", "prove"),
    "pythondata_cpu_cv32e40p": ("pythondata-cpu-cv32e40p", "processors"),
    "pythondata_cpu_ibex": ("pythondata-cpu-ibex", "processors"),
    "unicorn": ("unicorn", "rig"),
    "uvicorn": ("uvicorn", "web"),
}
"""Names to import, what brings them, and the extra of aesfit that asks for it."""

EMULATOR = ("capstone", "elftools", "unicorn")
SIZES = ("elftools",)
PROOFS = ("capstone", "elftools", "pypcode")
PLOTS = ("matplotlib",)
PICTURES = ("PIL",)
PARQUET = ("pyarrow",)
CLUSTER = ("distributed",)
PAGE = ("fastapi", "uvicorn")


def missing(what: str, modules: tuple[str, ...]) -> str | None:
    """None when the modules are there; else that `what` needs them, and how to get them."""
    lacking = [_DISTRIBUTIONS[name] for name in modules if find_spec(name) is None]
    if not lacking:
        return None
    packages = f"package{'s' if len(lacking) > 1 else ''} {', '.join(name for name, _ in lacking)}"
    extras = ",".join(dict.fromkeys(extra for _, extra in lacking))
    return f"{what} needs the Python {packages}; install with: {_pip()} install 'aesfit[{extras}]'"
