"""Init: a new project that works at once, with made-up patients in DuckDB."""

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
    """The files of a new project named after its folder; a folder that holds anything is left alone."""
    name = folder.resolve().name
    if not re.fullmatch(r"[A-Za-z]\w*", name):
        raise RequestError(f"{name!r} cannot be a project's name: use letters, digits and _")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise RequestError(f"{folder} is there already; name a new folder")
        _write(folder, name)
    except OSError as error:
        raise RequestError(f"the project cannot be put into {folder}: {error.strerror or 'not writable'}") from None
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
