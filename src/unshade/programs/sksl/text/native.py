"""Programs as SkSL source that compiles to the same program.

    // sksl runtime_shader
    uniform half4 tint;

    half4 main(float2 p) {
        return tint * half(p.x);
    }

The first line contains properties that the source language cannot express: the kind of the program
(for a module, `module`), and `flip` if it reads the uniform that flips y. A text with such a line
is compiled without optimisation and inlining, since both have been done, and `sk_Caps.name` stays a
property of the device. `;` is then an empty statement, and `{}` without a blank the empty block
without a scope that upstream makes of `;`. Functions that Skia's modules define are not shown: the
compiler adds those that are called.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ....dialect import Heading
from ....isa.linked import LinkedLine
from ..code import Code
from ..tables.enumerations import BlockForm, LayoutFlag, ModifierFlag
from ..tables.operators import Precedence
from ..tree import (
    ArrayDataType,
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DataType,
    DiscardStatement,
    DoStatement,
    Expression,
    ExpressionStatement,
    Extension,
    ForStatement,
    FunctionDeclaration,
    FunctionDefinition,
    FunctionPrototype,
    GlobalDeclaration,
    IfStatement,
    InterfaceBlock,
    LayoutQualifier,
    Modifiers,
    ModifiersDeclaration,
    NopStatement,
    ProgramUnit,
    ReturnStatement,
    SharedFunction,
    Statement,
    StructDataType,
    StructDefinition,
    StructField,
    SwitchStatement,
    SymbolTable,
    TreeNode,
    VariableDeclaration,
)
from .grouping import SourceExpressions
from .upstream import modifier_words

__all__ = ["EXACT", "disassemble", "first_line", "linked_lines"]

EXACT = Heading("sksl", "exact", 1)
INDENT = "    "
BARE = "{}"  # without a blank, which tells it from an empty scope
Edits: TypeAlias = Mapping[Statement, Sequence[str]]
# Numbers of a layout, and the flag that says that the source gives them.
GIVEN = (
    ("location", LayoutFlag.LOCATION),
    ("offset", LayoutFlag.OFFSET),
    ("binding", LayoutFlag.BINDING),
    ("index", LayoutFlag.INDEX),
    ("set", LayoutFlag.SET),
    ("builtin", LayoutFlag.BUILTIN),
    ("input_attachment", LayoutFlag.INPUT_ATTACHMENT_INDEX),
)
SPELLED = {"input_attachment": "input_attachment_index"}
WORDS = (
    LayoutFlag.ORIGIN_UPPER_LEFT,
    LayoutFlag.PUSH_CONSTANT,
    LayoutFlag.BLEND_SUPPORT_ALL_EQUATIONS,
    LayoutFlag.COLOR,
)


def disassemble(code: Code, *, heading: bool = False, edits: Edits | None = None) -> str:
    """Return the source of a program or module.

    Args:
        code: The program.
        heading: Print the heading of the dialect `exact`.
        edits: Texts to print in place of statements.
    """
    lines = linked_lines(code, heading=heading, edits=edits)
    return "".join(f"{line}\n" for line in lines)


def linked_lines(
    code: Code,
    *,
    heading: bool = False,
    edits: Edits | None = None,
    paths: Mapping[TreeNode, Sequence[str]] | None = None,
) -> list[str]:
    """Return the lines of the source.

    Args:
        code: The program, as for `disassemble`.
        heading: Print the heading of the dialect `exact`.
        edits: Texts to print in place of statements.
        paths: The paths of the nodes that lines are linked to.
    """
    lines = [EXACT.line("//")] if heading else []
    lines.append(first_line(code))
    if isinstance(code.unit, ProgramUnit) and code.unit.language:
        lines.append(f"#version {code.unit.language.directive}")
    printer = SourcePrinter(code.unit.symbols, edits, paths)
    before: TreeNode | None = None
    for each in code.unit.elements:
        found = list(printer.element(each))
        if found and (before is None or _stands_apart(before) or _stands_apart(each)):
            lines.append("")
        lines += found
        before = each if found else before
    return lines


def first_line(code: Code) -> str:
    """Return the line that names the kind of a program."""
    if not isinstance(code.unit, ProgramUnit):
        return "// sksl module"
    flip = " flip" if code.unit.uses_flip else ""
    return f"// sksl {code.unit.kind.name.lower()}{flip}"


def _stands_apart(node: TreeNode) -> bool:
    return isinstance(node, FunctionDefinition | StructDefinition | InterfaceBlock)


def layout_text(layout: LayoutQualifier) -> str:
    """Return a layout as source; empty if the source gave none."""
    words = [
        f"{SPELLED.get(name, name)} = {getattr(layout, name)}"
        for name, given in GIVEN
        if layout.flags & given
    ]
    words += [str(each.name).lower() for each in WORDS if layout.flags & each]
    return f"layout({', '.join(words)})" if words else ""


def is_bare(node: Statement) -> bool:
    """Return True for the empty block without a scope that upstream makes of `;`."""
    return (
        isinstance(node, BlockStatement)
        and node.form is BlockForm.BRACED_SCOPE
        and node.symbols is None
        and not node.statements
    )


def modifiers_text(given: Modifiers, without: int = 0) -> str:
    """Return modifiers as source, with a space at the end if there are any."""
    layout = layout_text(given.layout)
    words = [*([layout] if layout else []), *modifier_words(given.flags & ~without)]
    return "".join(f"{word} " for word in words)


def declared(type_: DataType, name: str) -> str:
    """Return a type and a name, with the size of an array after the name."""
    sizes = ""
    while isinstance(type_, ArrayDataType):
        sizes += f"[{type_.columns if type_.columns >= 0 else ''}]"
        type_ = type_.component
    return f"{type_.shown} {name}{sizes}"


class SourcePrinter:
    """A printer of elements and statements, as lines."""

    def __init__(
        self,
        symbols: SymbolTable,
        edits: Edits | None = None,
        paths: Mapping[TreeNode, Sequence[str]] | None = None,
    ) -> None:
        self.expressions = SourceExpressions(symbols)
        self.edits = edits or {}
        self.paths = paths or {}
        self.returns: DataType | None = None

    # -- elements ------------------------------------------------------------------------------

    def element(self, node: TreeNode) -> Iterator[str]:
        """Yield the lines of an element."""
        yield from self.linked(node, ELEMENTS[type(node)](self, node))

    def linked(self, node: TreeNode, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines of a node; lines that belong to no node inside it are linked to it."""
        paths = self.paths.get(node)
        for line in lines:
            yield (
                line if paths is None or isinstance(line, LinkedLine) else LinkedLine(line, *paths)
            )

    def signature(self, node: FunctionDeclaration) -> str:
        """Return a function's signature; every function of a program may have side effects."""
        own = 0 if node.builtin else ModifierFlag.HAS_SIDE_EFFECTS
        parameters = ", ".join(
            modifiers_text(each.modifiers) + declared(each.type, each.name)
            for each in node.parameters
        )
        head = modifiers_text(node.modifiers, own)
        return f"{head}{node.returns.shown} {node.name}({parameters})"

    def definition(self, node: FunctionDefinition) -> Iterator[str]:
        self.returns = node.declaration.returns
        yield from self.braces(f"{self.signature(node.declaration)} ", node.body)

    def prototype(self, node: FunctionPrototype) -> Iterator[str]:
        yield f"{self.signature(node.declaration)};"

    def variable(self, node: GlobalDeclaration) -> Iterator[str]:
        yield from self.statement(node.declaration)

    def block(self, node: InterfaceBlock) -> Iterator[str]:
        yield f"{modifiers_text(node.variable.modifiers)}{node.type_name} {{"
        type_ = node.variable.type.resolved
        type_ = type_.component.resolved if isinstance(type_, ArrayDataType) else type_
        yield from self.members(type_.members if isinstance(type_, StructDataType) else [])
        size = f"[{node.array_size}]" if node.array_size else ""
        name = f" {node.instance_name}{size}" if node.instance_name else ""
        yield f"}}{name};"

    def struct(self, node: StructDefinition) -> Iterator[str]:
        type_ = node.type.resolved
        yield f"struct {type_.name} {{"
        yield from self.members(type_.members if isinstance(type_, StructDataType) else [])
        yield "};"

    def members(self, given: list[StructField]) -> Iterator[str]:
        """Yield a line for each member."""
        for each in given:
            yield f"{INDENT}{modifiers_text(each.modifiers)}{declared(each.type, each.name)};"

    def shared(self, node: SharedFunction) -> Iterator[str]:
        return iter(())

    def extension(self, node: Extension) -> Iterator[str]:
        yield f"#extension {node.name} : enable"

    def loose_modifiers(self, node: ModifiersDeclaration) -> Iterator[str]:
        yield f"{modifiers_text(node.modifiers).rstrip()};"

    # -- statements ----------------------------------------------------------------------------

    def statement(self, node: Statement) -> Iterator[str]:
        """Yield the lines of a statement."""
        if node in self.edits:
            for text in self.edits[node]:
                yield from text.splitlines()
            return
        yield from self.linked(node, STATEMENTS[type(node)](self, node))

    def value(self, node: Expression, wanted: DataType | None = None) -> str:
        """Return a whole expression."""
        return self.expressions.within(node, Precedence.SEQUENCE, wanted)

    def braces(self, head: str, node: BlockStatement) -> Iterator[str]:
        """Yield a head, and the statements of a block in braces."""
        yield f"{head}{{"
        for each in node.statements:
            for line in self.statement(each):
                yield INDENT + line
        yield "}"

    def body(self, head: str, node: Statement) -> Iterator[str]:
        """Yield a head, and a statement that belongs to it."""
        if is_bare(node):
            yield f"{head} {BARE}"
            return
        if isinstance(node, BlockStatement):
            yield from self.braces(f"{head} ", node)
            return
        if isinstance(node, NopStatement):
            yield f"{head} ;"
            return
        yield head
        for line in list(self.statement(node)) or [";"]:
            yield INDENT + line

    def block_statement(self, node: BlockStatement) -> Iterator[str]:
        if is_bare(node):
            yield BARE
            return
        if node.form is BlockForm.BRACED_SCOPE:
            yield from self.braces("", node)
            return
        variables = [each for each in node.statements if isinstance(each, VariableDeclaration)]
        if node.form is BlockForm.COMPOUND and len(variables) == len(node.statements) > 0:
            paths = [path for each in variables for path in self.paths.get(each, ())]
            line = self.declarations(variables)
            yield LinkedLine(line, *paths) if paths else line
            return
        for each in node.statements:
            yield from self.statement(each)

    def declaration(self, node: VariableDeclaration) -> Iterator[str]:
        yield self.declarations([node])

    def declarations(self, nodes: list[VariableDeclaration]) -> str:
        """Return the declaration of variables that share a type."""
        first = nodes[0]
        head = modifiers_text(first.variable.modifiers)
        return f"{head}{first.base.shown} {', '.join(map(self.declarator, nodes))};"

    def declarator(self, node: VariableDeclaration) -> str:
        """Return a variable's name, size and value."""
        text = node.variable.name + (f"[{node.array_size}]" if node.array_size else "")
        if node.value is None:
            return text
        value = self.expressions.within(node.value, Precedence.ASSIGNMENT, node.variable.type)
        return f"{text} = {value}"

    def expression(self, node: ExpressionStatement) -> Iterator[str]:
        yield f"{self.value(node.expression)};"

    def if_statement(self, node: IfStatement) -> Iterator[str]:
        lines = list(self.body(f"{'@' * node.is_static}if ({self.value(node.test)})", node.if_true))
        if node.if_false is None:
            yield from lines
            return
        joined = lines[-1] == "}"
        yield from lines[:-1] if joined else lines
        head = "} else" if joined else "else"
        if isinstance(node.if_false, IfStatement):
            first, *rest = self.statement(node.if_false)
            yield f"{head} " + first  # the line is about the inner statement
            yield from rest
        else:
            yield from self.body(head, node.if_false)

    def for_statement(self, node: ForStatement) -> Iterator[str]:
        test = "" if node.test is None else self.value(node.test)
        if node.initialiser is None and node.next is None and node.symbols is None and test:
            yield from self.body(f"while ({test})", node.body)
            return
        first = ";"
        if node.initialiser is not None:
            first = " ".join(self.statement(node.initialiser)) or ";"
        following = "" if node.next is None else f" {self.value(node.next)}"
        yield from self.body(f"for ({first}{f' {test}' * bool(test)};{following})", node.body)

    def do_statement(self, node: DoStatement) -> Iterator[str]:
        *lines, last = self.body("do", node.body)
        test = f"while ({self.value(node.test)});"
        yield from lines
        if last == "}":
            yield f"}} {test}"
        else:
            yield from (last, test)

    def switch_statement(self, node: SwitchStatement) -> Iterator[str]:
        yield f"{'@' * node.is_static}switch ({self.value(node.value)}) {{"
        for each in node.cases:
            label = "default" if each.value is None else f"case {each.value}"
            yield from self.linked(each, [f"{INDENT}{label}:"])
            for line in self.statement(each.body):
                yield 2 * INDENT + line
        yield "}"

    def return_statement(self, node: ReturnStatement) -> Iterator[str]:
        yield "return;" if node.value is None else f"return {self.value(node.value, self.returns)};"

    def word(self, text: str) -> Iterator[str]:
        yield text


ELEMENTS: dict[type[TreeNode], Callable[[SourcePrinter, Any], Iterator[str]]] = {
    FunctionDefinition: SourcePrinter.definition,
    FunctionPrototype: SourcePrinter.prototype,
    GlobalDeclaration: SourcePrinter.variable,
    InterfaceBlock: SourcePrinter.block,
    StructDefinition: SourcePrinter.struct,
    SharedFunction: SourcePrinter.shared,
    Extension: SourcePrinter.extension,
    ModifiersDeclaration: SourcePrinter.loose_modifiers,
}
STATEMENTS: dict[type[TreeNode], Callable[[SourcePrinter, Any], Iterator[str]]] = {
    BlockStatement: SourcePrinter.block_statement,
    VariableDeclaration: SourcePrinter.declaration,
    ExpressionStatement: SourcePrinter.expression,
    IfStatement: SourcePrinter.if_statement,
    ForStatement: SourcePrinter.for_statement,
    DoStatement: SourcePrinter.do_statement,
    SwitchStatement: SourcePrinter.switch_statement,
    ReturnStatement: SourcePrinter.return_statement,
    BreakStatement: lambda printer, node: printer.word("break;"),
    ContinueStatement: lambda printer, node: printer.word("continue;"),
    DiscardStatement: lambda printer, node: printer.word("discard;"),
    NopStatement: lambda printer, node: printer.word(";"),
}
