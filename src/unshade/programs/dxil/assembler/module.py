"""The statements of a module in LLVM assembly.

Headers of globals and functions are read first, and nodes of metadata made; then what refers to
them: attributes, nodes, initializers, bodies.
"""

from collections.abc import Sequence

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..dxop import PREFIX
from ..model.metadata import DebugNode, MetadataNode
from ..model.module import DxilModule
from ..model.types import DxilType, PointerType
from ..model.values import (
    Comdat,
    Function,
    FunctionAttribute,
    GlobalAlias,
    GlobalValue,
    GlobalVariable,
)
from .calls import DBG_OPERANDS, DBG_VALUE
from .functions import FunctionParser, name_key, stated_number
from .later import TRIPLE, UNNAMED, global_name
from .tokens import AssemblyToken

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
        kinds: Names of the kinds of attached metadata; by default those of LLVM 3.7 and dxc.
        strict: Refuse values whose numbers are not consecutive, as LLVM 3.7 does.

    Raises:
        AssembleError: The text is malformed; the error has line and column.
    """
    parser = _ModuleParser(source, limits)
    parser.strict = strict
    parser.module.kinds = dict(enumerate(FIXED_KINDS if kinds is None else kinds))
    return parser.run()


class _ModuleParser(FunctionParser):
    """A reader of modules."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source, limits)
        self.comdats: dict[str, Comdat] = {}
        self.headers: list[
            tuple[Function, list[list[FunctionAttribute]], AssemblyToken | None]
        ] = []
        self.bodies: list[tuple[Function, int]] = []
        self.tails: list[tuple[Function, int, int]] = []
        self.variables: list[tuple[GlobalVariable, int]] = []
        self.aliases: list[tuple[GlobalAlias, int]] = []
        # Globals with their nodes, which LLVM 3.7 names in the nodes instead.
        self.described: list[tuple[GlobalValue, AssemblyToken]] = []

    def run(self) -> DxilModule:
        """Return the module."""
        groups: list[int] = []
        nodes: list[int] = []
        named: list[int] = []
        while self.token.kind != "end":
            token = self.token
            if not token.is_first:
                self.expected("a statement on a line of its own")
            if token.text == "target":
                self._target()
            elif token.text == "source_filename":
                self._source_name()
            elif token.text == "module":
                self._module_assembly()
            elif token.kind == "local":
                self.define_structure()
            elif token.kind == "comdat":
                self._comdat()
            elif token.kind == "global":
                self._global()
            elif token.text in ("define", "declare"):
                self._declare_function()
            elif token.text == "attributes":
                groups.append(self.skip_statement())
            elif token.kind == "node":
                if token.text[1:].isdigit():
                    nodes.append(self.declare_node())
                else:
                    named.append(self.skip_statement())
            else:
                self.expected("a statement")
        for start in groups:
            self.attribute_group(start)
        for function, places, group in self.headers:
            function.attributes = self.attribute_list(places, group)
        self.resolve_names()
        for start in nodes:
            self.define_node(start)
        self.join_units()
        for start in named:
            self.named_metadata(start)
        self._definitions()
        self.module.metadata = [*dict.fromkeys(self.nodes.values()), *self.inline]
        return self.module

    def _definitions(self) -> None:
        """Read what was left out of globals and functions."""
        for variable, start in self.variables:
            self.at = start
            type = variable.value_type
            variable.initializer = self.coerced(self.value(type), type)
            self._tail_of_variable(variable)
        for alias, start in self.aliases:
            self.at = start
            alias.aliasee = self.typed()
        for function, start, end in self.tails:
            self._tail_of_function(function, start, end)
        for value, token in self.described:
            self._describe(value, self.node(token), token)
        for function, start in self.bodies:
            self.body(function, start)
        for address, token in self.addresses:
            labels = self.blocks.get(address.function, {})
            key = token.text if token.text[1:].isdigit() else name_key(token.name)
            block = labels.get(key)
            if block is None:
                self.fail(f"unknown block {token.text:.60}", token)
            address.index = address.function.blocks.index(block)

    def _target(self) -> None:
        self.next()
        token = self.next()
        self.expect("=")
        if token.text == "datalayout":
            self.module.data_layout = self.take_text()
        elif token.text == "triple":
            triple = self.take_text()
            self.module.triple = DXIL_TRIPLE if TRIPLE.fullmatch(triple) else triple
        else:
            self.fail(f"expected datalayout or triple, got {token.text!r:.40}", token)

    def _source_name(self) -> None:
        self.next()
        self.expect("=")
        self.take_text()

    def _module_assembly(self) -> None:
        self.next()
        self.expect("asm")
        if self.module.assembly:
            self.module.assembly += "\n"
        self.module.assembly += self.take_text()

    def _comdat(self) -> None:
        token = self.next()
        self.expect("=")
        self.expect("comdat")
        selection = self.next()
        if selection.text not in SELECTIONS:
            self.fail(f"unknown selection {selection.text!r:.40}", selection)
        made = Comdat(token.name, SELECTIONS[selection.text])
        self.comdats[token.name] = made
        self.module.comdats.append(made)

    def _define_global(
        self, made: GlobalVariable | Function | GlobalAlias, token: AssemblyToken
    ) -> None:
        if token.text in self.globals:
            self.fail(f"expected one definition of {token.text:.60}", token)
        made.name = "" if token.text[1:].isdigit() else global_name(token.name)
        self.globals[token.text] = made
        self.module.globals.append(made)

    def _global(self) -> None:
        """Read a variable or an alias; what follows its type is read later."""
        token = self.next()
        self.expect("=")
        external = self.accept("external")
        variable = GlobalVariable(self.void, self.void)
        self.linkage(variable)
        if self.accept("thread_local"):
            mode = ""
            if self.accept("("):
                mode = self.next().text
                self.expect(")")
            if mode not in THREAD_LOCAL:
                self.fail(f"unknown mode {mode!r:.40}")
            variable.thread_local = THREAD_LOCAL[mode]
        variable.unnamed_addr = self._unnamed()
        if self.accept("alias"):
            alias = GlobalAlias.__new__(GlobalAlias)
            GlobalAlias.__init__(alias, self.void, alias)
            for name in ("linkage", "visibility", "dll_storage", "thread_local", "unnamed_addr"):
                setattr(alias, name, getattr(variable, name))
            self.aliases.append((alias, self.at))
            alias.type = self.read_type()
            self._define_global(alias, token)
            self.skip_statement()
            return
        space = self.take_space() if self.token.text == "addrspace" else 0
        variable.externally_initialized = int(self.accept("externally_initialized"))
        variable.constant = self.accept("constant")
        if not variable.constant:
            self.expect("global")
        variable.value_type = self.read_type()
        variable.type = self.types.pointer(variable.value_type, space)
        self._define_global(variable, token)
        if external or self.token.is_first or self.token.text == ",":
            self._tail_of_variable(variable)
        else:
            self.variables.append((variable, self.at))
            self.skip_statement()

    def _unnamed(self) -> int:
        """Read `unnamed_addr`, which is 1, or the weaker `local_unnamed_addr`."""
        token = self.token
        return int(self.next().text == UNNAMED[0]) if token.text in UNNAMED else 0

    def _tail_of_variable(self, variable: GlobalVariable) -> None:
        while self.accept(","):
            if self.accept("section"):
                variable.section = self._section()
            elif self.accept("align"):
                variable.alignment = self.take_number()
            elif self.token.text == "comdat":
                variable.comdat = self._comdat_of(variable.name)
            elif self.accept_node("dbg"):
                self.described.append((variable, self.take("node", "a node")))
            else:
                self.expected("section, comdat or align")
        if not self.token.is_first:
            self.expected("the end of the line")

    def accept_node(self, name: str) -> bool:
        """Move past the name of attached metadata if it is next."""
        found = self.token.kind == "node" and self.token.name == name
        self.at += found
        return found

    def _describe(self, value: GlobalValue, node: MetadataNode, token: AssemblyToken) -> None:
        """Let debug information name the global that it describes."""
        fields = {"DISubprogram": "function", "DIGlobalVariable": "variable"}
        field = fields.get(node.row.name) if isinstance(node, DebugNode) else None
        if field is None or not isinstance(node, DebugNode):
            self.fail("expected a subprogram or a variable", token)
        node[field] = self.pool.value(value)

    def _section(self) -> str:
        name = self.take_text()
        if name not in self.module.sections:
            self.module.sections.append(name)
        return name

    def _comdat_of(self, name: str) -> Comdat:
        token = self.next()
        if self.accept("("):
            token = self.take("comdat", "a comdat")
            name = token.name
            self.expect(")")
        if name not in self.comdats:
            self.fail(f"unknown comdat {name!r:.40}", token)
        return self.comdats[name]

    def _declare_function(self) -> None:
        """Read the header of a function; attributes, metadata and body are read later."""
        is_declaration = self.next().text == "declare"
        made = Function.__new__(Function)
        type = self.types.function(self.void)
        Function.__init__(made, self.void, type, is_declaration=is_declaration)
        self.linkage(made)
        made.calling_convention = self.convention()
        places = [self.inline_attributes()]
        result = self.read_type()
        token = self.take("global", "the name of a function")
        self.expect("(")
        parameters: list[DxilType] = []
        names: list[str] = []
        numbers: list[int | None] = []
        vararg = False
        while not self.accept(")"):
            if parameters or vararg:
                self.expect(",")
            if self.accept("..."):
                vararg = True
                continue
            parameters.append(self.read_type())
            places.append(self.inline_attributes())
            name = self.next() if self.token.kind == "local" else None
            number = None if name is None else stated_number(name)
            names.append("" if name is None or number is not None else name.name)
            numbers.append(number)
        if token.name == DBG_VALUE and len(parameters) == DBG_OPERANDS:
            parameters.insert(1, self.types.integer(64))
            places.insert(2, [])
            names.insert(1, "")
            numbers.insert(1, None)
        if self.opaque and token.name.startswith(PREFIX):
            result, *parameters = self._pointees(token.name, [result, *parameters])
        made.function_type = self.types.function(result, parameters, vararg)
        made.type = self.types.pointer(made.function_type)
        fresh = Function(made.type, made.function_type)
        made.arguments = fresh.arguments
        for argument, text in zip(made.arguments, names, strict=True):
            argument.name = text
        self.numbers[made] = numbers
        self._define_global(made, token)
        made.unnamed_addr = self._unnamed()
        group = self.next() if self.token.kind == "group" else None
        self.headers.append((made, places, group))
        start = self.at
        while not (self.token.is_first or self.token.text == "{"):
            self.next()
        self.tails.append((made, start, self.at))
        if not is_declaration:
            if self.token.text != "{":
                self.expected("'{'")
            opening = self.token
            self.bodies.append((made, self.at))
            depth = 0
            while True:
                if self.token.kind == "end":
                    self.fail(f"expected '}}' after the body of {token.text:.60}", opening)
                text = self.next().text
                depth += text in ("{", "!{")
                depth -= text == "}"
                if not depth:
                    break

    def _pointees(self, name: str, types: list[DxilType]) -> list[DxilType]:
        """Return types with pointers to the structure that ends the name of a function dx.op."""
        structures = {each.name: each for each in self.structures.values() if each.name}
        structure = structures.get(name.removeprefix(PREFIX).partition(".")[2])
        if structure is None:
            return types
        return [
            self.types.pointer(structure, each.space) if isinstance(each, PointerType) else each
            for each in types
        ]

    def _tail_of_function(self, function: Function, start: int, end: int) -> None:
        self.at = start
        while self.at < end:
            token = self.next()
            if token.text == "section":
                function.section = self._section()
            elif token.text == "comdat":
                self.at -= 1
                function.comdat = self._comdat_of(function.name)
            elif token.text == "align":
                function.alignment = self.take_number()
            elif token.text == "gc":
                function.gc = self.take_text()
                if function.gc not in self.module.gc_names:
                    self.module.gc_names.append(function.gc)
            elif token.text in ("prefix", "prologue", "personality"):
                setattr(function, token.text, self.typed())
            elif token.kind == "node" and token.name == "dbg":
                self.described.append((function, self.take("node", "a node")))
            elif token.kind == "node":
                kind = self.kind(token.name)
                function.attachments.append((kind, self.node(self.take("node", "a node"))))
            else:
                self.fail(f"unknown word {token.text!r:.40}", token)
