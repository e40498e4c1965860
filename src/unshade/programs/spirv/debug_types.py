"""Types of the source, from debug information, as trees.

    %l = DebugTypeComposite "Light" … %dir %colour      Light            the spelling
    %dir = DebugTypeMember "dir" %float3 …                .dir  float3   a part: its step and type
    %colour = DebugTypeMember "colour" %array …           .colour  float4[2]
    %array = DebugTypeArray %float4 %2                      [0] …, [1] …

Source: the specifications of NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from ...dataclass import dataclass, replace
from .debug_info import DebugInfo
from .tables.numbers import Opcode

__all__ = ["DebugTypes", "SourceType"]

DEEPEST = 64  # types within a type
MOST = 1 << 12  # scalars of a type
LETTERS = "xyzw"
KINDS = {2: "bool", 3: "float", 4: "int", 5: "int", 6: "uint", 7: "uint"}  # by the encoding
GLSL = (1, 2)  # languages that spell a vector vec4: ESSL and GLSL
PREFIXES = {"float": "", "double": "d", "int": "i", "uint": "u", "bool": "b"}

Leaf = tuple[tuple[str, ...], str]  # the steps to a scalar, and its kind


@dataclass(slots=True)
class SourceType:
    """A type of the source: its spelling, the kind of a scalar, and the parts of other types.

    `size` is the number of scalars; 0 if it is unknown or too large. `bits` is the size in bits, 0
    if it is unknown; `starts` the first bit of each part.
    """

    word: str
    kind: str = ""
    parts: Sequence[tuple[str, "SourceType"]] = ()
    size: int = 1
    bits: int = 0
    starts: Sequence[int] = ()

    def leaves(self) -> Iterator[Leaf]:
        """Yield the scalars in order; none if they are unknown."""
        if not self.size:
            return
        if not self.parts:
            yield (), self.kind
        for step, inner in self.parts:
            for steps, kind in inner.leaves():
                yield (step, *steps), kind

    def scalar_bits(self) -> Iterator[int]:
        """Yield the first bit of each scalar, in the order of `leaves`."""
        if self.size and not self.parts:
            yield 0
        for start, (_, inner) in zip(self.starts, self.parts, strict=True):
            for bit in inner.scalar_bits():
                yield start + bit

    def at(self, indexes: Sequence[int]) -> "tuple[tuple[str, ...], SourceType]":
        """Return the names of the steps along indexes, and the type there, which may be unknown."""
        steps: list[str] = []
        type = self
        for each in indexes:
            if each < len(type.parts):
                step, type = type.parts[each]
            else:
                step, type = f"[{each}]", UNKNOWN
            steps.append(step)
        return tuple(steps), type


UNKNOWN = SourceType("", size=0)


class DebugTypes:
    """The types of a module by the ids of their debug instructions."""

    def __init__(self, info: DebugInfo) -> None:
        self.info = info
        self._known: dict[int, SourceType] = {}

    def type(self, number: int, depth: int = 0) -> SourceType:
        """Return a type; an unknown one for another instruction."""
        found = self._known.get(number)
        if found is None:
            if depth > DEEPEST:
                return UNKNOWN
            self._known[number] = UNKNOWN  # a type that contains itself
            found = self._known[number] = self._made(number, depth + 1)
        return found

    def _made(self, number: int, depth: int) -> SourceType:
        info = self.info
        match info.name(number):
            case "DebugTypeBasic":
                kind = KINDS.get(info.integer(number, "Encoding"), "")
                bits = info.integer(number, "Size")
                return SourceType(info.text(number), kind, bits=bits)
            case "DebugTypeEnum":
                base = self.type(info.operand(number, "Underlying Type"), depth)
                bits = base.bits or info.integer(number, "Size")
                return SourceType(info.text(number), base.kind or "int", bits=bits)
            case "DebugTypedef":
                base = self.type(info.operand(number, "Base Type"), depth)
                return replace(base, word=info.text(number) or base.word)
            case "DebugTypeQualifier":
                return self.type(info.operand(number, "Base Type"), depth)
            case "DebugTypeTemplate":
                return self.type(info.operand(number, "Target"), depth)
            case "DebugTypePointer":
                base = self.type(info.operand(number, "Base Type"), depth)
                return SourceType(f"{base.word}*", size=0)
            case "DebugTypeVector":
                inner = self.type(info.operand(number, "Base Type"), depth)
                count = info.integer(number, "Component Count")
                return _several(self._vector(inner.word, count), inner, count, LETTERS)
            case "DebugTypeMatrix":
                vector = self.type(info.operand(number, "Vector Type"), depth)
                count = info.integer(number, "Vector Count")
                return _several(self._matrix(vector, count), vector, count)
            case "DebugTypeArray":
                return self._array(number, depth)
            case "DebugTypeComposite":
                return self._structure(number, depth)
        return UNKNOWN

    def _array(self, number: int, depth: int) -> SourceType:
        """Return an array; if there are several counts, the outermost comes first."""
        info = self.info
        found = self.type(info.operand(number, "Base Type"), depth)
        word = found.word
        dimensions = ""
        for each in reversed([*info.operands(number, "Component Counts")]):
            count = info.index.integer(each.words[0]) or 0
            dimensions = f"[{count or ''}]{dimensions}"
            name, bracket, inner = word.partition("[")  # of elements that are arrays
            found = _several(f"{name}{dimensions}{bracket}{inner}", found, count)
        return found

    def _structure(self, number: int, depth: int) -> SourceType:
        info = self.info
        parts: list[tuple[str, SourceType]] = []
        starts: list[int] = []
        for each in info.operands(number, "Members"):
            member = each.words[0]
            start = info.integer(member, "Offset")
            match info.name(member):
                case "DebugTypeMember":
                    type = self.type(info.operand(member, "Type"), depth)
                    parts.append((f".{info.text(member)}", type))
                    starts.append(start)
                case "DebugTypeInheritance":
                    base = self.type(info.operand(member, "Parent"), depth)
                    parts += base.parts
                    starts += [start + each for each in base.starts]
        size = sum(type.size for _, type in parts)
        if size > MOST or not all(type.size for _, type in parts):
            size = 0
        bits = info.integer(number, "Size")
        return SourceType(info.text(number), "", parts, size, bits, starts)

    # -- spellings ---------------------------------------------------------------------------------

    @cached_property
    def language(self) -> int:
        """The number of the source's language; 0 if it is unknown."""
        index = self.info.index
        for position, each in enumerate(index.module.instructions):
            if self.info.name_of(position) == "DebugCompilationUnit":
                return self.info.integer(each.words[2], "Language")
            if each.opcode == Opcode.Function:
                break
        return 0

    def _vector(self, word: str, count: int) -> str:
        if self.language in GLSL and word in PREFIXES:
            return f"{PREFIXES[word]}vec{count}"
        return f"{word}{count}"

    def _matrix(self, vector: SourceType, count: int) -> str:
        """Return the spelling of a matrix: rows of HLSL, columns of GLSL come first."""
        rows = len(vector.parts)
        inner = vector.parts[0][1].word if rows else ""
        if self.language in GLSL and inner in PREFIXES:
            square = f"{count}" if rows == count else f"{count}x{rows}"
            return f"{PREFIXES[inner]}mat{square}"
        return f"{inner}{count}x{rows}"


def _several(word: str, inner: SourceType, count: int, letters: str = "") -> SourceType:
    """Return a type with several parts of one type."""
    size = inner.size * count
    if not 0 < size <= MOST:
        return SourceType(word, size=0)
    parts = [(f".{letters[at]}" if at < len(letters) else f"[{at}]", inner) for at in range(count)]
    starts = [at * inner.bits for at in range(count)]
    return SourceType(word, "", parts, size, count * inner.bits, starts)
