"""The state of a table after an earlier run: unchanged, reloaded with original rows, or a mix that is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from kanon_sql.artifacts import Earlier
from kanon_sql.errors import BackendError, RequestError
from kanon_sql.hierarchy import LabelForm, Rule
from kanon_sql.labels.hierarchy_rows import read_hierarchy_rows
from kanon_sql.policy import Policy
from kanon_sql.stages.replace.journal import PUBLISHED, SCRUBBED, SETTLED, Entry, Journal
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve


@dataclass(frozen=True)
class Fingerprint:
    """Checksums of a table's columns and rows."""

    schema: str
    rows: int
    checksum: str
    probe: str

    def __str__(self) -> str:
        return json.dumps([self.schema, self.rows, self.checksum, self.probe])


def fingerprint(workspace: Workspace, table: TableDescription) -> Fingerprint:
    """Return the fingerprint of a table."""
    schema = hashlib.sha256(json.dumps([(column.name, column.type) for column in table.columns]).encode()).hexdigest()[:16]
    rows, checksum, probe = workspace.fetch_one("replace/fingerprint", table=table.name, columns=table.columns)
    return Fingerprint(schema, rows, checksum, probe)


def last_run(workspace: Workspace, table: TableName) -> Entry | None:
    """Return the last run that replaced this table's rows in place, or None."""
    journal = Journal(workspace, table)
    if resolve(workspace, journal.table) is None:
        return None
    done = [
        entry
        for entry in journal.entries()
        if entry.table_name == table.table and entry.fingerprint and entry.state in (PUBLISHED, SETTLED, SCRUBBED)
    ]
    return done[-1] if done else None


def is_unchanged(workspace: Workspace, table: TableDescription, earlier: Entry, policy: Policy) -> bool:
    """Return whether the table is what the earlier run published; raise an error if it is neither that nor completely reloaded."""
    present = fingerprint(workspace, table)
    published = Fingerprint(*json.loads(earlier.fingerprint))
    if present == published:
        if earlier.policy_hash == policy.content_hash:
            return True
        raise RequestError(
            f"table {table.name} holds the release of run {earlier.run_id} ({earlier.started}), made under another policy; "
            "reload the original rows, then run"
        )
    if earlier.state == PUBLISHED and earlier.redo:
        raise BackendError(
            f"run {earlier.run_id} has published table {table.name}, but the steps after its commit are not done; "
            "complete it with kanon recover URL"
        )
    _require_raw(workspace, table, earlier, policy, hash_changed=present.probe != published.probe)
    return False


def _require_raw(workspace: Workspace, table: TableDescription, earlier: Entry, policy: Policy, *, hash_changed: bool) -> None:
    """Raise an error if a column holds labels or pseudonyms of the earlier run."""
    run = Earlier.from_json(earlier.solution)
    mixed = _partly_hashed(workspace, table, policy)
    for name, level in run.levels.items():
        column = table.column(name)
        if level == 0 or column is None or column.kind != "text":
            continue
        if run.kinds[name] != "text":
            mixed.append(f"column {name!r} has been text since then, but its hierarchy is for its former type")
            continue
        rule = policy.columns.get(name)
        rows, labels = _labelled_rows(workspace, table.name, column, rule.hierarchy if rule else None, sets=run.has_sets)
        if labels:
            mixed.append(f"column {name!r} holds labels in {labels} of {rows} rows")
    if mixed:
        since = "may have changed since (this version of the database computes other hashes)" if hash_changed else "has changed since"
        raise RequestError(
            f"table {table.name} was published by run {earlier.run_id} ({earlier.started}) and {since}, "
            "but was not completely reloaded:\n  " + "\n  ".join(mixed) + "\nA mix of recoded and original rows or columns cannot be "
            "made anonymous; reload all original rows, with the columns' original types, then run"
        )


def _partly_hashed(workspace: Workspace, table: TableDescription, policy: Policy) -> list[str]:
    """Return the columns to hash that hold hashes in some rows only; in all rows, the original values may be hashes."""
    found = []
    for name, rule in policy.columns.items():
        column = table.column(name)
        if rule.action == "hash" and column is not None and column.kind == "text":
            filled, hashes = workspace.fetch_one("replace/hashes_present", table=table.name, column=column)
            if 0 < hashes < filled:
                found.append(f"column {name!r} holds hashes in {hashes} of {filled} rows")
    return found


def _labelled_rows(workspace: Workspace, table: TableName, column: Column, hierarchy: Rule | None, *, sets: bool) -> tuple[int, int]:
    """Return the rows of a column, and those that hold a label of its hierarchy."""
    form = LabelForm() if hierarchy is None else read_hierarchy_rows(workspace, hierarchy).label_form
    labels = None
    if form.labels is not None:
        text = Column("label", workspace.backend.exact_text_type, "text")
        labels = workspace.tables.load("earlier_labels", [text], [(label,) for label in sorted(form.labels)])
    arguments = {"hide": form.hide, "char": form.char, "labels": labels, "sets": sets}
    rows, found = workspace.fetch_one("replace/labels_present", table=table, column=column, **arguments)
    if labels is not None:
        workspace.tables.drop(labels)
    return rows, found
