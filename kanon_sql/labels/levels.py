"""Turn the level limits of a policy into a lattice, and levels by column name into a node."""

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
    """Return the nodes a policy allows, or raise if a limit is above the levels of a hierarchy."""
    lowest, highest = [], []
    for column in frequencies.columns:
        rule = policy.columns[column.column.name]
        for key, level in (("min_level", rule.min_level), ("max_level", rule.max_level)):
            if level is not None and level > column.height:
                raise RequestError(f"columns.{column.column.name}: {key} is {level}, but its hierarchy has levels 0 to {column.height}")
        lowest.append(rule.min_level or 0)
        highest.append(column.height if rule.max_level is None else rule.max_level)
    return Lattice(frequencies.lattice.heights, tuple(lowest), tuple(highest))


def node_of(levels: Mapping[str, int], frequencies: FrequencyTable, lattice: Lattice) -> Node:
    """Return the node for levels by column name, or raise if a level is missing, unknown or not allowed."""
    names = [column.column.name for column in frequencies.columns]
    unknown = [f"{name!r}{did_you_mean(name, names)}" for name in levels if name not in names]
    if unknown:
        raise RequestError(f"levels: not a quasi-identifier: {', '.join(unknown)}")
    missing = [repr(name) for name in names if name not in levels]
    if missing:
        raise RequestError(f"levels: no level for {', '.join(missing)}; add one for every quasi-identifier")
    for name, allowed in zip(names, lattice.ranges, strict=True):
        if levels[name] not in allowed:
            raise RequestError(f"levels: {name}={levels[name]} is not allowed; its levels are {allowed[0]} to {allowed[-1]}")
    return tuple(levels[name] for name in names)


def goal_of(frequencies: FrequencyTable, policy: Policy) -> Goal:
    """Return what the policy's search minimizes."""
    weights = [float(policy.columns[column.column.name].weight or 1) for column in frequencies.columns]
    return Goal(policy.cost, scaled(weights), policy.privacy.least_k)


def require_joinable(workspace: Workspace, tables: int) -> None:
    """Raise if a release needs a join of more tables than the engine allows."""
    most = workspace.backend.joined_tables
    if most is not None and tables > most:
        raise RequestError(
            f"the release needs a join of {tables} tables, one for each quasi-identifier below its root and each pseudonym, and "
            f"{workspace.backend.title} joins at most {most}; set min_level of some quasi-identifiers to their root, or drop some"
        )
