"""Derivation: which variants of a design still apply to one that is derived from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tierproof.model.language.editing import Editing
from tierproof.model.language.edits import Edit, Variant, in_order
from tierproof.model.language.errors import TierproofError

if TYPE_CHECKING:
    from tierproof.model.language.design import Design


def variants_of_base(made: Design, change: Edit, anew: Mapping[str, Any]) -> dict[str, Any]:
    """Which variants of its base still apply to `made`, which `change` makes of it.

    A variant is lost if it contradicts the change, or names what the change dropped; one that does
    not apply to the base alone, either, needs another variant and is kept. Returns fields of a
    Design: `variants`, and `lost_variants`, each with the reason.
    """
    base = made.base
    assert base is not None
    parts = {part.name: getattr(change, part.name) for part in fields(Edit)}
    derived = Variant(name=made.name, because="the design that is derived", **parts)
    kept, lost = [], {}
    for variant in base.variants:
        if variant.name in base.chosen_variants:
            lost[variant.name] = f"{base.name!r} had it when {made.name!r} was derived"
            continue
        order = in_order([variant], base.variants)
        reason = _refusal(base, [derived, *order], anew) or _refusal(made, order, {})
        if reason and not _refusal(base, order, {}):
            lost[variant.name] = reason
        else:
            kept.append(variant)
    return {"variants": tuple(kept), "lost_variants": lost}


def _refusal(design: Design, edits: Sequence[Edit], anew: Mapping[str, Any]) -> str:
    """Why the edits do not apply to a design, or nothing."""
    try:
        Editing(design, edits, anew).apply()
    except TierproofError as error:
        return str(error)
    return ""
