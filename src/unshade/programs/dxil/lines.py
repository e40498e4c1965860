"""The records that the lines of a module's text show.

    %7 = extractvalue %dx.types.CBufRet.f32 %6, 0     the instruction, its name and location
    %8 = shl i32 %5, 2                                the instruction, the constant
    @table = internal constant [4 x float] …          the variable, its name
    attributes #0 = { nounwind readnone }             the group, the list
    !13 = !{i32 64, i32 1, i32 1}                     the node, its strings and constants

Paths are as in `spans`: `bitcode.blocks[0].items[17].items[5]`.
"""

from collections.abc import Callable, Iterator, Mapping

from .bitstream import BitBlock, BitRecord, Bitstream
from .code import Code
from .model.constants import DxilConstant
from .model.instructions import Instruction
from .model.metadata import MetadataNode, MetadataString, MetadataValue, NamedMetadata
from .model.module import DxilModule
from .model.types import DxilType, StructType
from .model.values import AttributeGroup, AttributeList, Function, GlobalVariable
from .text import Place, module_lines

__all__ = ["copied_paths", "line_paths", "record_paths", "shown_paths"]


def line_paths(code: Code) -> list[tuple[str, ...]]:
    """Return the paths of the records that each line of the native text shows."""
    known = record_paths(code)
    return _by_line(code, lambda each: shown_paths(each, known))


def copied_paths(code: Code, copy: Code) -> list[tuple[str, ...]]:
    """Return the paths of the records in a copy that each line of the native text shows.

    The copy has the same functions, with or without debug information.
    """
    known = record_paths(copy)
    twins = dict(_twins(code.read_module(), copy.read_module()))
    return _by_line(code, lambda each: shown_paths(twins[each], known) if each in twins else ())


def _by_line(code: Code, paths: Callable[[Place], tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the paths of the records that each line of the native text shows."""
    places: dict[Place, int] = {}
    sizes = [1 + line.count("\n") for line in module_lines(code.read_module(), places=places)]
    shown: list[tuple[str, ...]] = [()] * len(sizes)
    for each, at in places.items():
        shown[at] = paths(each)
    return [paths for paths, size in zip(shown, sizes, strict=True) for _ in range(size)]


def _twins(module: DxilModule, copy: DxilModule) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of corresponding objects in a module and its copy."""
    there = {each.name: each for each in copy.globals if each.name}
    for one in module.globals:
        other = there.get(one.name)
        if type(other) is not type(one) or other is None:
            continue
        yield one, other
        if isinstance(one, Function) and isinstance(other, Function):
            ours, theirs = map(_instructions, (one, other))
            if len(ours) == len(theirs):
                yield from zip(ours, theirs, strict=True)
    waiting: list[tuple[object, object]] = []
    for each in module.named_metadata:
        same = copy.named(each.name)
        if same is not None:
            yield each, same
            waiting += zip(each.nodes, same.nodes, strict=False)
    seen: set[int] = set()
    while waiting:
        old, new = waiting.pop()
        if not isinstance(old, MetadataNode) or not isinstance(new, MetadataNode):
            continue
        if id(old) not in seen and len(old.elements) == len(new.elements):
            seen.add(id(old))
            yield old, new
            waiting += zip(old.elements, new.elements, strict=True)


def _instructions(function: Function) -> list[Instruction]:
    """Return the instructions of a function, without calls for debuggers."""
    from .editing import is_debug_call

    return [each for each in function.instructions if not is_debug_call(each)]


def shown_paths(each: Place, known: Mapping[int, str]) -> tuple[str, ...]:
    """Return the paths of the records that a line about an object shows, its main record first.

    `known` is the result of `record_paths`.
    """
    paths = (known.get(id(record)) for record in _records(each))
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def record_paths(code: Code) -> dict[int, str]:
    """Return the path of each record, by its identity."""
    stream = code.stream()
    found: dict[int, str] = {}
    if not isinstance(stream, Bitstream):
        return found
    waiting = [(block, f"bitcode.blocks[{at}]") for at, block in enumerate(stream.blocks)]
    while waiting:
        block, path = waiting.pop()
        for at, item in enumerate(block.items):
            if isinstance(item, BitBlock):
                waiting.append((item, f"{path}.items[{at}]"))
            elif isinstance(item, BitRecord):
                found[id(item)] = f"{path}.items[{at}]"
    return found


def _records(each: Place) -> Iterator[BitRecord | None]:
    """Yield the records that a line shows, beginning with its main record."""
    if isinstance(each, AttributeList):
        for group in each.groups:
            if group.index == AttributeGroup.FUNCTION:
                yield group.record
        yield each.record
        return
    yield each.record
    if isinstance(each, StructType | NamedMetadata):
        yield each.name_record
    elif isinstance(each, MetadataNode):
        for child in each.children:
            if isinstance(child, MetadataString | MetadataValue):
                yield child.record
            if isinstance(child, MetadataValue) and isinstance(child.value, DxilConstant):
                yield child.value.record
    elif not isinstance(each, DxilType):
        yield each.name_record
        if isinstance(each, Instruction):
            yield each.location.record if each.location is not None else None
            for operand in each.operands:
                if isinstance(operand, DxilConstant):
                    yield operand.record
        elif isinstance(each, GlobalVariable) and isinstance(each.initializer, DxilConstant):
            yield each.initializer.record
