"""The words of a program, the operand descriptors they name, and where shaders start.

    instructions   one word each; 512 for a vertex shader, 4096 for a geometry shader
    descriptors    up to 128, two words each
    entries        for each shader that runs the code: its first word, the word behind its last

Several shaders share one program: a vertex shader and its geometry shader are sent to the hardware
together, and procedures may be called from both.

Source: 3dbrew's page on the shader binary; picasso's and libctru's limits.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Self

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from .descriptors import OperandDescriptor
from .instruction import Instruction

__all__ = ["Code", "Entry", "Stage"]

Stage = Literal["vertex", "geometry"]


class Entry(NamedTuple):
    """One shader of a program: it starts at the word `main`.

    `end` is the word behind its last as the container says, 0 where it does not say. `outputs` has
    the components that the container maps, {0: "xyzw", 2: "xy"}; None where nobody said.
    """

    name: str
    stage: Stage
    main: int
    end: int = 0
    outputs: Mapping[int, str] | None = None


class Code:
    """The code, the descriptors and the entries that one container holds.

    `marks` are further words that the container names, its labels; they move with the code.
    `mark_names` are the names, in the same order.
    `Program` (program.py) is that with all it can do.
    """

    __slots__ = ("_descriptors", "entries", "instructions", "mark_names", "marks")
    instructions: list[Instruction]

    def __init__(
        self,
        instructions: Iterable[Instruction] = (),
        descriptors: Iterable[OperandDescriptor] = (),
        entries: Iterable[Entry] = (),
    ) -> None:
        self.instructions = list(instructions)
        self.descriptors = list(descriptors)
        self.entries = list(entries)
        self.marks: list[int] = []
        self.mark_names: list[str] = []

    @property
    def descriptors(self) -> list[OperandDescriptor]:
        """The descriptor table, which the instructions share."""
        return self._descriptors

    @descriptors.setter
    def descriptors(self, descriptors: list[OperandDescriptor]) -> None:
        self._descriptors = descriptors
        for each in self.instructions:
            each.descriptors = descriptors

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Code)
            and self.instructions == other.instructions
            and self.descriptors == other.descriptors
            and self.entries == other.entries
        )

    __hash__ = None  # type: ignore[assignment]  # it can change

    @classmethod
    def decode(
        cls,
        code: bytes,
        descriptors: bytes = b"",
        entries: Iterable[Entry] = (),
        limits: Limits = DEFAULT,
    ) -> Self:
        """The program in the bytes of a code table and of a descriptor table."""
        for name, data, size in (("code", code, 4), ("descriptors", descriptors, 8)):
            if len(data) % size:
                problem = f"{len(data)} bytes, a multiple of {size} was expected"
                raise FormatError(problem, offset=len(data), path=name)
        words = struct.unpack(f"<{len(code) // 4}I", code)
        pairs = struct.iter_unpack("<II", descriptors)
        return cls.of_words(words, pairs, entries, limits)

    @classmethod
    def of_words(
        cls,
        code: Sequence[int],
        descriptors: Iterable[tuple[int, int]] = (),
        entries: Iterable[Entry] = (),
        limits: Limits = DEFAULT,
    ) -> Self:
        """The program of these words; a descriptor is its two words, low first."""
        if len(code) > limits.instructions:
            raise LimitError("instructions", limits.instructions, len(code))
        return cls(
            [Instruction(word) for word in code],
            [OperandDescriptor(low, high) for low, high in descriptors],
            entries,
        )

    def words(self) -> list[int]:
        """The words of the code table."""
        found = []
        for i, instruction in enumerate(self.instructions):
            word: object = getattr(instruction, "word", instruction)
            found.append(_word(word, f"instructions[{i}]"))
        return found

    @property
    def code_size(self) -> int:
        """Bytes of the code table, behind which the descriptor table stands."""
        return 4 * len(self.instructions)

    def encode(self) -> bytes:
        """The bytes of the code table, and behind it those of the descriptor table."""
        words = self.words()
        pairs: list[int] = []
        for i, descriptor in enumerate(self.descriptors):
            low: object = getattr(descriptor, "word", descriptor)
            pairs.append(_word(low, f"descriptors[{i}]"))
            pairs.append(_word(getattr(descriptor, "high", None), f"descriptors[{i}].high"))
        return struct.pack(f"<{len(words) + len(pairs)}I", *words, *pairs)


def _word(value: object, path: str) -> int:
    if isinstance(value, int) and 0 <= value <= 0xFFFF_FFFF:
        return value
    raise EncodeError(f"{value!r:.40} does not fit 32 bits", path=path)
