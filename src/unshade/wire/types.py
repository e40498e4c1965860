"""The types that a record's field can have on the wire. Little endian, nothing is aligned.

A scalar is written as an annotation (`size: u32`): type checkers see `int`, the record sees the
struct code. Everything that has a length or a place is an object of this module, given through the
field functions of `field.py`.
"""

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Self

if TYPE_CHECKING:
    from .record import Record


class Type:
    """Base of all wire types."""

    __slots__ = ()


class Scalar(Type):
    """A number of fixed width: `code` is its `struct` format, `size` its bytes."""

    __slots__ = ("code", "high", "is_float", "low", "name", "size")

    def __init__(self, name: str, code: str, size: int, low: int, high: int) -> None:
        self.name = name
        self.code = code
        self.size = size
        self.low = low
        self.high = high
        self.is_float = code in "fd"


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


class Blob(Type):
    """Raw bytes; `size` is an expression over earlier fields, None for all that is left."""

    __slots__ = ("size",)

    def __init__(self, size: str | int | None = None) -> None:
        self.size = None if size is None else str(size)


class CString(Type):
    """UTF-8 text up to a NUL. Bytes that are not UTF-8 survive as lone surrogates."""

    __slots__ = ()


class Nested(Type):
    """One record inside another, with the arguments of its parameters (expressions)."""

    __slots__ = ("arguments", "record")

    def __init__(self, record: "type[Record] | str", **arguments: str) -> None:
        self.record = record
        self.arguments = arguments


class Array(Type):
    """`count` items (an expression), one behind the other.

    `count` None means: as many as fit. `stride` is an expression for the bytes from one item to the
    next where the file states it; what a longer item holds behind the known fields goes to the
    item's `rest()` field.
    """

    __slots__ = ("count", "item", "stride")

    def __init__(
        self, item: Type, count: str | int | None = None, stride: str | None = None
    ) -> None:
        self.item = item
        self.count = None if count is None else str(count)
        self.stride = stride


class Pointer(Type):
    """An offset (`slot`) from the start of the region to where `target` stands.

    In an anchored record the offset counts from the record's own start.

    null     the offset that stands for "nothing there"; None where every offset counts
    present  an expression: whether the writer gives the target a place. Without it, a target with
             a `null` has a place unless it is None or an empty list
    loose    an array without items may be said to stand anywhere: such an offset is not looked at
    pool     the name of a `Pool` field of the record around: the offset counts from that pool's
             start, and the text has its place there

    The rest is how compilers lay targets out, which a writer must repeat (`region.py`):

    align    alignment of the target within the region: 4, for text 1
    order    a record's pointers are followed lowest order first, equals as declared; the texts of
             a pool stand lowest order first
    inward   what the target points at is placed before the target itself
    later    not 0: what the target points at is placed after all that stands beside the target,
             lowest number first
    share    equal targets have one place; text always has
    scope    `scope(target, trail)`: only targets of one scope share a place

    `order` and `later` may be expressions over the record's parameters: two writers, two walks.
    """

    __slots__ = (
        "align",
        "inward",
        "later",
        "loose",
        "null",
        "order",
        "pool",
        "present",
        "scope",
        "share",
        "slot",
        "target",
    )

    def __init__(
        self,
        target: Type,
        slot: Scalar = U32,
        *,
        null: int | None = None,
        present: str | None = None,
        align: int | None = None,
        order: int | str = 0,
        inward: bool = False,
        later: int | str = 0,
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
        self.inward = inward
        self.later = later
        self.loose = loose
        self.pool = pool
        self.share = share or isinstance(target, CString)
        self.scope = scope

    def resolved(self, arguments: Mapping[str, object]) -> Self:
        """The pointer with its walk as numbers, where expressions over parameters give them."""
        if not isinstance(self.order, str) and not isinstance(self.later, str):
            return self
        found = copy(self)
        for name in ("order", "later"):
            value = getattr(self, name)
            if isinstance(value, str):
                setattr(found, name, eval(value, {"__builtins__": {}}, dict(arguments)))
        return found


class Pool(Pointer):
    """An offset to a table of texts, one behind the other, which other pointers lead into.

    Its value is every text of the table in order; empty where that is what the pointers with this
    `pool` make of it: their texts lowest order first, equals as they are read, each once. `size`
    names the field that holds the bytes of the table (`record.sized`).
    """

    __slots__ = ("size",)

    def __init__(self, size: str, slot: Scalar = U32, **walk: Any) -> None:
        super().__init__(Array(CString()), slot, loose=True, **{"align": 4, **walk})
        self.size = size


class Trail:
    """How a writer came to a value: the record and field that hold it, and the trail to those.

    `memo` is for a `scope` that would otherwise work the same thing out for each of many items.
    """

    __slots__ = ("key", "memo", "outer", "record")

    def __init__(self, outer: "Trail | None", record: Any, key: str | int) -> None:
        self.outer = outer
        self.record = record
        self.key = key
        self.memo: Any = None

    def steps(self) -> int:
        """How many fields and items lie between the root and here."""
        steps, at = 1, self.outer
        while at is not None:
            steps, at = steps + 1, at.outer
        return steps

    def up(self, steps: int) -> "Trail | None":
        """The trail that many steps further out: two lead from an item to its list's record."""
        at: Trail | None = self
        for _ in range(steps):
            at = None if at is None else at.outer
        return at

    def __str__(self) -> str:
        outer = "" if self.outer is None else str(self.outer)
        return f"{outer}[{self.key}]" if isinstance(self.key, int) else f"{outer}.{self.key}"


class Switch(Type):
    """A record chosen by an expression over earlier fields; `other` where no case matches."""

    __slots__ = ("cases", "other", "tag")

    def __init__(self, tag: str, cases: "dict[int, Nested]", other: "Nested | None" = None) -> None:
        self.tag = tag
        self.cases = cases
        self.other = other
