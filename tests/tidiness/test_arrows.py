"""Imports run one way, and the checker knows nothing of Kafka."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import networkx
import pytest

from tests.tidiness.source_files import (
    PACKAGES,
    ROOT,
    Named,
    files_of,
    imports_of,
    module_of,
    shown,
)
from tests.tidiness.test_house import FOLDERS, is_in, offences

LENT = (
    "diagrams",
    "conformance",
    "conformance.audit",
    "conformance.brokers",
    "conformance.recorders",
)
"""Packages of which the command line, and the pytest plugin, call public functions only."""

BORROWERS = ("command_line", "pytest_plugin")

ROOMS: dict[str, tuple[str, ...]] = {
    "model.language": ("model.language",),
    "model.kafka": ("model.language", "model.kafka"),
    "model.designs": (
        "model.language",
        "model.kafka",
        "model.designs",
        "invariants",
    ),
    "invariants": ("model.language", "model.kafka", "invariants"),
    "properties": ("model.language", "properties"),
    "spark_explorer": ("model.language", "spark_explorer"),
    "diagrams": ("model.language", "diagrams"),
    "pytest_plugin": (
        "model.language",
        "properties",
        "spark_explorer",
        "pytest_plugin",
        "diagrams",
    ),
    # An audit keeps machine code; whoever could write to that folder would run his own.
    "conformance": ("model", "invariants", "conformance", "spark_explorer.native.keeping"),
    "register": ("model", "invariants", "spark_explorer", "diagrams", "conformance", "register"),
    "serve": ("model", "spark_explorer", "diagrams", "pytest_plugin", "register", "serve"),
    "command_line": (
        "model",
        "invariants",
        "spark_explorer",
        "register",
        "serve",
        "command_line",
        *LENT,
    ),
}
"""Room -> the rooms of ours that it may import from."""


def is_ours(name: str) -> bool:
    """True for a module of this repository."""
    return name.split(".")[0] in FOLDERS


def may_import(module: str, name: str) -> bool:
    """True if the arrows let `module` import `name`, both of this repository."""
    room = next((room for room in ROOMS if is_in(module, room)), None)
    if room in BORROWERS and name.partition(".")[0] in LENT:
        return name in LENT and name in ROOMS[room]
    return room is not None and any(is_in(name, target) for target in ROOMS[room])


def against_the_arrows(path: Path) -> Iterator[Named]:
    """Imports of our own modules that the arrows forbid."""
    for line, name in imports_of(path):
        if is_ours(name) and not may_import(module_of(path), name):
            yield line, f"imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_follow_the_arrows(package):
    assert offences(files_of(package), against_the_arrows) == []


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("model.language.state", "model.language.layout", True),
        ("model.language.state", "model.kafka.local_log", False),
        ("model.kafka.local_log", "model.language", True),
        ("model.kafka.local_log", "invariants.fencing", False),
        ("invariants.fencing", "model.kafka.local_log", True),
        ("invariants.fencing", "model.designs.kip950", False),
        ("model.designs.kip950", "invariants.fencing", True),
        ("model.designs.kip950", "spark_explorer.search", False),
        ("properties.machine", "model.designs.kip950", False),
        ("spark_explorer.search", "model.designs.kip950", False),
        ("spark_explorer.search", "register", False),
        ("diagrams.report", "register", False),
        ("model.designs.kip950", "register", False),
        ("register.pages", "spark_explorer.search", True),
        ("register.pages", "command_line", False),
        ("command_line.cli", "register.pages", True),
        ("properties.machine", "spark_explorer.results", False),
        ("diagrams.report", "properties", False),
        ("spark_explorer.search", "diagrams", False),
        ("command_line.cli", "diagrams", True),
        ("command_line.cli", "diagrams.report", False),
        ("pytest_plugin.telling", "diagrams", True),
        ("pytest_plugin.telling", "diagrams.report", False),
        ("pytest_plugin.telling", "conformance", False),
        ("pytest_plugin.driving", "properties", True),
        ("pytest_plugin.exploring", "command_line.running", False),
        ("properties.machine", "pytest_plugin", False),
        ("command_line.cli", "conformance", True),
        ("command_line.cli", "conformance.rows", False),
        ("conformance.lineage", "model.kafka.leader_epoch_lineage", True),
        ("conformance.lineage", "spark_explorer.results", False),
        ("model.kafka.local_log", "conformance", False),
        ("serve.sights", "register.traces", True),
        ("serve.sights", "command_line.tracing", False),
        ("register.site", "serve.pages", False),
        ("command_line.serving", "serve.server", True),
        ("model", "model.language", False),
        ("model.languages", "model.language", False),
    ],
)
def test_the_arrows_are_those_of_the_architecture(module, name, allowed):
    assert may_import(module, name) == allowed


CIRCLES: tuple[frozenset[str], ...] = (
    frozenset(
        "model.language." + name
        for name in (
            "derivation",
            "design",
            "editing",
            "interpreter",
            "offset_picture",
            "reading",
            "reading.designs",
            "symmetry",
            "symmetry.checking",
            "trace",
            "vocabulary",
        )
    ),
    frozenset("model.language.reading." + name for name in ("asked", "collected", "tree")),
)
"""Modules that name each other's types: what a Design makes takes Designs; the typed trees.

None of them is a circle when modules are imported, as one of its arrows is for the types only.
"""


def circles_of(arrows: Iterable[tuple[str, str]]) -> list[frozenset[str]]:
    """Modules that import each other, directly or not, in groups."""
    found = networkx.strongly_connected_components(networkx.DiGraph(list(arrows)))
    return sorted((frozenset(group) for group in found if len(group) > 1), key=sorted)


def arrows_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """(module, what it imports) of our own modules, also of what is imported for its types."""
    for path in paths:
        module = module_of(path)
        yield from ((module, name) for _, name in imports_of(path) if is_ours(name))


def test_no_modules_import_each_other_but_those_that_name_each_others_types():
    paths = (path for package in PACKAGES for path in files_of(package))
    assert circles_of(arrow for arrow in arrows_of(paths) if len({*arrow}) == 2) == [*CIRCLES]


def test_a_circle_is_found_however_long_it_is():
    arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")]
    assert circles_of(arrows) == [{"a", "b", "c"}]


CHECKER = ("model/language", "spark_explorer", "properties", "diagrams", "pytest_plugin")
OF_KAFKA = re.compile(
    r"kafka|\bkip-?\d+|tierproof\.(?:model\.designs|invariants|conformance|register)", re.IGNORECASE
)


@pytest.mark.parametrize("room", CHECKER)
def test_the_checker_contains_no_word_of_kafkas_half(room):
    lines = [
        f"{shown(path)}:{number} {line.strip()}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if OF_KAFKA.search(line)
    ]
    assert lines == []
