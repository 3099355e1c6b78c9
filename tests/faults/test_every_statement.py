"""A run that is stopped before or after any of its statements leaves the complete old table or the complete new one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from faults.child_processes import nursery
from faults.injection import Moment, Step, Trap, die, disconnect, fail, interrupt, trapped
from faults.outcome_checks import Uninjured, check_aftermath, check_message, run_trapped, run_uninjured
from faults.sample_database import ERRORS, Clinic, policy
from faults.selection import COUNTS, WHOLE

import kanon_sql as ks
from kanon_sql.cli.release_status import ReleaseStatus
from kanon_sql.commands.anonymize import anonymize

Point = tuple[Step, Moment]
ERASE = "kanon recover URL"
PROBLEMS: tuple[type[Exception], ...] = (AssertionError, ks.KanonError, *ERRORS)
pytestmark = pytest.mark.timeout(7200 if WHOLE else 1800)


def points(uninjured: Uninjured, *, every: int = 1) -> list[Point]:
    """Return the points before and after each step, or every n-th of them and the one after the commit."""
    moments: tuple[Moment, ...] = ("before", "after")
    every_point: list[Point] = [(step, moment) for step in uninjured.steps for moment in moments]
    committed: Point = ([step for step in uninjured.steps if step.stage == "swap"][-1], "after")
    return every_point if WHOLE else list(dict.fromkeys([*every_point[::every], committed]))


def late_points(uninjured: Uninjured, count: int) -> list[Point]:
    """Return the points from staging on, where something can be damaged."""
    late = [(step, moment) for step, moment in points(uninjured) if step.stage in ("publish", "verify", "write", "swap", "scrub")]
    return points(uninjured) if WHOLE else list(dict.fromkeys([*late[:: max(1, len(late) // count)], late[-1]]))


def hit(clinic: Clinic, kind: str, chosen: Sequence[Point], injure: Callable[[Step, Moment], None], uninjured: Uninjured) -> None:
    """Inject a fault at each point, check the outcome, and report all failures at the end."""
    wrong = []
    outcomes = set()
    for step, moment in chosen:
        clinic.set_up()
        try:
            injure(step, moment)
            outcomes.add(check_aftermath(clinic, uninjured))
        except PROBLEMS as problem:
            wrong.append(f"{moment} step {step.number} ({step.stage}: {step.what}): {type(problem).__name__} {problem}")
        COUNTS[clinic.database.name, kind] += 1
    assert not wrong, f"{len(wrong)} of {len(chosen)} points:\n" + "\n".join(wrong[:40])
    assert outcomes == {"published", "as it was"}, "points on both sides of the commit were hit"


def raising(clinic: Clinic, uninjured: Uninjured, trap: Trap) -> None:
    """Run in this process until the trap stops the run, which ends with an error of ours or is complete."""
    with trapped(trap):
        try:
            report = clinic.run()
        except ks.KanonError as error:
            check_message(error)
        else:
            assert report.status == "published"
            assert clinic.content() == uninjured.contents[1]
    assert trap.sprung, "the run did not come to this point"


def test_an_error(clinic: Clinic, part: slice) -> None:
    uninjured = run_uninjured(clinic)

    def injure(step: Step, moment: Moment) -> None:
        raising(clinic, uninjured, Trap(step.number, moment, fail))

    hit(clinic, "error", points(uninjured, every=11)[part], injure, uninjured)


def test_a_persistent_error(clinic: Clinic, part: slice) -> None:
    uninjured = run_uninjured(clinic)

    def injure(step: Step, moment: Moment) -> None:
        raising(clinic, uninjured, Trap(step.number, moment, fail, lasting=True))

    hit(clinic, "error that lasts", points(uninjured, every=31)[part], injure, uninjured)


def test_an_interrupt(clinic: Clinic, part: slice) -> None:
    uninjured = run_uninjured(clinic)

    def injure(step: Step, moment: Moment) -> None:
        note = ReleaseStatus()
        with trapped(Trap(step.number, moment, interrupt)) as trap, pytest.raises(KeyboardInterrupt) as stopped:
            anonymize(clinic.url, policy(), yes=True, listener=note.watch(None, recover_command=ERASE))
        assert trap.sprung, "the run did not come to this point"
        check_message(stopped.value)
        check_note(clinic, uninjured, str(note))

    hit(clinic, "Ctrl-C", points(uninjured, every=19)[part], injure, uninjured)


def check_note(clinic: Clinic, uninjured: Uninjured, note: str) -> None:
    """Check that the user is informed what was published, and whether original rows remain."""
    if clinic.content() != uninjured.contents[1]:
        assert note == "Nothing was published."
        return
    (entry,) = clinic.state().journal
    remain = f"The release is published, but original rows remain. Erase them with: {ERASE}"
    assert note in ([remain, "The release is already published."] if entry[2] == "scrubbed" else [remain])


def test_a_lost_connection(clinic: Clinic, part: slice) -> None:
    uninjured = run_uninjured(clinic)

    def injure(step: Step, moment: Moment) -> None:
        raising(clinic, uninjured, Trap(step.number, moment, disconnect))

    chosen = [(step, moment) for step, moment in points(uninjured, every=17) if step.on_backend]
    hit(clinic, "connection lost", chosen[part], injure, uninjured)


def test_a_kill(clinic: Clinic, part: slice) -> None:
    uninjured = run_uninjured(clinic)
    clinic.set_up()
    with nursery(clinic.run) as children:

        def injure(step: Step, moment: Moment) -> None:
            ended = children.perform(partial(run_trapped, clinic, Trap(step.number, moment, die)))
            assert ended == signal.SIGKILL, "the point was not reached"

        hit(clinic, "kill -9", late_points(uninjured, 6)[part], injure, uninjured)
