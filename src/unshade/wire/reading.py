"""Compilation of a record's layout into a reader.

A run of fixed-size fields becomes one `struct.Struct`; an array of records that are one such run
becomes one `iter_unpack`. Conditions over parameters alone are evaluated at compile time.

One generator makes two readers. The *fast* reader checks only what Python and struct do not check,
and fails with `Short`. The *traced* reader then reads the same bytes field by field, to find the
place and the reason. The traced reader also produces the spans of a hex dump.

Pointers are followed after the record's own fields. The target of a pointer is read once per offset
(`ByteSource.shared`) and replaces the offset in the field.
"""

import struct
from collections.abc import Callable
from typing import Any, cast

from .codegen import (
    NO_ARGUMENTS,
    Arguments,
    FunctionSource,
    define,
    fixed_size,
    holds_itself,
    is_run,
    least,
    needs,
    struct_code,
)
from .field import Field
from .floats import f32_from_bits
from .record import RecordLayout
from .source import ByteSource, Short, StringPool, take_rest, traced_pointer, traced_string
from .tables import traced_table
from .types import (
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
    TaggedUnion,
    Text,
    WireType,
)

Reader = Callable[..., tuple[Any, int]]


def reader(
    layout: RecordLayout, arguments: Arguments = NO_ARGUMENTS, *, traced: bool = False
) -> Reader:
    """Return `read(source, at[, path]) -> (record, end)` for one combination of arguments."""
    key = (arguments, "traced" if traced else "read")
    found = layout.compiled.get(key)
    if found is None:
        found = _ReaderSource(layout, arguments, traced).compile()
        layout.compiled[key] = found
    return cast(Reader, found)


def rows(
    layout: RecordLayout, arguments: Arguments = NO_ARGUMENTS
) -> tuple[int, Callable[..., list[Any]]] | None:
    """Return `(size, read(source, data))` for a record that is one fixed run, else None."""
    key = (arguments, "rows")
    if key not in layout.compiled:
        layout.compiled[key] = cast(Any, _ReaderSource(layout, arguments, False).compile_rows())
    return cast("tuple[int, Callable[..., list[Any]]] | None", layout.compiled[key])


def read_rows(
    src: ByteSource,
    at: int,
    count: int,
    stride: int,
    layout: RecordLayout,
    arguments: Arguments,
    strided: bool,
) -> tuple[list[Any], int]:
    """Read `count` records, `stride` bytes apart if `strided`; in one batch if possible."""
    batch = rows(layout, arguments)
    if batch is not None and (not strided or batch[0] == stride):
        end = at + count * batch[0]
        if end > src.size:
            raise Short
        return batch[1](src, src.data[at:end]), end
    read = reader(layout, arguments)
    items = []
    inside = holds_itself(layout)
    for _ in range(count):
        item, end = src.deeper(read, at) if inside else read(src, at)
        if strided:
            end = take_rest(src, item, end, at + stride, "")
        at = end
        items.append(item)
    return items, at


class _ReaderSource(FunctionSource):
    def __init__(self, layout: RecordLayout, arguments: Arguments, traced: bool) -> None:
        super().__init__(layout, arguments)
        self.traced = traced
        self.helpers: dict[str, str] = {}  # sources of functions that the reader calls
        self.names["f32"] = f32_from_bits
        self.names["new"] = layout.cls

    # -- whole functions ---------------------------------------------------------------------

    def compile(self) -> Reader:
        head = "def read(src, at, path=''):" if self.traced else "def read(src, at):"
        self.add("data = src.data")
        if self.layout.anchored or any(isinstance(f.type, Align) for f in self.present):
            self.add("base = at")
        for name in sorted(self.measured):
            self.add(f"s_{name} = 0")
        for run, single in self.runs():
            if run:
                self._run(run)
            if single is not None:
                self._single(single)
        self._follow(1)
        if not self.referring:
            self.add(f"return {self._construct()}, at")
            return self.finish(head, "read")
        self.add(f"made = {self._construct()}")
        path = "path" if self.traced else "''"
        self.add(f"src.references.append((made, {self.bind(self.referring)}, {path}))")
        self.add("return made, at")
        return self.finish(head, "read")

    def compile_rows(self) -> tuple[int, Callable[..., list[Any]]] | None:
        if (
            self.layout.anchored
            or self.referring
            or not all(
                self._decided(f) is True and (is_run(f.type) or f.is_rest) for f in self.present
            )
        ):
            return None
        run = [f for f in self.present if not f.is_rest]
        for f in self.present:
            if f.is_rest:
                self.names[f"f_{f.name}"] = b""
        packed = struct.Struct("<" + "".join(struct_code(f.type) for f in run))
        if packed.size == 0:
            return None
        unpack = self.bind(packed.iter_unpack)
        plain = all(isinstance(f.type, Scalar | Blob) for f in run) and not any(
            f.derive or f.magic or (isinstance(f.type, Scalar) and f.type.is_float) for f in run
        )
        if plain and run == self.layout.fields:
            self.add(f"return [new(*row) for row in {unpack}(data)]")
        else:
            self.add("items = []")
            self.add(f"for {', '.join('f_' + f.name for f in run)}, in {unpack}(data):")
            self._convert(run, 2)
            self._follow(2)
            self.add(f"items.append({self._construct()})", 2)
            self.add("return items")
        return packed.size, self.finish("def rows(src, data):", "rows")

    def _construct(self) -> str:
        values = []
        for f in self.layout.fields:
            if f not in self.present:
                values.append("[]" if f.is_list else self.literal(f.default))
                continue
            name = f"f_{f.name}"
            if f.derive is not None:
                if self._counts(f):
                    values.append("None")
                    continue
                if self._states_length(f):  # compared when the reference is resolved
                    values.append(name)
                    continue
                if not self._sizes_pool(f):
                    name = f"None if {name} == {self.expression(f.derive)} else {name}"
            values.append(name)
        return f"new({', '.join(values)})"

    def _counts(self, f: Field) -> bool:
        """Return True if the field is the count of an array, which then has this length."""
        for other in self.present:
            node = other.type.target if isinstance(other.type, Pointer) else other.type
            if (
                isinstance(node, Array)
                and node.count == f.name
                and f.derive == f"len({other.name})"
                and self._decided(other) is True
            ):
                return True
        return False

    def _states_length(self, f: Field) -> bool:
        """Return True if the field is the number of items that a reference refers to."""
        return any(isinstance(g.type, Reference) and g.type.length == f.name for g in self.present)

    def _sizes_pool(self, f: Field) -> bool:
        """Return True if the field is the size of a string table, which has been checked."""
        return any(pool.size == f.name for _, pool in self.pools)

    # -- fields ------------------------------------------------------------------------------

    def _run(self, run: list[Field], depth: int = 1) -> None:
        if self.traced:
            for f in run:
                self._traced_run_field(f, depth)
            return
        packed = struct.Struct("<" + "".join(struct_code(f.type) for f in run))
        unpack = self.bind(packed.unpack_from)
        names = ", ".join(f"f_{f.name}" for f in run)
        self.add(f"{names}, = {unpack}(data, at)", depth)
        self.add(f"at += {packed.size}", depth)
        self._convert(run, depth)

    def _convert(self, run: list[Field], depth: int) -> None:
        for f in run:
            if isinstance(f.type, Scalar) and f.type.is_float:
                self.add(f"f_{f.name} = f32(f_{f.name})", depth)
            if f.magic and not self.traced:
                self.add(f"if f_{f.name} not in {f.magic!r}: raise Short", depth)

    def _traced_run_field(self, f: Field, depth: int) -> None:
        packed = struct.Struct("<" + struct_code(f.type))
        size = packed.size
        self.add(f"if at + {size} > src.size:", depth)
        self.add(
            f"raise FormatError(f'expected {size} bytes for {f.name}, got"
            f" {{max(src.size - at, 0)}}', offset=at, path=path + '.{f.name}')",
            depth + 1,
        )
        self.add(f"f_{f.name}, = {self.bind(packed.unpack_from)}(data, at)", depth)
        if f.magic:
            wanted = self.bind(" or ".join(map(repr, f.magic)))
            self.add(f"if f_{f.name} not in {f.magic!r}:", depth)
            self.add(
                f"raise FormatError(f'expected {{{wanted}}}, got {{f_{f.name}!r}}', offset=at,"
                f" path=path + '.{f.name}')",
                depth + 1,
            )
        self._convert([f], depth)
        self._span(f"f_{f.name}", f, f"at + {size}", depth, f"path + '.{f.name}'")
        if isinstance(f.type, Pointer):
            self.add(f"at_{f.name} = at", depth)
        self.add(f"at += {size}", depth)

    def _span(
        self,
        value: str,
        f: Field,
        end: str,
        depth: int,
        path: str,
        start: str = "at",
        when: str = "",
    ) -> None:
        """Generate code that notes the span of a value, in a traced reader."""
        if self.traced:
            note = f"({start}, {end}, {path}, {value}, {self.bind(f)})"
            self.add(f"{when}src.spans.append({note})", depth)

    def _single(self, f: Field) -> None:
        """Generate code for a field outside a run: conditional, or of variable size."""
        depth = 1
        if f.is_rest:
            self.add(f"f_{f.name} = b''")
            return
        if self._decided(f) is None:
            self.add(f"f_{f.name} = {'[]' if f.is_list else self.bind(f.default)}")
            self.add(f"if {self.expression(cast(str, f.when))}:")
            depth = 2
        measured = f.name in self.measured
        if measured:
            self.add(f"s_{f.name} = at", depth)
        if is_run(f.type):
            self._run([f], depth)
        else:
            self._value(f, f.type, f"f_{f.name}", depth, f"path + '.{f.name}'")
        if measured:
            self.add(f"s_{f.name} = at - s_{f.name}", depth)

    def _value(self, f: Field, node: WireType, target: str, depth: int, path: str) -> None:
        """Generate code that reads `node` at `at` into `target` and advances `at`."""
        add = self.add
        if isinstance(node, Blob | Text):
            add("start = at", depth)
            end = "src.size" if node.size is None else f"at + ({self.expression(node.size)})"
            add(f"at = {end}", depth)
            what = self.bind(node.size or "all that is left")
            self._fits("start", f"{{{what}}}", path, depth)
            decoded = ".decode('utf-8', 'surrogateescape')" if isinstance(node, Text) else ""
            add(f"{target} = data[start:at]{decoded}", depth)
            self._span(target, f, "at", depth, path, "start", "if at > start: ")
        elif isinstance(node, Align):
            add("start = at", depth)
            add(f"at = min(at + (base - at) % {node.to}, src.size)", depth)
            add(f"{target} = data[start:at].lstrip(b'\\0') and data[start:at]", depth)
            self._span(target, f, "at", depth, path, "start", "if at > start: ")
        elif isinstance(node, Integer):
            add("start = at", depth)
            add(f"at += {self.expression(node.size)}", depth)
            self._fits("start", f.name, path, depth)
            add(f"{target} = int.from_bytes(data[start:at], 'little')", depth)
            self._span(target, f, "at", depth, path, "start", "if at > start: ")
        elif isinstance(node, SharedTable):
            add("start = at", depth)
            add(f"at += {node.form.unit} * ({self.expression(node.size)})", depth)
            self._fits("start", f.name, path, depth)
            if self.traced:
                self.names.setdefault("traced_table", traced_table)
                add(f"{target} = traced_table(src, start, at, {path}, {self.bind(f)})", depth)
            else:
                form = self.bind(node.form)
                add(f"{target} = src.table({f.name!r}, {form}, start, at)", depth)
        elif isinstance(node, CString):
            add("start = at", depth)
            self._string(f, node, target, "at", depth, path)
            add("at = data.index(0, start) + 1", depth)
        elif isinstance(node, Nested):
            self._record(node, target, depth, path)
        elif isinstance(node, TaggedUnion):
            self._switch(f, node, target, depth, path)
        elif isinstance(node, Array):
            self._array(f, node, target, depth, path)
        else:  # a scalar or pointer inside an array
            packed = struct.Struct("<" + struct_code(node))
            add(f"{target}, = {self.bind(packed.unpack_from)}(data, at)", depth)
            if isinstance(node, Scalar) and node.is_float:
                add(f"{target} = f32({target})", depth)
            self._span(target, f, f"at + {packed.size}", depth, path)
            add(f"at += {packed.size}", depth)

    def _fits(self, start: str, what: str, path: str, depth: int, deferred: str = "") -> None:
        """Generate code that rejects an end past the region; `what` is part of an f-string.

        With `deferred`, a partial source still reads the available items, then raises the error
        kept in the variable of that name.
        """
        if not self.traced:
            self.add(f"if not {start} <= at <= src.size: raise Short", depth)
            return
        problem = (
            f"FormatError(f'expected {{at - {start}}} bytes for {what}, got"
            f" {{max(src.size - {start}, 0)}}', offset={start}, path={path})"
        )
        if deferred:
            self.add(f"{deferred} = None", depth)
        self.add(f"if not {start} <= at <= src.size:", depth)
        if deferred:
            self.add(f"{deferred} = {problem}", depth + 1)
            self.add(f"if not src.partial: raise {deferred}", depth + 1)
            self.add(f"count = max(src.size - {start}, 0) // max(stride, 1)", depth + 1)
        else:
            self.add(f"raise {problem}", depth + 1)

    def _string(self, f: Field, node: CString, target: str, at: str, depth: int, path: str) -> None:
        if not self.traced:
            self.add(f"{target} = src.cstring({at})", depth)
            return
        self.names.setdefault("traced_string", traced_string)
        call = f"traced_string(src, {at}, {path}, {self.bind(f)})"
        self.add(f"{target} = {call}", depth)

    def _reader_of(self, node: Nested) -> tuple[str, bool]:
        """Return code for the reader of a nested record, and True if it is known now."""
        layout = self.layout.resolve(node).layout
        code, values = self.call_key(node)
        if values is not None:
            known, traced = values, self.traced

            def late(*given: Any) -> tuple[Any, int]:
                return reader(layout, known, traced=traced)(*given)

            return self.bind(late), True
        self.names.setdefault("reader", reader)
        return f"reader({self.bind(layout)}, {code}, traced={self.traced})", False

    def _record(self, node: Nested, target: str, depth: int, path: str) -> None:
        read, _ = self._reader_of(node)
        extra = f", {path}" if self.traced else ""
        inside = holds_itself(self.layout.resolve(node).layout)
        call = f"src.deeper({read}, at{extra})" if inside else f"{read}(src, at{extra})"
        self.add(f"{target}, at = {call}", depth)

    def _switch(self, f: Field, node: TaggedUnion, target: str, depth: int, path: str) -> None:
        word = "if"
        for key, case in node.cases.items():
            self.add(f"{word} {self.expression(node.tag)} == {key}:", depth)
            self._record(case, target, depth + 1, path)
            word = "elif"
        self.add("else:", depth)
        if node.other is not None:
            self._record(node.other, target, depth + 1, path)
        else:
            wanted = ", ".join(map(str, node.cases))
            self.add(f"tag = {self.expression(node.tag)}", depth + 1)
            self.add(
                f"raise FormatError(f'expected one of {wanted}, got {{tag}}', offset=at,"
                f" path={path if self.traced else repr(f.name)})",
                depth + 1,
            )

    def _array(self, f: Field, node: Array, target: str, depth: int, path: str) -> None:
        item = node.item
        add = self.add
        least_code = self._item_least(item)
        stride = f"({self.expression(node.stride)})" if node.stride else least_code
        if node.count is None:
            add(f"count = max(src.size - at, 0) // max({stride}, 1)", depth)
        else:
            add(f"count = {self.expression(node.count)}", depth)
        add(f"stride = {stride}", depth)
        add("start = at", depth)
        if isinstance(item, Pointer):
            add(f"at_{f.name} = at", depth)
        add("at += count * stride", depth)
        short = f"short{depth}"  # the error of a truncated array
        self._fits("start", "{count} items", path, depth, short)
        if node.stride:
            add(f"least = {least_code}", depth)
            add("if count and stride < least:", depth)
            where = path if self.traced else repr(f.name)
            add(
                "raise FormatError(f'expected a stride of at least {least}, got {stride}',"
                f" offset=start, path={where})",
                depth + 1,
            )
        if not self.traced and isinstance(item, Scalar) and not item.is_float:
            self.names.setdefault("unpack", struct.unpack_from)
            add(f"{target} = list(unpack(f'<{{count}}{item.code}', data, start))", depth)
            return
        if not self.traced and isinstance(item, Nested):
            layout = self.layout.resolve(item).layout
            code, _ = self.call_key(item)
            self.names.setdefault("read_rows", read_rows)
            add(
                f"{target}, at = read_rows(src, start, count, stride, {self.bind(layout)}, {code},"
                f" {bool(node.stride)})",
                depth,
            )
            return
        add(f"{target} = []", depth)
        add("at = start", depth)
        add("for index in range(count):", depth)
        inner = f"{path} + f'[{{index}}]'"
        if node.stride:
            add("stop = at + stride", depth + 1)
        self._value(f, item, "item", depth + 1, inner)
        if node.stride:
            self.names.setdefault("take_rest", take_rest)
            add(
                f"at = take_rest(src, item, at, stop, {inner if self.traced else repr('')})",
                depth + 1,
            )
        add(f"{target}.append(item)", depth + 1)
        if self.traced:
            add(f"if {short} is not None: raise {short}", depth)

    def _item_least(self, item: WireType) -> str:
        """Return code for the minimum size of an item in bytes, at least 1."""
        if isinstance(item, Nested):
            layout = self.layout.resolve(item).layout
            code, values = self.call_key(item)
            if values is None:
                self.names.setdefault("fixed_size", fixed_size)
                return f"max(fixed_size({self.bind(layout)}, {code}), 1)"
            return str(max(fixed_size(layout, values), 1))
        return str(max(least(self.layout, item, self.arguments, 0), 1))

    # -- pointers ----------------------------------------------------------------------------

    def _follow(self, depth: int) -> None:
        for f, _ in self.pools:
            self._open_pool(f, depth)
        for f in self.present:
            node = f.type.item if isinstance(f.type, Array) else f.type
            if not isinstance(node, Pointer) or isinstance(node, Pool | Reference):
                continue
            inner = depth
            if self._decided(f) is None:
                self.add(f"if {self.expression(cast(str, f.when))}:", depth)
                inner += 1
            if node is f.type:
                slot, path = f"at_{f.name}", f"path + '.{f.name}'"
                self._target(f, node, f"f_{f.name}", inner, slot, path)
            else:
                self._each(f, node, inner)
        for f, pool in self.pools:
            self._close_pool(f, pool, depth)

    def _each(self, f: Field, node: Pointer, depth: int) -> None:
        """Follow an array of pointers."""
        self.add(f"items, f_{f.name} = f_{f.name}, []", depth)
        self.add("for index, item in enumerate(items):", depth)
        slot = f"at_{f.name} + {node.slot.size} * index"
        path = f"path + f'.{f.name}[{{index}}]'"
        self._target(f, node, "item", depth + 1, slot, path)
        self.add(f"f_{f.name}.append(item)", depth + 1)

    def _target(self, f: Field, node: Pointer, name: str, depth: int, slot: str, path: str) -> None:
        """Code that replaces the offset in `name` by its target."""
        target = node.target
        if node.null is not None:
            empty = "[]" if isinstance(target, Array) else "None"
            self.add(f"if {name} == {node.null}:", depth)
            self.add(f"    {name} = {empty}", depth)
            if self.traced:
                self.add(f"    src.pointers.append(({path}, {node.null}))", depth)
            self.add("else:", depth)
            depth += 1
        if node.pool is not None:
            self._pooled(f, node, name, depth, slot, path)
            return
        if self.layout.anchored:
            self.add(f"{name} += base", depth)
        if node.loose and isinstance(target, Array) and target.count is not None:
            self.add(f"if not {self.expression(target.count)}:", depth)
            if self.traced:
                self.add(f"    src.pointers.append(({path}, {name}))", depth)
            self.add(f"    {name} = []", depth)
            self.add("else:", depth)
            depth += 1
        if self.traced:
            self.names.setdefault("traced_pointer", traced_pointer)
            self.add(f"traced_pointer(src, {slot}, {name}, {path})", depth)
        if isinstance(target, CString):
            self._string(f, target, name, name, depth, path)
            return
        # the value of a target depends on the pools that it refers to
        pools = "".join(f", start_{each.name}" for each, _ in self.pools)
        if isinstance(target, Nested):
            code, values = self.call_key(target)
            read, _ = self._reader_of(target)
            ident = self.bind((self.layout.resolve(target), values)) if values is not None else code
            extra = f", {path}" if self.traced else ""
            key = f"({name}, {ident}{pools})"
            self.add(f"{name} = src.shared({key}, {name}, {read}{extra})", depth)
            return
        # an array or raw bytes: a function of its own, so that these targets are shared, too
        inner = f"chunk_{f.name}"
        names = sorted(needs(self.layout, target))
        given = "".join(f", f_{n}" for n in names)
        saved, self.lines = self.lines, []
        self.add("data = src.data")
        self._value(f, target, "value", 1, "path")
        self.add("return value, at")
        body, self.lines = self.lines, saved
        text = "\n".join([f"def {inner}(src, at{given}, path=''):", *body, ""])
        self.helpers[inner] = text
        ident = self.bind((self.layout.cls, f.name, *sorted(self.arguments.items())))
        key = f"({name}, {ident}{given}{pools})"
        extra = f", {path}" if self.traced else ""
        self.add(f"{name} = src.shared({key}, {name}, {inner}{given}{extra})", depth)

    # -- string tables -----------------------------------------------------------------------

    def _open_pool(self, f: Field, depth: int) -> None:
        self.names.setdefault("StringPool", StringPool)
        base = "base + " if self.layout.anchored else ""
        self.add(f"start_{f.name} = {base}f_{f.name}", depth)
        self.add(f"outer_{f.name} = src.pools.get({f.name!r})", depth)
        self.add(f"src.pools[{f.name!r}] = pool_{f.name} = StringPool(start_{f.name})", depth)

    def _close_pool(self, f: Field, pool: Pool, depth: int) -> None:
        size = f"f_{pool.size}"
        given = f"src, {size}"
        if self.traced:
            path = f"path + '.{f.name}'"
            self.add(f"src.pointers.append(({path}, start_{f.name}))", depth)
            given += f", {path}, {self.bind(f)}"
        self.add(f"f_{f.name}, {size} = pool_{f.name}.taken({given})", depth)
        self.add(f"src.pools[{f.name!r}] = outer_{f.name}", depth)

    def _pooled(self, f: Field, node: Pointer, name: str, depth: int, slot: str, path: str) -> None:
        """Generate code that reads a string from the pool of an enclosing record."""
        node = node.resolved(self.arguments)
        extra = f", {slot}, {path}, {self.bind(f)}" if self.traced else ""
        call = f"src.pools[{node.pool!r}].text(src, {name}, {node.order}{extra})"
        self.add(f"{name} = {call}", depth)

    def finish(self, head: str, name: str) -> Callable[..., Any]:
        for key, text in self.helpers.items():
            define(key, text, self.names, f"<{key}>")
        return super().finish(head, name)
