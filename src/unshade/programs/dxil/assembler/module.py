"""The statements of a module in LLVM assembly.

Headers of globals and functions are read first, and nodes of metadata made; then what refers to
them: attributes, nodes, initializers, bodies.
"""

from collections.abc import Sequence

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.metadata import DebugNode, MetadataNode
from ..model.module import DxilModule
from ..model.types import DxilType, PointerType
from ..model.values import (
    BasicBlock,
    Comdat,
    Function,
    FunctionAttribute,
    GlobalAlias,
    GlobalValue,
    GlobalVariable,
)
from ..operation_calls import PREFIX
from .attributes import (
    attribute_group,
    attribute_list,
    inline_attributes,
    read_convention,
    read_linkage,
)
from .body import key_of, stated_number
from .calls import DBG_OPERANDS, DBG_VALUE
from .cursor import Cursor
from .functions import read_body
from .later import TRIPLE, UNNAMED, global_name
from .metadata import (
    declare_node,
    define_node,
    fill_inline,
    join_units,
    kind_of,
    named_metadata,
    resolve_aliases,
)
from .nodes import take_node
from .pointers import coerced
from .scope import NewModule, TextScope
from .tokens import END, AssemblyToken
from .types import define_structure, read_space, read_type
from .values import read_typed, read_value

__all__ = ["assemble"]

FIXED_KINDS = (
    "dbg", "tbaa", "prof", "fpmath", "range", "tbaa.struct", "invariant.load", "alias.scope",
    "noalias", "nontemporal", "llvm.mem.parallel_loop_access", "nonnull", "dereferenceable",
    "dereferenceable_or_null", "dx.temp", "dx.dbg.varlayout",
)  # fmt: skip
DXIL_TRIPLE = "dxil-ms-dx"
SELECTIONS = {"any": 1, "exactmatch": 2, "largest": 3, "noduplicates": 4, "samesize": 5}
THREAD_LOCAL = {"": 1, "localdynamic": 2, "initialexec": 3, "localexec": 4}


def assemble(
    source: Source,
    limits: Limits = DEFAULT,
    kinds: Sequence[str] | None = None,
    strict: bool = False,
) -> DxilModule:
    """Return the module that a text describes.

    Args:
        source: The text.
        limits: Bounds on nesting.
        kinds: Names of the kinds of attached metadata; by default as in LLVM 3.7 and dxc.
        strict: Refuse values whose numbers are not consecutive, as LLVM 3.7 does.

    Raises:
        AssembleError: The text is malformed; the error has line and column.
    """
    cursor = Cursor(source)
    module = DxilModule()
    module.kinds = dict(enumerate(FIXED_KINDS if kinds is None else kinds))
    definitions = NewModule()
    scope = TextScope(module, definitions, limits)
    pending = _Pending(definitions)
    _statements(cursor, scope, pending)
    for start in pending.groups:
        attribute_group(cursor, scope, start)
    for function, places, group in pending.headers:
        function.attributes = attribute_list(cursor, scope, places, group)
    resolve_aliases(cursor, scope)
    for start in pending.nodes:
        define_node(cursor, scope, start)
    fill_inline(cursor, scope)
    join_units(cursor, scope)
    for start in pending.named:
        named_metadata(cursor, scope, start)
    _definitions(cursor, scope, pending, strict)
    fill_inline(cursor, scope)
    module.metadata = [*dict.fromkeys(scope.nodes.numbered.values()), *scope.nodes.inline]
    return module


class _Pending:
    """The parts of statements that are read after all headers, by their first tokens."""

    def __init__(self, definitions: NewModule) -> None:
        self.definitions = definitions
        self.groups: list[int] = []
        self.nodes: list[int] = []
        self.named: list[int] = []
        self.headers: list[
            tuple[Function, list[list[FunctionAttribute]], AssemblyToken | None]
        ] = []
        self.bodies: list[tuple[Function, int, list[int | None]]] = []
        self.tails: list[tuple[Function, int, int]] = []
        self.variables: list[tuple[GlobalVariable, int]] = []
        self.aliases: list[tuple[GlobalAlias, int]] = []
        # Globals with their nodes, which LLVM 3.7 names in the nodes instead.
        self.described: list[tuple[GlobalValue, MetadataNode, AssemblyToken]] = []


def _statements(cursor: Cursor, scope: TextScope, pending: _Pending) -> None:
    """Read headers, and create the objects that they name."""
    while cursor.token.kind != END:
        token = cursor.token
        if not token.is_first:
            cursor.expected("a statement on a line of its own")
        if token.text == "target":
            _target(cursor, scope.module)
        elif token.text == "source_filename":
            _source_name(cursor)
        elif token.text == "module":
            _module_assembly(cursor, scope.module)
        elif token.kind == "local":
            define_structure(cursor, scope)
        elif token.kind == "comdat":
            _comdat(cursor, scope, pending.definitions)
        elif token.kind == "global":
            _global(cursor, scope, pending)
        elif token.text in ("define", "declare"):
            _declare_function(cursor, scope, pending)
        elif token.text == "attributes":
            pending.groups.append(cursor.skip_statement())
        elif token.kind == "node":
            if token.text[1:].isdigit():
                pending.nodes.append(declare_node(cursor, scope))
            else:
                pending.named.append(cursor.skip_statement())
        else:
            cursor.expected("a statement")


def _definitions(cursor: Cursor, scope: TextScope, pending: _Pending, strict: bool) -> None:
    """Read the initialisers of globals and the bodies of functions, which were deferred."""
    for variable, start in pending.variables:
        cursor.at = start
        type = variable.value_type
        variable.initializer = coerced(scope, read_value(cursor, scope, type), type)
        _tail_of_variable(cursor, scope, pending, variable)
    for alias, start in pending.aliases:
        cursor.at = start
        alias.aliasee = read_typed(cursor, scope)
    for function, start, end in pending.tails:
        _tail_of_function(cursor, scope, pending, function, start, end)
    fill_inline(cursor, scope)
    for value, node, token in pending.described:
        _describe(cursor, scope, value, node, token)
    blocks: dict[GlobalValue, dict[str, BasicBlock]] = {}
    for function, start, numbers in pending.bodies:
        blocks[function] = read_body(cursor, scope, function, start, numbers, strict=strict)
    for address, token in scope.addresses:
        block = blocks.get(address.function, {}).get(key_of(token))
        if block is None:
            cursor.fail(f"unknown block {token.text:.60}", token)
        address.index = address.function.blocks.index(block)


def _target(cursor: Cursor, module: DxilModule) -> None:
    cursor.next()
    token = cursor.next()
    cursor.expect("=")
    if token.text == "datalayout":
        module.data_layout = cursor.take_text()
    elif token.text == "triple":
        triple = cursor.take_text()
        module.triple = DXIL_TRIPLE if TRIPLE.fullmatch(triple) else triple
    else:
        cursor.fail(f"expected datalayout or triple, got {token.text!r:.40}", token)


def _source_name(cursor: Cursor) -> None:
    cursor.next()
    cursor.expect("=")
    cursor.take_text()


def _module_assembly(cursor: Cursor, module: DxilModule) -> None:
    cursor.next()
    cursor.expect("asm")
    if module.assembly:
        module.assembly += "\n"
    module.assembly += cursor.take_text()


def _comdat(cursor: Cursor, scope: TextScope, definitions: NewModule) -> None:
    token = cursor.next()
    cursor.expect("=")
    cursor.expect("comdat")
    selection = cursor.next()
    if selection.text not in SELECTIONS:
        cursor.fail(f"unknown selection {selection.text!r:.40}", selection)
    made = Comdat(token.name, SELECTIONS[selection.text])
    definitions.comdats[token.name] = made
    scope.module.comdats.append(made)


def _define_global(
    cursor: Cursor,
    scope: TextScope,
    made: GlobalVariable | Function | GlobalAlias,
    token: AssemblyToken,
) -> None:
    if token.text in scope.globals:
        cursor.fail(f"expected one definition of {token.text:.60}", token)
    made.name = "" if token.text[1:].isdigit() else global_name(token.name)
    scope.globals[token.text] = made
    scope.module.globals.append(made)


def _global(cursor: Cursor, scope: TextScope, pending: _Pending) -> None:
    """Read a variable or an alias; the tokens after its type are read later."""
    token = cursor.next()
    cursor.expect("=")
    external = cursor.accept("external")
    variable = GlobalVariable(scope.void, scope.void)
    read_linkage(cursor, variable)
    if cursor.accept("thread_local"):
        mode = ""
        if cursor.accept("("):
            mode = cursor.next().text
            cursor.expect(")")
        if mode not in THREAD_LOCAL:
            cursor.fail(f"unknown mode {mode!r:.40}")
        variable.thread_local = THREAD_LOCAL[mode]
    variable.unnamed_addr = _unnamed(cursor)
    if cursor.accept("alias"):
        alias = GlobalAlias.__new__(GlobalAlias)
        GlobalAlias.__init__(alias, scope.void, alias)
        for name in ("linkage", "visibility", "dll_storage", "thread_local", "unnamed_addr"):
            setattr(alias, name, getattr(variable, name))
        pending.aliases.append((alias, cursor.at))
        alias.type = read_type(cursor, scope)
        _define_global(cursor, scope, alias, token)
        cursor.skip_statement()
        return
    space = read_space(cursor) if cursor.token.text == "addrspace" else 0
    variable.externally_initialized = int(cursor.accept("externally_initialized"))
    variable.constant = cursor.accept("constant")
    if not variable.constant:
        cursor.expect("global")
    variable.value_type = read_type(cursor, scope)
    variable.type = scope.types.pointer(variable.value_type, space)
    _define_global(cursor, scope, variable, token)
    if external or cursor.token.is_first or cursor.token.text == ",":
        _tail_of_variable(cursor, scope, pending, variable)
    else:
        pending.variables.append((variable, cursor.at))
        cursor.skip_statement()


def _unnamed(cursor: Cursor) -> int:
    """Read `unnamed_addr`, which is 1, or the weaker `local_unnamed_addr`."""
    token = cursor.token
    return int(cursor.next().text == UNNAMED[0]) if token.text in UNNAMED else 0


def _tail_of_variable(
    cursor: Cursor, scope: TextScope, pending: _Pending, variable: GlobalVariable
) -> None:
    while cursor.accept(","):
        if cursor.accept("section"):
            variable.section = _section(cursor, scope.module)
        elif cursor.accept("align"):
            variable.alignment = cursor.take_number()
        elif cursor.token.text == "comdat":
            variable.comdat = _comdat_of(cursor, pending.definitions, variable.name)
        elif cursor.accept_node("dbg"):
            token = cursor.token
            pending.described.append((variable, take_node(cursor, scope), token))
        else:
            cursor.expected("section, comdat or align")
    if not cursor.token.is_first:
        cursor.expected("the end of the line")


def _describe(
    cursor: Cursor, scope: TextScope, value: GlobalValue, node: MetadataNode, token: AssemblyToken
) -> None:
    """Let debug information name the global that it describes."""
    fields = {"DISubprogram": "function", "DIGlobalVariable": "variable"}
    field = fields.get(node.row.name) if isinstance(node, DebugNode) else None
    if field is None or not isinstance(node, DebugNode):
        cursor.fail("expected a subprogram or a variable", token)
    node[field] = scope.pool.value(value)


def _section(cursor: Cursor, module: DxilModule) -> str:
    name = cursor.take_text()
    if name not in module.sections:
        module.sections.append(name)
    return name


def _comdat_of(cursor: Cursor, definitions: NewModule, name: str) -> Comdat:
    token = cursor.next()
    if cursor.accept("("):
        token = cursor.take("comdat", "a comdat")
        name = token.name
        cursor.expect(")")
    if name not in definitions.comdats:
        cursor.fail(f"unknown comdat {name!r:.40}", token)
    return definitions.comdats[name]


def _declare_function(cursor: Cursor, scope: TextScope, pending: _Pending) -> None:
    """Read the header of a function; attributes, metadata and body are read later."""
    is_declaration = cursor.next().text == "declare"
    made = Function.__new__(Function)
    type = scope.types.function(scope.void)
    Function.__init__(made, scope.void, type, is_declaration=is_declaration)
    read_linkage(cursor, made)
    made.calling_convention = read_convention(cursor)
    places = [inline_attributes(cursor)]
    result = read_type(cursor, scope)
    token = cursor.take("global", "the name of a function")
    cursor.expect("(")
    parameters: list[DxilType] = []
    names: list[str] = []
    numbers: list[int | None] = []
    vararg = False
    while not cursor.accept(")"):
        if parameters or vararg:
            cursor.expect(",")
        if cursor.accept("..."):
            vararg = True
            continue
        parameters.append(read_type(cursor, scope))
        places.append(inline_attributes(cursor))
        name = cursor.next() if cursor.token.kind == "local" else None
        number = None if name is None else stated_number(name)
        names.append("" if name is None or number is not None else name.name)
        numbers.append(number)
    if token.name == DBG_VALUE and len(parameters) == DBG_OPERANDS:
        parameters.insert(1, scope.types.integer(64))
        places.insert(2, [])
        names.insert(1, "")
        numbers.insert(1, None)
    if scope.opaque and token.name.startswith(PREFIX):
        result, *parameters = _pointees(
            scope, pending.definitions, token.name, [result, *parameters]
        )
    made.function_type = scope.types.function(result, parameters, vararg)
    made.type = scope.types.pointer(made.function_type)
    fresh = Function(made.type, made.function_type)
    made.arguments = fresh.arguments
    for argument, text in zip(made.arguments, names, strict=True):
        argument.name = text
    _define_global(cursor, scope, made, token)
    made.unnamed_addr = _unnamed(cursor)
    group = cursor.next() if cursor.token.kind == "group" else None
    pending.headers.append((made, places, group))
    start = cursor.at
    while not (cursor.token.is_first or cursor.token.text == "{"):
        cursor.next()
    pending.tails.append((made, start, cursor.at))
    if not is_declaration:
        if cursor.token.text != "{":
            cursor.expected("'{'")
        opening = cursor.token
        pending.bodies.append((made, cursor.at, numbers))
        closing = cursor.tokens.closing(cursor.at)
        if closing is None:
            cursor.fail(f"expected '}}' after the body of {token.text:.60}", opening)
        cursor.at = closing + 1


def _pointees(
    scope: TextScope, definitions: NewModule, name: str, types: list[DxilType]
) -> list[DxilType]:
    """Return types with pointers to the structure that ends the name of a function dx.op."""
    structures = {each.name: each for each in definitions.structures.values() if each.name}
    structure = structures.get(name.removeprefix(PREFIX).partition(".")[2])
    if structure is None:
        return types
    return [
        scope.types.pointer(structure, each.space) if isinstance(each, PointerType) else each
        for each in types
    ]


def _tail_of_function(
    cursor: Cursor, scope: TextScope, pending: _Pending, function: Function, start: int, end: int
) -> None:
    cursor.at = start
    while cursor.at < end:
        token = cursor.next()
        if token.text == "section":
            function.section = _section(cursor, scope.module)
        elif token.text == "comdat":
            cursor.at -= 1
            function.comdat = _comdat_of(cursor, pending.definitions, function.name)
        elif token.text == "align":
            function.alignment = cursor.take_number()
        elif token.text == "gc":
            function.gc = cursor.take_text()
            if function.gc not in scope.module.gc_names:
                scope.module.gc_names.append(function.gc)
        elif token.text in ("prefix", "prologue", "personality"):
            setattr(function, token.text, read_typed(cursor, scope))
        elif token.kind == "node" and token.name == "dbg":
            token = cursor.token
            pending.described.append((function, take_node(cursor, scope), token))
        elif token.kind == "node":
            kind = kind_of(scope.module, token.name)
            function.attachments.append((kind, take_node(cursor, scope)))
        else:
            cursor.fail(f"unknown word {token.text!r:.40}", token)
