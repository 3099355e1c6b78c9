"""Secrets of a project: canaries in the environment, the profile and the variables appear in no file, output or log."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
import yaml
from support.databases import Database
from support.projects import ProjectFolder, fill, policy

Capture = pytest.CaptureFixture[str]
SECRET = 'it\'s "my" back\\slash & <canary> é+/%41 that is long enough to be folded by whoever writes lines of eighty characters'
OTHER = "canary-of-the-environment"


def spelled(secret: str) -> set[str]:
    """Return the beginning of a secret as files escape it, which is enough to recognize it."""
    start = secret[:40]
    forms = {start, repr(start)[1:-1], json.dumps(start)[1:-1], yaml.safe_dump(start, default_style='"', width=999)[1:-2]}
    return forms | {start.replace("'", "''"), quote(start, safe=""), quote_plus(start), html.escape(start), start.split("&")[-1][:9]}


def everything(project: ProjectFolder, capsys: Capture) -> str:
    said = capsys.readouterr()
    return said.out + said.err + project.texts()


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    "template",
    [
        "{{ env_var }}",
        "{{ env_var | string }}",
        "{{ env_var | pprint }}",
        "{{ '%r' | format(env_var) }}",
        "{{ '%r' % env_var }}",
        "{{ {'a': env_var} | xmlattr }}",
        "{{ [env_var] }}",
    ],
)
@pytest.mark.parametrize("place", ["tags", "where", "vars", "profile"])
def test_the_environment_is_not_printed(
    backend: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, template: str, place: str
) -> None:
    monkeypatch.setenv("KANON_ENV_SECRET_X", SECRET)
    monkeypatch.setenv("ANYTHING", OTHER)
    fill(backend, ["people"])
    more: dict[str, Any] = {"tags": [template]} if place == "tags" else {"where": template} if place == "where" else {}
    settings: dict[str, Any] = {"vars": {"x": template}} if place == "vars" else {}
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people", **more)}, url=backend.url, **settings)
    if place == "profile":
        outputs = {"dev": {"type": "url", "url": backend.url, "note": template}}
        project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": outputs}})
    for command in ("plan", "run", "test", "debug", "explain"):
        assert project.run(command, "--debug") == 1
    reported = everything(project, capsys)
    assert "does not exist. Use one of: as_bool" in reported or "is not defined in templates" in reported
    assert OTHER not in reported
    assert not [form for form in spelled(SECRET) if form in reported]


@pytest.mark.engines("duckdb")
def test_a_secret_in_a_variable(backend: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """A secret in --vars is masked in all output, escaped or not, and is not part of a plan."""
    monkeypatch.setenv("KANON_ENV_SECRET_X", SECRET)
    fill(backend, ["people", "staff"])
    tagged = policy("people", tags=["nightly", "{{ var('x', 'none') }}"])
    asked = policy("staff", where="diagnosis <> '{{ var('x', 'none') | replace(\"'\", \"''\") }}'")
    missing = policy("people", "other", where="no_such_column = '{{ var('x', 'none') | replace(\"'\", \"''\") }}'")
    project = ProjectFolder(tmp_path / "clinic", {"people": tagged, "staff": asked, "missing": missing}, url=backend.url)
    given = ["--vars", json.dumps({"x": SECRET})]
    project.run("plan")
    for command, *options in (
        ["plan"],
        ["run"],
        ["run", "--auto-plan", "--debug"],
        ["run", "--json", "--log-format", "json"],
        ["test", "--junit", str(project.folder / "target" / "junit.xml")],
        ["explain"],
        ["explain", "--json"],
        ["retry", "--debug"],
        ["debug"],
        ["list"],
        ["list", "--json"],
        ["list", "--select", SECRET],
        ["list", "--select", f"tag:{SECRET}"],
        ["run", "--threads", SECRET],
        ["run", SECRET],
        [SECRET],
    ):
        project.run(command, *(given if command != SECRET else []), *options)
    reported = everything(project, capsys)
    assert "*****" in reported
    assert not [form for form in spelled(SECRET) if form in reported]
