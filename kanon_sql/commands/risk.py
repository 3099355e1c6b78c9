"""Risk: how well quasi-identifiers distinguish the rows of a table, raw or published, and what they disclose about other columns."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from kanon_sql.artifacts.risk import PopulationFound
from kanon_sql.backends import connect
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.outputs import bound_names
from kanon_sql.report.risk import RiskReport
from kanon_sql.stages.measure.risk import QuasiIdentifierColumns, RiskQuestion, assess_risk
from kanon_sql.stages.profile.source import describe_source, require_columns
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def risk(
    connection: Connectable,
    table: str,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    population: str | None = None,
    threshold: float | Decimal | str = "0.2",
    subsets: Sequence[Sequence[str]] = (),
    listener: StageListener | None = None,
) -> RiskReport:
    """Return the risk of a table by its quasi-identifiers, and what they disclose about identifiers and sensitive columns."""
    targets = [*identifiers, *sensitive]
    _require_valid(quasi_identifiers, targets, subsets)
    share = _threshold(threshold)
    name = TableName.parse(table)
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            description = describe_source(workspace, name)
            published = published_columns(description, quasi_identifiers)
            question = RiskQuestion(
                description.name,
                published,
                groupable_columns(description, targets),
                None if population is None else _population(workspace, population, published),
                share,
                tuple(tuple(name for name in quasi_identifiers if name in subset) for subset in subsets),
            )
        with workspace.stage("risk"):
            found = assess_risk(workspace, question)
    return RiskReport(table=name, threshold=share, warnings=tuple(_warnings(found.population)), **vars(found))


def published_columns(table: TableDescription, quasi_identifiers: Sequence[str]) -> tuple[QuasiIdentifierColumns, ...]:
    """Return the columns of each quasi-identifier in the table; one that is published as bounds has two."""
    published = []
    for name in quasi_identifiers:
        bounds = bound_names(name)
        as_bounds = table.column(name) is None and all(table.column(bound) for bound in bounds)
        published.append(QuasiIdentifierColumns(name, groupable_columns(table, bounds if as_bounds else [name])))
    return tuple(published)


def groupable_columns(table: TableDescription, names: Sequence[str]) -> tuple[Column, ...]:
    """Return the named columns; raise RequestError if one is missing or cannot be grouped."""
    require_columns(table, names)
    columns = tuple(column for name in names if (column := table.column(name)))
    for column in columns:
        if column.kind not in GROUPABLE:
            raise RequestError(
                f"column {column.name!r} has type {column.type_name}, whose values cannot be grouped. "
                "Leave it out, or cast it to text in a view"
            )
    return columns


def _population(workspace: Workspace, population: str, quasi_identifiers: Sequence[QuasiIdentifierColumns]) -> TableName:
    """Return the population table; raise RequestError if its columns do not match."""
    description = describe_source(workspace, TableName.parse(population))
    wanted = [column for quasi_identifier in quasi_identifiers for column in quasi_identifier.columns]
    for column, other in zip(wanted, groupable_columns(description, [column.name for column in wanted]), strict=True):
        if (column.kind == "text") != (other.kind == "text"):
            raise RequestError(
                f"column {column.name!r} is {column.type_name} in the table and {other.type_name} in the population {population}; "
                "both must contain the same labels"
            )
    return description.name


def _require_valid(quasi_identifiers: Sequence[str], targets: Sequence[str], subsets: Sequence[Sequence[str]]) -> None:
    if isinstance(quasi_identifiers, str):
        raise RequestError("quasi_identifiers must be a list of column names")
    if not quasi_identifiers:
        raise RequestError("no quasi-identifiers; name at least one")
    for name in (named := [*quasi_identifiers, *targets]):
        if named.count(name) > 1:
            raise RequestError(f"column {name!r} is listed twice")
    for subset in subsets:
        if isinstance(subset, str) or not subset or len(set(subset)) < len(subset):
            raise RequestError("a subset must be a list of quasi-identifiers, each named once")
        for name in subset:
            if name not in quasi_identifiers:
                raise RequestError(f"subset: {name!r} is not a quasi-identifier{did_you_mean(name, list(quasi_identifiers))}")


def _threshold(threshold: float | Decimal | str) -> Decimal:
    """Return the threshold as an exact decimal; raise RequestError if it is not a risk."""
    try:
        share = Decimal(str(threshold))
    except InvalidOperation:
        share = Decimal("nan")
    if not (share.is_finite() and 0 < share <= 1):
        raise RequestError("the threshold must be greater than 0 and at most 1, for example 0.2")
    return share


def _warnings(population: PopulationFound | None) -> list[str]:
    if population is None or not population.smaller_classes:
        return []
    return [
        f"the population {population.table} has fewer rows than the table in {population.smaller_classes:,} classes "
        f"({population.smaller_rows:,} rows); for these classes the rows of the table are used as the population"
    ]
