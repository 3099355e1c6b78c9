"""PostgreSQL: TRUNCATE, ALTER and INSERT in one transaction under a lock; the commit removes the old file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from kanon_sql.errors import KanonError
from kanon_sql.stages.replace.change import Change, Clause, DependentObject
from kanon_sql.stages.replace.postgresql_statistics import SetAside, renew_statistics, set_objects_aside
from kanon_sql.stages.replace.protocol import Protocol, Scrub
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace.generated import generated_columns

# Views of views are dropped first, then foreign keys of other tables, which need the keys they reference.
_REMOVED_AFTER = {"view": 0, "materialized_view": 0, "incoming_key": 1}


class PostgreSQLProtocol(Protocol):
    """Keep the table's identity and its dependent objects; the server itself refuses to drop objects that are needed."""

    not_ours: ClassVar[tuple[str, ...]] = (
        "the write-ahead log until it is recycled, and its archive",
        "dead rows in the files of pg_statistic and pg_statistic_ext_data, until VACUUM FULL on them",
        "replicas and their slots", "backups", "logs of statements",
    )  # fmt: skip
    appends_columns: ClassVar[bool] = True

    _aside: SetAside
    _remaining: tuple[str, ...] | None = None  # None means that this run has not renewed the statistics

    def lock(self, others: Sequence[TableName], *, begin: bool = True) -> None:  # noqa: ARG002 (they are locked as they are written)
        if not begin:
            self._workspace.transaction.commit()  # the catalog is as old as the snapshot; temporary tables stay
        self._workspace.transaction.begin("in_place")
        self._workspace.fetch("replace/session")
        self._workspace.define("replace/lock", table=self.table)

    def dependents(self) -> list[DependentObject]:
        found: dict[tuple[str, str, str, str], set[str]] = {}
        templates = ("dependents", "typed", "partitions", "statistics_objects", "readers")
        rows = [row for template in templates for row in self._workspace.look_up(f"replace/{template}", self.table.parts)]
        for kind, name, detail, column, removal in rows:
            found.setdefault((kind, name, detail, removal), set()).update({column} - {None})
        for name, columns in generated_columns(self._workspace, self.table).items():
            found["generated", name, "", ""] = set(columns)
        listed = {(kind, name) for kind, name, *_ in found}
        texts: dict[tuple[str, str], str] = {}
        for kind, name, text in self._workspace.look_up("replace/definitions", self.table.parts):
            texts[kind, name] = texts.get((kind, name), "") + (text or "")
        return [
            *(DependentObject(kind, name, frozenset(), text=text) for (kind, name), text in texts.items() if (kind, name) not in listed),
            *(
                DependentObject(kind, name, frozenset(columns), detail=detail, removal=removal, text=texts.get((kind, name), ""))
                for (kind, name, detail, removal), columns in found.items()
            ),
        ]

    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:  # noqa: ARG002
        return self._workspace.tables.stage(columns, select)

    def write(self, staged: TableName, change: Change) -> None:
        workspace = self._workspace
        farthest_first = change.lost[::-1]
        for dependent in sorted(farthest_first, key=lambda lost: _REMOVED_AFTER.get(lost.kind, 2)):
            if dependent.removal:
                workspace.define("workspace/ddl/as_written", statement=dependent.removal)
        if any(d.kind == "trigger" for d in change.staying):
            workspace.define("replace/disable_triggers", table=self.table)
        self._aside = set_objects_aside(workspace, self.table)
        workspace.define("replace/empty", table=self.table)
        generated = {dependent.name for dependent in change.staying if dependent.kind == "generated"}
        clauses = [
            # A column cannot be dropped before the columns computed from it.
            *(Clause("drop", column.name) for column in sorted(change.dropped, key=lambda column: column.name not in generated)),
            *(Clause("retype", column.name, column.type) for column in change.retyped),
            *(Clause("allow_null", column.name) for column in change.after if column.name in change.emptied),
            *(Clause("add", column.name, column.type) for column in change.added),
        ]
        if clauses:
            workspace.define("replace/reshape", table=self.table, clauses=clauses)
        workspace.define("replace/fill", table=self.table, staged=staged, columns=change.after)

    def finish(self, change: Change) -> None:
        for dependent in change.staying:
            if dependent.kind in ("trigger", "materialized_view") and dependent.detail:
                self._workspace.define("workspace/ddl/as_written", statement=dependent.detail)
        self._remaining = renew_statistics(self._workspace, self.table, self._aside)  # they contain values, and change with the commit

    def scrub(self) -> Scrub:
        """Renew the statistics if this run has not: TRUNCATE removed the old files at the commit."""
        if self._remaining is None:
            self._remaining = self._renew_later()
        return Scrub(done=not self._remaining, remaining=self._remaining)

    def _renew_later(self) -> tuple[str, ...]:
        """Renew the statistics of a table whose rows an earlier run has replaced."""
        try:
            self.lock(())
            remaining = renew_statistics(self._workspace, self.table, set_objects_aside(self._workspace, self.table))
            self._workspace.transaction.commit()
        except KanonError:
            self._workspace.perform("rollback", "rollback", self._workspace.backend.rollback)
            raise
        return remaining
