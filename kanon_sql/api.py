"""The public functions: a DataFrame instead of a connection, and policy keys as arguments."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from kanon_sql.commands.anonymize import anonymize as anonymize_table
from kanon_sql.commands.check import check as check_table
from kanon_sql.commands.explain import explain as explain_policy
from kanon_sql.commands.measure import measure as measure_table
from kanon_sql.commands.profile import profile as profile_table
from kanon_sql.commands.risk import risk as risk_of_table
from kanon_sql.commands.solve import solve as solve_policy
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy, Publish, Query
from kanon_sql.policy.overrides import PolicyKeys, PolicyOverrides, override
from kanon_sql.report.check import CheckReport
from kanon_sql.report.explain import ExplainReport
from kanon_sql.report.measure import MeasureReport
from kanon_sql.report.profile import ProfileReport
from kanon_sql.report.risk import RiskReport
from kanon_sql.report.run import AnonymizeReport
from kanon_sql.report.solve import SolveReport
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import TypeIs

    from kanon_sql.artifacts.plan import Plan
    from kanon_sql.backends import Connectable
    from kanon_sql.workspace import StageListener

    PolicyLike = Policy | Mapping[str, Any] | str | Path

FRAME = "frame"
RUN_OPTIONS = ("replace", "dry_run", "yes", "levels", "plan", "picture", "listener")


@overload
def anonymize(
    connection: pd.DataFrame, policy: PolicyLike, *, replace: bool = ..., dry_run: bool = ..., yes: bool = ...,
    levels: Mapping[str, int] | None = ..., plan: Plan | None = ..., picture: bool = ..., listener: StageListener | None = ...,
    **overrides: Unpack[PolicyOverrides],
) -> pd.DataFrame: ...  # fmt: skip
@overload
def anonymize(
    connection: Connectable, policy: PolicyLike, *, replace: bool = ..., dry_run: bool = ..., yes: bool = ...,
    levels: Mapping[str, int] | None = ..., plan: Plan | None = ..., picture: bool = ..., listener: StageListener | None = ...,
    **overrides: Unpack[PolicyOverrides],
) -> AnonymizeReport: ...  # fmt: skip
def anonymize(
    connection: Connectable | pd.DataFrame, policy: PolicyLike, *, replace: bool = False, dry_run: bool = False, yes: bool = False,
    levels: Mapping[str, int] | None = None, plan: Plan | None = None, picture: bool = False, listener: StageListener | None = None,
    **overrides: Unpack[PolicyOverrides],
) -> AnonymizeReport | pd.DataFrame:  # fmt: skip
    """Publish the policy's table as a verified k-anonymous one and return a report; for a DataFrame, return a new DataFrame.

    Policy keys such as k, suppression or algorithm replace those of the policy. For a DataFrame the policy does not need `table` and
    `publish`, and the report is in the result's `attrs["kanon"]`.
    """
    options: dict[str, Any] = {
        "replace": replace, "dry_run": dry_run, "yes": yes, "levels": levels, "plan": plan, "picture": picture, "listener": listener,
    }  # fmt: skip
    if not _is_frame(connection):
        return anonymize_table(connection, override(policy, overrides, options=RUN_OPTIONS), **options)
    from kanon_sql.backends.frames import load_frame, read_frame

    if dry_run:
        raise RequestError("dry_run publishes nothing, so there is no DataFrame to return; leave it out")
    checked = _for_frame(policy, overrides, RUN_OPTIONS)
    with closing(load_frame(connection, checked.source.table)) as database:
        report = anonymize_table(database, checked, **options)
        unchanged = [*report.kept, *(name for name, level in report.levels.items() if level == 0)]
        result = read_frame(database, report.target.table, connection, [name for name in unchanged if name in connection.columns])
    result.attrs["kanon"] = report.to_dict()
    return result


def solve(
    connection: Connectable, policy: PolicyLike, *, listener: StageListener | None = None, **overrides: Unpack[PolicyOverrides]
) -> SolveReport:
    """Find the solution of a policy and publish nothing; policy keys replace those of the policy."""
    return solve_policy(connection, override(policy, overrides, options=("listener",)), listener=listener)


def explain(
    connection: Connectable,
    policy: PolicyLike,
    *,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
    listener: StageListener | None = None,
    **overrides: Unpack[PolicyOverrides],
) -> ExplainReport:
    """Explain the solution of a policy, of levels or of a plan; policy keys replace those of the policy."""
    checked = override(policy, overrides, options=("levels", "plan", "listener"))
    return explain_policy(connection, checked, levels=levels, plan=plan, listener=listener)


def check(
    connection: Connectable | pd.DataFrame,
    table: str | None = None,
    *,
    quasi_identifiers: Sequence[str] = (),
    k: int | None = None,
    policy: PolicyLike | None = None,
    source: str | None = None,
    listener: StageListener | None = None,
    **overrides: Unpack[PolicyKeys],
) -> CheckReport:
    """Check whether every class of a table or DataFrame has k rows, or satisfies a policy; policy keys replace those of the policy."""
    if policy is not None:
        defaults = {"table": table or FRAME, "publish": {"into": f"{table or FRAME}_anon"}}
        policy = override(policy, overrides, options=("quasi_identifiers", "k", "policy", "source", "listener"), defaults=defaults)
    elif overrides:
        raise RequestError(f"{', '.join(overrides)}: these are keys of a policy; give policy= too, or only quasi_identifiers= and k=")
    with _table(connection, table, "name the table to check") as (database, name):
        return check_table(
            database, name, quasi_identifiers=quasi_identifiers, k=k, policy=policy, source=source, listener=listener
        )  # fmt: skip


def profile(
    connection: Connectable | pd.DataFrame,
    table: str | None = None,
    *,
    k: int = 5,
    with_values: bool = False,
    listener: StageListener | None = None,
    **overrides: Unpack[PolicyKeys],
) -> ProfileReport:
    """Profile a table or DataFrame and suggest a policy; policy keys replace those of the suggested policy."""
    with _table(connection, table, "name the table to profile") as (database, name):
        report = profile_table(database, name, k=k, with_values=with_values, listener=listener)
    return dataclasses.replace(report, policy=override(report.policy, overrides, options=("k", "with_values", "listener")))


def measure(
    connection: Connectable | pd.DataFrame,
    policy: PolicyLike,
    *,
    source: str | None = None,
    released: str | pd.DataFrame | None = None,
    listener: StageListener | None = None,
    **overrides: Unpack[PolicyOverrides],
) -> MeasureReport:
    """Measure the information loss of a release against its source: two tables of a database, or two DataFrames."""
    options = ("source", "released", "listener")
    if not _is_frame(connection):
        if _is_frame(released):
            raise RequestError("a released DataFrame needs its source as a DataFrame too")
        checked = override(policy, overrides, options=options)
        return measure_table(connection, checked, source=source, released=released, listener=listener)
    from kanon_sql.backends.frames import add_frame, load_frame

    if not _is_frame(released):
        raise RequestError("for a DataFrame, give the released one too: released=anonymous")
    checked = _for_frame(policy, overrides, options)
    with closing(load_frame(connection, checked.source.table)) as database:
        add_frame(database, released, checked.target.table)
        return measure_table(database, checked, source=source, listener=listener)


def risk(connection: Connectable | pd.DataFrame, table: str | None = None, **options: Any) -> RiskReport:
    """Return the re-identification risk of a table or DataFrame.

    Options: quasi_identifiers (required), sensitive, identifiers, population, threshold and subsets.
    """
    with _table(connection, table, "name the table whose risk is wanted") as (database, name):
        return risk_of_table(database, name, **options)


@contextmanager
def _table(connection: Connectable | pd.DataFrame, table: str | None, missing: str) -> Iterator[tuple[Connectable, str]]:
    """Yield a connection and the name of the table on it; a DataFrame becomes a table in memory."""
    if not _is_frame(connection):
        if table is None:
            raise RequestError(missing)
        yield connection, table
        return
    from kanon_sql.backends.frames import load_frame

    with closing(load_frame(connection, table or FRAME)) as database:
        yield database, str(TableName((table or FRAME,)))


def _is_frame(value: object) -> TypeIs[pd.DataFrame]:
    """Return whether a value is a pandas DataFrame, without importing pandas."""
    return any(f"{kind.__module__}.{kind.__name__}" in ("pandas.DataFrame", "pandas.core.frame.DataFrame") for kind in type(value).__mro__)


def _for_frame(policy: PolicyLike, overrides: Mapping[str, Any], options: Sequence[str]) -> Policy:
    """Return the policy for one table in memory, with its table names but without their schemas."""
    defaults = {"table": FRAME, "publish": {"into": f"{FRAME}_anon"}}
    checked = override(policy, overrides, options=options, defaults=defaults)
    if isinstance(checked.table, Query):
        raise RequestError("table: the DataFrame is the source. Leave the query out, or load the DataFrame into a database and query it")
    source, target = checked.source.table, checked.target.table
    if source.casefold() == target.casefold():
        target = f"{source}_anon"
    return checked.model_copy(update={"table": str(TableName((source,))), "publish": Publish(into=str(TableName((target,))))})
