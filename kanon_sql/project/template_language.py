"""The template language of YAML values: Jinja's syntax, of which only the listed expressions are computed.

Templates are parsed, never compiled: no Python attribute, method or object is reachable, and every value is plain. A template that
exceeds a bound or uses anything else is refused.
"""

from __future__ import annotations

import datetime
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jinja2
from jinja2 import nodes

LONGEST = 100_000  # characters of one template
MOST_WORK = 1_000_000  # characters and items that one template may handle
LARGEST = 10**18  # of whole numbers

_SYNTAX = jinja2.Environment(autoescape=True)  # it only parses

Functions = Mapping[str, Callable[..., Any]]

_SCALARS = (str, int, float, datetime.date, type(None))  # a bool is an int, a datetime a date
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda value, among: value in among,
    "notin": lambda value, among: value not in among,
}
_ARITHMETIC: dict[type[nodes.BinExpr], Callable[[Any, Any], Any]] = {
    nodes.Add: operator.add,
    nodes.Sub: operator.sub,
    nodes.Mul: operator.mul,
    nodes.Div: operator.truediv,
    nodes.FloorDiv: operator.floordiv,
    nodes.Mod: operator.mod,
}
_TESTS: dict[str, Callable[[Any], bool]] = {
    "none": lambda value: value is None,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: _is_number(value),
    "boolean": lambda value: isinstance(value, bool),
}


class Refused(Exception):
    """The reason why a template is not computed."""


def compute(text: str, functions: Functions) -> Any:
    """Return the text with its templates filled in; a text that is a single expression keeps the expression's type."""
    if len(text) > LONGEST:
        raise Refused(f"the template is longer than {LONGEST:,} characters")
    try:
        body = _SYNTAX.parse(text.strip()).body
        parts = body[0].nodes if len(body) == 1 and isinstance(body[0], nodes.Output) else []
        template = _Template(functions)
        if len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData):
            return template.value(parts[0])
        return template.text(_SYNTAX.parse(text).body)
    except jinja2.TemplateSyntaxError as error:
        raise Refused(f"the template cannot be read ({error.message})") from None
    except RecursionError:
        raise Refused("the template is nested too deeply") from None
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"the template failed ({type(error).__name__})") from None


class _Work:
    """What one template has handled so far; a template that handles too much is refused before it does."""

    def __init__(self) -> None:
        self._done = 0

    def spend(self, amount: int) -> None:
        """Count work, or refuse it."""
        self._done += amount
        if self._done > MOST_WORK:
            raise Refused(f"the template is too much work: more than {MOST_WORK:,} characters or items")

    def plain(self, value: Any) -> Any:
        """Return the value if it is plain at every depth, and count its size."""
        if isinstance(value, str):
            self.spend(len(value))
        elif isinstance(value, int) and abs(value) > LARGEST:
            raise Refused("a number in the template is too large")
        elif isinstance(value, Mapping):
            self.spend(len(value))
            return {self.plain(key): self.plain(item) for key, item in value.items()}
        elif isinstance(value, list | tuple):
            self.spend(len(value))
            return [self.plain(item) for item in value]
        elif not isinstance(value, _SCALARS):
            raise Refused("a template gives text, numbers, true or false, dates, lists and mappings only")
        return value

    def join(self, pieces: Any, between: Any = "") -> str:
        """Return a list as one text."""
        if not isinstance(pieces, list):
            raise Refused("join needs a list")
        texts, separator = [_as_text(piece) for piece in pieces], _as_text(between)
        self.spend(sum(map(len, texts)) + len(separator) * len(texts))
        return separator.join(texts)

    def replace(self, value: Any, old: Any, new: Any) -> str:
        """Return the text with every `old` replaced by `new`."""
        text, old, new = _as_text(value), _as_text(old), _as_text(new)
        self.spend(len(text) + text.count(old) * len(new))
        return text.replace(old, new)


class _Template:
    """One template: computes nodes of the listed kinds, and counts the work."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._work = _Work()

    def text(self, body: Sequence[nodes.Node]) -> str:
        """Return the text of statements."""
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
                    raise _unknown(node)
        return self._work.join(pieces)

    def value(self, node: nodes.Node) -> Any:
        """Return the plain value of an expression."""
        self._work.spend(1)
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
                raise Refused(f"{node.name!r} is not a value; {_KNOWN}")
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
            case nodes.Test() if node.name in _TESTS and not node.args:
                return _TESTS[node.name](self.value(node.node))
            case nodes.Neg():
                return -_number(self.value(node.node))
            case nodes.BinExpr() if type(node) in _ARITHMETIC:
                return self._reckon(type(node), self.value(node.left), self.value(node.right))
        raise _unknown(node)

    def _compare(self, node: nodes.Compare) -> bool:
        left = self.value(node.expr)
        for operand in node.ops:
            right = self.value(operand.expr)
            if not _COMPARE[operand.op](left, right):
                return False
            left = right
        return True

    def _reckon(self, kind: type[nodes.BinExpr], left: Any, right: Any) -> Any:
        if kind is nodes.Add and isinstance(left, str) and isinstance(right, str):
            return self._work.join([left, right])
        return _ARITHMETIC[kind](_number(left), _number(right))

    def _call(self, node: nodes.Call) -> Any:
        if not isinstance(node.node, nodes.Name) or node.node.name not in self._functions:
            raise Refused(f"only {' and '.join(self._functions)} can be called; {_KNOWN}")
        given, named = self._arguments(node)
        return self._work.plain(self._functions[node.node.name](*given, **named))

    def _filter(self, node: nodes.Filter) -> Any:
        known: dict[str, Callable[..., Any]] = {**_FILTERS, "join": self._work.join, "replace": self._work.replace}
        if node.node is None or node.name not in known:
            raise Refused(f"there is no filter {node.name!r}; there are {', '.join(sorted(known))}")
        given, named = self._arguments(node)
        return self._work.plain(known[node.name](self.value(node.node), *given, **named))

    def _arguments(self, node: nodes.Call | nodes.Filter) -> tuple[list[Any], dict[str, Any]]:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            raise Refused("arguments cannot be unpacked with *")
        return [self.value(argument) for argument in node.args], {str(pair.key): self.value(pair.value) for pair in node.kwargs}

    def _item(self, node: nodes.Getitem | nodes.Getattr) -> Any:
        """Return an item of a mapping or a list; attributes of Python objects do not exist here."""
        holder = self.value(node.node)
        key = node.attr if isinstance(node, nodes.Getattr) else self.value(node.arg)
        if isinstance(holder, dict) and key in holder:
            return holder[key]
        if isinstance(holder, list) and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
        raise Refused("the template asks for an item that is not there")


def _unknown(node: nodes.Node) -> Refused:
    if isinstance(node, nodes.Test):
        return Refused(f"there is no test {node.name!r}; there are {', '.join(sorted(_TESTS))}")
    if isinstance(node, nodes.CondExpr):
        return Refused("an 'if' inside an expression needs an 'else'")
    return Refused(f"a template cannot use {type(node).__name__}; {_KNOWN}")


def _as_text(value: Any) -> str:
    if value is None or not isinstance(value, _SCALARS):
        raise Refused("none, a list or a mapping cannot be part of a text; use default or join")
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> Any:
    if not _is_number(value):
        raise Refused("the template calculates with something that is not a number; use as_number, and ~ for text")
    return value


def _as_number(value: Any) -> int | float:
    try:
        return int(value)
    except ValueError:
        return float(value)


def _as_bool(value: Any) -> bool:
    return {"true": True, "false": False, "1": True, "0": False}[str(value).strip().lower()]


def _as_native(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _default(value: Any, default_value: Any = "", boolean: Any = False) -> Any:
    return default_value if value is None or (boolean and not value) else value


_FILTERS: dict[str, Callable[..., Any]] = {
    "as_bool": _as_bool,
    "as_native": _as_native,
    "as_number": _as_number,
    "as_text": _as_text,
    "default": _default,
    "float": float,
    "int": int,
    "lower": lambda value: _as_text(value).lower(),
    "string": _as_text,
    "trim": lambda value: _as_text(value).strip(),
    "upper": lambda value: _as_text(value).upper(),
}
_KNOWN = "a template knows env_var('NAME', 'default') and var('name', default)"
