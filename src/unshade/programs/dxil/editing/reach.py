"""Everything that a module refers to, found without recursion."""

from collections.abc import Iterable, Iterator

from ..model.constants import BlockAddress, DxilConstant
from ..model.instructions import Instruction
from ..model.metadata import Metadata, MetadataNode, MetadataValue
from ..model.module import DxilModule
from ..model.values import DxilValue, Function, GlobalAlias, GlobalVariable, MetadataAsValue

__all__ = ["children", "constants_below", "function_metadata", "metadata_below", "module_roots"]


def children(value: DxilValue) -> list[DxilValue]:
    """Return the values that a constant consists of."""
    if isinstance(value, BlockAddress):
        return [value.function]
    return value.operands if isinstance(value, DxilConstant) else []


def constants_below(roots: Iterable[DxilValue], seen: set[DxilValue]) -> Iterator[DxilConstant]:
    """Return constants that values consist of, themselves included, parts first; add to `seen`."""
    for root in roots:
        waiting: list[tuple[DxilValue, bool]] = [(root, False)]
        while waiting:
            value, is_complete = waiting.pop()
            if is_complete:
                assert isinstance(value, DxilConstant)
                yield value
                continue
            if value in seen or not isinstance(value, DxilConstant):
                continue
            seen.add(value)
            waiting.append((value, True))
            waiting += [(each, False) for each in reversed(children(value))]


def metadata_below(roots: Iterable[Metadata], seen: set[Metadata]) -> Iterator[Metadata]:
    """Return metadata that other metadata refers to, itself included, parts first."""
    for root in roots:
        waiting: list[tuple[Metadata, bool]] = [(root, False)]
        while waiting:
            found, is_complete = waiting.pop()
            if is_complete:
                yield found
                continue
            if found in seen:
                continue
            seen.add(found)
            waiting.append((found, True))
            if isinstance(found, MetadataNode):
                waiting += [(each, False) for each in reversed(found.children) if each is not None]


def module_roots(module: DxilModule) -> Iterator[DxilValue]:
    """Return the values that globals refer to."""
    for each in module.globals:
        found: list[DxilValue | None] = []
        if isinstance(each, GlobalVariable):
            found = [each.initializer]
        elif isinstance(each, GlobalAlias):
            found = [each.aliasee]
        elif isinstance(each, Function):
            found = [each.prologue, each.prefix, each.personality]
        yield from (value for value in found if value is not None)


def function_metadata(function: Function) -> Iterator[Metadata]:
    """Return the metadata that a function refers to directly."""
    for _, node in function.attachments:
        yield node
    for instruction in function.instructions:
        yield from instruction_metadata(instruction)


def instruction_metadata(instruction: Instruction) -> Iterator[Metadata]:
    """Return the metadata that an instruction refers to directly."""
    for value in instruction.operands:
        if isinstance(value, MetadataAsValue):
            yield value.metadata
    for _, node in instruction.attachments:
        yield node
    location = instruction.location
    if location is not None:
        yield from (each for each in (location.scope, location.inlined_at) if each is not None)


def is_local(metadata: Metadata) -> bool:
    """Return True if metadata is a value of a function."""
    return isinstance(metadata, MetadataValue) and not isinstance(
        metadata.value, DxilConstant | GlobalVariable | Function | GlobalAlias
    )
