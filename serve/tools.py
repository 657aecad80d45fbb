"""Tools for assistants, by the Model Context Protocol: what the page shows, as plain values.

Designs in files below the folder are imported anew when they were saved, so that a design can be
checked while it is being written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from tierproof.model.language.errors import TierproofError
from tierproof.register import inventory
from tierproof.serve import choices, jumps, reasons
from tierproof.serve.bounded_search import explored
from tierproof.serve.positions import BadLink, Position
from tierproof.serve.settings import Offered
from tierproof.serve.sights import Asked, Sight
from tierproof.serve.step_words import read
from tierproof.serve.verdicts_here import Word

INSTRUCTIONS = (
    "tierproof is an explicit-state model checker; a design is a typed Python file. Begin with "
    "explore, which is bounded: INCOMPLETE means that the search was cut, never that all is well. "
    "Each violation has a path; give it as `steps` to trace, why, why_not and what_if. A step is "
    "written action(parameter=value), or as a path has it."
)
STATES, SECONDS = 200_000, 20.0
MOST_STATES, MOST_SECONDS = 20_000_000, 600.0

DesignWords = Annotated[
    str, Field(description="A design: a name (list_designs), or a file such as my_design.py:DESIGN")
]
ScopeWords = Annotated[str | None, Field(description="A named scope; by default `default`")]
BoundValues = Annotated[dict[str, int] | None, Field(description="Bounds changed in the scope")]
VariantNames = Annotated[list[str] | None, Field(description="Variants of the design to take")]
GuardNames = Annotated[list[str] | None, Field(description="Guards to leave out")]
FindingWords = Annotated[
    str | None, Field(description="A finding of the design, whose trace and edits are taken")
]
StepWords = Annotated[
    list[str] | None, Field(description="The steps from the initial state, in order")
]


def server(folder: str | None = None) -> MCPServer:
    """The server of the tools; designs of one's own are looked for in the folder."""
    made = MCPServer("tierproof", instructions=INSTRUCTIONS, log_level="ERROR")
    tools = _Tools(Offered(folder=folder, has_files=True))
    for tool in (
        tools.list_designs,
        tools.explore,
        tools.trace,
        tools.why,
        tools.why_not,
        tools.what_if,
    ):
        made.add_tool(_in_a_sentence(tool), structured_output=True)
    return made


def _in_a_sentence(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The tool, whose errors are told to the assistant in a sentence."""

    @wraps(tool)
    def told(*given: Any, **named: Any) -> dict[str, Any]:
        try:
            return tool(*given, **named)
        except TierproofError as error:
            raise ToolError(str(error)) from None
        except KeyboardInterrupt:
            raise ToolError("the limit of seconds was over before the search began") from None

    return told


class _Tools:
    def __init__(self, offered: Offered) -> None:
        self.offered = offered

    def list_designs(self, design: DesignWords | None = None) -> dict[str, Any]:
        """The designs that are installed; or one design in full: its scopes, variants, guards,
        actions, properties and findings."""
        if design is None:
            return {"designs": list(self.offered.words)}
        plain = self.offered.setting(Position(design=design).question).plain
        return {**inventory.of(plain), "findings": jumps.findings_of(plain)}

    def explore(
        self,
        design: DesignWords,
        scope: ScopeWords = None,
        bounds: BoundValues = None,
        variants: VariantNames = None,
        without: GuardNames = None,
        max_states: Annotated[int, Field(ge=1, le=MOST_STATES)] = STATES,
        max_seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = SECONDS,
    ) -> dict[str, Any]:
        """Explore every order of events within the scope, breadth-first, within the budgets.

        Each property has a verdict (HOLDS, VIOLATED, INCOMPLETE) and, if violated, the path of a
        shortest counterexample. HOLDS is said only if the search was not cut."""
        asked = _position(design, scope, bounds, variants, without).question
        return explored(self.offered.setting(asked).question, max_states, max_seconds)

    def trace(
        self,
        design: DesignWords,
        steps: StepWords = None,
        finding: FindingWords = None,
        scope: ScopeWords = None,
        bounds: BoundValues = None,
        variants: VariantNames = None,
        without: GuardNames = None,
    ) -> dict[str, Any]:
        """Take steps from the initial state, or those of a finding, as far as they are possible.

        Tells what each step changed, the state, what is violated and why, and what can be done."""
        return _seen(self._sight(design, steps, finding, scope, bounds, variants, without))

    def why(
        self,
        property: str,
        design: DesignWords,
        steps: StepWords = None,
        finding: FindingWords = None,
        scope: ScopeWords = None,
        bounds: BoundValues = None,
        variants: VariantNames = None,
        without: GuardNames = None,
    ) -> dict[str, Any]:
        """Why a property is violated, or not, at the end of the steps: its parts and values."""
        sight = self._sight(design, steps, finding, scope, bounds, variants, without)
        _whole(sight)
        found = {one["name"]: one for one in sight.as_dict()["properties"]}
        if property not in found:
            raise ToolError(f"no property {property!r}: the design has {', '.join(found)}")
        told = found[property]
        if told["why"] is None:
            told["why"] = reasons.of_property(sight.here, property, told["kind"], sight.cycle)
        return told

    def why_not(
        self,
        step: str,
        design: DesignWords,
        steps: StepWords = None,
        finding: FindingWords = None,
        scope: ScopeWords = None,
        bounds: BoundValues = None,
        variants: VariantNames = None,
        without: GuardNames = None,
    ) -> dict[str, Any]:
        """Why a step cannot be taken at the end of the steps: each false guard with its parts,
        and the step of the path that ended it."""
        sight = self._sight(design, steps, finding, scope, bounds, variants, without)
        _whole(sight)
        return choices.why_not_taken(sight.here, read(sight.here.setting.interpreter.steps, step))

    def what_if(
        self,
        design: DesignWords,
        at: Annotated[
            int | None, Field(ge=1, description="The number of a step to replace")
        ] = None,
        step: Annotated[str | None, Field(description="The step to take instead")] = None,
        steps: StepWords = None,
        finding: FindingWords = None,
        scope: ScopeWords = None,
        bounds: BoundValues = None,
        variants: VariantNames = None,
        without: GuardNames = None,
    ) -> dict[str, Any]:
        """Take another step at one place of a path, or leave the step there out, and go on with
        the rest as far as it goes; says where it stops and why. `variants` and `without` come on
        top of a finding's: the same steps in the changed design."""
        if at is None and step is not None:
            raise ToolError("say with `at` which step the other one replaces")
        sight = self._sight(design, steps, finding, scope, bounds, variants, without, is_more=True)
        if at is None:
            return _seen(sight)
        path = (*sight.here.path, *sight.here.rest)
        if at > len(path):
            raise ToolError(f"the path has {len(path)} steps, and no step {at}")
        other = [] if step is None else [step]
        changed = sight.position.at((*path[: at - 1], *other, *path[at:]))
        return _seen(Sight.of(self.offered, changed, Asked()))

    def _sight(
        self,
        design: str,
        steps: list[str] | None,
        finding: str | None,
        scope: str | None,
        bounds: dict[str, int] | None,
        variants: list[str] | None,
        without: list[str] | None,
        *,
        is_more: bool = False,
    ) -> Sight:
        """The end of steps, or of a finding's trace with these edits on top if `is_more`."""
        position = _position(design, scope, bounds, variants, without)
        if finding is not None:
            if steps is not None or scope or bounds or (not is_more and (variants or without)):
                raise BadLink("a finding has its own steps, scope and edits: leave these out")
            plain = self.offered.setting(Position(design=design).question).plain
            found = jumps.to_finding(design, plain, finding)
            position = found.with_edits(position.variants, position.without)
        else:
            position = position.at(steps or ())
        return Sight.of(self.offered, position, Asked())


def _position(
    design: str,
    scope: str | None,
    bounds: dict[str, int] | None,
    variants: list[str] | None,
    without: list[str] | None,
) -> Position:
    return Position(
        design=design,
        scope=scope,
        bounds=tuple((bounds or {}).items()),
        variants=tuple(variants or ()),
        without=tuple(without or ()),
    )


def _whole(sight: Sight) -> None:
    """Raise BadLink unless all of the steps are possible."""
    if (halt := sight.here.halt) is not None:
        raise BadLink(f"step {halt.number}, {halt.word}, is not possible: {halt.why}")


def _seen(sight: Sight) -> dict[str, Any]:
    """What an assistant reads of a position: without links, and without what is as declared."""
    told = sight.as_dict()
    state = {
        field["path"]: field["value"]
        for owner in told["state"]
        for field in owner["fields"]
        if not field["is_as_declared"]
    }
    kept = ("number", "step", "actor", "statement", "changes")
    violated = [one for one in told["properties"] if one["word"] == Word.VIOLATED]
    return {
        "design": told["design"]["name"],
        "scope": told["design"]["scope"],
        "variants": told["design"]["chosen_variants"],
        "without": told["design"]["dropped_guards"],
        "path": told["position"]["path"],
        "steps": [{name: one[name] for name in kept} for one in told["trail"]],
        "stops": told["halt"],
        "repeats_from": told["position"]["cycle"],
        "is_at_rest": told["position"]["is_at_rest"],
        "state": state,
        "violated": violated,
        "reached": [one["name"] for one in told["properties"] if one["word"] == Word.REACHED],
        "enabled": [one["step"] for group in told["enabled"] for one in group["steps"]],
    }
