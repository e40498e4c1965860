"""Functions with their blocks as LLVM 3.7 prints them, with the comments of dxc.

    ; Function Attrs: nounwind readnone
    define void @main() #0 {
      …
    ; <label>:3                                       ; preds = %2, %0
      ret void
    }

Predecessors come in the order in which LLVM keeps the uses of a block: the last one read first.
"""

from collections.abc import Sequence

from ..model.instructions import Instruction
from ..model.metadata import MetadataNode
from ..model.values import BasicBlock, DxilValue, Function, GlobalValue
from .attributes import attributes_at, attributes_text, function_attributes
from .comments import comment_of
from .conventions import convention_text, linkage_text
from .instructions import instruction_text
from .spelling import escaped, identifier, metadata_identifier, quoted_name
from .writer import TextWriter

__all__ = ["comdat_text", "function_head", "function_lines", "instruction_line"]

PREDECESSORS_COLUMN = 50
STRING_ATTRIBUTE = 2


def function_lines(
    function: Function, writer: TextWriter, places: dict[DxilValue, int] | None = None
) -> list[str]:
    """Return the lines of a function, the empty line before it included.

    `places` is filled with the index in the lines of the function and of each instruction.
    """
    writer.enter(function)
    key = function_attributes(function.attributes)
    lines = [""]
    plain = attributes_text(tuple(each for each in key if each[0] != STRING_ATTRIBUTE))
    if plain:
        lines.append(f"; Function Attrs: {plain}")
    head = function_head(function, writer)
    if places is not None:
        places[function] = len(lines)
    if function.is_declaration:
        lines.append(f"declare {head}")
    else:
        lines.append(f"define {head} {{")
        predecessors = _predecessors(function, writer.use_lists)
        for at, block in enumerate(function.blocks):
            _block(block, at == 0, predecessors.get(block, ()), lines, writer, places)
        lines.append("}")
    writer.budget.spend(sum(map(len, lines)))
    return lines


def function_head(function: Function, writer: TextWriter) -> str:
    """Return the text between `define` and the body."""
    attributes = function.attributes
    result = attributes_text(attributes_at(attributes, 0))
    type = function.function_type
    parameters = []
    for index, argument in enumerate(function.arguments):
        text = writer.type(argument.type) + writer.inline(attributes_at(attributes, index + 1))
        if argument.name and not function.is_declaration:
            text += f" {identifier('%', argument.name)}"
        parameters.append(text)
    if type.vararg:
        parameters.append("...")
    words = [
        f"{linkage_text(function)}{convention_text(function.calling_convention)}"
        f"{result + ' ' if result else ''}{writer.type(type.result)} "
        f"{writer.operand(function)}({', '.join(parameters)})"
    ]
    if function.unnamed_addr:
        words.append("unnamed_addr")
    group = writer.group(function_attributes(attributes))
    if group:
        words.append(group.lstrip())
    if function.section:
        words.append(f'section "{escaped(function.section)}"')
    if function.comdat is not None:
        words.append(comdat_text(function))
    if function.alignment:
        words.append(f"align {function.alignment}")
    if function.gc:
        words.append(f'gc "{function.gc}"')
    for word in ("prefix", "prologue", "personality"):
        value = getattr(function, word)
        if value is not None:
            words.append(f"{word} {writer.typed(value)}")
    attachments = sorted(function.attachments, key=lambda each: each[0])
    return " ".join(words) + _attachments(attachments, " ", writer)


def comdat_text(value: GlobalValue) -> str:
    """Return the group that a global is in; its name is printed if it differs."""
    assert value.comdat is not None
    name = value.comdat.name
    return "comdat" if name == value.name else f"comdat({identifier('$', name)})"


def _attachments(
    attachments: Sequence[tuple[int, MetadataNode]], separator: str, writer: TextWriter
) -> str:
    """Return attached nodes, with a separator before each."""
    kinds = writer.module.kinds
    found = []
    for kind, node in attachments:
        name = kinds.get(kind, "dbg" if kind == 0 else None)
        text = f"!<unknown kind #{kind}>" if name is None else f"!{metadata_identifier(name)}"
        found.append(f"{separator}{text} {writer.metadata(node)}")
    return "".join(found)


def _predecessors(function: Function, use_lists: bool) -> dict[DxilValue, list[BasicBlock]]:
    """Return the predecessors of each block, in the order of its uses."""
    found: dict[DxilValue, list[BasicBlock]] = {}
    for block in function.blocks:
        for each in block.successors:
            found.setdefault(each, []).append(block)
    for blocks in found.values():
        blocks.reverse()
    for order in function.use_lists if use_lists else ():
        if isinstance(order.value, BasicBlock):
            blocks = found.get(order.value, [])
            if sorted(order.indexes) == list(range(len(blocks))):
                sorted_blocks = list(blocks)
                for at, index in enumerate(order.indexes):
                    sorted_blocks[index] = blocks[at]
                found[order.value] = sorted_blocks
    return found


def _block(
    block: BasicBlock,
    first: bool,
    predecessors: Sequence[BasicBlock],
    lines: list[str],
    writer: TextWriter,
    places: dict[DxilValue, int] | None,
) -> None:
    """Add the lines of a block."""
    label = None
    if block.name:
        label = f"{quoted_name(block.name)}:"
    elif predecessors:
        label = f"; <label>:{writer.references[block][1:]}"
    if not first:
        names = ", ".join(map(writer.operand, predecessors))
        comment = f"; preds = {names}" if names else "; No predecessors!"
        if label is None:
            lines.append(" " * PREDECESSORS_COLUMN + comment)
        else:
            lines.append("")
            lines.append(f"{label + ' ':<{PREDECESSORS_COLUMN}}{comment}")
    elif label is not None:
        lines.append(label)
    for instruction in block.instructions:
        if places is not None:
            places[instruction] = len(lines)
        lines.append(f"  {instruction_line(instruction, writer)}")


def instruction_line(instruction: Instruction, writer: TextWriter) -> str:
    """Return the line of an instruction, without indentation."""
    text = instruction_text(instruction, writer)
    if not instruction.type.is_void:
        text = f"{writer.references[instruction]} = {text}"
    if instruction.location is not None or instruction.attachments:
        text += _attachments(writer.numbers.attachments(instruction), ", ", writer)
    return f"{text}{comment_of(instruction, writer)}"
