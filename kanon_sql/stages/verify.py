"""Verify a release: count it again by its published quasi-identifiers, without any knowledge of the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.artifacts import CodedValues, Reached, Recoding, Release, StagedTable
from kanon_sql.common.spelling import many
from kanon_sql.errors import VerificationError
from kanon_sql.judge.arguments import model_arguments, numbered_measures
from kanon_sql.models import Rules
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


def verify(
    workspace: Workspace,
    table: TableName,
    quasi_identifiers: Sequence[Column],
    rules: Rules,
    references: Sequence[CodedValues] = (),
    person: Column | None = None,
) -> Release:
    """Return the classes of a table as a reader would count them, and those that break the policy; `person` distinguishes persons."""
    models = model_arguments(rules, references, persons=person is not None)
    measured = numbered_measures(rules)
    arguments = {"table": table, "quasi_identifiers": quasi_identifiers}
    if not measured and person is None:
        found = workspace.fetch_one("verify/k_anonymity", **arguments, **models.to_dict())
    else:
        judged = models.for_values("verify/valued.sql", len(quasi_identifiers))
        found = workspace.fetch_one("verify/models", measured_models=measured, person=person, **arguments, **judged)
    rows, classes, smallest, failing_classes, failing_rows, *figures = found
    release = Release(rows, classes, smallest, failing_classes, failing_rows)
    compared = rules.compared_with_reference
    shares_of = [{"values": values, "referred": values.values in compared, "person": person} for values in references]
    unknown = sum(workspace.fetch_one("verify/unknown_values", table=table, **shares)[0] for shares in shares_of)
    reached = tuple(
        Reached(m.model, m.model.reached(figures[start]), *figures[start + 1 : start + 3])
        for m, start in zip(measured, range(0, 3 * len(measured), 3), strict=True)
    )
    return replace(
        release,
        reached=reached,
        unknown_rows=unknown,
        holds_as_whole=rules.holds_as_whole(classes, rows),
        average_risk=classes / rows if rows else None,
    )


def verify_staged(workspace: Workspace, staged: StagedTable, recoding: Recoding, rules: Rules, table: TableName | None = None) -> Release:
    """Verify the staging table, or the table written from it: raise an error unless it satisfies the policy and has the counted rows."""
    # The written table has no column of persons: they were counted in the staging table.
    if staged.person is not None and table is not None:
        staged, rules = replace(staged, person=None), rules.of_rows()
    references = [values for values in recoding.frequencies.values if values.values in rules.sensitive_values]
    release = verify(workspace, table or staged.table, staged.quasi_identifiers, rules, references, staged.person)
    require_verified(release, recoding)
    return release


def require_verified(release: Release, recoding: Recoding) -> None:
    """Raise an error unless the release satisfies the policy and has exactly the rows that were counted."""
    if not release.holds:
        raise VerificationError(
            f"the staging table has {many(release.failing_classes, 'class')} ({many(release.failing_rows, 'row')}) that break the policy; "
            "nothing was published"
        )
    # Bounds may be equal where labels differ: a reader cannot distinguish NULL from NaN, so two classes may become one.
    joined = recoding.classes > release.classes and any(column.quasi_identifier.has_bounds for column in recoding.frequencies.columns)
    if release.rows != recoding.published_rows or (release.classes != recoding.classes and not joined):
        raise VerificationError(
            f"the staging table has {many(release.rows, 'row')} in {many(release.classes, 'class')}, "
            f"but {many(recoding.published_rows, 'row')} in {many(recoding.classes, 'class')} were counted: "
            "the source changed during the run. Nothing was published. Run again"
        )
