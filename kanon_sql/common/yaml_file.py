"""Read YAML files; a repeated key is an error, and errors name the line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from kanon_sql.errors import RequestError

_MERGE = "tag:yaml.org,2002:merge"
MOST_ALIASED = 100_000  # values that aliases may add


class _StrictLoader(yaml.SafeLoader):
    """YAML in which a repeated key is an error instead of a silent overwrite."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.tag == _MERGE:
                continue
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a plain name", problem_mark=key_node.start_mark)
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key!r} is listed twice", problem_mark=key_node.start_mark)
            seen.add(key)
        return node


def read_yaml(path: Path, what: str, keys: str) -> Mapping[str, Any]:
    """Return the keys of a file; errors name the kind of file, and the keys it should have if it has none."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RequestError(f"{what} {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RequestError(f"{what} {path} is not UTF-8 text; save it as UTF-8") from None
    content = parse_yaml(text, f"{what} {path}")
    if not isinstance(content, Mapping):
        raise RequestError(f"{what} {path} must have keys such as {keys}")
    return content


def parse_yaml(text: str, where: str) -> Any:
    """Return the content of a YAML text, or raise an error that names the line."""
    loader = None
    try:
        loader = _StrictLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _require_tree(node, where)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        hint = "; indent with spaces instead of tabs" if "\\t" in str(error.problem) else ""
        raise RequestError(f"{where}{line}: {error.problem}{hint}") from None
    except RecursionError:
        raise RequestError(f"{where} is nested too deeply; use fewer levels") from None
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError):  # a value does not fit its tag
        raise RequestError(f"{where} cannot be read as YAML") from None
    finally:
        if loader is not None:
            loader.dispose()


def _require_tree(root: yaml.Node, where: str) -> None:
    """Raise if an alias contains itself, or if aliases of aliases represent too many values."""
    sizes: dict[yaml.Node, int] = {}  # with every alias written out
    begun: set[yaml.Node] = set()

    def measure(node: yaml.Node) -> int:
        if node not in sizes:
            if node in begun:
                raise RequestError(f"{where}, line {node.start_mark.line + 1}: an alias contains itself; write the values out")
            begun.add(node)
            sizes[node] = 1 + sum(map(measure, _children(node)))
        return sizes[node]

    if measure(root) > len(sizes) + MOST_ALIASED:
        raise RequestError(f"{where}: its aliases represent more than {MOST_ALIASED:,} values; use fewer")


def _children(node: yaml.Node) -> Iterable[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return chain.from_iterable(node.value)
    return node.value if isinstance(node, yaml.SequenceNode) else ()
