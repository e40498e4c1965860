"""Types in LLVM assembly.

Structures may be used before their definition: they are made, without elements, when they are
first met.
"""

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.module import DxilModule
from ..model.types import FLOAT_BITS, DxilType, StructType
from .tokens import AssemblyReader

__all__ = ["TypeParser"]

PRIMITIVES = ("void", "label", "metadata", "x86_mmx")


class TypeParser(AssemblyReader):
    """A reader of types of a module that is being made."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source)
        self.limits = limits
        self.module = DxilModule()
        self.types = self.module.types
        self.structures: dict[str, StructType] = {}
        self.opaque = False  # the text has pointers without a type
        self.void = self.types.primitive("void")
        self.metadata_type = self.types.primitive("metadata")

    def structure(self, reference: str, name: str) -> StructType:
        """Return the structure that a reference means; one that is a number has no name."""
        found = self.structures.get(reference)
        if found is None:
            found = StructType("" if reference[1:].isdigit() else name, None)
            self.structures[reference] = found
            self.types.add(found)
        return found

    def define_structure(self) -> None:
        """Read `%name = type { … }`."""
        token = self.next()
        self.expect("=")
        self.expect("type")
        made = self.structure(token.text, token.name)
        if self.accept("opaque"):
            return
        if made.elements is not None:
            self.fail(f"expected one definition of {token.text}", token)
        packed = self.accept("<")
        made.elements = self._elements(0)
        made.packed = packed
        if packed:
            self.expect(">")

    def _elements(self, depth: int) -> list[DxilType]:
        self.expect("{")
        found: list[DxilType] = []
        while not self.accept("}"):
            if found:
                self.expect(",")
            found.append(self.read_type(depth + 1))
        return found

    def read_type(self, depth: int = 0) -> DxilType:
        """Read a type."""
        if depth > self.limits.depth:
            self.fail("expected a type with less nesting")
        found = self._base(depth)
        while True:
            if self.accept("*"):
                found = self.types.pointer(found)
            elif self.token.text == "addrspace":
                space = self.take_space()
                self.expect("*")
                found = self.types.pointer(found, space)
            elif self.token.text == "(":
                found = self._function(found, depth)
            else:
                break
            if found.size > self.limits.members or found.depth > self.limits.depth:
                self.fail("expected a smaller type")
        return found

    def take_space(self) -> int:
        """Read `addrspace(n)`."""
        self.expect("addrspace")
        self.expect("(")
        space = self.take_number()
        self.expect(")")
        return space

    def _function(self, result: DxilType, depth: int) -> DxilType:
        self.expect("(")
        parameters: list[DxilType] = []
        vararg = False
        while not self.accept(")"):
            if parameters or vararg:
                self.expect(",")
            if self.accept("..."):
                vararg = True
            else:
                parameters.append(self.read_type(depth + 1))
        return self.types.function(result, parameters, vararg)

    def _base(self, depth: int) -> DxilType:
        token = self.token
        if token.kind == "local":
            self.next()
            return self.structure(token.text, token.name)
        if token.kind == "word":
            text = token.text
            if text in PRIMITIVES:
                self.next()
                return self.types.primitive(text)
            if text == "ptr":
                self.next()
                self.opaque = True
                space = self.take_space() if self.token.text == "addrspace" else 0
                return self.types.pointer(self.types.integer(8), space)
            if text in FLOAT_BITS:
                self.next()
                return self.types.floating(text)
            if text[0] == "i" and text[1:].isdigit() and 0 < int(text[1:9]) < 1 << 23:
                self.next()
                return self.types.integer(int(text[1:9]))
        elif self.accept("{"):
            self.at -= 1
            return self.types.literal(self._elements(depth))
        elif self.accept("["):
            count, element = self._sequence(depth)
            self.expect("]")
            return self.types.array(count, element)
        elif self.accept("<"):
            if self.token.text == "{":
                found = self.types.literal(self._elements(depth), packed=True)
            else:
                count, element = self._sequence(depth)
                found = self.types.vector(count, element)
            self.expect(">")
            return found
        self.expected("a type")

    def _sequence(self, depth: int) -> tuple[int, DxilType]:
        count = self.take_number("the number of elements")
        if not 0 <= count < 1 << 64:
            self.fail(f"expected a number of elements below 2^64, got {count}")
        self.expect("x")
        return count, self.read_type(depth + 1)
