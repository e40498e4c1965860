"""Programs as plain data (dictionaries, lists, numbers, strings), without loss.

    {version: ps_2_0,
     comments: [{before: 0, data: 43544142…}],
     instructions: [{op: mad, operands: [{destination: r1, mask: w},
                                         {source: r0, swizzle: wwww}, …]},
                    {op: dcl, declaration: {usage: TEXCOORD},
                     operands: [{destination: t0, mask: xy}]},
                    {op: def, operands: [{destination: c0, mask: xyzw}, 0x3f000000, 0, 0, 0]}]}

A relative operand has `index`, the operand that is added; fields of a token that are zero are
omitted, and so is the length of an instruction if it is right. An instruction with an unknown
opcode has its tokens as numbers.
"""

from ...errors import FormatError
from ...isa.data import (
    integer_from_data,
    list_from_data,
    mapping_from_data,
    nothing_left,
    take_word,
    word_from_data,
    word_to_data,
)
from ...wire.data import Plain, hex_from_data
from .code import Code, Comment
from .instruction import Instruction, LiteralOperand, Operand
from .registers import file_of_name
from .tables.ops import OPS
from .tables.tokens import (
    DeclarationToken,
    DestinationParameter,
    InstructionToken,
    SourceParameter,
    Version,
)

__all__ = ["program_from_data", "program_to_data"]

REGISTER = ("number", "type_high", "type_low", "is_parameter", "relative")
PARAMETER = 1 << 31
DERIVED = ("opcode", "length")
ROLES = ("source", "destination")


def program_to_data(code: Code) -> dict[str, Plain]:
    """Return a program as plain data."""
    version = code.version
    known = Version.named(version.profile)
    found: dict[str, Plain] = {
        "version": version.profile if known == version else f"0x{version.word:08x}"
    }
    if code.comments:
        found["comments"] = [
            {"before": each.before, "data": each.data.hex()} for each in code.comments
        ]
    found["instructions"] = [_instruction_to_data(each) for each in code.instructions]
    return found


def program_from_data(data: Plain, path: str) -> tuple[Version, list[Instruction], list[Comment]]:
    """Return the version, instructions and comments that plain data describes.

    Raises:
        FormatError: The data describes no program; the path names the invalid field.
    """
    left = mapping_from_data(data, path)
    start = f"{path}." if path else ""
    name = left.pop("version", None)
    version = Version.named(name) if isinstance(name, str) else None
    if version is None:
        version = Version(word_from_data(name, f"{start}version"))
    comments = [
        _comment_from_data(each, f"{start}comments[{i}]")
        for i, each in enumerate(list_from_data(left.pop("comments", []), f"{start}comments"))
    ]
    rows = list_from_data(left.pop("instructions", None), f"{start}instructions")
    made = [
        _instruction_from_data(each, version, f"{start}instructions[{i}]")
        for i, each in enumerate(rows)
    ]
    nothing_left(left, path)
    return version, made, comments


def _comment_from_data(data: Plain, path: str) -> Comment:
    left = mapping_from_data(data, path)
    before = integer_from_data(left.pop("before", 0), f"{path}.before")
    found = Comment(hex_from_data(left.pop("data", ""), f"{path}.data"), before)
    nothing_left(left, path)
    return found


def _instruction_to_data(instruction: Instruction) -> dict[str, Plain]:
    op = instruction.op
    if op is None:
        return {"tokens": [f"0x{word:08x}" for word in instruction.words]}
    token = instruction.token
    found: dict[str, Plain] = {"op": op.name}
    found |= word_to_data(InstructionToken, token.word, DERIVED)
    if token.length != _usual_length(instruction):
        found["length"] = token.length
    declaration = instruction.declaration
    if declaration is not None:
        found["declaration"] = word_to_data(
            DeclarationToken, declaration.word & ~PARAMETER | _odd(declaration.word)
        )
    operands = [_operand_to_data(each) for each in instruction.all_operands()]
    return found | ({"operands": operands} if operands else {})


def _odd(word: int) -> int:
    return 0 if word & PARAMETER else PARAMETER


def _usual_length(instruction: Instruction) -> int:
    return len(instruction.words) - 1 & 0xF if instruction.version.major >= 2 else 0


def _operand_to_data(operand: Operand | LiteralOperand) -> Plain:
    if isinstance(operand, LiteralOperand):
        return f"0x{operand.bits:08x}" if operand.bits > 9 else operand.bits
    token = operand.token
    kind = DestinationParameter if operand.is_destination else SourceParameter
    role = ROLES[operand.is_destination]
    found: dict[str, Plain] = {role: str(operand.register)}
    found |= word_to_data(kind, token.word, REGISTER, spelled=True)
    index = operand.index
    if token.relative:
        found["index"] = _operand_to_data(index) if index is not None else "a0.x"
    return found


def _instruction_from_data(data: Plain, version: Version, path: str) -> Instruction:
    left = mapping_from_data(data, path)
    if "tokens" in left:
        rows = list_from_data(left.pop("tokens"), f"{path}.tokens")
        words = [word_from_data(each, f"{path}.tokens[{i}]") for i, each in enumerate(rows)]
        nothing_left(left, path)
        if not words:
            raise FormatError("expected one token or more, got none", path=f"{path}.tokens")
        return Instruction(words, version)
    name = left.pop("op", None)
    op = OPS.by_name.get(name) if isinstance(name, str) else None
    if op is None:
        raise FormatError(f"unknown instruction {name!r:.40}", path=f"{path}.op")
    words = [0]
    if "declaration" in left:
        row = mapping_from_data(left.pop("declaration"), f"{path}.declaration")
        words.append(take_word(DeclarationToken, row, f"{path}.declaration") ^ PARAMETER)
        nothing_left(row, f"{path}.declaration")
    rows = list_from_data(left.pop("operands", []), f"{path}.operands")
    for i, each in enumerate(rows):
        words += _operand_from_data(each, version, f"{path}.operands[{i}]")
    length = left.pop("length", None)
    token = InstructionToken(take_word(InstructionToken, left, path, DERIVED))
    nothing_left(left, path)
    token.opcode = op.code
    if length is not None:
        token.length = integer_from_data(length, f"{path}.length")
    elif version.major >= 2:
        token.length = len(words) - 1 & 0xF
    words[0] = token.word
    return Instruction(words, version)


def _operand_from_data(data: Plain, version: Version, path: str) -> list[int]:
    if not isinstance(data, dict):
        return [word_from_data(data, path)]
    left = mapping_from_data(data, path)
    role = next((each for each in ROLES if each in left), ROLES[0])
    name = left.pop(role, None)
    place = file_of_name(name, version) if isinstance(name, str) else None
    if place is None:
        raise FormatError(
            f"expected a register of {version.profile}, got {name!r:.40}", path=f"{path}.{role}"
        )
    index: list[int] = []
    relative = "index" in left
    if relative:
        inner = left.pop("index")
        if inner != "a0.x":
            index = _operand_from_data(inner, version, f"{path}.index")
    kind = DestinationParameter if role == ROLES[True] else SourceParameter
    token = kind(take_word(kind, left, path, REGISTER))
    nothing_left(left, path)
    file, token.number = place
    token.type_high, token.type_low = file >> 3, file & 7
    token.is_parameter, token.relative = 1, int(relative)
    return [token.word, *index]
