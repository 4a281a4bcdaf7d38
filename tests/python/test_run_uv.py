# SPDX-License-Identifier: MIT
"""tools/run_uv.py: uv installs from where pip would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

TOOL = ROOT / "tools" / "run_uv.py"
CONFIGURATION = """
[global]
index-url = https://covered.example/simple
[install]
index-url = https://first.example/simple
extra-index-url =
    https://second.example/simple
    https://third.example/simple
trusted-host = first.example
timeout = 7
no-index = false
find-links =
    {folder}
    {folder}/missing
    https://links.example/
"""


def variables(folder: Path, **environment: str) -> dict[str, str]:
    """The environment that uv is run with; a program that prints it stands in for uv."""
    home = folder / "home"
    (home / ".config" / "pip").mkdir(parents=True)
    (home / ".config" / "pip" / "pip.conf").write_text(CONFIGURATION.format(folder=folder))
    (python := folder / "python").symlink_to(sys.executable)
    (uv := folder / "uv").write_text("#!/bin/sh\nenv -0\n")
    uv.chmod(0o755)
    said = subprocess.run(
        [python, TOOL, "pip", "install"], capture_output=True, check=True,
        env={"HOME": str(home), "PATH": os.environ["PATH"],
             "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    ).stdout.decode()  # fmt: skip
    return dict(line.partition("=")[::2] for line in said.split("\0") if line)


def test_what_pip_is_told_in_files_reaches_uv(tmp_path: Path) -> None:
    told = variables(tmp_path)
    assert told["UV_DEFAULT_INDEX"] == "https://first.example/simple"
    assert told["UV_INDEX"] == "https://second.example/simple https://third.example/simple"
    assert told["UV_FIND_LINKS"] == f"{tmp_path},https://links.example/"
    assert told["UV_INSECURE_HOST"] == "first.example"
    assert told["UV_HTTP_TIMEOUT"] == "7"
    assert told["UV_NO_INDEX"] == "false"
    assert told["UV_INDEX_STRATEGY"] == "unsafe-best-match"


@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("PIP_INDEX_URL", "UV_DEFAULT_INDEX"),
        ("UV_DEFAULT_INDEX", "UV_DEFAULT_INDEX"),
        ("PIP_CERT", "SSL_CERT_FILE"),
    ],
)
def test_variables_count_more_than_files(tmp_path: Path, variable: str, name: str) -> None:
    assert variables(tmp_path, **{variable: "https://own.example"})[name] == "https://own.example"
