"""Looks at everything that belongs to a table before anything is done to it, and refuses what would not survive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kanon_sql.errors import RequestError
from kanon_sql.in_place.change import Change, Dependant, Obstacle

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

# Kinds that stand in the way when a column they are about changes.
_CHANGED: dict[str, tuple[str, bool]] = {
    "outgoing_key": ("is on column {columns}, whose values change", True),
    "check": ("is on column {columns}, whose values change", True),
    "expression_index": ("is made of column {columns}, which changes", True),
    "view": ("reads column {columns}, which changes", True),
    "materialized_view": ("holds copies of column {columns}, which changes", True),
    "trigger": ("is about column {columns}, which changes", True),
    "policy": ("is about column {columns}, which changes", True),
    "function": ("reads column {columns}, which changes", True),
    "publication": ("lists column {columns}, which changes", True),
    "partition_key": ("decides where rows are stored and cannot change", False),
    "generated": ("is computed from column {columns}, which changes; make it an identifier, or drop it first", False),
}


def obstacles(dependants: Iterable[Dependant], change: Change, quasi_identifiers: Iterable[str]) -> list[Obstacle]:
    """What would not survive the change, each with the reason."""
    dropped = {column.name for column in change.dropped}
    retyped = change.emptied | {column.name for column in change.retyped}
    grouped = set(quasi_identifiers)
    found = []
    for dependant in dependants:
        touched = dependant.columns & change.changed
        if dependant.kind in _ALWAYS:
            found.append(_obstacle(dependant, *_ALWAYS[dependant.kind], touched))
        elif dependant.kind == "generated" and dependant.name in change.changed - dropped:
            why = "is computed and cannot hold labels; drop it or make it a plain column first"
            found.append(_obstacle(dependant, why, False, touched))
        elif dependant.kind == "counter" and dependant.name in retyped:
            why = "counts by itself and cannot hold text or nothing; drop it or write action: sequence"
            found.append(_obstacle(dependant, why, False, touched))
        elif dependant.kind in _CHANGED and touched and not (dependant.kind == "generated" and dependant.name in dropped):
            found.append(_obstacle(dependant, *_CHANGED[dependant.kind], touched))
        elif dependant.kind in ("index", "unique", "statistics") and dependant.columns & dropped:
            found.append(_obstacle(dependant, "is on column {columns}, which is dropped", True, dependant.columns & dropped))
        elif dependant.kind == "expression_statistics" and dependant.columns & (dropped | retyped):
            found.append(_obstacle(dependant, "is made of column {columns}, which changes its type or is dropped", True, touched))
        elif dependant.kind == "unique" and dependant.columns & grouped:
            why = "is on quasi-identifier {columns}: rows of one class share their values, so no such key can hold"
            found.append(_obstacle(dependant, why, True, dependant.columns & grouped))
        elif dependant.kind == "unique" and dependant.columns & change.emptied:
            why = "is on column {columns}, which becomes NULL: no such key can tell rows apart"
            found.append(_obstacle(dependant, why, True, dependant.columns & change.emptied))
    return found


def _obstacle(dependant: Dependant, why: str, may_be_lost: bool, columns: Iterable[str]) -> Obstacle:
    listed = ", ".join(sorted(columns)) or ", ".join(sorted(dependant.columns))
    return Obstacle(dependant, why.format(detail=dependant.detail, columns=listed), may_be_lost)


def accept(change: Change, dependants: Sequence[Dependant], quasi_identifiers: Iterable[str], allow_loss: Iterable[str]) -> Change:
    """The change with what is given up for it and what stays, or an error that names what stands in the way."""
    found = obstacles(dependants, change, quasi_identifiers)
    allowed = {name.casefold() for name in allow_loss}
    standing = [o for o in found if not (o.may_be_lost and o.dependant.name.casefold() in allowed)]
    if standing:
        lines = [f"  {describe(o.dependant)} {o.why}" for o in standing]
        names = list(dict.fromkeys(o.dependant.name for o in standing if o.may_be_lost))
        options = " ".join(f"--allow-loss {_shell(name)}" for name in names)
        in_policy = f"publish: {{allow_loss: [{', '.join(names)}]}}"
        advice = f"\nTo give up what can be given up: {options} (in a policy: {in_policy})" if names else ""
        raise RequestError(f"the rows of {change.table} cannot be replaced, and nothing was done:\n" + "\n".join(lines) + advice)
    lost = tuple(o.dependant for o in found)
    return replace(change, lost=lost, staying=tuple(dependant for dependant in dependants if dependant not in lost))


def describe(dependant: Dependant) -> str:
    """A dependant by its kind and name."""
    kind = dependant.kind.replace("firing_", "").replace("blocking_key", "foreign key")
    return f"{_WORDS.get(kind, kind)} {dependant.name}"


def describe_lost(dependant: Dependant) -> str:
    """What was given up; some engines keep it all the same."""
    stays = dependant.kind in ("view", "incoming_key") and not dependant.removal
    return describe(dependant) + (" (stays, but may no longer answer or hold)" if stays else "")


def _shell(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
