"""The verdicts of a search, and the results inferred from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.artifacts import Verdict
from kanon_sql.common.countdown import Countdown
from kanon_sql.lattice import Lattice, Node
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.evaluator import Evaluator, rules_out
from kanon_sql.stages.search.node_sets import NodeSet, NodeSets
from kanon_sql.stages.search.ranking import Ranking

ROUND = 16


class Findings:
    """Verdicts on the nodes of a lattice that is small enough for sets of nodes in memory."""

    def __init__(self, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> None:
        self.lattice = lattice
        self.sets = NodeSets(lattice)
        self.accepted: NodeSet = 0
        self.rejected: NodeSet = 0
        self.ruled_out: NodeSet = 0  # rejected, as is every node below
        self.not_ruled_out: NodeSet = 0  # evaluated and not ruled out, or above such a node
        self.evaluated: NodeSet = 0
        self.evaluated_for_subsets: NodeSet = 0  # evaluated to learn about subsets of the quasi-identifiers
        self.pruned: NodeSet = 0  # ruled out because a subset of the quasi-identifiers fails
        self.verdicts: dict[Node, Verdict] = {}
        self.ranking = Ranking(lattice, self.sets, evaluator)
        self.inherits = evaluator.inherits
        self._evaluator = evaluator
        self._allowed_rows = allowed_rows
        self._clock = clock

    @property
    def open(self) -> NodeSet:
        """Return the nodes that are neither accepted nor rejected yet."""
        return self.sets.all & ~self.accepted & ~self.rejected

    @property
    def candidates(self) -> NodeSet:
        """Return the nodes that may be the best and whose cost is not known yet."""
        return self.ranking.candidates

    def accepts(self, verdict: Verdict) -> bool:
        """Return whether a verdict accepts its node."""
        return verdict.is_within(self._allowed_rows)

    def evaluate(self, nodes: Iterable[Node]) -> None:
        """Evaluate nodes that have no verdict yet and infer from the verdicts; raise OutOfTime if the time ends."""
        unknown = list(dict.fromkeys(node for node in nodes if node not in self.verdicts))
        for start in range(0, len(unknown), ROUND):
            self._clock.require_time()
            self.add_verdicts(self._evaluator.verdicts(unknown[start : start + ROUND]))

    def evaluate_for_subsets(self, nodes: Sequence[Node], known: dict[Node, Verdict]) -> None:
        """Evaluate nodes without inference, to learn about subsets of the quasi-identifiers."""
        unknown = list(dict.fromkeys(node for node in nodes if node not in known))
        for start in range(0, len(unknown), ROUND):
            self._clock.require_time()
            for verdict in self._evaluator.verdicts(unknown[start : start + ROUND]):
                known[verdict.node] = verdict
                self.evaluated_for_subsets |= self.sets.bit(verdict.node) if verdict.node in self.lattice else 0

    def add_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Store verdicts, infer from them, and compute the costs of accepted nodes that may be the best."""
        accepted = []
        for verdict in verdicts:
            self.verdicts[verdict.node] = verdict
            bit = self.sets.bit(verdict.node)
            self.evaluated |= bit
            self.ranking.candidates &= ~bit
            if self.accepts(verdict):
                self._accept(verdict.node, bit)
                accepted.append(verdict)
            elif rules_out(self._evaluator, verdict, self._allowed_rows):
                self.rule_out(self.sets.down(verdict.node))
            else:
                self._reject(bit)
                self.not_ruled_out |= self.sets.up(verdict.node)
        self.add_costs_of([verdict for verdict in accepted if self.ranking.may_be_best(self._evaluator.floor(verdict))])

    def _accept(self, node: Node, bit: NodeSet) -> None:
        above = self.sets.up(node)
        self.not_ruled_out |= above
        self.accepted |= above if self.inherits else bit
        if not self._allowed_rows:
            self.ranking.candidates &= ~above  # without suppression, no node above costs less

    def rule_out(self, nodes: NodeSet) -> None:
        """Reject a set of nodes that contains every node below its members."""
        self.ruled_out |= nodes
        self._reject(nodes)

    def _reject(self, nodes: NodeSet) -> None:
        self.rejected |= nodes
        self.ranking.candidates &= ~nodes

    def add_costs_of(self, verdicts: Iterable[Verdict]) -> None:
        """Compute the costs of accepted nodes and add them to the ranking."""
        unknown = [verdict for verdict in verdicts if verdict.node not in self.ranking.costs]
        self.ranking.add(self._evaluator.costs(unknown) if unknown else [])

    def evaluate_accepted(self) -> None:
        """Evaluate every accepted node that may still be the best, in order of its lower bound."""
        countdown = Countdown("the evaluation of accepted nodes")
        while waiting := self.candidates & self.accepted:
            countdown.require_less(waiting.bit_count())
            self.evaluate(sorted(self.sets.nodes(waiting), key=self.ranking.bound_of)[:ROUND])

    def minimal(self) -> list[Node]:
        """Return the evaluated accepted nodes whose direct predecessors are all rejected."""
        unproven = self.sets.all & ~self.rejected
        return list(self.sets.nodes(self.sets.bottoms(unproven) & self.accepted & self.evaluated))
