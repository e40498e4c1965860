"""The types of LLVM 3.7, with pointees.

Each type of a module is one object, in the order of its type table, so types compare by identity.
`size` counts the types inside a type down to named structs, which bounds the length of its text.

Source: LLVM 3.7's public language reference.
"""

from collections.abc import Sequence

from ..bitstream import BitRecord

__all__ = [
    "ArrayType",
    "DxilType",
    "FloatType",
    "FunctionType",
    "IntegerType",
    "PointerType",
    "PrimitiveType",
    "StructType",
    "VectorType",
]

FLOAT_BITS = {"half": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}


class DxilType:
    """A type; `record` is the record that it was read from, if any."""

    __slots__ = ("depth", "record", "size")
    depth: int
    size: int

    def __init__(self, parts: "Sequence[DxilType]" = ()) -> None:
        self.record: BitRecord | None = None
        self.size = 1 + sum(each.size for each in parts)
        self.depth = 1 + max((each.depth for each in parts), default=0)

    @property
    def is_void(self) -> bool:
        """True for the type of instructions without result."""
        return False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self!s:.80}>"


class PrimitiveType(DxilType):
    """A type without parameters: void, label, metadata or x86_mmx."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def is_void(self) -> bool:
        return self.name == "void"

    def __str__(self) -> str:
        return self.name


class FloatType(DxilType):
    """A floating-point type, by LLVM's name: half, float, double, …"""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def width(self) -> int:
        """The size in bits."""
        return FLOAT_BITS[self.name]

    def __str__(self) -> str:
        return self.name


class IntegerType(DxilType):
    """An integer type of `width` bits."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def __str__(self) -> str:
        return f"i{self.width}"


class PointerType(DxilType):
    """A pointer to a type in an address space."""

    __slots__ = ("pointee", "space")

    def __init__(self, pointee: DxilType, space: int = 0) -> None:
        super().__init__((pointee,))
        self.pointee = pointee
        self.space = space

    def __str__(self) -> str:
        return f"{self.pointee} addrspace({self.space})*" if self.space else f"{self.pointee}*"


class ArrayType(DxilType):
    """An array of `count` elements."""

    __slots__ = ("count", "element")

    def __init__(self, count: int, element: DxilType) -> None:
        super().__init__((element,))
        self.count = count
        self.element = element

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


class VectorType(DxilType):
    """A vector of `count` elements."""

    __slots__ = ("count", "element")

    def __init__(self, count: int, element: DxilType) -> None:
        super().__init__((element,))
        self.count = count
        self.element = element

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


class StructType(DxilType):
    """A structure. `name` is None for a literal one; `elements` is None for an opaque one."""

    __slots__ = ("elements", "name", "name_record", "packed")

    def __init__(
        self, name: str | None, elements: list[DxilType] | None, packed: bool = False
    ) -> None:
        super().__init__((elements or ()) if name is None else ())
        self.name = name
        self.elements = elements
        self.packed = packed
        self.name_record: BitRecord | None = None

    def __str__(self) -> str:
        return f"%{self.name}" if self.name is not None else self.body

    @property
    def body(self) -> str:
        """The text of the elements: `{ i32, float }`, `<{ i8 }>`, `opaque`."""
        if self.elements is None:
            return "opaque"
        inner = "{ " + ", ".join(map(str, self.elements)) + " }" if self.elements else "{}"
        return f"<{inner}>" if self.packed else inner


class FunctionType(DxilType):
    """The type of a function."""

    __slots__ = ("parameters", "result", "vararg")

    def __init__(
        self, result: DxilType, parameters: Sequence[DxilType] = (), vararg: bool = False
    ) -> None:
        self.result = result
        self.parameters = list(parameters)
        self.vararg = vararg
        super().__init__((result, *self.parameters))

    def __str__(self) -> str:
        inner = [*map(str, self.parameters), *(["..."] if self.vararg else [])]
        return f"{self.result} ({', '.join(inner)})"
