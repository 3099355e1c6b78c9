"""The limits of a policy on what a release costs and risks."""

from __future__ import annotations

from kanon_sql.artifacts import Profile, Recoding, StagedTable
from kanon_sql.artifacts.utility import Utility
from kanon_sql.commands.trial_staging import staged_temporarily
from kanon_sql.errors import RequestError
from kanon_sql.metrics import Number
from kanon_sql.policy import Policy
from kanon_sql.stages.measure.limits import require_within
from kanon_sql.stages.measure.risk import QuasiIdentifierColumns, RiskQuestion, count_classes, information_risks, risk_figures
from kanon_sql.workspace import Workspace


def require_utility(policy: Policy, utility: Utility) -> None:
    """Raise an error if a release costs more than the policy allows."""
    require_within(policy.limits.of_utility(), {(name, None): value for name, value in utility.items()})


def require_risk(workspace: Workspace, policy: Policy, staged: StagedTable) -> None:
    """Raise an error if a staging table risks more than the policy allows; count risks only if the policy limits them."""
    limits = policy.limits.of_risk()
    if not limits:
        return
    names = list(dict.fromkeys(limit.column for limit in limits if limit.column))
    by_name = {column.name: column for column in staged.columns}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise RequestError(f"limits: the release has no column {', '.join(map(repr, missing))}")
    question = RiskQuestion(
        staged.table, tuple(QuasiIdentifierColumns(c.name, (c,)) for c in staged.quasi_identifiers), tuple(by_name[name] for name in names)
    )
    counted = count_classes(workspace, question)
    values: dict[tuple[str, str | None], Number] = {
        (name, None): value for name, value in risk_figures(workspace, question, counted).items()
    }
    for found in information_risks(workspace, question, counted, question.names, rows=1):
        values |= {(name, found.column): value for name, value in found.figures.items()}
    workspace.tables.drop(counted.classes, *counted.with_target)
    require_within(limits, values)


def require_risk_of_dry_run(workspace: Workspace, policy: Policy, profile: Profile, recoding: Recoding) -> None:
    """Raise the same error for a release that is not published: it is staged as a temporary table if the policy limits risks."""
    if policy.limits.of_risk():
        with staged_temporarily(workspace, profile, recoding) as staged:
            require_risk(workspace, policy, staged)
