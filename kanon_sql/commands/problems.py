"""The reasons that would stop a run, collected by a dry run so that all of them are reported at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kanon_sql.errors import KanonError, LimitError, NoSolutionError, RequestError


@dataclass
class Problems:
    """Reasons found so far; a failure of the database is not one of them and stops the dry run itself."""

    found: list[KanonError] = field(default_factory=list)

    @contextmanager
    def noted(self, *more: type[KanonError]) -> Iterator[None]:
        """Note a reason to stop, also of other kinds of error if named, and go on."""
        try:
            yield
        except KanonError as problem:
            if not isinstance(problem, (LimitError, NoSolutionError, RequestError, *more)):
                raise
            self.found.append(problem)

    def require_none(self) -> None:
        """Raise an error if a reason was noted."""
        if self.found:
            raise self.as_error()

    def as_error(self) -> KanonError:
        """Return the one reason as it is, or several in one message."""
        if len(self.found) == 1:
            return self.found[0]
        reasons = "\n".join(f"{number}. {problem}" for number, problem in enumerate(self.found, start=1))
        return RequestError(f"a run would stop for {len(self.found)} reasons:\n{reasons}")
