"""What a search knows of a lattice: verdicts, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.artifacts import Verdict
from kanon_sql.common.countdown import Countdown
from kanon_sql.lattice import Lattice, Node
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.contest import Contest
from kanon_sql.stages.search.evaluator import Evaluator, rules_out
from kanon_sql.stages.search.node_sets import NodeSet, NodeSets

ROUND = 16


class Findings:
    """Verdicts on the nodes of a lattice that is small enough to be held as sets."""

    def __init__(self, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> None:
        self.lattice = lattice
        self.sets = NodeSets(lattice)
        self.accepted: NodeSet = 0
        self.rejected: NodeSet = 0
        self.ruled_out: NodeSet = 0  # rejected, and so is every node below
        self.hopeful: NodeSet = 0  # not ruled out when checked, and nodes above: none of them can be expected to be
        self.checked: NodeSet = 0
        self.consulted: NodeSet = 0  # checked for what they say of subsets of the quasi-identifiers
        self.pruned: NodeSet = 0  # ruled out because a subset of the quasi-identifiers fails
        self.verdicts: dict[Node, Verdict] = {}
        self.contest = Contest(lattice, self.sets, evaluator)
        self.inherits = evaluator.inherits
        self._evaluator = evaluator
        self._allowed_rows = allowed_rows
        self._clock = clock

    @property
    def open(self) -> NodeSet:
        """The nodes of which nothing is known."""
        return self.sets.all & ~self.accepted & ~self.rejected

    @property
    def candidates(self) -> NodeSet:
        """The nodes that may be the best one and are not counted yet."""
        return self.contest.candidates

    def accepts(self, verdict: Verdict) -> bool:
        """Whether so many rows may be suppressed."""
        return verdict.is_within(self._allowed_rows)

    def ask(self, nodes: Iterable[Node]) -> None:
        """Checks nodes that were not checked yet, and draws every conclusion; may end the search for lack of time."""
        unknown = list(dict.fromkeys(node for node in nodes if node not in self.verdicts))
        for start in range(0, len(unknown), ROUND):
            self._clock.require()
            self.learn(self._evaluator.verdicts(unknown[start : start + ROUND]))

    def consult(self, nodes: Sequence[Node], known: dict[Node, Verdict]) -> None:
        """Asks for verdicts without drawing conclusions: on subsets of the quasi-identifiers."""
        unknown = list(dict.fromkeys(node for node in nodes if node not in known))
        for start in range(0, len(unknown), ROUND):
            self._clock.require()
            for verdict in self._evaluator.verdicts(unknown[start : start + ROUND]):
                known[verdict.node] = verdict
                self.consulted |= self.sets.bit(verdict.node) if verdict.node in self.lattice else 0

    def learn(self, verdicts: Sequence[Verdict]) -> None:
        """Draws the conclusions of verdicts, and counts what the accepted ones cost if they may be the best."""
        accepted = []
        for verdict in verdicts:
            self.verdicts[verdict.node] = verdict
            bit = self.sets.bit(verdict.node)
            self.checked |= bit
            self.contest.candidates &= ~bit
            if self.accepts(verdict):
                self._accept(verdict.node, bit)
                accepted.append(verdict)
            elif rules_out(self._evaluator, verdict, self._allowed_rows):
                self.rule_out(self.sets.down(verdict.node))
            else:
                self._reject(bit)
                self.hopeful |= self.sets.up(verdict.node)
        self.price([verdict for verdict in accepted if self.contest.may_win(self._evaluator.floor(verdict))])

    def _accept(self, node: Node, bit: NodeSet) -> None:
        above = self.sets.up(node)
        self.hopeful |= above
        self.accepted |= above if self.inherits else bit
        if not self._allowed_rows:
            self.contest.candidates &= ~above  # without suppression nothing above costs less

    def rule_out(self, nodes: NodeSet) -> None:
        """Rejects nodes below which every node is among them."""
        self.ruled_out |= nodes
        self._reject(nodes)

    def _reject(self, nodes: NodeSet) -> None:
        self.rejected |= nodes
        self.contest.candidates &= ~nodes

    def price(self, verdicts: Iterable[Verdict]) -> None:
        """Counts what accepted nodes cost."""
        unknown = [verdict for verdict in verdicts if verdict.node not in self.contest.costs]
        self.contest.enter(self._evaluator.costs(unknown) if unknown else [])

    def settle(self) -> None:
        """Checks every accepted node that may still be the best, the most promising first."""
        countdown = Countdown("the check of accepted nodes")
        while waiting := self.candidates & self.accepted:
            countdown.require_less(waiting.bit_count())
            self.ask(sorted(self.sets.nodes(waiting), key=self.contest.bound_of)[:ROUND])

    def minimal(self) -> list[Node]:
        """The accepted nodes whose direct predecessors are all known to be rejected."""
        unproven = self.sets.all & ~self.rejected
        return list(self.sets.nodes(self.sets.bottoms(unproven) & self.accepted & self.checked))
