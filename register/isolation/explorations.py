"""Close a design, then leave one repair out: what breaks, in which scope, by which cause.

Kinds of explorations, each kept as soon as it is made (`isolation_file`):

    the closed design in every scope: nothing may break but what has no repair
    each finding, isolated, in the scope of its page: all that breaks there is its claim
    in every scope, isolated findings until each property is accounted for that the design as
    written violates there; what none of them breaks takes several causes: from the design without
    any repair, repairs are put back as long as it stays violated
    where it is asked for, the design with what the mails propose, all together, in every scope
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from tierproof.model.language.design import Design
from tierproof.model.language.errors import TierproofError
from tierproof.register import ledger, register_of
from tierproof.register.entries import Finding
from tierproof.register.isolation import (
    Way,
    causes,
    closed,
    excused,
    isolated,
    left_out,
    proposals,
    repaired,
    singles,
    together,
)
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import Explored, Key, key_of
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.watching import Watching

MOST_STATES = 6_000_000
"""Distinct states after which an isolated finding is given up in a scope that is not its own."""


@dataclass(frozen=True, kw_only=True)
class Isolation:
    """What is known of a design's closed and isolated explorations.

    `open` maps scopes to what the closed design violates there and no unrepaired finding claims;
    `accounts` maps scopes to property -> the findings that break it there, isolated, for each
    property that the design as written violates there ("one with another" where it takes the
    causes of several findings); `silent` are findings that break nothing
    in their own scope; `unlike` maps findings to what they claim and do not break, or the reverse.
    `cut` are scopes in which the closed design was not explored to the end, or not at all.
    `proposed` are the explorations of the design with what the mails propose, all together: those
    of the closed design, where they propose its repairs.
    """

    design: str
    scopes: Mapping[str, Explored]
    open: Mapping[str, list[str]]
    cut: Mapping[str, str]
    accounts: Mapping[str, Mapping[str, list[str]]]
    silent: list[str]
    unlike: Mapping[str, list[str]]
    proposed: Mapping[str, Explored]

    @property
    def unaccounted(self) -> dict[str, list[str]]:
        """Scope -> the properties that no isolated finding breaks there."""
        found = {
            scope: [name for name, by in told.items() if not by]
            for scope, told in self.accounts.items()
        }
        return {scope: names for scope, names in found.items() if names}

    @property
    def do_proposals_hold(self) -> bool:
        """True if what the mails propose, all together, was explored, and breaks nothing."""
        found = self.proposed.values()
        clean = [one for one in found if not one["violated"] and not isolation_file.unfinished(one)]
        return bool(clean) and len(clean) == len(found)

    @property
    def is_sound(self) -> bool:
        """True if nothing is open, cut, silent, unlike or unaccounted for."""
        found = (self.open, self.cut, self.silent, self.unlike, self.unaccounted)
        return not any(found)

    def as_dict(self) -> dict[str, object]:
        """The isolation as plain values."""
        return {**vars(self), "unaccounted": self.unaccounted, "is_sound": self.is_sound}


def known(design: Design, folder: Path = isolation_file.FOLDER) -> Isolation:
    """What the kept explorations say of a design."""
    explored = isolation_file.read(design.name, folder)
    written = ledger.read().get(design.name, {})
    permitted = excused(design)
    found = _in_each_scope(design, explored, closed(design))
    told = {
        one.name: _own(design, one, explored) for one in register_of(design).findings if one.scope
    }
    return Isolation(
        design=design.name,
        scopes=found,
        open=_filled({s: sorted(set(one["violated"]) - permitted) for s, one in found.items()}),
        cut={
            scope: isolation_file.unfinished(found.get(scope))
            for scope in design.scopes
            if isolation_file.unfinished(found.get(scope))
        },
        accounts={
            scope: {
                name: list(dict.fromkeys(w.words for w in _breaking(design, explored, scope, name)))
                for name, verdict in entry["properties"].items()
                if verdict == "VIOLATED"
            }
            for scope, entry in written.items()
            if scope in design.scopes
        },
        silent=[name for name, broken in told.items() if not broken],
        unlike=_filled(
            {
                one.name: sorted(set(one.claims) ^ set(told[one.name]))
                for one in register_of(design).findings
                if told.get(one.name)
            }
        ),
        proposed=_in_each_scope(design, explored, proposals(design)),
    )


def _in_each_scope(
    design: Design, explored: Mapping[Key, Explored], variants: Iterable[str]
) -> dict[str, Explored]:
    """What is kept of the design with these variants, by scope."""
    of_each = {scope: explored.get(key_of(scope, variants)) for scope in design.scopes}
    return {scope: one for scope, one in of_each.items() if one}


def _own(design: Design, finding: Finding, explored: Mapping[Key, Explored]) -> list[str]:
    """The properties that a finding breaks, isolated, in its scope, and that its repair mends."""
    assert finding.scope is not None
    one = explored.get(key_of(finding.scope, isolated(design, finding)))
    if one is None:
        return []
    mended = explored.get(key_of(finding.scope, closed(design, finding.beside)))
    left = mended["violated"] if mended and finding.repair else {}
    return [name for name in one["violated"] if name not in left]


def _breaking(design: Design, explored: Mapping[Key, Explored], scope: str, name: str) -> list[Way]:
    """The findings that break a property in a scope: each isolated, or else the fewest together."""
    broken = {
        key: one["variants"]
        for key, one in explored.items()
        if key[0] == scope and name in one["violated"]
    }
    if alone := [way for way in singles(design) if key_of(scope, way.variants) in broken]:
        return alone
    several = (together(design, left_out(design, variants)) for variants in broken.values())
    return sorted((way for way in several if way.findings), key=lambda w: len(w.findings))[:1]


def _filled(found: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Without the empty lists."""
    return {name: names for name, names in found.items() if names}


@dataclass
class Isolating:
    """The explorations of a design that are still to be made; each is kept when it ends.

    `words` names the design as a Question does.
    """

    design: Design
    words: str
    folder: Path = isolation_file.FOLDER
    max_states: int | None = None
    tell: Callable[[Explored], None] = lambda explored: None
    explored: dict[Key, Explored] = field(init=False)
    writing: Lock = field(init=False, default_factory=Lock)
    identities: dict[Key, str] = field(init=False, default_factory=dict)
    exploring: defaultdict[Key, Lock] = field(init=False, default_factory=lambda: defaultdict(Lock))

    def __post_init__(self) -> None:
        self.explored = isolation_file.read(self.design.name, self.folder)

    def run(
        self,
        scopes: Sequence[str],
        findings: Sequence[str],
        *,
        watched: bool,
        with_proposals: bool = False,
    ) -> None:
        """Explore what is not known, in parallel.

        `scopes` and `findings` limit what is explored; empty: all. `with_proposals`: what the
        mails propose, all together, instead of the closed design and the findings.
        """
        if with_proposals:
            chains = [
                self._with_proposals(one) for one in sorted(self.design.scopes, key=self._size)
            ]
        else:
            chains = [*self._of_findings(findings), *([] if findings else self._of_scopes())]
        wanted = [run for scope, run in chains if not scopes or scope in scopes]
        cores = os.cpu_count() or 1
        with Watching(watched) as watching, ThreadPoolExecutor(cores) as pool:
            futures = [pool.submit(run, watching) for run in wanted]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                watching.interrupt()
                pool.shutdown(cancel_futures=True)
                raise
        self._keep()

    def _with_proposals(self, scope: str) -> tuple[str, Callable[..., None]]:
        return scope, lambda watching: self._explore(scope, proposals(self.design), watching)

    def _of_findings(self, names: Sequence[str]) -> Iterator[tuple[str, Callable[..., None]]]:
        for one in register_of(self.design).findings:
            if one.scope and (not names or one.name in names):
                yield one.scope, self._both(one, one.scope)

    def _both(self, finding: Finding, scope: str) -> Callable[[Watching], None]:
        """A finding in its own scope, isolated and closed."""

        def run(watching: Watching) -> None:
            self._explore(scope, isolated(self.design, finding), watching)
            self._explore(scope, closed(self.design, finding.beside), watching)

        return run

    def _of_scopes(self) -> Iterator[tuple[str, Callable[..., None]]]:
        for scope in sorted(self.design.scopes, key=self._size):
            yield scope, self._account(scope)

    def _size(self, scope: str) -> int:
        entry = ledger.read().get(self.design.name, {}).get(scope)
        return int(entry["distinct_states"]) if entry else 0

    def _account(self, scope: str) -> Callable[[Watching], None]:
        """The closed design in a scope; isolated findings until all that breaks is explained."""

        def run(watching: Watching) -> None:
            self._forget_stale(scope)
            self._explore(scope, closed(self.design), watching)
            self._until_accounted(scope, singles(self.design), watching)
            for name in self._unaccounted(scope):
                self._put_back(scope, name, watching)

        return run

    def _until_accounted(self, scope: str, ways: Iterable[Way], watching: Watching) -> None:
        waiting = list(ways)
        while waiting and (left := self._unaccounted(scope)):
            likely = max(waiting, key=lambda way: len(way.claims & set(left)))
            waiting.remove(likely)
            self._explore(scope, likely.variants, watching, until=left)

    def _put_back(self, scope: str, name: str, watching: Watching) -> None:
        """Leave out all repairs, and put back as many as leave a property violated.

        Half of them at a time, then fewer, then one by one (delta debugging).
        """

        def breaks(findings: Sequence[Finding]) -> bool:
            way = together(self.design, findings)
            self._explore(scope, way.variants, watching, until=(name,))
            return name in self.explored.get(key_of(scope, way.variants), {}).get("violated", ())

        left = sorted(repaired(self.design), key=lambda one: name in one.claims)
        size = len(left) if breaks(left) else 0
        while size := size // 2:
            for part in [left[i : i + size] for i in range(0, len(left), size)]:
                rest = [one for one in left if one not in part]
                if rest and breaks(rest):
                    left = rest

    def _unaccounted(self, scope: str) -> tuple[str, ...]:
        entry = ledger.read().get(self.design.name, {}).get(scope, {"properties": {}})
        explored = self.explored.copy()  # other threads add to it
        return tuple(
            name
            for name, verdict in entry["properties"].items()
            if verdict == "VIOLATED" and not _breaking(self.design, explored, scope, name)
        )

    def _explore(
        self,
        scope: str,
        variants: tuple[str, ...],
        watching: Watching,
        until: tuple[str, ...] = (),
    ) -> None:
        """Explore, unless it is known: all properties, or `until` those are violated."""
        with self.exploring[key_of(scope, variants)]:
            self._explore_alone(scope, variants, watching, until)

    def _explore_alone(
        self, scope: str, variants: tuple[str, ...], watching: Watching, until: tuple[str, ...]
    ) -> None:
        identity = self._identity(scope, variants)
        kept = self.explored.get(key_of(scope, variants))
        if kept and kept["identity"] == identity and self._answers(kept, until):
            return
        result = runs.run_beside(
            self._question(scope, variants, until),
            watching,
            engine="memory",
            max_states=MOST_STATES if until else self.max_states,
            until=until,
            threads=1,
        )
        if INTERRUPTED in (result.cut, *(one.reason for one in result.properties)):
            return
        told = isolation_file.entry_of(result, identity, until)
        with self.writing:
            if until and kept and kept["identity"] == identity:
                told = {
                    **told,
                    "violated": {**kept["violated"], **told["violated"]},
                    "asked": sorted({*kept.get("asked", ()), *until}),
                }
            self.explored[key_of(scope, variants)] = told
            self._write(self.explored.values())
            self.tell(told)

    def _question(
        self, scope: str, variants: Iterable[str], until: tuple[str, ...] = ()
    ) -> Question:
        asked = Question(design=self.words, scope=scope, variants=tuple(variants), properties=until)
        # Unreduced: what is kept of some properties is compared with what is kept of all.
        return replace(asked, symmetry=False) if self.design.alike else asked

    def _forget_stale(self, scope: str) -> None:
        """Forget what the design did in a scope before its code was changed."""
        for key, kept in [*self.explored.items()]:
            if key[0] == scope and not self._is_fresh(kept):
                with self.writing:
                    if self.explored.get(key) is kept:  # not what was explored meanwhile
                        del self.explored[key]

    def _is_fresh(self, kept: Explored) -> bool:
        try:
            return self._identity(kept["scope"], kept["variants"]) == kept["identity"]
        except TierproofError:
            return False

    def _identity(self, scope: str, variants: Iterable[str]) -> str:
        """The digest of what is explored: made once, as it takes the reading of a design."""
        key = key_of(scope, variants)
        if key not in self.identities:
            asked = self._question(scope, variants).resolve()
            self.identities[key] = Kernel(*asked).identity
        return self.identities[key]

    def _answers(self, kept: Explored, until: tuple[str, ...]) -> bool:
        """What is kept was asked for all of this, and not cut short of what is asked now."""
        if kept.get("cut") == INTERRUPTED:
            return False
        if until:
            if "cut" in kept and kept["distinct_states"] < MOST_STATES:
                return set(until) <= set(kept["violated"])
            return "asked" not in kept or set(until) <= set(kept["asked"])
        return not isolation_file.unfinished(kept)

    def _keep(self) -> None:
        """Drop what is no longer wanted, and order the rest."""
        ways = [closed(self.design), *(isolated(self.design, one) for one in causes(self.design))]
        ways += [closed(self.design, one.beside) for one in causes(self.design)]
        ways.append(proposals(self.design))
        keys = dict.fromkeys(key_of(scope, way) for scope in self.design.scopes for way in ways)
        kept = [self.explored[key] for key in keys if key in self.explored]
        kept += [self.explored[key] for key in self._accounting() if key not in keys]
        self._write(kept)

    def _accounting(self) -> Iterable[Key]:
        """The explorations in which some finding, or several together, break a property."""
        return dict.fromkeys(
            key_of(scope, way.variants)
            for scope, entry in ledger.read().get(self.design.name, {}).items()
            for name in entry["properties"]
            for way in _breaking(self.design, self.explored, scope, name)
        )

    def _write(self, explored: Iterable[Explored]) -> None:
        isolation_file.write(self.design.name, closed(self.design), explored, self.folder)
