"""Instructions: an opcode token, tokens that extend it, operands, and dwords that are neither.

    instruction  =  token  extension*  operand*  dword*
    customdata   =  token  u32 length  dword*

fcall has its dword before its operand. dcl_function_table and dcl_interface may be longer than the
seven bits of the opcode token can say: if they have an extension, it is their length. What follows
the operands is kept in `words`, whether the table names it or not; of an unknown opcode,
everything. Lengths, and the bits that announce an extension, are derived when writing.

Source: the public header d3d12TokenizedProgramFormat.hpp; ShaderBinary.cpp of the public DXIL
converter for the long declarations; checked on 864 compiled programs.
"""

from collections.abc import Iterable, Sequence

from ...errors import EncodeError, FormatError, LimitError
from ...limits import Limits
from .operands import MORE, HasToken, Operand, TokenField, decode_operand
from .ops import OPS, Op
from .tokens import Arithmetic, CustomData, OpcodeToken, Test

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

    @property
    def long(self) -> bool:
        """Whether an extension states the length, as the opcode token cannot."""
        return bool(self.extended) and self.opcode in LONG

    def encode(self) -> list[int]:
        """The instruction's dwords."""
        token = self.token
        opcode = token & 0x7FF
        if opcode == CUSTOMDATA:
            payload = self.payload or ()
            if self.operands or self.words or self.extended:
                raise EncodeError("custom data is all in its payload", path="payload")
            return [token, len(payload) + 2, *payload]
        if self.payload is not None:
            raise EncodeError("only custom data has one", path="payload")
        row = OPS.by_code.get(opcode)
        if row is None:
            if self.operands or self.extended:
                raise EncodeError("an unknown opcode has only words", path="operands")
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
            if len(self.operands) != len(row.operands):
                wanted = f"{row.name} has {len(row.operands)}"
                raise EncodeError(f"{len(self.operands)} operands, {wanted}", path="operands")
            leading = row.leading
            if leading:
                if len(self.words) < leading:
                    wanted = f"{row.name} has {leading} before its operands"
                    raise EncodeError(f"{len(self.words)} dwords, {wanted}", path="words")
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


def decode_instructions(words: tuple[int, ...], pos: int, limits: Limits) -> list[Instruction]:
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
