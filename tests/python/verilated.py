# SPDX-License-Identifier: MIT
"""Verilator's benches of the quick tests as one program.

Verilator's own library and headers are most of what is compiled for a bench, and here they are
compiled once.
"""

import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from made_once import made_once, tool_line
from places import ROOT

from aesfit.building.tools import Tool, alone, verilator
from aesfit.hardware.simulate import Bench, literal
from aesfit.hardware.simulate import verilated as verilated_alone
from aesfit.hardware.tools import RTL
from aesfit.store.contents import cache_folder, make_folder

_BENCHES = ROOT / "tests" / "rtl"
TOGETHER = [
    Bench(top, _BENCHES / f"{top}.v", parameters)
    for top, parameters in (
        ("aes32_paper_tb", {}),
        ("aes32_tb", {}),
        ("aes32_tb", {"KEY_EXPANSION": 0}),
        ("aes32x2_tb", {"KEY_EXPANSION": 0}),
        ("aes32x2_tb", {"KEY_EXPANSION": 1}),
        ("aes32_parallel_tb", {"CORES": 3}),
        ("aes_ccm_tb", {}),
        ("aes_ctr_tb", {"CORES": 2}),
        ("aes_ctr_tb", {"PAIRED": 1}),
    )
]
_VERILATE = ("--cc", "--timing", "-O3", "-Wno-fatal", "-Wno-lint", f"-I{RTL}")
_LIBRARY = ("verilated.cpp", "verilated_timing.cpp", "verilated_threads.cpp")
_COMPILE = (
    *("-std=c++20", "-fcoroutines", "-O1", "-pthread"),
    *("-DVERILATOR=1", "-DVL_TIME_CONTEXT", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=1"),
    *("-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0"),
)
"""Macros: what Verilator's makefile says of a simulation with time and without traces."""
_MAIN = """
template <class Model> int simulate(int argc, char **argv)
{
    const std::unique_ptr<VerilatedContext> context{new VerilatedContext};
    context->threads(1);
    context->commandArgs(argc, argv);
    const std::unique_ptr<Model> model{new Model{context.get(), ""}};
    while (!context->gotFinish()) {
        model->eval();
        if (!model->eventsPending()) break;
        context->time(model->nextTimeSlot());
    }
    model->final();
    return 0;
}

int main(int argc, char **argv)
{
    const std::string asked{argc > 1 ? argv[1] : ""};
"""
"""As Verilator's own; the first argument says which model."""


def verilated(bench: Bench) -> Tool:
    """The bench as a program made by Verilator; plusargs are its arguments."""
    if bench not in TOGETHER:
        return verilated_alone(bench)
    program = _program(TOGETHER)
    return Tool(bench.top, verilator().version, (str(program), _prefix(TOGETHER.index(bench))))


def _prefix(number: int) -> str:
    return f"Model{number}"


def _settings(bench: Bench) -> list[str]:
    given = (f"-G{name}={literal(value)}" for name, value in bench.parameters.items())
    return ["--top-module", bench.top, *given]


def _program(benches: Sequence[Bench]) -> Path:
    """Of all the benches; workers that want it at once wait for the first of them."""
    own = Path(__file__).read_text(encoding="utf-8"), verilator().version, tool_line("g++")
    files = {path for bench in benches for path in (*bench.files(), *RTL.glob("*.vh"))}
    read = [sha256(path.read_bytes()).hexdigest() for path in sorted(files)]
    asked = [_settings(bench) for bench in benches]
    locks = cache_folder() / "locks"
    make_folder(locks)
    with alone(locks / "verilated-benches"):
        return made_once(".exe", lambda target: _make(benches, target), *own, read, asked)


def _make(benches: Sequence[Bench], target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        for number, bench in enumerate(benches):
            model = ["--prefix", _prefix(number), *_settings(bench)]
            verilator().run([*_VERILATE, "--Mdir", folder, *model, *bench.files()])
        whole = folder / "whole.cc"
        whole.write_text(_whole(folder, len(benches)), encoding="utf-8")
        include = Path(verilator().environment["VERILATOR_ROOT"]) / "include"
        paths = [f"-I{path}" for path in (folder, include, include / "vltstd")]
        Tool("g++", "", ("g++", *_COMPILE, *paths)).run([whole, "-o", target])


def _whole(folder: Path, models: int) -> str:
    """All that is compiled: the library, the models, and the function that picks one.

    The macro guards against several models, each with a header that might be precompiled.
    """
    made = sorted(path.name for path in folder.glob("Model*.cpp"))
    lines = [f'#undef VL_PCH_INCLUDED\n#include "{name}"' for name in (*_LIBRARY, *made)]
    picks = [
        f'    if (asked == "{name}") return simulate<{name}>(argc, argv);'
        for name in map(_prefix, range(models))
    ]
    return "\n".join([*lines, _MAIN, *picks, "    return 2;", "}", ""])
