"""The structure of a table as the catalog describes it, so a run notices when another session alters the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kanon_sql.errors import KanonError

_SHOWN = 10


@dataclass(frozen=True)
class Part:
    """A column, key, view … of a table; its definition is compared and never shown, since it may hold values."""

    kind: str
    name: str
    definition: str


@dataclass(frozen=True)
class Structure:
    """All parts of a table at one moment, columns in order."""

    parts: tuple[Part, ...]

    def differences(self, later: Structure) -> list[str]:
        """Return what was added, dropped or changed until a later moment, by kind and name."""
        before, after = self._by_name(), later._by_name()
        found = [f"{name} was added" for name in after if name not in before]
        found += [f"{name} was dropped" for name in before if name not in after]
        found += [f"{name} was changed" for name in before if name in after and before[name] != after[name]]
        if not found and self._column_order() != later._column_order():
            found = ["the order of the columns was changed"]
        return found

    def _by_name(self) -> dict[str, set[str]]:
        named: dict[str, set[str]] = {}
        for part in self.parts:
            named.setdefault(f"{part.kind} {part.name}", set()).add(part.definition)
        return named

    def _column_order(self) -> list[str]:
        return [part.name for part in self.parts if part.kind == "column"]


def require_unchanged(before: Structure, now: Structure, table: str, advice: str) -> None:
    """Raise an error that names the changes between two moments of a table, if any."""
    changes = before.differences(now)
    if changes:
        raise KanonError(f"the structure of {table} changed during the run: {listed(changes)}. {advice}")


def listed(changes: Iterable[str]) -> str:
    """Return the changes as one text, at most the first ten."""
    names = list(changes)
    return "; ".join(names[:_SHOWN]) + (f"; and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
