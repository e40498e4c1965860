"""The records that the lines of a module's text show.

    %7 = extractvalue %dx.types.CBufRet.f32 %6, 0     the instruction, its name and location
    %8 = shl i32 %5, 2                                the instruction, the constant
    @table = internal constant [4 x float] …          the variable, its name
    !13 = !{i32 64, i32 1, i32 1}                     the node, its strings and constants

Paths are as in `spans`: `bitcode.blocks[0].items[17].items[5]`.
"""

from collections.abc import Iterator

from .bitstream import BitBlock, BitRecord, Bitstream
from .code import Code
from .model.constants import DxilConstant
from .model.instructions import Instruction
from .model.metadata import MetadataNode, MetadataString, MetadataValue, NamedMetadata
from .model.types import DxilType, StructType
from .model.values import GlobalVariable
from .text import Place, module_lines

__all__ = ["line_paths", "record_paths"]


def line_paths(code: Code) -> list[tuple[str, ...]]:
    """Return the paths of the records that each line of the native text shows."""
    places: dict[Place, int] = {}
    sizes = [1 + line.count("\n") for line in module_lines(code.read_module(), places=places)]
    shown: list[tuple[str, ...]] = [()] * len(sizes)
    known = record_paths(code)
    for each, at in places.items():
        paths = (known.get(id(record)) for record in _records(each))
        shown[at] = tuple(dict.fromkeys(path for path in paths if path is not None))
    return [paths for paths, size in zip(shown, sizes, strict=True) for _ in range(size)]


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
