"""Programs as plain data (dictionaries, lists, numbers, strings), without loss.

    {instructions: [{op: mul, dst: r1, src1: c95, src2: v2, desc: 7},
                    {op: ifc, condop: X, refx: 1, refy: 1, target: 12}, …],
     descriptors: [{mask: xyzw, swz1: zzzz, swz2: xyzw}, …],
     entries: [{name: main, stage: vertex, main: 0, end: 10}]}

Keys are the names of the bit fields. Registers, masks and swizzles are spelled as in the listing;
flags and numbers of an operation are omitted if they are zero. A word of an unknown opcode is
{op: opcode_1e, unnamed: 0x…}.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...errors import EncodeError, FormatError
from ...isa.data import (
    UNNAMED,
    field_to_data,
    integer_from_data,
    list_from_data,
    mapping_from_data,
    nothing_left,
    rest_to_data,
    take_word,
    word_from_data,
    word_to_data,
)
from ...wire.data import Plain, text_from_data, text_to_data
from .code import Code, Entry
from .descriptors import OperandDescriptor
from .instruction import Instruction
from .spans import used_fields
from .tables.ops import BY_OPCODE, OPS

Row = TypeVar("Row")

OPCODE = 0x3F << 26
STAGES = ("vertex", "geometry")


# ---------------------------------------------------------------- instructions


def instruction_to_data(instruction: Instruction) -> dict[str, Plain]:
    """Return an instruction as plain data."""
    word = instruction.word
    op = instruction.op
    found: dict[str, Plain] = {"op": instruction.name}
    if op is None:
        if word & ~OPCODE:
            found[UNNAMED] = f"0x{word & ~OPCODE:08x}"
        return found
    order = [name for name in used_fields(op) if name != "idx"]
    fields = {f.name: f for f in op.format.FIELDS if f.name != "opcode"}
    for name in [*order, *(name for name in fields if name not in order)]:
        field = fields[name]
        value = field.of(word)
        if value or (name in order and (field.spell or field.enum or name == "desc")):
            found[name] = field_to_data(field, value)
    return found | rest_to_data(op.format, word)


def instruction_from_data(data: Plain, path: str) -> Instruction:
    """Return the instruction that plain data describes; FormatError if it describes none."""
    left = mapping_from_data(data, path)
    name = left.pop("op", None)
    op = OPS.by_name.get(name) if isinstance(name, str) else None
    if op is None:
        word = _opcode_from_data(name, path) | word_from_data(left.pop(UNNAMED, 0), path)
        nothing_left(left, path)
        return Instruction(word)
    # The fields come last: they include the rest of a three- or five-bit opcode.
    word = take_word(op.format, left, path, ("opcode",)) | op.code << 26
    nothing_left(left, path)
    if BY_OPCODE[word >> 26] is not op:
        raise FormatError("the bits without a name change the operation", path=path)
    return Instruction(word)


def _opcode_from_data(name: Plain, path: str) -> int:
    text = name if isinstance(name, str) else ""
    digits = text.removeprefix("opcode_")
    if digits != text and len(digits) == 2 and digits.isalnum():
        try:
            opcode = int(digits, 16)
        except ValueError:
            opcode = 64
        if opcode < 64:
            known = BY_OPCODE[opcode]
            if known is not None:
                raise FormatError(f"{text} has a name: {known.name}", path=f"{path}.op")
            return opcode << 26
    raise FormatError(f"unknown instruction {name!r:.40}", path=f"{path}.op")


# ---------------------------------------------------------------- descriptors


def descriptor_to_data(descriptor: OperandDescriptor) -> dict[str, Plain]:
    """Return a descriptor as plain data, without fields that are zero (a swizzle xxxx)."""
    found = word_to_data(OperandDescriptor, descriptor.word, spelled=True)
    if descriptor.high:
        found["high"] = f"0x{descriptor.high:x}"
    return found


def descriptor_from_data(data: Plain, path: str) -> OperandDescriptor:
    """Return the descriptor that plain data describes; FormatError if it describes none."""
    left = mapping_from_data(data, path)
    high = word_from_data(left.pop("high", 0), f"{path}.high")
    word = take_word(OperandDescriptor, left, path)
    nothing_left(left, path)
    return OperandDescriptor(word, high)


# ---------------------------------------------------------------- programs


def entry_to_data(entry: Entry) -> dict[str, Plain]:
    """Return an entry as plain data."""
    found: dict[str, Plain] = {
        "name": text_to_data(entry.name),
        "stage": entry.stage,
        "main": entry.main,
        "end": entry.end,
    }
    if entry.outputs is not None:
        found["outputs"] = {f"o{number}": mask for number, mask in entry.outputs.items()}
    return found


def entry_from_data(data: Plain, path: str) -> Entry:
    """Return the entry that plain data describes; FormatError if it describes none."""
    left = mapping_from_data(data, path)
    name = text_from_data(left.pop("name", ""), f"{path}.name")
    stage = left.pop("stage", None)
    if stage not in STAGES:
        raise FormatError(
            f"expected one of {', '.join(STAGES)}, got {stage!r:.40}", path=f"{path}.stage"
        )
    main = integer_from_data(left.pop("main", 0), f"{path}.main")
    end = integer_from_data(left.pop("end", 0), f"{path}.end")
    outputs = None
    if "outputs" in left:
        where = f"{path}.outputs"
        outputs = {}
        for key, mask in mapping_from_data(left.pop("outputs"), where).items():
            digits = str(key).removeprefix("o")
            if not digits.isdecimal() or len(digits) > 2 or not isinstance(mask, str):
                raise FormatError(
                    f"expected an output register with its mask, got {key!r:.40}", path=where
                )
            outputs[int(digits)] = mask
    nothing_left(left, path)
    return Entry(name, stage, main, end, outputs)


def instructions_to_data(instructions: Iterable[Instruction]) -> list[Plain]:
    """Return a code table as plain data."""
    return [instruction_to_data(each) for each in instructions]


def instructions_from_data(data: Plain, path: str) -> list[Instruction]:
    """Return the code table that plain data describes."""
    return list(_rows(data, path, instruction_from_data))


def descriptors_to_data(descriptors: Iterable[OperandDescriptor]) -> list[Plain]:
    """Return a descriptor table as plain data."""
    return [descriptor_to_data(each) for each in descriptors]


def descriptors_from_data(data: Plain, path: str) -> list[OperandDescriptor]:
    """Return the descriptor table that plain data describes."""
    return list(_rows(data, path, descriptor_from_data))


def _rows(data: Plain, path: str, row: Callable[[Plain, str], Row]) -> Iterator[Row]:
    """Yield the rows of a table; FormatError if a value does not fit its field."""
    for i, item in enumerate(list_from_data(data, path)):
        where = f"{path}[{i}]"
        try:
            yield row(item, where)
        except EncodeError as error:
            raise FormatError(error.problem, path=f"{where}.{error.path}") from None


def program_to_data(program: Code) -> dict[str, Plain]:
    """Return a program as plain data."""
    return {
        "instructions": instructions_to_data(program.instructions),
        "descriptors": descriptors_to_data(program.descriptors),
        "entries": [entry_to_data(each) for each in program.entries],
    }


def program_from_data(
    data: Plain, path: str
) -> tuple[list[Instruction], list[OperandDescriptor], list[Entry]]:
    """Return the fields of the `Program` that plain data describes."""
    left = mapping_from_data(data, path)
    dot = f"{path}." if path else ""
    instructions = instructions_from_data(left.pop("instructions", []), f"{dot}instructions")
    descriptors = descriptors_from_data(left.pop("descriptors", []), f"{dot}descriptors")
    where = f"{dot}entries"
    entries = [
        entry_from_data(item, f"{where}[{i}]")
        for i, item in enumerate(list_from_data(left.pop("entries", []), where))
    ]
    nothing_left(left, path)
    return instructions, descriptors, entries
