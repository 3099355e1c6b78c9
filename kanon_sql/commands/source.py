"""The source of a release: read in one transaction, and refused if a kept column is computed from a protected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import Profile
from kanon_sql.artifacts.structure import Structure, require_unchanged
from kanon_sql.commands.pipeline import Run
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.source import profile_source, read_source
from kanon_sql.stages.profile.source_queries import hold_source, relations_read, source_structure
from kanon_sql.stages.publish.pseudonyms import require_keys
from kanon_sql.stages.publish.staging import Target, check_target
from kanon_sql.tables import TableDescription
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import Relation
from kanon_sql.workspace.generated import all_sources, generated_columns

RUN_AGAIN = "Nothing was published. Run again"


@dataclass(frozen=True)
class OpenedSource:
    """A source that a transaction reads, as it was defined when the transaction began, and the target."""

    relations: Sequence[Relation]  # that the source names
    structure: Structure  # of these relations
    description: TableDescription
    target: Target

    def require_same_source(self, workspace: Workspace) -> None:
        """Raise an error if the source was altered since the transaction began."""
        require_unchanged(self.structure, source_structure(workspace, self.relations), self.description.title, RUN_AGAIN)


@dataclass(frozen=True)
class ReadySource(OpenedSource):
    """An opened source that may be published under the policy."""

    profile: Profile


def open_source(workspace: Workspace, policy: Policy, *, dry_run: bool) -> OpenedSource:
    """Begin the transaction, and describe source and target; definitions are read first, so no later change is missed."""
    relations = relations_read(workspace, policy)
    workspace.transaction.begin("read" if dry_run else "count")
    structure = hold_source(workspace, relations)
    source = read_source(workspace, policy)
    target = check_target(workspace, source, policy.target, replace=policy.publish.replace or dry_run)
    return OpenedSource(relations, structure, source, target)


def prepare_source(run: Run, opened: OpenedSource, *, dry_run: bool) -> ReadySource:
    """Profile the source, and check that the run's options and keys fit it."""
    profile = profile_for_release(run.workspace, opened.description, run.policy)
    run.options.require_fitting(run.workspace, run.policy, profile)
    if not dry_run:
        require_keys(profile.identifiers)
    return ReadySource(**vars(opened), profile=profile)


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
    """Return the columns that no kept column may be computed from, each with its role."""
    modelled = {values.column for values in policy.models.sensitive_values}
    protected = {policy.entity: "entity"} if policy.entity is not None else {}
    for name, rule in policy.columns.items():
        if rule.role in ("quasi_identifier", "identifier", "drop"):
            protected[name] = rule.role
        elif name in modelled:
            protected[name] = f"{rule.role}, with a privacy model"
    return protected
