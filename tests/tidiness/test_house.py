"""The source code keeps its rules on imports, names and sizes, and nothing is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.tidiness.source_files import (
    PACKAGES,
    ROOT,
    Named,
    calls_in,
    files_of,
    functions_in,
    identifiers_in,
    imports_in,
    imports_of,
    module_of,
    shown,
    tree_of,
    undocumented_in,
)

FOLDERS = (*PACKAGES, "tests", "benchmarks")

LIBRARIES: dict[str, tuple[str, ...]] = {
    "duckdb": ("spark_explorer.tables",),
    "graphviz": ("diagrams",),
    "mcp": ("serve",),
    "starlette": ("serve",),
    "uvicorn": ("serve",),
    "hypothesis": ("properties", "pytest_plugin"),
    "networkx": ("diagrams",),
    "numba": ("spark_explorer.native", "conformance.audit.reading"),
    "pytest": ("pytest_plugin",),
    "pyspark": ("spark_explorer.spark", "conformance.audit"),
    "rich": ("command_line",),
    "transitions": ("model.language",),
    "typer": ("command_line",),
}
"""Library -> the rooms that may know of it."""

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 50

BANNED = {
    "lso": "log_start_offset or last_stable_offset, in full",
    "leo": "log_end_offset",
    "hwm": "high_watermark",
    "rsm": "remote_store",
    "rlm": "remote_log_manager",
    "rlmm": "remote_metadata",
    "seen_states": "visited",
    "unique_states": "distinct_states",
    "total_states": "generated_states",
    "successor_list": "successors",
    "counter_example": "counterexample",
    "aux_vars": "ghost",
    "precondition": "guard",
    "postcondition": "effect",
}
"""A word of an identifier -> what we say instead (STYLE.md)."""

BANNED_OF_KAFKA = {
    "upload": "copy",
    "uploaded": "copied",
    "offload": "copy",
    "archive": "copy",
    "purge": "expire, delete_records or truncate",
}
"""The same, for the packages that speak of Kafka."""

VAGUE = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "shared",
    "base",
    "manager",
    "core",
}
"""Modules are called after the idea they hold."""

MARKERS = re.compile(
    r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b"
)
MACHINES = re.compile(r"(?<![\w.])/(?:work|Users|root|home/\w+)" + r"/\w")


def is_in(name: str, room: str) -> bool:
    """True for a room's own name and for everything below it."""
    return name == room or name.startswith(room + ".")


def all_files() -> Iterator[Path]:
    """Every Python file of the repository."""
    for folder in FOLDERS:
        yield from files_of(folder)


def offences(paths: Iterable[Path], rule: Callable[[Path], Iterable[Named]]) -> list[str]:
    """`file:line what` for everything that a rule finds."""
    return [f"{shown(path)}:{line} {what}" for path in paths for line, what in rule(path)]


def out_of_place(path: Path) -> Iterator[Named]:
    """Imports of libraries that this room is not to know of."""
    for line, name in imports_of(path):
        rooms = LIBRARIES.get(name.split(".")[0])
        if rooms is not None and not any(is_in(module_of(path), room) for room in rooms):
            yield line, f"imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_each_library_is_known_in_its_own_room_only(package):
    assert offences(files_of(package), out_of_place) == []


def test_nothing_but_tests_imports_tests():
    outside = [path for folder in (*PACKAGES, "benchmarks") for path in files_of(folder)]
    found = offences(outside, imports_of)
    assert [line for line in found if re.search(r" tests(\.|$)", line)] == []


# -- leftovers


def matches(pattern: re.Pattern[str]) -> Callable[[Path], Iterator[Named]]:
    """The rule that no line of a file matches `pattern`."""

    def rule(path: Path) -> Iterator[Named]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if found := pattern.search(line):
                yield number, found[0]

    return rule


def other_texts() -> list[Path]:
    """Documents and settings, which are held to the same."""
    endings = (".md", ".toml", ".txt", ".json", ".j2", ".css", ".yml", ".yaml", ".cfg")
    below = [path for folder in (*FOLDERS, ".ci", ".setup", "docs") for path in below_of(folder)]
    top = [path for path in ROOT.iterdir() if path.is_file()]
    return [path for path in (*below, *top) if path.suffix in endings or path.name == "Makefile"]


def below_of(folder: str) -> list[Path]:
    """Every file below a folder, if there is one."""
    return sorted(path for path in (ROOT / folder).rglob("*") if path.is_file())


def test_no_marker_of_unfinished_work_is_left():
    assert offences([*all_files(), *other_texts()], matches(MARKERS)) == []


def test_no_path_of_a_developer_machine_is_left():
    assert offences([*all_files(), *other_texts()], matches(MACHINES)) == []


def leftover_calls(path: Path) -> Iterator[Named]:
    """Calls that belong in a debugging session; benchmarks are scripts and may print."""
    banned = {"breakpoint", "pprint"} | ({"print"} if "benchmarks" not in path.parts else set())
    return ((line, f"calls {name}") for line, name in calls_in(tree_of(path)) if name in banned)


def debuggers(path: Path) -> Iterator[Named]:
    """Imports of a debugger."""
    return ((line, name) for line, name in imports_of(path) if name in ("pdb", "ipdb", "pudb"))


def test_nothing_prints_or_stops_in_a_debugger():
    assert offences(all_files(), leftover_calls) == []
    assert offences(all_files(), debuggers) == []


# -- names


def words_of(identifier: str) -> str:
    """An identifier in snake case with an underscore at either end."""
    return f"_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', identifier).lower().strip('_')}_"


def banned_in(tree: ast.Module, banned: dict[str, str]) -> Iterator[Named]:
    """Identifiers that contain a banned word, with the word to use instead."""
    for line, name in identifiers_in(tree):
        for word, better in banned.items():
            if f"_{word}_" in words_of(name):
                yield line, f"{name}: not {word!r} but {better}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_are_those_of_the_glossary(folder):
    assert offences(files_of(folder), lambda path: banned_in(tree_of(path), BANNED)) == []


def test_kafka_is_spoken_of_in_its_own_words():
    rooms = ("model/kafka", "model/designs", "invariants", "conformance")
    speakers = [path for room in rooms for path in files_of(room)]
    assert offences(speakers, lambda path: banned_in(tree_of(path), BANNED_OF_KAFKA)) == []


def test_no_module_has_a_vague_name():
    names = [shown(path) for path in all_files() if {path.stem, path.parent.name} & VAGUE]
    assert names == []


# -- what a design says first


def lines_of_imports(path: Path) -> int:
    """How many lines of a file import."""
    imports = (n for n in tree_of(path).body if isinstance(n, (ast.Import, ast.ImportFrom)))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in imports)


def test_a_design_lists_the_parts_of_its_modules_and_imports_few_names():
    pages = sorted((ROOT / "model/designs").glob("*/__init__.py"))
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in pages}
    long = [path for path in pages if lines[path] > 60]
    assert long
    assert [shown(path) for path in long if 3 * lines_of_imports(path) > lines[path]] == []


# -- sizes and documentation


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_longer_than_a_reader_bears(folder):
    sizes = {shown(p): len(p.read_text("utf-8").splitlines()) for p in files_of(folder)}
    assert {name: lines for name, lines in sizes.items() if lines > MOST_LINES_OF_A_FILE} == {}


def long_functions(path: Path) -> Iterator[Named]:
    """Functions above the limit."""
    for (line, name), lines in functions_in(tree_of(path)):
        if lines > MOST_LINES_OF_A_FUNCTION:
            yield line, f"{name} has {lines} lines"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_function_is_longer_than_a_screen(folder):
    assert offences(files_of(folder), long_functions) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_module_class_and_function_says_what_it_is(package):
    assert offences(files_of(package), lambda path: undocumented_in(tree_of(path))) == []


# -- the rules themselves

UNTIDY = '''
import pdb
from tierproof.model import language
from ..results import Verdict

def uploaded_until(rsm, seen_states):
    """Documented."""
    def later():
        import hypothesis.strategies
    LsoOfLeader = 1
    state.log_leo = 2
    print(state)

class Open: ...
class _Closed: ...
'''


def test_the_rules_find_what_they_look_for():
    tree = ast.parse(UNTIDY)
    assert {name for _, name in imports_in(tree, "spark_explorer.spark.tasks")} == {
        "pdb",
        "model.language",
        "spark_explorer.results",
        "hypothesis.strategies",
    }
    found = [what.partition(":")[0] for _, what in banned_in(tree, {**BANNED, **BANNED_OF_KAFKA})]
    assert sorted(found) == ["LsoOfLeader", "log_leo", "rsm", "seen_states", "uploaded_until"]
    assert {name for _, name in calls_in(tree)} == {"print"}
    assert [name for _, name in undocumented_in(tree)] == ["the module", "Open"]
    assert dict(functions_in(tree)) == {(6, "uploaded_until"): 7, (8, "later"): 2}


def test_a_word_is_banned_whole():
    tree = ast.parse("else_ = also = false_positive = halso = leopard = 1")
    assert list(banned_in(tree, BANNED)) == []


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (MARKERS, "# " + "TO" + "DO: later", True),
        (MARKERS, "todos and mastodons", False),
        (MACHINES, '"/' + 'work/main/model"', True),
        (MACHINES, "/" + "home/ada/src", True),
        (MACHINES, "https://example.org/work/items", False),
        (MACHINES, "the work/life of /proc/self", False),
    ],
)
def test_a_leftover_is_found_and_what_is_none_is_not(pattern, text, found):
    assert bool(pattern.search(text)) == found
