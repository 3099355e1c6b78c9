"""What an earlier run left of a table: unchanged since, loaded anew with raw rows, or a mix that must not be touched."""

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
    """A table's columns and rows as numbers that change when they do."""

    schema: str
    rows: int
    checksum: str
    probe: str

    def __str__(self) -> str:
        return json.dumps([self.schema, self.rows, self.checksum, self.probe])


def fingerprint(workspace: Workspace, table: TableDescription) -> Fingerprint:
    """The fingerprint of a table as it is."""
    schema = hashlib.sha256(json.dumps([(column.name, column.type) for column in table.columns]).encode()).hexdigest()[:16]
    rows, checksum, probe = workspace.fetch_one("replace/fingerprint", table=table.name, columns=table.columns)
    return Fingerprint(schema, rows, checksum, probe)


def last_run(workspace: Workspace, table: TableName) -> Entry | None:
    """The last run that replaced this table's rows in place, if any."""
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
    """Whether the table is what the earlier run published; an error if it is neither that nor loaded anew as a whole."""
    present = fingerprint(workspace, table)
    published = Fingerprint(*json.loads(earlier.fingerprint))
    if present == published:
        if earlier.policy_hash == policy.content_hash:
            return True
        raise RequestError(
            f"table {table.name} holds the release of run {earlier.run_id} ({earlier.started}), made under another policy; "
            "load the original rows again, then run"
        )
    if earlier.state == PUBLISHED and earlier.redo:
        raise BackendError(
            f"run {earlier.run_id} has published table {table.name}, but what follows the commit is not done; "
            "finish it with kanon recover URL"
        )
    _require_raw(workspace, table, earlier, policy, hash_changed=present.probe != published.probe)
    return False


def _require_raw(workspace: Workspace, table: TableDescription, earlier: Entry, policy: Policy, *, hash_changed: bool) -> None:
    """No column holds labels or pseudonyms of the earlier run, or an error says which do."""
    told = Earlier.from_json(earlier.solution)
    mixed = _partly_hashed(workspace, table, policy)
    for name, level in told.levels.items():
        column = table.column(name)
        if level == 0 or column is None or column.kind != "text":
            continue
        if told.kinds[name] != "text":
            mixed.append(f"column {name!r} is text since then, and its hierarchy is for what it was before")
            continue
        rule = policy.columns.get(name)
        sets = told.solution.partition is not None
        rows, labels = _labelled_rows(workspace, table.name, column, rule.hierarchy if rule else None, sets=sets)
        if labels:
            mixed.append(f"column {name!r} holds labels in {labels} of {rows} rows")
    if mixed:
        since = "may have changed since (this version of the database hashes otherwise)" if hash_changed else "has changed since"
        raise RequestError(
            f"table {table.name} was published by run {earlier.run_id} ({earlier.started}) and {since}, "
            "but was not loaded anew as a whole:\n  " + "\n  ".join(mixed) + "\nRecoded and raw rows or columns together cannot be "
            "made anonymous: load all original rows again, with the columns' original types, then run"
        )


def _partly_hashed(workspace: Workspace, table: TableDescription, policy: Policy) -> list[str]:
    """The columns to hash that hold hashes in some rows, but not in all: those of a table whose originals are hashes would."""
    found = []
    for name, rule in policy.columns.items():
        column = table.column(name)
        if rule.action == "hash" and column is not None and column.kind == "text":
            filled, hashes = workspace.fetch_one("replace/hashes_present", table=table.name, column=column)
            if 0 < hashes < filled:
                found.append(f"column {name!r} holds hashes in {hashes} of {filled} rows")
    return found


def _labelled_rows(workspace: Workspace, table: TableName, column: Column, hierarchy: Rule | None, *, sets: bool) -> tuple[int, int]:
    """The rows of a column, and those that hold a label of its hierarchy."""
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
