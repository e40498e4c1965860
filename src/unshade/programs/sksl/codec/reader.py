"""Reading of commands into a tree.

A reader passes over the bytes once, without tracking paths. If it finds an error, or a
choice that the writer would not make (`numbering`), a tracing reader reads the bytes again: it
tracks the dotted path of every field, and collects the spans.

Source: SkSLRehydrator.cpp of Skia's milestone 104. Unlike Skia's reader, this reader does not
simplify.
"""

import struct
from contextlib import suppress
from typing import Any, cast

from ....enums import member_of
from ....errors import FormatError, LimitError, UnsupportedError
from ....limits import DEFAULT, Limits
from ....tuples import NamedTuple
from ....wire import Span, f32_from_bits
from ....wire.spans import Spelled
from ....wire.types import I16, I32, U8, U16, U32, Scalar
from ..builtins import module, parent_of
from ..tables.enumerations import SkslProgramKind
from ..tables.operators import Operator
from ..tree import (
    LayoutQualifier,
    Modifiers,
    ModuleUnit,
    ProgramElement,
    ProgramUnit,
    Symbol,
    TranslationUnit,
    TreeNode,
)
from ..tree import node as kinds
from ..tree.types import NumberKind
from .building import OF_MODULES, OddChoice, TreeBuilder, wanted
from .commands import BUILTIN, CommandSet
from .dispatch import handlers
from .numbering import Choice, layout_form, modifiers_form
from .pool import PooledStrings

__all__ = ["ReadProgram", "fields_before_damage", "read_commands"]

_STRUCTS = {each: struct.Struct(f"<{each.code}") for each in (U8, U16, U32, I32)}


class ReadProgram(NamedTuple):
    """A tree, the choices of its file that the writer would not make, and the strings used.

    `size` is the number of bytes that were read.
    """

    unit: TranslationUnit
    odd: dict[str, Choice]
    strings: list[str]
    spans: list[Span]
    size: int


def read_commands(
    data: bytes,
    pool: PooledStrings,
    commands: CommandSet,
    limits: Limits = DEFAULT,
    *,
    traced: bool = False,
) -> ReadProgram:
    """Read the program or module at the start of a command stream.

    Args:
        data: The stream.
        pool: Its strings.
        commands: The commands of its version.
        limits: `nesting` bounds the depth of the tree, `instructions` the number of commands.
        traced: Collect spans.

    Raises:
        FormatError: The stream is malformed; offset in the stream, and path.
        LimitError: The stream exceeds a limit.
    """
    if not traced:
        try:
            return CommandReader(data, pool, commands, limits, traced=False).read()
        except (FormatError, OddChoice):
            pass
    return CommandReader(data, pool, commands, limits, traced=True).read()


def fields_before_damage(
    data: bytes, pool: PooledStrings, commands: CommandSet, limits: Limits
) -> list[Span]:
    """Return the spans of the fields that can be read before an error."""
    reader = CommandReader(data, pool, commands, limits, traced=True)
    with suppress(FormatError, LimitError):
        reader.read()
    return reader.spans


class CommandReader(TreeBuilder):
    """The state of reading one stream."""

    def __init__(
        self,
        data: bytes,
        pool: PooledStrings,
        commands: CommandSet,
        limits: Limits,
        *,
        traced: bool,
    ) -> None:
        self.data = data
        self.pool = pool
        self.commands = commands
        super().__init__(limits, traced=traced, system_types=commands.system_types)
        self.at = 0
        self.start = 0  # of the field that is being read, for errors
        self.left = limits.instructions
        self.strings: dict[str, None] = {}
        self.spans: list[Span] = []
        self.read_slot = handlers(self)

    def read(self) -> ReadProgram:
        """Read a program or a module."""
        unit = self._unit()
        return ReadProgram(unit, self.odd, list(self.strings), self.spans, self.at)

    def _unit(self) -> TranslationUnit:
        name = self._peek()
        if name == "SymbolTable":
            self.table = module(OF_MODULES)
            return cast("ModuleUnit", self._node(ModuleUnit))
        if name == "Program":
            self._tag()
            kind = self.data[self.at] if self.at < len(self.data) else 0
            known = member_of(SkslProgramKind, kind)
            if known is not None:
                self.table = parent_of(known)
            self.is_program = True
            return cast("ProgramUnit", self._node(ProgramUnit))
        raise self.error(f"expected the command Program or SymbolTable, got {name}")

    # -- bytes ---------------------------------------------------------------------------------

    def error(self, problem: str, at: int | None = None) -> FormatError:
        """Return an error about the bytes at an offset, by default those read last."""
        return FormatError(problem, offset=self.start if at is None else at, path=self.where)

    def note(self, start: int, value: Any, doc: str, suffix: str = "") -> None:
        """Record the span from `start` to here."""
        path = "".join((*self.path, suffix)).lstrip(".")
        self.spans.append(Span(start, self.at - start, path, value, doc))

    def _peek(self) -> str:
        self.start = self.at
        if self.at >= len(self.data):
            raise self.error("expected a command, got the end")
        code = self.data[self.at]
        return self.commands.names.get(code, f"unknown command {code}")

    def _tag(self) -> str:
        name = self._peek()
        self.left -= 1
        if self.left < 0:
            raise LimitError("instructions", self.limits.instructions, "more commands")
        self.at += 1
        if self.traced:
            self.note(self.at - 1, Spelled(name), "command", ".command")
        return name

    def _scalar(self, scalar: Scalar, doc: str, suffix: str = "") -> int:
        self.start = start = self.at
        end = start + scalar.size
        if end > len(self.data):
            raise self.error(f"expected {scalar.size} bytes, got {len(self.data) - start}")
        packed = _STRUCTS.get(scalar)
        if packed is None:
            packed = _STRUCTS[scalar] = struct.Struct(f"<{scalar.code}")
        value: int = packed.unpack_from(self.data, start)[0]
        self.at = end
        if self.traced:
            self.note(start, value, doc, suffix)
        return value

    def _string(self, suffix: str, doc: str) -> str:
        offset = self._scalar(U16, doc, suffix)
        text = self.pool.text(offset)
        if text is None:
            raise self.error(f"the offset {offset:#x} is outside the string pool")
        if self.traced:
            self.spans[-1] = self.spans[-1]._replace(value=text)
            self.path.append(suffix)
        self.choose(("offset", offset), ("offset", self.pool.offsets.get(text)))
        if self.traced:
            self.path.pop()
        self.strings.setdefault(text)
        return text

    # -- commands ------------------------------------------------------------------------------

    def _command(self, group: type[TreeNode], optional: bool = False) -> TreeNode | None:
        """Read a command of a group."""
        if issubclass(group, Symbol):
            return self._symbol(group)
        if group is Modifiers:
            return self._modifiers()
        if group is LayoutQualifier:
            return self._layout()
        start = self.at
        name = self._tag()
        cls = self.commands.classes.get(self.data[start])
        if cls is not None and issubclass(cls, group):
            return self._node(cls)
        if name == "Void" and optional:
            return None
        raise self.error(f"expected {wanted(group)}, got the command {name}", start)

    def _node(self, cls: type[TreeNode]) -> TreeNode:
        """Read the fields of a node whose command's byte has been read."""
        around = self.enter(cls)
        number = self._begin() if cls.numbered else None
        values: list[Any] = []
        if self.traced:
            for each in cls.fields:
                if each.since > self.commands.version:
                    values.append(each.default)
                    continue
                self.path.append(f".{each.name}")
                values.append(self.read_slot[type(each.kind)](each, values))
                self.path.pop()
        else:
            for each in cls.fields:
                if each.since > self.commands.version:
                    values.append(each.default)
                    continue
                values.append(self.read_slot[type(each.kind)](each, values))
        made = cls(*values)
        self.leave(made, number, around)
        return made

    def _begin(self) -> int:
        """Read the number of a symbol whose command begins."""
        number = self._scalar(U16, "number of the symbol", ".number")
        self.begin(number)
        return number

    # -- symbols -------------------------------------------------------------------------------

    def _symbol(self, group: type[TreeNode]) -> Symbol:
        start = self.at
        name = self._tag()
        if name == "SystemType":
            number = self._begin()
            return self.system_type(self._string(".name", "name of a builtin type"), number)
        if name == "SymbolRef":
            found, choice = self._referred(group)
            self.choose(choice, self.numbering.of_symbol(found))
            return found
        cls = self.commands.classes.get(self.data[start])
        if cls is None or not issubclass(cls, group):
            raise self.error(f"expected {wanted(group)}, got the command {name}", start)
        return self._node(cls)  # type: ignore[return-value]

    def _referred(self, group: type[TreeNode]) -> tuple[Symbol, Choice]:
        """Read the number of a symbol, or the name of a builtin one."""
        number = self._scalar(U16, "number of the symbol; 65535: its name follows", ".symbol")
        if number != BUILTIN:
            return self.numbered_symbol(group, number), ("refer", number)
        name = self._string(".name", "name of a builtin symbol")
        return self.named_symbol(group, name), ("name", "")

    # -- modifiers -----------------------------------------------------------------------------

    def _modifiers(self) -> Modifiers:
        start = self.at
        name = self._tag()
        if name == "DefaultModifiers":
            made = Modifiers(layout=LayoutQualifier())
        elif name in ("Modifiers8Bit", "Modifiers"):
            self.path.append(".layout")
            layout = self._layout()
            self.path.pop()
            size = U8 if name == "Modifiers8Bit" else U32
            made = Modifiers(layout=layout, flags=self._scalar(size, "flags", ".flags"))
        else:
            raise self.error(f"expected modifiers, got the command {name}", start)
        self.choose(("form", name), modifiers_form(made))
        return made

    def _layout(self) -> LayoutQualifier:
        start = self.at
        name = self._tag()
        if name == "DefaultLayout":
            made = LayoutQualifier()
        elif name == "BuiltinLayout":
            number = self._scalar(I16, "meaning of a builtin variable", ".builtin")
            made = LayoutQualifier(builtin=number)
        elif name == "Layout":
            numbers: dict[str, Any] = {
                each.name: self._scalar(
                    cast("kinds.NumberField", each.kind).scalar, each.doc, f".{each.name}"
                )
                for each in LayoutQualifier.fields
            }
            made = LayoutQualifier(**numbers)
        else:
            raise self.error(f"expected a layout, got the command {name}", start)
        self.choose(("form", name), layout_form(made))
        return made

    # -- fields --------------------------------------------------------------------------------

    def _number(self, slot: kinds.Slot, values: list[Any]) -> int:
        kind = cast("kinds.NumberField", slot.kind)
        if kind.enum is Operator and not self.commands.operators:
            version = self.commands.version
            raise UnsupportedError(f"the operators of version {version} are not known")
        value = self._scalar(kind.scalar, slot.doc)
        if kind.enum is not None:
            member = member_of(kind.enum, value)
            if member is None:
                last = max(kind.enum)
                raise self.error(f"expected 0 to {last}, got {value}")
            value = cast("int", member)
            if self.traced:
                self.spans[-1] = self.spans[-1]._replace(value=value)
        return value

    def _numbers(self, slot: kinds.Slot, values: list[Any]) -> list[int]:
        enum = cast("kinds.NumbersField", slot.kind).enum
        found = []
        for index in range(self._scalar(U8, "number of components", ".count")):
            value = self._scalar(U8, slot.doc, f"[{index}]")
            member = member_of(enum, value)
            if member is None:
                raise self.error(f"expected 0 to {max(enum)}, got {value}")
            if self.traced:
                self.spans[-1] = self.spans[-1]._replace(value=member)
            found.append(cast("int", member))
        return found

    def _flag(self, slot: kinds.Slot, values: list[Any]) -> bool:
        value = self._scalar(U8, slot.doc)
        if value > 1:
            raise self.error(f"expected 0 or 1, got {value}")
        return bool(value)

    def _text(self, slot: kinds.Slot, values: list[Any]) -> str:
        return self._string("", slot.doc)

    def _literal(self, slot: kinds.Slot, values: list[Any]) -> float:
        if cast("kinds.LiteralField", slot.kind).is_float:
            value = f32_from_bits(self._scalar(U32, slot.doc))
            if self.traced:
                self.spans[-1] = self.spans[-1]._replace(value=value)
            return value
        unsigned = values[0].resolved.number is NumberKind.UNSIGNED
        return self._scalar(U32 if unsigned else I32, slot.doc)

    def _case(self, slot: kinds.Slot, values: list[Any]) -> int | None:
        is_default = self._scalar(U8, "1: the default", ".default")
        if is_default > 1:
            raise self.error(f"expected 0 or 1, got {is_default}")
        return None if is_default else self._scalar(I32, slot.doc)

    def _child(self, slot: kinds.Slot, values: list[Any]) -> TreeNode | None:
        kind = cast("kinds.ChildField", slot.kind)
        return self._command(kind.cls, kind.optional)

    def _children(self, slot: kinds.Slot, values: list[Any]) -> list[TreeNode]:
        kind = cast("kinds.ChildrenField", slot.kind)
        count = self._scalar(kind.counter, f"number of {slot.name}", ".count")
        return self._several(kind.cls, count)

    def _several(self, cls: type[TreeNode], count: int) -> list[TreeNode]:
        found: list[TreeNode] = []
        plain = cls.__name__ in UNTAGGED
        for index in range(count):
            if self.traced:
                self.path.append(f"[{index}]")
            found.append(self._node(cls) if plain else cast("TreeNode", self._command(cls)))
            if self.traced:
                self.path.pop()
        return found

    def _elements(self, slot: kinds.Slot, values: list[Any]) -> list[TreeNode]:
        start = self.at
        name = self._tag()
        if name != "Elements":
            raise self.error(f"expected the command Elements, got {name}", start)
        found: list[TreeNode] = []
        while self._peek() != "ElementsComplete":
            self.path.append(f"[{len(found)}]")
            found.append(cast("TreeNode", self._command(ProgramElement)))
            self.path.pop()
        self._tag()
        if self.traced:
            self.spans[-1] = self.spans[-1]._replace(path=self.spans[-1].path[:-7] + "end")
        return found

    def _reference(self, slot: kinds.Slot, values: list[Any]) -> Symbol:
        group = cast("kinds.ReferenceField", slot.kind).cls
        number = self._scalar(U16, slot.doc)
        found = self.numbered_symbol(group, number)
        self.choose(("refer", number), self.numbering.of_reference(found))
        return found

    def _references(self, slot: kinds.Slot, values: list[Any]) -> list[Any]:
        kind = cast("kinds.ReferencesField", slot.kind)
        count = self._scalar(U8, f"number of {slot.name}", ".count")
        if self.commands.full_parameters:
            return self._several(kind.cls, count)
        found = []
        for index in range(count):
            self.path.append(f"[{index}]")
            found.append(self._reference(slot, values))
            self.path.pop()
        return found

    def _named(self, slot: kinds.Slot, values: list[Any]) -> Symbol:
        found, choice = self._referred(cast("kinds.NamedField", slot.kind).cls)
        self.choose(choice, self.numbering.of_reference(found))
        return found

    def _names(self, slot: kinds.Slot, values: list[Any]) -> dict[str, Symbol]:
        owned: list[Symbol] = values[1]
        listed: list[int | str] = []
        for at in range(self._scalar(U16, "number of names", ".count")):
            index = self._scalar(U16, "index of the symbol; 65535: a name follows", f"[{at}]")
            if index == BUILTIN:
                listed.append(self._string(f"[{at}].name", "name of a builtin type"))
            elif index < len(owned):
                listed.append(index)
            else:
                raise self.error(f"expected an index of {len(owned)} symbols, got {index}")
        return self.names(listed, owned)


UNTAGGED = ("StructField", "SwitchCase")  # records in a command, without a byte of their own
