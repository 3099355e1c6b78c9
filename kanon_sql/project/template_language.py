"""The template language of YAML values: a subset of Jinja.

Jinja only parses the template; this module evaluates the syntax tree. No Python attribute, method or object is reachable, and anything
outside the subset is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jinja2
from jinja2 import nodes

from kanon_sql.project.template_values import (
    COMPARISONS,
    FILTERS,
    MAX_CHARACTERS,
    TESTS,
    TemplateRefused,
    Work,
    require_number,
)

Functions = Mapping[str, Callable[..., Any]]

_PARSER = jinja2.Environment(autoescape=True)  # never renders
_ARITHMETIC: dict[type[nodes.BinExpr], Callable[[Any, Any], Any]] = {
    nodes.Add: operator.add,
    nodes.Sub: operator.sub,
    nodes.Mul: operator.mul,
    nodes.Div: operator.truediv,
    nodes.FloorDiv: operator.floordiv,
    nodes.Mod: operator.mod,
}
_USAGE = "Use env_var('NAME', 'default') or var('name', default)"


def evaluate(text: str, functions: Functions) -> Any:
    """Return the text with its templates evaluated; a text that is a single expression keeps the type of the expression."""
    if len(text) > MAX_CHARACTERS:
        raise TemplateRefused(f"the template is longer than {MAX_CHARACTERS:,} characters. Shorten it")
    try:
        body = _PARSER.parse(text.strip()).body
        parts = body[0].nodes if len(body) == 1 and isinstance(body[0], nodes.Output) else []
        template = _Template(functions)
        if len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData):
            return template.value(parts[0])
        return template.text(_PARSER.parse(text).body)
    except jinja2.TemplateSyntaxError as error:
        raise TemplateRefused(f"the template has a syntax error: {error.message}") from None
    except RecursionError:
        raise TemplateRefused("the template is nested too deeply. Simplify it") from None
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TemplateRefused(
            f"the template cannot be evaluated ({type(error).__name__}). Check the values and filters that it uses"
        ) from None


class _Template:
    """Evaluate the nodes of one template, and count the work."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._work = Work()
        self._filters: dict[str, Callable[..., Any]] = {**FILTERS, "join": self._work.join, "replace": self._work.replace}

    def text(self, body: Sequence[nodes.Node]) -> str:
        """Return the text of a sequence of statements."""
        pieces: list[Any] = []
        for node in body:
            match node:
                case nodes.Output():
                    pieces += [part.data if isinstance(part, nodes.TemplateData) else self.value(part) for part in node.nodes]
                case nodes.If():
                    branches = [(branch.test, branch.body) for branch in (node, *node.elif_)]
                    chosen = next((inner for test, inner in branches if self.value(test)), node.else_)
                    pieces.append(self.text(chosen))
                case _:
                    raise _unsupported(node)
        return self._work.join(pieces)

    def value(self, node: nodes.Node) -> Any:
        """Return the plain value of an expression."""
        self._work.add(1)
        match node:
            case nodes.Const():
                return self._work.plain(node.value)
            case nodes.List() | nodes.Tuple():
                return self._work.plain([self.value(item) for item in node.items])
            case nodes.Dict():
                return self._work.plain({self.value(pair.key): self.value(pair.value) for pair in node.items})
            case nodes.Call():
                return self._call(node)
            case nodes.Filter():
                return self._filter(node)
            case nodes.Getitem() | nodes.Getattr():
                return self._item(node)
            case nodes.Name():
                raise TemplateRefused(f"{node.name!r} is not defined in templates. {_USAGE}")
        return self._work.plain(self._operation(node))

    def _operation(self, node: nodes.Node) -> Any:
        match node:
            case nodes.And():
                return self.value(node.left) and self.value(node.right)
            case nodes.Or():
                return self.value(node.left) or self.value(node.right)
            case nodes.Not():
                return not self.value(node.node)
            case nodes.CondExpr(expr2=nodes.Expr() as otherwise):
                return self.value(node.expr1 if self.value(node.test) else otherwise)
            case nodes.Concat():
                return self._work.join([self.value(part) for part in node.nodes])
            case nodes.Compare():
                return self._compare(node)
            case nodes.Test() if node.name in TESTS and not node.args:
                return TESTS[node.name](self.value(node.node))
            case nodes.Neg():
                return -require_number(self.value(node.node))
            case nodes.BinExpr() if type(node) in _ARITHMETIC:
                return self._calculate(type(node), self.value(node.left), self.value(node.right))
        raise _unsupported(node)

    def _compare(self, node: nodes.Compare) -> bool:
        left = self.value(node.expr)
        for operand in node.ops:
            right = self.value(operand.expr)
            if not COMPARISONS[operand.op](left, right):
                return False
            left = right
        return True

    def _calculate(self, kind: type[nodes.BinExpr], left: Any, right: Any) -> Any:
        if kind is nodes.Add and isinstance(left, str) and isinstance(right, str):
            return self._work.join([left, right])
        return _ARITHMETIC[kind](require_number(left), require_number(right))

    def _call(self, node: nodes.Call) -> Any:
        if not isinstance(node.node, nodes.Name) or node.node.name not in self._functions:
            raise TemplateRefused(f"a template can only call {' and '.join(self._functions)}. {_USAGE}")
        positional, named = self._arguments(node)
        return self._work.plain(self._functions[node.node.name](*positional, **named))

    def _filter(self, node: nodes.Filter) -> Any:
        if node.node is None or node.name not in self._filters:
            raise TemplateRefused(f"filter {node.name!r} does not exist. Use one of: {', '.join(sorted(self._filters))}")
        positional, named = self._arguments(node)
        return self._work.plain(self._filters[node.name](self.value(node.node), *positional, **named))

    def _arguments(self, node: nodes.Call | nodes.Filter) -> tuple[list[Any], dict[str, Any]]:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            raise TemplateRefused("arguments cannot be unpacked with * in a template. Write them one by one")
        return [self.value(argument) for argument in node.args], {str(pair.key): self.value(pair.value) for pair in node.kwargs}

    def _item(self, node: nodes.Getitem | nodes.Getattr) -> Any:
        """Return an item of a mapping or a list, never an attribute of a Python object."""
        container = self.value(node.node)
        key = node.attr if isinstance(node, nodes.Getattr) else self.value(node.arg)
        if isinstance(container, dict) and key in container:
            return container[key]
        if isinstance(container, list) and type(key) is int and -len(container) <= key < len(container):
            return container[key]
        raise TemplateRefused("the template uses an item that does not exist. Check the variable, and the name or number of the item")


def _unsupported(node: nodes.Node) -> TemplateRefused:
    if isinstance(node, nodes.Test):
        return TemplateRefused(f"test {node.name!r} does not exist. Use one of: {', '.join(sorted(TESTS))}")
    if isinstance(node, nodes.CondExpr):
        return TemplateRefused("an 'if' inside an expression needs an 'else'. Add it")
    return TemplateRefused(f"Jinja's {type(node).__name__} is not supported in templates. {_USAGE}")
