"""Looks at everything that belongs to a table before anything is done to it, and refuses what would not survive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kanon_sql.artifacts.structure import Part, Structure
from kanon_sql.errors import RequestError
from kanon_sql.stages.replace.change import Change, DependentObject, Obstacle

_WORDS = {
    "incoming_key": "foreign key",
    "outgoing_key": "foreign key",
    "unique": "unique key",
    "expression_index": "index",
    "expression_statistics": "statistics",
    "materialized_view": "materialized view",
    "child_table": "child table",
    "parent_table": "table",
    "partition_key": "partition key",
    "row_security": "table",
    "storage_engine": "storage engine",
    "versioned": "table",
    "generated": "generated column",
    "column_order": "column",
    "counter": "column",
    "default": "default of column",
    "never_null": "column",
    "typed_index": "index",
    "text_index": "index",
}

# Kinds that stand in the way whatever columns change, with the reason, and whether they can be given up.
_ALWAYS: dict[str, tuple[str, bool]] = {
    "incoming_key": ("of {detail} points to the table: its rows would stay linked to people, or lose what they point to", True),
    "blocking_key": ("of {detail} points to the table, which DuckDB lets nobody replace; drop that table's foreign key first", False),
    "rule": ("would rewrite the statements that replace the rows", True),
    "column_order": ("is published as {detail}, which can only stand last here", True),
    "firing_trigger": ("would copy the original rows out while they are replaced", True),
    "child_table": ("inherits from the table, and its rows would move into it; anonymize it by itself, or detach it first", False),
    "parent_table": ("holds the table as a part; anonymize it as a whole, or detach the part first", False),
    "row_security": ("hides rows from this user by its row security; run as a user who sees every row", False),
    "storage_engine": ("cannot undo a failed write; alter the table to InnoDB first", False),
    "versioned": ("keeps the original rows in its history (WITH SYSTEM VERSIONING); drop that first", False),
}

_TYPED = "is made for the type of column {columns}, which changes"
_TYPED_EXPRESSION = "is made of column {columns}, which changes its type or is dropped"
_ON_DROPPED = ("dropped", "is on column {columns}, which is dropped", True)
_NOT_COUNTED = "counts by itself and cannot hold text or nothing; drop it or write action: sequence"

# Kinds that stand in the way when something becomes of a column they are about: what, the reason, and whether they can be given up.
_CHANGED: dict[str, tuple[tuple[str, str, bool], ...]] = {
    "outgoing_key": (("changed", "is on column {columns}, whose values change", True),),
    "check": (("changed", "is on column {columns}, whose values change", True),),
    "expression_index": (("changed", "is made of column {columns}, which changes", True),),
    "view": (("changed", "reads column {columns}, which changes", True),),
    "materialized_view": (("changed", "holds copies of column {columns}, which changes", True),),
    "trigger": (("changed", "is about column {columns}, which changes", True),),
    "policy": (("changed", "is about column {columns}, which changes", True),),
    "function": (("changed", "reads column {columns}, which changes", True),),
    "publication": (("changed", "lists column {columns}, which changes", True),),
    "partition_key": (("changed", "decides where rows are stored and cannot change", False),),
    "generated": (("changed", "is computed from column {columns}, which changes; make it an identifier, or drop it first", False),),
    "counter": (("retyped", _NOT_COUNTED, False), ("emptied", _NOT_COUNTED, False)),
    "default": (("numbered", "does not fit the numbers that the column will hold", True),),
    "never_null": (("emptied", "has a domain as its type that refuses NULL; drop the column, or write action: hash or sequence", False),),
    "typed_index": (("retyped", _TYPED, True),),
    "text_index": (("not_text", _TYPED, True),),
    "index": (_ON_DROPPED,),
    "statistics": (_ON_DROPPED,),
    "expression_statistics": tuple((what, _TYPED_EXPRESSION, True) for what in ("retyped", "dropped")),
    "unique": (
        _ON_DROPPED,
        ("grouped", "is on quasi-identifier {columns}: rows of one class share their values, so no such key can hold", True),
        ("emptied", "is on column {columns}, which becomes NULL: no such key can tell rows apart", True),
    ),
}


def obstacles(dependents: Iterable[DependentObject], change: Change, quasi_identifiers: Iterable[str]) -> list[Obstacle]:
    """What would not survive the change, each with the reason."""
    becomes = _what_becomes(change, quasi_identifiers)
    found = []
    for dependent in dependents:
        if dependent.kind in _ALWAYS:
            found.append(_obstacle(dependent, *_ALWAYS[dependent.kind], dependent.columns & change.changed))
        elif dependent.kind == "generated" and dependent.name in change.changed:
            if dependent.name not in becomes["dropped"]:
                why = "is computed and cannot hold labels; drop it or make it a plain column first"
                found.append(_obstacle(dependent, why, False, dependent.columns & change.changed))
        else:
            rules = ((dependent.columns & becomes[what], why, lost) for what, why, lost in _CHANGED.get(dependent.kind, ()))
            found += [_obstacle(dependent, why, lost, touched) for touched, why, lost in rules if touched][:1]
    return found


def _what_becomes(change: Change, quasi_identifiers: Iterable[str]) -> dict[str, frozenset[str]]:
    """The columns by what becomes of them."""
    return {
        "changed": change.changed,
        "dropped": frozenset(column.name for column in change.dropped),
        "retyped": frozenset(column.name for column in change.retyped),
        "numbered": frozenset(column.name for column in change.retyped if column.kind == "integer"),
        "not_text": frozenset(column.name for column in change.retyped if column.kind != "text"),
        "emptied": change.emptied,
        "grouped": frozenset(quasi_identifiers),
    }


def _obstacle(dependent: DependentObject, why: str, may_be_lost: bool, columns: Iterable[str]) -> Obstacle:
    listed = ", ".join(sorted(columns)) or ", ".join(sorted(dependent.columns))
    return Obstacle(dependent, why.format(detail=dependent.detail, columns=listed), may_be_lost)


def accept(change: Change, dependents: Sequence[DependentObject], quasi_identifiers: Iterable[str], allow_loss: Iterable[str]) -> Change:
    """The change with what is given up for it and what stays, or an error that names what stands in the way."""
    found = obstacles(dependents, change, quasi_identifiers)
    allowed = {name.casefold() for name in allow_loss}
    standing = [o for o in found if not (o.may_be_lost and o.dependent.name.casefold() in allowed)]
    if standing:
        lines = [f"  {describe(o.dependent)} {o.why}" for o in standing]
        names = list(dict.fromkeys(o.dependent.name for o in standing if o.may_be_lost))
        options = " ".join(f"--allow-loss {_shell(name)}" for name in names)
        in_policy = f"publish: {{allow_loss: [{', '.join(names)}]}}"
        advice = f"\nTo give up what can be given up: {options} (in a policy: {in_policy})" if names else ""
        raise RequestError(f"the rows of {change.table} cannot be replaced, and nothing was done:\n" + "\n".join(lines) + advice)
    lost = tuple(o.dependent for o in found)
    return replace(change, lost=lost, staying=tuple(dependent for dependent in dependents if dependent not in lost))


def describe(dependent: DependentObject) -> str:
    """A dependent by its kind and name."""
    return f"{word(dependent.kind)} {dependent.name}"


def word(kind: str) -> str:
    """Return what people call a kind of dependent."""
    plain = kind.replace("firing_", "").replace("blocking_key", "foreign key")
    return _WORDS.get(plain, plain)


def structure_of(dependents: Iterable[DependentObject]) -> Structure:
    """Return everything the catalog said of a table: its columns, what belongs to it, what reads it."""
    return Structure(tuple(Part(word(d.kind), d.name, repr((d.kind, sorted(d.columns), d.detail, d.removal, d.text))) for d in dependents))


def describe_lost(dependent: DependentObject) -> str:
    """What was given up; some engines keep it all the same."""
    stays = dependent.kind in ("view", "incoming_key") and not dependent.removal
    return describe(dependent) + (" (stays, but may no longer answer or hold)" if stays else "")


def _shell(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
