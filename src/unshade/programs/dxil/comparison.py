"""Comparison of programs by behaviour, apart from debug information, names and layout.

    module          debug information, names of values, types, resources, and annotations removed
      types, globals, functions     as LLVM assembly, attributes where they are used
      metadata                      without numbers: nodes where they are referred to

LLVM's text numbers metadata and attributes in the order of their use, so that equal texts of
different bytes differ in layout alone: the order of metadata, abbreviations.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from ...errors import UnshadeError
from .code import Code
from .editing import strip_debug, strip_names, strip_reflection
from .model.metadata import Metadata, MetadataNode, MetadataString
from .model.module import DxilModule
from .model.types import StructType
from .model.values import DxilValue, Function
from .text import disassemble
from .text.attributes import AttributeKey, attributes_text
from .text.functions import function_head
from .text.instructions import instruction_text
from .text.module import variable_text
from .text.numbering import number_values
from .text.writer import TextWriter

__all__ = ["comparable_lines", "debug_lines", "differences", "name_differences"]

CODE, NAMES, DEBUG, LAYOUT = "code", "reflection", "debug", "container"
NUMBER = re.compile(r"!\d+")  # of a node of metadata
OWN_TYPES = "dx."  # starts names of types that operations of DXIL have
DEPTH = 32  # of metadata that is written where it is referred to


def differences(before: Code, after: Code) -> list[str]:
    """Return the categories of `diff` in which two programs of different bytes differ."""
    try:
        texts = [(_text(each), _text(_without_debug(each))) for each in (before, after)]
        if texts[0][0] == texts[1][0]:
            return [LAYOUT]
        if texts[0][1] == texts[1][1]:
            return [DEBUG]
        if comparable_lines(before) != comparable_lines(after):
            return [CODE]
    except UnshadeError:
        return [CODE]
    return [NAMES]


def debug_lines(code: Code) -> list[str]:
    """Return the lines of a program's debug information, without numbers of metadata.

    Raises:
        FormatError: The bitcode is not a module.
        LimitError: The text is longer than the limits of `code` allow.
    """
    whole, rest = (
        Counter(NUMBER.sub("!", _text(each)).split("\n")) for each in (code, _without_debug(code))
    )
    return [line for line in (whole - rest).elements() if line]


def name_differences(before: DxilModule, after: DxilModule) -> Iterator[tuple[str, str, str]]:
    """Yield the names of values and the texts in metadata that differ, each with its path.

    Values are compared if both modules have the same number; texts that occur in only one module
    are paired in order.
    """
    if len(before.globals) == len(after.globals):
        for number, (x, y) in enumerate(zip(before.globals, after.globals, strict=True)):
            if x.name != y.name:
                yield f"globals[{number}]", x.name, y.name
    ours, theirs = _structures(before), _structures(after)
    if len(ours) == len(theirs):
        for at, (old_type, new_type) in enumerate(zip(ours, theirs, strict=True)):
            if old_type.name != new_type.name:
                yield f"structures[{at}]", str(old_type.name), str(new_type.name)
    for function, same in zip(before.functions, after.functions, strict=False):
        old, new = _named(function), _named(same)
        if len(old) != len(new):
            continue
        numbers = number_values(function)
        for one, other in zip(old, new, strict=True):
            if one.name != other.name:
                place = f".%{numbers[one]}" if one in numbers else ""
                yield f"{function.name}{place}", one.name, other.name
    old_texts, new_texts = Counter(_texts(before)), Counter(_texts(after))
    removed, added = (old_texts - new_texts).elements(), (new_texts - old_texts).elements()
    for text, another in zip_longest(removed, added, fillvalue=""):
        yield "metadata", text, another


def _named(function: Function) -> list[DxilValue]:
    return [*function.arguments, *function.blocks, *function.instructions]


def _texts(module: DxilModule) -> Iterator[str]:
    return (each.text for each in module.metadata if isinstance(each, MetadataString))


def _text(code: Code) -> str:
    return disassemble(code.read_module(), code.limits)


def _without_debug(code: Code) -> Code:
    made = Code.decode(code.encode(), code.limits)
    strip_debug(made.module)
    return made


class _PlainWriter(TextWriter):
    """A writer of attributes where they are used, without numbers of groups."""

    def group(self, key: AttributeKey) -> str:
        return f" {attributes_text(key)}" if key else ""


def _structures(module: DxilModule) -> list[StructType]:
    """Return the structures with names that are not DXIL's own."""
    found = (each for each in module.types if isinstance(each, StructType))
    return [each for each in found if each.name and not each.name.startswith(OWN_TYPES)]


def _number_structures(module: DxilModule) -> None:
    """Replace the names of structures by their numbers."""
    for number, each in enumerate(_structures(module)):
        each.name = f"structure {number}"
        each.name_record = None


def comparable_lines(code: Code) -> list[str]:
    """Return the lines of a program without debug information and names.

    Raises:
        FormatError: The bitcode is not a module, or its metadata does not describe a shader.
        LimitError: The text is longer than the limits of `code` allow.
    """
    made = _without_debug(code)
    module = made.module
    strip_reflection(module)
    strip_names(module)
    _number_structures(module)
    writer = _PlainWriter(module, code.limits)
    lines = [f"program {code.profile} {code.dxil_version >> 8}.{code.dxil_version & 0xFF}"]
    lines += writer.types.definitions()
    lines += [variable_text(each, writer) for each in module.variables]
    for function in module.functions:
        writer.enter(function)
        start = len(lines)
        word = "declare" if function.is_declaration else "define"
        lines.append(f"{word} {function_head(function, writer)}")
        numbers = number_values(function)
        for block in function.blocks:
            lines.append(f"%{numbers[block]}:")
            for each in block.instructions:
                text = " ".join(instruction_text(each, writer).split())
                result = "" if each.type.is_void else f"{writer.references[each]} = "
                more = "".join(
                    f", !{module.kinds.get(kind, kind)} {_metadata(node, writer, 0)}"
                    for kind, node in each.attachments
                )
                lines.append(f"{result}{text}{more}")
        writer.budget.spend(sum(map(len, lines[start:])))
    for named in module.named_metadata:
        lines += [f"!{named.name} = {_metadata(each, writer, 0)}" for each in named.nodes]
    return lines


def _metadata(metadata: Metadata | None, writer: TextWriter, depth: int) -> str:
    """Return metadata with the objects that it refers to."""
    if not isinstance(metadata, MetadataNode) or isinstance(metadata, MetadataString):
        return writer.metadata(metadata)
    if depth > DEPTH:
        return "!{…}"
    inner = ", ".join(_metadata(each, writer, depth + 1) for each in metadata.children)
    writer.budget.spend(len(inner))
    return f"!{{{inner}}}"
