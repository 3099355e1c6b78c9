"""The problems that would stop a run, which a dry run collects to report all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kanon_sql.errors import KanonError, LimitError, NoSolutionError, RequestError


@dataclass
class Problems:
    """The problems found so far; a failure of the database is not one of them and stops the dry run itself."""

    found: list[KanonError] = field(default_factory=list)

    @contextmanager
    def collected(self, *more: type[KanonError]) -> Iterator[None]:
        """Collect an error that would stop a run, also of the other kinds named, and continue."""
        try:
            yield
        except KanonError as problem:
            if not isinstance(problem, (LimitError, NoSolutionError, RequestError, *more)):
                raise
            self.found.append(problem)

    def require_none(self) -> None:
        """Raise an error if there is a problem."""
        if self.found:
            raise self.as_error()

    def as_error(self) -> KanonError:
        """Return a single problem unchanged, or several as one error."""
        if len(self.found) == 1:
            return self.found[0]
        reasons = "\n".join(f"{number}. {problem}" for number, problem in enumerate(self.found, start=1))
        return RequestError(f"a run would stop for {len(self.found)} reasons:\n{reasons}")
