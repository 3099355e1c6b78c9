"""Answers search with set statements."""

from __future__ import annotations

from kanon_sql.evaluate.cuts import CutEvaluator
from kanon_sql.evaluate.nodes import NodeEvaluator
from kanon_sql.evaluate.unmet import explain_unmet

__all__ = ["CutEvaluator", "NodeEvaluator", "explain_unmet"]
