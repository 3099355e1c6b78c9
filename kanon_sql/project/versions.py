"""Versions of kanon_sql and other packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of(package: str) -> str:
    """Return the version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


KANON_VERSION = version_of("kanon_sql")
