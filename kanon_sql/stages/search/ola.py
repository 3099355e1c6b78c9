"""OLA: divide the lattice repeatedly at half its height, with predictive tagging, to find the minimal accepted nodes."""

from __future__ import annotations

from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import flash
from kanon_sql.stages.search.rounds import Walk, walk_together


def ola(findings: Findings) -> None:
    """Find every minimal accepted node, then the best accepted node."""
    if not findings.inherits:
        flash(findings)
        return
    bottom, top = findings.lattice.bottom, findings.lattice.top
    walk_together(findings, iter([_tag_interval(findings, bottom, bottom), _tag_interval(findings, top, top)]))
    middle = findings.sets.at_height(findings.sets.span // 2)
    walk_together(findings, (_divide(findings, bottom, node, top) for node in findings.sets.nodes(middle)))
    walk_together(findings, iter([_tag_interval(findings, bottom, top)]))
    findings.evaluate_accepted()


def _tag_interval(findings: Findings, bottom: Node, top: Node) -> Walk:
    """Yield the nodes to evaluate until every node between two nodes is accepted or rejected."""
    interval = findings.sets.up(bottom) & findings.sets.down(top)
    if not interval & findings.open:
        return
    span = sum(top) - sum(bottom)
    if span <= 1:
        for node in (bottom, top):
            if findings.sets.bit(node) & findings.open:
                yield node
        return
    middle = interval & findings.sets.at_height(sum(bottom) - sum(findings.lattice.bottom) + span // 2)
    for node in findings.sets.nodes(middle):
        yield from _divide(findings, bottom, node, top)


def _divide(findings: Findings, bottom: Node, node: Node, top: Node) -> Walk:
    """Yield a node in the middle, then continue below it if it is accepted, otherwise above it."""
    if findings.sets.bit(node) & findings.open:
        yield node
    if findings.sets.bit(node) & findings.accepted:
        yield from _tag_interval(findings, bottom, node)
    else:
        yield from _tag_interval(findings, node, top)
