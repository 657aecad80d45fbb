"""Arithmetic on 64-bit integers with Python's meaning: results that do not fit are faults."""

from __future__ import annotations

from tierproof.model.language.reading.tree import Spot
from tierproof.spark_explorer.compiler.faults import FaultKind
from tierproof.spark_explorer.compiler.frame import Frame

BITWISE = {"&": "and", "|": "or", "^": "xor"}
CHECKED = {"+": "sadd", "-": "ssub", "*": "smul"}
SMALLEST = -(1 << 63)


def binary(frame: Frame, sign: str, left: str, right: str, spot: Spot) -> str:
    """`left sign right`."""
    if sign in BITWISE:
        return frame.writer.value(f"{BITWISE[sign]} i64 {left}, {right}")
    if sign in CHECKED:
        return _checked(frame, CHECKED[sign], left, right, spot)
    return {"<<": _left, ">>": _right, "//": _quotient, "%": _remainder}[sign](
        frame, left, right, spot
    )


def unary(frame: Frame, sign: str, operand: str, spot: Spot) -> str:
    """`sign operand`; the sign may also be `abs`."""
    if sign == "+":
        return operand
    if sign == "~":
        return frame.writer.value(f"xor i64 {operand}, -1")
    negated = _checked(frame, "ssub", "0", operand, spot)
    if sign == "-":
        return negated
    test = frame.writer.value(f"icmp slt i64 {operand}, 0")
    return frame.writer.value(f"select i1 {test}, i64 {negated}, i64 {operand}")


def _checked(frame: Frame, name: str, left: str, right: str, spot: Spot) -> str:
    writer = frame.writer
    both = writer.value(
        f"call {{ i64, i1 }} @llvm.{name}.with.overflow.i64(i64 {left}, i64 {right})"
    )
    is_over = writer.value(f"extractvalue {{ i64, i1 }} {both}, 1")
    frame.refuse_if(is_over, FaultKind.OVERFLOW, spot)
    return writer.value(f"extractvalue {{ i64, i1 }} {both}, 0")


def _amount(frame: Frame, right: str, spot: Spot) -> str:
    """The number of bits to shift, at most 63: a further shift leaves only the sign."""
    frame.refuse_if(frame.writer.value(f"icmp slt i64 {right}, 0"), FaultKind.SHIFT, spot)
    is_small = frame.writer.value(f"icmp slt i64 {right}, 63")
    return frame.writer.value(f"select i1 {is_small}, i64 {right}, i64 63")


def _right(frame: Frame, left: str, right: str, spot: Spot) -> str:
    return frame.writer.value(f"ashr i64 {left}, {_amount(frame, right, spot)}")


def _left(frame: Frame, left: str, right: str, spot: Spot) -> str:
    if left == "1":  # a bit of a set
        is_small = frame.writer.value(f"icmp ult i64 {right}, 63")
        frame.require(is_small, FaultKind.OVERFLOW, spot)
        return frame.writer.value(f"shl i64 1, {right}")
    writer, amount = frame.writer, _amount(frame, right, spot)
    found = writer.value(f"shl i64 {left}, {amount}")
    back = writer.value(f"ashr i64 {found}, {amount}")
    is_lost = writer.value(f"icmp ne i64 {back}, {left}")
    is_far = writer.value(f"icmp sgt i64 {right}, 63")
    is_something = writer.value(f"icmp ne i64 {left}, 0")
    too_far = writer.value(f"and i1 {is_far}, {is_something}")
    frame.refuse_if(writer.value(f"or i1 {is_lost}, {too_far}"), FaultKind.OVERFLOW, spot)
    return found


def _divided(frame: Frame, left: str, right: str, spot: Spot) -> tuple[str, str, str]:
    """The machine's quotient and remainder, and whether they need a correction.

    Python rounds down and gives the remainder the sign of the divisor; the machine rounds
    towards 0.
    """
    writer = frame.writer
    frame.refuse_if(writer.value(f"icmp eq i64 {right}, 0"), FaultKind.DIVISION, spot)
    quotient = writer.value(f"sdiv i64 {left}, {right}")
    remainder = writer.value(f"srem i64 {left}, {right}")
    is_inexact = writer.value(f"icmp ne i64 {remainder}, 0")
    signs = writer.value(f"xor i64 {remainder}, {right}")
    is_opposite = writer.value(f"icmp slt i64 {signs}, 0")
    return quotient, remainder, writer.value(f"and i1 {is_inexact}, {is_opposite}")


def _quotient(frame: Frame, left: str, right: str, spot: Spot) -> str:
    is_least = frame.writer.value(f"icmp eq i64 {left}, {SMALLEST}")
    is_minus_one = frame.writer.value(f"icmp eq i64 {right}, -1")
    is_over = frame.writer.value(f"and i1 {is_least}, {is_minus_one}")
    frame.refuse_if(is_over, FaultKind.OVERFLOW, spot)
    quotient, _, is_off = _divided(frame, left, right, spot)
    lower = frame.writer.value(f"sub i64 {quotient}, 1")
    return frame.writer.value(f"select i1 {is_off}, i64 {lower}, i64 {quotient}")


def _remainder(frame: Frame, left: str, right: str, spot: Spot) -> str:
    # Modulo -1 is 0, as modulo 1; the machine traps on the smallest number modulo -1.
    is_minus_one = frame.writer.value(f"icmp eq i64 {right}, -1")
    right = frame.writer.value(f"select i1 {is_minus_one}, i64 1, i64 {right}")
    _, remainder, is_off = _divided(frame, left, right, spot)
    higher = frame.writer.value(f"add i64 {remainder}, {right}")
    return frame.writer.value(f"select i1 {is_off}, i64 {higher}, i64 {remainder}")
