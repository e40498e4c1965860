"""A binary record, declared once as a typed class.

    class DescriptorRange(Record, source="..."):
        '''One run of descriptors in a table.'''

        kind: u32 = field("what is bound", enum=RangeType)
        count: u32 = field("0xFFFFFFFF: unbounded")

From the declaration come the reader and the writer (`reading.py`, `writing.py`: compiled once per
class), the byte spans (`spans.py`), plain data (`data.py`), JSON Schema and the documentation table
(`schema.py`).

Expressions (`when`, `count`, `derived`, arguments) are strings of Python over the names of the
record's own fields and parameters. They are part of our classes, never of a file.

Parameters (`class Element(Record, params=("streamed",))`) are facts that a record does not hold
itself, such as the version that its container declares. A reader is compiled for each combination
of arguments, so a version costs nothing while reading.

Offsets count from the start of the region. Those of an anchored record
(`class Dvle(Record, anchored=True)`) count from the record itself, wherever it stands.
"""

import sys
from collections.abc import Callable
from enum import IntEnum
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Union, cast, get_args, get_origin

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
    if isinstance(given, str) or (isinstance(given, type) and issubclass(given, Record)):
        return Nested(given)
    for extra in getattr(given, "__metadata__", ()):
        if isinstance(extra, Type):
            return extra
    if get_origin(given) in (Union, UnionType):
        for choice in get_args(given):
            if choice is not type(None):
                return as_type(choice)
    raise TypeError(f"{given!r} is not a wire type")


class Layout:
    """The declaration of one record class as data, and its compiled forms, made when first used."""

    __slots__ = ("anchored", "cls", "compiled", "fields", "params", "source")

    def __init__(
        self,
        cls: type,
        fields: list[Field],
        params: tuple[str, ...],
        source: str,
        anchored: bool = False,
    ) -> None:
        self.anchored = anchored
        self.cls = cast("type[Record]", cls)
        self.fields = fields
        self.params = params
        self.source = source
        self.compiled: dict[object, Callable[..., Any]] = {}

    def resolve(self, node: Nested) -> "type[Record]":
        """The class that a nested field means; a name is looked up in the record's own module."""
        if isinstance(node.record, str):
            node.record = vars(sys.modules[self.cls.__module__])[node.record]
        return cast("type[Record]", node.record)

    def derives_from(self, count: str, f: "Field") -> bool:
        """Whether the field `count` is nothing but the length of `f`."""
        return any(g.name == count and g.derive == f"len({f.name})" for g in self.fields)

    def pools(self) -> list[Field]:
        """The fields that are tables of texts."""
        return [f for f in self.fields if isinstance(f.type, Pool)]

    @property
    def doc(self) -> str:
        """The class's own sentence."""
        return (self.cls.__doc__ or "").strip()


def _annotations(namespace: dict[str, Any]) -> dict[str, Any]:
    """The annotations of a class that is being made; from 3.14 on a function gives them."""
    if sys.version_info >= (3, 14) and "__annotations__" not in namespace:
        import annotationlib

        make = annotationlib.get_annotate_from_class_namespace(namespace)
        if make is None:
            return {}
        return annotationlib.call_annotate_function(make, annotationlib.Format.FORWARDREF)
    found: dict[str, Any] = namespace.get("__annotations__", {})
    return found


class RecordType(type):
    """Turns annotations into slots, and the field objects into the class's layout."""

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        params: tuple[str, ...] = (),
        source: str = "",
        anchored: bool = False,
    ) -> "RecordType":
        fields: list[Field] = []
        for key, annotation in _annotations(namespace).items():
            if not bases:  # Record itself: its annotations describe the class
                continue
            found = namespace.pop(key, None)
            if not isinstance(found, Field):
                raise TypeError(f"{name}.{key} needs a field(...) that documents it")
            if found.type is None:
                found.type = as_type(annotation)
            found.name = key
            fields.append(found)
        namespace["__slots__"] = tuple(f.name for f in fields)
        cls = super().__new__(mcls, name, bases, namespace)
        cls.layout = Layout(cls, fields, params, source, anchored)  # type: ignore[attr-defined]
        if fields:
            cls.__init__ = _constructor(fields)  # type: ignore[misc]
        return cls


class Record(metaclass=RecordType):
    """Base of every binary record. Equality is by value; every field is an attribute."""

    __slots__ = ()
    layout: ClassVar[Layout]

    if TYPE_CHECKING:

        def __init__(self, **values: Any) -> None:
            """Fields by name; one that is not given has its default."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in self.layout.fields)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = []
        for f in self.layout.fields:
            value = getattr(self, f.name)
            if isinstance(value, list):
                shown.append(f"{f.name}=[{len(value)}]")
            elif isinstance(value, bytes | bytearray) and len(value) > 16:
                shown.append(f"{f.name}=<{len(value)} bytes>")
            elif f.enum is not None and value in f.enum._value2member_map_:
                shown.append(f"{f.name}={f.enum(value).name}")
            elif value is not None:
                shown.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _constructor(fields: list[Field]) -> Callable[..., None]:
    """`__init__` with a default for every field; a list or a nested record is made anew."""
    names: dict[str, Any] = {}
    heads, lines = [], []
    for f in fields:
        fresh = "[]" if f.is_list else None
        if f.default is None and f.derive is None and f.when is None:
            if isinstance(f.type, Scalar):
                f.default = 0
            elif isinstance(f.type, Pointer) and isinstance(f.type.target, CString):
                f.default = "" if f.type.null is None else None
            elif isinstance(f.type, Pointer) and isinstance(f.type.target, Blob):
                f.default = b"" if f.type.null is None else None
        names[f"d_{f.name}"] = f.default
        heads.append(f"{f.name}=d_{f.name}")
        value = f"{fresh} if {f.name} is None else {f.name}" if fresh else f.name
        lines.append(f" self.{f.name} = {value}\n")
    exec(f"def __init__(self, {', '.join(heads)}):\n{''.join(lines)}", names)
    return cast("Callable[..., None]", names["__init__"])
