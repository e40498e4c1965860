"""Placement of the targets of pointers: in the order of compilers, or as in a given file.

+--------+----------+-----+-------+
|  root  |  target  | pad | text  |     a chunk is encoded first with empty slots, which are
+--------+----------+-----+-------+     filled in when their targets are placed
"""

import struct
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from ..errors import EncodeError
from ..limits import DEFAULT
from .codegen import Arguments, bytes_of
from .floats import f32_to_bits
from .record import Placement, Record, RecordLayout
from .source import in_order
from .tables import NO_TABLES, RegionTables, tables_of
from .types import (
    Array,
    Blob,
    CString,
    Nested,
    Pointer,
    Pool,
    Reference,
    Scalar,
    TaggedUnion,
    Trail,
)
from .writing import encode_string, fill, write_rows, writer

COMPOSITE = (Record, list, tuple)
ATOMIC = frozenset((int, str, bytes, type(None)))  # types of values that are keys themselves


class Conflict(Exception):
    """Raised if values overlap, or the record does not fit the placement."""


class ChunkTargets(list[Any]):
    """The targets of the pointers in a chunk; `tables` are the tables of the region."""

    __slots__ = ("tables",)

    def __init__(self, tables: RegionTables) -> None:
        super().__init__()
        self.tables = tables


def _render(
    target: Any,
    node: Pointer,
    layout: RecordLayout,
    arguments: Arguments,
    stride: int | None,
    trail: Trail,
    tables: RegionTables,
) -> tuple[bytearray, "ChunkTargets"]:
    """Return the encoded target of a pointer, with empty slots, and the list of its targets."""
    out = bytearray()
    refs = ChunkTargets(tables)
    kind = node.target
    if isinstance(kind, CString):
        out += encode_string(target)
    elif isinstance(kind, Blob):
        out += target
    elif isinstance(kind, Nested):
        writer(layout.resolve(kind).layout, arguments)(target, out, refs, trail)
    elif isinstance(kind, TaggedUnion):
        writer(target.layout, arguments)(target, out, refs, trail)
    elif isinstance(kind, Array):
        if isinstance(kind.item, CString):
            for text in target:
                out += encode_string(text)
        elif isinstance(kind.item, Scalar):
            out += struct.pack(f"<{len(target)}{kind.item.code}", *target)
        elif isinstance(kind.item, Nested):
            item = layout.resolve(kind.item).layout
            if stride is None:
                write_rows(target, item, arguments, out, refs, trail)
                return out, refs
            put = writer(item, arguments)
            for index, each in enumerate(target):
                start = len(out)
                put(each, out, refs, Trail(trail, None, index))
                fill(out, start + stride)
        else:
            raise TypeError(f"an array of {type(kind.item).__name__} cannot be a target")
    return out, refs


def _order(ref: Any) -> int:
    order: int = ref[1].order
    return order


class StringTable:
    """A string table that is being written, with the slots that refer to it."""

    __slots__ = ("needs",)

    def __init__(self) -> None:
        self.needs: list[tuple[int, str, int, Any, Trail]] = []

    def texts(self, listed: list[str]) -> list[str]:
        """Return the strings of the table: those listed, then others that slots refer to."""
        needed = in_order([need[:2] for need in self.needs])
        return list(listed) + [text for text in needed if text not in set(listed)]


def pool_of(trail: Trail, name: str | None) -> tuple[Any, Trail]:
    """Return the enclosing record that contains the pool, and the trail to its field."""
    at: Trail | None = trail
    while at is not None:
        if at.record is not None and any(f.name == name for f in at.record.layout.pools()):
            return at.record, Trail(at.outer, at.record, name or "")
        at = at.outer
    raise TypeError(f"{trail}: no enclosing record has the pool {name}")


class PackedWriter:
    """A writer that appends targets in the order of compilers."""

    def __init__(self, pad: int, end: int, most: int | None = None) -> None:
        self.out = bytearray()
        self.most = most
        self.pad = pad
        self.end = end
        self.places: dict[object, int] = {}
        self.texts: dict[object, int] = {}
        self.frozen: dict[int, tuple[Any, int]] = {}  # by id, with the value that keeps it taken
        self.shapes: dict[object, int] = {}
        self.deferred: list[tuple[int, int, list[Any]]] = []
        self.tables: dict[int, StringTable] = {}  # by the id of the record that has the pool
        self.region_tables = NO_TABLES

    def write(self, record: Record, arguments: Arguments) -> bytes:
        self.region_tables = tables_of(record)
        root = ChunkTargets(self.region_tables)
        writer(record.layout, arguments)(record, self.out, root, None)
        try:
            self.follow(self.out, 0, root)
            while self.deferred:
                _, at, refs = heappop(self.deferred)
                self.follow(self.out, at, refs)
        except Conflict:  # longer than `most`
            return b""
        self.align(self.end)
        return bytes(self.out)

    def align(self, to: int) -> None:
        missing = -len(self.out) % to
        if missing:
            self.out += bytes([self.pad]) * missing

    def follow(self, holder: bytearray, base: int, refs: list[Any]) -> None:
        """Place the targets of a chunk's pointers and fill in their offsets."""
        for ref in sorted(refs, key=_order) if len(refs) > 1 else refs:
            node = ref[1]
            if type(node) is Pointer and node.pool is None:
                if ref[7]:
                    text = isinstance(node.target, CString)
                    at = self.place_text(ref) if text else self.place(*ref[1:7])
                    self.put_slot(holder, base, ref, at)
            elif isinstance(node, Reference):
                number = self.region_tables.number(ref[6].record, ref[6].key)
                node.slot.put(holder, base + ref[0], number)
            elif node.pool is not None:
                record, _ = pool_of(ref[6], node.pool)
                need = (node.order, ref[3], base + ref[0], node.slot, ref[6])
                self.tables.setdefault(id(record), StringTable()).needs.append(need)
            else:
                self.put_table(holder, base, ref)

    def put_slot(self, holder: bytearray, base: int, ref: Any, at: int) -> None:
        """Fill in an offset, from the start of the region or of the anchored record."""
        slot = ref[1].slot
        offset = at if ref[8] is None else at - base - ref[8]
        if not 0 <= offset <= slot.high:
            raise EncodeError(
                f"offset 0x{at:x} does not fit {slot.name}",
                path=str(ref[6]).lstrip("."),
            )
        slot.put(holder, base + ref[0], offset)

    def put_table(self, holder: bytearray, base: int, ref: Any) -> None:
        """Append a string table and fill in the slots that refer to it."""
        node, listed, trail = ref[1], ref[3], ref[6]
        table = self.tables.pop(id(trail.record), StringTable())
        texts = table.texts(listed)
        if texts or ref[7]:
            self.align(node.align)
            self.put_slot(holder, base, ref, len(self.out))
        places: dict[str, int] = {}
        start = len(self.out)
        for text in texts:
            places.setdefault(text, len(self.out) - start)
            self.out += encode_string(text)
        for _, text, at, slot, way in table.needs:
            if places[text] > slot.high:
                problem = f"offset 0x{places[text]:x} does not fit {slot.name}"
                raise EncodeError(problem, path=str(way).lstrip("."))
            slot.put(self.out, at, places[text])
        if ref[9] is not None:
            struct.pack_into("<I", holder, base + ref[9], len(self.out) - start)

    def place_text(self, ref: Any) -> int:
        """Append a string, unless it is there already; return its offset."""
        node, text = ref[1], ref[3]
        key = text
        if node.scope is not None:
            key = text, self.freeze(node.scope(text, ref[6]))
        at = self.texts.get(key)
        if at is None:
            if self.most is not None and len(self.out) > self.most:
                raise Conflict
            self.align(node.align)
            at = self.texts[key] = len(self.out)
            self.out += encode_string(text)
        return at

    def place(
        self,
        node: Pointer,
        layout: RecordLayout,
        target: Any,
        arguments: Arguments,
        stride: int | None,
        trail: Trail,
    ) -> int:
        key = None
        if node.share:
            scope = None if node.scope is None else node.scope(target, trail)
            item = node.target.item if isinstance(node.target, Array) else node.target
            shape = item if isinstance(item, Scalar) else type(node.target)
            key = (shape, arguments, stride, self.freeze(scope), self.freeze(target))
            found = self.places.get(key)
            if found is not None:
                return found
        if self.most is not None and len(self.out) > self.most:
            raise Conflict
        tables = self.region_tables
        chunk, refs = _render(target, node, layout, arguments, stride, trail, tables)
        if node.children_first:
            self.follow(chunk, 0, refs)
            self.align(node.align)
            at = len(self.out)
            self.out += chunk
        else:
            self.align(node.align)
            at = len(self.out)
            self.out += chunk
            if node.placed_after:
                if trail.steps() > 2 * DEFAULT.depth:
                    raise RecursionError(f"nested more than {2 * DEFAULT.depth} deep")
                heappush(self.deferred, (int(node.placed_after), at, refs))
            else:
                self.follow(self.out, at, refs)
        if key is not None:
            self.places[key] = at
        return at

    def freeze(self, value: Any) -> object:
        """Return a hashable key that is equal for equal values.

        Each distinct record or list becomes a number, so that comparing two of them takes constant
        time however much they share.
        """
        if isinstance(value, COMPOSITE):
            known = self.frozen.get(id(value))
            if known is None:
                if isinstance(value, Record):
                    inner = [getattr(value, f.name) for f in value.layout.fields]
                else:
                    inner = list(value)
                freeze = self.freeze
                parts = [each if type(each) in ATOMIC else freeze(each) for each in inner]
                shape = (type(value), *parts)
                known = value, self.shapes.setdefault(shape, len(self.shapes))
                self.frozen[id(value)] = known
            return type(value), known[1]
        if isinstance(value, float):
            return "f32", f32_to_bits(value)  # 0.0 and -0.0 are two values
        return bytes(value) if isinstance(value, bytearray) else value


class PlacedWriter:
    """A writer that puts targets at the offsets of a placement."""

    def __init__(self, placement: Placement, pad: int) -> None:
        self.placement = placement
        self.out = bytearray([pad]) * placement.size
        self.used = bytearray(placement.size)
        self.known: dict[object, Any] = {}
        self.tables: dict[int, StringTable] = {}
        self.region_tables = NO_TABLES
        self.sizes: list[tuple[int, Any, list[str]]] = []

    def write(self, record: Record, arguments: Arguments) -> bytes:
        chunk = bytearray()
        self.region_tables = tables_of(record)
        refs = ChunkTargets(self.region_tables)
        writer(record.layout, arguments)(record, chunk, refs, None)
        self.put(0, chunk, refs)
        for at, owner, listed in self.sizes:  # all strings are known by now
            texts = self.tables.get(id(owner), StringTable()).texts(listed)
            struct.pack_into("<I", self.out, at, bytes_of(texts))
        for at, raw in self.placement.fill.items():
            if any(self.used[at : at + len(raw)]):
                raise Conflict
            self.out[at : at + len(raw)] = raw
        return bytes(self.out)

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Yield the (start, end) of every run of unused bytes."""
        start = self.used.find(0)
        while start >= 0:
            stop = self.used.find(1, start)
            stop = len(self.used) if stop < 0 else stop
            yield start, stop
            start = self.used.find(0, stop)

    def put(self, at: int, chunk: bytearray, refs: list[Any]) -> None:
        offsets = []
        for ref in refs:
            node, trail = ref[1], ref[6]
            offset = self.place(trail)
            offsets.append(offset)
            start = 0
            if isinstance(node, Reference):
                if not self.region_tables.fits(trail.record, trail.key, offset):
                    raise Conflict
            elif node.pool is not None:
                record, way = pool_of(trail, node.pool)
                start = self.place(way)
                need = (node.order, ref[3], 0, node.slot, trail)
                self.tables.setdefault(id(record), StringTable()).needs.append(need)
            elif ref[8] is not None:
                start = at + ref[8]
            if isinstance(node, Pool) and ref[9] is not None:
                self.sizes.append((at + ref[9], trail.record, ref[3]))
            if not 0 <= offset - start <= node.slot.high:
                raise Conflict
            node.slot.put(chunk, ref[0], offset - start)
        end = at + len(chunk)
        if end > len(self.out):
            raise Conflict
        for index in range(at, end) if any(self.used[at:end]) else ():
            if self.used[index] and self.out[index] != chunk[index - at]:
                raise Conflict
        self.out[at:end] = chunk
        self.used[at:end] = b"\1" * len(chunk)
        for ref, offset in zip(refs, offsets, strict=True):
            self.target(offset, ref)

    def place(self, trail: Trail) -> int:
        """Return the offset of the target of the pointer at the end of this trail."""
        offset = self.placement.at.get(str(trail).lstrip("."))
        if offset is None:
            raise Conflict
        return offset

    def target(self, offset: int, ref: Any) -> None:
        _, node, layout, value, arguments, stride, trail, *_ = ref
        if isinstance(node, Reference):
            return
        if node.null == offset:
            if value:
                raise Conflict
            return
        if value is None:  # removed since
            raise Conflict
        count = len(value) if isinstance(value, list) else 0
        if node.loose and not count:
            return
        key = (offset, type(node.target), type(value), count)
        if key in self.known:  # shared: its own pointers are listed under the first path to it
            if self.known[key] is not value and self.known[key] != value:
                raise Conflict
            return
        self.known[key] = value
        tables = self.region_tables
        self.put(offset, *_render(value, node, layout, arguments, stride, trail, tables))
