# SPDX-License-Identifier: MIT
"""Files and folders in one call: names of outputs, what is passed over, collisions, permissions."""

import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from crypt_runs import as_nobody, done, key_file, names, open_to_all, pattern, program, run

from aesfit.files import work
from aesfit.files.tree import Item, Naming, plan


@pytest.fixture
def key(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    return ["--key-file", key_file(tmp_path_factory.mktemp("secret"))]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def fill(folder: Path, *paths: str) -> None:
    """Files with their path as content."""
    for name in paths:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def test_a_folder_in_place_and_back(key: list[object], here: Path) -> None:
    fill(here, "d/a", "d/b c/ü", "d/b c/e/f")
    result = done("encrypt", "d", *key)
    assert result.stdout == "encrypted: 3 files\n"
    sealed = ["d/a.aesfit", "d/b c/e/f.aesfit", "d/b c/ü.aesfit"]
    assert [name for name in names(here) if name.endswith(".aesfit")] == sealed
    for name in ("a", "b c/ü", "b c/e/f"):
        (here / "d" / name).unlink()
    assert done("decrypt", "d", *key).stdout == "decrypted: 3 files\n"
    for name in ("d/a", "d/b c/ü", "d/b c/e/f"):
        assert (here / name).read_text(encoding="utf-8") == name


def test_folders_and_files_into_a_folder(key: list[object], here: Path) -> None:
    fill(here, "d/a", "d/e/f", "x", "y/z")
    done("encrypt", "d", "x", "y/z", "-o", "new/out", *key)
    assert names(here / "new/out") == [
        *("d", "d/a.aesfit", "d/e", "d/e/f.aesfit"),
        *("x.aesfit", "z.aesfit"),
    ]
    done("decrypt", "new/out", "-o", "back", *key)
    assert (here / "back/out/d/e/f").read_text() == "d/e/f"
    assert names(here / "back/out") == ["d", "d/a", "d/e", "d/e/f", "x", "z"]


def test_this_folder_and_the_one_above_have_no_name(key: list[object], here: Path) -> None:
    fill(here, "d/a", "d/e/b")
    os.chdir(here / "d" / "e")
    done("encrypt", ".", "-o", here / "one", *key)
    done("encrypt", "..", "-o", here / "two", *key)
    assert names(here / "one") == ["b.aesfit"]
    assert names(here / "two") == ["a.aesfit", "e", "e/b.aesfit"]


def test_a_second_run_takes_only_what_is_new(key: list[object], here: Path) -> None:
    """Encrypted files are skipped, and existing files are not overwritten."""
    fill(here, "d/a")
    done("encrypt", "d", *key)
    (here / "d/a").unlink()
    fill(here, "d/b")
    result = done("encrypt", "d", *key)
    assert result.stdout == "encrypted: d/b.aesfit\n"
    assert "a file that seems encrypted already, by the first bytes, left alone" in result.stderr
    result = run("encrypt", "d", *key)
    assert result.exit_code == 1
    assert "d/b.aesfit exists already; --force overwrites it" in result.stderr
    (here / "d/b").unlink()
    assert "nothing to be encrypted" in done("encrypt", "d", *key).stderr


def test_links_are_not_followed_in_folders_but_are_when_named(
    key: list[object], here: Path
) -> None:
    fill(here, "secret", "elsewhere/f", "d/a")
    (here / "d/link").symlink_to(here / "secret")
    (here / "d/folder").symlink_to(here / "elsewhere")
    (here / "d/loop").symlink_to(here / "d")
    result = run("encrypt", "d", "-o", "out", "--quiet", *key)
    assert result.exit_code == 1
    assert names(here / "out") == ["d", "d/a.aesfit"]
    assert "3 symbolic links were left out: d/folder and others" in result.stderr
    done("encrypt", "d/link", *key)
    done("decrypt", "d/link.aesfit", "-o", "opened", *key)
    assert (here / "opened").read_text() == "secret"


def test_what_is_encrypted_is_known_by_its_first_bytes(key: list[object], here: Path) -> None:
    """A text named like a container is encrypted; a container of another name is not again."""
    fill(here, "d/text.aesfit", "d/a")
    done("encrypt", "d/a", "-o", "d/moved", *key)
    (here / "d/a").unlink()
    result = done("encrypt", "d", "-o", "out", "--quiet", *key)
    assert names(here / "out/d") == ["text.aesfit.aesfit"]
    assert "a file that seems encrypted already, by the first bytes" in result.stderr
    done("decrypt", "out", "-o", "back", *key)
    assert (here / "back/out/d/text.aesfit").read_text() == "d/text.aesfit"
    result = run("decrypt", "d", "-o", "again", *key)
    assert result.exit_code == 1
    assert "d/moved is encrypted, but does not end in .aesfit; decrypt it with -o FILE" in (
        result.stderr
    )
    assert "d/text.aesfit: the input is not an aesfit container" in result.stderr
    (here / "d/text.aesfit").unlink()
    assert run("decrypt", "d/moved", "-o", "opened", *key).exit_code == 0
    assert (here / "opened").read_text() == "d/a"


def test_empty_folders_are_made_or_told(key: list[object], here: Path) -> None:
    fill(here, "d/a", "d/e/f")
    (here / "d/hollow/within").mkdir(parents=True)
    done("encrypt", "d", "-o", "out", *key)
    assert names(here / "out") == [
        "d", "d/a.aesfit", "d/e", "d/e/f.aesfit", "d/hollow", "d/hollow/within",
    ]  # fmt: skip
    done("decrypt", "out", "-o", "back", *key)
    assert (here / "back/out/d/hollow/within").is_dir()
    result = run("encrypt", "d", "--quiet", *key)
    assert result.exit_code == 1
    assert "an empty folder was left out: d/hollow/within" in result.stderr
    assert (here / "d/a.aesfit").exists()


def failures_of(item: Item) -> list[str]:
    """The failures if a file is replaced between planning and working."""
    outcome = work.run(
        [item],
        lambda source, sink, report: None,
        jobs=1,
        force=False,
        stop=threading.Event(),
        advance=lambda more: None,
    )
    return outcome.failures


@pytest.mark.parametrize("swap", ["folder", "file", "link"])
def test_what_was_planned_is_what_is_opened(key: list[object], here: Path, swap: str) -> None:
    """A folder that becomes a link while the passphrase is typed is not followed."""
    fill(here, "d/a", "elsewhere/a")
    (item,) = plan(["d"], "out", Naming(".aesfit", True), force=False).items
    if swap == "folder":
        (here / "d").rename(here / "was")
        (here / "d").symlink_to(here / "elsewhere")
    elif swap == "file":
        (here / "elsewhere/a").rename(here / "d/a")
    else:
        (here / "d/a").unlink()
        (here / "d/a").symlink_to(here / "elsewhere/a")
    now = "a symbolic link now" if swap == "link" else "another file than before"
    assert failures_of(item) == [f"d/a is {now}; nothing was written from it"]
    assert not (here / "out").exists()


def test_the_output_goes_where_it_was_planned(here: Path) -> None:
    fill(here, "a", "out/old", "elsewhere/b")
    (item,) = plan(["a"], "out", Naming(".aesfit", True), force=False).items
    (here / "out").rename(here / "was")
    (here / "out").symlink_to(here / "elsewhere")
    assert failures_of(item) == ["out is another folder than before; nothing was written there"]
    assert names(here / "elsewhere") == ["b"]


def test_special_files_are_refused_and_the_others_done(key: list[object], here: Path) -> None:
    fill(here, "d/a")
    os.mkfifo(here / "d/pipe")
    listening = socket.socket(socket.AF_UNIX)
    with listening:
        listening.bind("d/socket")
        result = run("encrypt", "d", "d/pipe", "/dev/null", "-o", "out", *key)
    assert result.exit_code == 1
    assert names(here / "out") == ["d", "d/a.aesfit"]
    for sentence in (
        "d/pipe is a named pipe, not a file",
        "d/socket is a socket, not a file",
        "/dev/null is a device, not a file",
        "4 of 5 failed, 1 encrypted",
    ):
        assert sentence in result.stderr


def test_decryption_takes_what_bears_the_suffix(key: list[object], here: Path) -> None:
    fill(here, "d/a", "d/other", "d/.aesfit", "d/empty")
    (here / "d/empty").write_bytes(b"")
    done("encrypt", "d/a", *key)
    (here / "d/a").unlink()
    result = done("decrypt", "d", *key)
    assert "3 files that seem not encrypted, by the first bytes, left alone" in result.stderr
    assert (here / "d/a").read_text() == "d/a"
    result = run("decrypt", "d/other", *key)
    assert result.exit_code == 1
    assert "d/other does not end in .aesfit; name the output with -o FILE" in result.stderr


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (["d/a", "e/a", "-o", "out"], "d/a and e/a would both become out/a.aesfit"),
        (["d", "e/../d", "-o", "out"], "would both become"),
        (["d/a", "d/a.aesfit"], "the output d/a.aesfit is the input d/a.aesfit"),
        (["d/a", "-o", "d/a"], "the output d/a is the input d/a"),
        (["d/a", "-o", "same"], "the output same is the input d/a"),
        (["d/a", "-o", "link"], "the output link is the input d/a"),
        (["d/a", "e/a", "-o", "d/a"], "d/a is a file; name a folder"),
        (["d/a", "e/a", "-o", "-"], "standard output (-) takes one file"),
        (["d", "-o", "-"], "standard output (-) takes one file"),
        (["-", "d/a"], "standard input (-) must be the only input"),
        (["-", "-o", "d"], "d is a folder; name a file"),
        ([""], "a name is empty"),
        (["d/a", "-o", ""], "a name is empty"),
    ],
)
def test_collisions_before_anything_is_written(
    inputs: list[str], sentence: str, key: list[object], here: Path
) -> None:
    fill(here, "d/a", "d/a.aesfit", "e/a")
    (here / "same").hardlink_to(here / "d/a")
    (here / "link").symlink_to(here / "d/a")
    before = names(here)
    result = run("encrypt", "--force", *inputs, *key)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.replace("│", " ").split())
    assert names(here) == before
    assert (here / "d/a").read_text() == "d/a"
    assert (here / "d/a.aesfit").read_text() == "d/a.aesfit"


def test_the_same_input_twice_is_one(key: list[object], here: Path) -> None:
    fill(here, "d/a")
    assert done("encrypt", "d", "d/a", "./d/a", *key).stdout == "encrypted: d/a.aesfit\n"


def test_standard_streams_are_compared_too(key: list[object], here: Path) -> None:
    fill(here, "a")
    with (here / "a").open("ab") as appended:
        result = program("encrypt", "a", "-o", "-", *key, stdout=appended)
    assert result.returncode == 2
    assert b"the output standard output is the input a" in result.stderr.replace(b"\n", b" ")
    assert (here / "a").read_text() == "a"


def test_force_replaces_the_whole_file(key: list[object], here: Path) -> None:
    fill(here, "a", "other")
    (here / "a.aesfit").symlink_to(here / "other")
    result = run("encrypt", "a", *key)
    assert (result.exit_code, (here / "other").read_text()) == (1, "other")
    done("encrypt", "a", "--force", *key)
    assert not (here / "a.aesfit").is_symlink()
    assert (here / "other").read_text() == "other"
    done("decrypt", "a.aesfit", "--force", *key)
    assert (here / "a").read_text() == "a"


def test_only_files_are_replaced(key: list[object], here: Path) -> None:
    fill(here, "a", "a.aesfit/inner")
    result = run("encrypt", "a", "--force", *key)
    assert result.exit_code == 1
    assert "a.aesfit is a folder; name another output with -o" in result.stderr
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        result = run("encrypt", "a", "--force", "-o", "socket", *key)
    assert result.exit_code == 1
    assert "socket is a socket; name another output with -o" in result.stderr


def test_folders_are_made_for_many_outputs_not_for_one(key: list[object], here: Path) -> None:
    fill(here, "a")
    result = run("encrypt", "a", "-o", "misspelt/b", *key)
    assert (result.exit_code, result.stderr) == (1, "aesfit: misspelt: No such file or directory\n")
    done("encrypt", "a", "-o", "meant/", *key)
    assert names(here) == ["a", "meant", "meant/a.aesfit"]


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_many_files_at_a_time(jobs: int, key: list[object], here: Path) -> None:
    (here / "d").mkdir()
    for number in range(40):
        (here / f"d/{number}").write_bytes(pattern(5000 * number))
    done("encrypt", "d", "-o", "out", "--jobs", jobs, *key)
    done("decrypt", "out/d", "-o", "back", "--jobs", jobs, *key)
    for number in range(40):
        assert (here / f"back/d/{number}").read_bytes() == pattern(5000 * number)


def test_names_cannot_steer_the_terminal(key: list[object], here: Path) -> None:
    name = "\x1b[31mred\nsecond"
    fill(here, name)
    assert done("encrypt", name, *key).stdout == "encrypted: \\x1b[31mred\\nsecond.aesfit\n"
    unspeakable = os.fsdecode(b"\xff\xfe")
    (here / unspeakable).write_bytes(b"text")
    assert done("encrypt", unspeakable, *key).stdout == "encrypted: \\udcff\\udcfe.aesfit\n"


def test_the_longest_names(key: list[object], here: Path) -> None:
    fill(here, "n" * 248, "m" * 255)
    done("encrypt", "n" * 248, *key)
    result = run("encrypt", "m" * 255, *key)
    assert result.exit_code == 1
    assert "File name too long" in result.stderr
    assert names(here) == ["m" * 255, "n" * 248, "n" * 248 + ".aesfit"]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.parametrize(
    ("own", "umask", "expected"),
    [
        (0o644, 0o022, 0o644),
        (0o666, 0o022, 0o644),
        (0o640, 0o022, 0o640),
        (0o600, 0o022, 0o600),
        (0o755, 0o077, 0o700),
        (0o400, 0o022, 0o400),
        (0o4755, 0o022, 0o755),
    ],
)
def test_permissions(own: int, umask: int, expected: int, key: list[object], here: Path) -> None:
    """Not wider than the input's, nor than the umask allows, both ways."""
    fill(here, "a", "d/a")
    os.umask(umask)
    for path in (here / "a", here / "d/a"):
        path.chmod(own)
    done("encrypt", "a", *key)
    assert mode(here / "a.aesfit") == expected
    done("decrypt", "a.aesfit", "-o", "b", *key)
    assert mode(here / "b") == expected


@pytest.mark.usefixtures("usual_umask")
def test_permissions_of_folders_and_streams(key: list[object], here: Path) -> None:
    fill(here, "d/private/a")
    (here / "d/private").chmod(0o700)
    done("encrypt", "d", "-o", "out", *key)
    assert (mode(here / "out/d"), mode(here / "out/d/private")) == (0o755, 0o700)
    assert program("encrypt", "-", "-o", "piped", *key, data=b"x").returncode == 0
    assert mode(here / "piped") == 0o600


@pytest.mark.usefixtures("usual_umask")
def test_the_group_goes_with_its_permissions() -> None:
    """Root gives the output the group of the input; another user cannot, and shuts it out."""
    if os.geteuid() != 0:
        pytest.skip("root alone can make files of other groups")
    with open_to_all() as folder:
        key = ["--key-file", folder / "key"]
        plain = folder / "plain"
        plain.write_bytes(b"text")
        os.chown(plain, 65534, 12345)
        plain.chmod(0o640)
        done("encrypt", plain, "-o", folder / "a", *key)
        status = (folder / "a").stat()
        assert (status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 0o640)
        result = as_nobody("encrypt", plain, "-o", folder / "b", *key)
        assert result.returncode == 0, result.stderr
        status = (folder / "b").stat()
        assert (status.st_gid, stat.S_IMODE(status.st_mode)) == (65534, 0o600)
