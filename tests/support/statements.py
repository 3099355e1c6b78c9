"""Record the statements of commands, also of those whose report does not have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from kanon_sql.workspace.record import Record, Statement

TRANSACTION = ("begin", "commit", "rollback")


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """Yield a list to which every statement of every run is added."""
    found: list[Statement] = []
    original = Record.statement

    @contextmanager
    def statement(self: Record, template: str, sql: str) -> Iterator[None]:
        with original(self, template, sql):
            yield
        found.append(self.statements[-1])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Record, "statement", statement)
        yield found


def by_stage(statements: Sequence[Statement]) -> dict[str, int]:
    """Return the number of statements of each stage, except those that begin or end a transaction."""
    return dict(Counter(statement.stage for statement in statements if statement.template not in TRANSACTION))
