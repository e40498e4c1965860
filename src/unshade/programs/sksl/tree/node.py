"""Declarations of the nodes of a program tree, which are the commands of the binary format.

    class TernaryExpression(Expression, command=53):
        '''A choice: `test ? if_true : if_false`.'''

        test: Expression = child("Expression", "the condition, a bool")
        if_true: Expression = child("Expression", "value if the condition is true")
        if_false: Expression = child("Expression", "value if it is false")

A class is a command of the stream, and its fields follow the command's byte, in this order. The
codec, the spans of a hex dump, plain data, its schema and the documentation page are made from
these declarations. Fields that refer to symbols hold the symbol itself; numbers of symbols and
offsets of strings exist only in files (`codec`).

Nodes are compared by identity: two variables of one name and type are different variables.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar, cast, dataclass_transform

from ....enums import IntEnum
from ....lazy import Generated
from ....wire.shown import shown_list
from ....wire.types import U8, Scalar

__all__ = [
    "NODES",
    "CaseField",
    "ChildField",
    "ChildrenField",
    "ElementsField",
    "FlagField",
    "LiteralField",
    "NamedField",
    "NamesField",
    "NumberField",
    "NumbersField",
    "ReferenceField",
    "ReferencesField",
    "Slot",
    "TextField",
    "TreeNode",
    "child",
    "children",
    "extra",
    "flag",
    "number",
    "slot",
    "text",
    "walk",
]

NODES: dict[str, type["TreeNode"]] = {}  # every class by its name


class FieldKind:
    """Base class of the kinds of fields."""

    __slots__ = ()


class NumberField(FieldKind):
    """A number; with `enum`, a member of the enumeration."""

    __slots__ = ("enum", "scalar")

    def __init__(self, scalar: Scalar, enum: type[IntEnum] | None = None) -> None:
        self.scalar = scalar
        self.enum = enum


class NumbersField(FieldKind):
    """A byte that counts, then as many bytes, each a member of `enum`."""

    __slots__ = ("enum",)

    def __init__(self, enum: type[IntEnum]) -> None:
        self.enum = enum


class FlagField(FieldKind):
    """A byte that is 0 or 1."""

    __slots__ = ()


class TextField(FieldKind):
    """The offset of a string in the pool."""

    __slots__ = ()


class LiteralField(FieldKind):
    """Four bytes: a float, or an integer that is unsigned if the type of the literal is."""

    __slots__ = ("is_float",)

    def __init__(self, is_float: bool) -> None:
        self.is_float = is_float


class CaseField(FieldKind):
    """A byte that is 1 for `default`, else 0 and a signed number of 32 bits."""

    __slots__ = ()


class _OfGroup(FieldKind):
    __slots__ = ("group",)

    def __init__(self, group: str) -> None:
        self.group = group  # the class that the node must be of, or a subclass

    @property
    def cls(self) -> type["TreeNode"]:
        """The class of the nodes."""
        return NODES[self.group]


class ChildField(_OfGroup):
    """A command of a group; if `optional`, Void represents None."""

    __slots__ = ("optional",)

    def __init__(self, group: str, optional: bool = False) -> None:
        super().__init__(group)
        self.optional = optional


class ChildrenField(_OfGroup):
    """A number that counts (`counter`), then as many commands of a group."""

    __slots__ = ("counter",)

    def __init__(self, group: str, counter: Scalar = U8) -> None:
        super().__init__(group)
        self.counter = counter


class ElementsField(FieldKind):
    """The command ElementsField, elements, and the command ElementsComplete."""

    __slots__ = ()


class ReferenceField(_OfGroup):
    """The number of a symbol that has been written before."""

    __slots__ = ()


class ReferencesField(_OfGroup):
    """A byte that counts, then as many numbers of symbols."""

    __slots__ = ()


class NamedField(_OfGroup):
    """The number of a symbol, or 65535 and the name of a builtin one."""

    __slots__ = ()


class NamesField(FieldKind):
    """The names of a symbol table: indices of its symbols, or 65535 and the name of a builtin."""

    __slots__ = ()


class Slot:
    """One field of a node; `extra` is True for an attribute that no file has."""

    __slots__ = ("default", "doc", "extra", "kind", "name", "required", "since")

    def __init__(
        self, kind: FieldKind | None, doc: str, default: Any, required: bool, since: int = 0
    ) -> None:
        self.since = since  # the first version that has the field
        self.name = ""
        self.extra = kind is None
        self.kind = kind or FieldKind()
        self.doc = doc
        self.default = default
        self.required = required


_REQUIRED = object()


def slot(kind: FieldKind, doc: str, *, default: Any = _REQUIRED) -> Any:
    """Declare a field of some kind."""
    required = default is _REQUIRED
    return Slot(kind, doc, None if required else default, required)


def number(
    scalar: Scalar,
    doc: str,
    *,
    enum: type[IntEnum] | None = None,
    default: Any = _REQUIRED,
    since: int = 0,
) -> Any:
    """Declare a number, which versions before `since` do not have: there it is `default`."""
    found: Slot = slot(NumberField(scalar, enum), doc, default=default)
    found.since = since
    return found


def flag(doc: str, *, default: Any = _REQUIRED) -> Any:
    """Declare a byte that is True or False."""
    return slot(FlagField(), doc, default=default)


def text(doc: str, *, default: Any = _REQUIRED) -> Any:
    """Declare a string of the pool."""
    return slot(TextField(), doc, default=default)


def child(group: str, doc: str, *, optional: bool = False, default: Any = _REQUIRED) -> Any:
    """Declare a command in place; Void represents None if it is `optional`."""
    return slot(ChildField(group, optional), doc, default=default)


def children(group: str, doc: str, *, counter: Scalar = U8, default: Any = _REQUIRED) -> Any:
    """Declare a list of commands in place."""
    return slot(ChildrenField(group, counter), doc, default=default)


def extra(doc: str, *, default: Any, kw_only: bool = True) -> Any:
    """Declare an attribute that no file has, a keyword of the constructor."""
    return Slot(None, doc, default, required=False)


# A type checker takes a field for required unless its declaration has `default=`.
@dataclass_transform(
    eq_default=False,
    kw_only_default=True,
    field_specifiers=(slot, number, flag, text, child, children, extra),
)
class TreeNodeType(type):
    """Metaclass that turns field declarations into slots, a constructor and `fields`."""

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        command: int | None = None,
        numbered: bool = False,
    ) -> "TreeNodeType":
        own = [each for each in namespace.values() if isinstance(each, Slot)]
        for key in [key for key, each in namespace.items() if isinstance(each, Slot)]:
            cast("Slot", namespace.pop(key)).name = key
        namespace["__slots__"] = (
            *namespace.get("__slots__", ()),
            *(each.name for each in own),
        )
        before = [each for base in bases for each in getattr(base, "declared", ())]
        declared = tuple(sorted([*before, *own], key=lambda each: each.extra))
        namespace["__init__"] = Generated(lambda: _constructor(declared))
        cls = super().__new__(mcls, name, bases, namespace)
        found = cast("type[TreeNode]", cls)
        found.declared = declared
        found.fields = tuple(each for each in found.declared if not each.extra)
        found.command = command
        found.numbered = numbered
        NODES[name] = found
        return cls


def _constructor(declared: tuple[Slot, ...]) -> Callable[..., None]:
    """Return an `__init__` that takes the fields in order, then further attributes by keyword."""
    names: dict[str, Any] = {}
    heads, lines = ["self"], []
    optional = False
    for each in declared:
        fresh = repr(each.default) if isinstance(each.default, list | dict) else ""
        names[f"d_{each.name}"] = None if fresh else each.default
        if each.extra and "*" not in heads:
            heads.append("*")
        optional = optional or not each.required  # Python wants no other after these
        heads.append(f"{each.name}=d_{each.name}" if optional else each.name)
        value = f"{fresh} if {each.name} is None else {each.name}" if fresh else each.name
        lines.append(f"    self.{each.name} = {value}\n")
    exec(f"def __init__({', '.join(heads)}):\n{''.join(lines)}", names)
    return cast("Callable[..., None]", names["__init__"])


class TreeNode(metaclass=TreeNodeType):
    """A node of the tree.

    Class attributes:
        command: NumberField of the command in version 11; None if there is no command.
        numbered: True for symbols that have a number, which follows the command's byte.
        fields: The fields in the order of the file.
        declared: The fields, then attributes that are not stored in files.
        inner: Names of those attributes that hold nodes.

    Attributes:
        position: Start and end in the source text; None if there is none.
    """

    command: ClassVar[int | None]
    numbered: ClassVar[bool]
    fields: ClassVar[tuple[Slot, ...]]
    declared: ClassVar[tuple[Slot, ...]]
    inner: ClassVar[tuple[str, ...]] = ()
    position: tuple[int, int] | None = extra("start and end in the source text", default=None)

    def __repr__(self) -> str:
        shown = (f"{each.name}={_short(getattr(self, each.name, None))}" for each in self.fields)
        return f"{type(self).__name__}({', '.join(shown)})"


def _short(value: object) -> str:
    if isinstance(value, TreeNode):
        name = getattr(value, "name", None)
        return f"<{type(value).__name__}{f' {name}' if isinstance(name, str) else ''}>"
    return shown_list(value) if isinstance(value, list) else repr(value)


def walk(node: TreeNode) -> Iterator[TreeNode]:
    """Yield a node and all nodes in it, in the order of the file, without symbols and types."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        inner: list[TreeNode] = []
        for name in inner_fields(type(at)):
            value = getattr(at, name)
            inner += value if isinstance(value, list) else [value] if value else []
        waiting += reversed(inner)


@cache
def inner_fields(cls: type[TreeNode]) -> tuple[str, ...]:
    """Return the names of the fields that hold nodes, other than symbols, types and modifiers."""
    found = []
    for each in cls.fields:
        kind = each.kind
        if isinstance(kind, ChildField | ChildrenField):
            symbol = issubclass(kind.cls, (NODES["Symbol"], NODES["Modifiers"]))
            found += [] if symbol else [each.name]
        elif isinstance(kind, ElementsField):
            found.append(each.name)
    return (*found, *cls.inner)
