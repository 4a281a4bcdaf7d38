# SPDX-License-Identifier: MIT
"""Runs uv, of this Python's environment, with the package index that pip is configured for.

    .venv/bin/python tools/run_uv.py pip install ...

uv reads no configuration of pip.  What `pip config list` says becomes variables of uv, except for
those that are set already.  tools/setup.sh runs this before anything is installed: it imports
nothing but the standard library.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

UV_NAMES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "no-index": ("UV_NO_INDEX", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "client-cert": ("SSL_CLIENT_CERT", " "),
    "proxy": ("ALL_PROXY", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}
"""The variable for an option of pip, and what uv puts between several values."""
SECTIONS = ("global", "install", ":env:")
"""Where pip finds an option; the later one counts."""


def pip_options(listed: str) -> dict[str, list[str]]:
    """The values of each option in the output of `pip config list`."""
    sections: dict[str, dict[str, list[str]]] = {name: {} for name in SECTIONS}
    for line in listed.splitlines():
        place, _, value = line.partition("=")
        section, _, option = place.rpartition(".")
        if section in sections and option in UV_NAMES:
            sections[section][option] = str(ast.literal_eval(value)).split()
    return {option: values for name in SECTIONS for option, values in sections[name].items()}


def there(option: str, value: str) -> bool:
    """Whether uv takes a value: for a folder that does not exist pip only warns, and uv fails."""
    return option != "find-links" or "://" in value or Path(value).exists()


def uv_variables(options: dict[str, list[str]]) -> dict[str, str]:
    """The same options for uv."""
    variables = {}
    for option, values in options.items():
        name, between = UV_NAMES[option]
        if kept := [value for value in values if there(option, value)]:
            variables[name] = between.join(kept)
    if "UV_INDEX" in variables:  # as pip does: a package may come from any index; hashes are pinned
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return variables


def main() -> None:
    """Become uv."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"],
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    uv = Path(sys.executable).with_name("uv")
    variables = uv_variables(pip_options(listed.stdout)) | dict(os.environ)
    os.execve(uv, [str(uv), *sys.argv[1:]], variables)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
