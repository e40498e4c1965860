"""Upstream's own text of a program, which its tools print and its tests compare.

    #version 100
    uniform half4 c;half4 main(float2 p) {
    return (c * half(p.x));
    }

Elements follow each other without separators, functions show no modifiers, every operator has
parentheses, and floats have 17 digits.

Source: `description()` of the classes of Skia's milestone 104, checked against its text of the
programs of the corpus.
"""

from collections.abc import Callable

from ..tables.enumerations import BlockForm, ModifierFlag
from ..tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DataType,
    DiscardStatement,
    DoStatement,
    ExpressionStatement,
    Extension,
    ForStatement,
    FunctionDeclaration,
    FunctionDefinition,
    FunctionPrototype,
    GlobalDeclaration,
    IfStatement,
    InterfaceBlock,
    Modifiers,
    ModifiersDeclaration,
    NopStatement,
    ProgramElement,
    ProgramUnit,
    ReturnStatement,
    SharedFunction,
    Statement,
    StructDataType,
    StructDefinition,
    SwitchStatement,
    TranslationUnit,
    TreeNode,
    VariableDeclaration,
    is_empty,
)
from .expressions import ExpressionPrinter

__all__ = ["disassemble", "modifier_words"]

EXPRESSIONS = ExpressionPrinter()
WORDS = (
    (ModifierFlag.ES3, "$es3"),
    (ModifierFlag.HAS_SIDE_EFFECTS, "sk_has_side_effects"),
    (ModifierFlag.NOINLINE, "noinline"),
    (ModifierFlag.INLINE, "inline"),
    (ModifierFlag.FLAT, "flat"),
    (ModifierFlag.NOPERSPECTIVE, "noperspective"),
    (ModifierFlag.CONST, "const"),
    (ModifierFlag.UNIFORM, "uniform"),
    (ModifierFlag.IN | ModifierFlag.OUT, "inout"),
    (ModifierFlag.IN, "in"),
    (ModifierFlag.OUT, "out"),
    (ModifierFlag.HIGHP, "highp"),
    (ModifierFlag.MEDIUMP, "mediump"),
    (ModifierFlag.LOWP, "lowp"),
)


def modifier_words(flags: int) -> list[str]:
    """Return the words for flags, in upstream's order."""
    found = []
    for flag, word in WORDS:
        if flags & flag == flag:
            found.append(word)
            if flag == ModifierFlag.IN | ModifierFlag.OUT:
                flags &= ~flag
    return found


def disassemble(unit: TranslationUnit) -> str:
    """Return upstream's text of a program."""
    lines = []
    if isinstance(unit, ProgramUnit) and unit.kind.prints_version:
        lines.append(f"#version {unit.language.directive}\n")
    return "".join([*lines, *map(element, unit.elements)])


def modifiers(given: Modifiers) -> str:
    """Return modifiers, with a space at the end if there are any words."""
    return given.layout.text() + "".join(f"{word} " for word in modifier_words(given.flags))


def typed(each: DataType, name: str) -> str:
    """Return a type and a name."""
    return f"{each.shown} {name}"


# -- elements ----------------------------------------------------------------------------------


def element(node: ProgramElement) -> str:
    """Return an element of a program."""
    return ELEMENTS[type(node)](node)


def _signature(node: FunctionDeclaration) -> str:
    parameters = ", ".join(typed(each.type, each.name) for each in node.parameters)
    return f"{typed(node.returns, node.name)}({parameters})"


def _definition(node: FunctionDefinition) -> str:
    return f"{_signature(node.declaration)} {statement(node.body)}"


def _block(node: InterfaceBlock) -> str:
    lines = [f"{modifiers(node.variable.modifiers)}{node.type_name} {{"]
    type_ = node.variable.type.resolved
    if not isinstance(type_, StructDataType):
        type_ = type_.component.resolved
    if isinstance(type_, StructDataType):
        lines += [f"{typed(each.type, each.name)};" for each in type_.members]
    lines.append("}")
    text = "\n".join(lines)
    if node.instance_name:
        text += f" {node.instance_name}" + (f"[{node.array_size}]" if node.array_size else "")
    return f"{text};"


def _struct(node: StructDefinition) -> str:
    type_ = node.type.resolved
    members = type_.members if isinstance(type_, StructDataType) else []
    texts = (f"{modifiers(each.modifiers)}{typed(each.type, each.name)}; " for each in members)
    return f"struct {type_.name} {{ {''.join(texts)}}};"


ELEMENTS: dict[type[TreeNode], Callable[..., str]] = {
    FunctionDefinition: _definition,
    FunctionPrototype: lambda node: f"{_signature(node.declaration)};",
    GlobalDeclaration: lambda node: statement(node.declaration),
    InterfaceBlock: _block,
    StructDefinition: _struct,
    SharedFunction: lambda node: _definition(node.definition),
    Extension: lambda node: f"#extension {node.name} : enable",
    ModifiersDeclaration: lambda node: f"{modifiers(node.modifiers).rstrip()};",
}


# -- statements --------------------------------------------------------------------------------


def statement(node: Statement) -> str:
    """Return a statement."""
    return STATEMENTS[type(node)](node)


def _braces(node: BlockStatement) -> str:
    braces = node.form is BlockForm.BRACED_SCOPE or is_empty(node)
    lines = "".join(f"\n{statement(each)}" for each in node.statements)
    return f"{{{lines}\n}}\n" if braces else f"{lines}\n"


def _declaration(node: VariableDeclaration) -> str:
    text = modifiers(node.variable.modifiers) + typed(node.base, node.variable.name)
    if node.array_size:
        text += f"[{node.array_size}]"
    if node.value is not None:
        text += f" = {EXPRESSIONS.text(node.value)}"
    return f"{text};"


def _if(node: IfStatement) -> str:
    at = "@" if node.is_static else ""
    text = f"{at}if ({EXPRESSIONS.text(node.test)}) {statement(node.if_true)}"
    return text if node.if_false is None else f"{text} else {statement(node.if_false)}"


def _for(node: ForStatement) -> str:
    first = ";" if node.initialiser is None else statement(node.initialiser)
    test, following = (
        "" if each is None else EXPRESSIONS.text(each) for each in (node.test, node.next)
    )
    return f"for ({first} {test}; {following}) {statement(node.body)}"


def _do(node: DoStatement) -> str:
    return f"do {statement(node.body)} while ({EXPRESSIONS.text(node.test)});"


def _switch(node: SwitchStatement) -> str:
    at = "@" if node.is_static else ""
    cases = "".join(
        f"{'default' if each.value is None else f'case {each.value}'}:\n{statement(each.body)}"
        for each in node.cases
    )
    return f"{at}switch ({EXPRESSIONS.text(node.value)}) {{\n{cases}}}"


def _return(node: ReturnStatement) -> str:
    return "return;" if node.value is None else f"return {EXPRESSIONS.text(node.value)};"


STATEMENTS: dict[type[TreeNode], Callable[..., str]] = {
    BlockStatement: _braces,
    VariableDeclaration: _declaration,
    ExpressionStatement: lambda node: f"{EXPRESSIONS.text(node.expression)};",
    IfStatement: _if,
    ForStatement: _for,
    DoStatement: _do,
    SwitchStatement: _switch,
    ReturnStatement: _return,
    BreakStatement: lambda node: "break;",
    ContinueStatement: lambda node: "continue;",
    DiscardStatement: lambda node: "discard;",
    NopStatement: lambda node: ";",
}
