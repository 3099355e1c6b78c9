"""The functions of the package, which take a DataFrame wherever they take a connection."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from kanon_sql.commands.anonymize import anonymize as anonymize_table
from kanon_sql.commands.check import check as check_table
from kanon_sql.commands.measure import measure as measure_table
from kanon_sql.commands.profile import profile as profile_table
from kanon_sql.commands.risk import risk as risk_of_table
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy, Publish, Query
from kanon_sql.policy.file import load_policy
from kanon_sql.report.measure import MeasureReport
from kanon_sql.report.profile import ProfileReport
from kanon_sql.report.risk import RiskReport
from kanon_sql.report.run import AnonymizeReport, CheckReport
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import TypeIs

    from kanon_sql.backends import Connectable

FRAME = "frame"


@overload
def anonymize(connection: pd.DataFrame, policy: Policy | Mapping[str, Any] | str | Path, **options: Any) -> pd.DataFrame: ...
@overload
def anonymize(connection: Connectable, policy: Policy | Mapping[str, Any] | str | Path, **options: Any) -> AnonymizeReport: ...
def anonymize(
    connection: Connectable | pd.DataFrame, policy: Policy | Mapping[str, Any] | str | Path, **options: Any
) -> AnonymizeReport | pd.DataFrame:
    """Publishes the policy's table as a verified k-anonymous one and says what it cost; a DataFrame gives a new DataFrame.

    The options are those of the command line: replace, dry_run and so on. Of a DataFrame the policy may leave out `table` and
    `publish`; the report stands in the result's `attrs["kanon"]`.
    """
    if not _is_frame(connection):
        return anonymize_table(connection, policy, **options)
    from kanon_sql.backends.frames import load_frame, read_frame

    if options.get("dry_run"):
        raise RequestError("dry_run publishes nothing, so there is no DataFrame to give back; leave it out")
    checked = _for_frame(policy)
    with closing(load_frame(connection, checked.source.table)) as database:
        report = anonymize_table(database, checked, **options)
        unchanged = [*report.kept, *(name for name, level in report.levels.items() if level == 0)]
        result = read_frame(database, report.target.table, connection, [name for name in unchanged if name in connection.columns])
    result.attrs["kanon"] = report.to_dict()
    return result


def check(connection: Connectable | pd.DataFrame, table: str | None = None, **options: Any) -> CheckReport:
    """Whether every class of a table or DataFrame holds at least k rows: give quasi_identifiers and k."""
    if not _is_frame(connection):
        if table is None:
            raise RequestError("name the table to check")
        return check_table(connection, table, **options)
    from kanon_sql.backends.frames import load_frame

    with closing(load_frame(connection, table or FRAME)) as database:
        return check_table(database, str(TableName((table or FRAME,))), **options)


def profile(connection: Connectable | pd.DataFrame, table: str | None = None, **options: Any) -> ProfileReport:
    """What a table or DataFrame looks like, and a policy for it that runs: options are k and with_values."""
    if not _is_frame(connection):
        if table is None:
            raise RequestError("name the table to profile")
        return profile_table(connection, table, **options)
    from kanon_sql.backends.frames import load_frame

    with closing(load_frame(connection, table or FRAME)) as database:
        return profile_table(database, str(TableName((table or FRAME,))), **options)


def measure(
    connection: Connectable | pd.DataFrame,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    released: str | pd.DataFrame | None = None,
    **options: Any,
) -> MeasureReport:
    """What a release costs compared with its source: two tables of a database, or the DataFrames before and after."""
    if not _is_frame(connection):
        if _is_frame(released):
            raise RequestError("a released DataFrame needs its source as a DataFrame too")
        return measure_table(connection, policy, released=released, **options)
    from kanon_sql.backends.frames import add_frame, load_frame

    if not _is_frame(released):
        raise RequestError("of a DataFrame, give the released one too: released=anonymous")
    checked = _for_frame(policy)
    with closing(load_frame(connection, checked.source.table)) as database:
        add_frame(database, released, checked.target.table)
        return measure_table(database, checked, **options)


def risk(connection: Connectable | pd.DataFrame, table: str | None = None, **options: Any) -> RiskReport:
    """The risk of a table or DataFrame: give quasi_identifiers; sensitive, identifiers, population, threshold and subsets are options."""
    if not _is_frame(connection):
        if table is None:
            raise RequestError("name the table whose risk is asked")
        return risk_of_table(connection, table, **options)
    from kanon_sql.backends.frames import load_frame

    with closing(load_frame(connection, table or FRAME)) as database:
        return risk_of_table(database, str(TableName((table or FRAME,))), **options)


def _is_frame(given: object) -> TypeIs[pd.DataFrame]:
    """Whether it is a pandas DataFrame, told without importing pandas."""
    return any(f"{kind.__module__}.{kind.__name__}" in ("pandas.DataFrame", "pandas.core.frame.DataFrame") for kind in type(given).__mro__)


def _for_frame(policy: Policy | Mapping[str, Any] | str | Path) -> Policy:
    """The policy for one table in memory, under the names it gives, without schemas."""
    checked = load_policy(policy, defaults={"table": FRAME, "publish": {"into": f"{FRAME}_anon"}})
    if isinstance(checked.table, Query):
        raise RequestError("table: the DataFrame is the source; leave the query out, or put the DataFrame into a database and query that")
    source, target = checked.source.table, checked.target.table
    if source.casefold() == target.casefold():
        target = f"{source}_anon"
    return checked.model_copy(update={"table": str(TableName((source,))), "publish": Publish(into=str(TableName((target,))))})
