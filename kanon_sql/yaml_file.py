"""Reads YAML files in which nothing is overwritten silently, and says where one cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from kanon_sql.errors import RequestError


class _StrictLoader(yaml.SafeLoader):
    """YAML in which a key that stands twice is an error instead of a silent overwrite."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, list | dict):
                raise yaml.MarkedYAMLError(problem="a key must be a plain name", problem_mark=key_node.start_mark)
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key!r} is listed twice", problem_mark=key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, what: str, keys: str) -> Mapping[str, Any]:
    """The keys of a file; an error calls it what it is, and says which keys it should hold if it holds none."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RequestError(f"{what} {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RequestError(f"{what} {path} is not UTF-8 text: save it as UTF-8") from None
    try:
        content = yaml.load(text, _StrictLoader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        hint = "; indent with spaces instead of tabs" if "\\t" in str(error.problem) else ""
        raise RequestError(f"{what} {path}{line}: {error.problem}{hint}") from None
    except yaml.YAMLError:
        raise RequestError(f"{what} {path} is not readable YAML") from None
    if not isinstance(content, Mapping):
        raise RequestError(f"{what} {path} must hold keys such as {keys}")
    return content
