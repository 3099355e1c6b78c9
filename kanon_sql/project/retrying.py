"""`kanon retry`: repeat the jobs that failed or did not run in the last run or test."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kanon_sql.errors import RequestError
from kanon_sql.project.manifest import results_of
from kanon_sql.project.results import Outcome
from kanon_sql.project.running import run
from kanon_sql.project.session import Options
from kanon_sql.project.settings import find_project, read_settings
from kanon_sql.project.target_folder import RUN_RESULTS, read_document
from kanon_sql.project.testing import recheck

_COMMANDS: dict[str, Callable[[Options], Outcome]] = {"run": run, "test": recheck}
_NOT_FAILED = ("success", "pass", "warn")


def prepare(options: Options) -> Callable[[], Outcome] | None:
    """Return the command that repeats the failed jobs; None if no job failed."""
    folder = find_project(options.project_dir)
    target = folder / read_settings(folder, os.environ, options.variables).paths.target
    document = read_document(target / RUN_RESULTS)
    if document is None:
        raise RequestError(f"{target / RUN_RESULTS} does not exist, so there is nothing to retry. Run kanon run or kanon test first")
    failed = frozenset(result["unique_id"] for result in results_of(document, target) if result["status"] not in _NOT_FAILED)
    arguments = document.get("args")
    command = arguments.get("which") if isinstance(arguments, Mapping) else None
    if not isinstance(arguments, Mapping) or command not in _COMMANDS:
        raise RequestError(f"{target / RUN_RESULTS} does not name the command that wrote it. Run kanon run or kanon test again")
    return partial(_COMMANDS[command], _previous_options(options, arguments, failed)) if failed else None


def _previous_options(options: Options, arguments: Mapping[str, Any], failed: frozenset[str]) -> Options:
    """Return the options of the last command, overridden by the current ones."""
    profiles_dir = arguments.get("profiles_dir")
    return replace(
        options,
        profiles_dir=options.profiles_dir or (Path(profiles_dir) if profiles_dir else None),
        target=options.target or arguments.get("target"),
        variables={**(arguments.get("vars") or {}), **options.variables},
        threads=options.threads or arguments.get("threads"),
        fail_fast=arguments.get("fail_fast") if options.fail_fast is None else options.fail_fast,
        auto_plan=arguments.get("auto_plan") if options.auto_plan is None else options.auto_plan,
        yes=options.yes or bool(arguments.get("yes")),
        only=failed,
    )
