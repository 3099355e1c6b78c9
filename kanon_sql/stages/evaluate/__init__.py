"""Evaluates the nodes and regions that a search asks about, with set statements."""

from __future__ import annotations

from kanon_sql.stages.evaluate.nodes import NodeEvaluator
from kanon_sql.stages.evaluate.planned import load_splits, recorded_cuts
from kanon_sql.stages.evaluate.unmet import explain_unmet

__all__ = ["NodeEvaluator", "explain_unmet", "load_splits", "recorded_cuts"]
