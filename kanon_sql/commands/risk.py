"""Risk: how far the rows of a table, raw or published, can be told apart, and what that tells of other columns."""

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
from kanon_sql.stages.measure.risk import Known, RiskQuestion, assess_risk
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
    """The risk of a table by its quasi-identifiers; of identifiers and sensitive columns also what these tell of them."""
    told = [*identifiers, *sensitive]
    _require_sound(quasi_identifiers, told, subsets)
    share = _threshold(threshold)
    name = TableName.parse(table)
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            description = describe_source(workspace, name)
            known = known_columns(description, quasi_identifiers)
            question = RiskQuestion(
                description.name,
                known,
                countable(description, told),
                None if population is None else _population(workspace, population, known),
                share,
                tuple(tuple(name for name in quasi_identifiers if name in subset) for subset in subsets),
            )
        with workspace.stage("risk"):
            found = assess_risk(workspace, question)
    return RiskReport(table=name, threshold=share, warnings=tuple(_warnings(found.population)), **vars(found))


def known_columns(table: TableDescription, quasi_identifiers: Sequence[str]) -> tuple[Known, ...]:
    """The quasi-identifiers as the table holds them; one that is published as bounds stands for the two of them."""
    known = []
    for name in quasi_identifiers:
        bounds = bound_names(name)
        as_bounds = table.column(name) is None and all(table.column(bound) for bound in bounds)
        known.append(Known(name, countable(table, bounds if as_bounds else [name])))
    return tuple(known)


def countable(table: TableDescription, names: Sequence[str]) -> tuple[Column, ...]:
    """The named columns, whose values can be grouped."""
    require_columns(table, names)
    columns = tuple(column for name in names if (column := table.column(name)))
    for column in columns:
        if column.kind not in GROUPABLE:
            raise RequestError(f"column {column.name!r} has type {column.type_name}, whose values cannot be counted")
    return columns


def _population(workspace: Workspace, population: str, known: Sequence[Known]) -> TableName:
    """The population, which has the same columns of the same kinds."""
    there = describe_source(workspace, TableName.parse(population))
    wanted = [column for k in known for column in k.columns]
    for column, other in zip(wanted, countable(there, [column.name for column in wanted]), strict=True):
        if (column.kind == "text") != (other.kind == "text"):
            raise RequestError(
                f"column {column.name!r} is {column.type_name} in the table and {other.type_name} in the population {population}; "
                "both must hold the same labels"
            )
    return there.name


def _require_sound(quasi_identifiers: Sequence[str], told: Sequence[str], subsets: Sequence[Sequence[str]]) -> None:
    if isinstance(quasi_identifiers, str):
        raise RequestError("quasi_identifiers must be a list of column names")
    if not quasi_identifiers:
        raise RequestError("no quasi-identifier is given; name at least one")
    for name in (named := [*quasi_identifiers, *told]):
        if named.count(name) > 1:
            raise RequestError(f"column {name!r} is listed twice")
    for subset in subsets:
        if isinstance(subset, str) or not subset or len(set(subset)) < len(subset):
            raise RequestError("a subset must be a list of quasi-identifiers, each named once")
        for name in subset:
            if name not in quasi_identifiers:
                raise RequestError(f"subset: {name!r} is none of the quasi-identifiers{did_you_mean(name, list(quasi_identifiers))}")


def _threshold(given: float | Decimal | str) -> Decimal:
    """The share as it was written."""
    try:
        share = Decimal(str(given))
    except InvalidOperation:
        share = Decimal("nan")
    if not (share.is_finite() and 0 < share <= 1):
        raise RequestError("the threshold must be a risk above 0 and up to 1, such as 0.2")
    return share


def _warnings(population: PopulationFound | None) -> list[str]:
    if population is None or not population.smaller_classes:
        return []
    return [
        f"the population {population.table} has fewer rows than the table in {population.smaller_classes:,} classes "
        f"({population.smaller_rows:,} rows); these count as all there are of their kind"
    ]
