"""An explanation as lines of text: which parts of a property or a guard decide its value.

It is made of the record of a `Part`, see `tierproof.model.language.explaining`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tierproof.model.language.explaining import NEVER

MOST_LINES = 10
"""How many lines an explanation has unless all of it is asked for."""
WIDTH = 96
"""How many characters of an expression a line shows unless all of it is asked for."""
SIDE_WIDTH = 48
"""How many characters of one side of a comparison a line shows."""
MOST_FIELDS = 6
"""How many fields a line names."""
MOST_STEPS = 4
"""How many steps that would reach the goal of a liveness property have a line."""

Record = Mapping[str, Any]
Known = Mapping[str, str]
"""Variables with the values that lines above show."""


def explanation_lines(part: Record, *, is_full: bool = False) -> list[str]:
    """The parts below `part` as a tree, one line each; at most MOST_LINES unless it is full.

    If lines are left out, those that are deepest, the last line says how many.
    """
    known = {**_only_state(part), **part["bindings"]}
    if is_full:
        return [_indented(depth, line) for depth, line in _walked(list(_full(part, known)), 0)]
    for is_tight in (False, True):
        brief = _Brief(is_tight)
        lines = brief.of_cycle(part, known) if part["value"] == NEVER else brief.lines(part, known)
        everything = list(_walked(list(lines), 0))
        if len(everything) <= MOST_LINES:
            break
    return _cut_to(MOST_LINES, everything)


def _only_state(part: Record) -> dict[str, str]:
    """The state of which all parts speak, if it is one: no line need name it."""
    found = {one["bindings"]["state"] for one in part["parts"] if "state" in one["bindings"]}
    return {"state": found.pop()} if len(found) == 1 else {}


# -- a tree of lines


@dataclass
class _Line:
    text: str
    inside: list[_Line] = field(default_factory=list)


def _walked(lines: list[_Line], depth: int) -> Iterator[tuple[int, _Line]]:
    for one in lines:
        yield depth, one
        yield from _walked(one.inside, depth + 1)


def _indented(depth: int, line: _Line) -> str:
    return f"{'  ' * depth}{line.text}"


def _cut_to(most: int, everything: list[tuple[int, _Line]]) -> list[str]:
    """The first lines of each depth, from the outermost on, and how many more there are."""
    if len(everything) <= most:
        return [_indented(*one) for one in everything]
    ordered = sorted(range(len(everything)), key=lambda number: (everything[number][0], number))
    kept = sorted(ordered[: most - 1])
    left_out = f"({len(everything) - len(kept)} more lines)"
    return [*(_indented(*everything[number]) for number in kept), left_out]


# -- all of it


def _full(part: Record, known: Known) -> Iterator[_Line]:
    """Every part, one line each, with the fields that it reads itself."""
    for child in part["parts"]:
        if _is_known(child, known):
            continue
        head, within = _head(child, known)
        facts = _in_parentheses(_by_owner(child["fields"]))
        line = _Line(f"{head}{child['text']} {_said(child)}{facts}", list(_full(child, within)))
        yield line
    if part["more"]:
        yield _Line(f"and {part['more']} more")


# -- in brief


@dataclass(frozen=True)
class _Brief:
    """Comparisons and computed values in one line each, with the fields that they rest on.

    If `is_tight`, so is a call that consists of one comparison.
    """

    is_tight: bool

    def lines(self, part: Record, known: Known) -> Iterator[_Line]:
        """The lines of what decides a part."""
        for child in part["parts"]:
            if _is_passed_over(child, part):
                yield from self.lines(child, known)
            elif not _is_known(child, known):
                yield self.line(child, known)
        if part["more"]:
            yield _Line(f"and {part['more']} more")

    def line(self, part: Record, known: Known) -> _Line:
        """The line of a part, with those of its parts below unless they are said in it."""
        head, within = _head(part, known)
        is_whole, facts = self._facts(part, within)
        line = _Line(f"{head}{_cut(part['text'])} {_said(part)}{_in_parentheses(facts)}")
        if not is_whole:
            line.inside = list(self.lines(part, within))
        else:
            line.inside = [self.line(one, within) for one in _counted(part)]
        return line

    def _facts(self, part: Record, known: Known) -> tuple[bool, list[str]]:
        """Whether a line says all of a part, and the values on which it rests."""
        if part["text"].startswith(("for ", "while ")):
            return False, []
        if part["truth"] is None:
            return True, _by_owner(_fields_of([part]))
        sides = [one for one in part["parts"] if one["truth"] is None]
        if len(sides) == len(part["parts"]) and not part["more"]:
            own = _by_owner(part["fields"]) if not sides else []
            return True, own + _of_sides(sides, known)
        if self.is_tight and len(part["parts"]) == 1 and not part["more"]:
            return self._facts(part["parts"][0], known)
        return False, []

    def of_cycle(self, part: Record, known: Known) -> Iterator[_Line]:
        """The goal that a cycle never reaches, then a line for each step that would, or is fair."""
        steps = [one for one in part["parts"] if one["value"] not in ("True", "False")]
        goal = [one for one in part["parts"] if one["text"] == part["text"]]
        for one in goal:
            yield from self.lines(one, known) if len(goal) == 1 else [self.line(one, known)]
        for one in steps[:MOST_STEPS]:
            yield _Line(self._step(one, known))
        if more := len(steps[MOST_STEPS:]):
            yield _Line(f"and {more} more step{'' if more == 1 else 's'}")

    def _step(self, part: Record, known: Known) -> str:
        """A step and the guards that refuse it, in a line."""
        head, within = _head(part, known)
        refused = ", ".join(self._guard(one, within) for one in part["parts"])
        told = f"{head}{part['text']} {_said(part)}"
        return f"{told}: {refused}" if refused else told

    def _guard(self, part: Record, known: Known) -> str:
        facts = _by_owner(_fields_of([part]))
        return f"{part['text']} is false{_in_parentheses(facts)}"


def _counted(part: Record) -> list[Record]:
    """The cases in which a loop changed a variable that is compared."""
    sides = [one for one in part["parts"] if one["truth"] is None and one["text"].isidentifier()]
    return [case for side in sides for case in side["parts"] if case["truth"] and case["bindings"]]


def _of_sides(sides: list[Record], known: Known) -> list[str]:
    """What the sides of a comparison are: fields by their owner, after what is computed."""
    computed, fields = [], dict[str, str]()
    for side in sides:
        if _is_known(side, known):
            continue
        found = _fields_of([side])
        if side["parts"] or len(found) != 1 or not _is_of(side["value"], found):
            computed.append(f"{_cut(side['text'], SIDE_WIDTH)} = {side['value']}")
        if len(fields) + len(found) <= MOST_FIELDS:
            fields |= found
    return [*computed, *_by_owner(fields)]


def _is_of(value: str, fields: Mapping[str, str]) -> bool:
    """Whether a value is that of a field, before or after a step."""
    return any(value in told.split(" -> ") for told in fields.values())


def _fields_of(parts: list[Record]) -> dict[str, str]:
    """The fields that parts read, those of their own parts included; none if they are many."""
    found: dict[str, str] = {}
    for part in parts:
        found |= {**part["fields"], **_fields_of(part["parts"])}
    return found if len(found) <= MOST_FIELDS else {}


def _is_passed_over(child: Record, parent: Record) -> bool:
    """A quantifier that is all that a call or a property consists of: its cases say it."""
    is_quantifier = child["text"].startswith(("all(", "any(")) and child["parts"]
    others = [one for one in parent["parts"] if one is not child and one["parts"]]
    return bool(is_quantifier) and not others and not child["bindings"]


# -- words


def _head(part: Record, known: Known) -> tuple[str, Known]:
    """The bindings that a line shows, and all that are known below it."""
    fresh = {name: value for name, value in part["bindings"].items() if known.get(name) != value}
    told = ", ".join(f"{name}={value.replace(', ', ',')}" for name, value in fresh.items())
    return f"{told}: " if told else "", {**known, **fresh}


def _said(part: Record) -> str:
    """What a part is, in words."""
    value: str = part["value"]
    if part["truth"] is not None and (value in ("True", "False") or re.fullmatch(r"-?\d+", value)):
        return "is true" if part["truth"] else "is false"
    is_sentence = " " in value and not value.startswith(("{", "(", "["))
    return value if is_sentence and part["text"] != value else f"= {value}"


def _is_known(part: Record, known: Known) -> bool:
    """A variable whose value stands before a line already."""
    return not part["parts"] and not part["fields"] and known.get(part["text"]) == part["value"]


def _by_owner(fields: Mapping[str, str]) -> list[str]:
    """`broker 0: log_start_offset 0, log_end_offset 1`."""
    found: dict[str, list[str]] = {}
    for path, value in fields.items():
        match = re.match(r"(\w+)\[(\d+)\]\.(.+)$", path)
        owner, name = (f"{match[1]} {match[2]}: ", match[3]) if match else ("", path)
        found.setdefault(owner, []).append(f"{name} {value}")
    return [f"{owner}{', '.join(told)}" for owner, told in found.items()]


def _in_parentheses(facts: list[str]) -> str:
    return f" ({'; '.join(facts)})" if facts else ""


def _cut(text: str, width: int = WIDTH) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."
