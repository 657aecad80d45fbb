"""The text of one LLVM function under construction: registers, blocks, slots of variables."""

from __future__ import annotations

WORD = 8
"""Bytes of an integer."""


class Writer:
    """Collects instructions. `block` is the current block; there is none if `is_ended`."""

    def __init__(self) -> None:
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.block = "entry"
        self.is_ended = False
        self._count = 0

    def value(self, instruction: str) -> str:
        """Append an instruction with a result; returns its register."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(f"  {instruction}")

    def slot(self, kind: str) -> str:
        """A slot for a local variable of this LLVM type, allocated at the start of the function."""
        self._count += 1
        name = f"%s{self._count}"
        self.slots.append(f"  {name} = alloca {kind}")
        return name

    def load(self, pointer: str, kind: str = "i64") -> str:
        """Load the value at a pointer."""
        return self.value(f"load {kind}, ptr {pointer}")

    def store(self, value: str, pointer: str, kind: str = "i64") -> None:
        """Store a value at a pointer."""
        self.do(f"store {kind} {value}, ptr {pointer}")

    def ahead(self, pointer: str, words: str | int) -> str:
        """The pointer advanced by a number of words."""
        if words in (0, "0"):
            return pointer
        return self.value(f"getelementptr i64, ptr {pointer}, i64 {words}")

    def label(self) -> str:
        """A name for a later block."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """Start a block; later instructions belong to it."""
        if not self.is_ended:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.block, self.is_ended = label, False

    def jump(self, label: str) -> None:
        """End the block: branch to another."""
        self._end(f"br label %{label}")

    def branch(self, test: str, yes: str, no: str) -> None:
        """End the block: branch to one of two."""
        self._end(f"br i1 {test}, label %{yes}, label %{no}")

    def give(self, kind: str, value: str = "") -> None:
        """End the block: return."""
        self._end(f"ret {kind} {value}".rstrip())

    def _end(self, instruction: str) -> None:
        if not self.is_ended:
            self.do(instruction)
        self.is_ended = True

    def text(self, head: str) -> str:
        """The whole function, `head` being its first line up to the brace."""
        return "\n".join([f"{head} {{", "entry:", *self.slots, *self.lines, "}"])
