# SPDX-License-Identifier: MIT
"""Batteries: one TOML file each, read strictly; each quantity has its unit and its source."""

from dataclasses import dataclass
from pathlib import Path

from ..errors import unknown
from ..platforms.toml_file import Quantity, read_bytes, read_table

FOLDER = Path(__file__).resolve().parent / "batteries"
DEFAULT = "nokia-bld-3"


@dataclass(frozen=True)
class Battery:
    """A battery by its nominal figures, without reductions for age or cold."""

    name: str
    title: str
    capacity: Quantity
    """mAh."""
    voltage: Quantity
    """V."""

    @property
    def joules(self) -> float:
        """Joules of a full battery."""
        return self.capacity.value * 3.6 * self.voltage.value

    def hours(self, watts: float) -> float:
        """Hours that it can supply a load."""
        return self.joules / watts / 3600


def load(path: Path) -> Battery:
    """Read one file; PlatformError tells what is wrong, with file and line."""
    root = read_table(path, read_bytes(path))
    root.only(("name", "title", "capacity", "voltage"))
    name = root.text("name")
    if name != path.stem:
        root.wrong(f"'name' is '{name}'; it must be the file's: '{path.stem}'", "name")
    capacity = root.quantity("capacity", ("mAh",), positive=True)
    return Battery(
        name, root.text("title"), capacity, root.quantity("voltage", ("V",), positive=True)
    )


def battery_named(name: str) -> Battery:
    """The battery of that name or of that .toml path; ValueError names the nearest one."""
    if name.endswith(".toml"):
        return load(Path(name))
    known = {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}
    if name not in known:
        raise unknown("battery", name, list(known))
    return load(known[name])
