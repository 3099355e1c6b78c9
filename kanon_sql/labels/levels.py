"""The levels a policy allows and a user names: limits become a lattice, names become a node."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.lattice import Lattice, Node
from kanon_sql.metrics import Goal, scaled
from kanon_sql.policy import Policy
from kanon_sql.workspace import Workspace


def lattice_of(frequencies: FrequencyTable, policy: Policy) -> Lattice:
    """The nodes a policy allows, or an error that names the limit a hierarchy cannot keep."""
    lowest, highest = [], []
    for column in frequencies.columns:
        rule = policy.columns[column.column.name]
        for key, level in (("min_level", rule.min_level), ("max_level", rule.max_level)):
            if level is not None and level > column.height:
                raise RequestError(
                    f"columns.{column.column.name}: {key} is {level}, and its hierarchy has levels 0 to {column.height} only"
                )
        lowest.append(rule.min_level or 0)
        highest.append(column.height if rule.max_level is None else rule.max_level)
    return Lattice(frequencies.lattice.heights, tuple(lowest), tuple(highest))


def node_of(levels: Mapping[str, int], frequencies: FrequencyTable, lattice: Lattice) -> Node:
    """The node that levels by column name mean, or an error that names what is missing, unknown or out of range."""
    names = [column.column.name for column in frequencies.columns]
    unknown = [f"{name!r}{did_you_mean(name, names)}" for name in levels if name not in names]
    if unknown:
        raise RequestError(f"levels: {', '.join(unknown)} is no quasi-identifier")
    missing = [repr(name) for name in names if name not in levels]
    if missing:
        raise RequestError(f"levels: no level is given for {', '.join(missing)}; name one for every quasi-identifier")
    for name, allowed in zip(names, lattice.ranges, strict=True):
        if levels[name] not in allowed:
            raise RequestError(f"levels: {name}={levels[name]} is not allowed; its levels are {allowed[0]} to {allowed[-1]}")
    return tuple(levels[name] for name in names)


def goal_of(frequencies: FrequencyTable, policy: Policy) -> Goal:
    """What the policy's search minimizes."""
    weights = [float(policy.columns[column.column.name].weight or 1) for column in frequencies.columns]
    return Goal(policy.cost, scaled(weights), policy.privacy.least_k)


def require_joinable(workspace: Workspace, tables: int) -> None:
    """Raise if a release needs a join of more tables than the engine takes."""
    most = workspace.backend.joined_tables
    if most is not None and tables > most:
        raise RequestError(
            f"the release needs a join of {tables} tables, one for each quasi-identifier below its root and each pseudonym, and "
            f"{workspace.backend.title} joins {most} at most; set min_level of some to their root, or drop some"
        )
