"""Read the variables of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kanon_sql.common.yaml_file import parse_yaml
from kanon_sql.errors import RequestError


def read_variables(text: str | None) -> Mapping[str, Any]:
    """Return the variables of a YAML text such as `{k: 10, region: north}`."""
    variables = parse_yaml(text, "--vars") if text else {}
    if not isinstance(variables, Mapping) or not all(isinstance(name, str) for name in variables):
        raise RequestError("--vars has no names with values. Write a YAML mapping, for example: --vars '{k: 10, region: north}'")
    return variables
