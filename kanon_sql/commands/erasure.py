"""Messages about original rows that could not be erased: a failure with the command that erases them, or a warning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_sql.backends import recover_command
from kanon_sql.commands.write import NOT_SCRUBBED
from kanon_sql.stages.replace import Scrub
from kanon_sql.stages.replace.journal import SCRUBBED, Entry
from kanon_sql.stages.replace.recover import Recovered

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def scrub_of(entry: Entry, recovered: Sequence[Recovered]) -> Scrub:
    """Return how far an earlier run was scrubbed after recover has tried to complete it."""
    if entry.state == SCRUBBED:
        return Scrub(done=True)
    if entry.scrub == "off":
        return Scrub(done=False, remaining=(NOT_SCRUBBED,), expected=True)
    tried = [r for r in recovered if r.run_id == entry.run_id and not r.complete]
    if not tried:  # a dry run recovers nothing
        return Scrub(done=False, remaining=("original rows that the run has not erased yet",), expected=True)
    remaining = [text for r in tried for text in r.remaining or (r.done,)]
    return Scrub(done=False, remaining=tuple(remaining), expected=all(r.expected for r in tried))


def failure_of(scrub: Scrub, connection: Connectable) -> str | None:
    """Return what remains and what to do about it, if a scrub failed."""
    if scrub.done or scrub.expected:
        return None
    return f"the release is published, but this remains: {'; '.join(scrub.remaining)}. {to_finish(connection)}"


def to_finish(connection: Connectable) -> str:
    """Return what to do about a run that is not complete."""
    return f"Remove the cause, then run: {recover_command(connection)}"


def out_of_reach(scrub: Scrub) -> list[str]:
    """Return warnings about original rows that this connection cannot erase, unless the policy does not ask to erase them."""
    return [f"this remains: {text}" for text in scrub.remaining if scrub.expected and text != NOT_SCRUBBED]


def unfinished(recovered: Sequence[Recovered]) -> list[str]:
    """Return warnings about earlier runs that could not be completed, except those that another session is completing."""
    return [f"run {r.run_id} on {r.table}: {r.done}" for r in recovered if not (r.complete or r.alive)]
