"""Types of a module: their form, and patterns of types that rules name.

float sv        a scalar or vector of floats
int32 s         a scalar of 32-bit integers, signed or not
uint v|float v  either
float v4        a vector of four floats

Forms: s scalar, v vector, m matrix, c cooperative matrix, n cooperative vector of
SPV_NV_cooperative_vector. Bases: bool, int, uint (signedness 0), sint, float, number, any.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, cached_property

from ....tuples import NamedTuple
from ..tables.numbers import Opcode
from ..tables.opcode_groups import ARRAYS
from .instruction import Inst

__all__ = ["ARRAYS", "COOPERATIVE", "ModuleTypes", "Numeric"]

MOST = 1 << 12  # types whose words are kept
NOTHING: frozenset[int] = frozenset()
COOPERATIVE = frozenset({Opcode.TypeCooperativeMatrixNV, Opcode.TypeCooperativeMatrixKHR})
SCALARS = frozenset({Opcode.TypeInt, Opcode.TypeFloat})
# Operand of each composite type that has the type of its parts.
_PART = {
    Opcode.TypeVector: 2,
    Opcode.TypeVectorIdEXT: 2,
    Opcode.TypeMatrix: 2,
    Opcode.TypeArray: 2,
    Opcode.TypeRuntimeArray: 2,
    Opcode.TypeCooperativeMatrixNV: 2,
    Opcode.TypeCooperativeMatrixKHR: 2,
}


class Numeric(NamedTuple):
    """A type of numbers or Booleans.

    `form` is a letter of the patterns; `size` the components of a vector or the rows of a
    matrix (0 if a specialisation decides it); `part` is the type id of a component, `column` the
    type id of a column.
    """

    form: str
    base: str  # bool, int or float
    width: int
    signed: bool
    size: int
    columns: int
    part: int
    column: int = 0


class _Pattern(NamedTuple):
    base: str
    width: int
    forms: str
    size: int

    def matches(self, found: Numeric) -> bool:
        if found.form not in self.forms or self.width not in (0, found.width):
            return False
        if self.size and found.size != self.size:
            return False
        match self.base:
            case "uint":
                return found.base == "int" and not found.signed
            case "sint":
                return found.base == "int" and found.signed
            case "number":
                return found.base != "bool"
            case "any":
                return True
        return found.base == self.base


@cache
def _patterns(text: str) -> tuple[_Pattern, ...]:
    found = []
    for each in text.split("|"):
        match = re.fullmatch(r"\s*([a-z]+?)(\d*)\s+([svmcn]+)(\d*)\s*", each)
        assert match is not None, text
        found.append(_Pattern(match[1], int(match[2] or 0), match[3], int(match[4] or 0)))
    return tuple(found)


class ModuleTypes:
    """Types by id; methods take ids of types, and return falsy values for other ids."""

    def __init__(
        self,
        definitions: Mapping[int, Inst],
        declared: Iterable[int],
        constants: "dict[int, int | None]",
    ) -> None:
        self.definitions = definitions
        self.constants = constants
        self._words: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._numeric: dict[int, Numeric | None] = {}
        self._containing: dict[Hashable, set[int]] = {}
        self._holders: dict[object, dict[int, list[int]]] = {}
        self._candidates: dict[object, list[int]] = {}
        self._declared = [*declared]

    def code(self, type_: int) -> int:
        """Return the opcode of a type, 0 for an undefined id."""
        known = self._words.get(type_)
        return self._known(type_)[0] if known is None else known[0]

    def words(self, type_: int) -> tuple[int, ...]:
        """Return the words of a type, () for an undefined id."""
        known = self._words.get(type_)
        return self._known(type_)[1] if known is None else known[1]

    def _known(self, type_: int) -> tuple[int, tuple[int, ...]]:
        """Return opcode and words of a type, which are kept: both are asked for often."""
        found = self.definitions.get(type_)
        known = (found.code, found.words) if found is not None else (0, ())
        if len(self._words) >= MOST:
            self._words.clear()
        self._words[type_] = known
        return known

    def numeric(self, type_: int) -> Numeric | None:
        """Return the form of a type of numbers or Booleans; None for other types."""
        try:
            return self._numeric[type_]
        except KeyError:
            self._numeric[type_] = None  # while it is looked at: types may be cyclic
            found = self._numeric[type_] = self._form(type_)
            return found

    def _form(self, type_: int) -> Numeric | None:
        words = self.words(type_)
        match self.code(type_):
            case Opcode.TypeBool:
                return Numeric("s", "bool", 1, False, 1, 1, type_)
            case Opcode.TypeInt:
                return Numeric("s", "int", words[2], bool(words[3]), 1, 1, type_)
            case Opcode.TypeFloat:
                return Numeric("s", "float", words[2], True, 1, 1, type_)
            case Opcode.TypeVector:
                return self._of(words[2], "v", words[3])
            case Opcode.TypeVectorIdEXT:
                return self._of(words[2], "n", self.constants.get(words[3]) or 0)
            case Opcode.TypeMatrix:
                column = self.numeric(words[2])
                if column is None or column.form != "v":
                    return None
                return column._replace(form="m", columns=words[3], column=words[2])
            case Opcode.TypeCooperativeMatrixNV | Opcode.TypeCooperativeMatrixKHR:
                return self._of(words[2], "c", 0)
        return None

    def _of(self, part: int, form: str, count: int) -> Numeric | None:
        inner = self.numeric(part)
        if inner is None or inner.form != "s":
            return None
        return inner._replace(form=form, size=count, part=part)

    def fits(self, type_: int, pattern: str) -> bool:
        """Return True if a type matches a pattern."""
        found = self.numeric(type_)
        return found is not None and any(each.matches(found) for each in _patterns(pattern))

    @cached_property
    def widths(self) -> frozenset[int]:
        """The bits of the integers and floats of the module."""
        known = map(self.definitions.get, self._declared)
        return frozenset(
            [each.words[2] for each in known if each is not None and each.code in SCALARS]
        )

    def width(self, type_: int) -> int:
        """Return the bits of a component; 0 for a type that is not numeric."""
        found = self.numeric(type_)
        return found.width if found is not None else 0

    def count(self, type_: int) -> int:
        """Return the components of a scalar or vector; 0 for other types."""
        found = self.numeric(type_)
        return found.size if found is not None and found.form in "svn" else 0

    def component(self, type_: int) -> int:
        """Return the type of the components of a numeric type, a scalar itself; 0 for others."""
        found = self.numeric(type_)
        return found.part if found is not None else 0

    def part(self, type_: int) -> int:
        """Return the type of the components or elements of a composite; 0 for other types."""
        code = self.code(type_)
        if code in _PART:
            return self.words(type_)[_PART[code]]
        return 0

    def pointer(self, type_: int) -> tuple[int, int] | None:
        """Return storage class and pointee of a pointer type.

        The pointee of an untyped pointer is 0.

        None for other types.
        """
        code, words = self._words.get(type_) or self._known(type_)
        if code == Opcode.TypePointer:
            return words[2], words[3]
        return (words[2], 0) if code == Opcode.TypeUntypedPointerKHR else None

    def members(self, type_: int) -> tuple[int, ...]:
        """Return the types of the members of a structure; () for other types."""
        return self.words(type_)[2:] if self.code(type_) == Opcode.TypeStruct else ()

    def inner(self, type_: int, codes: frozenset[int]) -> bool:
        """Return True if a type has one of these opcodes or contains a type that does.

        Pointers are not followed.
        """
        return not self._inside.get(type_, NOTHING).isdisjoint(codes)

    @cached_property
    def _inside(self) -> dict[int, frozenset[int]]:
        """The opcodes of each type and of the types that it contains."""
        shared: dict[frozenset[int], frozenset[int]] = {}  # there are many types, and few sets
        found: dict[int, frozenset[int]] = {}
        for each in self._with_parts(self.parts):
            own = frozenset([self.code(each)])
            found[each] = shared.setdefault(own, own)
        holders = self._holders[_function(self.parts)]
        pending = [*found]
        while pending:  # types may be cyclic
            part = pending.pop()
            for each in holders.get(part, ()):
                if not found[part] <= found[each]:
                    both = found[part] | found[each]
                    found[each] = shared.setdefault(both, both)
                    pending.append(each)
        return found

    def containing(
        self,
        key: Hashable,
        wanted: Callable[[int], bool],
        edges: Callable[[int], tuple[int, ...]] | None = None,
    ) -> set[int]:
        """Return the types that are wanted, or contain a wanted type.

        The time is proportional to the number of types, once for each key.

        Args:
            key: Identifies the query, whose result is cached.
            wanted: Predicate for the wanted types.
            edges: Returns the types that a type contains: by default `parts`, which does not
                follow pointers. A function of the module or a bound method, not a new one each
                time.
        """
        if key in self._containing:
            return self._containing[key]
        edges = edges or self.parts
        found = {each for each in self._with_parts(edges) if wanted(each)}
        known = self._holders[_function(edges)]
        pending = list(found)
        while pending:
            for each in known.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        self._containing[key] = found
        return found

    def _with_parts(self, edges: Callable[[int], tuple[int, ...]]) -> list[int]:
        """Return the types, and what is contained in them; note what contains each."""
        function = _function(edges)
        if function not in self._holders:
            holders: dict[int, list[int]] = {}
            for each in self._declared:
                for part in edges(each):
                    holders.setdefault(part, []).append(each)
            self._holders[function] = holders
            parts = holders.keys() & self.definitions.keys()
            self._candidates[function] = [*parts.union(self._declared)]
        return self._candidates[function]

    def with_pointees(self, type_: int) -> tuple[int, ...]:
        """Return the parts of a type, or the pointee of a pointer type."""
        pointer = self.pointer(type_)
        return (pointer[1],) if pointer is not None else self.parts(type_)

    def unarrayed(self, type_: int) -> int:
        """Return the type of an array's innermost elements; any other type is returned unchanged.

        Arrays nested more than 64 deep, as cyclic ones are, are not followed further.
        """
        for _ in range(64):
            if self.code(type_) not in ARRAYS:
                break
            type_ = self.part(type_)
        return type_

    def depth(self, type_: int) -> int:
        """Return the nesting depth of a type; 99 if it is deeper than 32 or cyclic."""
        deep, level = 0, {type_}
        while level and deep < 32:
            level = {part for each in level for part in self.parts(each)}
            deep += 1
        return 99 if level else deep

    def parts(self, type_: int) -> tuple[int, ...]:
        """Return the types that a type is made of: members, elements, components."""
        code, words = self._words.get(type_) or self._known(type_)
        if code == Opcode.TypeStruct:
            return words[2:]
        part = words[_PART[code]] if code in _PART else 0
        return (part,) if part else ()


def _function(edges: Callable[[int], tuple[int, ...]]) -> object:
    """Return the function of a bound method, which as a key would refer back to its object."""
    return getattr(edges, "__func__", edges)
