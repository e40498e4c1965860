"""The type table of a module."""

from collections.abc import Container, Iterator, Sequence

from .types import (
    ArrayType,
    DxilType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    VectorType,
)

__all__ = ["TypeTable", "children_first", "parts", "shape"]


class TypeTable:
    """The types of a module: `rows` are the types of the file, in order.

    The methods return the type of a shape, and make it if there is none; a new one becomes a row
    when the module is encoded, if something then refers to it.
    """

    __slots__ = ("known", "rows")

    def __init__(self) -> None:
        self.rows: list[DxilType] = []
        self.known: dict[tuple[object, ...], DxilType] = {}

    def __iter__(self) -> Iterator[DxilType]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> DxilType:
        return self.rows[number]

    def add(self, type: DxilType) -> None:
        """Add a row."""
        self.rows.append(type)
        self.known.setdefault(shape(type), type)

    def _get(self, type: DxilType) -> DxilType:
        return self.known.setdefault(shape(type), type)

    def primitive(self, name: str) -> DxilType:
        """Return void, label, metadata or x86_mmx."""
        return self.known.get(("name", name)) or self._get(PrimitiveType(name))

    def floating(self, name: str) -> DxilType:
        """Return half, float, double, …"""
        return self.known.get(("name", name)) or self._get(FloatType(name))

    def integer(self, width: int) -> DxilType:
        """Return the integer type of a width in bits."""
        return self.known.get(("integer", width)) or self._get(IntegerType(width))

    def pointer(self, pointee: DxilType, space: int = 0) -> DxilType:
        """Return the type of pointers to a type."""
        found = self.known.get(("pointer", id(pointee), space))
        return found or self._get(PointerType(pointee, space))

    def vector(self, count: int, element: DxilType) -> DxilType:
        """Return the type of vectors."""
        found = self.known.get(("vector", count, id(element)))
        return found or self._get(VectorType(count, element))

    def array(self, count: int, element: DxilType) -> DxilType:
        """Return the type of arrays."""
        found = self.known.get(("array", count, id(element)))
        return found or self._get(ArrayType(count, element))

    def literal(self, elements: Sequence[DxilType], packed: bool = False) -> DxilType:
        """Return the literal structure of elements."""
        return self._get(StructType(None, list(elements), packed))

    def named(self, name: str) -> StructType | None:
        """Return the structure of a name, or None."""
        found = (each for each in self.rows if isinstance(each, StructType) and each.name == name)
        return next(found, None)

    def function(
        self, result: DxilType, parameters: Sequence[DxilType] = (), vararg: bool = False
    ) -> FunctionType:
        """Return the type of functions."""
        key = ("function", vararg, id(result), *map(id, parameters))
        found = self.known.get(key) or self._get(FunctionType(result, parameters, vararg))
        assert isinstance(found, FunctionType)
        return found


def shape(type: DxilType) -> tuple[object, ...]:
    """Return a key that is equal for equal types; element types count by identity."""
    if isinstance(type, PointerType):
        return "pointer", id(type.pointee), type.space
    if isinstance(type, IntegerType):
        return "integer", type.width
    if isinstance(type, FloatType | PrimitiveType):
        return "name", type.name
    if isinstance(type, ArrayType):
        return "array", type.count, id(type.element)
    if isinstance(type, VectorType):
        return "vector", type.count, id(type.element)
    if isinstance(type, FunctionType):
        return "function", type.vararg, id(type.result), *map(id, type.parameters)
    if isinstance(type, StructType) and type.name is None:
        return "struct", type.packed, *map(id, type.elements or ())
    return "itself", id(type)


def children_first(
    root: DxilType, known: Container[DxilType], open: set[DxilType]
) -> Iterator[DxilType]:
    """Return a type and its element types, elements first, without known types.

    `open` holds the named structures whose parts are being visited: types may be circular through
    them. A type is known to be complete once the caller adds it to `known`.
    """
    waiting: list[tuple[DxilType, bool]] = [(root, False)]
    while waiting:
        type, is_complete = waiting.pop()
        if type in known:
            continue
        if is_complete:
            yield type
            continue
        if type in open:
            continue
        if isinstance(type, StructType) and type.name is not None:
            open.add(type)
        waiting.append((type, True))
        waiting += [(each, False) for each in reversed(parts(type))]


def parts(type: DxilType) -> list[DxilType]:
    """Return the types that a type consists of."""
    if isinstance(type, PointerType):
        return [type.pointee]
    if isinstance(type, ArrayType | VectorType):
        return [type.element]
    if isinstance(type, FunctionType):
        return [type.result, *type.parameters]
    if isinstance(type, StructType):
        return list(type.elements or ())
    return []
