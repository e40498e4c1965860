"""Elements of a program, which are its top-level constructs, and programs as a whole.

Source: the classes of Skia's milestone 104 in src/sksl/ir; the stored fields are checked against
the files of its compiler.
"""

from ....isa.source import Source
from ....wire.types import U8
from ..tables.enumerations import LanguageVersion, SkslProgramKind
from .modifiers import Modifiers
from .node import (
    ElementsField,
    ReferenceField,
    TreeNode,
    child,
    children,
    extra,
    flag,
    number,
    slot,
    text,
)
from .statements import BlockStatement, VariableDeclaration
from .symbols import FunctionDeclaration, SymbolTable, VariableSymbol
from .types import DataType

__all__ = [
    "Extension",
    "FunctionDefinition",
    "FunctionPrototype",
    "GlobalDeclaration",
    "InterfaceBlock",
    "ModifiersDeclaration",
    "ModuleUnit",
    "ProgramElement",
    "ProgramUnit",
    "SharedFunction",
    "StructDefinition",
    "TranslationUnit",
]


class ProgramElement(TreeNode):
    """An element of a program."""


class FunctionDefinition(ProgramElement, command=29):
    """A function with its body."""

    declaration: FunctionDeclaration = slot(ReferenceField("FunctionDeclaration"), "the function")
    body: BlockStatement = child("BlockStatement", "body")


class FunctionPrototype(ProgramElement, command=30):
    """A function that is declared without body."""

    declaration: FunctionDeclaration = slot(ReferenceField("FunctionDeclaration"), "the function")


class GlobalDeclaration(ProgramElement, command=31):
    """A variable outside of functions."""

    declaration: VariableDeclaration = child("VariableDeclaration", "its declaration")


class InterfaceBlock(ProgramElement, command=35):
    """A block of inputs, outputs or uniforms."""

    variable: VariableSymbol = child("VariableSymbol", "the block")
    type_name: str = text("name of its type")
    instance_name: str = text("name of the instance; empty: members are used like variables")
    array_size: int = number(U8, "instances of an array; 0: not an array", default=0)


class StructDefinition(ProgramElement, command=47):
    """The place of a struct's definition."""

    type: DataType = child("DataType", "the struct")


class SharedFunction(ProgramElement, command=46):
    """A function of a module that the program uses, copied into it."""

    parameters: list[VariableSymbol] = children("VariableSymbol", "parameters of the function")
    declaration: FunctionDeclaration = child("FunctionDeclaration", "the function")
    definition: FunctionDefinition = child("FunctionDefinition", "the function with its body")


class Extension(ProgramElement):
    """`#extension name : enable`. Version 11 cannot hold it."""

    name: str = extra("name of the extension", default="")


class ModifiersDeclaration(ProgramElement):
    """Modifiers alone: `layout(…) in;`. Version 11 cannot hold it."""

    modifiers: Modifiers = extra("modifiers", default=None)


class TranslationUnit(TreeNode):
    """The contents of a file: a program or a module."""

    @property
    def symbols(self) -> SymbolTable:
        """The global scope."""
        raise NotImplementedError

    @property
    def elements(self) -> list[ProgramElement]:
        """Elements in the order of the file."""
        raise NotImplementedError


class ProgramUnit(TranslationUnit, command=43):
    """A program."""

    kind: SkslProgramKind = number(U8, "purpose", enum=SkslProgramKind)
    language: LanguageVersion = number(
        U8, "language that it needs", enum=LanguageVersion, default=LanguageVersion.ES2, since=9
    )
    symbols: SymbolTable = child("SymbolTable", "global scope")
    elements: list[ProgramElement] = slot(ElementsField(), "elements, shared functions first")
    uses_flip: bool = flag("it reads the uniform that flips y", default=False)
    source: Source | None = extra("the text that it was compiled from", default=None)


class ModuleUnit(TranslationUnit):
    """A module of Skia: the module has no command, and its fields follow each other."""

    symbols: SymbolTable = child("SymbolTable", "global scope")
    elements: list[ProgramElement] = slot(ElementsField(), "elements")
