"""The entry points of a design's module, which the engine calls once per state or step.

    enabled(ctx, state, dropped, low, sizes, first, steps) -> how many steps are enabled
    apply(ctx, after, step)                                   take a step in place
    check_state(ctx, state, premises, found) -> how many      numbers of the checks that report
    check_step(ctx, before, after, step, found) -> how many
    mark_state(ctx, state, marks)                             goals and premises of liveness
    within_bounds(ctx, state) -> 0 or 1

and that of a second module, for designs of many initial states:

    begin(ctx, after, step)                                   make an initial state in place

If the context holds a fault afterwards, the caller ignores the rest of the result. The tables
(`dropped` guards; `low` and `sizes` of parameters; `first` labels) are passed at each call, so that
ablations, and scopes of equal lengths, share one module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tierproof.model.language.actions import SCOPE, Action, Predicate
from tierproof.model.language.design import Design
from tierproof.model.language.errors import OutsideLanguage
from tierproof.model.language.initial import Initial
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.functions import changed_since, look_again
from tierproof.model.language.reading.tree import Function
from tierproof.model.language.reading.types import BOOL, STEP_TYPE, Type
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.compiler.functions import Module
from tierproof.spark_explorer.compiler.sizes import parts_of, result_of
from tierproof.spark_explorer.compiler.writer import Writer

MOST_PARAMETERS = 4
"""Of an action."""
STEP = 2 + MOST_PARAMETERS
"""Integers that describe a step: label, action, then the parameters."""
GOAL, PREMISE = 1, 2
"""Bits of a mark: the goal, or the premise, of a liveness property holds in a state."""
ENTRIES = ("enabled", "apply", "check_state", "check_step", "mark_state", "within_bounds")
BEGIN = ("begin",)


class Entries:
    """Writes the entry points of a design in a scope into a module."""

    def __init__(
        self,
        design: Design,
        scope: Scope,
        *,
        reader: Reader | None = None,
        is_plain: bool = False,
        is_concrete: bool = False,
    ) -> None:
        self.design, self.scope, self.reader = design, scope, reader or Reader(design)
        layout = design.layout(scope)
        self.offsets = {placed.path: placed.offset for placed in layout.leaves}
        leaves = len(layout.leaves)
        kind = {"is_plain": is_plain, "is_concrete": is_concrete}
        self.module = Module(scope, leaves, design.actions, **kind)
        self.numbers = {name: number for number, name in enumerate(design.guards)}

    def write(self) -> Module:
        """The module with all entry points."""
        for index, act in enumerate(self.design.actions):
            self._enabled_of(index, act)
        self._enabled()
        self._assigning("apply", self.design.actions)
        self._check_state()
        self._check_step()
        self._mark_state()
        self._within_bounds()
        return self.module

    def write_begin(self) -> Module:
        """A module that makes initial states, apart so that no identity depends on it.

        Raises OutsideLanguage: initial states may use all of Python.
        """
        self._assigning("begin", self.design.initial)
        return self.module

    # -- calls

    def _call(self, writer: Writer, function: Function, given: Sequence[str]) -> str:
        """Call a function with LLVM operands; leave the entry if it sets a fault."""
        name, may_fail = self.module.compiled(function)
        operands = ["ptr %ctx"]
        for (_, kind), operand in zip(function.parameters, given, strict=True):
            operands += [f"{part} {operand}" for part in parts_of(kind)]
        result, found = result_of(function.result), ""
        call = f"call {result} @{name}({', '.join(operands)})"
        if result == "void":
            writer.do(call)
        else:
            found = writer.value(call)
        if may_fail:
            on = writer.label()
            is_well = writer.value(f"icmp eq i64 {writer.load('%ctx')}, 0")
            writer.branch(is_well, on, "out")
            writer.begin(on)
        return found

    def _truth(self, writer: Writer, function: Function, given: Sequence[str]) -> str:
        found = self._call(writer, function, given)
        return found if function.result == BOOL else writer.value(f"icmp ne i64 {found}, 0")

    def _finish(self, writer: Writer, head: str, result: str = "") -> None:
        """End an entry, or leave it early at `out`; `result` is the slot of its return value."""
        writer.begin("out")
        writer.give(*(("i64", writer.load(result)) if result else ("void",)))
        self.module.texts.append(writer.text(head))

    # -- steps

    def _enabled_of(self, index: int, act: Action) -> None:
        """Append the enabled steps of an action; a guard is tested once its arguments are known."""
        writer = Writer()
        count = writer.slot("i64")
        writer.store("%n", count)
        values: dict[str, str] = {}
        if act.budget:
            left = writer.load(writer.ahead("%state", self.offsets[act.budget]))
            self._go_on_if(writer, writer.value(f"icmp sgt i64 {left}, 0"), "end")
        self._guards(writer, act, 0, values, "end")
        ways: list[tuple[str, str, str]] = []
        for column, name in enumerate(act.parameters):
            row = index * MOST_PARAMETERS + column
            low = writer.load(writer.ahead("%low", row))
            size = writer.load(writer.ahead("%sizes", row))
            place = writer.slot("i64")
            writer.store("0", place)
            head, inside, following = (writer.label() for _ in range(3))
            behind = ways[-1][0] if ways else "end"
            writer.begin(head)
            raw = writer.load(place)
            writer.branch(writer.value(f"icmp slt i64 {raw}, {size}"), inside, behind)
            writer.begin(inside)
            values[name] = writer.value(f"add i64 {raw}, {low}")
            ways.append((following, head, place))
            self._guards(writer, act, column + 1, values, following)
        self._append_step(writer, index, [place for _, _, place in ways], values, count)
        for following, head, place in reversed(ways):
            writer.begin(following)
            raw = writer.load(place)
            writer.store(writer.value(f"add nsw i64 {raw}, 1"), place)
            writer.jump(head)
        writer.begin("end")
        head = f"define internal i64 @enabled_{index}({ENABLED}, i64 %n) nounwind"
        self._finish(writer, head, count)

    def _go_on_if(self, writer: Writer, test: str, otherwise: str) -> None:
        on = writer.label()
        writer.branch(test, on, otherwise)
        writer.begin(on)

    def _guards(
        self, writer: Writer, act: Action, depth: int, values: dict[str, str], otherwise: str
    ) -> None:
        for entry in act.guards_by_depth[depth]:
            function = self.reader.guard(act, entry)
            place = writer.value(f"getelementptr i8, ptr %dropped, i64 {self.numbers[entry.name]}")
            ask, on = writer.label(), writer.label()
            is_kept = writer.value(f"icmp eq i8 {writer.load(place, 'i8')}, 0")
            writer.branch(is_kept, ask, on)
            writer.begin(ask)
            given = self._arguments(writer, function, entry.arguments, values, "%state")
            writer.branch(self._truth(writer, function, given), on, otherwise)
            writer.begin(on)

    def _arguments(
        self,
        writer: Writer,
        function: Function,
        names: Sequence[str],
        values: Mapping[str, str],
        state: str,
    ) -> list[str]:
        """The operands of a call: the state, then parameters by name; a scope takes none."""
        given = [state]
        for name, (_, kind) in zip(names, function.parameters[1:], strict=True):
            given.append("" if name == SCOPE else _as(writer, values[name], kind))
        return given

    def _append_step(
        self,
        writer: Writer,
        index: int,
        places: Sequence[str],
        values: dict[str, str],
        count: str,
    ) -> None:
        number = "0"
        for column, place in enumerate(places):
            size = writer.load(writer.ahead("%sizes", index * MOST_PARAMETERS + column))
            scaled = writer.value(f"mul i64 {number}, {size}")
            number = writer.value(f"add i64 {scaled}, {writer.load(place)}")
        first = writer.load(writer.ahead("%first", index))
        label = writer.value(f"add i64 {first}, {number}")
        found = writer.load(count)
        step = writer.ahead("%steps", writer.value(f"mul i64 {found}, {STEP}"))
        for column, value in enumerate((label, str(index), *values.values())):
            writer.store(value, writer.ahead(step, column))
        writer.store(writer.value(f"add i64 {found}, 1"), count)

    def _enabled(self) -> None:
        writer = Writer()
        count = writer.slot("i64")
        writer.store("0", count)
        for index in range(len(self.design.actions)):
            given = f"{ENABLED}, i64 {writer.load(count)}"
            writer.store(writer.value(f"call i64 @enabled_{index}({given})"), count)
            is_well = writer.value(f"icmp eq i64 {writer.load('%ctx')}, 0")
            self._go_on_if(writer, is_well, "out")
        self._finish(writer, f"define i64 @enabled({ENABLED}) nounwind", count)

    def _assigning(self, name: str, entries: Sequence[Action | Initial]) -> None:
        """Run the functions of one of the entries, which is named with its arguments, in place."""
        writer = Writer()
        chosen = writer.load(writer.ahead("%step", 1))
        labels = [writer.label() for _ in entries]
        cases = " ".join(f"i64 {n}, label %{label}" for n, label in enumerate(labels))
        writer.do(f"switch i64 {chosen}, label %out [ {cases} ]")
        writer.is_ended = True
        for entry, label in zip(entries, labels, strict=True):
            writer.begin(label)
            values = {
                parameter: writer.load(writer.ahead("%step", column))
                for column, parameter in enumerate(entry.parameters, start=2)
            }
            for function, names in self.reader.effects(entry):
                given = self._arguments(writer, function, names, values, "%after")
                self._call(writer, function, given)
            writer.jump("out")
        self._finish(writer, f"define void @{name}(ptr %ctx, ptr %after, ptr %step) nounwind")

    # -- checks

    def _claims(self, *kinds: PropertyKind) -> Iterator[tuple[int, Property]]:
        for number, entry in enumerate(self.design.checked):
            if entry.kind in kinds:
                yield number, entry

    def _note(self, writer: Writer, number: int, count: str) -> None:
        """Append the number of a check that reports."""
        found = writer.load(count)
        writer.store(str(number), writer.ahead("%found", found))
        writer.store(writer.value(f"add i64 {found}, 1"), count)

    def _check_state(self) -> None:
        """Report violated invariants and reached witnesses; count premises that hold."""
        writer = Writer()
        count = writer.slot("i64")
        writer.store("0", count)
        for number, entry in self._claims(PropertyKind.INVARIANT, PropertyKind.WITNESS):
            on = writer.label()
            if entry.premise is not None:
                self._go_on_if(writer, self._holds(writer, entry.premise, "%state"), on)
                place = writer.ahead("%premises", number)
                writer.store(writer.value(f"add i64 {writer.load(place)}, 1"), place)
            is_true, hit = self._holds(writer, entry, "%state"), writer.label()
            is_invariant = entry.kind is PropertyKind.INVARIANT
            writer.branch(is_true, *((on, hit) if is_invariant else (hit, on)))
            writer.begin(hit)
            self._note(writer, number, count)
            writer.begin(on)
        head = "define i64 @check_state(ptr %ctx, ptr %state, ptr %premises, ptr %found) nounwind"
        self._finish(writer, head, count)

    def _holds(self, writer: Writer, entry: Predicate, *states: str) -> str:
        function = self.reader.predicate(entry)
        rest = function.parameters[len(states) :]
        given = ["%step" if kind == STEP_TYPE else "" for _, kind in rest]
        return self._truth(writer, function, [*states, *given])

    def _check_step(self) -> None:
        writer = Writer()
        count = writer.slot("i64")
        writer.store("0", count)
        for number, entry in self._claims(PropertyKind.STEP):
            on, hit = writer.label(), writer.label()
            writer.branch(self._holds(writer, entry, "%before", "%after"), on, hit)
            writer.begin(hit)
            self._note(writer, number, count)
            writer.begin(on)
        given = "ptr %ctx, ptr %before, ptr %after, ptr %step, ptr %found"
        self._finish(writer, f"define i64 @check_step({given}) nounwind", count)

    def _mark_state(self) -> None:
        """Liveness properties, in their order: a byte each of GOAL and PREMISE."""
        writer = Writer()
        for column, (_, entry) in enumerate(self._claims(PropertyKind.LIVENESS)):
            goal = writer.value(f"zext i1 {self._holds(writer, entry, '%state')} to i8")
            mark = writer.value(f"mul i8 {goal}, {GOAL}")
            premise = str(PREMISE)
            if entry.premise is not None:
                is_true = self._holds(writer, entry.premise, "%state")
                premise = writer.value(f"select i1 {is_true}, i8 {PREMISE}, i8 0")
            mark = writer.value(f"or i8 {mark}, {premise}")
            place = writer.value(f"getelementptr i8, ptr %marks, i64 {column}")
            writer.store(mark, place, "i8")
        self._finish(writer, "define void @mark_state(ptr %ctx, ptr %state, ptr %marks) nounwind")

    def _within_bounds(self) -> None:
        writer = Writer()
        result = writer.slot("i64")
        writer.store("1", result)
        if self.design.bounds is not None:
            is_inside = self._holds(writer, self.design.bounds, "%state")
            writer.store(writer.value(f"zext i1 {is_inside} to i64"), result)
        self._finish(writer, "define i64 @within_bounds(ptr %ctx, ptr %state) nounwind", result)


def check_unchanged(module: Module, entries: Entries) -> None:
    """Raise OutsideLanguage unless `entries` would write `module` again, function for function.

    It is asked when the initial states are made: CPython makes them, and may assign what the
    functions of the design have as constants.
    """
    look_again()
    changed = next(changed_since(module.functions), None)
    if changed is not None and _written(entries) != module.text:
        name, function = changed
        raise OutsideLanguage(
            f"{name!r} has another meaning in {function!r} once the initial states are made, which "
            "is not the one that is explored: let initial states change nothing but the state"
        )


def _written(entries: Entries) -> str:
    """The text of the module, or nothing if a function cannot be read any more."""
    try:
        return entries.write().text
    except OutsideLanguage:
        return ""


ENABLED = "ptr %ctx, ptr %state, ptr %dropped, ptr %low, ptr %sizes, ptr %first, ptr %steps"


def _as(writer: Writer, value: str, kind: Type) -> str:
    """A parameter, an i64, as its type."""
    return writer.value(f"icmp ne i64 {value}, 0") if kind == BOOL else value
