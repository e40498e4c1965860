"""Types as LLVM 3.7 prints them, and the order in which it lists named structures."""

from collections.abc import Iterable

from ..model.constants import DxilConstant
from ..model.metadata import Metadata, MetadataNode, MetadataValue
from ..model.module import DxilModule
from ..model.types import (
    ArrayType,
    DxilType,
    FunctionType,
    PointerType,
    StructType,
    VectorType,
)
from ..model.typetable import parts
from ..model.values import DxilValue, MetadataAsValue
from .budget import TextBudget
from .nodes import operands_of
from .spelling import identifier

__all__ = ["TypeNames", "used_structures"]


class TypeNames:
    """The texts of types. Structures without name are numbered in the order of their use."""

    def __init__(self, structures: Iterable[StructType], budget: TextBudget) -> None:
        self.budget = budget
        self.named: list[StructType] = []
        self.numbered: list[StructType] = []
        self.texts: dict[DxilType, str] = {}
        for each in structures:
            if each.name is None:
                continue
            if each.name:
                self.named.append(each)
            else:
                self.texts[each] = f"%{len(self.numbered)}"
                self.numbered.append(each)

    def text(self, type: DxilType) -> str:
        """Return the text of a type."""
        found = self.texts.get(type)
        if found is None:
            found = self.texts[type] = self._make(type)
            self.budget.spend(len(found))
        return found

    def _make(self, type: DxilType) -> str:
        text = self.text
        if isinstance(type, PointerType):
            space = f" addrspace({type.space})" if type.space else ""
            return f"{text(type.pointee)}{space}*"
        if isinstance(type, ArrayType):
            return f"[{type.count} x {text(type.element)}]"
        if isinstance(type, VectorType):
            return f"<{type.count} x {text(type.element)}>"
        if isinstance(type, FunctionType):
            return f"{text(type.result)} ({self.parameters(type)})"
        if isinstance(type, StructType):
            if type.name is None:
                return self.body(type)
            return identifier("%", type.name) if type.name else '%"type"'
        return str(type)

    def parameters(self, type: FunctionType) -> str:
        """Return the types of parameters."""
        inner = [*map(self.text, type.parameters), *(["..."] if type.vararg else [])]
        return ", ".join(inner)

    def body(self, type: StructType) -> str:
        """Return the elements of a structure."""
        if type.elements is None:
            return "opaque"
        inner = "{ " + ", ".join(map(self.text, type.elements)) + " }" if type.elements else "{}"
        return f"<{inner}>" if type.packed else inner

    @property
    def defined(self) -> list[StructType]:
        """The structures that `definitions` defines, in its order."""
        return [*self.numbered, *self.named]

    def definitions(self) -> list[str]:
        """Return the lines that define structures."""
        lines = [f"{self.texts[each]} = type {self.body(each)}" for each in self.numbered]
        lines += [f"{self.text(each)} = type {self.body(each)}" for each in self.named]
        return lines


def used_structures(module: DxilModule) -> list[StructType]:
    """Return the structures that a module uses, in the order in which LLVM finds them.

    LLVM visits globals, functions with their instructions, then named metadata; types that are
    unused, or used only by debug information, are not found.
    """
    finder = _TypeFinder()
    for variable in module.variables:
        finder.type(variable.type)
        if variable.initializer is not None:
            finder.value(variable.initializer)
    for alias in module.aliases:
        finder.type(alias.type)
        finder.value(alias.aliasee)
    for function in module.functions:
        finder.type(function.type)
        for constant in (function.prefix, function.prologue, function.personality):
            if constant is not None:
                finder.value(constant)
        for instruction in function.instructions:
            finder.type(instruction.type)
            for operand in instruction.operands:
                finder.value(operand)
            for _, node in sorted(instruction.attachments, key=lambda each: each[0]):
                finder.metadata(node)
    for named in module.named_metadata:
        for node in named.nodes:
            finder.metadata(node)
    return finder.found


class _TypeFinder:
    """The structures found so far, and everything that was visited."""

    def __init__(self) -> None:
        self.found: list[StructType] = []
        self.seen: set[object] = set()

    def type(self, type: DxilType) -> None:
        seen = self.seen
        if type in seen:
            return
        seen.add(type)
        stack = [type]
        while stack:
            type = stack.pop()
            if isinstance(type, StructType):
                self.found.append(type)
            for each in reversed(parts(type)):
                if each not in seen:
                    seen.add(each)
                    stack.append(each)

    def value(self, value: DxilValue) -> None:
        """Visit a constant and its operands; other values are visited where they are defined."""
        if isinstance(value, MetadataAsValue):
            if isinstance(value.metadata, MetadataValue):
                self.value(value.metadata.value)
            else:
                self.metadata(value.metadata)
            return
        stack: list[DxilValue] = [value]
        while stack:
            value = stack.pop()
            if isinstance(value, DxilConstant) and value not in self.seen:
                self.seen.add(value)
                self.type(value.type)
                stack += reversed(value.operands)

    def metadata(self, metadata: Metadata) -> None:
        stack: list[Metadata | None] = [metadata]
        while stack:
            metadata_or_none = stack.pop()
            if isinstance(metadata_or_none, MetadataValue):
                self.value(metadata_or_none.value)
            elif isinstance(metadata_or_none, MetadataNode) and metadata_or_none not in self.seen:
                self.seen.add(metadata_or_none)
                stack += reversed(operands_of(metadata_or_none))
