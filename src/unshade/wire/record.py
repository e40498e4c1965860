"""A binary record, declared once as a typed class.

    class DescriptorRange(Record, source="..."):
        '''One run of descriptors in a table.'''

        kind: u32 = field("what is bound", enum=RangeType)
        count: u32 = field("0xFFFFFFFF: unbounded")

The functions that declare fields are in `field.py`. From the declaration come the reader and the
writer (`reading.py`, `writing.py`: compiled once per class), the byte spans (`spans.py`), plain
data (`data.py`), JSON Schema and the documentation table (`schema.py`).

Expressions (`when`, `count`, `derived`, arguments) are Python expressions, as strings, over the
record's own fields and parameters. Expressions come from our classes, never from a file.

Parameters (`class Element(Record, params=("streamed",))`) are properties that the record does not
contain, such as the version that its container declares. A reader is compiled for each combination
of arguments, so versions cost nothing while reading.

Offsets count from the start of the region; in an anchored record
(`class Dvle(Record, anchored=True)`) from the start of the record.
"""

import sys
from collections.abc import Callable
from typing import Any, ClassVar, cast, dataclass_transform

from ..enums import member_of
from ..lazy import Generated, annotations_of
from ..tuples import NamedTuple
from .field import Field, as_type
from .shown import shown_list
from .types import Array, Blob, CString, Nested, Pointer, Pool, Scalar, TaggedUnion, WireType


class Placement(NamedTuple):
    """The layout of a region that differs from the default layout.

    `size` of the region, `at`: offset of the target of the pointer at each dotted path, `fill`:
    bytes by offset that belong to no field and are not the expected padding.
    """

    size: int
    at: dict[str, int]
    fill: dict[int, bytes]


class RecordLayout:
    """The declaration of one record class as data, with its readers and writers, made on demand."""

    __slots__ = ("anchored", "by_name", "cls", "compiled", "fields", "params", "source")

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
        self.by_name = {f.name: f for f in fields}
        self.params = params
        self.source = source
        self.compiled: dict[object, Callable[..., Any]] = {}

    def resolve(self, node: Nested) -> "type[Record]":
        """Return the class of a nested field; a name is looked up in the record's own module."""
        if isinstance(node.record, str):
            node.record = vars(sys.modules[self.cls.__module__])[node.record]
        return cast("type[Record]", node.record)

    def derives_from(self, count: str, f: "Field") -> bool:
        """Return True if the field `count` is derived as the length of `f`."""
        return any(g.name == count and g.derive == f"len({f.name})" for g in self.fields)

    def pools(self) -> list[Field]:
        """Return the fields that are string tables."""
        return [f for f in self.fields if isinstance(f.type, Pool)]

    @property
    def doc(self) -> str:
        """The docstring of the class."""
        return (self.cls.__doc__ or "").strip()

    def choices(self, node: TaggedUnion) -> "list[type[Record]]":
        """Return the records that a tag may choose, `other` last."""
        other = [] if node.other is None else [node.other]
        return [self.resolve(case) for case in (*node.cases.values(), *other)]

    def records_in(self, node: WireType) -> "list[type[Record]]":
        """Return the classes of the records in a field."""
        if isinstance(node, Pointer):
            return self.records_in(node.target)
        if isinstance(node, Array):
            return self.records_in(node.item)
        if isinstance(node, Nested):
            return [self.resolve(node)]
        return self.choices(node) if isinstance(node, TaggedUnion) else []


# Without `field_specifiers` every field has a default for a type checker, as it has one here: what
# appears after `=` is taken for it.
@dataclass_transform(eq_default=False, kw_only_default=True)
class RecordType(type):
    """Metaclass that turns annotations into slots and field objects into the class's layout."""

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
        for key, annotation in annotations_of(namespace).items():
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
        if fields:
            _set_defaults(fields)
            namespace["__init__"] = Generated(lambda: _constructor(fields))
        cls = super().__new__(mcls, name, bases, namespace)
        cls.layout = RecordLayout(cls, fields, params, source, anchored)  # type: ignore[attr-defined]
        return cls


class Record(metaclass=RecordType):
    """Base class of binary records. Equality is by value; every field is an attribute."""

    __slots__ = ()
    layout: ClassVar[RecordLayout]

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
                shown.append(f"{f.name}={shown_list(value)}")
            elif isinstance(value, bytes | bytearray) and len(value) > 16:
                shown.append(f"{f.name}=<{len(value)} bytes>")
            elif f.enum is not None and (member := member_of(f.enum, value)) is not None:
                shown.append(f"{f.name}={member.name}")
            elif value is not None:
                shown.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _set_defaults(fields: list[Field]) -> None:
    """Set the defaults of fields that are declared without one and that no value decides."""
    for f in fields:
        if f.default is None and f.derive is None and f.when is None:
            if isinstance(f.type, Scalar):
                f.default = 0
            elif isinstance(f.type, Pointer) and isinstance(f.type.target, CString):
                f.default = "" if f.type.null is None else None
            elif isinstance(f.type, Pointer) and isinstance(f.type.target, Blob):
                f.default = b"" if f.type.null is None else None


def _constructor(fields: list[Field]) -> Callable[..., None]:
    """Return an `__init__` with a default for every field; lists are created for each record."""
    names: dict[str, Any] = {}
    heads, lines = [], []
    for f in fields:
        fresh = "[]" if f.is_list else None
        names[f"d_{f.name}"] = f.default
        heads.append(f"{f.name}=d_{f.name}")
        value = f"{fresh} if {f.name} is None else {f.name}" if fresh else f.name
        lines.append(f" self.{f.name} = {value}\n")
    exec(f"def __init__(self, {', '.join(heads)}):\n{''.join(lines)}", names)
    return cast("Callable[..., None]", names["__init__"])
