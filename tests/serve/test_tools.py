"""The tools for assistants, asked through the client of the protocol's own SDK."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent

from tierproof.serve.tools import server

TANK = "tests/toys/leaky_tank.py:DESIGN"
COMMIT = "tests/toys/two_phase_commit.py:DESIGN"
TWICE = ["left_seam_drips()", "left_seam_drips"]


def asked(tool: str, folder: str | None = None, **given: Any) -> tuple[Any, str]:
    """What a tool answers: plain values, and text if it refuses."""

    async def ask() -> tuple[Any, str]:
        async with Client(server(folder)) as client:
            answer = await client.call_tool(tool, given)
            says = "".join(one.text for one in answer.content if isinstance(one, TextContent))
            return answer.structured_content, says if answer.is_error else ""

    return anyio.run(ask)


def told(tool: str, **given: Any) -> Any:
    """What a tool answers that does not refuse."""
    found, refused = asked(tool, **given)
    assert not refused
    return found


def test_the_tools_say_what_they_are_for_and_how_they_are_bounded():
    async def ask() -> Any:
        async with Client(server()) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in anyio.run(ask)}
    assert list(tools) == ["list_designs", "explore", "trace", "why", "why_not", "what_if"]
    assert all(tool.description for tool in tools.values())
    bounds = tools["explore"].input_schema["properties"]
    assert (bounds["max_states"]["default"], bounds["max_seconds"]["default"]) == (200_000, 20.0)


def test_designs_are_listed_and_one_is_told_in_full():
    assert "kip950" in told("list_designs")["designs"]
    found = told("list_designs", design=TANK)
    assert set(found["variants"]) == {"repair_seal_left", "repair_seal_right"}
    assert found["properties"]["tank_has_water"] == "The tank is never dry."


def test_exploring_tells_verdicts_and_the_path_to_each_violation():
    found = told("explore", design=TANK)
    assert (found["verdict"], found["cut"], found["distinct_states"]) == ("VIOLATED", None, 5)
    assert found["properties"][0]["path"] == ["left_seam_drips", "left_seam_drips"]
    assert found["properties"][1]["path"] is None
    both = ["repair_seal_left", "repair_seal_right"]
    assert told("explore", design=TANK, variants=both)["verdict"] == "HOLDS"


def test_an_exploration_that_is_cut_by_its_states_is_incomplete():
    found = told("explore", design=COMMIT, scope="five", max_states=100)
    assert found["verdict"] == "INCOMPLETE"
    assert "the limit of 100 states" in found["cut"]


def test_an_exploration_that_is_cut_by_its_seconds_is_incomplete_or_refused():
    found, refused = asked(
        "explore", design=COMMIT, scope="eight", max_states=20_000_000, max_seconds=0.2
    )
    if refused:
        assert "before the search began" in refused
    else:
        assert found["verdict"] == "INCOMPLETE"
        assert found["cut"] == "the limit of 0.2 seconds"


def test_a_trace_tells_the_steps_the_state_and_what_is_violated():
    found = told("trace", design=TANK, steps=TWICE)
    assert found["steps"][1]["changes"] == {"level": [1, 0], "is_dry": [False, True]}
    assert found["state"] == {"is_dry": True, "has_lid": True}
    assert [one["name"] for one in found["violated"]] == ["tank_has_water"]
    assert found["enabled"] == ["rain_fills()"]


def test_why_tells_the_parts_of_a_property_also_of_one_that_holds():
    found = told("why", design=TANK, steps=TWICE, property="tank_has_water")
    assert found["word"] == "violated"
    assert found["why"]["parts"][0]["text"] == "not state.is_dry"
    held = told("why", design=TANK, property="tank_has_water")
    assert (held["word"], held["why"]["truth"]) == ("held", True)


def test_why_not_tells_the_guard_that_is_false():
    found = told("why_not", design=TANK, step="rain_fills()")
    assert found["guards"][0]["guard"] == "has_room"
    assert not found["is_enabled"]


def test_what_if_takes_another_step_and_goes_on_as_far_as_it_goes():
    found = told("what_if", design=TANK, steps=TWICE, at=2, step="rain_fills")
    assert [one["step"] for one in found["steps"]] == ["left_seam_drips()", "rain_fills()"]
    assert (found["stops"], found["violated"]) == (None, [])
    found = told("what_if", design=TANK, steps=[*TWICE, "rain_fills"], at=1)
    assert [one["step"] for one in found["steps"]] == ["left_seam_drips()", "rain_fills()"]
    found = told("what_if", design=TANK, steps=TWICE, variants=["repair_seal_left"])
    assert found["stops"]["number"] == 1


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("trace", {"design": "nobody"}, "unknown design"),
        ("trace", {"design": "/etc/passwd.py"}, "unknown design"),
        ("trace", {"design": TANK, "scope": "smal"}, "did you mean small"),
        ("why", {"design": TANK, "property": "tank"}, "no property 'tank'"),
        ("why", {"design": TANK, "property": "tank_has_water", "steps": ["rain_fills"]}, "step 1"),
        ("why_not", {"design": TANK, "step": "rain_falls"}, "did you mean rain_fills"),
        ("what_if", {"design": TANK, "step": "rain_fills"}, "say with `at`"),
        ("what_if", {"design": TANK, "at": 3, "steps": TWICE}, "no step 3"),
        ("trace", {"design": "kip950", "finding": "nobody"}, "unknown finding"),
        ("trace", {"design": "kip950", "finding": "a", "scope": "smoke"}, "leave these out"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(tool, given, says):
    _, refused = asked(tool, **given)
    assert says in refused


@pytest.mark.slow
def test_the_command_speaks_the_protocol_on_its_standard_streams():
    async def ask() -> Any:
        asked = ["-m", "tierproof", "mcp"]
        command = StdioServerParameters(command=sys.executable, args=asked, env=dict(os.environ))
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("trace", {"design": TANK, "steps": TWICE})

    assert anyio.run(ask).structured_content["enabled"] == ["rain_fills()"]


# -- a design that is being written

DESIGN = '''
from typing import Annotated
from tierproof import Design, Range, Scope, State, action, bound, initial, invariant, limit

class Size(Scope):
    most: int = bound(1, 9, default=3)

class Count(State):
    value: Annotated[int, Range(0, Size.most)]

@initial
def zero(state: Count) -> None:
    """Nothing is counted."""

@limit
def has_room(state: Count, scope: Size) -> bool:
    """There is room."""
    return state.value < scope.most

@action(guards=[has_room])
def counts(state: Count) -> None:
    """One more."""
    state.value += 1

@invariant()
def is_small(state: Count) -> bool:
    """It is small."""
    return state.value < 2

DESIGN = Design(
    name="count", title="A count", state=Count, initial=(zero,), system=(counts,),
    properties=(is_small,), scopes={"default": Size()},
)
'''


def test_a_design_is_read_anew_once_it_was_saved(tmp_path: Path):
    file = tmp_path / "count_of_tests.py"
    file.write_text(DESIGN)

    async def ask() -> list[Any]:
        found = []
        async with Client(server(str(tmp_path))) as client:
            for text in (DESIGN, DESIGN.replace("value < 2", "value < 200"), DESIGN + "\nx = ("):
                file.write_text(text)
                given = {"design": "count_of_tests.py:DESIGN"}
                found.append(await client.call_tool("explore", given))
        return found

    broken, held, unreadable = anyio.run(ask)
    assert broken.structured_content["properties"][0]["path"] == ["counts", "counts"]
    assert held.structured_content["verdict"] == "HOLDS"
    assert "SyntaxError" in unreadable.content[0].text
