"""`kanon explain`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import URL_HELP, Json, OptionalPolicyFile, Quiet, SqlFile
from kanon_sql.cli.output import output_file, print_report
from kanon_sql.cli.project.options import (
    Exclude,
    ProfilesDir,
    ProjectDir,
    Select,
    SelectorCommand,
    Target,
    Vars,
    execute,
    parse_variables,
)
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    from kanon_sql.artifacts.plan import Plan
    from kanon_sql.policy import Policy


@app.command(cls=SelectorCommand)
def explain(
    url: Annotated[str | None, typer.Argument(metavar="URL", help=f"{URL_HELP} Omit it to explain the policies of a project.")] = None,
    policy: OptionalPolicyFile = None,
    levels: Annotated[
        str | None, typer.Option("--levels", metavar="LEVELS", help="Explain these levels instead of the best ones: age=1,zip=2.")
    ] = None,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Explain the levels of this plan.")] = None,
    sql: SqlFile = None,
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    select: Select = None,
    exclude: Exclude = None,
    variables: Vars = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Explain why these generalization levels were chosen.

    Shows which requirement binds, the information loss of each
    quasi-identifier, and what a larger k or one quasi-identifier less would
    change. Creates only temporary tables.

    One policy file, or the policies of a project:

      kanon explain duckdb:///clinic.duckdb --policy patients.yml
      kanon explain --select patients
    """
    if url is not None:
        if select or exclude or target or variables:
            raise RequestError("--select, --exclude, --target and --vars cannot be combined with a URL. Omit the URL to explain a project")
        _explain_policy(url, policy, plan, levels=levels, sql=sql, json=json, quiet=quiet)
        return
    if policy or levels or plan or sql:
        raise RequestError(
            "--policy, --levels, --plan and --sql need a URL. Add the URL of the database, or use --select to choose policies of a project"
        )
    from kanon_sql.project.explaining import explain as explain_project
    from kanon_sql.project.session import Options

    options = Options(project_dir, profiles_dir, target, parse_variables(variables), tuple(select or ()), tuple(exclude or ()), quiet=quiet)
    execute(lambda: explain_project(options), json=json)


def _explain_policy(
    url: str, policy: Path | None, plan: Path | None, *, levels: str | None, sql: Path | None, json: bool, quiet: bool
) -> None:
    from kanon_sql import terminal
    from kanon_sql.commands.explain import explain as run
    from kanon_sql.commands.request import levels_from_argument
    from kanon_sql.report.run import SQL_MARK, write_statements

    checked, saved_plan = _read_policy(policy, plan)
    sql_file = output_file(sql, mark=SQL_MARK)
    with terminal.progress(quiet=quiet) as listener:
        report = run(url, checked, levels=levels_from_argument(levels), plan=saved_plan, listener=listener)
    if sql_file is not None:
        sql_file.write(write_statements(report.statements))
    print_report(report, terminal.describe_explain, json=json, quiet=quiet)


def _read_policy(policy: Path | None, plan: Path | None) -> tuple[Policy, Plan | None]:
    """Return the policy of its file, or otherwise of the plan, and the plan if there is one."""
    from kanon_sql.artifacts.plan import read_plan
    from kanon_sql.policy.file import load_policy

    saved_plan = read_plan(plan) if plan is not None else None
    if policy is not None:
        return load_policy(policy), saved_plan
    if plan is None or saved_plan is None:
        raise RequestError("--policy or --plan is required with a URL. Add --policy FILE, --plan FILE or both")
    return load_policy(saved_plan.policy, folder=plan.parent, origin=f"plan {plan}: policy"), saved_plan
