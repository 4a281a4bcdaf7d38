# SPDX-License-Identifier: MIT
"""The package of the papers: what its wheel holds, and how aesfit finds its verbs."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from places import ROOT
from test_structure import tracked

BUILD = "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1])"


def test_the_wheel_holds_code_and_results_and_leads_to_the_verbs(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT / "papers", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
        (entries,) = (name for name in held if name.endswith("/entry_points.txt"))
        found = archive.read(entries).decode()
    assert found.split() == ["[aesfit.verbs]", "papers", "=", "aesfit_papers.cli:app"]
    folder = ROOT / "papers"
    files = {str(path.relative_to(folder)) for path in tracked() if folder in path.parents}
    code = {name for name in files if name.startswith("aesfit_papers/")}
    assert {name for name in held if ".dist-info/" not in name} == code
    assert "aesfit_papers/cache/results/table_1.csv" in held
