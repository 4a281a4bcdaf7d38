# SPDX-License-Identifier: MIT
"""What the proofs of the Verilog cores share: Debian's Yosys, its scripts, and what they answer.

Set-up brings this Yosys with the cell library; that of the silicon figures is another.
"""

import re
from functools import cache
from pathlib import Path
from typing import Literal

from aesfit.building.tools import Tool, program
from aesfit.hardware.simulate import modules
from aesfit.hardware.tools import RTL, iverilog, vvp
from rtl import BENCHES, planted

PROOFS = BENCHES / "proofs"
NETLIST = (
    "proc; flatten; opt_clean; memory -nomap; memory_map; opt -nodffe -nosdff; dffunmap; "
    "pmuxtree; opt_clean; write_verilog -noattr netlist.v"
)
"""Registers, RAM words among them, without enable or reset; all else is expressions.

So an unknown bit spreads to every bit that may depend on it: no `if` hides it.
"""
Fault = tuple[str, str, str]
"""File, what is right there, and what is planted."""


@cache
def system_yosys() -> Tool:
    """The system's Yosys."""
    return Tool("Yosys", "", (program("Yosys", "yosys", "yosys"),))


def copies(folder: Path, top: str, fault: Fault | None) -> str:
    """Names of copies of the files that a core of rtl/ needs; a fault is planted in one of them."""
    files = sorted({RTL / f"{top}.v", *modules(RTL / f"{top}.v"), *RTL.glob("*.vh")})
    assert fault is None or fault[0] in {path.stem for path in files}
    for path in files:
        text = planted(path, fault or ("", "", ""))
        (folder / path.name).write_text(text, encoding="utf-8")
    return " ".join(path.name for path in files if path.suffix == ".v")


def script(folder: Path, *commands: str) -> str:
    """What Yosys prints for a script, which it runs in the folder."""
    (folder / "script.ys").write_text("\n".join(commands) + "\n", encoding="utf-8")
    return system_yosys().run(["-s", "script.ys"], folder)


Shown = Literal["proved", "refuted", "open"]


def induction(folder: Path, top: str, harness: str, define: str, fault: Fault | None) -> Shown:
    """Whether k-induction shows that the assertions of a harness hold for ever.

    `refuted`: a run of at most 9 steps breaks one; `open`: neither is shown.
    RAM may give anything at any time, so the proof does not depend on what is in it.
    """
    files = copies(folder, top, fault)
    (folder / harness).write_bytes((PROOFS / harness).read_bytes())
    said = script(
        folder,
        f"read_verilog -sv -formal {define} {files} {harness}",
        f"hierarchy -top {Path(harness).stem}; proc; flatten; opt_clean; memory_collect",
        "cutpoint t:$mem*",
        "opt",
        "sat -tempinduct -prove-asserts -set-assumes -maxsteps 9",
    )
    if "Induction step proven: SUCCESS!" in said:
        return "proved"
    if "base case: FAIL!" in said:
        return "refuted"
    assert "-> proof failed" in said, said[-500:]
    return "open"


def left(folder: Path, top: str, set_up: str, bench: str) -> frozenset[str]:
    """Registers that hold an unknown bit at the end of a bench over a netlist; see NETLIST."""
    text = (folder / "netlist.v").read_text(encoding="utf-8")
    text = re.sub(r"\baclk\b", "clk_i", re.sub(r"\baresetn\b", "rst_ni", text))  # of aes32_axil
    (folder / "netlist.v").write_text(text, encoding="utf-8")
    registers = re.findall(r"^  reg (?:\[[\d:]+\] )?(\\\S+ |\w+);", text, re.MULTILINE)
    ports = re.findall(r"^  input (?:\[(\d+):0\] )?(\w+);", text, re.MULTILINE)
    fixed = {"clk_i", "rst_ni", "erase_i"}
    words = [name for _, name in ports if name not in fixed]
    lines = [
        f"module bench; {' '.join(f'reg [{high or 0}:0] {name};' for high, name in ports)}",
        f"{top} dut ({', '.join(f'.{name}({name})' for _, name in ports)});",
        "task tick; begin #5 clk_i = 1; #5 clk_i = 0; end endtask",
        f"task forget; begin {' '.join(_unknown(f'dut.{one}') for one in registers)} end endtask",
        f"task anything; begin {' '.join(map(_unknown, words))} end endtask",
        f"task nothing; begin {' '.join(f'{one} = 0;' for one in words)} end endtask",
        "task look; begin",
        *(f'if ((^dut.{one} ) === 1\'bx) $display("left {one.strip()}");' for one in registers),
        "end endtask",
        f"integer n; initial begin clk_i = 0; {set_up} {bench} $finish; end endmodule",
    ]
    (folder / "bench.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    iverilog().run(["-g2005", "-s", "bench", "-o", "bench.vvp", "netlist.v", "bench.v"], folder)
    said = vvp().run(["-n", "bench.vvp"], folder)
    return frozenset(_short(line) for line in said.splitlines() if line.startswith("left "))


def _unknown(name: str) -> str:
    return f"{name} = {{4096{{1'bx}}}};"


def _short(line: str) -> str:
    """A register's name without the blocks of `generate`; a RAM's words are one register."""
    name = line.removeprefix("left ").lstrip("\\")
    return re.sub(r"gen_\w+\.|\[\d+\]", "", name)
