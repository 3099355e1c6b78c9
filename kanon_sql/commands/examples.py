"""Examples: copy the policies and hierarchy files that are part of the package."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.common.resources import copy_folder, resource_folder
from kanon_sql.errors import RequestError


def copy_examples(folder: Path) -> list[Path]:
    """Copy the examples into a new or empty folder and return the files."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise RequestError(f"folder {folder} is not empty; name a new or empty folder")
        copy_folder(resource_folder("examples"), folder)
    except OSError as error:
        raise RequestError(f"cannot write the examples to {folder}: {error.strerror or 'not writable'}") from None
    return sorted(path for path in folder.rglob("*") if path.is_file())
