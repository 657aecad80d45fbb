"""Functions that assign and functions that do not, to compare with the result of purity.py.

Uses the standard library only and is a script as well, so that other interpreters can run it:
`python3.13 byte_code_samples.py PATH_OF_PURITY` prints one line per wrong verdict.
"""

import importlib.util
import os
import sys
from typing import Any

total = 0


def attribute(state: Any) -> None:
    """`state.x = ...`"""
    state.offset = 1


def augmented(state: Any) -> None:
    """`state.x += ...`"""
    state.offset += 1


def annotated(state: Any) -> None:
    """`state.x: int = ...`"""
    state.offset: int = 1  # type: ignore[misc]


def unpacked(state: Any) -> None:
    """`state.x, y = ...`"""
    state.offset, _ = 1, 2


def looped(state: Any) -> None:
    """`for state.x in ...`"""
    for state.offset in range(3):
        pass


def comprehended(state: Any) -> list[int]:
    """`[... for state.x in ...]`"""
    return [0 for state.offset in range(3)]


def nested(state: Any) -> None:
    """`def inner(): state.x = ...`"""

    def inner() -> None:
        state.offset = 1

    inner()


def attribute_deleted(state: Any) -> None:
    """`del state.x`"""
    del state.offset


def element(state: Any) -> None:
    """`state.x[i] = ...`"""
    state.offset[0] = 1


def element_deleted(state: Any) -> None:
    """`del state.x[i]`"""
    del state.offset[0]


def sliced(state: Any) -> None:
    """`state.x[i:j] = ...`"""
    state.offset[0:1] = [1]


def global_name(state: Any) -> None:
    """`global x; x = ...`"""
    global total
    total = 1


def called(state: Any) -> None:
    """A helper that stands below."""
    below(state)


def below(state: Any) -> None:
    """The helper."""
    state.offset = 1


def reads(state: Any) -> bool:
    """Everything that only reads."""
    end = state.log.end - 1
    *parts, last = [record.offset for record in state.records if record.epoch >= 0]
    chosen = {offset: offset + 1 for offset in parts}
    for index in range(len(parts)):
        end = max(end, parts[index])
    return end > last and chosen.get(end, False) and any(o > end for o in state.records[1:])


ASSIGN = {
    attribute: "to the attribute offset",
    augmented: "to the attribute offset",
    annotated: "to the attribute offset",
    unpacked: "to the attribute offset",
    looped: "to the attribute offset",
    comprehended: "to the attribute offset",
    nested: "to the attribute offset",
    attribute_deleted: "the attribute offset",
    element: "to an element",
    element_deleted: "an element",
    sliced: "to a",
    global_name: "to the global total",
    called: "to the attribute offset",
}


def mistakes(purity: Any) -> list[str]:
    """What `purity` says of these functions and should not."""
    found = []
    for function, what in ASSIGN.items():
        said = purity.assignment_in(function)
        line = function.__code__.co_firstlineno
        if said is None or what not in said or not said.endswith(")"):
            found.append(f"{function.__name__} (line {line}): {said}")
    if purity.assignment_in(reads) is not None:
        found.append(f"reads: {purity.assignment_in(reads)}")
    expected = {"log", "end", "records", "offset", "epoch", "get"}
    if purity.attributes_of(reads) != expected:
        found.append(f"reads: attributes {sorted(purity.attributes_of(reads))}")
    if purity.assignment_in(attribute) != _sentence(attribute, "attribute", 2):
        found.append(f"attribute: {purity.assignment_in(attribute)}")
    return found


def _sentence(function: Any, name: str, below_first: int) -> str:
    line = function.__code__.co_firstlineno + below_first
    file = os.path.relpath(function.__code__.co_filename)
    return f"{name} assigns to the attribute offset ({file}:{line})"


def main(path: str) -> None:
    """Load purity.py from `path` under this interpreter and write out its mistakes."""
    spec = importlib.util.spec_from_file_location("purity", path)
    assert spec is not None
    assert spec.loader is not None
    purity = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(purity)
    sys.stdout.write("".join(f"{line}\n" for line in mistakes(purity)))


if __name__ == "__main__":
    main(sys.argv[1])
