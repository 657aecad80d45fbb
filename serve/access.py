"""Who may ask: requests to this machine, for this server, with its token, that only read."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What each answer says: nothing is loaded from elsewhere, and the link goes nowhere else."""


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


class Guarded:
    """Answers 403 to all but GET with the token, addressed to one of `hosts`.

    A page of another site that resolves its own name to this machine sends that name as Host, and
    does not know the token.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str]) -> None:
        self.app, self.token = app, token.encode()
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it; what is no request over HTTP is not answered."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self._refused(scope)
            answer = self.app if refused is None else refused
            await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> PlainTextResponse | None:
        given = scope["path"].split("/")[1].encode("utf-8", "surrogateescape")
        has_token = secrets.compare_digest(given, self.token)
        if not has_token or Headers(scope=scope).get("host", "") not in self.hosts:
            return PlainTextResponse("403: use the link that tierproof serve prints", 403)
        if scope["method"] != "GET":
            return PlainTextResponse("405: this server is read only", 405, {"Allow": "GET"})
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message["headers"], *kept]
        await send(message)

    return sending
