"""What the fields of a record are declared with: a function for each kind of field.

    count: u32 = field("0xFFFFFFFF: unbounded")
    name: str = pointer("of the variable", CString(), pool="names")
    size: u32 = derived("bytes of all that follows", "len(data)")

The first argument is the field's documentation. A function gives a `Field`, says `Any` so that the
annotation may name the value's type, and the record's metaclass fills in the field's own name.
"""

from collections.abc import Callable
from enum import IntEnum
from types import UnionType
from typing import Any, Protocol, Union, cast, get_args, get_origin

from .types import U32, Array, Blob, CString, Nested, Pointer, Pool, Scalar, Switch, Trail, Type


class Spelling(Protocol):
    """How a whole number is written where people read it: a register's name, a small float.

    Records hold the number; spans, plain data and YAML show the spelling.
    """

    def shown(self, number: int) -> int | float | str:
        """The number as text or float; the number itself where it has no spelling."""

    def number(self, given: object, path: str) -> int:
        """The number that was meant; FormatError with the path where that is none."""

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what `shown` gives."""


class Field:
    """One field of a record: its name, wire type and everything that is said about it."""

    __slots__ = (
        "default",
        "derive",
        "doc",
        "enum",
        "is_padding",
        "is_rest",
        "magic",
        "name",
        "spell",
        "type",
        "unknown",
        "when",
    )

    def __init__(
        self,
        doc: str,
        type_: Type | None,
        *,
        default: object = None,
        derive: str | None = None,
        enum: type[IntEnum] | None = None,
        is_padding: bool = False,
        is_rest: bool = False,
        magic: tuple[bytes, ...] = (),
        spell: "Spelling | None" = None,
        unknown: bool = False,
        when: str | None = None,
    ) -> None:
        self.name = ""
        self.type: Type = cast(Type, type_)
        self.doc = doc
        self.default = default
        self.derive = derive
        self.enum = enum
        self.is_padding = is_padding
        self.is_rest = is_rest
        self.magic = magic
        self.spell = spell
        self.unknown = unknown
        self.when = when

    @property
    def is_list(self) -> bool:
        """Whether its value is a list, empty where nothing is given or there."""
        node = self.type.target if isinstance(self.type, Pointer) else self.type
        return isinstance(node, Array) and self.default is None


def field(
    doc: str,
    *,
    default: Any = None,
    enum: type[IntEnum] | None = None,
    spell: Spelling | None = None,
    when: str | None = None,
) -> Any:
    """A number or a nested record; the annotation gives its type. `when`: present only if true."""
    return Field(doc, None, default=default, enum=enum, spell=spell, when=when)


def magic(doc: str, first: bytes, *others: bytes) -> Any:
    """Bytes that are always the same, or one of a few; reading refuses any other."""
    choices = (first, *others)
    return Field(doc, Blob(len(first)), default=first, magic=choices)


def padding(doc: str, size: int | None = None) -> Any:
    """Zeros that fill up: bytes, or the number that the annotation says.

    What else stands there is kept, and counts as raw: somebody means something by it.
    """
    if size is None:
        return Field(doc, None, default=0, is_padding=True)
    return Field(doc, Blob(size), default=bytes(size), is_padding=True)


def unknown(
    doc: str = "meaning unknown, kept",
    *,
    default: Any = 0,
    when: str | None = None,
) -> Any:
    """A number whose meaning nobody has found out. It counts as raw, not as understood."""
    return Field(doc, None, default=default, when=when, unknown=True)


def derived(
    doc: str,
    expression: str,
    *,
    when: str | None = None,
    default: Any = None,
) -> Any:
    """A number that follows from other fields. The attribute is None while it does.

    A file that holds another number keeps it: the attribute is then that number, and the writer
    obeys it.
    """
    return Field(doc, None, derive=expression, when=when, default=default)


def blob(
    doc: str,
    size: str | int | None = None,
    *,
    opaque: bool = True,
    default: Any = b"",
    when: str | None = None,
) -> Any:
    """Bytes; `size` None takes all that is left. Not `opaque`: one value, such as a digest."""
    return Field(doc, Blob(size), default=default, when=when, unknown=opaque)


def text(doc: str, *, default: Any = "", when: str | None = None) -> Any:
    """NUL-terminated text that stands in place."""
    return Field(doc, CString(), default=default, when=when)


def array(
    doc: str,
    item: Any,
    *,
    count: str | int | None = None,
    stride: str | None = None,
    default: Any = None,
    spell: Spelling | None = None,
    when: str | None = None,
) -> Any:
    """Items in place, one behind the other; see `types.Array`."""
    kind = Array(as_type(item), count, stride)
    return Field(doc, kind, default=default, spell=spell, when=when)


def nested(
    doc: str, record: Any, *, default: Any = None, when: str | None = None, **arguments: str
) -> Any:
    """A record in place, with arguments for its parameters."""
    return Field(doc, Nested(record, **arguments), default=default, when=when)


def switch(
    doc: str,
    tag: str,
    cases: "dict[int, Any]",
    *,
    other: Any = None,
    default: Any = None,
    when: str | None = None,
) -> Any:
    """The record that a tag chooses."""
    nodes = {key: cast(Nested, as_type(value)) for key, value in cases.items()}
    rest = None if other is None else cast(Nested, as_type(other))
    return Field(doc, Switch(tag, nodes, rest), default=default, when=when)


def pointer(
    doc: str,
    target: Any,
    *,
    slot: Any = U32,
    null: int | None = None,
    present: str | None = None,
    align: int | None = None,
    order: int | str = 0,
    inward: bool = False,
    later: int | str = 0,
    loose: bool = False,
    pool: str | None = None,
    share: bool = False,
    scope: Callable[[Any, Trail], object] | None = None,
    default: Any = None,
    when: str | None = None,
) -> Any:
    """What an offset points at; see `types.Pointer`. The offset itself is derived."""
    kind = Pointer(
        as_type(target),
        cast(Scalar, as_type(slot)),
        null=null,
        present=present,
        align=align,
        order=order,
        inward=inward,
        later=later,
        loose=loose,
        pool=pool,
        share=share,
        scope=scope,
    )
    return Field(doc, kind, default=default, when=when, unknown=isinstance(kind.target, Blob))


def texts(doc: str, size: str, *, when: str | None = None, **walk: Any) -> Any:
    """An offset to a table of texts that other pointers lead into; see `types.Pool`."""
    return Field(doc, Pool(size, **walk), when=when)


def sized(doc: str, pool: str, *, when: str | None = None) -> Any:
    """The bytes of a table of texts; None while that is what the table has."""
    return Field(doc, None, derive=f"bytes({pool})", when=when)


def rest(doc: str = "what a longer, newer record holds here") -> Any:
    """The bytes of an array item behind the known fields, where the file states a longer stride."""
    return Field(doc, Blob(None), default=b"", is_rest=True, unknown=True)


def as_type(given: Any) -> Type:
    """The wire type meant by an annotation, a record class, its name, or a type object."""
    if isinstance(given, Type):
        return given
    if isinstance(given, str) or (isinstance(given, type) and hasattr(given, "layout")):
        return Nested(given)
    for extra in getattr(given, "__metadata__", ()):
        if isinstance(extra, Type):
            return extra
    if get_origin(given) in (Union, UnionType):
        for choice in get_args(given):
            if choice is not type(None):
                return as_type(choice)
    raise TypeError(f"{given!r} is not a wire type")
