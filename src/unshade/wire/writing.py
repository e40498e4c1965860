"""Compilation of a record's layout into a writer.

A writer appends the record to a bytearray and lists the targets of its pointers; `placement.py`
places them.
"""

import struct
from collections.abc import Callable, Iterable
from typing import Any, cast

from .codegen import (
    NO_ARGUMENTS,
    Arguments,
    FunctionSource,
    is_run,
    names_in,
    struct_code,
    switch_texts,
)
from .field import Field
from .floats import f32_to_bits
from .record import RecordLayout
from .types import (
    Align,
    Array,
    Blob,
    CString,
    Integer,
    Nested,
    Pointer,
    Pool,
    Scalar,
    SharedTable,
    TaggedUnion,
    Text,
    Trail,
    WireType,
)

Writer = Callable[..., None]


def writer(layout: RecordLayout, arguments: Arguments = NO_ARGUMENTS) -> Writer:
    """Return `write(record, out, refs, path)`, which appends to `out`, and targets to `refs`."""
    key = (arguments, "write")
    found = layout.compiled.get(key)
    if found is None:
        found = _WriterSource(layout, arguments).compile()
        layout.compiled[key] = found
    return found


def row_writer(
    layout: RecordLayout, arguments: Arguments = NO_ARGUMENTS
) -> Callable[[Iterable[Any]], bytes] | None:
    """Return `put(records) -> bytes` for a record that is one fixed run of numbers, else None."""
    key = (arguments, "put")
    if key not in layout.compiled:
        layout.compiled[key] = cast(Any, _WriterSource(layout, arguments).compile_rows())
    return cast("Callable[[Iterable[Any]], bytes] | None", layout.compiled[key])


class _WriterSource(FunctionSource):
    def __init__(self, layout: RecordLayout, arguments: Arguments) -> None:
        super().__init__(layout, arguments)
        self.names["bits_of"] = f32_to_bits
        self.names["Trail"] = Trail

    def compile(self) -> Writer:
        if self.layout.anchored or any(isinstance(f.type, Align) for f in self.present):
            self.add("anchor = len(out)")
        used: set[str] = set()
        for f in self.present:
            for text in self._texts(f):
                used |= names_in(text)
        for f in self.present:
            if f.name in used:
                self.add(f"f_{f.name} = o.{f.name}")
        for f in self.present:
            if self._is_size(f):
                self.add(f"m_{f.name} = 0")
            elif f.name in used and f.derive is not None:
                self.add(f"if f_{f.name} is None: f_{f.name} = {self.expression(f.derive)}")
        for f in self.layout.fields:
            if f not in self.present:
                self._absent(f, 1)
        for name in sorted(self.measured):
            self.add(f"s_{name} = 0")
        for run, single in self.runs():
            if run:
                self._run(run, 1)
            if single is not None:
                self._single(single)
        for f in self.present:
            if self._is_size(f):  # known only now
                pack = self.bind(struct.Struct("<" + struct_code(f.type)).pack_into)
                size = self.expression(cast(str, f.derive))
                self.add(
                    f"if o.{f.name} is None and m_{f.name}: {pack}(out, m_{f.name} - 1, {size})"
                )
        if not self.lines:
            self.add("pass")
        return self.finish("def write(o, out, refs, path):", "write")

    def _single(self, f: Field) -> None:
        """Generate code for a field outside a run: conditional, or of variable size."""
        depth = 1
        if self._decided(f) is None:
            self.add(f"if {self.expression(cast(str, f.when))}:")
            depth = 2
        measured = f.name in self.measured
        if measured:
            self.add(f"s_{f.name} = len(out)", depth)
        if is_run(f.type):
            self._run([f], depth)
        elif isinstance(f.type, SharedTable):
            self.add(f"out += refs.tables.content.get({f.name!r}, b'')", depth)
        else:
            self._counted(f, f.type, depth)
            self._value(f.type, f"o.{f.name}", depth, f"Trail(path, o, {f.name!r})")
        if measured:
            self.add(f"s_{f.name} = len(out) - s_{f.name}", depth)
        if depth == 2:
            self.add("else:")
            self._absent(f, 2)

    def _is_size(self, f: Field) -> bool:
        """Return True if the field is a size that is filled in after the sized fields."""
        return f.derive is not None and "size" in names_in(f.derive)

    def compile_rows(self) -> Callable[[Iterable[Any]], bytes] | None:
        plain = not self.layout.anchored and all(
            self._decided(f) is True
            and isinstance(f.type, Scalar)
            and not f.type.is_float
            and f.derive is None
            for f in self.present
        )
        if not plain or not self.present or len(self.present) < len(self.layout.fields):
            return None
        packed = struct.Struct("<" + "".join(struct_code(f.type) for f in self.present))
        values = ", ".join(f"o.{f.name}" for f in self.present)
        self.add(f"return b''.join([{self.bind(packed.pack)}({values}) for o in items])")
        return self.finish("def put(items):", "put")

    def _texts(self, f: Field) -> list[str]:
        found = [t for t in (f.when, f.derive) if t]
        node = f.type
        if isinstance(node, Nested):
            found += node.arguments.values()
        if isinstance(node, TaggedUnion):
            found += switch_texts(node)
        if isinstance(node, Array) and isinstance(node.item, Nested):
            found += node.item.arguments.values()
        if isinstance(node, Array) and isinstance(node.item, TaggedUnion):
            found += switch_texts(node.item)
        if isinstance(node, Pointer):
            target = node.target.item if isinstance(node.target, Array) else node.target
            if isinstance(target, Nested):
                found += target.arguments.values()
            if isinstance(target, TaggedUnion):
                found += switch_texts(target)
        if isinstance(node, Array) and isinstance(node.item, Pointer):
            each = node.item.target
            if isinstance(each, Nested):
                found += each.arguments.values()
        node = node.target if isinstance(node, Pointer) else node
        if isinstance(node, Array):
            found += [t for t in (node.count, node.stride) if t]
            node = node.item
        if isinstance(node, Blob | Integer | Text) and node.size:
            found.append(node.size)
        return found

    def _run(self, run: list[Field], depth: int) -> None:
        values = []
        packed = struct.Struct("<" + "".join(struct_code(f.type) for f in run))
        offset = 0
        sizes = {pool.size for _, pool in self.pools}
        for f in run:
            if isinstance(f.type, Pointer):
                self._counted(f, f.type.target, depth)
        for f in run:
            size = struct.calcsize("<" + struct_code(f.type))
            if isinstance(f.type, Pointer):
                size_at = self._size_slot(f.type, run)
                trail = f"Trail(path, o, {f.name!r})"
                place = f"len(out) + {offset}"
                add = (f, f.type, f"o.{f.name}", place, trail, depth, size_at)
                values.append(self._pointer(*add))
            elif self._is_size(f):
                self.add(f"m_{f.name} = len(out) + {offset + 1}", depth)
                values.append(f"o.{f.name} or 0")
            elif f.name in sizes:  # filled in when the strings are placed
                values.append(f"o.{f.name} or 0")
            elif f.derive is not None:
                derive = self.expression(f.derive)
                values.append(f"{derive} if o.{f.name} is None else o.{f.name}")
            elif isinstance(f.type, Scalar) and f.type.is_float:
                values.append(f"bits_of(o.{f.name})")
            elif isinstance(f.type, Blob):
                self.names.setdefault("exactly", exactly)
                values.append(f"exactly(o.{f.name}, {f.type.size}, {f.name!r})")
            else:
                values.append(f"o.{f.name}")
            offset += size
        self.add(f"out += {self.bind(packed.pack)}({', '.join(values)})", depth)

    def _absent(self, f: Field, depth: int) -> None:
        """Generate code that rejects a value of a field that this version lacks."""
        self.names.setdefault("absent", absent)
        nothing = self.bind([] if f.is_list else f.default)
        self.add(f"if o.{f.name} != {nothing}: absent({f.name!r})", depth)

    def _counted(self, f: Field, node: WireType, depth: int) -> None:
        """Generate code that rejects a number of items or bytes that is not in its count field.

        A count that is derived from them needs no check: it is right, or set on purpose.
        """
        count = node.count if isinstance(node, Array) else None
        count = node.size if isinstance(node, Blob | Text) else count
        if count is None or self.layout.derives_from(count, f):
            return
        if any(self._is_size(g) and g.name in names_in(count) for g in self.present):
            return  # the size follows from the field
        self.names.setdefault("counted", counted)
        null = isinstance(f.type, Pointer) and f.type.null is not None
        test = f"if o.{f.name}: " if null else ""
        raw = ".encode('utf-8', 'surrogateescape')" if isinstance(node, Text) else ""
        value = f"len(o.{f.name}{raw})"
        declared = self.expression(count, "o.") if count.isdigit() else self.expression(count)
        self.add(f"{test}counted({value}, {declared}, {f.name!r})", depth)

    def _chosen(self, f: Field, node: TaggedUnion, depth: int) -> None:
        """Generate code that rejects a record whose class is not the class that the tag chooses."""
        self.names.setdefault("chosen", chosen)
        cases = {key: self.layout.resolve(case) for key, case in node.cases.items()}
        other = None if node.other is None else self.layout.resolve(node.other)
        call = f"chosen(o.{f.name}, {self.expression(node.tag)}"
        self.add(f"{call}, {self.bind(cases)}, {self.bind(other)}, {f.name!r})", depth)

    def _size_slot(self, node: Pointer, run: list[Field]) -> str:
        """Return code for the offset of a table's size, or None if the size is set explicitly."""
        if not isinstance(node, Pool):
            return "None"
        offset = 0
        for f in run:
            if f.name == node.size:
                return f"len(out) + {offset} if o.{f.name} is None else None"
            offset += struct.calcsize("<" + struct_code(f.type))
        raise TypeError(f"{self.layout.cls.__name__}.{node.size} must be next to its pool")

    def _pointer(
        self,
        f: Field,
        node: Pointer,
        value: str,
        place: str,
        trail: str,
        depth: int,
        size_at: str = "None",
    ) -> str:
        """Generate code that lists the target of a slot; the slot is filled in afterwards."""
        node = node.resolved(self.arguments)
        target = node.target
        arguments = "()"
        stride = "None"
        item = target.item if isinstance(target, Array) else target
        if isinstance(item, Nested):
            arguments, _ = self.call_key(item)
        if isinstance(item, TaggedUnion):
            arguments = "()" if item.other is None else self.call_key(item.other)[0]
            for key, case in item.cases.items():
                given, _ = self.call_key(case)
                arguments = f"{given} if {self.expression(item.tag)} == {key} else ({arguments})"
            self._chosen(f, item, depth)
        if isinstance(target, Array) and target.stride:
            stride = self.expression(target.stride)
        present = (
            "False" if isinstance(node, Pool) else "True"
        )  # pools with strings are placed anyway
        if node.present is not None:
            present = self.expression(node.present, "o.")
        elif node.null is not None:
            present = f"bool({value})" if isinstance(target, Array) else f"{value} is not None"
        anchor = "anchor" if self.layout.anchored else "None"
        what = f"{place}, {self.bind(node)}, {self.bind(self.layout)}, {value}"
        how = f"{arguments}, {stride}, {trail}, {present}, {anchor}, {size_at}"
        self.add(f"refs.append(({what}, {how}))", depth)
        return str(node.null or 0)

    def _value(self, node: WireType, value: str, depth: int, path: str) -> None:
        add = self.add
        if isinstance(node, Blob):
            add(f"out += {value}", depth)
        elif isinstance(node, Align):
            add(f"out += {value} or b'\\0' * ((anchor - len(out)) % {node.to})", depth)
        elif isinstance(node, Integer):
            add(f"out += ({value}).to_bytes({self.expression(node.size)}, 'little')", depth)
        elif isinstance(node, CString):
            self.names.setdefault("encode", encode_string)
            add(f"out += encode({value})", depth)
        elif isinstance(node, Text):
            add(f"out += {value}.encode('utf-8', 'surrogateescape')", depth)
        elif isinstance(node, Nested):
            self._record(node, value, depth, path)
        elif isinstance(node, TaggedUnion):
            word = "if"
            for key, case in node.cases.items():
                add(f"{word} {self.expression(node.tag)} == {key}:", depth)
                self._record(case, value, depth + 1, path)
                word = "elif"
            add("else:", depth)
            if node.other is not None:
                self._record(node.other, value, depth + 1, path)
            else:
                add("raise ValueError('no such case')", depth + 1)
        elif isinstance(node, Array):
            if isinstance(node.item, Scalar) and not node.item.is_float:
                self.names.setdefault("pack", struct.pack)
                add(f"out += pack(f'<{{len({value})}}{node.item.code}', *{value})", depth)
                return
            if isinstance(node.item, Nested) and not node.stride:
                self.names.setdefault("write_rows", write_rows)
                layout = self.layout.resolve(node.item).layout
                code, _ = self.call_key(node.item)
                add(f"write_rows({value}, {self.bind(layout)}, {code}, out, refs, {path})", depth)
                return
            if isinstance(node.item, Pointer):
                self._pointers(node.item, value, depth, path)
                return
            add(f"for index, item in enumerate({value}):", depth)
            if node.stride:
                add("stop = len(out)", depth + 1)
            self._value(node.item, "item", depth + 1, f"Trail({path}, None, index)")
            if node.stride:
                self.names.setdefault("fill", fill)
                add(f"fill(out, stop + {self.expression(node.stride)})", depth + 1)
        else:
            packed = struct.Struct("<" + struct_code(node))
            value = f"bits_of({value})" if isinstance(node, Scalar) and node.is_float else value
            add(f"out += {self.bind(packed.pack)}({value})", depth)

    def _pointers(self, node: Pointer, value: str, depth: int, path: str) -> None:
        """Generate code for an array of pointers."""
        self.add(f"for index, item in enumerate({value}):", depth)
        (f,) = (f for f in self.present if isinstance(f.type, Array) and f.type.item is node)
        trail = f"Trail({path}, None, index)"
        null = self._pointer(f, node, "item", "len(out)", trail, depth + 1)
        packed = struct.Struct("<" + node.slot.code)
        self.add(f"out += {self.bind(packed.pack)}({null})", depth + 1)

    def _record(self, node: Nested, value: str, depth: int, path: str) -> None:
        layout = self.layout.resolve(node).layout
        code, values = self.call_key(node)
        if values is not None:
            known = values

            def late(*given: Any) -> None:
                writer(layout, known)(*given)

            self.add(f"{self.bind(late)}({value}, out, refs, {path})", depth)
        else:
            self.names.setdefault("writer", writer)
            self.add(f"writer({self.bind(layout)}, {code})({value}, out, refs, {path})", depth)


def write_rows(
    items: list[Any],
    layout: RecordLayout,
    arguments: Arguments,
    out: bytearray,
    refs: list[Any],
    trail: Any,
) -> None:
    """Append consecutive records, in one batch if possible."""
    batch = row_writer(layout, arguments)
    if batch is not None:
        out += batch(items)
        return
    put = writer(layout, arguments)
    for index, item in enumerate(items):
        put(item, out, refs, Trail(trail, None, index))


def exactly(value: bytes, size: int, name: str) -> bytes:
    """Check the size of a raw field: struct would silently truncate or pad it."""
    if len(value) != size:
        raise ValueError(f"{name}: expected {size} bytes, got {len(value)}")
    return bytes(value)


def counted(number: int, wanted: int, name: str) -> None:
    """Check the number of items or bytes against the declared number."""
    if number != wanted:
        raise ValueError(f"{name}: expected {wanted}, got {number}")


def absent(name: str) -> None:
    """Raise ValueError for a value of a field that is not written."""
    raise ValueError(f"{name} does not exist in this version of the record")


def chosen(value: object, tag: int, cases: dict[int, type], other: type | None, name: str) -> None:
    """Check the class of a record that a tag chooses; None is allowed for null pointers."""
    wanted = cases.get(tag, other)
    if value is not None and type(value) is not wanted:
        raise ValueError(f"{name} does not match the tag {tag}")


def encode_string(value: str) -> bytes:
    """Return an encoded string with its NUL."""
    if "\0" in value:
        raise ValueError("text contains a NUL")
    return value.encode("utf-8", "surrogateescape") + b"\0"


def fill(out: bytearray, end: int) -> None:
    """Append zeros up to the declared stride of an array item."""
    if len(out) > end:
        raise ValueError("the item is longer than the stride")
    out += bytes(end - len(out))
