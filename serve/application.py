"""The application: addresses, each of which answers a page or JSON, behind a token."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from tierproof.model.language.errors import Misused, TierproofError, closest
from tierproof.register import ledger
from tierproof.serve import drawn, exports, jumps, pages
from tierproof.serve.access import Guarded
from tierproof.serve.expressions import BadExpression
from tierproof.serve.jumps import ServedRun
from tierproof.serve.positions import NAMES, BadLink, Position, grouped, number
from tierproof.serve.settings import Offered
from tierproof.serve.sights import OF_PLACES, Asked, Sight

STATIC = {"serve.css": "text/css", "keys.js": "text/javascript", "schema.json": "application/json"}
JSON = ".json"


@dataclass(frozen=True)
class Served:
    """What a server was started with: the designs that links may name, traces, and a run.

    `words` names the design that is offered first; `files` are traces of it in ITF.
    """

    offered: Offered
    words: str = ""
    files: tuple[Path, ...] = ()
    run: ServedRun | None = None

    def designs(self) -> list[dict[str, Any]]:
        """The designs that links may name, none of which is imported, and the scopes explored."""
        known = ledger.read()
        return [
            {
                "words": words,
                "link": Position(design=words).link,
                "scopes": list(known.get(words, ())),
            }
            for words in self.offered.words
        ]


def application(served: Served, token: str, hosts: tuple[str, ...]) -> Guarded:
    """The application for requests with a token to these hosts; others are refused."""
    addresses = _Addresses(served)
    routes = [
        Route(f"/{name}{ending}", _safe(answer), methods=["GET"])
        for name, answer in addresses.answers.items()
        for ending in ("", JSON)
    ]
    routes += [
        Route("/", _safe(addresses.designs), methods=["GET"]),
        Route("/lanes.svg", _safe(addresses.lanes), methods=["GET"]),
        Route("/offsets.svg", _safe(addresses.offsets), methods=["GET"]),
        Route("/path.{form}", _safe(addresses.export), methods=["GET"]),
        *(Route(f"/{name}", _static(name, kind)) for name, kind in STATIC.items()),
    ]
    return Guarded(Starlette(routes=[Mount(f"/{token}", routes=routes)]), token, hosts)


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    text = pages.style() if name == "serve.css" else _text(name)
    return lambda request: Response(text, media_type=kind)


def _text(name: str) -> str:
    return files("tierproof.serve").joinpath(f"templates/{name}").read_text(encoding="utf-8")


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return request.url.path.endswith(JSON) or accepted.startswith("application/json")


def _safe(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """An answer whose errors are sentences, as a page or as JSON."""

    def answered(request: Request) -> Response:
        try:
            return answer(request)
        except TierproofError as error:
            status = 400 if isinstance(error, Misused) else 422
            if _wants_json(request):
                return JSONResponse({"error": str(error)}, status_code=status)
            return Response(pages.refusal(str(error)), status, media_type="text/html")

    return answered


class _Addresses:
    """The answers; each runs in a thread of its own."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.answers: dict[str, Callable[[Request], Response]] = {
            "designs": self.designs,
            "walk": self.walk,
            "finding": self.finding,
            "trace": self.trace,
            "states": self.states,
            "state": self.state,
        }

    # -- pages

    def designs(self, request: Request) -> Response:
        """The designs that can be walked."""
        _only(request)
        found = self.served.designs()
        if _wants_json(request):
            return JSONResponse({"designs": found})
        return _page(pages.designs(found))

    def walk(self, request: Request) -> Response:
        """A position, and all that can be seen from it."""
        if _wants_json(request):
            return JSONResponse(self._sight(request).as_dict())
        refused = ""
        try:
            sight = self._sight(request)
        except BadExpression as error:  # it stays in its field, to be written again
            refused, sight = str(error), self._sight(request, is_reaching=False)
        page = pages.walk(sight, self.served.files, self.served.run, refused)
        return Response(page, 400 if refused else 200, media_type="text/html")

    def states(self, request: Request) -> Response:
        """The states of the run of which a condition in SQL is true."""
        given = _only(request, "where")
        run = self._run()
        where = given.get("where", "")
        found = run.states(where) if where else []
        for one in found:
            one["link"] = f"state?level={one['level']}&id={one['id']}"
        if _wants_json(request):
            return JSONResponse({"run": run.address, "where": where, "states": found})
        return _page(pages.states(run, where, found))

    # -- jumps

    def finding(self, request: Request) -> Response:
        """To the end of a finding's trace."""
        given = _only(request, "design", "name")
        question = Position.of([("design", _needed(given, "design"))]).question
        plain = self.served.offered.setting(question).plain
        found = jumps.to_finding(given["design"], plain, _needed(given, "name"))
        return self._to(request, found)

    def trace(self, request: Request) -> Response:
        """To the end of a trace in ITF, or of a trace of the run."""
        given = _only(request, "number", "claim")
        if "claim" in given:
            return self._to(request, self._run().to_claim(given["claim"]))
        which = number("number", _needed(given, "number"))
        if which >= len(self.served.files):
            raise BadLink(f"the server was started with {len(self.served.files)} traces")
        file = self.served.files[which]
        return self._to(request, jumps.to_file(file, self.served.words, self.served.offered))

    def state(self, request: Request) -> Response:
        """To a state of the run, by a shortest trace."""
        given = _only(request, "level", "id")
        level, id = (number(name, _needed(given, name)) for name in ("level", "id"))
        return self._to(request, self._run().to_state(level, id))

    def _to(self, request: Request, position: Position) -> Response:
        if _wants_json(request):
            sight = Sight.of(self.served.offered, position, Asked())
            return JSONResponse(sight.as_dict())
        return RedirectResponse(position.link, status_code=303)

    def _run(self) -> ServedRun:
        if self.served.run is None:
            raise BadLink("no run is served: start with tierproof serve RUN")
        return self.served.run

    # -- drawings and exports

    def lanes(self, request: Request) -> Response:
        """The steps between their actors, as SVG."""
        return _drawing(drawn.lanes_as_svg(self._sight(request).here, is_standalone=True))

    def offsets(self, request: Request) -> Response:
        """The design's own picture, as SVG."""
        return _drawing(drawn.offsets_of(self._sight(request).here, is_standalone=True))

    def export(self, request: Request) -> Response:
        """The path as a trace in ITF, as Markdown, or as a test."""
        form = closest("form of a path", request.path_params["form"], FORMS)
        write, kind = FORMS[form]
        sight = self._sight(request)
        text = write(sight.here, sight.cycle)
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", sight.here.setting.design.name)
        name = f"{plain}.{form}"
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(text, headers=named, media_type=kind)

    def _sight(self, request: Request, *, is_reaching: bool = True) -> Sight:
        pairs = request.query_params.multi_items()
        asked = _only(request, *NAMES, *OF_PLACES)
        more = {name: value for name, value in asked.items() if name in OF_PLACES}
        position = Position.of([pair for pair in pairs if pair[0] in NAMES])
        return Sight.of(self.served.offered, position, Asked.of(more), is_reaching=is_reaching)


FORMS: dict[str, tuple[Callable[..., str], str]] = {
    "itf.json": (exports.as_itf, "application/json"),
    "md": (exports.as_markdown, "text/markdown"),
    "py": (exports.as_test, "text/x-python"),
}
"""What a path is written as: how, and the type of it."""


def _only(request: Request, *known: str) -> dict[str, str]:
    """The parameters of a link, the first of each. Raises UnknownName for any other."""
    found = grouped(request.query_params.multi_items())
    for name in found:
        if not known:
            raise BadLink(f"this address takes no parameter, and {name} is given")
        closest("parameter of a link", name, known)
    return {name: values[0] for name, values in found.items()}


def _needed(given: dict[str, str], name: str) -> str:
    if name not in given:
        raise BadLink(f"the link gives no {name}")
    return given[name]


def _page(text: str) -> Response:
    return Response(text, media_type="text/html")


def _drawing(svg: str | None) -> Response:
    if svg is None:
        raise BadLink("nothing is drawn here")
    return Response(svg, media_type="image/svg+xml")
