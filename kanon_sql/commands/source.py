"""The source of a release, refused where a column that is kept is computed from one that is not published as it is."""

from __future__ import annotations

from kanon_sql.artifacts import Profile
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.source import profile_source
from kanon_sql.stages.replace.generated import all_sources, generated_columns
from kanon_sql.tables import TableDescription
from kanon_sql.workspace import Workspace


def profile_for_release(workspace: Workspace, source: TableDescription, policy: Policy) -> Profile:
    """Return the profile of a source that may be published under the policy."""
    profile = profile_source(workspace, source, policy)
    if not source.is_query:
        _require_not_computed(workspace, source, policy, profile)
    return profile


def _require_not_computed(workspace: Workspace, source: TableDescription, policy: Policy, profile: Profile) -> None:
    """Raise an error if a kept column is generated from a column that the policy protects, directly or through others."""
    protected = _protected(policy)
    sources = all_sources(generated_columns(workspace, source.name))
    problems = []
    for column in profile.kept:
        found = [f"{name!r} ({protected[name]})" for name in sorted(sources.get(column.name, frozenset()) & protected.keys())]
        if found:
            problems.append(f"  column {column.name!r} is computed from {', '.join(found)}")
    if problems:
        raise RequestError(
            f"generated columns of {source.title} would be kept and reveal the columns they are computed from; nothing was done:\n"
            + "\n".join(problems)
            + "\nMake each a quasi_identifier, or drop it (role: drop, or others: drop if it is not listed)"
        )


def _protected(policy: Policy) -> dict[str, str]:
    """Return the columns that no kept column may be computed from, each with what it is."""
    modelled = {values.column for values in policy.models.looked_at}
    protected = {policy.entity: "entity"} if policy.entity is not None else {}
    for name, rule in policy.columns.items():
        if rule.role in ("quasi_identifier", "identifier", "drop"):
            protected[name] = rule.role
        elif name in modelled:
            protected[name] = f"{rule.role}, with a privacy model"
    return protected
