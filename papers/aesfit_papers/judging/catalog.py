# SPDX-License-Identifier: MIT
"""Finds all experiments: every file of `papers/aesfit_papers/<paper>/`, without a register.

An experiment is named by its paper and its file: `transposed_table_2` is transposed/table_2.py.
"""

import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from aesfit.errors import unknown

from .contract import PAPERS, Experiment


def folder() -> Path:
    """The folder with a folder of experiments for each paper."""
    return Path(__file__).resolve().parents[1]


def results_path(name: str, compiler: str = "") -> Path:
    """The CSV of an experiment; another compiler has its own."""
    paper, _, file = name.partition("_")
    results = f"results_{compiler}" if compiler else "results"
    return folder() / paper / results / f"{file}.csv"


def _name(path: Path) -> str:
    return f"{path.parent.name}_{path.stem}"


def _module(path: Path) -> ModuleType:
    """Load the file as a module; code that files share is in `judging/`."""
    name = f"aesfit_experiments.{_name(path)}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


_NAMES = ("NUMBER", "TITLE", "COLUMNS", "FAST", "rows", "claims", "render")


@lru_cache
def _load(path: Path) -> Experiment:
    module = _module(path)
    for name in _NAMES:
        if not hasattr(module, name):
            raise ValueError(f"{path.name} is not an experiment: it has no {name}")
    return Experiment(
        name=_name(path),
        paper=PAPERS[path.parent.name],
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
    """Names of all experiments, without loading them."""
    if not folder().is_dir():
        raise ValueError(
            f"the experiments are not in {folder()}; bring them back with: "
            "pip install --force-reinstall ./papers"
        )
    found = (path for paper in PAPERS for path in (folder() / paper).glob("[a-z]*.py"))
    return sorted(map(_name, found))


@lru_cache
def experiments() -> Sequence[Experiment]:
    """All experiments, by paper in the order of the report, then by file name."""
    order = list(PAPERS)
    found = [experiment_named(name) for name in names()]
    return tuple(sorted(found, key=lambda one: (order.index(one.paper.key), one.name)))


def experiment_named(name: str) -> Experiment:
    """Load only the experiment of that name; ValueError names the nearest one."""
    if name not in names():
        raise unknown("experiment", name, names())
    paper, _, file = name.partition("_")
    return _load(folder() / paper / f"{file}.py")
