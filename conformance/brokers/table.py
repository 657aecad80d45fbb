"""The table findings x releases, as Markdown and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tierproof.conformance.brokers.scenarios import NOT_EXPRESSIBLE, SCENARIOS

INTRODUCTION = """# Findings on released brokers

Counterexamples of the model, played on released Kafka: KRaft, `LocalTieredStorage` behind gates,
`TopicBasedRemoteLogMetadataManager`, all on one machine. What a user, an operator or a fault does
in a counterexample was done to the brokers; what brokers do by themselves was awaited; then the
brokers were asked. Nothing of Kafka was changed. Only records that were acknowledged (`acks=all`)
count as lost, or as duplicates.
"""
MEANINGS = """- **CONFIRMED**: the brokers showed it. What was seen stands beside it.
- **NOT REPRODUCED**: they did not; what was seen instead stands beside it. What is not seen is
  played again, three times in all: some steps brokers take in an order of their own.
- **FIXED**: an earlier release shows it, this one does not any more.
- **NOT EXPRESSIBLE**: it needs a schedule that no user, operator or fault can force.
- The **control** does the same without the cause. CLEAN: nothing was seen then. NOT CLEAN: it was
  seen without the cause, too.
- **INCOMPLETE**: the control did not come to its end, or no cluster came to run.
"""
SAID = {
    "CONFIRMED": "seen",
    "NOT REPRODUCED": "tried, and not seen,",
    "FIXED": "no longer seen",
}
"""What a finding's text says of an outcome."""
Result = dict[str, Any]


def as_markdown(results: Sequence[Result], date: str) -> str:
    """The page of the table, from the plain values of confirmations."""
    return "\n".join(_page(results, date)) + "\n"


def in_words(results: Sequence[Result], design: str, finding: str) -> str:
    """What brokers say of a finding, in a sentence; empty where nothing is known."""
    if why := NOT_EXPRESSIBLE.get(design, {}).get(finding):
        return f"our test program did not try it: it {why}"
    told: dict[str, list[str]] = {}
    for one in results:
        if (one["design"], one["finding"], one["is_control"]) == (design, finding, False):
            told.setdefault(one["outcome"], []).append(one["release"])
    said = ((SAID.get(it, it.lower()), releases) for it, releases in told.items())
    return "; ".join(f"{words} on {_listed(releases)}" for words, releases in said)


def _listed(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last one."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _page(results: Sequence[Result], date: str) -> Iterator[str]:
    releases = sorted({one["release"] for one in results})
    yield INTRODUCTION
    yield f"Made by `tierproof confirm {' '.join(f'--kafka {one}' for one in releases)} --update`"
    yield f"on {date}."
    yield ""
    yield MEANINGS
    yield f"| finding | {' | '.join(releases)} | control |"
    yield f"|---|{'---|' * (len(releases) + 1)}"
    for scenario in SCENARIOS:
        own = [one for one in results if one["finding"] == scenario.finding]
        if own:
            yield _row(scenario.design, scenario.finding, releases, own)
    for design, whys in NOT_EXPRESSIBLE.items():
        for name in whys:
            yield f"| {design}/{name} |{' NOT EXPRESSIBLE |' * len(releases)} - |"
    yield ""
    yield "## What was seen"
    yield ""
    for scenario in SCENARIOS:
        own = [one for one in results if one["finding"] == scenario.finding]
        yield from _seen(scenario.finding, scenario.needs, own)
    yield "## What cannot be played"
    yield ""
    for whys in NOT_EXPRESSIBLE.values():
        yield from (f"- `{name}` {why}." for name, why in whys.items())


def _row(design: str, name: str, releases: Sequence[str], own: Iterable[Result]) -> str:
    told = {(one["release"], one["is_control"]): one["outcome"] for one in own}
    cells = [told.get((release, False), "-") for release in releases]
    controls = {told[release, True] for release in releases if (release, True) in told}
    return f"| {design}/{name} | {' | '.join(cells)} | {', '.join(sorted(controls)) or '-'} |"


def _seen(name: str, needs: str, own: Sequence[Result]) -> Iterator[str]:
    if not own:
        return
    yield f"### {name}"
    yield ""
    yield f"Needs: {needs}."
    yield ""
    yield "| release | | outcome | what was seen | offsets, files and objects in the end |"
    yield "|---|---|---|---|---|"
    for one in own:
        kind = "control" if one["is_control"] else "finding"
        what = one["found"] or one["why"] or "nothing"
        if (tries := one.get("tries", 1)) > 1:
            what += f" (played {tries} times)"
        yield f"| {one['release']} | {kind} | {one['outcome']} | {what} | {one['in_the_end']} |"
    yield ""
