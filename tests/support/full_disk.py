"""Full disks: a limit on the size of files, which works everywhere, and a small disk, which only root can mount."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def files_limited(size: int) -> Iterator[None]:
    """Refuse every write of this process after the first n bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Return a folder on a separate disk; skip the test if nothing can be mounted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_up(folder: Path, *, leave: int = 0) -> None:
    """Fill the folder's disk except for n bytes with the file `filler`."""
    size = max(0, shutil.disk_usage(folder).free - leave)
    with (folder / "filler").open("wb") as file:
        for start in range(0, size, 2**20):
            file.write(bytes(min(2**20, size - start)))
