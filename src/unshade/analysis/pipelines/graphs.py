"""Work graphs: nodes, and the records that they send each other.

    split  ──  records of 8 bytes  ──►  leaf[0]  takes records of 8 bytes
           ──                      ──►  leaf[1]  takes records of 12 bytes      graph.record
           ──                      ──► rest is not a node                     graph.node

Nodes have the ids and settings that their shaders declare, unless the work graph overrides them. A
graph is a tree of sends without circles; a node may send records to itself.

Source: DirectX-Specs, WorkGraphs (Node ID, Node input, Node output, Recursion, Graph limits).
"""

from collections.abc import Iterator, Mapping, Sequence

from ...model.reflection import NodePort, WorkGraphNode
from ...model.stateobjects import StoredNode, StoredWorkGraph
from ...tuples import NamedTuple
from .exports import ExportedShader, ObjectExports
from .findings import PipelineFindings
from .stages import PipelinePlace

__all__ = ["check_graphs"]

INCLUDE_ALL = "include_all_available_nodes"
MOST_NODES_DEEP = 32  # D3D12: nodes in a row, recursion included

NodeKey = tuple[str, int]


class _Target(NamedTuple):
    """Nodes that an output sends records to: those of a name from an index on."""

    name: str
    first: int
    length: int | None  # None: unbounded
    record_size: int | None
    sparse: bool


class _GraphNode(NamedTuple):
    """A node of a graph, with the settings that the graph overrides."""

    key: NodeKey
    export: ExportedShader
    declared: WorkGraphNode
    override: StoredNode | None = None

    @property
    def shown(self) -> str:
        """The name, with the index of a node of an array."""
        return _shown(self.key)

    @property
    def place(self) -> PipelinePlace:
        """The place of its shader."""
        return self.export.stage.place()

    @property
    def shares(self) -> NodeKey | None:
        """The node whose input it shares."""
        own = None if self.override is None else self.override.shares_input_of
        if own is not None:
            return own.name, own.index
        name = self.declared.shares_input_of
        return None if name is None else (name, self.declared.shared_index)

    def targets(self) -> Iterator[_Target]:
        """Yield the targets of the records of each output."""
        overrides = {} if self.override is None else {e.output: e for e in self.override.outputs}
        for number, port in enumerate(self.declared.outputs):
            other = overrides.get(number)
            name, index, sparse = port.name, port.index, port.sparse
            if other is not None and other.target is not None:
                name, index = other.target.name, other.target.index
            if other is not None and other.sparse is not None:
                sparse = other.sparse
            count = 1 if port.array_size is None else port.array_size
            bound = None if count < 0 else count
            yield _Target(name, index, bound, port.record_size, sparse or bound is None)


def _shown(key: NodeKey) -> str:
    return f"{key[0]}[{key[1]}]" if key[1] else key[0]


def check_graphs(found: PipelineFindings, object: ObjectExports) -> None:
    """Check the work graphs of a state object; libraries alone are one graph of all nodes."""
    nodes = [each for each in object.exports if each.stage.facts.node is not None]
    graphs = object.described.work_graphs
    if not graphs and nodes and not object.described.key:
        graphs = [StoredWorkGraph(name="", flags=[INCLUDE_ALL])]
    for each in graphs:
        _Graph(found, object, each, nodes).check()


class _Graph:
    """A graph and its nodes by id."""

    def __init__(
        self,
        found: PipelineFindings,
        object: ObjectExports,
        described: StoredWorkGraph,
        exports: Sequence[ExportedShader],
    ) -> None:
        self.found = found
        self.object = object
        self.described = described
        self.nodes: dict[NodeKey, _GraphNode] = {}
        listed = {}
        for each in described.nodes:
            export = object.named(each.shader)
            if export is not None and export.stage.facts.node is not None:
                listed[export.name] = each
            elif not each.is_program:
                message = f"the work graph {described.name!r:.80} lists {each.shader!r:.80}"
                found.add("graph.node", f"{message}, which is no node", object.place())
        for export in exports:
            declared = export.stage.facts.node
            if declared is None or not (
                export.name in listed or INCLUDE_ALL in described.flags or not listed
            ):
                continue
            override = listed.get(export.name)
            name = None if override is None else override.id
            key = (declared.name, declared.index) if name is None else (name.name, name.index)
            node = _GraphNode(key, export, declared, override)
            other = self.nodes.setdefault(key, node)
            if other is not node:
                message = f"two nodes have the id {_shown(key)!r:.80}"
                found.add("graph.twice", message, node.place, other.place)
        self.indices: dict[str, list[int]] = {}
        for node_name, index in self.nodes:
            self.indices.setdefault(node_name, []).append(index)

    def check(self) -> None:
        """Check the nodes, their records and the shape of the graph."""
        if not self.nodes:
            message = f"the work graph {self.described.name!r:.80} has no nodes"
            self.found.add("graph.node", message, self.object.place())
            return
        for entry in self.described.entry_points:
            if (entry.name, entry.index) not in self.nodes:
                message = f"the entry point {_shown((entry.name, entry.index))!r:.80}"
                self.found.add("graph.node", f"{message} is no node", self.object.place())
        sends: dict[NodeKey, list[NodeKey]] = {}
        for node in self.nodes.values():
            sends[node.key] = [*self._sent(node)]
            self._check_shared(node)
        self._check_shape(sends)

    def _sent(self, node: _GraphNode) -> Iterator[NodeKey]:
        """Yield the nodes that a node sends records to; report the first that does not exist."""
        for target in node.targets():
            last = None if target.length is None else target.first + target.length
            there = [
                index
                for index in self.indices.get(target.name, ())
                if index >= target.first and (last is None or index < last)
            ]
            for index in there:
                key = target.name, index
                self._check_record(node, target, self.nodes[key])
                yield key
            if target.length is not None and len(there) < target.length and not target.sparse:
                known = {*there}
                at = next(at for at in range(target.first, last or 0) if at not in known)
                message = f"{node.shown} sends records to {_shown((target.name, at))}, which is no"
                self.found.add("graph.node", f"{message} node", node.place)

    def _check_record(self, node: _GraphNode, target: _Target, other: _GraphNode) -> None:
        # A node that declares no input accepts any records, and does not read them.
        taken = _input(other.declared.inputs)
        if taken is not None and (taken.record_size or 0) != (target.record_size or 0):
            message = f"{node.shown} sends {_records(target.record_size)} to {other.shown}"
            self.found.add(
                "graph.record", f"{message}, which takes {_records(taken.record_size)}",
                other.place, node.place,
            )  # fmt: skip

    def _check_shared(self, node: _GraphNode) -> None:
        key = node.shares
        if key is None:
            return
        other = self.nodes.get(key)
        if other is None:
            message = f"{node.shown} shares the input of {_shown(key)}, which is no node"
            self.found.add("graph.node", message, node.place)
            return
        ours, theirs = _input(node.declared.inputs), _input(other.declared.inputs)
        sizes = [0 if each is None else each.record_size or 0 for each in (ours, theirs)]
        if sizes[0] != sizes[1]:
            message = f"{node.shown} takes {_records(sizes[0])}, {other.shown}, whose input it"
            self.found.add(
                "graph.record", f"{message} shares, {_records(sizes[1])}", node.place, other.place
            )
        elif node.declared.launch != other.declared.launch:
            message = f"{node.shown} has {node.declared.launch} launch, {other.shown}, whose input"
            self.found.add(
                "graph.shared", f"{message} it shares, {other.declared.launch} launch",
                node.place, other.place,
            )  # fmt: skip

    def _check_shape(self, sends: Mapping[NodeKey, Sequence[NodeKey]]) -> None:
        """Check recursion, circles and the number of nodes in a row."""
        depths: dict[NodeKey, int] = {}
        counts = dict.fromkeys(self.nodes, 0)
        for key, targets in sends.items():
            node = self.nodes[key]
            if key in targets and not node.declared.max_recursion:
                message = f"{node.shown} sends records to itself"
                self.found.add("graph.recursion", f"{message}, with no maximum depth", node.place)
            for other in set(targets) - {key}:
                counts[other] += 1
        waiting = [key for key, count in counts.items() if not count]
        done = 0
        while waiting:
            key = waiting.pop()
            done += 1
            depth = depths.get(key, 0) + 1 + (self.nodes[key].declared.max_recursion or 0)
            depths[key] = depth
            for other in set(sends[key]) - {key}:
                depths[other] = max(depths.get(other, 0), depth)
                counts[other] -= 1
                if not counts[other]:
                    waiting.append(other)
        left = [self.nodes[key] for key, count in counts.items() if count]
        if left:
            names = ", ".join(each.shown for each in left[:8])
            message = f"nodes send records in a circle: {names}"
            self.found.add("graph.circle", message, left[0].place)
        deepest = max(self.nodes, key=lambda key: depths.get(key, 0))
        if not left and depths[deepest] > MOST_NODES_DEEP:
            message = f"expected at most {MOST_NODES_DEEP} nodes in a row, recursion included"
            self.found.add(
                "graph.depth", f"{message}, got {depths[deepest]}", self.nodes[deepest].place
            )


def _input(ports: Sequence[NodePort]) -> NodePort | None:
    return ports[0] if ports else None


def _records(size: int | None) -> str:
    return f"records of {size} bytes" if size else "empty records"
