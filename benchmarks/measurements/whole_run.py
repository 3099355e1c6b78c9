"""The whole run: anonymize from the source to the verified release, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.metering import Cost, Meter, peak_bytes, spent
from benchmarks.settings import Settings
from benchmarks.tables.cases import Case
from kanon_sql import AnonymizeReport, anonymize, load_policy
from kanon_sql.workspace import Stage


@dataclass(frozen=True)
class StageFigures:
    """One stage's cost, how many statements it ran, and the process's peak memory at its end."""

    name: str
    cost: Cost
    statements: int
    peak_bytes: int


@dataclass(frozen=True)
class StatementFigures:
    """One statement by its template."""

    stage: str
    template: str
    seconds: float


@dataclass(frozen=True)
class RunFigures:
    """What a run took, and what it published."""

    parts: dict[str, Cost]
    peak_bytes: int
    stages: tuple[StageFigures, ...]
    statements: tuple[StatementFigures, ...]
    published_rows: int
    suppressed_rows: int
    classes: int
    nodes_checked: int

    @property
    def total(self) -> Cost:
        return sum(self.parts.values(), Cost())

    @property
    def outside_stages(self) -> Cost:
        """What anonymize spent outside its stages: connecting, dropping the tables it made, and the report."""
        return self.parts["anonymize"] - sum((stage.cost for stage in self.stages), Cost())


class StageMeter:
    """Listens to a run's stages and keeps what each took."""

    def __init__(self) -> None:
        self.stages: list[StageFigures] = []
        self._before = Cost()

    def __call__(self, name: str, stage: Stage | None) -> None:
        if stage is None:
            self._before = self._before if ":" in name else spent()  # with a colon it is only progress within a stage
        else:
            self.stages.append(StageFigures(name, spent() - self._before, stage.statements, peak_bytes()))


def measure_run(case: Case, database: Path, settings: Settings) -> RunFigures:
    """The cost of anonymizing the case's table under its policy, written to the file."""
    policy = load_policy(case.policy)
    meter, stages = Meter(), StageMeter()
    with settings.open(database) as connection:
        with meter.part("anonymize"):
            report = anonymize(connection, policy, listener=stages)
        with meter.part("checkpoint"):
            connection.execute("checkpoint")
    return _figures(report, meter, stages)


def _figures(report: AnonymizeReport, meter: Meter, stages: StageMeter) -> RunFigures:
    return RunFigures(
        parts=meter.parts,
        peak_bytes=peak_bytes(),
        stages=tuple(stages.stages),
        statements=tuple(StatementFigures(s.stage, s.template, s.seconds) for s in report.statements),
        published_rows=report.published_rows,
        suppressed_rows=report.suppressed_rows,
        classes=report.classes,
        nodes_checked=report.solution.nodes_checked,
    )
