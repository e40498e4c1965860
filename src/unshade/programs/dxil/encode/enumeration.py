"""The order in which LLVM numbers types, attributes, constants and metadata.

LLVM's writer visits a module in a fixed order and numbers its objects:

    globals       variables, functions, aliases
    constants     operands of globals and metadata; then sorted by type and by frequency of use,
                  integers first
    metadata      what named metadata refers to, then what functions do; parts before the whole
    types         of each value when it gets its number, then of operands and results
    constants of a function
                  in the order of its operands, then sorted likewise

`enumerate_module` puts the lists of a module into that order, so that modules that differ only in
numbers become equal. Objects without references are dropped.

Source: public LLVM 3.7 (ValueEnumerator.cpp); checked on modules of dxc, whose numbers are
reproduced.
"""

from collections.abc import Sequence

from ..model.constants import DxilConstant
from ..model.instructions import CallInst, InvokeInst
from ..model.metadata import Metadata, MetadataNode, MetadataValue
from ..model.module import DxilModule
from ..model.types import DxilType, IntegerType, VectorType
from ..model.typetable import children_first
from ..model.values import (
    AttributeGroup,
    AttributeList,
    DxilValue,
    Function,
    GlobalValue,
    MetadataAsValue,
)

__all__ = ["enumerate_module"]


def enumerate_module(module: DxilModule, *, keeps_uses: bool = False) -> None:
    """Put the types, attributes, constants and metadata of a module into LLVM's order.

    With `keeps_uses`, constants are not sorted, as LLVM does when it keeps the order of uses.
    """
    _Enumeration(module, keeps_uses).run()


class _Enumeration:
    """An enumeration; `values` counts the uses of each value in order of their numbers."""

    def __init__(self, module: DxilModule, keeps_uses: bool) -> None:
        self.module = module
        self.keeps_uses = keeps_uses
        self.values: dict[DxilValue, int] = {}
        self.types: dict[DxilType, int] = {}
        self.open: set[DxilType] = set()  # structures whose parts are being visited
        self.metadata: dict[Metadata, None] = {}
        self.begun: set[Metadata] = set()
        self.attributes: dict[AttributeList, None] = {}
        self.groups: dict[AttributeGroup, None] = {}

    def run(self) -> None:
        module = self.module
        globals = [*module.variables, *module.functions, *module.aliases]
        for variable in module.variables:
            self.value(variable)
        for function in module.functions:
            self.value(function)
            self.attribute_list(function.attributes)
        for alias in module.aliases:
            self.value(alias)
        first = len(self.values)
        for variable in module.variables:
            if variable.initializer is not None:
                self.value(variable.initializer)
        for alias in module.aliases:
            self.value(alias.aliasee)
        for name in ("prefix", "prologue", "personality"):
            for function in module.functions:
                extra = getattr(function, name)
                if extra is not None:
                    self.value(extra)
        self.type(module.types.primitive("metadata"))
        for named in module.named_metadata:
            for node in named.nodes:
                self.node(node)
        for function in module.functions:
            self.function(function)
        module.constants = self.sorted(list(self.values)[first:])
        module.metadata = list(self.metadata)
        module.globals = list[GlobalValue](globals)
        module.attributes = list(self.attributes)
        module.attribute_groups = list(self.groups)
        for number, group in enumerate(module.attribute_groups, 1):
            group.id = number
        known = {*module.globals, *module.constants}
        count = len(known)
        self.values = {each: self.values[each] for each in (*module.globals, *module.constants)}
        for function in module.functions:
            self.body(function)
            assert len(self.values) == count
        module.types.rows = list(self.types)

    # -- values ----------------------------------------------------------------------------------

    def value(self, root: DxilValue) -> None:
        """Number a value after its operands, or count a use."""
        waiting: list[tuple[DxilValue, bool]] = [(root, False)]
        while waiting:
            value, is_complete = waiting.pop()
            if is_complete:
                self.values[value] = 1
                continue
            if value in self.values:
                self.values[value] += 1
                continue
            self.type(value.type)
            operands = value.operands if isinstance(value, DxilConstant) else []
            if operands:
                waiting.append((value, True))
                waiting += [(each, False) for each in reversed(operands)]
            else:
                self.values[value] = 1

    def sorted(self, found: Sequence[DxilValue]) -> list[DxilConstant]:
        """Return constants as LLVM sorts them: by type, by frequency; then integers come first."""
        constants = [each for each in found if isinstance(each, DxilConstant)]
        if self.keeps_uses or len(constants) < 2:
            return constants
        types, values = self.types, self.values
        constants.sort(key=lambda each: (types[each.type], -values[each]))
        _partition(constants)
        return constants

    # -- types -----------------------------------------------------------------------------------

    def type(self, root: DxilType) -> None:
        """Number a type after its element types."""
        types = self.types
        if root not in types:
            for type in children_first(root, types, self.open):
                types[type] = len(types)

    def operand_type(self, root: DxilValue) -> None:
        """Number the types of an operand and of its nested constants."""
        waiting = [root]
        while waiting:
            value = waiting.pop()
            self.type(value.type)
            if isinstance(value, DxilConstant) and value not in self.values:
                waiting += reversed(value.operands)

    # -- metadata --------------------------------------------------------------------------------

    def node(self, root: Metadata) -> None:
        """Number metadata after its operands."""
        waiting: list[tuple[Metadata, bool]] = [(root, False)]
        while waiting:
            metadata, is_complete = waiting.pop()
            if is_complete:
                self.metadata[metadata] = None
                continue
            if metadata in self.begun:
                continue
            self.begun.add(metadata)
            waiting.append((metadata, True))
            if isinstance(metadata, MetadataNode):
                found = [(each, False) for each in metadata.children if each is not None]
                waiting += reversed(found)
            elif isinstance(metadata, MetadataValue):
                self.value(metadata.value)

    def attribute_list(self, attributes: AttributeList | None) -> None:
        if attributes is not None and attributes not in self.attributes:
            self.attributes[attributes] = None
            for group in attributes.groups:
                self.groups.setdefault(group)

    # -- functions -------------------------------------------------------------------------------

    def function(self, function: Function) -> None:
        """Number types, metadata and attributes of a function."""
        for argument in function.arguments:
            self.type(argument.type)
        for _, node in function.attachments:
            self.node(node)
        for each in function.instructions:
            for operand in each.operands:
                if isinstance(operand, MetadataAsValue):
                    if not _is_local(operand.metadata):
                        self.node(operand.metadata)
                else:
                    self.operand_type(operand)
            self.type(each.type)
            if isinstance(each, CallInst | InvokeInst):
                self.attribute_list(each.attributes)
            for _, node in each.attachments:
                self.node(node)
            if each.location is not None:
                for scope in (each.location.scope, each.location.inlined_at):
                    if scope is not None:
                        self.node(scope)

    def body(self, function: Function) -> None:
        """Set the constants and metadata of a function, and forget its values again."""
        count = len(self.values)
        for argument in function.arguments:
            self.value(argument)
        first = len(self.values)
        local: dict[Metadata, None] = {}
        for each in function.instructions:
            for operand in each.operands:
                if isinstance(operand, DxilConstant):
                    self.value(operand)
                elif isinstance(operand, MetadataAsValue) and _is_local(operand.metadata):
                    local[operand.metadata] = None
        function.constants = self.sorted(list(self.values)[first:])
        function.locals = [each for each in local if isinstance(each, MetadataValue)]
        for value in list(self.values)[count:]:
            del self.values[value]


def _is_local(metadata: Metadata) -> bool:
    """Return True if metadata is a value of a function."""
    return isinstance(metadata, MetadataValue) and not isinstance(
        metadata.value, DxilConstant | GlobalValue
    )


def _is_integer(value: DxilValue) -> bool:
    type = value.type.element if isinstance(value.type, VectorType) else value.type
    return isinstance(type, IntegerType)


def _partition(values: list[DxilConstant]) -> None:
    """Move integers and integer vectors to the front, exchanging pairs from both ends.

    This is std::partition on arrays, as in every library that compilers were built with, including
    its effect on the order of other elements.
    """
    first, last = 0, len(values)
    while True:
        while first != last and _is_integer(values[first]):
            first += 1
        if first == last:
            return
        last -= 1
        while first != last and not _is_integer(values[last]):
            last -= 1
        if first == last:
            return
        values[first], values[last] = values[last], values[first]
        first += 1
