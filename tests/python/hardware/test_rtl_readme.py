# SPDX-License-Identifier: MIT
"""What rtl/README.md offers to be pasted: every port and parameter is there, and lint is silent."""

import re
from pathlib import Path

import pytest

from aesfit.building.tools import ToolFailedError, verilator
from aesfit.hardware.tools import RTL

README = (RTL / "README.md").read_text(encoding="utf-8")
_TEMPLATE = re.compile(
    r"^<!-- template: (\w+) -->\n```verilog\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
TEMPLATES: dict[str, str] = dict(_TEMPLATE.findall(README))
TOPS = {
    *("aes32_paper", "aes128_paper", "aes32", "aes32x2", "aes32_parallel"),
    *("aes_ctr", "aes_ctr_axis", "aes_ccm", "aes_ccm_axis", "aes_gcm", "aes_gcm_axis"),
    "aes32_axil",
}


def header(top: str) -> str:
    """The declaration of a module's parameters and ports."""
    text = (RTL / f"{top}.v").read_text(encoding="utf-8")
    return re.split(r"^module ", text, maxsplit=1, flags=re.MULTILINE)[1].split(");")[0]


def ports(top: str) -> dict[str, str]:
    """Direction and width of each port."""
    declared = re.findall(
        r"^ +(input|output) +(?:wire|reg) +(\[.*?\])? *(\w+),?$", header(top), re.MULTILINE
    )
    return {name: f"{way} wire {width}" for way, width, name in declared}


def lint(folder: Path, top: str, template: str) -> None:
    """The template in a module whose ports are the signals that it names."""
    directions = ports(top)
    found = dict(re.findall(r"\.(\w+) *\((\w+)\)", template))
    assert set(found) >= set(directions)
    declared = ",\n".join(f"{directions[port]} {found[port]}" for port in directions)
    user = folder / "user.v"
    user.write_text(
        f"`default_nettype none\nmodule user (\n{declared}\n);\n{template}\nendmodule\n"
    )
    options = ["--lint-only", "-Wall", "--default-language", "1364-2005"]
    verilator().run([*options, f"-I{RTL}", "-y", RTL, "--top-module", "user", user])


@pytest.mark.parametrize("top", sorted(TOPS))
def test_templates_are_whole_and_free_of_lint(tmp_path: Path, top: str) -> None:
    template = TEMPLATES[top]
    parameters = re.findall(
        r"^ +parameter (?:\[.*?\] )?(\w+) += (.*?),?$", header(top), re.MULTILINE
    )
    for name, value in parameters:
        assert re.search(rf"\.{name} *\({value}\)", template), f"{name}: the default is {value}"
    assert len(re.findall(r"\.\w+", template)) == len(ports(top)) + len(parameters)
    lint(tmp_path, top, template)


def test_a_template_with_a_port_that_is_none_is_found(tmp_path: Path) -> None:
    template = TEMPLATES["aes32"].replace(".erase_i ", ".erases_i ")
    with pytest.raises(AssertionError):
        lint(tmp_path, "aes32", template)
    template = TEMPLATES["aes32"].replace("(erase)", "(erase), .more_i(erase)")
    with pytest.raises(ToolFailedError, match="more_i"):
        lint(tmp_path, "aes32", template)


def test_every_module_is_named() -> None:
    for path in RTL.glob("*.v"):
        assert f"`{path.stem}`" in README, path.name


def test_every_parameter_of_a_core_is_explained() -> None:
    for top in TOPS:
        for name in re.findall(r"^ +parameter (?:\[.*?\] )?(\w+) +=", header(top), re.MULTILINE):
            assert f"`{name}`" in README or f"{name} cores" in README, (top, name)
