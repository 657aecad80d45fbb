"""The commands about the register: what a design permits, and by which cause."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tierproof.command_line.exits import HOLDS, INCOMPLETE, VIOLATED, print_json, silent
from tierproof.command_line.options import AsJson, DesignName, MaxStates, refuse_idle
from tierproof.register import register_of

if TYPE_CHECKING:
    from tierproof.model.language.design import Design
    from tierproof.register.entries import Finding
    from tierproof.spark_explorer.question import Question


def findings(
    design: DesignName,
    only: Annotated[list[str] | None, typer.Option(help="Only this entry. Repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the traces of a design's findings and published bugs anew, and keep them.

    Each entry is explored in its scope, then with its repair or Kafka's own fix, and with what its
    text proposes. Its shortest trace is kept in a JSON file beside the words. What the words do
    not tell any more is said.

    Exit status: 0 the words tell their traces, 1 not, 2 usage, 3 interrupted, 4 a fault.

    Examples: tierproof findings kip950; tierproof findings kip405 --only deleted_topic_leaks
    """
    from tierproof.register import evidence, searches, traces
    from tierproof.spark_explorer.question import Question

    found, _ = Question(design=design).resolve()
    made, status = [], HOLDS
    for shown in searches.explored(found, design, only=only or (), watched=not as_json):
        path = traces.write(shown)
        made.append(shown)
        if not as_json:
            typer.echo(path)
        if words := evidence.untold(shown):
            typer.echo(f"tierproof: {words}", err=True)
            status = VIOLATED
    if not made:
        raise typer.BadParameter(f"{found.name} has no finding: CONTRIBUTING says how to add one")
    if as_json:
        told = {one.entry.name: json.loads(one.kept.text) for one in made}
        print_json({"design": found.name, "findings": told})
    raise typer.Exit(status)


def mail(
    design: DesignName,
    finding: Annotated[
        str | None, typer.Argument(help="A finding of the design. Default: all, as one review.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print a finding as plain text, for a KIP's discussion thread or a JIRA ticket.

    It is the first part of the finding's file, a few hundred words: what a user sees, what it
    needs, the passage or the code, the steps, and the change; then the commands for brokers, if
    released ones showed it.

    Without a finding it is a review of the design, with all of its findings: what happens, the
    passage and the change, as numbered points, the worst first; then what was searched with these
    changes. Nothing is explored.

    Examples: tierproof mail kip405 deleted_topic_leaks; tierproof mail kip1272
    half_of_the_log_is_never_dirty > mail.txt; tierproof mail kip1266
    """
    from tierproof.register import prose, traces
    from tierproof.spark_explorer.question import Question

    found, _ = Question(design=design).resolve()
    told: dict[str, object]
    if finding:
        one = register_of(found).finding(finding)
        text = prose.mail_of(traces.shown(found, one))
        told = {"design": found.name, "finding": one.name, "title": one.title, "text": text}
    else:
        title, points, text = prose.review_of(found)
        names = [point.names for point in points]
        told = {"design": found.name, "points": names, "title": title, "text": text}
    print_json(told) if as_json else typer.echo(text.rstrip())


@contextmanager
def _kept_if_interrupted() -> Iterator[None]:
    """Ctrl-C ends the command as INCOMPLETE, and says that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("tierproof: interrupted; what was explored is kept: INCOMPLETE", err=True)
        raise typer.Exit(INCOMPLETE) from None


KeptIn = Annotated[
    Path | None,
    typer.Option(
        help="Where explorations are kept. Default: beside the ledger; "
        "for a design of your own, the folder `isolation`."
    ),
]


def isolate(
    design: DesignName,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="Only this scope. Repeatable.")
    ] = None,
    finding: Annotated[
        list[str] | None, typer.Option("--finding", help="Only this finding. Repeatable.")
    ] = None,
    proposals: Annotated[
        bool, typer.Option("--proposals", help="Explore what all mails propose, together.")
    ] = False,
    max_states: MaxStates = None,
    kept: Annotated[
        bool, typer.Option("--kept", help="Show what is known; explore nothing.")
    ] = False,
    folder: KeptIn = None,
    as_json: AsJson = False,
) -> None:
    """Close a design with all its repairs, then leave out one repair at a time.

    What breaks without one repair has one cause. Explorations are kept between runs.

    Exit status: 0 closed, or the proposals hold; 1 not; 2 usage; 3 interrupted; 4 a fault.

    Examples: tierproof isolate kip950 --kept; tierproof isolate kip1266 --proposals
    """
    from tierproof.command_line import isolation_table
    from tierproof.register.isolation import explorations
    from tierproof.register.isolation import file as isolation_file
    from tierproof.spark_explorer.question import Question

    explored = {"scope": scope, "finding": finding, "max_states": max_states}
    refuse_idle("a run that explores, not for --kept", **(explored if kept else {}))
    refuse_idle("a run of single findings, not for --proposals", finding=proposals and finding)
    found, _ = Question(design=design).resolve()
    scopes, names = _chosen(found, scope or (), finding or ())
    where = folder or (Path("isolation") if ":" in design else isolation_file.FOLDER)
    if not kept:
        tell = silent if as_json else lambda one: typer.echo(isolation_table.told(one))
        run = explorations.Isolating(found, design, where, max_states=max_states, tell=tell)
        with _kept_if_interrupted():
            run.run(scopes, names, watched=not as_json, with_proposals=proposals)
    known = explorations.known(found, where)
    print_json(known.as_dict()) if as_json else isolation_table.show(found, known)
    holds = known.do_proposals_hold if proposals else known.is_sound
    raise typer.Exit(HOLDS if holds else VIOLATED)


def _chosen(
    design: Design, scope: Sequence[str], finding: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The scopes and the findings that are named.

    Raises UnknownName, and BadParameter for a scope in which none of the findings is isolated.
    """
    from tierproof.model.language.errors import closest

    scopes = [closest("scope", name, design.scopes) for name in scope]
    known = [one.name for one in register_of(design).findings]
    findings = [closest("finding", name, known) for name in finding]
    own = {str(one.scope) for one in register_of(design).findings if one.name in findings}
    if findings and (idle := sorted({*scopes} - own)):
        raise typer.BadParameter(
            f"--scope {idle[0]} would do nothing here: these findings are isolated in "
            f"{', '.join(sorted(own))}"
        )
    return scopes, findings


def _check_beside(
    design: Design, finding: Finding, taken: Sequence[str], chosen: Sequence[str]
) -> None:
    """Raise BadParameter for a chosen variant that changes nothing, or mends what is to be seen."""
    from tierproof.model.language.errors import closest

    by_name = {one.name: one for one in design.variants}
    for name in chosen:
        if name in taken:
            raise typer.BadParameter(
                f"--variant {name} is taken with --finding {finding.name} already: leave it out"
            )
        parts = {one.name for one in by_name[closest("variant", name, by_name)].whole}
        if back := sorted(parts & {finding.repair, *finding.apart} - {None}):
            raise typer.BadParameter(
                f"--variant {name} brings back {back[0]}, which --finding {finding.name} leaves "
                "out: choose one of the two"
            )


def question_of(question: Question, name: str) -> Question:
    """A question about a finding, isolated; what the question itself asks for comes on top.

    Raises UnknownName for a finding that the design does not have, BadParameter for a variant that
    is taken with the finding, or that brings back its repair.
    """
    from tierproof.model.language.errors import closest
    from tierproof.register.isolation import isolated
    from tierproof.spark_explorer.own_variants import with_own_variants

    design, _ = replace(question, variants=(), without=(), properties=()).resolve()
    design = with_own_variants(design, question.variants, Path(question.folder))
    names = {one.name: one for one in register_of(design).findings}
    one = names[closest("finding", name, names)]
    variants = isolated(design, one)
    _check_beside(design, one, variants, question.variants)
    return replace(
        question,
        scope=question.scope or one.scope,
        variants=tuple(dict.fromkeys((*variants, *question.variants))),
        properties=question.properties or one.claims,
    )
