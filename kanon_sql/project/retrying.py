"""Retry: does again what failed, or was not done, in the last run or test."""

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
_WELL_ENDED = ("success", "pass", "warn")


def prepare(options: Options) -> Callable[[], Outcome] | None:
    """What is to be done again; nothing if everything had ended well."""
    folder = find_project(options.project_dir)
    target = folder / read_settings(folder, os.environ, options.variables).paths.target
    document = read_document(target / RUN_RESULTS)
    if document is None:
        raise RequestError(f"there is no {target / RUN_RESULTS}; there is nothing to retry before the first kanon run or kanon test")
    left = frozenset(result["unique_id"] for result in results_of(document, target) if result["status"] not in _WELL_ENDED)
    arguments = document.get("args")
    command = arguments.get("which") if isinstance(arguments, Mapping) else None
    if not isinstance(arguments, Mapping) or command not in _COMMANDS:
        raise RequestError(f"{target / RUN_RESULTS} does not say which command wrote it; run again")
    return partial(_COMMANDS[command], _as_before(options, arguments, left)) if left else None


def _as_before(options: Options, arguments: Mapping[str, Any], left: frozenset[str]) -> Options:
    """The options of the last command, with those given now laid over them."""
    before = arguments.get("profiles_dir")
    return replace(
        options,
        profiles_dir=options.profiles_dir or (Path(before) if before else None),
        target=options.target or arguments.get("target"),
        variables={**(arguments.get("vars") or {}), **options.variables},
        threads=options.threads or arguments.get("threads"),
        fail_fast=arguments.get("fail_fast") if options.fail_fast is None else options.fail_fast,
        auto_plan=arguments.get("auto_plan") if options.auto_plan is None else options.auto_plan,
        yes=options.yes or bool(arguments.get("yes")),
        only=left,
    )
