"""Instructions: an opcode token, extended tokens, operands, and other dwords.

    instruction  =  token  extension*  operand*  dword*
    customdata   =  token  u32 length  dword*

The dword of fcall precedes its operand. dcl_function_table and dcl_interface may be longer than
seven bits allow: then an extended token holds their length. `words` holds the dwords after the
operands, whether the table names them or not, and all dwords of an unknown operation. Lengths and
the bits that announce extended tokens are derived when encoding.

Source: the public header d3d12TokenizedProgramFormat.hpp; ShaderBinary.cpp of the public DXIL
converter for the long declarations; checked on 864 compiled programs.
"""

from collections.abc import Iterable, Sequence

from ...errors import EncodeError, UsageError, did_you_mean
from ...isa.representation import described
from .customdata import ShaderMessage
from .operands import MORE, Operand, chained
from .tables.ops import OPS, Op
from .tables.tokens import Arithmetic, CustomData, OpcodeToken, Test

CUSTOMDATA = 53
LONG = (145, 146)  # dcl_function_table, dcl_interface: the extended token is a length
MAX_LENGTH = 127
SUFFIXES = {"_sat": "saturate=1", "_nz": "test_nonzero=1", "_z": "test_nonzero=0"}
DERIVED = ("opcode", "length", "extended")  # fields of an opcode token


class Instruction:
    """An instruction: its opcode token, extended tokens, operands, and other dwords."""

    __slots__ = ("extended", "operands", "payload", "token", "words")
    token: int
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

    @property
    def encoded(self) -> bytes | None:
        """The dwords of an instruction that cannot change (decoding.py); None for others."""
        return None

    opcode = OpcodeToken.opcode.held_in("token")
    saturate = Arithmetic.saturate.held_in("token")
    precise = Arithmetic.precise.held_in("token")
    test_nonzero = Test.test_nonzero.held_in("token")
    custom_class = CustomData.custom_class.held_in("token")

    @property
    def op(self) -> Op | None:
        """The row of the table of operations; None for an unknown opcode."""
        return OPS.by_code.get(self.token & 0x7FF)

    @property
    def name(self) -> str:
        """fxc's mnemonic, without suffixes."""
        row = OPS.by_code.get(self.token & 0x7FF)
        return row.name if row else f"opcode_{self.opcode}"

    @property
    def results(self) -> list[Operand]:
        """The operands that the instruction writes, without resources and memory."""
        row = self.op
        return list(self.operands[: row.results]) if row else []

    @property
    def long(self) -> bool:
        """True if an extended token holds the length."""
        return bool(self.extended) and self.opcode in LONG

    @property
    def message(self) -> ShaderMessage | None:
        """The debug message in custom data; None if it holds anything else."""
        return None if self.payload is None else ShaderMessage.decode(self.payload)

    @classmethod
    def make(cls, name: str, *operands: Operand, **fields: int | Sequence[int]) -> "Instruction":
        """Return a new instruction.

            Instruction.make("mov", temp(0, mask="x"), immediate(1.0), saturate=1)
            Instruction.make("dcl_temps", count=2)

        Args:
            name: fxc's mnemonic, without suffixes.
            operands: The operands, destinations first.
            fields: Control fields and dwords, by name; a list for dwords of any number.

        Raises:
            UsageError: Unknown name or field, or wrong operands.
            EncodeError: A value does not fit its field.
        """
        row = OPS.by_name.get(name)
        if row is None:
            raise UsageError(f"unknown operation {name!r:.40}{_suggestion(name)}")
        if len(operands) != len(row.operands):
            wanted = "1 operand" if len(row.operands) == 1 else f"{len(row.operands)} operands"
            raise UsageError(f"{name}: expected {wanted}, got {len(operands)}")
        for at, operand in enumerate(operands):
            if not isinstance(operand, Operand):
                expected = "an Operand such as temp(0)"
                raise UsageError(
                    f"operand {at} of {name}: expected {expected}, got {operand!r:.40}"
                )
        words: list[int] = []
        for at, dword in enumerate(row.dwords):
            value = fields.pop(dword.removesuffix("[]"), ())
            several = [value] if isinstance(value, int) else list(value)
            if several and len(words) < at:
                raise UsageError(f"{name}: {dword} requires {row.dwords[at - 1]}")
            words += several
        controls = row.controls(row.code)
        for field, value in fields.items():
            known = [*row.dwords, *(each.name for each in row.controls.FIELDS)]
            known = [each.removesuffix("[]") for each in known if each not in DERIVED]
            if field not in known:
                expected = f"; expected one of {', '.join(known)}" if known else ""
                raise UsageError(f"{name}: unknown field {field!r:.40}{expected}")
            if not isinstance(value, int):
                raise UsageError(f"{field} of {name}: expected a number, got {value!r:.40}")
            controls = row.controls(controls.word, **{field: value})
        return cls(controls.word, operands, words)

    def encode(self) -> list[int]:
        """Return the dwords of the instruction."""
        row = OPS.by_code.get(self.token & 0x7FF)
        if row is None or row.code == CUSTOMDATA or self.payload is not None:
            return self._encode_untyped(row)
        extended, operands, words = self.extended, self.operands, self.words
        leading = row.leading
        if len(operands) != len(row.operands):
            counts = f"expected {len(row.operands)} operands, got {len(operands)}"
            raise EncodeError(f"{row.name}: {counts}", path="operands")
        if leading > len(words):
            counts = f"expected {leading} dwords before the operands, got {len(words)}"
            raise EncodeError(f"{row.name}: {counts}", path="words")
        found = [self.token & ~MORE]
        if extended:
            long = row.code in LONG
            found = [self.token | MORE, *(extended if long else chained(extended))]
        if leading:
            found += words[:leading]
            words = words[leading:]
        try:
            for operand in operands:
                found += operand.words()
        except EncodeError as error:
            at = next(i for i, each in enumerate(operands) if each is operand)
            raise error.within(f"operands[{at}]") from None
        found += words
        if extended and row.code in LONG:
            found[1] = len(found)
            return found
        return _with_length(found)

    def _encode_untyped(self, row: Op | None) -> list[int]:
        """Return the dwords of custom data or an unknown operation."""
        if row is None:
            if self.operands or self.extended:
                problem = "an unknown operation has neither operands nor extended tokens"
                raise EncodeError(problem, path="operands")
            if self.payload is None:
                return _with_length([self.token, *self.words])
        if row is None or row.code != CUSTOMDATA:
            raise EncodeError("only custom data has a payload", path="payload")
        if self.operands or self.words or self.extended:
            raise EncodeError("custom data has a payload only", path="payload")
        payload = self.payload or ()
        return [self.token, len(payload) + 2, *payload]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and _of_instruction(self) == _of_instruction(other)

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __str__(self) -> str:
        from .text import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return described(self, str(self))


def _suggestion(name: object) -> str:
    """Return a suggestion for an unknown name, to append to a message."""
    if not isinstance(name, str):
        return ""
    for suffix, field in SUFFIXES.items():
        base = name.removesuffix(suffix)
        if base != name and base in OPS.by_name:
            return f"; use make({base!r}, ..., {field})"
    return did_you_mean(name.lower(), OPS.by_name)


def _with_length(words: list[int]) -> list[int]:
    """Store the number of dwords in the first, the opcode token."""
    length = len(words)
    if length > MAX_LENGTH:
        raise EncodeError(f"expected at most {MAX_LENGTH} dwords, got {length}", path="length")
    words[0] = words[0] & 0x80FF_FFFF | length << 24
    return words


def _of_instruction(instruction: Instruction) -> tuple[object, ...]:
    """Return all fields that are not derived when encoding, for comparison."""
    token, opcode = instruction.token, instruction.opcode
    extended = tuple(instruction.extended)
    if instruction.long:
        token |= MORE
        extended = (0, *extended[1:])
    elif opcode != CUSTOMDATA:
        token &= 0x00FF_FFFF if opcode in OPS.by_code else 0x80FF_FFFF
        extended = tuple(word & ~MORE for word in extended)
    words, payload = tuple(instruction.words), tuple(instruction.payload or ())
    return token, extended, list(instruction.operands), words, payload
