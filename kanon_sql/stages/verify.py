"""Re-counts a table by its published quasi-identifiers; knows nothing of the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.artifacts import CodedValues, Reached, Recoding, Release, StagedTable
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
    """The classes of the table as a reader would count them, and those that break the policy; persons by a column that tells them apart."""
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
    told = [{"values": values, "referred": values.values in compared, "person": person} for values in references]
    unknown = sum(workspace.fetch_one("verify/unknown_values", table=table, **shares)[0] for shares in told)
    reached = tuple(
        Reached(m.model, m.model.reached(figures[place]), *figures[place + 1 : place + 3])
        for m, place in zip(measured, range(0, 3 * len(measured), 3), strict=True)
    )
    return replace(
        release,
        reached=reached,
        unknown_rows=unknown,
        holds_as_whole=rules.holds_as_whole(classes, rows),
        average_risk=classes / rows if rows else None,
    )


def verify_staged(workspace: Workspace, staged: StagedTable, recoding: Recoding, rules: Rules, table: TableName | None = None) -> Release:
    """The staged table, or the table it was written into, proven to hold the policy and what was counted."""
    # Whoever reads the table that was written finds no persons in it: they were counted in the staged one.
    if staged.person is not None and table is not None:
        staged, rules = replace(staged, person=None), rules.of_rows()
    references = [values for values in recoding.frequencies.values if values.values in rules.looked_at]
    release = verify(workspace, table or staged.table, staged.quasi_identifiers, rules, references, staged.person)
    require_verified(release, recoding)
    return release


def require_verified(release: Release, recoding: Recoding) -> None:
    """The staged table holds the policy and exactly the rows that were counted, or the run ends here."""
    if not release.holds:
        raise VerificationError(
            f"the staged table has {release.failing_classes} classes ({release.failing_rows} rows) that break the policy; "
            "nothing was published"
        )
    # Bounds are alike where labels are not: a reader cannot tell NULL from NaN then, so that classes may join.
    joined = recoding.classes > release.classes and any(column.quasi_identifier.has_bounds for column in recoding.frequencies.columns)
    if release.rows != recoding.published_rows or (release.classes != recoding.classes and not joined):
        raise VerificationError(
            f"the staged table has {release.rows} rows in {release.classes} classes "
            f"where {recoding.published_rows} in {recoding.classes} were counted; "
            "the source changed during the run, and nothing was published: run again"
        )
