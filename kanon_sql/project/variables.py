"""Reads the variables of a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from kanon_sql.errors import RequestError


def read_variables(text: str | None) -> Mapping[str, Any]:
    """The variables of `{k: 10, region: north}`."""
    try:
        found = yaml.safe_load(text) if text else {}
    except yaml.YAMLError:
        found = None
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        raise RequestError("--vars must hold names and values as YAML, such as '{k: 10, region: north}'")
    return found
