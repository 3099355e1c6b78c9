"""`kanon explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import WHERE, Json, Quiet, SqlFile, output_file
from kanon_sql.cli.project.options import Exclude, ProfilesDir, ProjectDir, Select, Selecting, Target, Vars, carry_out, variables_of


@app.command(cls=Selecting)
def explain(
    url: Annotated[str | None, typer.Argument(metavar="[URL]", help=f"{WHERE} Without it the policies of a project are explained.")] = None,
    policy: Annotated[Path | None, typer.Option("--policy", "-p", help="The policy: a YAML or JSON file.")] = None,
    levels: Annotated[str | None, typer.Option("--levels", help="Explain these levels instead of the best: age=1,zip=2.")] = None,
    plan: Annotated[Path | None, typer.Option("--plan", help="Explain the levels of this plan.")] = None,
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
    """Say why these levels: what binds, what each column costs, what a larger k or one column less would change.

    kanon explain duckdb:///clinic.duckdb --policy patients.yml

    In a project:  kanon explain --select patients
    """
    from kanon_sql import terminal
    from kanon_sql.artifacts.plan import read_plan
    from kanon_sql.commands.explain import explain as run
    from kanon_sql.commands.request import levels_from_argument
    from kanon_sql.errors import RequestError
    from kanon_sql.policy.file import load_policy
    from kanon_sql.report.run import SQL_MARK, write_statements

    if url is None:
        if policy or levels or plan or sql:
            raise RequestError("--policy, --levels, --plan and --sql go with a URL; in a project select policies with --select")
        from kanon_sql.project.explaining import explain as explain_jobs
        from kanon_sql.project.session import Options

        given = Options(project_dir, profiles_dir, target, variables_of(variables), tuple(select or ()), tuple(exclude or ()), quiet=quiet)
        carry_out(lambda: explain_jobs(given), json=json)
        return
    if select or exclude or target or variables:
        raise RequestError("--select, --exclude, --target and --vars are for a project, which is explained without a URL")
    if policy is None and plan is None:
        raise RequestError("give --policy FILE, or --plan FILE")
    saved = read_plan(plan) if plan is not None else None
    if policy is not None:
        checked = load_policy(policy)
    else:
        assert plan is not None and saved is not None  # noqa: S101, PT018 (one of them was given)
        checked = load_policy(saved.policy, folder=plan.parent, origin=f"plan {plan}: policy")
    sql_file = output_file(sql, mark=SQL_MARK)
    with terminal.progress(quiet=quiet) as listener:
        report = run(url, checked, levels=levels_from_argument(levels), plan=saved, listener=listener)
    if sql_file is not None:
        sql_file.write(write_statements(report.statements))
    if not quiet:
        terminal.warn(report.warnings)
    typer.echo(report.to_json() if json else terminal.describe_explain(report))
