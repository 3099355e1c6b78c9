"""Answers search with set statements."""

from __future__ import annotations

from kanon_sql.evaluate.cuts import CutEvaluator
from kanon_sql.evaluate.nodes import NodeEvaluator
from kanon_sql.evaluate.planned import PlannedCutEvaluator, load_cuts, load_splits, told_cuts
from kanon_sql.evaluate.unmet import explain_unmet

__all__ = ["CutEvaluator", "NodeEvaluator", "PlannedCutEvaluator", "explain_unmet", "load_cuts", "load_splits", "told_cuts"]
