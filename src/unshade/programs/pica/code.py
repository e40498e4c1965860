"""Code of a PICA200 program: its words, operand descriptors and entry points.

    instructions   one word each; 512 for a vertex shader, 4096 for a geometry shader
    descriptors    up to 128, two words each
    entries        for each shader in the code: its first word, and the word after its last

Several shaders can share one program: a vertex shader and its geometry shader are uploaded
together, and both may call the same procedures.

Source: 3dbrew's page on the shader binary; picasso's and libctru's limits.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...tuples import NamedTuple
from .descriptors import OperandDescriptor
from .instruction import Instruction

__all__ = ["Code", "Entry", "Stage"]

Stage = Literal["vertex", "geometry"]


class Entry(NamedTuple):
    """The entry point of one shader of a program.

    `main` is its first word and `end` the word after its last, 0 if the container does not contain
    it. `outputs` maps output registers to the mapped components, such as {0: "xyzw", 2: "xy"}; None
    if they are not known.
    """

    name: str
    stage: Stage
    main: int
    end: int = 0
    outputs: Mapping[int, str] | None = None


class Code:
    """The code, descriptors and entries of one container.

    `marks` are the words that the labels of the container name, which move with the code, and
    `mark_names` their names, in the same order. `Program` (program.py) adds the operations.
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
        """The descriptor table, shared by the instructions."""
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
        """Decode a code table and a descriptor table.

        Args:
            code: Words of 32 bits, little-endian.
            descriptors: Two words of 32 bits for each descriptor, little-endian.
            entries: The entry points that the container lists.
            limits: `instructions` bounds the number of words.

        Raises:
            FormatError: The size of a table is not a multiple of the size of a row.
            LimitError: The code has too many words.
        """
        for name, data, size in (("code", code, 4), ("descriptors", descriptors, 8)):
            if len(data) % size:
                problem = f"expected a multiple of {size} bytes, got {len(data)}"
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
        """Return the program of some words; a descriptor is its two words, low first."""
        if len(code) > limits.instructions:
            raise LimitError("instructions", limits.instructions, len(code))
        return cls(
            [Instruction(word) for word in code],
            [OperandDescriptor(low, high) for low, high in descriptors],
            entries,
        )

    def words(self) -> list[int]:
        """Return the words of the code table; EncodeError if one does not fit 32 bits."""
        found = []
        for i, instruction in enumerate(self.instructions):
            word: object = getattr(instruction, "word", instruction)
            found.append(_word(word, f"instructions[{i}]"))
        return found

    @property
    def code_size(self) -> int:
        """Size of the code table in bytes; the descriptor table follows it."""
        return 4 * len(self.instructions)

    def encode(self) -> bytes:
        """Return the bytes of the code table, followed by the bytes of the descriptor table."""
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
