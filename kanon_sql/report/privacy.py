"""What a release reaches under each privacy model, as plain values and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import Reached, Recoding, Solution
from kanon_sql.common.spelling import many
from kanon_sql.judge.arguments import numbered_measures
from kanon_sql.models import Rules, plain

WORST = {"at_least": "smallest", "at_most": "largest", "below": "largest"}


def reached_by(recoding: Recoding, rules: Rules) -> tuple[Reached, ...]:
    """Return what the worst published class reaches under each model of sensitive values."""
    measures = zip(numbered_measures(rules), recoding.measures, strict=True)
    return tuple(Reached(m.model, m.model.reached(measure)) for m, measure in measures)


def privacy_to_dict(k: int | None, reached: Sequence[Reached], rules: Rules, classes: int, rows: int) -> dict[str, Any]:
    """Return the models as plain values: the k of the smallest class, and what each column reaches per model."""
    values: dict[str, Any] = {"k": k}
    for found in reached:
        values.setdefault(found.model.name, []).append(_entry(found))
    if rules.average_risk is not None:
        values["average_risk"] = classes / rows if rows else None
    return values


def reached_to_dict(recoding: Recoding, rules: Rules) -> dict[str, Any]:
    """Return what a recoding reaches, as plain values."""
    return privacy_to_dict(recoding.smallest_class, reached_by(recoding, rules), rules, recoding.classes, recoding.published_rows)


def _entry(found: Reached) -> dict[str, Any]:
    values = found.model.values
    assert values is not None  # noqa: S101 (only models of sensitive values reach something)
    grouped = {"level": values.level or None, "bins": values.bins}
    shown = {key: value for key, value in grouped.items() if value is not None}
    return {"column": values.column, "kind": found.model.kind, "reached": found.value, **shown}


def models_to_list(reached: Sequence[Reached]) -> list[dict[str, Any]]:
    """Return the models as plain values, with the classes and rows that violate each."""
    return [
        {
            "model": found.model.name,
            **_entry(found),
            "required": plain(found.model.limit),
            "failing": {"classes": found.failing_classes, "rows": found.failing_rows},
        }
        for found in reached
    ]


def describe_reached(reached: Sequence[Reached], *, with_failures: bool = False) -> list[str]:
    """Return a line per model: what is required, what it means, and what the worst class reaches."""
    lines = []
    for found in reached:
        none = "outside any limit" if found.failing_classes else "none"
        value = none if found.value is None else f"{found.value:.6g}"
        line = f"{found.model.in_words()}: {found.model.meaning()}; {WORST[found.model.bound]} of a class {value}"
        if with_failures:
            line += f"; failing: {many(found.failing_classes, 'class')} ({many(found.failing_rows, 'row')})"
        lines.append(line + ".")
    return lines


def describe_average_risk(rules: Rules, value: float | None) -> list[str]:
    """Return a line on the average risk of the whole release, if the policy limits it."""
    if rules.average_risk is None or value is None:
        return []
    return [f"{rules.average_risk.in_words()}: {value:.6g} classes per published row."]


def price_to_dict(solution: Solution) -> dict[str, Any] | None:
    """Return what the models in addition to k cost, as plain values; None if there is no other model."""
    if solution.by_size is None:
        return None
    alone = solution.by_size
    compared = {"compared": alone.compared, "reason": alone.reason, "cost": dict(alone.costs), "suppressed": alone.suppressed_rows}
    return {**compared, "seconds": round(alone.seconds, 6)}


def describe_price(solution: Solution, rules: Rules, rows: int) -> list[str]:
    """Return what the models in addition to k cost, in a sentence."""
    if solution.by_size is None:
        return []
    models = [model.in_words() for model in rules if model.values is not None]
    names = [*models, *([rules.average_risk.in_words()] if rules.average_risk else [])]
    words, alone = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names), solution.by_size
    if not alone.compared:
        return [f"What {words} cost in addition to k was not compared: {alone.reason}."]
    name, before = next(iter(alone.costs.items()))
    after = solution.costs[name]
    suppressed = solution.verdict.failing_rows - alone.suppressed_rows
    share = f"{abs(suppressed) / rows:.2%}"
    rows_part = f"suppressed {share} of rows more" if suppressed > 0 else f"suppressed {share} of rows fewer" if suppressed else ""
    if before == after:
        return [f"{words} left {name} at {_figure(after)}" + (f" and {rows_part}." if rows_part else ", the same as k alone.")]
    moved = "raised" if (after or 0) > (before or 0) else "lowered"
    text = f"{words} {moved} {name} from {_figure(before)} to {_figure(after)}"
    return [f"{text} and {rows_part}." if rows_part else f"{text}."]


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"
