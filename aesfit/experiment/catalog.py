# SPDX-License-Identifier: MIT
"""The experiments there are: every file of the folder `experiments/`, without a register."""

import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ..errors import unknown
from .contract import PAPERS, Experiment


def folder() -> Path:
    """Where the files are: beside the package in a checkout, inside it once installed."""
    package = Path(__file__).resolve().parents[1]
    beside = package.parent / "experiments"
    return beside if beside.is_dir() else package / "data" / "experiments"


def results_path(name: str) -> Path:
    """The CSV of an experiment."""
    return folder() / "results" / f"{name}.csv"


def _module(path: Path) -> ModuleType:
    """The file as a module; what several files share stands in `aesfit/experiment/`."""
    name = f"aesfit_experiments.{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


_NAMES = ("PAPER", "NUMBER", "TITLE", "COLUMNS", "FAST", "rows", "claims", "render")


@lru_cache
def _load(path: Path) -> Experiment:
    module = _module(path)
    for name in _NAMES:
        if not hasattr(module, name):
            raise ValueError(f"{path.name} is no experiment: it has no {name}")
    return Experiment(
        name=path.stem,
        paper=PAPERS[module.PAPER],
        number=module.NUMBER,
        title=module.TITLE,
        text=(module.__doc__ or "").strip(),
        columns=module.COLUMNS,
        fast=module.FAST,
        rows=module.rows,
        claims=module.claims,
        render=module.render,
    )


def names() -> list[str]:
    """Of all experiments, without loading them."""
    if not folder().is_dir():
        raise ValueError(
            f"the experiments are not in {folder()}; bring them back with: "
            "pip install --force-reinstall aesfit"
        )
    return sorted(path.stem for path in folder().glob("[a-z]*.py"))


@lru_cache
def experiments() -> Sequence[Experiment]:
    """All, paper by paper in the order of the report, then by file name."""
    order = list(PAPERS)
    found = [experiment_named(name) for name in names()]
    return tuple(sorted(found, key=lambda one: (order.index(one.paper.key), one.name)))


def experiment_named(name: str) -> Experiment:
    """The experiment of that name, without the others; ValueError names the nearest one."""
    if name not in names():
        raise unknown("experiment", name, names())
    return _load(folder() / f"{name}.py")
