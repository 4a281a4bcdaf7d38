# SPDX-License-Identifier: MIT
"""`aesfit serve`: the page, on this computer."""

import socket
import threading
import webbrowser
from errno import EADDRNOTAVAIL
from typing import Annotated

import typer

from ..extras import PAGE, missing
from ..rigs.rig import RigUnavailableError

_ANY = ("0.0.0.0", "::", "")  # noqa: S104 - told apart from loopback, not bound to by default


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens, so that a port in use is told before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
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


def command(
    host: Annotated[
        str,
        typer.Option(
            metavar="<address>",
            help="Address to listen on; 127.0.0.1 is reachable from this computer only.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="<n>", help="TCP port; 0: any free port.", min=0, max=65535)
    ] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a web page with sliders that shows which core fits."""
    reason = missing("the page", PAGE)
    if reason:
        raise RigUnavailableError(reason)
    import uvicorn

    from ..web.app import LOOPBACK, create_app  # start-up time
    from ..web.connections import options  # the same
    from ..web.guard import ANY_ADDRESS  # the same

    listener = _listening(host, port)
    shown = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    hosts = [ANY_ADDRESS] if host in _ANY else [*LOOPBACK, host, f"[{host}]"]
    server = uvicorn.Server(
        uvicorn.Config(create_app(hosts), log_level="warning", access_log=False, **options())
    )
    typer.echo(f"aesfit: {address} (Ctrl-C ends it)", err=True)
    if host not in LOOPBACK:
        typer.echo("aesfit: other computers on the network can reach this page", err=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    with listener:
        server.run(sockets=[listener])
