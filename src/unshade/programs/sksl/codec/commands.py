"""Numbers and names of the commands, by version.

    version   commands
    4         fewer, in another order; types by name are symbols with a number: SystemType
    8         commands of 11; a program has no language, and operators have other numbers
    11        0 to 58
    12, 13    commands of 11
    14        without UnresolvedFunction: Variable and later commands move down by one

Source: SkSLRehydrator.h of Skia at these versions, checked against files of 8, 11, 13 and 14.
"""

from ....tuples import NamedTuple
from ..tree import NODES, TreeNode

__all__ = [
    "BUILTIN",
    "CURRENT",
    "VERSIONS",
    "CommandSet",
    "name_of_class",
]

CURRENT = 11
BUILTIN = 65535  # in place of a symbol's number: a name follows

NAMES = (
    "ArrayType", "Binary", "Block", "BoolLiteral", "Break", "BuiltinLayout", "ConstructorArray",
    "ConstructorArrayCast", "ConstructorCompound", "ConstructorCompoundCast",
    "ConstructorDiagonalMatrix", "ConstructorMatrixResize", "ConstructorScalarCast",
    "ConstructorSplat", "ConstructorStruct", "Continue", "DefaultLayout", "DefaultModifiers",
    "Discard", "Do", "Elements", "ElementsComplete", "ExpressionStatement", "Field", "FieldAccess",
    "FloatLiteral", "For", "FunctionCall", "FunctionDeclaration", "FunctionDefinition",
    "FunctionPrototype", "GlobalVar", "If", "Index", "Unused", "InterfaceBlock", "IntLiteral",
    "Layout", "Modifiers8Bit", "Modifiers", "Nop", "Postfix", "Prefix", "Program", "Return",
    "Setting", "SharedFunction", "StructDefinition", "StructType", "Switch", "Swizzle", "SymbolRef",
    "SymbolTable", "Ternary", "UnresolvedFunction", "Variable", "VarDeclaration",
    "VariableReference", "Void",
)  # fmt: skip

_CLASSES: dict[str, type[TreeNode]] = {
    NAMES[each.command]: each for each in NODES.values() if each.command is not None
}
_NAME_OF = {each: name for name, each in _CLASSES.items()}


def name_of_class(cls: type[TreeNode]) -> str:
    """Return the name of a class's command, or of the class if it has no command."""
    return _NAME_OF.get(cls, cls.__name__)


class CommandSet(NamedTuple):
    """The commands of one version."""

    version: int
    names: dict[int, str]  # by number
    numbers: dict[str, int]  # by name
    classes: dict[int, type[TreeNode]]  # by number
    codes: dict[type[TreeNode], int]  # by class
    by_name: dict[str, type[TreeNode]]
    full_parameters: bool  # a FunctionDeclaration has its parameters, not their numbers
    system_types: bool  # types by name have numbers
    operators: bool  # operators are numbered as in `Operator`


def _commands(version: int, names: tuple[str, ...]) -> CommandSet:
    numbered = {number: name for number, name in enumerate(names) if name != "Unused"}
    classes = {number: _CLASSES[name] for number, name in numbered.items() if name in _CLASSES}
    return CommandSet(
        version,
        numbered,
        {name: number for number, name in numbered.items()},
        classes,
        {each: number for number, each in classes.items()},
        {numbered[number]: each for number, each in classes.items()},
        full_parameters=version >= 13,
        system_types=version == 4,
        operators=version >= 11,
    )


NAMES_4 = (
    *NAMES[:28], "FunctionDefinition", "FunctionDeclaration", "FunctionPrototype", "If", "Index",
    "Unused", "InterfaceBlock", "IntLiteral", "Layout", "Modifiers8Bit", "Modifiers", "Postfix",
    "Prefix", "Return", "Setting", "StructDefinition", "StructType", "Switch", "Swizzle",
    "SymbolRef", "SymbolTable", "SystemType", "Ternary", "UnresolvedFunction", "Variable",
    "VarDeclaration", "GlobalVar", "VariableReference", "Void",
)  # fmt: skip
VERSIONS: dict[int, CommandSet] = {
    4: _commands(4, NAMES_4),
    **{version: _commands(version, NAMES) for version in (8, 11, 12, 13)},
    14: _commands(14, tuple(name for name in NAMES if name != "UnresolvedFunction")),
}
