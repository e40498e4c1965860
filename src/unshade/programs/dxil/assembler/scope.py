"""The scope of LLVM assembly: the meaning of the names in a text.

TextScope     the module, its globals and nodes, its constants, pointers without a type
Definitions   names of structures and functions, which a new module defines (`NewModule`) and
              an edit looks up in the module that it edits
TextBody      names in the function that is being read
"""

from typing import Protocol

from ....limits import DEFAULT, Limits
from ..model.constants import BlockAddress
from ..model.instructions import Instruction
from ..model.metadata import DebugField, DebugNode, MetadataNode
from ..model.module import DxilModule
from ..model.types import DxilType, FunctionType, StructType
from ..model.values import (
    AttributeGroup,
    BasicBlock,
    Comdat,
    DxilValue,
    GlobalValue,
)
from .cursor import Cursor
from .pool import ConstantPool
from .tokens import AssemblyToken

__all__ = ["Definitions", "NewModule", "Nodes", "TextBody", "TextScope"]


class TextBody(Protocol):
    """The function whose instructions are being read."""

    result_type: DxilType

    def local(self, cursor: Cursor, token: AssemblyToken, type: DxilType) -> DxilValue:
        """Return the value that a reference means."""

    def block(self, cursor: Cursor, token: AssemblyToken) -> BasicBlock:
        """Return the block that a reference means."""


class Definitions(Protocol):
    """The structures and functions of a module by their names in the text."""

    def structure(self, cursor: Cursor, scope: "TextScope", token: AssemblyToken) -> StructType:
        """Return the structure that a name means."""

    def declare(self, scope: "TextScope", token: AssemblyToken, type: FunctionType) -> None:
        """Declare the function that a call names and the module lacks, if that is allowed."""


class Nodes:
    """The metadata nodes of a text."""

    def __init__(self) -> None:
        self.numbered: dict[int, MetadataNode] = {}
        self.inline: list[MetadataNode] = []  # nodes without a number
        self.expressions: dict[tuple[DebugField, ...], DebugNode] = {}
        self.by_text: dict[tuple[str, ...], MetadataNode] = {}  # inline nodes: equal texts are one
        self.unfilled: list[tuple[MetadataNode, int]] = []  # inline nodes, and where they begin
        self.aliases: dict[int, AssemblyToken] = {}  # nodes that stand for others
        self.units: list[tuple[DebugNode, AssemblyToken]] = []  # subprograms with their units


class TextScope:
    """The meanings of the names in a text.

    Attributes:
        groups: The attributes of lines `attributes #0 = { … }` by their references.
        words: The types of words such as `i32` that were read.
        opaque: The text contains pointers without a type.
        before: Instructions to insert before the current instruction.
        addresses: Addresses of blocks, with the names of the blocks, which are resolved last.
    """

    def __init__(
        self, module: DxilModule, definitions: Definitions, limits: Limits = DEFAULT
    ) -> None:
        self.module = module
        self.definitions = definitions
        self.limits = limits
        self.types = module.types
        self.words: dict[str, DxilType] = {}
        self.void = self.types.primitive("void")
        self.metadata_type = self.types.primitive("metadata")
        self.label_type = self.types.primitive("label")
        self.pool = ConstantPool()
        self.globals: dict[str, GlobalValue] = {}
        self.groups: dict[str, AttributeGroup] = {}
        self.nodes = Nodes()
        self.body: TextBody = _Outside(self.void)
        self.opaque = False
        self.before: list[Instruction] = []
        self.addresses: list[tuple[BlockAddress, AssemblyToken]] = []


class _Outside:
    """The place of a body where the text is outside of functions."""

    def __init__(self, void: DxilType) -> None:
        self.result_type = void

    def local(self, cursor: Cursor, token: AssemblyToken, type: DxilType) -> DxilValue:
        cursor.fail("expected a constant, got a value of a function", token)

    def block(self, cursor: Cursor, token: AssemblyToken) -> BasicBlock:
        cursor.fail("expected a block of a function", token)


class NewModule:
    """The definitions of a module that is being made.

    Structures may be used before their definition: they are made, without elements, when they are
    first met.
    """

    def __init__(self) -> None:
        self.structures: dict[str, StructType] = {}
        self.comdats: dict[str, Comdat] = {}

    def structure(self, cursor: Cursor, scope: TextScope, token: AssemblyToken) -> StructType:
        reference = token.text
        found = self.structures.get(reference)
        if found is None:
            found = StructType("" if reference[1:].isdigit() else token.name, None)
            self.structures[reference] = found
            scope.types.add(found)
        return found

    def declare(self, scope: TextScope, token: AssemblyToken, type: FunctionType) -> None:
        """Do nothing: a text declares the functions that it calls."""
