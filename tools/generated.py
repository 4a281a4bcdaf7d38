# SPDX-License-Identifier: MIT
"""Renew the files that are made from others: what is old of tools/generated.toml.

    python tools/generated.py --check            list all of them, and whether they are old
    python tools/generated.py [NAME..]           renew those that are old, or those of them named
    python tools/generated.py --record NAME..    mark them as current without making them

An item is old if what it is made from has changed since it was made or recorded, or if somebody
changed its files.  Digests of both are in tools/generated.lock, which this script writes.  --record
compares nothing: it is for files that were made by hand, and for changes that are known to leave
the files as they are; the commit says which.  An item with a check of its own, like the atlas, has
no digests: that check decides.
"""

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import generated_sources as sources

ROOT = Path(__file__).resolve().parents[1]
FILES = "its files"
"""Label of the digest of an item's own files."""
WIDTH = 120
"""Columns of the table."""
Digests = Mapping[str, str]


@dataclass(frozen=True)
class Item:
    """Files that one command makes; the keys of generated.toml."""

    name: str
    command: str
    takes: str
    """How long the command runs."""
    files: tuple[str, ...] = ()
    """Patterns of the files that are made as a whole."""
    pages: tuple[str, ...] = ()
    """Files of which a part is made."""
    data: tuple[str, ...] = ()
    """Patterns of the files that it is made from."""
    code: tuple[str, ...] = ()
    """Scripts and modules that make it, with what they import."""
    without: tuple[str, ...] = ()
    """Patterns of files among `data` and imports that do not matter, as code that draws."""
    versions: tuple[str, ...] = ()
    """Commands whose version matters."""
    check: str = ""
    """A command that fails if the item is old, in the place of digests."""
    by_hand: str = ""
    """Why its command is not run here."""

    def digests(self, root: Path) -> dict[str, str]:
        """Of its sources and of its own files, by label."""
        return {
            **{one: sources.of_data(root, one, self.without) for one in self.data},
            **{one: sources.of_code(root, one, self.without) for one in self.code},
            **{one: sources.of_version(one) for one in self.versions},
            **({FILES: sources.of_files(root, self.files)} if self.files else {}),
        }

    @property
    def source(self) -> str:
        """What it is made from, for people."""
        return ", ".join((*self.data, *self.code, *self.versions)) or f"see {self.check}"


@dataclass(frozen=True)
class Register:
    """The items, and the digests of when they were made, below a folder."""

    root: Path

    @property
    def _lock(self) -> Path:
        return self.root / "tools" / "generated.lock"

    def items(self) -> list[Item]:
        """In the order in which they are renewed: what others are made from comes first."""
        table = tomllib.loads((self.root / "tools/generated.toml").read_text(encoding="utf-8"))
        return [Item(name, **_tuples(one)) for name, one in table.items()]

    def recorded(self) -> dict[str, dict[str, str]]:
        """Digests by item."""
        return tomllib.loads(self._lock.read_text(encoding="utf-8")) if self._lock.is_file() else {}

    def record(self, name: str, digests: Digests) -> None:
        """Keep the digests of an item."""
        known = self.recorded() | {name: dict(digests)}
        lines = ["# SPDX-License-Identifier: MIT", "# Written by tools/generated.py."]
        for one in self.items():
            if one.name in known:
                cells = ", ".join(f'"{key}" = "{it}"' for key, it in known[one.name].items())
                lines.append(f"{one.name} = {{ {cells} }}")
        self._lock.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def states(self, items: Sequence[Item]) -> Iterator[tuple[Item, str]]:
        """Each item, and why it is old; empty if it is current.  Own checks run meanwhile."""
        asked = {one.name: self._asked(one) for one in items if one.check}
        recorded = self.recorded()
        found = {one.name: self._changed(one, recorded) for one in items if not one.check}
        for one in items:
            if one.check:
                told, _ = asked[one.name].communicate()
                found[one.name] = _first_line(told) if asked[one.name].returncode else ""
            yield one, found[one.name]

    def _asked(self, item: Item) -> "subprocess.Popen[str]":
        return subprocess.Popen(  # noqa: S603 - as generated.toml says
            _words(item.check),
            cwd=self.root,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def _changed(self, item: Item, recorded: Mapping[str, Digests]) -> str:
        before, now = recorded.get(item.name), item.digests(self.root)
        if before is None:
            return "no record of when it was made"
        changed = [label for label in now if before.get(label) != now[label]]
        changed += [label for label in before if label not in now]
        return f"changed: {', '.join(changed)}" if changed else ""

    def renew(self, item: Item) -> bool:
        """Run its command; whether that succeeded."""
        print(f"{item.name}: {item.command} ({item.takes})", flush=True)
        before = item.digests(self.root)
        done = subprocess.run(_words(item.command), cwd=self.root, check=False)  # noqa: S603
        if done.returncode == 0 and not item.check:
            own = {FILES: sources.of_files(self.root, item.files)} if item.files else {}
            self.record(item.name, before | own)
        sources.forget()
        return done.returncode == 0


def _first_line(told: str) -> str:
    """What a check says first, and how much more it says."""
    first, *others = told.splitlines() or ["its check failed"]
    return f"{first} (and {len(others)} more lines)" if others else first


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(it) if isinstance(it, list) else it for key, it in table.items()}


def _words(command: str) -> list[str]:
    """A command for the shell, by this Python and with the tools of its environment."""
    folder = Path(sys.executable).parent
    script = f'export PATH="{folder}:$PATH"; {command}'
    return ["bash", "-c", script]


def table(rows: Sequence[tuple[Item, str]]) -> str:
    """Items with state, how long they take and what they are made from; then why some are old."""
    cells = [("item", "state", "takes", "made from")]
    cells += [(one.name, "old" if why else "current", one.takes, one.source) for one, why in rows]
    wide = [max(len(row[at]) for row in cells) for at in range(3)]
    lines = ["  ".join(map(str.ljust, row, (*wide, 0))) for row in cells]
    old = [f"{one.name}: {why}\n  {one.command}" for one, why in rows if why]
    return "\n".join([*(shorten(line, WIDTH) for line in lines), "", *old])


def shorten(line: str, width: int) -> str:
    """The line, with dots in the place of what is beyond the width."""
    return line if len(line) <= width else f"{line[: width - 4]} ..."


def main(arguments: Sequence[str] | None = None) -> int:
    """List or renew; 1 if something is left old."""
    ask = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    ask.add_argument("names", nargs="*", help="items; default: all")
    ask.add_argument("--check", action="store_true", help="list the items, renew nothing")
    ask.add_argument("--record", action="store_true", help="mark NAMES as current, unchecked")
    ask.add_argument("--root", type=Path, default=ROOT, help="the checkout")
    given = ask.parse_args(arguments)
    sources.forget()
    register = Register(given.root.resolve())
    known = {one.name: one for one in register.items()}
    if unknown := [name for name in given.names if name not in known]:
        ask.error(f"there is no item {unknown[0]}; choose from: {', '.join(known)}")
    if given.record and not given.names:
        ask.error("--record needs the names of items")
    chosen = [known[name] for name in given.names] or list(known.values())
    if given.record:
        for one in chosen:
            if not one.check:
                register.record(one.name, one.digests(register.root))
        return 0
    if given.check:
        rows = list(register.states(chosen))
        print(table(rows))
        return int(any(why for _, why in rows))
    return int(not _renew(register, chosen))


def _renew(register: Register, items: Sequence[Item]) -> bool:
    """Renew what is old, and what gets old by that; whether nothing is left old."""
    well = True
    for one in items:
        ((_, why),) = register.states([one])
        if not why:
            continue
        if one.by_hand:
            print(f"{one.name} is old and made by hand ({one.by_hand}): {one.command}")
            well = False
        elif not register.renew(one):
            print(f"{one.name}: its command failed; it is as it was", file=sys.stderr)
            well = False
    return well


if __name__ == "__main__":
    sys.exit(main())
