"""Field declarations of records: one function for each kind of field.

    count: u32 = field("0xFFFFFFFF: unbounded")
    name: str = pointer("of the variable", CString(), pool="names")
    size: u32 = derived("bytes of all that follows", "len(data)")

The first argument is the field's documentation. The functions return a `Field`, declared as `Any`
so that the annotation can be the value's type. The metaclass of records sets the field's name.
"""

from collections.abc import Callable
from types import UnionType
from typing import Any, Protocol, Union, cast, get_args, get_origin

from ..enums import IntEnum
from .types import (
    U32,
    Align,
    Array,
    Blob,
    CString,
    Integer,
    Nested,
    Pointer,
    Pool,
    Reference,
    Scalar,
    SharedTable,
    TableForm,
    TaggedUnion,
    Text,
    Trail,
    WireType,
)


class Spelling(Protocol):
    """A textual form of integers, such as a register's name or a small float.

    Records hold the number; spans, plain data and YAML show the spelling.
    """

    def shown(self, number: int) -> int | float | str:
        """Return the number as text or float; the number itself if it cannot be spelled."""

    def number(self, given: object, path: str) -> int:
        """Return the number for a spelling; raise FormatError with the path if it is invalid."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the results of `shown`."""


class Field:
    """One field of a record: name, wire type and other properties."""

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
        type_: WireType | None,
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
        self.type: WireType = cast(WireType, type_)
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
        """True if the value is a list, by default an empty one."""
        node = self.type.target if isinstance(self.type, Pointer) else self.type
        return isinstance(node, Array | SharedTable) and self.default is None


def field(
    doc: str,
    *,
    default: Any = None,
    enum: type[IntEnum] | None = None,
    spell: Spelling | None = None,
    when: str | None = None,
) -> Any:
    """Declare a number or nested record of the annotated type, present if `when` is true."""
    return Field(doc, None, default=default, enum=enum, spell=spell, when=when)


def magic(doc: str, first: bytes, *others: bytes) -> Any:
    """Declare constant bytes, or a choice of several; any other bytes are malformed."""
    choices = (first, *others)
    return Field(doc, Blob(len(first)), default=first, magic=choices)


def padding(doc: str, size: int | None = None) -> Any:
    """Declare zero padding: `size` bytes, or a number of the annotated type.

    Other values are kept and count as raw bytes.
    """
    if size is None:
        return Field(doc, None, default=0, is_padding=True)
    return Field(doc, Blob(size), default=bytes(size), is_padding=True)


def align(doc: str, to: int) -> Any:
    """Declare zeros up to a multiple of `to` bytes from the start of the record."""
    return Field(doc, Align(to), default=b"", is_padding=True)


def unknown(
    doc: str = "unknown meaning",
    *,
    default: Any = 0,
    when: str | None = None,
) -> Any:
    """Declare a number of unknown meaning; it counts as raw."""
    return Field(doc, None, default=default, when=when, unknown=True)


def derived(
    doc: str,
    expression: str,
    *,
    when: str | None = None,
    default: Any = None,
) -> Any:
    """Declare a number that is computed from other fields.

    The attribute is None if the file contains the computed number; any other number is kept and
    written.
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
    """Declare bytes: `size` is their number, None for all remaining bytes.

    Bytes count as raw unless `opaque` is false, as for a digest, which is a value.
    """
    return Field(doc, Blob(size), default=default, when=when, unknown=opaque)


def text(
    doc: str, size: str | int | None = None, *, default: Any = "", when: str | None = None
) -> Any:
    """Declare an inline string: NUL-terminated, or of `size` bytes."""
    return Field(doc, CString() if size is None else Text(size), default=default, when=when)


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
    """Declare consecutive items in place; see `types.Array`."""
    kind = Array(as_type(item), count, stride)
    return Field(doc, kind, default=default, spell=spell, when=when)


def nested(
    doc: str, record: Any, *, default: Any = None, when: str | None = None, **arguments: str
) -> Any:
    """Declare a record in place, with arguments for its parameters."""
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
    """Declare a record in place; the expression `tag` selects its type."""
    nodes = {key: cast(Nested, as_type(value)) for key, value in cases.items()}
    rest = None if other is None else cast(Nested, as_type(other))
    return Field(doc, TaggedUnion(tag, nodes, rest), default=default, when=when)


def pointer(
    doc: str,
    target: Any,
    *,
    slot: Any = U32,
    null: int | None = None,
    present: str | None = None,
    align: int | None = None,
    order: int | str = 0,
    children_first: bool = False,
    placed_after: int | str = 0,
    loose: bool = False,
    pool: str | None = None,
    share: bool = False,
    scope: Callable[[Any, Trail], object] | None = None,
    default: Any = None,
    when: str | None = None,
) -> Any:
    """Declare an offset by its target, which is the value; see `types.Pointer`."""
    kind = Pointer(
        as_type(target),
        cast(Scalar, as_type(slot)),
        null=null,
        present=present,
        align=align,
        order=order,
        children_first=children_first,
        placed_after=placed_after,
        loose=loose,
        pool=pool,
        share=share,
        scope=scope,
    )
    return Field(doc, kind, default=default, when=when, unknown=isinstance(kind.target, Blob))


def texts(doc: str, size: str, *, when: str | None = None, **walk: Any) -> Any:
    """Declare an offset of a string table that other pointers refer to; see `types.Pool`."""
    return Field(doc, Pool(size, **walk), when=when)


def table(doc: str, form: TableForm, size: str, *, when: str | None = None) -> Any:
    """Declare a table in place that references refer to; see `types.SharedTable`."""
    return Field(doc, SharedTable(form, size), when=when)


def reference(
    doc: str,
    table: str,
    form: TableForm,
    *,
    length: str | None = None,
    of: Reference | None = None,
    null: int | None = None,
    empty: Any = None,
    order: int = 0,
    default: Any = None,
    when: str | None = None,
) -> Any:
    """Declare a number that refers to contents of a table; see `types.Reference`."""
    kind = Reference(table, form, length=length, of=of, null=null, empty=empty, order=order)
    return Field(doc, kind, default=default, when=when, unknown=isinstance(kind.target, Blob))


def integer(doc: str, size: str, *, spell: Spelling | None = None, when: str | None = None) -> Any:
    """Declare an unsigned number of `size` bytes, an expression over earlier fields."""
    return Field(doc, Integer(size), default=0, spell=spell, when=when)


def sized(doc: str, pool: str, *, when: str | None = None) -> Any:
    """Declare the size of a string table in bytes; None if it is the computed size."""
    return Field(doc, None, derive=f"bytes({pool})", when=when)


def rest(doc: str = "fields of a newer version, which has longer records") -> Any:
    """Declare the bytes between the known fields of an array item and the end of its stride."""
    return Field(doc, Blob(None), default=b"", is_rest=True, unknown=True)


def as_type(given: Any) -> WireType:
    """Return the wire type for an annotation, a record class, its name, or a wire type."""
    if isinstance(given, WireType):
        return given
    if isinstance(given, str) or (isinstance(given, type) and hasattr(given, "layout")):
        return Nested(given)
    for extra in getattr(given, "__metadata__", ()):
        if isinstance(extra, WireType):
            return extra
    if get_origin(given) in (Union, UnionType):
        for choice in get_args(given):
            if choice is not type(None):
                return as_type(choice)
    raise TypeError(f"{given!r} is not a wire type")
