# SPDX-License-Identifier: MIT
"""`aesfit serve` itself, and what it says when it cannot."""

import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from web_server import serving

from aesfit.cli import app, serve


@dataclass
class Lacking:
    """What the page needs is not installed."""

    names: tuple[str, ...]

    def __call__(self, name: str) -> object:
        return None if name in self.names else object()


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aesfit.extras.find_spec", Lacking(("fastapi", "uvicorn")))
    with pytest.raises(RuntimeError, match=r"pip install 'aesfit\[web\]'$"):
        serve.command()


def test_serve_says_where_it_is_and_ends_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "aesfit", "serve", "--port", "0"]
    environment = {**os.environ, "AESFIT_CACHE": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        found = re.fullmatch(
            r"aesfit: (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends it\)\n", process.stderr.readline()
        )
        assert found
        page = httpx.get(found[1], trust_env=False, timeout=None)
        assert "<title>aesfit</title>" in page.text
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate()
    assert rest == ""
    assert process.returncode in (0, 130, -signal.SIGINT)


def test_a_port_in_use_is_one_sentence() -> None:
    with serving() as address:
        port = address.rstrip("/").rpartition(":")[2]
        result = CliRunner().invoke(app, ["serve", "--port", port])
    assert isinstance(result.exception, OSError)
    other = int(port) + 1 if int(port) < 65535 else 0
    assert str(result.exception).endswith(f"choose another with: aesfit serve --port {other}")


def test_small_answers_are_sent_at_once() -> None:
    """asyncio sets TCP_NODELAY on connections of a socket whose protocol is named."""
    with serve._listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_a_host_that_is_not_here_is_one_sentence(host: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--host", host])
    assert isinstance(result.exception, OSError)
    assert str(result.exception).endswith("choose another with: aesfit serve --host 127.0.0.1")
