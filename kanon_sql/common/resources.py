"""Find the folders that are installed with the package."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from kanon_sql.errors import KanonError


@cache
def resource_folder(name: str) -> Path:
    """Return the folder of this name: inside the installed package, or next to it in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise KanonError(f"the folder {name} is missing from this installation; reinstall kanon_sql")


def copy_folder(source: Path, folder: Path) -> None:
    """Copy a folder's files into another, without the files that Python caches."""
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
