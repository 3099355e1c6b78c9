"""What a release reached by each of its privacy models, as plain values for JSON and as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import Reached, Recoding, Solution
from kanon_sql.common.spelling import many
from kanon_sql.judge.arguments import numbered_measures
from kanon_sql.models import Rules, plain

WORST = {"at_least": "smallest", "at_most": "largest", "below": "largest"}


def reached_by(recoding: Recoding, rules: Rules) -> tuple[Reached, ...]:
    """What the worst published class measures by each model of sensitive values."""
    measures = zip(numbered_measures(rules), recoding.measures, strict=True)
    return tuple(Reached(m.model, m.model.reached(measure)) for m, measure in measures)


def privacy_story(k: int | None, reached: Sequence[Reached], rules: Rules, classes: int, rows: int) -> dict[str, Any]:
    """The models as plain values: the k of the smallest class, and per model a list of what its columns reached."""
    story: dict[str, Any] = {"k": k}
    for found in reached:
        story.setdefault(found.model.name, []).append(_entry(found))
    if rules.average_risk is not None:
        story["average_risk"] = classes / rows if rows else None
    return story


def story_of(recoding: Recoding, rules: Rules) -> dict[str, Any]:
    """What a recoding reaches."""
    return privacy_story(recoding.smallest_class, reached_by(recoding, rules), rules, recoding.classes, recoding.published_rows)


def _entry(found: Reached) -> dict[str, Any]:
    values = found.model.values
    assert values is not None  # noqa: S101 (only models of sensitive values reach something)
    grouped = {"level": values.level or None, "bins": values.bins}
    shown = {key: value for key, value in grouped.items() if value is not None}
    return {"column": values.column, "kind": found.model.kind, "reached": found.value, **shown}


def judged_models(reached: Sequence[Reached]) -> list[dict[str, Any]]:
    """The models as plain values with how many classes and rows break each."""
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
    """A line per model: what was asked, what that means, and what the worst class has."""
    lines = []
    for found in reached:
        none = "beyond any limit" if found.failing_classes else "none"
        value = none if found.value is None else f"{found.value:.6g}"
        line = f"{found.model.in_words()}: {found.model.meaning()}; {WORST[found.model.bound]} of a class {value}"
        if with_failures:
            line += f"; failing: {many(found.failing_classes, 'class')} ({many(found.failing_rows, 'row')})"
        lines.append(line + ".")
    return lines


def describe_average_risk(rules: Rules, value: float | None) -> list[str]:
    """Average risk, where it is asked for: a rule of the release as a whole."""
    if rules.average_risk is None or value is None:
        return []
    return [f"{rules.average_risk.in_words()}: {value:.6g} classes per published row."]


def price_story(solution: Solution) -> dict[str, Any] | None:
    """What the models beside k cost, as plain values; none where there is no other model."""
    if solution.by_size is None:
        return None
    alone = solution.by_size
    told = {"compared": alone.compared, "reason": alone.reason, "cost": dict(alone.costs), "suppressed": alone.suppressed_rows}
    return {**told, "seconds": round(alone.seconds, 6)}


def describe_price(solution: Solution, rules: Rules, rows: int) -> list[str]:
    """What the models beside k cost, in a sentence."""
    if solution.by_size is None:
        return []
    models = [model.in_words() for model in rules if model.values is not None]
    told = [*models, *([rules.average_risk.in_words()] if rules.average_risk else [])]
    words, alone = " and ".join([", ".join(told[:-1]), told[-1]] if told[1:] else told), solution.by_size
    if not alone.compared:
        return [f"What {words} cost beside k was not compared: {alone.reason}."]
    name, before = next(iter(alone.costs.items()))
    after = solution.costs[name]
    suppressed = solution.verdict.failing_rows - alone.suppressed_rows
    share = f"{abs(suppressed) / rows:.2%}"
    rows_told = f"suppressed {share} of rows more" if suppressed > 0 else f"suppressed {share} of rows fewer" if suppressed else ""
    if before == after:
        return [f"{words} left {name} at {_figure(after)}" + (f" and {rows_told}." if rows_told else ", where k alone has it.")]
    moved = "raised" if (after or 0) > (before or 0) else "lowered"
    text = f"{words} {moved} {name} from {_figure(before)} to {_figure(after)}"
    return [f"{text} and {rows_told}." if rows_told else f"{text}."]


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"
