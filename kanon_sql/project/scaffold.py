"""`kanon init`: create a project with generated patients in DuckDB."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from kanon_sql.commands.demo import make_patients
from kanon_sql.common.resources import copy_folder, resource_folder
from kanon_sql.errors import RequestError

EXAMPLE = "hospital"
DATABASE = "hospital.duckdb"


def scaffold(folder: Path, *, rows: int) -> list[Path]:
    """Create a project named after its folder and return its files; raise an error if the folder is not empty."""
    name = folder.resolve().name
    if not re.fullmatch(r"[A-Za-z]\w*", name):
        raise RequestError(f"{name!r} is not a valid project name. Begin with a letter, and use only letters, digits and _")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise RequestError(f"{folder} already exists and is not an empty folder. Choose another name")
        _write(folder, name)
    except OSError as error:
        raise RequestError(
            f"the project cannot be created in {folder}: {error.strerror or 'not writable'}. Choose another folder"
        ) from None
    make_patients(f"duckdb:///{folder / DATABASE}", rows=rows, seed=1)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _write(folder: Path, name: str) -> None:
    copy_folder(Path(__file__).parent / "new_project", folder)
    (folder / "gitignore").rename(folder / ".gitignore")
    (folder / "hierarchies").mkdir()
    for hierarchy in (resource_folder("examples") / EXAMPLE).glob("*.csv"):
        shutil.copy(hierarchy, folder / "hierarchies" / hierarchy.name)
    for file, old, new in (
        ("kanon_project.yml", f"name: {EXAMPLE} ", f"name: {name} "),
        ("kanon_project.yml", f"profile: {EXAMPLE} ", f"profile: {name} "),
        ("kanon_project.yml", f"policy.{EXAMPLE}.", f"policy.{name}."),
        ("profiles.yml", f"\n{EXAMPLE}:\n", f"\n{name}:\n"),
        ("README.md", f"# {EXAMPLE}\n", f"# {name}\n"),
    ):
        text = (folder / file).read_text(encoding="utf-8")
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
