# SPDX-License-Identifier: MIT
"""`aesfit store`: what is kept, and what of it goes."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fakes import row

from aesfit.cli import app
from aesfit.store import closure, upkeep, use
from aesfit.store.contents import cached, key
from aesfit.store.rows import RowStore

DAY = upkeep.DAY_SECONDS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    use.leave()


def kept(name: str, suffix: str = ".elf", content: bytes = b"content") -> Path:
    def make(target: Path) -> dict[str, object]:
        target.write_bytes(content)
        return {"fact": 1}

    return cached(key(name), suffix, make)[0]


def note(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAY  # no deadline: the age of a file
    os.utime(path, (then, then), follow_symlinks=False)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["store", *words])


def numbers() -> dict[str, int]:
    return {kind.kind: kind.entries for kind in upkeep.held().kinds}


def foreign(folder: Path, outside: Path) -> list[Path]:
    """Files in the cache folder that aesfit did not put there."""
    outside.mkdir()
    (outside / "file").write_text("outside")
    inner = folder / "builds" / "ab"
    inner.mkdir(parents=True, exist_ok=True)
    made = [folder / "thesis.txt", inner / "thesis.txt", folder / "builds" / "other" / "x.o"]
    made += [folder / "mine" / "data", folder / "tracer" / "x.so", inner / f"{'cd' * 32}.o"]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("not ours")
    (inner / f"{'ab' * 32}.o").symlink_to(outside / "file")
    (folder / "builds" / "ac").symlink_to(outside)
    (folder / "hexagon").symlink_to(outside)
    return [*made, outside / "file", inner / f"{'ab' * 32}.o", folder / "hexagon"]


def test_entries_by_kind(folder: Path) -> None:
    assert upkeep.held() == upkeep.Held(str(folder), 0, ())
    RowStore().put([("a", row()), ("b", row())])
    kept("one")
    kept("two", content=bytes(1000))
    kept("three", ".json")
    assert numbers() == {"rows": 2, "elf": 2, "json": 1}
    held = upkeep.held()
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != use.LOCK]
    assert held.bytes == sum(path.stat().st_size for path in files)
    shown = run("--json")
    assert shown.exit_code == 0
    told = json.loads(shown.stdout)
    own = {name: told[name] for name in list(told)[4:]}  # after the head
    assert own == {**json.loads(json.dumps(held.as_json())), "removed": None}
    table = run().stdout
    assert re.search(r"^rows +2 ", table, re.MULTILINE)
    assert re.search(r"^elf +2 +\d{4}", table, re.MULTILINE)


def test_every_kind_of_entry_is_described() -> None:
    sources = [path.read_text(encoding="utf-8") for path in closure.PACKAGE.rglob("*.py")]
    suffixes = {one for text in sources for one in re.findall(r'cached\([^"]*"\.(\w+)"', text)}
    suffixes |= {one for text in sources for one in re.findall(r'forget\(\w+, "\.(\w+)"', text)}
    assert len(suffixes) > 8
    assert suffixes <= upkeep.KINDS.keys()


def test_prune_removes_what_was_not_used(folder: Path) -> None:
    RowStore().put([("a", row())])
    paths = [kept(name) for name in ("new", "old", "older")]
    for path, days in zip(paths, (0, 3, 5), strict=True):
        age(note(path), days)
    shown = run("--prune", "4")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("removed 1 entries, ")
    assert [path.exists() for path in paths] == [True, True, False]
    assert not note(paths[2]).exists()
    assert kept("old") == paths[1]  # which is a use
    assert upkeep.prune(1) == upkeep.Removed(0, 0, others_at_work=False)
    assert numbers() == {"rows": 1, "elf": 2}


def test_clear_removes_everything_but_what_is_not_ours(folder: Path, tmp_path: Path) -> None:
    others = foreign(folder, tmp_path / "outside")
    RowStore().put([("a", row())])
    (folder / "results.damaged").write_text("damaged")
    paths = [kept("one"), kept("two", ".fills"), kept("three", ".so")]
    scratch = paths[0].parent / "tmpkilled"
    scratch.mkdir()
    (scratch / "half.o").write_text("half")
    (folder / "locks").mkdir()
    (folder / "locks" / ("0" * 64)).touch()
    assert set(numbers()) >= {"rows", "elf", "fills", "leftovers", "so", "locks", "damaged"}
    assert run("--clear").exit_code == 0
    assert numbers().keys() == {"unknown"}
    assert not any(path.exists() for path in paths)
    assert all(os.path.lexists(path) for path in others)
    assert RowStore().count() == 0
    assert kept("one").read_bytes() == b"content"


_AT_WORK = """
import sys
from aesfit.store.contents import cached, key
def make(target):
    target.write_bytes(b"theirs")
    return {}
path = cached(key("theirs"), ".elf", make)[0]
print(path, flush=True)
sys.stdin.readline()
print(path.read_bytes().decode(), flush=True)
"""


def test_another_process_keeps_what_it_holds(folder: Path) -> None:
    old = kept("old")
    age(note(old), 2)
    command = [sys.executable, "-c", _AT_WORK]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        path = Path(other.stdout.readline().strip())
        shown = run("--clear")
        assert shown.exit_code == 0
        assert "another process uses the store" in shown.stdout
        assert not old.exists()
        assert path.exists()
        told, _ = other.communicate("go on\n")
        assert told == "theirs\n"
        assert other.returncode == 0
    shown = run("--clear", "--json")
    removed = json.loads(shown.stdout)["removed"]
    assert (removed["entries"], removed["others_at_work"]) == (1, False)
    assert not path.exists()


def test_a_use_between_listing_and_removal_keeps_an_entry(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept("old")
    age(note(path), 9)
    list_entries = upkeep._entries

    def listed(where: Path) -> Iterator[upkeep.KeptFiles]:
        entries = list(list_entries(where))
        kept("old")
        yield from entries

    monkeypatch.setattr(upkeep, "_entries", listed)
    assert upkeep.prune(1).entries == 0
    assert path.exists()


def test_an_entry_that_goes_while_it_is_found_is_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept("old")
    age(note(path), 9)
    renew = use.renew

    def pruned_first(noted: Path) -> bool:
        noted.unlink()
        path.unlink()
        return renew(noted)

    monkeypatch.setattr(use, "renew", pruned_first)
    assert kept("old").read_bytes() == b"content"


@pytest.mark.parametrize("damage", ["facts", "file", "nested", "oversized"])
def test_a_kept_file_that_was_edited_is_made_again(folder: Path, damage: str) -> None:
    path = kept("one")
    if damage == "facts":
        note(path).write_text(note(path).read_text().replace('"fact": 1', '"fact": 2'))
    elif damage == "file":
        path.write_bytes(b"edited")
    elif damage == "nested":
        note(path).write_text("[" * 100_000)
    else:
        with note(path).open("r+b") as stream:
            stream.truncate(1 << 30)

    def make(target: Path) -> dict[str, object]:
        target.write_bytes(b"again")
        return {"fact": 3}

    assert cached(key("one"), ".elf", make) == (path, {"fact": 3})
    assert path.read_bytes() == b"again"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--prune", "0"], "range x>=1"),
        (["--prune", "some"], "is not a valid integer"),
        (["--prune", "1", "--clear"], "--clear removes all; leave --prune out"),
        (["everything"], "unexpected extra argument"),
    ],
)
def test_wrong_use_is_told(folder: Path, words: list[str], sentence: str) -> None:
    shown = run(*words)
    assert shown.exit_code == 2
    assert sentence in shown.stderr
    assert not folder.exists()


def test_there_is_nothing_to_remove_in_no_folder(folder: Path) -> None:
    assert run("--clear").stdout == f"removed 0 entries, 0 bytes\n0 bytes in {folder}\n"
    assert not folder.exists()
    with pytest.raises(ValueError, match="prune 1 day or more"):
        upkeep.prune(0)


def test_names_of_entries_are_digests() -> None:
    """The shape by which entries are known is the shape that key() gives."""
    assert re.fullmatch("[0-9a-f]{64}", key("x"))
    assert len(sha256().hexdigest()) == 64
