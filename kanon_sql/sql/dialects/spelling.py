"""Expressions that sqlglot spells wrongly in several dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from kanon_sql.sql.dialects.dialect import Respell


def rename_collation(node: exp.Collate, collation: str) -> exp.Expr:
    """Return a comparison byte for byte, which templates write as `collate "C"`, by the dialect's own collation."""
    return exp.Collate(this=node.this, expression=exp.Var(this=collation))


def divide_integers(node: exp.IntDiv, respell: Respell) -> exp.Expr:
    """Return an integer division as `/`, where integers divide to integers; sqlglot would use floating point or numeric."""
    # What is inside is not visited again once its parent is replaced, so it is respelled here.
    above, below = (part.transform(respell) for part in (node.this, node.expression))
    return exp.Paren(this=exp.Div(this=above, expression=below, typed=True, safe=False))


def widen_to_decimal(node: exp.Cast) -> exp.Expr:
    """Return a cast to the widest integer as one to a decimal, where there is no integer of 128 bits."""
    if node.to.is_type("int128"):
        node.set("to", exp.DataType.build("decimal(38, 0)"))
    return node
