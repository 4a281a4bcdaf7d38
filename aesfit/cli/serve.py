# SPDX-License-Identifier: MIT
"""`aesfit serve`: serves the web page on this computer."""

import socket
import threading
import webbrowser
from collections.abc import Mapping
from errno import EADDRNOTAVAIL
from pathlib import Path
from typing import Annotated

import click

from ..extras import PAGE, missing
from ..rigs.rig import RigUnavailableError
from ..units import count
from .common import progress_bar, usage
from .declared import Option

_HOST, _PORT = "127.0.0.1", 8000
_ANY = ("0.0.0.0", "::", "")  # noqa: S104 - compared with loopback, not the default address


def _listening(host: str, port: int) -> socket.socket:
    """A listening socket, so that a port in use is reported before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends small parts at once (TCP_NODELAY) and does not wait up
    # to 40 ms for the other side's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        wrong_host = isinstance(error, socket.gaierror) or error.errno == EADDRNOTAVAIL
        another = "--host 127.0.0.1" if wrong_host else f"--port {port + 1 if port < 65535 else 0}"
        raise OSError(
            f"{host}:{port} cannot be used ({error.strerror or error}); choose another with: "
            f"aesfit serve {another}"
        ) from None
    return listener


def _export(folder: Path, beside: Mapping[str, object]) -> None:
    """Write the page's files; `beside`: options about serving, by name."""
    from ..web.export import check_folder, export  # needs the extra

    named = [option for option, value in beside.items() if value is not None and value is not False]
    if named:
        told = " and ".join(named)
        raise click.BadParameter(f"it serves nothing; leave {told} out", param_hint="--export")
    with usage("--export"):
        check_folder(folder)
    with progress_bar("writing", quiet=False) as progress:
        written = count(export(folder, progress=progress))
    click.echo(f"{folder} written, {written} bytes; any web server can serve it", err=True)


def command(
    host: Annotated[
        str | None,
        Option(
            metavar="<address>",
            help=f"Address to listen on; 127.0.0.1 is reachable from this computer only. [{_HOST}]",
        ),
    ] = None,
    port: Annotated[
        int | None,
        Option(metavar="<n>", help=f"TCP port; 0: any free port. [{_PORT}]", min=0, max=65535),
    ] = None,
    folder: Annotated[
        Path | None,
        Option(
            "--export",
            metavar="<folder>",
            help="Write the page as static files over the atlas, and serve nothing. [none]",
        ),
    ] = None,
    open_page: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a web page with sliders that shows which core fits."""
    reason = missing("the page", PAGE)
    if reason:
        raise RigUnavailableError(reason)
    if folder is not None:
        _export(folder, {"--host": host, "--port": port, "--open": open_page})
    else:
        _serve(_HOST if host is None else host, _PORT if port is None else port, open_page)


def _serve(host: str, port: int, open_page: bool) -> None:
    import uvicorn  # needs the extra

    from ..web.app import LOOPBACK, create_app  # start-up time
    from ..web.guard import ANY_ADDRESS, LIMITS  # the same

    listener = _listening(host, port)
    shown = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    hosts = [ANY_ADDRESS] if host in _ANY else [*LOOPBACK, host, f"[{host}]"]
    config = uvicorn.Config(create_app(hosts), log_level="warning", access_log=False, **LIMITS)
    click.echo(f"aesfit: {address} (Ctrl-C ends it)", err=True)
    if host not in LOOPBACK:
        click.echo("aesfit: other computers on the network can reach this page", err=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    with listener:
        uvicorn.Server(config).run(sockets=[listener])
