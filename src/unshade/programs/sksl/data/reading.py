"""Plain data to trees."""

from collections.abc import Callable, Mapping
from enum import IntFlag
from typing import Any, cast

from ....errors import EncodeError, FormatError
from ....isa.data import integer_from_data, list_from_data, mapping_from_data, nothing_left
from ....limits import DEFAULT
from ....wire.data import Plain, float_from_data, text_from_data
from ....wire.types import Scalar
from ..builtins import module, parent_of
from ..code import Code, command_set
from ..codec.building import OF_MODULES, TreeBuilder, wanted
from ..codec.commands import CURRENT, CommandSet
from ..codec.numbering import Choice, layout_form, modifiers_form
from ..codec.pool import PooledStrings
from ..codec.writer import write_commands
from ..tables.enumerations import LayoutFlag, ModifierFlag, SkslProgramKind
from ..tables.operators import OPERATORS, Operator
from ..tree import (
    LayoutQualifier,
    Modifiers,
    ModuleUnit,
    ProgramElement,
    ProgramUnit,
    Symbol,
    SymbolTable,
    TranslationUnit,
    TreeNode,
)
from ..tree import node as kinds
from .writing import default_names, is_single

__all__ = ["code_from_data"]

SPELLINGS = {row.spelling: number for number, row in enumerate(OPERATORS)}


def code_from_data(data: Plain, path: str = "") -> Code:
    """Return the program or module that plain data describes.

    Raises:
        FormatError: A value is invalid; with its path.
    """
    left = mapping_from_data(data, path)
    version = integer_from_data(left.pop("version", CURRENT), f"{path}.version")
    commands = command_set(version)
    strings = None
    if "strings" in left:
        listed = list_from_data(left.pop("strings"), f"{path}.strings")
        strings = [text_from_data(each, f"{path}.strings[{at}]") for at, each in enumerate(listed)]
    keys = [key for key in ("program", "module") if key in left]
    if len(keys) != 1:
        raise FormatError("expected one of program, module", path=path)
    reader = DataReader(f"{path}.{keys[0]}" if path else keys[0], commands)
    unit = reader.unit(left.pop(keys[0]), keys[0] == "program")
    nothing_left(left, path)
    try:  # what cannot be written is refused here, with its path
        write_commands(unit, PooledStrings(strings or ()), commands, reader.odd)
    except EncodeError as error:
        raise FormatError(error.problem, path=f"{reader.root}.{error.path}") from None
    return Code(unit, version, reader.odd, strings)


class DataReader(TreeBuilder):
    """The state of reading one tree."""

    def __init__(self, path: str, commands: CommandSet) -> None:
        super().__init__(DEFAULT, traced=True, system_types=commands.system_types)
        self.root = path
        self.full_parameters = commands.full_parameters
        self.read_slot: Mapping[type[kinds.FieldKind], Callable[[Any, Plain, list[Any]], Any]] = {
            kinds.NumberField: self._number,
            kinds.NumbersField: self._numbers,
            kinds.FlagField: self._flag,
            kinds.TextField: lambda slot, data, values: self._text(data),
            kinds.LiteralField: self._literal,
            kinds.CaseField: lambda slot, data, values: (
                None if data is None else self._integer(data)
            ),
            kinds.ChildField: self._child,
            kinds.ChildrenField: self._children,
            kinds.ElementsField: lambda slot, data, values: self._several(data, ProgramElement),
            kinds.ReferenceField: self._reference,
            kinds.ReferencesField: self._references,
            kinds.NamedField: self._reference,
            kinds.NamesField: lambda slot, data, values: {},
        }

    def error(self, problem: str) -> FormatError:
        where = self.where
        return FormatError(problem, path=f"{self.root}.{where}" if where else self.root)

    @property
    def at(self) -> str:
        """The whole path, for functions that raise errors."""
        return self.error("").path

    def unit(self, data: Plain, is_program: bool) -> TranslationUnit:
        """Return the root of the tree."""
        self.is_program = is_program
        if not is_program:
            self.table = module(OF_MODULES)
            return cast("ModuleUnit", self._node(ModuleUnit, data))
        kind = data.get("kind") if isinstance(data, dict) else None
        known = SkslProgramKind.__members__.get(str(kind), SkslProgramKind.GENERIC)
        self.table = parent_of(known)
        return cast("ProgramUnit", self._node(ProgramUnit, data))

    # -- commands ------------------------------------------------------------------------------

    def _command(self, group: type[TreeNode], data: Plain) -> TreeNode:
        if issubclass(group, Symbol):
            return self._symbol(group, data)
        if group is Modifiers:
            return self._modifiers(data)
        if group is LayoutQualifier:
            return self._layout(data)
        if is_single(group):
            return self._node(group, data)
        return self._node(self._class(group, data), data, "command")

    def _class(self, group: type[TreeNode], data: Plain) -> type[TreeNode]:
        given = mapping_from_data(data, self.at).get("command")
        found = _classes().get(given) if isinstance(given, str) else None
        if found is None or not issubclass(found, group):
            raise self.error(f"expected {wanted(group)}, got the command {given!r:.40}")
        return found

    def _node(self, cls: type[TreeNode], data: Plain, *taken: str) -> TreeNode:
        around = self.enter(cls)
        left = mapping_from_data(data, self.at)
        for key in taken:
            left.pop(key, None)
        number = None
        if cls.numbered:
            number = integer_from_data(left.pop("id", None), f"{self.at}.id")
            self.begin(number)
        values: list[Any] = []
        for each in cls.fields:
            self.path.append(f".{each.name}")
            values.append(self._slot(each, left, values))
            self.path.pop()
        made = cls(*values)
        if isinstance(made, SymbolTable):
            self._name(made, left.pop("names", None))
        nothing_left(left, self.at)
        self.leave(made, number, around)
        return made

    def _slot(self, slot: kinds.Slot, left: dict[str, Plain], values: list[Any]) -> Any:
        kind = slot.kind
        if isinstance(kind, kinds.NamesField):
            return {}  # read when the symbols are there
        if slot.name in left:
            return self.read_slot[type(kind)](slot, left.pop(slot.name), values)
        if isinstance(kind, kinds.ChildField) and (kind.optional or kind.cls in EMPTY):
            return None if kind.optional else self._command(kind.cls, {})
        if isinstance(kind, kinds.CaseField):
            return None
        if slot.required:
            raise self.error(f"{slot.name} is missing")
        return [] if slot.default == [] else slot.default

    def _symbol(self, group: type[TreeNode], data: Plain) -> TreeNode:
        if isinstance(data, dict) and data.get("command") == "SystemType":
            return self._system_type(data)
        if isinstance(data, dict) and "command" in data:
            return self._node(self._class(group, data), data, "command")
        found, choice = self._referred(group, data)
        self.choose(choice, self.numbering.of_symbol(found))
        return found

    def _system_type(self, data: Plain) -> Symbol:
        left = mapping_from_data(data, self.at)
        left.pop("command")
        number = integer_from_data(left.pop("id", None), f"{self.at}.id")
        self.begin(number)
        self.path.append(".name")
        name = self._text(left.pop("name", None))
        self.path.pop()
        nothing_left(left, self.at)
        return self.system_type(name, number)

    def _referred(self, group: type[TreeNode], data: Plain) -> tuple[Symbol, Choice]:
        if isinstance(data, int) and not isinstance(data, bool):
            return self.numbered_symbol(group, data), ("refer", data)
        self.path.append(".name")
        name = self._text(data)
        self.path.pop()
        return self.named_symbol(group, name), ("name", "")

    def _modifiers(self, data: Plain) -> Modifiers:
        left = mapping_from_data(data, self.at)
        self.path.append(".layout")
        layout = self._layout(left.pop("layout", {}))
        self.path.pop()
        flags = self._flags(left.pop("flags", []), ModifierFlag)
        made = Modifiers(layout=layout, flags=flags)
        self._form(left, modifiers_form(made))
        return made

    def _layout(self, data: Plain) -> LayoutQualifier:
        left = mapping_from_data(data, self.at)
        numbers: dict[str, Any] = {"flags": self._flags(left.pop("flags", []), LayoutFlag)}
        for each in LayoutQualifier.fields[1:]:
            if each.name in left:
                numbers[each.name] = self._integer(left.pop(each.name))
        made = LayoutQualifier(**numbers)
        self._form(left, layout_form(made))
        return made

    def _form(self, left: dict[str, Plain], normal: Choice) -> None:
        given = left.pop("form", normal[1])
        if given not in FORMS[normal[1]]:
            raise self.error(f"expected one of {', '.join(FORMS[normal[1]])}, got {given!r:.40}")
        self.choose(("form", given), normal)
        nothing_left(left, self.at)

    def _flags(self, data: Plain, kind: type[IntFlag]) -> int:
        found = 0
        for each in list_from_data(data, f"{self.at}.flags"):
            member = kind.__members__.get(each) if isinstance(each, str) else None
            number = integer_from_data(each, f"{self.at}.flags") if member is None else int(member)
            found |= number
        return found

    def _name(self, table: SymbolTable, given: Plain) -> None:
        """Fill in the names of a table, from a list or from its symbols."""
        self.path.append(".names")
        if given is None:
            table.names |= default_names(table.owned)
        else:
            listed: list[int | str] = []
            for index, each in enumerate(list_from_data(given, self.at)):
                self.path += [f"[{index}]", ".name"]
                listed.append(each if type(each) is int else self._text(each))
                del self.path[-2:]
            table.names |= self.names(listed, table.owned)
        self.path.pop()

    # -- fields --------------------------------------------------------------------------------

    def _integer(self, data: Plain) -> int:
        return integer_from_data(data, self.at)

    def _scalar(self, scalar: Scalar, data: Plain) -> int:
        value = self._integer(data)
        if not scalar.low <= value <= scalar.high:
            raise self.error(f"expected {scalar.low} to {scalar.high}, got {value}")
        return value

    def _number(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> int:
        kind = cast("kinds.NumberField", slot.kind)
        if kind.enum is None:
            return self._scalar(kind.scalar, data)
        if kind.enum is Operator:
            found = SPELLINGS.get(data) if isinstance(data, str) else None
            if found is None:
                raise self.error(f"expected an operator, got {data!r:.40}")
            return Operator(found)
        return self._member(kind.enum, data)

    def _member(self, enum: Any, data: Plain) -> int:
        member = enum.__members__.get(data) if isinstance(data, str) else None
        if member is None:
            raise self.error(f"expected one of {', '.join(enum.__members__)}, got {data!r:.40}")
        return cast("int", member)

    def _numbers(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> list[int]:
        enum = cast("kinds.NumbersField", slot.kind).enum
        return [self._member(enum, each) for each in list_from_data(data, self.at)]

    def _flag(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> bool:
        if not isinstance(data, bool):
            raise self.error(f"expected true or false, got {data!r:.40}")
        return data

    def _text(self, data: Plain) -> str:
        """Return a string, and keep its offset in the file."""
        if not isinstance(data, dict) or "offset" not in data:
            return text_from_data(data, self.at)
        left = dict(data)
        self.odd[self.where] = "offset", self._integer(left.pop("offset"))
        text = text_from_data(left.pop("text", None), self.at)
        nothing_left(left, self.at)
        return text

    def _case(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> int | None:
        return None if data is None else self._integer(data)

    def _literal(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> float:
        if cast("kinds.LiteralField", slot.kind).is_float:
            return float_from_data(data, self.at)
        return self._integer(data)

    def _child(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> TreeNode | None:
        kind = cast("kinds.ChildField", slot.kind)
        return None if data is None and kind.optional else self._command(kind.cls, data)

    def _children(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> list[TreeNode]:
        return self._several(data, cast("kinds.ChildrenField", slot.kind).cls)

    def _several(self, data: Plain, group: type[TreeNode]) -> list[TreeNode]:
        found = []
        for index, each in enumerate(list_from_data(data, self.at)):
            self.path.append(f"[{index}]")
            found.append(self._command(group, each))
            self.path.pop()
        return found

    def _reference(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> Symbol:
        return self._refer(cast("kinds.ReferenceField", slot.kind).cls, data)

    def _refer(self, group: type[TreeNode], data: Plain) -> Symbol:
        found, choice = self._referred(group, data)
        self.choose(choice, self.numbering.of_reference(found))
        return found

    def _references(self, slot: kinds.Slot, data: Plain, values: list[Any]) -> list[Any]:
        group = cast("kinds.ReferencesField", slot.kind).cls
        if self.full_parameters:
            return self._several(data, group)
        found = []
        for index, each in enumerate(list_from_data(data, self.at)):
            self.path.append(f"[{index}]")
            found.append(self._refer(group, each))
            self.path.pop()
        return found


EMPTY = (Modifiers, LayoutQualifier)  # left out if they say nothing
FORMS = {
    "DefaultModifiers": ("DefaultModifiers", "Modifiers8Bit", "Modifiers"),
    "Modifiers8Bit": ("Modifiers8Bit", "Modifiers"),
    "Modifiers": ("Modifiers",),
    "DefaultLayout": ("DefaultLayout", "BuiltinLayout", "Layout"),
    "BuiltinLayout": ("BuiltinLayout", "Layout"),
    "Layout": ("Layout",),
}


def _classes() -> dict[str, type[TreeNode]]:
    """Return the classes that have a command, by its name."""
    return command_set(CURRENT).by_name
