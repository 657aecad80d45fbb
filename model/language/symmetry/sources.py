"""What loops run over: the item's sort, and whether its order is that of alike things."""

from __future__ import annotations

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.scope import Expression, Size
from tierproof.model.language.symmetry.judging import Judging
from tierproof.model.language.symmetry.sorts import (
    NUMBER,
    Items,
    Number,
    One,
    Queue,
    Row,
    Several,
    Sort,
    Tally,
    is_one_of,
)


def item_of(body: Judging, source: tree.Iteration) -> tuple[Sort, str]:
    """The sort of an item, and the bound of alike things in whose order items come, if any."""
    if isinstance(source, tree.Count):
        return _counted(body, source)
    if isinstance(source, tree.Over):
        row = body.sort(source.array)
        assert isinstance(row, Row)
        return row.element, _name(row.count) if row.is_alike else ""
    if isinstance(source, tree.Each):
        return _each(body, source), ""
    if isinstance(source, collected.InTurn):
        queue = body.sort(source.sequence)
        assert isinstance(queue, Queue)
        return queue.element, ""
    whole = body.sort(source.members if isinstance(source, collected.Ascending) else source.bag)
    assert isinstance(whole, (Several, Tally))
    if isinstance(whole.of, Expression):
        return One(whole.of), _name(whole.of)
    return NUMBER, ""


def _counted(body: Judging, source: tree.Count) -> tuple[Sort, str]:
    """A range: over all indexes of a size, over some of them, or over any numbers."""
    for limit in (source.start, source.stop):
        body.number(limit, "counts to", "loop over all, and test each")
    if source.step != 1 or not isinstance(source.start, tree.Constant) or source.start.value < 0:
        return NUMBER, ""
    size = _size(body, source.stop)
    if source.start.value == 0 and is_one_of(size, body.alike):
        assert isinstance(size, Expression)
        return One(size), _name(size)
    return Number(None if is_one_of(size, body.alike) else size), ""


def _size(body: Judging, stop: tree.Expression) -> Size | None:
    """The size that the end of a range is, if it is one."""
    if isinstance(stop, tree.Bound):
        return body.bounds.get(stop.name)
    if isinstance(stop, tree.Length):
        row = body.sort(stop.whole)
        return row.count if isinstance(row, Row) else None
    return None


def _each(body: Judging, source: tree.Each) -> Sort:
    whole = body.sort(source.whole)
    assert isinstance(whole, Items)
    found = whole.items[0]
    for item in whole.items[1:]:
        found = body.both(found, item, "has both", "loop over two tuples")
    return found


def _name(size: Size) -> str:
    return size.text if isinstance(size, Expression) else str(size)
