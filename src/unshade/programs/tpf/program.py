"""A tokenized program: version, length, instructions.

      0  u32  version token      minor, major, stage
      4  u32  length             dwords of the program, these two included
      8       instructions       each states its own length

    instruction  =  opcode token  extension*  operand*  dword*
    customdata   =  opcode token  u32 length  dword*

fcall has its dword before its operand. dcl_function_table and dcl_interface may be longer than the
seven bits of the opcode token can say: if they have an extension, it is their length. What follows
the operands of an instruction is kept in `words`, whether the table names it or not; of an unknown
opcode, everything.

Source: the public header d3d12TokenizedProgramFormat.hpp; ShaderBinary.cpp of the public DXIL
converter for the long declarations; checked on 864 compiled programs.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import Self

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...vocab.d3d import ShaderKind
from .operands import MORE, HasToken, Operand, TokenField, decode_operand
from .ops import OPS, Op
from .tokens import Arithmetic, CustomData, OpcodeToken, Test, VersionToken

CUSTOMDATA = 53
LONG = (145, 146)  # dcl_function_table, dcl_interface: the extension is a length
MAX_LENGTH = 127


class Instruction(HasToken):
    """One instruction: its opcode token, what extends it, operands, and dwords that are neither."""

    __slots__ = ("extended", "operands", "payload", "words")
    extended: tuple[int, ...]
    operands: list[Operand]
    words: tuple[int, ...]
    payload: tuple[int, ...] | None

    def __init__(
        self,
        token: int,
        operands: Iterable[Operand] = (),
        words: Sequence[int] = (),
        extended: Sequence[int] = (),
        payload: Sequence[int] | None = None,
    ) -> None:
        self.token = token
        self.extended = tuple(extended)
        self.operands = list(operands)
        self.words = tuple(words)
        self.payload = None if payload is None else tuple(payload)

    opcode = TokenField(OpcodeToken.opcode)
    saturate = TokenField(Arithmetic.saturate)
    precise = TokenField(Arithmetic.precise)
    test_nonzero = TokenField(Test.test_nonzero)
    custom_class = TokenField(CustomData.custom_class)

    @property
    def op(self) -> Op | None:
        """The table's row, None for an opcode that it does not have."""
        return OPS.by_code.get(self.token & 0x7FF)

    @property
    def name(self) -> str:
        """fxc's mnemonic, without suffixes."""
        row = self.op
        return row.name if row else f"opcode_{self.opcode}"

    def encode(self) -> list[int]:
        """The instruction's dwords."""
        token = self.token
        opcode = token & 0x7FF
        if opcode == CUSTOMDATA:
            payload = self.payload or ()
            return [token, len(payload) + 2, *payload]
        row = OPS.by_code.get(opcode)
        if row is None:
            found = [token, *self.words]
        else:
            found = [token, *self.extended]
            if self.extended:
                found[0] |= MORE
                if opcode not in LONG:
                    for i in range(1, len(self.extended)):
                        found[i] |= MORE
                    found[len(self.extended)] &= ~MORE
            else:
                found[0] &= ~MORE
            leading = row.leading
            if leading:
                found += self.words[:leading]
            try:
                for operand in self.operands:
                    found += operand.words()
            except EncodeError as error:
                at = next(i for i, each in enumerate(self.operands) if each is operand)
                raise error.within(f"operands[{at}]") from None
            found += self.words[leading:] if leading else self.words
        length = len(found)
        if opcode in LONG and self.extended:
            found[1] = length
        elif length > MAX_LENGTH:
            raise EncodeError(f"{length} dwords, at most {MAX_LENGTH} fit", path="length")
        else:
            found[0] = found[0] & 0x80FF_FFFF | length << 24
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and self.encode() == other.encode()

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        return f"<Instruction {self.name}, {len(self.operands)} operands>"


class Program:
    """The data of a SHDR or SHEX part."""

    __slots__ = ("instructions", "trailing", "version")

    def __init__(
        self, version: VersionToken, instructions: Iterable[Instruction] = (), trailing: bytes = b""
    ) -> None:
        self.version = version
        self.instructions = list(instructions)
        self.trailing = trailing  # what stands behind the declared length

    @property
    def kind(self) -> int:
        """The stage, a `ShaderKind` where it is one."""
        kind = self.version.kind
        return ShaderKind(kind) if kind in ShaderKind else kind

    @property
    def model(self) -> tuple[int, int]:
        """The shader model: (5, 1)."""
        return self.version.major, self.version.minor

    @classmethod
    def decode(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """The program in a part's data; FormatError counts from its start."""
        if len(data) < 8:
            raise FormatError(f"{len(data)} bytes, a version and a length were expected")
        length = int.from_bytes(data[4:8], "little")
        if not 2 <= length <= len(data) // 4:
            raise FormatError(
                f"{length} dwords declared, 2 to {len(data) // 4} were expected",
                offset=4,
                path="length",
            )
        words = struct.unpack_from(f"<{length}I", data)
        instructions = decode_instructions(words, 2, limits)
        return cls(VersionToken(words[0]), instructions, bytes(data[4 * length :]))

    def encode(self) -> bytes:
        """The part's data."""
        words = [self.version.word, 0]
        for i, instruction in enumerate(self.instructions):
            try:
                words += instruction.encode()
            except EncodeError as error:
                raise error.within(f"instructions[{i}]") from None
        words[1] = len(words)
        return struct.pack(f"<{len(words)}I", *words) + self.trailing


def decode_instructions(words: Sequence[int], pos: int, limits: Limits) -> list[Instruction]:
    """The instructions from `words[pos]` to the end; offsets count from `words[0]`."""
    found: list[Instruction] = []
    rows = OPS.by_code
    depth = limits.depth
    end = len(words)
    new = Instruction.__new__
    while pos < end:
        if len(found) >= limits.instructions:
            raise LimitError("instructions", limits.instructions, "more")
        token = words[pos]
        opcode = token & 0x7FF
        length = token >> 24 & 127
        if opcode == CUSTOMDATA or (token & MORE and opcode in LONG):
            length = words[pos + 1] if pos + 1 < end else 2
        least = 2 if opcode == CUSTOMDATA else 1
        if not least <= length <= end - pos:
            raise FormatError(
                f"a length of {length} dwords, {least} to {end - pos} were expected",
                offset=4 * pos,
                path=f"instructions[{len(found)}].length",
            )
        own = words[pos : pos + length]
        instruction = new(Instruction)
        instruction.token = token
        instruction.extended = instruction.words = ()
        instruction.operands = operands = []
        instruction.payload = None
        row = rows.get(opcode)
        found.append(instruction)
        if row is None:
            instruction.words = own[1:]
        elif opcode == CUSTOMDATA:
            instruction.payload = own[2:]
        else:
            at = 1
            if token & MORE:
                if opcode not in LONG:
                    while at < length and own[at] & MORE:
                        at += 1
                at += 1
                if at > length:
                    raise FormatError(
                        "the extended opcode tokens run past the end of the instruction",
                        offset=4 * (pos + length),
                        path=f"instructions[{len(found) - 1}].extended",
                    )
                instruction.extended = own[1:at]
            leading = row.leading
            first = at
            at += leading
            try:
                for _ in row.operands:
                    operand, at = decode_operand(own, at, pos, depth, depth)
                    operands.append(operand)
            except FormatError as error:
                path = f"instructions[{len(found) - 1}].operands[{len(operands)}]"
                raise error.within(0, path) from None
            if at < length or leading:
                instruction.words = own[first : first + leading] + own[at:]
        pos += length
    return found
