"""The server: bound to this machine alone, until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from tierproof.model.language.errors import Misused
from tierproof.serve.access import LOCAL, new_token
from tierproof.serve.application import Served, application
from tierproof.spark_explorer.native.stopping import stop_all


class PortTaken(Misused):
    """The port that was asked for cannot be used; the message says why."""


def run(served: Served, first: str, port: int | None, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, once `tell` was called with the link to the page `first`.

    Raises PortTaken.
    """
    token = new_token()
    with contextlib.closing(bound_socket(port)) as bound:
        number = bound.getsockname()[1]
        hosts = tuple(f"{host}:{number}" for host in LOCAL)
        config = uvicorn.Config(
            application(served, token, hosts),
            log_level="error",
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        tell(f"http://{hosts[0]}/{token}/{first}")
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config).run(sockets=[bound])


class _Server(uvicorn.Server):
    """A server whose end also ends the searches that somebody still waits for."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Hear a signal."""
        stop_all()
        super().handle_exit(sig, frame)


def bound_socket(port: int | None) -> socket.socket:
    """A socket of this machine alone; a free port unless one is asked for."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((LOCAL[0], port or 0))
        bound.listen()
    except (OSError, OverflowError) as error:
        bound.close()
        raise PortTaken(f"port {port} cannot be used: {error}; leave --port out") from None
    return bound
