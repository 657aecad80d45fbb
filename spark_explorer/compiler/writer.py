"""The text of one LLVM function under way: registers, blocks, slots for local variables."""

from __future__ import annotations

WORD = 8
"""Bytes of an integer of ours."""


class Writer:
    """Collects instructions. The block under way is `block`; none where `is_ended`."""

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
        """Room for a local variable of that LLVM type, made when the function begins."""
        self._count += 1
        name = f"%s{self._count}"
        self.slots.append(f"  {name} = alloca {kind}")
        return name

    def load(self, pointer: str, kind: str = "i64") -> str:
        """What lies at a pointer."""
        return self.value(f"load {kind}, ptr {pointer}")

    def store(self, value: str, pointer: str, kind: str = "i64") -> None:
        """Put a value where a pointer points to."""
        self.do(f"store {kind} {value}, ptr {pointer}")

    def ahead(self, pointer: str, words: str | int) -> str:
        """The pointer so many words ahead."""
        if words in (0, "0"):
            return pointer
        return self.value(f"getelementptr i64, ptr {pointer}, i64 {words}")

    def label(self) -> str:
        """A name for a block that is to come."""
        self._count += 1
        return f"b{self._count}"

    def begin(self, label: str) -> None:
        """From here on instructions belong to this block."""
        if not self.is_ended:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.block, self.is_ended = label, False

    def jump(self, label: str) -> None:
        """End the block: go on at another."""
        self._end(f"br label %{label}")

    def branch(self, test: str, yes: str, no: str) -> None:
        """End the block: go on at one of two."""
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
