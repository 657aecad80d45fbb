"""Audit of a real cluster: its remote log metadata held against the model and the bucket.

Read-only. ``tables`` says what is read, ``reading`` reads it, and the rest judges it.

    found, judgement = audit(Sources(metadata=[Path("data")]), into=Path("build/audit"))
    found.answer(), found.as_dict()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tierproof.conformance.audit.auditing import Sources, audit
    from tierproof.conformance.audit.given import offsets_in, topic_ids_in
    from tierproof.conformance.audit.kept import keep, tables_in
    from tierproof.conformance.audit.reading import NotReadable
    from tierproof.conformance.audit.stepped import itf_of
    from tierproof.conformance.audit.summary import counted
    from tierproof.conformance.audit.tracing import trace_of

__all__ = [
    "NotReadable",
    "Sources",
    "audit",
    "counted",
    "itf_of",
    "keep",
    "offsets_in",
    "tables_in",
    "topic_ids_in",
    "trace_of",
]

_HOMES = {
    "NotReadable": "reading",
    "Sources": "auditing",
    "audit": "auditing",
    "counted": "summary",
    "itf_of": "stepped",
    "keep": "kept",
    "offsets_in": "given",
    "tables_in": "kept",
    "topic_ids_in": "given",
    "trace_of": "tracing",
}


def __getattr__(name: str) -> Any:
    """What is asked for is imported then: the tables alone need neither model nor reading."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
