"""Invariants after any fault and `recover`: the complete old table or the complete new one, and no leftovers."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass

from faults.injection import Step, Trap, trapped
from faults.sample_database import SECRET, K, SampleDatabase, State, as_text, smallest_class
from support.databases import DuckDB, Row, SQLite

import kanon_sql as ks


@dataclass(frozen=True)
class FaultlessRun:
    """A run without faults: the state before and after, and every step."""

    before: State
    after: State
    steps: tuple[Step, ...]

    @property
    def contents(self) -> tuple[Counter[Row], Counter[Row]]:
        """Return the rows before and after, with the columns that are kept."""
        staying = [(row[0], *row[2:]) for row in self.before.rows.elements()]
        return as_text(staying), as_text(list(self.after.rows.elements()))


def run_without_faults(sample: SampleDatabase) -> FaultlessRun:
    """Run without faults and check that the result is a release."""
    sample.set_up()
    before = sample.state()
    sample.run()  # a first run, so work that is done once per process is not counted
    sample.set_up()
    with trapped(Trap()) as trap:
        report = sample.run()
    after = sample.state()
    assert report.status == "published"
    assert len(before.rows) == len(after.rows) + report.suppressed_rows
    assert report.suppressed_rows > 0
    published = as_text(list(after.rows.elements()))
    assert smallest_class(published) >= K
    assert SECRET not in str(published)
    assert SECRET in str(before.rows)
    assert before.inventory != after.inventory
    assert before.others == after.others
    return FaultlessRun(before, after, tuple(trap.steps))


def run_trapped(sample: SampleDatabase, trap: Trap) -> None:
    """Run until the trap stops the run."""
    with trapped(trap):
        sample.run()


def check_outcome(sample: SampleDatabase, faultless: FaultlessRun) -> str:
    """Check every invariant after a fault; return whether the run was published."""
    whole = sample.content()
    assert whole in faultless.contents, "before recover the table is neither the old one nor the new one"
    reported = ks.recover(sample.url)
    assert all(r.complete for r in reported), f"recover could not finish: {reported}"
    assert ks.recover(sample.url) == [], "a second recover found something to do"
    state = sample.state()
    published = check_state(sample, faultless, state)
    assert published == (whole == faultless.contents[1]), "recover changed rows"
    first = sample.run()
    assert first.status == ("unchanged" if published else "published")
    check_state(sample, faultless, sample.state(), must_be_published=True)
    assert sample.run().status == "unchanged"
    return "published" if published else "as it was"


def check_state(sample: SampleDatabase, faultless: FaultlessRun, state: State, *, must_be_published: bool = False) -> bool:
    """Return whether the table is published; require that everything else is as before the run, or as after it."""
    published = state.rows == faultless.after.rows
    assert published or (state.rows == faultless.before.rows and not must_be_published), "the rows are neither the old nor the new ones"
    whole = faultless.after if published else faultless.before
    assert state.inventory == whole.inventory, f"what belongs to the table changed: {_differences(state, whole)}"
    assert state.view == whole.view, "the view does not answer as it should"
    assert state.others == whole.others, "another table was changed"
    known = {"patients", "wards", "audit", "notes", "__kanon_journal", "kanon_runs"}
    assert state.tables <= known, f"left behind: {state.tables - known}"
    states = [entry[2] for entry in state.journal]
    assert states == (["scrubbed"] if published else []), f"the journal says {states}"
    reported = [status for run, status in state.history if run in {entry[0] for entry in state.journal}]
    assert reported == (["published"] if published else []), f"the history says {reported} of the published run"
    assert "published" not in [status for run, status in state.history if run not in {entry[0] for entry in state.journal}]
    if isinstance(sample.database, DuckDB | SQLite):
        files = {path.name for path in sample.database.path.parent.iterdir()}
        if not published:
            files.discard("test.db-journal")  # SQLite's own: it holds what the file holds, and goes with the next write
        assert files == {sample.database.path.name}, f"left beside the file: {files}"
    return published


def _differences(state: State, whole: State) -> set[Row]:
    return set(state.inventory) ^ set(whole.inventory)


def check_message(error: BaseException) -> None:
    """Require that the text of an error contains no value."""
    assert SECRET not in "".join(traceback.format_exception(error)), "a value stands in the error"
