"""Numbers of unnamed objects: globals, metadata, groups of attributes, values of a function.

    @0  %1          globals; arguments, blocks and results of a function, each from 0
    !2              nodes: operands of named metadata with their operands, then of each function
    #3              attributes: of functions, then of calls

Source: the order in which LLVM 3.7 (AsmWriter.cpp) visits a module.
"""

from collections.abc import Iterator

from ..model.instructions import CallInst, Instruction, InvokeInst
from ..model.metadata import DebugLocation, DebugNode, MetadataNode
from ..model.module import DxilModule
from ..model.values import AttributeList, DxilValue, Function, MetadataAsValue
from ..tables.debuginfo import DEBUG_ROWS
from .attributes import AttributeKey, function_attributes
from .nodes import operands_of

__all__ = ["ModuleNumbers", "number_values", "unnamed_values"]

_LOCATION = DEBUG_ROWS[7]
_MOST_COLUMN = 0xFFFF
INTRINSIC = "llvm."


class ModuleNumbers:
    """The numbers of a module."""

    def __init__(self, module: DxilModule) -> None:
        self.globals: dict[DxilValue, int] = {}
        self.nodes: dict[MetadataNode, int] = {}
        self.attributes: dict[AttributeKey, int] = {}
        self.attribute_lists: list[AttributeList] = []  # the first with each of them
        self.locations: dict[tuple[object, ...], DebugNode] = {}
        for each in module.metadata:
            if isinstance(each, DebugNode) and each.row is _LOCATION and not each.distinct:
                self.locations.setdefault(_location_key(*each.values), each)
        for value in (*module.variables, *module.aliases, *module.functions):
            if not value.name:
                self.globals[value] = len(self.globals)
        for named in module.named_metadata:
            for node in named.nodes:
                self._number(node)
        for function in module.functions:
            self._attributes(function.attributes)
        for function in module.functions:
            self._function(function)

    def location(self, location: DebugLocation) -> DebugNode:
        """Return the node of a location; equal locations have one."""
        column = location.column if location.column <= _MOST_COLUMN else 0
        values = [location.line, column, location.scope, location.inlined_at]
        key = _location_key(*values)
        found = self.locations.get(key)
        if found is None:
            found = self.locations[key] = DebugNode(_LOCATION, list(values))
        return found

    def attachments(self, instruction: Instruction) -> list[tuple[int, MetadataNode]]:
        """Return the nodes attached to an instruction, by kind; a location has kind 0."""
        found = sorted(instruction.attachments, key=lambda each: each[0])
        if instruction.location is not None:
            found.insert(0, (0, self.location(instruction.location)))
        return found

    def _function(self, function: Function) -> None:
        for _, node in sorted(function.attachments, key=lambda each: each[0]):
            self._number(node)
        calls = []
        for block in function.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, CallInst | InvokeInst):
                    calls.append(instruction)
                    callee = instruction.callee
                    if isinstance(callee, Function) and callee.name.startswith(INTRINSIC):
                        for argument in instruction.arguments:
                            if isinstance(argument, MetadataAsValue) and isinstance(
                                argument.metadata, MetadataNode
                            ):
                                self._number(argument.metadata)
                if instruction.location is not None or instruction.attachments:
                    for _, node in self.attachments(instruction):
                        self._number(node)
        for call in calls:
            self._attributes(call.attributes)

    def _attributes(self, attributes: AttributeList | None) -> None:
        key = function_attributes(attributes)
        if key and attributes is not None and key not in self.attributes:
            self.attributes[key] = len(self.attributes)
            self.attribute_lists.append(attributes)

    def _number(self, node: MetadataNode) -> None:
        """Number a node, then its operands, depth first."""
        nodes = self.nodes
        stack = [node]
        while stack:
            node = stack.pop()
            if node not in nodes:
                nodes[node] = len(nodes)
                stack += [
                    each for each in reversed(operands_of(node)) if isinstance(each, MetadataNode)
                ]


def _location_key(*values: object) -> tuple[object, ...]:
    line, column, scope, inlined_at = values
    return line, column, id(scope), id(inlined_at) if inlined_at is not None else None


def unnamed_values(function: Function) -> Iterator[DxilValue]:
    """Iterate over the values of a function that have no name, in the order of their numbers."""
    for argument in function.arguments:
        if not argument.name:
            yield argument
    for block in function.blocks:
        if not block.name:
            yield block
        for instruction in block.instructions:
            if not instruction.name and not instruction.type.is_void:
                yield instruction


def number_values(function: Function) -> dict[DxilValue, int]:
    """Return the numbers of the values of a function that have no name."""
    return {value: number for number, value in enumerate(unnamed_values(function))}
