"""Conversion of a program to plain data (dictionaries, lists, numbers, strings) and back.

    {major: 5, kind: PIXEL, instructions: [
        {op: dcl_temps, count: 2},
        {op: mul, saturate: 1, operands: [{type: TEMP, mask: x, index: [0]}, …]}]}

The conversion is lossless. Keys are the names of the bit fields of tokens.py and the dwords of
ops.py; zero and derived fields are left out. Dwords without a name are listed under `words`.
"""

import marshal
from typing import TypeVar

from ....errors import EncodeError, FormatError
from ....isa import Word
from ....isa.data import (
    field_from_data,
    integer_from_data,
    list_from_data,
    mapping_from_data,
    nothing_left,
    take_word,
    word_to_data,
)
from ....wire.data import Plain, hex_from_data, name_of, text_from_data, text_to_data
from ..code import Code
from ..customdata import ShaderMessage, comment, text_to_words
from ..decoding import SharedInstruction, own_instruction, shared_form
from ..instruction import DERIVED, LONG, Instruction
from ..kept import Kept, keep
from ..operands import Operand
from ..tables.enumerations import CustomClass
from ..tables.ops import OPS, Op
from ..tables.tokens import (
    EXTENDED_OPCODES,
    CustomData,
    ExtendedToken,
    OpcodeToken,
    ReturnTypes,
    SystemName,
    TableSizes,
    VersionToken,
)
from .operands import operand_to_data, operands_from_data
from .words import UNTYPED, dword_from_data, dwords_from_data, number

DWORDS: dict[str, type[Word]] = {
    "return_type": ReturnTypes,
    "system_value": SystemName,
    "lengths": TableSizes,
}
FLOATS = frozenset({"factor"})  # dwords of declarations that are floats


# ---------------------------------------------------------------- instructions


def instruction_to_data(instruction: Instruction) -> dict[str, Plain]:
    """Return an instruction as plain data."""
    token = instruction.token
    row = instruction.op
    found: dict[str, Plain] = {"op": instruction.name}
    if row is None:
        if token & 0x80FF_F800:
            found["unnamed"] = f"0x{token & 0x80FF_F800:08x}"
        if instruction.words:
            found["words"] = list(instruction.words)
        return found
    found |= word_to_data(row.controls, token, DERIVED)
    if row.controls is CustomData:
        found |= _payload_to_data(instruction)
        return found
    if instruction.long:
        found["length"] = token >> 24 & 127
        found["extended"] = [0]  # derived
    elif instruction.extended:
        found["extended"] = [
            word_to_data(EXTENDED_OPCODES.get(word & 63, ExtendedToken), word, ("extended",))
            for word in instruction.extended
        ]
    if instruction.operands:
        letters = row.operands
        found["operands"] = [
            operand_to_data(operand, letters[i : i + 1])
            for i, operand in enumerate(instruction.operands)
        ]
    if instruction.words:
        found |= _words_to_data(row, instruction.words)
    return found


def _payload_to_data(instruction: Instruction) -> dict[str, Plain]:
    payload = instruction.payload or ()
    kind = instruction.custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER and len(payload) % 4 == 0:
        values = [number(word, UNTYPED) for word in payload]
        return {"rows": [values[i : i + 4] for i in range(0, len(values), 4)]}
    if kind == CustomClass.SHADER_MESSAGE and (message := ShaderMessage.decode(payload)):
        return {
            "message_id": f"0x{message.message_id:08x}",
            "format": message.format,
            "text": _text_to_data(message.text),
            "operands": [operand_to_data(operand) for operand in message.operands],
        }
    if kind == CustomClass.COMMENT and (text := comment(payload)) is not None:
        return {"text": _text_to_data(text)}
    return {"payload": list(payload)}


def _text_to_data(text: bytes) -> Plain:
    return text_to_data(text.decode("utf-8", "surrogateescape"))


def _text_from_data(data: Plain, path: str) -> bytes:
    return text_from_data(data, path).encode("utf-8", "surrogateescape")


def _words_to_data(row: Op, words: tuple[int, ...]) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    for i, word in enumerate(words):
        name = row.dwords[min(i, len(row.dwords) - 1)] if row.dword_name(i) else "words[]"
        if name.endswith("[]"):
            found.setdefault(name[:-2], []).append(word)
        elif name in DWORDS:
            cls = DWORDS[name]
            fields = word_to_data(cls, word)
            single = cls.FIELDS[0].name if len(cls.FIELDS) == 1 else ""
            found[name] = fields[single] if fields.keys() == {single} else fields
        else:
            found[name] = number(word, "f") if name in FLOATS else word
    return found


def instruction_from_data(data: Plain, path: str) -> Instruction:
    """Return the instruction described by plain data."""
    left = mapping_from_data(data, path)
    name = left.pop("op", None)
    row = OPS.by_name.get(name) if isinstance(name, str) else None
    if row is None:
        return _unknown_from_data(name, left, path)
    token = take_word(row.controls, left, path, DERIVED) | row.code
    payload: tuple[int, ...] | None = None
    extended: list[int] = []
    operands: list[Operand] = []
    words: list[int] = []
    if row.controls is CustomData:
        payload = _payload_from_data(left, path)
    else:
        if "extended" in left:
            where = f"{path}.extended"
            items = list_from_data(left.pop("extended"), where)
            if row.code in LONG:
                extended = dwords_from_data(items, where)
            else:
                extended = [_extended_from_data(e, f"{where}[{i}]") for i, e in enumerate(items)]
        if row.code in LONG:
            token = OpcodeToken.length.put(token, integer_from_data(left.pop("length", 0), path))
        operands = _operands_from_data(left, path)
        words = _words_from_data(row, left, path)
    nothing_left(left, path)
    if len(operands) != len(row.operands) and row.controls is not CustomData:
        counts = f"expected {len(row.operands)} operands, got {len(operands)}"
        raise FormatError(f"{row.name}: {counts}", path=path)
    return Instruction(token, operands, words, extended, payload)


def _unknown_from_data(name: Plain, left: dict[str, Plain], path: str) -> Instruction:
    text = name if isinstance(name, str) else ""
    number_text = text.removeprefix("opcode_")
    if number_text == text or not number_text.isdecimal() or len(number_text) > 4:
        raise FormatError(f"unknown operation {name!r:.40}", path=f"{path}.op")
    token = dword_from_data(left.pop("unnamed", 0), f"{path}.unnamed")
    token = OpcodeToken.opcode.put(token, int(number_text))
    words = dwords_from_data(left.pop("words", []), f"{path}.words")
    nothing_left(left, path)
    if int(number_text) in OPS.by_code:
        row = OPS.by_code[int(number_text)]
        raise FormatError(f"expected the name {row.name!r}, got {text!r}", path=f"{path}.op")
    return Instruction(token, words=words)


def _extended_from_data(data: Plain, path: str) -> int:
    left = mapping_from_data(data, path)
    kind = field_from_data(ExtendedToken.kind, left.get("kind", 0), f"{path}.kind")
    word = take_word(EXTENDED_OPCODES.get(kind, ExtendedToken), left, path)
    nothing_left(left, path)
    return word


def _payload_from_data(left: dict[str, Plain], path: str) -> tuple[int, ...]:
    if "rows" in left:
        where = f"{path}.rows"
        rows = list_from_data(left.pop("rows"), where)
        return tuple(
            w for i, row in enumerate(rows) for w in dwords_from_data(row, f"{where}[{i}]")
        )
    if "text" not in left:
        return tuple(dwords_from_data(left.pop("payload", []), f"{path}.payload"))
    text = _text_from_data(left.pop("text"), f"{path}.text")
    if "message_id" not in left:
        return text_to_words(text)
    message_id = dword_from_data(left.pop("message_id"), f"{path}.message_id")
    style = dword_from_data(left.pop("format", 1), f"{path}.format")
    operands = _operands_from_data(left, path)
    return ShaderMessage(message_id, text, operands, style).words()


def _operands_from_data(left: dict[str, Plain], path: str) -> list[Operand]:
    return operands_from_data(left.pop("operands", []), f"{path}.operands")


def _words_from_data(row: Op, left: dict[str, Plain], path: str) -> list[int]:
    if not left:
        return []
    words: list[int] = []
    for i, name in enumerate(row.dwords):
        if name.endswith("[]"):
            name = name[:-2]  # noqa: PLW2901
            words += dwords_from_data(left.pop(name, []), f"{path}.{name}")
        elif name in left:
            if len(words) < i:
                raise FormatError(f"{row.name}: missing {row.dwords[i - 1]}", path=path)
            value = left.pop(name)
            cls = DWORDS.get(name)
            if cls is None:
                words.append(dword_from_data(value, f"{path}.{name}"))
                continue
            fields = value if isinstance(value, dict) else {cls.FIELDS[0].name: value}
            fields = dict(fields)
            words.append(take_word(cls, fields, f"{path}.{name}"))
            nothing_left(fields, f"{path}.{name}")
    return words + dwords_from_data(left.pop("words", []), f"{path}.words")


# ---------------------------------------------------------------- programs


# The plain data of equal instructions is made once, and copied by `marshal`.
_COPIES = Kept(lambda instruction: marshal.dumps(instruction_to_data(instruction)))
# Instructions by their plain data; bytes of marshal's version 2 tell 1 from True and from 1.0.
_INSTRUCTIONS: dict[bytes, SharedInstruction] = {}


def program_to_data(program: Code) -> dict[str, Plain]:
    """Return a program as plain data."""
    found = word_to_data(VersionToken, program.version.word)
    found.setdefault("kind", name_of(VersionToken.kind.enum, 0))
    found["instructions"] = [marshal.loads(each) for each in _COPIES.of_all(program.listed)]
    if program.trailing:
        found["trailing"] = program.trailing.hex()
    return found


C = TypeVar("C", bound=Code)


def program_from_data(cls: type[C], data: Plain, path: str) -> C:
    """Return the program that plain data describes."""
    left = mapping_from_data(data, path)
    try:
        version = VersionToken(take_word(VersionToken, left, path))
    except EncodeError as error:
        raise FormatError(error.problem, path=path) from None
    instructions: list[Instruction] = []
    shared: list[SharedInstruction] = []
    where = f"{path}.instructions" if path else "instructions"
    for i, item in enumerate(list_from_data(left.pop("instructions", []), where)):
        try:
            key = marshal.dumps(item, 2)
        except ValueError:  # it has an object of another type
            key = b""
        known = _INSTRUCTIONS.get(key)
        if known is None:
            try:
                made = instruction_from_data(item, f"{where}[{i}]")
            except EncodeError as error:
                raise FormatError(str(error), path=f"{where}[{i}]") from None
            known = shared_form(made)
            if known is None:
                instructions += [*map(own_instruction, shared), made]
                shared = []
                continue
            if key:
                keep(_INSTRUCTIONS, key, known)
        shared.append(known)
    trailing = hex_from_data(left.pop("trailing", ""), f"{path}.trailing")
    nothing_left(left, path)
    if not instructions:
        return cls.of_shared(version, shared, trailing)
    return cls(version, [*instructions, *map(own_instruction, shared)], trailing)
