"""Projects for the tests: folders with policies, a profile for a test's database, and small tables."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from support.databases import Database

from kanon_sql.cli import run

COLUMNS = {"name": "text", "age": "integer", "zip": "text", "diagnosis": "text"}


def policy(table: str, into: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a policy for a table of people."""
    publish: dict[str, Any] = {"in_place": True} if into == "in place" else {"into": into or f"{table}_anon"}
    return {
        "table": table,
        "publish": publish,
        "privacy": {"k": 3},
        "columns": {
            "name": "identifier",
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10, 20]}},
            "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1, 2]}}},
            "diagnosis": "sensitive",
        },
        **more,
    }


def people(count: int = 60, seed: int = 1) -> list[tuple[Any, ...]]:
    """Return rows in which every name begins with Secret."""
    draw = random.Random(seed)
    return [(f"Secret Name {n}", draw.randrange(20, 30), f"1{draw.randrange(3)}", draw.choice(["flu", "cold"])) for n in range(count)]


class ProjectFolder:
    """A project on disk, and the commands run in it."""

    def __init__(self, folder: Path, files: Mapping[str, Mapping[str, Any]], *, url: str, **settings: Any) -> None:
        self.folder = folder
        self.write("kanon_project.yml", {"name": "clinic", "policies": {"+replace": True}, **settings})
        self.write("profiles.yml", {"clinic": {"target": "dev", "outputs": {"dev": {"type": "url", "url": url}}}})
        for name, content in files.items():
            self.write(f"policies/{name}.yml", content)

    def write(self, name: str, content: Mapping[str, Any] | str) -> Path:
        """Write a file."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
        return file

    def run(self, command: str, *arguments: str) -> int:
        """Return the exit code of a command in the project."""
        return run([command, "--project-dir", str(self.folder), *arguments])

    def artifact(self, name: str = "run_results.json") -> dict[str, Any]:
        """Return a document that a command wrote."""
        document: dict[str, Any] = json.loads((self.folder / "target" / name).read_text())
        return document

    def statuses(self) -> dict[str, str]:
        """Return the status of each job of the last run or test."""
        return {result["unique_id"].split(".")[-1]: result["status"] for result in self.artifact()["results"]}

    def texts(self) -> str:
        """Return everything that commands wrote in the project, as one text."""
        written = [path for name in ("target", "logs", "plans") for path in (self.folder / name).rglob("*") if path.is_file()]
        return "\n".join(path.read_text() for path in written)


def fill(backend: Database, tables: Iterable[str]) -> None:
    """Create tables of people in a database."""
    for place, table in enumerate(tables):
        backend.create(table, COLUMNS, people(seed=place))
