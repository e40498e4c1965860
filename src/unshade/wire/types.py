"""Wire types of fields. All are little-endian and unaligned.

A scalar is declared by annotation (`size: u32`): type checkers see `int`, the record sees the
struct code. Types with a length or an offset are objects of this module, passed to the field
functions of `field.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from struct import Struct
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self

if TYPE_CHECKING:
    from .record import Record


class WireType:
    """Base class of all wire types."""

    __slots__ = ()


class Scalar(WireType):
    """A number of fixed width: `code` is its `struct` format, `size` its bytes.

    `put(buffer, offset, number)` stores a number.
    """

    __slots__ = ("code", "high", "is_float", "low", "name", "put", "size")

    def __init__(self, name: str, code: str, size: int, low: int, high: int) -> None:
        self.name = name
        self.code = code
        self.size = size
        self.low = low
        self.high = high
        self.is_float = code in "fd"
        self.put = Struct(f"<{code}").pack_into


U8 = Scalar("u8", "B", 1, 0, 0xFF)
U16 = Scalar("u16", "H", 2, 0, 0xFFFF)
U32 = Scalar("u32", "I", 4, 0, 0xFFFF_FFFF)
U64 = Scalar("u64", "Q", 8, 0, (1 << 64) - 1)
I8 = Scalar("i8", "b", 1, -(1 << 7), (1 << 7) - 1)
I16 = Scalar("i16", "h", 2, -(1 << 15), (1 << 15) - 1)
I32 = Scalar("i32", "i", 4, -(1 << 31), (1 << 31) - 1)
F32 = Scalar("f32", "f", 4, 0, 0)

u8 = Annotated[int, U8]
u16 = Annotated[int, U16]
u32 = Annotated[int, U32]
u64 = Annotated[int, U64]
i8 = Annotated[int, I8]
i16 = Annotated[int, I16]
i32 = Annotated[int, I32]
f32 = Annotated[float, F32]


class Integer(WireType):
    """An unsigned number of `size` bytes, an expression over earlier fields."""

    __slots__ = ("size",)
    name = "number"
    low, high = 0, (1 << 4096) - 1
    is_float = False

    def __init__(self, size: str) -> None:
        self.size = size


class Blob(WireType):
    """Raw bytes; `size` is an expression over earlier fields, None for all remaining bytes."""

    __slots__ = ("size",)

    def __init__(self, size: str | int | None = None) -> None:
        self.size = None if size is None else str(size)


class Align(WireType):
    """Bytes up to a multiple of `to` from the start of the record; empty if all are zero."""

    __slots__ = ("to",)

    def __init__(self, to: int) -> None:
        self.to = to


class CString(WireType):
    """A NUL-terminated UTF-8 string. Invalid bytes are kept as lone surrogates."""

    __slots__ = ()


class Text(WireType):
    """UTF-8 text of `size` bytes, an expression over earlier fields. Invalid bytes are kept."""

    __slots__ = ("size",)

    def __init__(self, size: str | int) -> None:
        self.size = str(size)


class Nested(WireType):
    """A record inside another, with expressions as arguments for its parameters."""

    __slots__ = ("arguments", "record")

    def __init__(self, record: "type[Record] | str", **arguments: str) -> None:
        self.record = record
        self.arguments = arguments


class Array(WireType):
    """Consecutive items.

    `count` is an expression; None means as many as fit. `stride` is an expression for the distance
    between items in bytes, if the file specifies it; bytes after the known fields of a longer item
    go to its `rest()` field.
    """

    __slots__ = ("count", "item", "stride")

    def __init__(
        self, item: WireType, count: str | int | None = None, stride: str | None = None
    ) -> None:
        self.item = item
        self.count = None if count is None else str(count)
        self.stride = stride


class Pointer(WireType):
    """An offset (`slot`) of `target`, from the start of the region.

    In an anchored record the offset counts from the start of the record.

    null     the offset that means "no target"; None if every offset is valid
    present  an expression: true if the writer places the target. Without it, a pointer with `null`
             places its target unless that is None or an empty list
    loose    the offset of an array without items may be anything and is ignored
    pool     the name of a `Pool` field of an enclosing record: the offset counts from the start of
             that pool, which holds the string

    The rest describes the layout of targets, which a writer must reproduce (`region.py`):

    align           alignment of the target within the region: 4, for strings 1
    order           a record's pointers are followed in ascending order, equals as declared; so are
                    the strings of a pool
    children_first  targets of the target are placed before the target itself
    placed_after    if not 0, targets of the target are placed after all of its siblings, in
                    ascending order of this number
    share           equal targets are placed once; strings always are
    scope           `scope(target, trail)`: only targets of the same scope are shared

    `order` and `placed_after` may be expressions over the record's parameters, for writers that
    differ in their layout.
    """

    __slots__ = (
        "align",
        "children_first",
        "loose",
        "null",
        "order",
        "placed_after",
        "pool",
        "present",
        "scope",
        "share",
        "slot",
        "target",
    )

    def __init__(
        self,
        target: WireType,
        slot: Scalar = U32,
        *,
        null: int | None = None,
        present: str | None = None,
        align: int | None = None,
        order: int | str = 0,
        children_first: bool = False,
        placed_after: int | str = 0,
        loose: bool = False,
        pool: str | None = None,
        share: bool = False,
        scope: "Callable[[Any, Trail], object] | None" = None,
    ) -> None:
        self.target = target
        self.slot = slot
        self.null = null
        self.present = present
        self.align = align or (1 if isinstance(target, CString) else 4)
        self.order = order
        self.children_first = children_first
        self.placed_after = placed_after
        self.loose = loose
        self.pool = pool
        self.share = share or isinstance(target, CString)
        self.scope = scope

    def resolved(self, arguments: Mapping[str, object]) -> Self:
        """Return the pointer with `order` and `placed_after` evaluated for these arguments."""
        if not isinstance(self.order, str) and not isinstance(self.placed_after, str):
            return self
        found = copy(self)
        for name in ("order", "placed_after"):
            value = getattr(self, name)
            if isinstance(value, str):
                setattr(found, name, eval(value, {"__builtins__": {}}, dict(arguments)))
        return found


class Pool(Pointer):
    """An offset of a table of consecutive strings that other pointers refer to.

    Its value is the list of all strings. The list is empty if the table holds exactly the strings
    of the pointers with this `pool`, once each, in ascending `order` (ties in reading order).
    `size` names the field with the size of the table in bytes (`field.sized`).
    """

    __slots__ = ("size",)

    def __init__(self, size: str, slot: Scalar = U32, **walk: Any) -> None:
        super().__init__(Array(CString()), slot, loose=True, **{"align": 4, **walk})
        self.size = size


Built = tuple[bytes, list[int]]  # a table, and the place of each value in it


class TableForm(Protocol):
    """A form of tables.

    Attributes:
        item: Type of an item in the list of all items.
        unit: Bytes per unit of the declared size.
        value: Type of the contents that a reference refers to.
    """

    item: WireType
    unit: int
    value: WireType

    def items(self, data: bytes) -> list[Any]:
        """Return all items; raise ValueError if the table does not consist of items."""

    def encode(self, items: Sequence[Any]) -> bytes:
        """Return the table of these items."""

    def get(self, data: bytes, place: int, length: int) -> Any:
        """Return the value at a place; raise ValueError if the place is invalid."""

    def build(self, values: Sequence[Any], listed: bytes) -> Built:
        """Return a table that contains the values; it begins with `listed` if that is not empty."""


class SharedTable(WireType):
    """A table in place that references of the region share; its value is a list of items.

    The list is empty if the table is the table that a writer builds from the references. `size` is
    an expression for the number of units.
    """

    __slots__ = ("form", "size")

    def __init__(self, form: TableForm, size: str) -> None:
        self.form = form
        self.size = size


class Reference(Pointer):
    """A number (`slot`) that refers to contents of a `SharedTable`, which are the value.

    table   the name of the field that is the table, anywhere in the region
    form    the form of that table
    length  the name of the field of the record with the number of items
    of      the items are themselves references: the numbers of texts in another table
    null    the number of an absent value, which is read as `empty` or an empty list
    order   contents are added to a table in ascending order of this number, equals as declared
    """

    __slots__ = ("empty", "form", "length", "of", "table")
    form: TableForm

    def __init__(
        self,
        table: str,
        form: TableForm,
        *,
        length: str | None = None,
        of: "Reference | None" = None,
        null: int | None = None,
        empty: Any = None,
        order: int = 0,
    ) -> None:
        target = form.value if of is None else Array(of.form.value)
        super().__init__(target, null=null, order=order)
        self.table = table
        self.form = form
        self.length = length
        self.of = of
        self.empty = empty


class Trail:
    """The path from the root to a value while it is written: record, field or index, outer trail.

    `memo` caches a result for a `scope` function that is called for many items.
    """

    __slots__ = ("key", "memo", "outer", "record")

    def __init__(self, outer: "Trail | None", record: Any, key: str | int) -> None:
        self.outer = outer
        self.record = record
        self.key = key
        self.memo: Any = None

    def steps(self) -> int:
        """Return the number of fields and items from the root to here."""
        steps, at = 1, self.outer
        while at is not None:
            steps, at = steps + 1, at.outer
        return steps

    def up(self, steps: int) -> "Trail | None":
        """Return the trail `steps` further out; 2 lead from an item to the record of its list."""
        at: Trail | None = self
        for _ in range(steps):
            at = None if at is None else at.outer
        return at

    def __str__(self) -> str:
        outer = "" if self.outer is None else str(self.outer)
        return f"{outer}[{self.key}]" if isinstance(self.key, int) else f"{outer}.{self.key}"


class TaggedUnion(WireType):
    """A record chosen by the expression `tag` over earlier fields; `other` if no case matches."""

    __slots__ = ("cases", "other", "tag")

    def __init__(self, tag: str, cases: "dict[int, Nested]", other: "Nested | None" = None) -> None:
        self.tag = tag
        self.cases = cases
        self.other = other
