"""A run that is stopped before or after any of its statements leaves the complete old table or the complete new one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from faults.child_processes import child_processes
from faults.injection import Moment, Step, Trap, die, disconnect, fail, interrupt, trapped
from faults.outcome_checks import FaultlessRun, check_message, check_outcome, run_trapped, run_without_faults
from faults.sample_database import ERRORS, SampleDatabase, policy
from faults.selection import ALL_FAULTS, COUNTS

import kanon_sql as ks
from kanon_sql.cli.release_status import ReleaseStatus
from kanon_sql.commands.anonymize import anonymize

Point = tuple[Step, Moment]
ERASE = "kanon recover URL"
PROBLEMS: tuple[type[Exception], ...] = (AssertionError, ks.KanonError, *ERRORS)
pytestmark = pytest.mark.timeout(7200 if ALL_FAULTS else 1800)


def points(faultless: FaultlessRun, *, every: int = 1) -> list[Point]:
    """Return the points before and after each step, or every n-th of them and the one after the commit."""
    moments: tuple[Moment, ...] = ("before", "after")
    every_point: list[Point] = [(step, moment) for step in faultless.steps for moment in moments]
    committed: Point = ([step for step in faultless.steps if step.stage == "swap"][-1], "after")
    return every_point if ALL_FAULTS else list(dict.fromkeys([*every_point[::every], committed]))


def late_points(faultless: FaultlessRun, count: int) -> list[Point]:
    """Return the points from staging on, where something can be damaged."""
    late = [(step, moment) for step, moment in points(faultless) if step.stage in ("publish", "verify", "write", "swap", "scrub")]
    return points(faultless) if ALL_FAULTS else list(dict.fromkeys([*late[:: max(1, len(late) // count)], late[-1]]))


def inject_faults(
    sample: SampleDatabase, kind: str, chosen: Sequence[Point], run_with_fault: Callable[[Step, Moment], None], faultless: FaultlessRun
) -> None:
    """Inject a fault at each point, check the outcome, and report all failures at the end."""
    wrong = []
    outcomes = set()
    for step, moment in chosen:
        sample.set_up()
        try:
            run_with_fault(step, moment)
            outcomes.add(check_outcome(sample, faultless))
        except PROBLEMS as problem:
            wrong.append(f"{moment} step {step.number} ({step.stage}: {step.what}): {type(problem).__name__} {problem}")
        COUNTS[sample.database.name, kind] += 1
    assert not wrong, f"{len(wrong)} of {len(chosen)} points:\n" + "\n".join(wrong[:40])
    assert outcomes == {"published", "as it was"}, "points on both sides of the commit were hit"


def run_until_error(sample: SampleDatabase, faultless: FaultlessRun, trap: Trap) -> None:
    """Run in this process until the trap stops the run, which ends with an error of ours or is complete."""
    with trapped(trap):
        try:
            report = sample.run()
        except ks.KanonError as error:
            check_message(error)
        else:
            assert report.status == "published"
            assert sample.content() == faultless.contents[1]
    assert trap.sprung, "the run did not come to this point"


def test_an_error(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)

    def run_with_fault(step: Step, moment: Moment) -> None:
        run_until_error(sample, faultless, Trap(step.number, moment, fail))

    inject_faults(sample, "error", points(faultless, every=11)[part], run_with_fault, faultless)


def test_a_persistent_error(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)

    def run_with_fault(step: Step, moment: Moment) -> None:
        run_until_error(sample, faultless, Trap(step.number, moment, fail, persistent=True))

    inject_faults(sample, "error that lasts", points(faultless, every=31)[part], run_with_fault, faultless)


def test_an_interrupt(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)

    def run_with_fault(step: Step, moment: Moment) -> None:
        note = ReleaseStatus()
        with trapped(Trap(step.number, moment, interrupt)) as trap, pytest.raises(KeyboardInterrupt) as stopped:
            anonymize(sample.url, policy(), yes=True, listener=note.watch(None, recover_command=ERASE))
        assert trap.sprung, "the run did not come to this point"
        check_message(stopped.value)
        check_note(sample, faultless, str(note))

    inject_faults(sample, "Ctrl-C", points(faultless, every=19)[part], run_with_fault, faultless)


def check_note(sample: SampleDatabase, faultless: FaultlessRun, note: str) -> None:
    """Check that the user is informed what was published, and whether original rows remain."""
    if sample.content() != faultless.contents[1]:
        assert note == "Nothing was published."
        return
    (entry,) = sample.state().journal
    remain = f"The release is published, but original rows remain. Erase them with: {ERASE}"
    assert note in ([remain, "The release is already published."] if entry[2] == "scrubbed" else [remain])


def test_a_lost_connection(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)

    def run_with_fault(step: Step, moment: Moment) -> None:
        run_until_error(sample, faultless, Trap(step.number, moment, disconnect))

    chosen = [(step, moment) for step, moment in points(faultless, every=17) if step.on_backend]
    inject_faults(sample, "connection lost", chosen[part], run_with_fault, faultless)


def test_a_kill(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)
    sample.set_up()
    with child_processes(sample.run) as children:

        def run_with_fault(step: Step, moment: Moment) -> None:
            ended = children.perform(partial(run_trapped, sample, Trap(step.number, moment, die)))
            assert ended == signal.SIGKILL, "the point was not reached"

        inject_faults(sample, "kill -9", late_points(faultless, 6)[part], run_with_fault, faultless)
