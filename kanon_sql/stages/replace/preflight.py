"""Check the objects that depend on a table before its rows are replaced, and refuse a change that would drop them without permission."""

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

# Kinds that prevent any change, each with the reason and whether the policy may permit to drop them.
_ALWAYS: dict[str, tuple[str, bool]] = {
    "incoming_key": ("of {detail} references the table: its rows would stay linked to people, or lose the rows they reference", True),
    "blocking_key": ("of {detail} references the table, and DuckDB cannot replace such a table; drop that foreign key first", False),
    "rule": ("would rewrite the statements that replace the rows", True),
    "column_order": ("is published as {detail}, which can only be the last columns here", True),
    "firing_trigger": ("would copy the original rows elsewhere while they are replaced", True),
    "child_table": ("inherits from the table, and its rows would move into it; anonymize it separately, or detach it first", False),
    "parent_table": ("contains the table as a partition; anonymize it as a whole, or detach the partition first", False),
    "row_security": ("hides rows from this user by its row security; run as a user who can read every row", False),
    "storage_engine": ("cannot undo a failed write; alter the table to InnoDB first", False),
    "versioned": ("keeps the original rows in its history (WITH SYSTEM VERSIONING); drop that first", False),
}

_TYPED = "is made for the type of {columns}, which {changes}"
_TYPED_EXPRESSION = "is computed from {columns}, which {changes} type or {is_dropped}"
_ON_DROPPED = ("dropped", "is on {columns}, which {is_dropped}", True)
_NOT_COUNTED = "counts by itself and cannot hold text or NULL; drop it, or write action: sequence"

# Kinds that prevent a change to one of their columns: to which columns, the reason, and whether the policy may permit to drop them.
_CHANGED: dict[str, tuple[tuple[str, str, bool], ...]] = {
    "outgoing_key": (("changed", "is on {columns}, whose values change", True),),
    "check": (("changed", "is on {columns}, whose values change", True),),
    "expression_index": (("changed", "is computed from {columns}, which {changes}", True),),
    "view": (("changed", "reads {columns}, which {changes}", True),),
    "materialized_view": (("changed", "holds copies of {columns}, which {changes}", True),),
    "trigger": (("changed", "uses {columns}, which {changes}", True),),
    "policy": (("changed", "uses {columns}, which {changes}", True),),
    "function": (("changed", "reads {columns}, which {changes}", True),),
    "publication": (("changed", "lists {columns}, which {changes}", True),),
    "partition_key": (("changed", "decides where rows are stored and cannot change", False),),
    "generated": (("changed", "is computed from {columns}, which {changes}; drop it in the policy (role: drop), or in the table", False),),
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
        ("grouped", "is on {quasi_identifiers}: rows of one class share their values, so no such key can hold", True),
        ("emptied", "is on {columns}, which {becomes} NULL: no such key can distinguish rows", True),
    ),
}


def obstacles(dependents: Iterable[DependentObject], change: Change, quasi_identifiers: Iterable[str]) -> list[Obstacle]:
    """Return the objects that the change would drop or break, each with the reason."""
    effects = _effects(change, quasi_identifiers)
    found = []
    for dependent in dependents:
        if dependent.kind in _ALWAYS:
            found.append(_obstacle(dependent, *_ALWAYS[dependent.kind], dependent.columns & change.changed))
        elif dependent.kind == "generated" and dependent.name in change.changed:
            if dependent.name not in effects["dropped"]:
                why = "is computed and cannot hold labels; drop it, or make it a plain column first"
                found.append(_obstacle(dependent, why, False, dependent.columns & change.changed))
        else:
            rules = ((dependent.columns & effects[what], why, lost) for what, why, lost in _CHANGED.get(dependent.kind, ()))
            found += [_obstacle(dependent, why, lost, touched) for touched, why, lost in rules if touched][:1]
    return found


def _effects(change: Change, quasi_identifiers: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the columns by how the change affects them."""
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
    names = sorted(columns) or sorted(dependent.columns)
    one = len(names) < 2
    listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    words = {
        "columns": f"column{'' if one else 's'} {listed}",
        "quasi_identifiers": f"quasi-identifier{'' if one else 's'} {listed}",
        "changes": "changes" if one else "change",
        "becomes": "becomes" if one else "become",
        "is_dropped": "is dropped" if one else "are dropped",
    }
    return Obstacle(dependent, why.format(detail=dependent.detail, **words), may_be_lost)


def accept(change: Change, dependents: Sequence[DependentObject], quasi_identifiers: Iterable[str], allow_loss: Iterable[str]) -> Change:
    """Return the change with the objects that it drops and keeps; raise an error that names the objects dropped without permission."""
    found = obstacles(dependents, change, quasi_identifiers)
    allowed = {name.casefold() for name in allow_loss}
    refused = [o for o in found if not (o.may_be_lost and o.dependent.name.casefold() in allowed)]
    if refused:
        lines = [f"  {describe(o.dependent)} {o.why}" for o in refused]
        names = list(dict.fromkeys(o.dependent.name for o in refused if o.may_be_lost))
        options = " ".join(f"--allow-loss {_shell(name)}" for name in names)
        in_policy = f"publish: {{allow_loss: [{', '.join(names)}]}}"
        objects = "these objects" if all(o.may_be_lost for o in refused) else "the objects that may be dropped"
        advice = f"\nTo continue without {objects}, add {options} (in a policy: {in_policy})" if names else ""
        raise RequestError(f"the rows of {change.table} cannot be replaced; nothing was done:\n" + "\n".join(lines) + advice)
    lost = tuple(o.dependent for o in found)
    return replace(change, lost=lost, staying=tuple(dependent for dependent in dependents if dependent not in lost))


def describe(dependent: DependentObject) -> str:
    """Return a dependent object by its kind and name."""
    return f"{word(dependent.kind)} {dependent.name}"


def word(kind: str) -> str:
    """Return the usual name of a kind of dependent object."""
    plain = kind.replace("firing_", "").replace("blocking_key", "foreign key")
    return _WORDS.get(plain, plain)


def structure_of(dependents: Iterable[DependentObject]) -> Structure:
    """Return the structure of a table: its columns and its dependent objects."""
    return Structure(tuple(Part(word(d.kind), d.name, repr((d.kind, sorted(d.columns), d.detail, d.removal, d.text))) for d in dependents))


def describe_lost(dependent: DependentObject) -> str:
    """Return a dropped object by its kind and name; some engines keep it nevertheless."""
    stays = dependent.kind in ("view", "incoming_key") and not dependent.removal
    return describe(dependent) + (" (kept by this engine, but may no longer work or hold)" if stays else "")


def _shell(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
