"""Kept columns that depend on generalized quasi-identifiers: found before the release is staged, and judged on the staging table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from kanon_sql.artifacts import Dependency, FrequencyTable, Profile, Recoding, Solution, StagedTable
from kanon_sql.commands.limits import require_risk
from kanon_sql.commands.trial_staging import staged_temporarily
from kanon_sql.common.spelling import many
from kanon_sql.errors import LimitError
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.dependencies import Dependent, count_smallest_classes, find_dependencies
from kanon_sql.stages.recode.recoding import recode
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Judged:
    """The dependencies of a release, each with its smallest class, and warnings about those that break k."""

    dependencies: tuple[Dependency, ...] = ()
    warnings: tuple[str, ...] = ()


def find_dependent(workspace: Workspace, policy: Policy, profile: Profile, frequencies: FrequencyTable, solution: Solution) -> Dependent:
    """Return the kept columns that depend on a quasi-identifier that the solution generalizes, except those that the policy accepts."""
    accepted = frozenset(name for name, rule in policy.columns.items() if rule.accept_dependent)
    return find_dependencies(workspace, profile, frequencies, solution.assignment.highest(frequencies.lattice.heights), accepted)


def judge_staged(workspace: Workspace, policy: Policy, staged: StagedTable, recoding: Recoding, dependent: Dependent) -> Judged:
    """Return the dependencies in the staging table; raise an error if limits are exceeded, or if k is broken and the policy says so."""
    require_risk(workspace, policy, staged)
    return _judge(workspace, policy, staged, recoding, dependent)


def judge_solution(workspace: Workspace, policy: Policy, profile: Profile, frequencies: FrequencyTable, solution: Solution) -> Judged:
    """Return the dependencies of a solution, which is recoded only if there are any."""
    dependent = find_dependent(workspace, policy, profile, frequencies, solution)
    if not dependent.found:
        return Judged(warnings=tuple(_not_compared(dependent)))
    return judge_dry_run(workspace, policy, profile, recode(workspace, frequencies, solution, policy.models), dependent)


def judge_dry_run(workspace: Workspace, policy: Policy, profile: Profile, recoding: Recoding, dependent: Dependent) -> Judged:
    """Return the dependencies of a release that is not published, from a temporary table without pseudonyms."""
    if not dependent.found:
        return Judged(warnings=tuple(_not_compared(dependent)))
    replaced = {identifier.column.name for identifier in profile.identifiers}
    plain = replace(profile, identifiers=(), columns=tuple(column for column in profile.columns if column.name not in replaced))
    with staged_temporarily(workspace, plain, recoding) as staged:
        return _judge(workspace, policy, staged, recoding, dependent)


def _judge(workspace: Workspace, policy: Policy, staged: StagedTable, recoding: Recoding, dependent: Dependent) -> Judged:
    found = dependent.found
    smallest: Mapping[str, int] = {}
    if found:
        smallest = count_smallest_classes(workspace, staged, list(dict.fromkeys(dependency.column for dependency in found)))
    found = tuple(replace(dependency, smallest_class=smallest.get(dependency.column)) for dependency in found)
    k = policy.models.k if policy.models.k > 1 else (recoding.smallest_class or 1)
    lines = [_warning(policy, dependency, k) for dependency in found if (dependency.smallest_class or k) < k]
    if lines and policy.dependent == "error":
        raise LimitError("kept columns depend on quasi-identifiers (dependent: error), and nothing was published:\n  " + "\n  ".join(lines))
    return Judged(found, (*lines, *_not_compared(dependent)))


def _warning(policy: Policy, dependency: Dependency, k: int) -> str:
    name, unit = dependency.column, "person" if policy.entity else "row"
    rule = policy.columns.get(name)
    role = rule.role if rule is not None else "insensitive"
    return (
        f"kept column {name!r} {dependency.in_words}; counted as a quasi-identifier, it leaves a smallest class of "
        f"{many(dependency.smallest_class or 0, unit)} (k = {k}): make it a quasi_identifier or drop it, "
        f"or accept it with {name}: {{role: {role}, accept_dependent: true}}"
    )


def _not_compared(dependent: Dependent) -> Iterator[str]:
    if dependent.not_compared:
        yield (
            f"{many(dependent.not_compared, 'pair')} of a kept column and a quasi-identifier were too many to be compared: "
            "a kept column may reveal a quasi-identifier"
        )
