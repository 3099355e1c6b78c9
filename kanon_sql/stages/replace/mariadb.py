"""MariaDB: widen the columns, then rewrite the rows. ALTER commits by itself, so the journal first records how to undo it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from kanon_sql.errors import KanonError
from kanon_sql.sql.table_text import ColumnText, Constraint, TableText, mentioned, read
from kanon_sql.stages.replace.change import Change, Clause, DependentObject
from kanon_sql.stages.replace.protocol import Protocol, Scrub
from kanon_sql.stages.replace.written import dependents_as_written
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

# The longest label that an index can hold; a column without an index takes any text.
INDEXED_LABEL = "varchar(255) character set utf8mb4"

# A full-text or spatial index, or an index on a prefix: a column of numbers can have none of these.
_OF_TEXT = re.compile(r"^\s*(FULLTEXT|SPATIAL)\b|`\(\d+\)", re.IGNORECASE)

# Leftovers if a statement of the scrub fails.
_MAINTENANCE = {
    "replace/rebuild": "original rows in free pages of the table's file",
    "replace/analyze": "original values in the statistics of the table (mysql.column_stats)",
}

_ON_UPDATE = re.compile(r" ON UPDATE \w+(\(\d*\))?", re.IGNORECASE)


class MariaDBProtocol(Protocol):
    """Widen columns to take values and labels, rewrite the rows in a transaction, and drop columns last."""

    not_ours: ClassVar[tuple[str, ...]] = (
        "the binary log, which may hold the deleted rows", "undo and redo logs", "free pages of the file of mysql.column_stats",
        "replicas", "backups", "logs of statements",
    )  # fmt: skip
    needs_undo: ClassVar[bool] = True
    makes_tables_under_lock: ClassVar[bool] = False
    reads_once_under_lock: ClassVar[bool] = True

    def lock(self, others: Sequence[TableName], *, begin: bool = True) -> None:  # noqa: ARG002 (a transaction must begin here)
        with suppress(KanonError):  # an ordinary user lacks the right; the report names the binary log either way
            self._workspace.define("replace/small_binlog")
        self._workspace.transaction.begin("in_place")
        self._workspace.define("replace/lock", table=self.table, others=others)

    def _text(self) -> TableText:
        ((_, text),) = self._workspace.fetch("replace/table_text", table=self.table)
        return read(text, self.table.table)

    def dependents(self) -> list[DependentObject]:
        text = self._text()
        written = dependents_as_written(self._workspace, self.table, text, quote="`")
        found = [d if d.kind != "trigger" else _firing(d) for d in written]
        found += _partition_keys(text)
        found += [
            DependentObject("text_index", c.name, frozenset(c.columns), constraint=c)
            for c in text.constraints
            if c.kind in ("index", "unique") and _OF_TEXT.search(c.text)
        ]
        for engine, kind in self._workspace.look_up("replace/storage", self.table.parts):
            if engine != "InnoDB":
                found.append(DependentObject("storage_engine", str(engine), frozenset()))
            if kind == "SYSTEM VERSIONED":
                found.append(DependentObject("versioned", self.table.table, frozenset()))
        return found

    def label_column(self, column: Column) -> Column:
        label = super().label_column(column)
        indexed = column.name in self._indexed_columns
        return Column(label.name, INDEXED_LABEL, "text") if indexed and label.type == self._workspace.backend.text_type else label

    @cached_property
    def _indexed_columns(self) -> frozenset[str]:
        return frozenset(name for c in self._text().constraints if c.kind in ("index", "unique") for name in c.columns)

    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:  # noqa: ARG002
        return self._workspace.tables.stage(columns, select)

    def prepare(self, change: Change) -> tuple[list[str], list[str]]:
        """Return the table's text with the ALTER that restores it, and the statements to run after the commit."""
        ((_, text),) = self._workspace.fetch("replace/table_text", table=self.table)
        undo = [text]
        written = read(text, self.table.table)
        wide = {column.name: self.label_column(column).type for column in change.before}
        self._widen, back = _clauses(change, written, wide)
        for trigger in (self.table.sibling(d.name) for d in change.lost if d.kind == "firing_trigger"):
            text_of_trigger = str(self._workspace.fetch("replace/trigger_text", trigger=trigger)[0][2])
            undo.append(text_of_trigger.replace("CREATE ", "CREATE OR REPLACE ", 1))
        if back:
            undo.append(self._workspace.text("replace/alter", table=self.table, clauses=back))
        done = [Clause("drop_column", column.name) for column in change.dropped]
        staying = _without_lost(written, change)
        for column in change.retyped:
            if column.kind != "text":
                clauses = _kept_clauses(staying.column(column.name), retyped=True, nullable=column.name in change.emptied)
                done.append(Clause("modify", column.name, f"{column.type} {clauses}"))
        later = [self._workspace.text("replace/alter", table=self.table, clauses=done)] if done else []
        return undo, later + [d.removal for d in change.lost if d.kind == "incoming_key"]

    def write(self, staged: TableName, change: Change) -> None:
        workspace = self._workspace
        for dependent in change.lost:
            if dependent.kind == "firing_trigger":
                workspace.define("workspace/ddl/as_written", statement=dependent.removal)
        workspace.define("replace/skip_foreign_keys")
        if self._widen:
            workspace.define("replace/alter", table=self.table, clauses=self._widen)
        workspace.define("replace/empty", table=self.table)
        workspace.define("replace/fill", table=self.table, staged=staged, columns=change.after)

    def finish(self, change: Change) -> None:  # noqa: ARG002 (every object is still in place)
        self._workspace.define("replace/check_foreign_keys")

    def undo(self, statements: Sequence[str]) -> None:
        """Undo the widening if it was done: an ALTER is done completely or not at all."""
        before, *rest = statements
        if self._text() == read(before, self.table.table):
            rest = [statement for statement in rest if "TRIGGER" in statement]
        super().settle(rest)

    def settle(self, statements: Sequence[str]) -> None:
        """Drop columns while the table is locked, then unlock it and drop the foreign keys of other tables, which are not locked."""
        own = [statement for statement in statements if "drop foreign key if exists" not in statement]
        super().settle(own)
        self._workspace.perform("unlock", "unlock tables", self._workspace.backend.rollback)
        super().settle([statement for statement in statements if statement not in own])

    def scrub(self) -> Scrub:
        """Rewrite the table's file by OPTIMIZE and its statistics by ANALYZE; both commit, so they come last."""
        leftovers = [_remaining_after(self._workspace, template, self.table, what) for template, what in _MAINTENANCE.items()]
        remaining = tuple(filter(None, leftovers))
        return Scrub(done=not remaining, remaining=remaining)


def _remaining_after(workspace: Workspace, template: str, table: TableName, remaining: str) -> str | None:
    """Run a statement of the scrub; return the leftovers if it fails, which the server may report as a row."""
    try:
        outcome = workspace.fetch(template, table=table)
    except KanonError as error:
        return f"{remaining} ({error})"
    failed = any(str(kind).lower() == "error" for _, _, kind, _ in outcome)
    return f"{remaining} (the server could not do it now; check whether another session uses the table)" if failed else None


def _partition_keys(text: TableText) -> list[DependentObject]:
    """Return the columns that decide in which partition a row is stored."""
    _, _, rule = text.options.partition("PARTITION BY")
    names = mentioned(rule.partition("(PARTITION")[0], [column.name for column in text.columns], quote="`")
    return [DependentObject("partition_key", name, frozenset({name})) for name in names]


def _clauses(change: Change, text: TableText, wide_types: Mapping[str, str]) -> tuple[list[Clause], list[Clause]]:
    """Return the clauses that widen the table to take values and labels, and those that undo it."""
    constraints = [constraint for constraint in _lost_constraints(change) if not constraint.inside]
    without = _without_lost(text, change)
    there = [_drop(constraint) for constraint in constraints]
    back = []
    for column in (*change.dropped, *change.retyped, *(c for c in change.after if c.name in change.emptied)):
        written = without.column(column.name)
        if written.is_generated:  # it would be computed from labels; the undo creates it again
            there.append(Clause("drop_column", column.name))
            back.append(_restored(text, column.name))
            continue
        retyped = column in change.retyped
        wide = column.type if column.kind == "text" else wide_types[column.name]
        empty = column in change.dropped or column.name in change.emptied
        clauses = _kept_clauses(written, nullable=empty, retyped=retyped)
        there.append(Clause("modify", column.name, f"{wide if retyped else written.type} {clauses}"))
        back.append(Clause("modify", column.name, text.column(column.name).definition))
    for column in change.added:
        before = change.after[: change.after.index(column)]
        there.append(Clause("add_column", column.name, f"{column.type} null", after=before[-1].name if before else ""))
    back += [Clause("drop_column", column.name) for column in change.added]
    return there, back + [Clause("add", definition=constraint.text) for constraint in constraints]


def _lost_constraints(change: Change) -> list[Constraint]:
    """Return the keys and checks that are dropped, each once."""
    return list(dict.fromkeys(d.constraint for d in change.lost if d.constraint))


def _without_lost(text: TableText, change: Change) -> TableText:
    """Return the table's text without the keys, checks and defaults that are dropped; a column to drop gets no default either."""
    defaults = {d.name for d in change.lost if d.kind == "default"} | {column.name for column in change.dropped}
    return text.without(_lost_constraints(change)).without_defaults(defaults)


def _restored(text: TableText, name: str) -> Clause:
    """Return the clause that creates a column again at its position."""
    names = [column.name for column in text.columns]
    before = names[: names.index(name)][-1:]
    return Clause("add_column", name, text.column(name).definition, *before)


def _drop(constraint: Constraint) -> Clause:
    if constraint.kind == "unique" and constraint.name == "PRIMARY":
        return Clause("drop_primary_key")
    action = {"unique": "drop_index", "index": "drop_index", "outgoing_key": "drop_foreign_key"}.get(constraint.kind, "drop_constraint")
    return Clause(action, constraint.name)


def _firing(trigger: DependentObject) -> DependentObject:
    """Return a trigger as one that MariaDB cannot disable."""
    return DependentObject("firing_trigger", trigger.name, trigger.columns, removal=trigger.removal, text=trigger.text)


def _kept_clauses(column: ColumnText, *, nullable: bool, retyped: bool) -> str:
    """Return a column's clauses, without those that a column of NULLs, or of another type, cannot have."""
    clauses = [c for c in column.clauses if not nullable or c.upper().split()[0] not in ("NOT", "AUTO_INCREMENT", "CHECK")]
    if retyped:
        clauses = [_ON_UPDATE.sub("", clause) for clause in clauses]
    return " ".join(["null", *clauses] if nullable else clauses)
