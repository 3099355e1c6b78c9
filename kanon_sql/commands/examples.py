"""Examples: copies the policies and hierarchy files that come with the package."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.common.resources import copy_folder, resource_folder
from kanon_sql.errors import RequestError


def copy_examples(folder: Path) -> list[Path]:
    """The files that were copied; a folder that holds anything is left alone."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise RequestError(f"{folder} is not empty; name a new folder for the examples")
        copy_folder(resource_folder("examples"), folder)
    except OSError as error:
        raise RequestError(f"the examples cannot be put into {folder}: {error.strerror or 'not writable'}") from None
    return sorted(path for path in folder.rglob("*") if path.is_file())
