# SPDX-License-Identifier: MIT
"""Keys cover all that a result depends on: the import closure, what is compiled in, the tools."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import fakes
import pytest

from aesfit import _native
from aesfit.building import build
from aesfit.catalog import MODES, core_named
from aesfit.jobs.job import Job
from aesfit.measuring import bursts
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of
from aesfit.rigs.hexagon import rig as vliw
from aesfit.rigs.host import child as host_child
from aesfit.store import closure, files, parsed
from aesfit.store.imports import UnreadableSourceError, read_source

PACKAGE = closure.PACKAGE
FOLDERS = (
    "building/firmware",
    *(
        f"rigs/{name}"
        for name in ("emulator/timing", "emulator/tracer", "hexagon", "host", "rtl/soc")
    ),
)
"""Those beside measured code that hold more than Python."""
EVIDENCE = {
    *("arm7tdmi.json", "cortex_m0.json", "cortex_m3.json", "cortex_m33.json", "cortex_m4.json"),
    *("cortex_m7.json", "hazard3.json"),
    *("cv32e40p.json", "ibex_maxperf.json", "ibex_small.json"),
    *("ibex_maxperf_b.json", "ibex_small_b.json"),
    *("picorv32.json", "qingke_v2.json", "sifive_e31.json", "vexriscv.json"),
}
"""Records of comparisons (rigs/emulator/evidence.py), on which no row depends."""


def job_on(platform: str, mode: str | None = "ccm") -> Job:
    op = "message" if mode else "encrypt-block"
    return Job(platform_named(platform), "ttable1", 128, op, mode, 64 if mode else None)


JOBS: dict[str, Callable[[], Job]] = {
    "emulator": lambda: job_on("cortex-m3"),
    "behind caches": lambda: job_on("arm920t"),
    "vliw": lambda: job_on("hexagon"),
    "rtl": lambda: job_on("vexriscv-cached"),
    "host": lambda: job_on("x86-64"),
    "i686": lambda: job_on("i686"),
    "fake": fakes.job,
}


@pytest.fixture(autouse=True)
def _files_as_they_are() -> Iterator[None]:
    closure.forget()
    yield
    closure.forget()


class Reader:
    """Takes the place of files.content(): notes what is read, and changes one file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.changed: Path | None = None
        self._names: dict[Path, set[Path]] = {}
        """By where a file lies: the names that it was read by."""
        self._content = files.content
        monkeypatch.setattr(files, "content", self)

    @property
    def read(self) -> set[Path]:
        return set(self._names)

    def __call__(self, path: Path) -> bytes:
        place = path.resolve()
        self._names.setdefault(place, set()).add(path)
        data = self._content(path)
        return data + b"\n" if place == self.changed else data

    def key(self, job: Job, changed: Path | None = None) -> str:
        """The key of a job with one file changed; only what changes is read again."""
        moved = (path for path in (self.changed, changed) if path)
        self.changed = changed
        closure.forget([name for path in moved for name in self._names[path]])
        return rig_of(job.platform).key(job)

    def taking_part(self, job: Job) -> set[Path]:
        """Files that are read for its key when none is known."""
        self._names.clear()
        closure.forget()
        self.key(job)
        return self.read


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


@pytest.mark.parametrize("name", JOBS)
def test_each_file_of_a_closure_is_in_the_key(name: str, reader: Reader, slow: bool) -> None:
    """Without --slow, of those that rigs before it read too only every eighth."""
    before = list(JOBS)[: list(JOBS).index(name)]
    common = {path for one in before for path in reader.taking_part(JOBS[one]())}
    job = JOBS[name]()
    taking_part = reader.taking_part(job)
    unchanged = reader.key(job)
    assert {path.suffix for path in taking_part} >= ({".py"} if name == "fake" else {".py", ".c"})
    shared = sorted(taking_part & common)
    changed = [*(taking_part - common), *(shared if slow else shared[::8])]
    assert changed
    unmoved = [path for path in changed if reader.key(job, path) == unchanged]
    assert {path.name for path in unmoved} <= {"__init__.py"}  # read for the names it passes on
    assert reader.key(job) == unchanged


def test_every_file_beside_the_rigs_takes_part_somewhere(reader: Reader) -> None:
    for make in JOBS.values():
        reader.key(make())
    for mode in MODES:
        reader.key(replace(job_on("cortex-m3", mode), op="encrypt"))
    reader.key(replace(job_on("cortex-m3", None), op="encrypt-burst"))
    there = {
        path
        for folder in FOLDERS
        for path in (PACKAGE / folder).iterdir()
        if path.is_file() and path.suffix not in (".py", ".so")
    }
    left = {path.name for path in there - reader.read}
    assert left == EVIDENCE


_MEASURE = """
import sys
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of
job = Job(platform_named(sys.argv[1]), "ttable1", 128, "message", "ccm", 64)
rig_of(job.platform).measure([job], lambda done, total: None)
for name, module in sys.modules.items():
    if name.startswith("aesfit") and module.__file__.endswith(".py"):
        print(module.__file__)
"""


COMPILES_VERILOG = pytest.param("rtl", marks=pytest.mark.slow)


@pytest.mark.parametrize("name", ["emulator", "behind caches", COMPILES_VERILOG, "i686", "vliw"])
def test_what_a_rig_loads_is_in_its_closure(name: str, reader: Reader) -> None:
    """Those __init__.py are left out that Python runs for the modules below them."""
    job = JOBS[name]()
    reader.key(job)
    command = [sys.executable, "-c", _MEASURE, job.platform.name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {Path(line).resolve() for line in done.stdout.splitlines()}
    assert len(loaded) > 20
    assert {path for path in loaded if path.name != "__init__.py"} <= reader.read


def test_an_edit_of_a_verb_or_a_page_empties_no_store(reader: Reader) -> None:
    for make in JOBS.values():
        reader.key(make())
    inside = {path.relative_to(PACKAGE).parts[0] for path in reader.read if PACKAGE in path.parents}
    assert not inside & {
        "cli",
        "web",
        "report",
        "emitting",
        "sweep",
        "pictures",
        "choosing",
    }


def test_tools_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(name: str) -> str:
        closure.forget()
        job = JOBS[name]()
        return rig_of(job.platform).key(job)

    def changes(name: str, module: object, function: str) -> bool:
        before = key(name)
        with monkeypatch.context() as patch:
            patch.setattr(module, function, lambda *_: "another version")
            return key(name) != before

    assert changes("emulator", build, "compiler_line")
    assert changes("emulator", build, "_linker_line")
    assert changes("emulator", closure, "package_version")
    assert changes("vliw", vliw, "_qemu")
    assert changes("behind caches", closure, "extension_sha256")
    assert "unicorn" in closure.closure("aesfit.rigs.emulator.rig").packages
    assert closure.package_version("unicorn") != "none"
    assert host_child.valgrind_version().startswith("valgrind")


def test_every_package_of_a_closure_has_a_version() -> None:
    modules = (
        "aesfit.rigs.emulator.rig",
        "aesfit.rigs.rtl.rig",
        "aesfit.cachemodel.validation.samples",
        "aesfit.sweep.run",
    )
    packages = closure.closure(*modules).packages
    assert {name for name in packages if closure.package_version(name) == "none"} == set()


def test_a_core_that_says_something_else_has_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain facts stand for the compiled extension."""
    job = job_on("cortex-m3")
    before = rig_of(job.platform).key(job)
    core = replace(core_named("ttable1"), summary="another")
    monkeypatch.setattr("aesfit.jobs.job.core_named", lambda name: core)
    assert rig_of(job.platform).key(job) != before


def test_coefficients_of_changed_code_are_made_again(
    monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    asked: list[tuple[object, ...]] = []
    platform = platform_named("cortex-m3")

    def stop(*parts: object) -> str:
        asked.append(parts)
        raise InterruptedError

    monkeypatch.setattr(bursts, "key", stop)
    for name in (None, "footprint.py", "message.py"):
        found = [path for path in reader.read if path.name == name]
        reader.changed = found[0] if found else None
        closure.forget()
        with pytest.raises(InterruptedError):
            bursts.coefficients(platform, "ttable1")
    assert len(set(asked)) == 3


# --- a made-up package


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package in which `top` needs everything but what its name says is unused."""
    sources = {
        "__init__.py": "from .given import thing\nfrom . import unused\nhere = 1\n",
        "given.py": "import os, numpy\nthing = 1\n",
        "top.py": (
            "from typing import TYPE_CHECKING\nfrom . import middle, thing\n"
            "if TYPE_CHECKING:\n    from .unused import One\n"
            "from made.store import beside\nFILES = beside(__file__, 'data/*.c')\n"
        ),
        "middle.py": "def late():\n    try:\n        from .deep.low import name\n    finally:\n"
        "        import made.deep.other\n",
        "deep/__init__.py": "from .. import unused\n",
        "deep/low.py": "import importlib\nname = importlib.util.find_spec('unicorn')\n",
        "deep/other.py": "",
        "store.py": "beside = print\n",
        "unused.py": "import capstone\n",
        "data/one.c": '#include "two.h"\n#include <stdint.h>\n',
        "data/two.h": '  # include "../three.h"\n',
        "three.h": "",
        "data/unused.h": "",
    }
    for name, text in sources.items():
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "made"


def test_imports_and_files_are_followed(package: Path) -> None:
    found = closure.closure("made.top", package=package)
    names = {path.relative_to(package).as_posix() for path in found.files}
    assert names == {
        *("top.py", "middle.py", "given.py", "deep/low.py", "deep/other.py", "store.py"),
        *("data/one.c", "data/two.h", "three.h"),
    }
    assert found.packages == {"numpy", "unicorn"}


def test_a_package_takes_part_where_a_name_of_its_own_is_taken(package: Path) -> None:
    (package / "top.py").write_text("from . import here\n", encoding="utf-8")
    found = closure.closure("made.top", package=package)
    names = {path.relative_to(package).as_posix() for path in found.files}
    assert names == {"top.py", "__init__.py", "given.py", "unused.py"}


def test_the_digest_is_the_same_in_another_folder(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "made"
    shutil.copytree(package, copy)
    before = closure.digest("made.top", package=package)
    assert closure.digest("made.top", package=copy) == before
    for path in sorted(copy.rglob("*")):
        if path.is_file():
            kept = path.read_bytes()
            path.write_bytes(kept + b"\n")
            closure.forget()
            unused = "unused" in path.name or path.name == "__init__.py"
            assert (closure.digest("made.top", package=copy) == before) == unused, path
            path.write_bytes(kept)
    closure.forget()
    (copy / "data" / "new.c").touch()
    assert closure.digest("made.top", package=copy) != before


def test_a_digest_holds_for_the_whole_process(package: Path) -> None:
    """The code that runs is the code that was loaded, whatever is written meanwhile."""
    before = closure.digest("made.top", package=package)
    (package / "middle.py").write_text("changed = 1\n", encoding="utf-8")
    assert closure.digest("made.top", package=package) == before


def test_a_script_brings_its_imports(package: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from made.deep.other import x\n", encoding="utf-8")
    found = closure.closure(also=(script,), package=package)
    assert found.files == {script, package / "deep" / "other.py"}


def test_what_cannot_be_followed_is_refused(package: Path) -> None:
    with pytest.raises(UnreadableSourceError, match=r"a\.py, line 2: name the files as literal"):
        read_source("x = 1\nbeside(__file__, x)\n", "a.py")
    (package / "middle.py").write_text("import made.gone\n", encoding="utf-8")
    with pytest.raises(UnreadableSourceError, match=r"there is no module made\.gone"):
        closure.closure("made.top", package=package)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(files.MissingFileError, match=r"there is no \*\.ld in"):
        files.beside(str(tmp_path / "module.py"), "*.ld")


@pytest.mark.parametrize("damage", ["", "x", "00\n{}", "1" * 64 + "\n" + "[" * 100_000])
def test_kept_imports_that_were_changed_are_read_again(
    damage: str, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(parsed, "_known", {})
    monkeypatch.setattr(parsed, "_new", {})
    before = closure.closure("made.top", package=package)
    kept = tmp_path / "cache" / parsed.NAME
    assert kept.is_file()
    whole = kept.read_text()
    kept.write_text(whole.replace("middle", "unused") if damage == "x" else damage)
    parsed._load.cache_clear()
    monkeypatch.setattr(parsed, "_known", {})
    assert closure.closure("made.top", package=package) == before
    assert kept.read_text() == whole


# --- what served a stale row before


def _measured(checkout: Path, cache: Path) -> int:
    """Cycles of a CCM message, measured by the package of a checkout."""
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from aesfit.measuring.measure import measure\n"
        "from aesfit.platforms.find import platform_named\n"
        "from aesfit.jobs.job import Job\n"
        "import aesfit; assert aesfit.__file__.startswith(sys.argv[1])\n"
        "job = Job(platform_named('cortex-m3'), 'ttable1', 128, 'encrypt', 'ccm', 64)\n"
        "print(measure([job])[0].cycles)\n"
    )
    there = [path for path in sys.path if path and "site-packages" in path]
    command = [sys.executable, "-I", "-S", "-c", code, str(checkout), *there]
    environment = {"AESFIT_CACHE": str(cache), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_other_associated_data_are_measured_and_not_served(tmp_path: Path) -> None:
    checkout, cache = tmp_path / "checkout", tmp_path / "cache"
    for folder in ("aesfit", "lib", "platforms"):
        shutil.copytree(
            PACKAGE.parent / folder,
            checkout / folder,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(PACKAGE.parent / "pyproject.toml", checkout)
    shutil.copy(_native.__file__, checkout / "aesfit")
    before = _measured(checkout, cache)
    catalog = checkout / "aesfit" / "catalog.py"
    text = catalog.read_text(encoding="utf-8")
    assert text.count(": mode for") == 1
    catalog.write_text(text.replace(": mode for", ": type(mode)(**vars(mode) | {'ad': 200}) for"))
    assert _measured(checkout, cache) > before + 5000
    catalog.write_text(text, encoding="utf-8")
    assert _measured(checkout, cache) == before
