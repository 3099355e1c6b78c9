"""Reads the variables of a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kanon_sql.common.yaml_file import parse_yaml
from kanon_sql.errors import RequestError


def read_variables(text: str | None) -> Mapping[str, Any]:
    """The variables of `{k: 10, region: north}`."""
    found = parse_yaml(text, "--vars") if text else {}
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        raise RequestError("--vars must hold names and values as YAML, such as '{k: 10, region: north}'")
    return found
