"""The name of an actor is a template; that it can be shown is seen when it is declared."""

import pytest

from tests.language.house import PHASE, Door, House, Phase, Way, house
from tierproof.model.language import Actor, UnknownName, Variant, action
from tierproof.model.language.errors import DesignError


@pytest.mark.parametrize(
    ("template", "told"),
    [
        (
            "x {zz}",
            r"unknown parameter in `actor` of action 'rings' 'zz': did you mean door, way\?",
        ),
        ("x {dor}", "did you mean door"),
        ("x {}", "unknown parameter in `actor` of action 'rings' ''"),
        ("x {0}", "unknown parameter in `actor` of action 'rings' '0'"),
        ("x {door", "`actor` of action 'rings' is 'x {door', which cannot be shown: expected"),
        ("x }", "which cannot be shown: Single '}'"),
        ("x {door!z}", "which cannot be shown: Unknown conversion specifier"),
        ("x {door:%Y}", "which cannot be shown: Invalid format specifier"),
        ("x {door.name}", "which cannot be shown: 'int' object has no attribute 'name'"),
        ("x {way[1]}", "which cannot be shown"),
        ("x {door:{width}}", "'rings' 'width': did you mean"),
    ],
)
@pytest.mark.parametrize("part", ["actor", "to"])
def test_the_name_of_an_actor_can_be_shown_for_the_parameters(template, told, part):
    def rings(state: House, door: Door, way: Way) -> None:
        """Ring."""
        state.visitors = (state.visitors + 1) % 4

    told = told.replace("`actor`", f"`{part}`")
    with pytest.raises((DesignError, UnknownName), match=told):
        house(system=(action(**{part: template})(rings),))


def test_the_name_of_an_actor_of_an_action_without_parameters_has_no_braces():
    def rings(state: House) -> None:
        """Ring."""
        state.visitors = (state.visitors + 1) % 4

    with pytest.raises(DesignError, match="the action has no parameter 'door'"):
        action(actor="x {door}")(rings)
    assert action(actor="x {{door}}")(rings).actor.format() == "x {door}"


def test_the_name_of_an_actor_may_say_the_name_of_a_value():
    def rings(state: House, door: Door, way: Way) -> None:
        """Ring."""
        state.visitors = (state.visitors + 1) % 4

    assert house(system=(action(actor="{way.name} {door:02d}")(rings),))


def test_an_action_that_a_variant_adds_has_an_actor_that_can_be_shown():
    @action(actor="{window.name}")
    def cat_enters(state: House, window: Door) -> None:
        """Another way."""
        state.visitors = min(3, state.visitors + 1)

    more = Variant(name="more", because="A cat.", add_system=(cat_enters,))
    with pytest.raises(DesignError, match=r"'cat_enters' is '{window\.name}', which cannot"):
        house(variants=(more,))


@pytest.mark.parametrize("targets", [Phase.BUSY, (Phase.BUSY, Phase.DONE)])
def test_the_field_of_a_thread_is_one_that_the_state_has(targets):
    worker = Actor("worker", at="phse", life=PHASE)

    @worker.action(None, targets)
    def worker_begins(state: House) -> None:
        """Begin."""
        state.visitors = (state.visitors + 1) % 4

    with pytest.raises(UnknownName, match=r"`at` of actor 'worker' 'phse': did you mean phase\?"):
        house(system=(worker_begins,))
