"""Compiles a record's layout into Python: a reader, a writer, and the reader that also tells spans.

The source text is made from our own classes and nothing else. A run of fixed-size fields becomes
one `struct.Struct`; an array of records that are one such run becomes one `iter_unpack`. A
condition over parameters alone is decided while compiling.

One generator makes both readers. The *fast* reader checks only what Python and struct do not check
by themselves, and gives up with `Short`; then the *traced* reader goes over the same bytes field by
field, and is the one that knows where and why. The spans of a hex view are its by-product.
"""

import ast
import struct
from collections.abc import Callable
from typing import Any, cast

from ..errors import FormatError
from .record import Field, Layout, Record
from .source import Short, Source, f32_from_bits, f32_to_bits
from .types import Array, Blob, CString, Nested, Pointer, Scalar, Switch, Trail, Type

Arguments = tuple[tuple[str, object], ...]
Reader = Callable[..., tuple[Any, int]]
Writer = Callable[..., None]

NO_ARGUMENTS: Arguments = ()


def reader(layout: Layout, arguments: Arguments = NO_ARGUMENTS, *, traced: bool = False) -> Reader:
    """`read(source, at[, path]) -> (record, end)` for one combination of parameters."""
    key = (arguments, "traced" if traced else "read")
    found = layout.compiled.get(key)
    if found is None:
        found = _ReaderSource(layout, arguments, traced).compile()
        layout.compiled[key] = found
    return cast(Reader, found)


def rows(layout: Layout, arguments: Arguments = NO_ARGUMENTS) -> tuple[int, Callable[..., list[Any]]] | None:
    """`(size, read(source, data))` for a record that is one fixed run, else None."""
    key = (arguments, "rows")
    if key not in layout.compiled:
        layout.compiled[key] = cast(Any, _ReaderSource(layout, arguments, False).compile_rows())
    return cast("tuple[int, Callable[..., list[Any]]] | None", layout.compiled[key])


def writer(layout: Layout, arguments: Arguments = NO_ARGUMENTS) -> Writer:
    """`write(record, out, refs, path)`: appends to `out`, and to `refs` what pointers point at."""
    key = (arguments, "write")
    found = layout.compiled.get(key)
    if found is None:
        found = _WriterSource(layout, arguments).compile()
        layout.compiled[key] = found
    return found


def fixed_size(layout: Layout, arguments: Arguments = NO_ARGUMENTS) -> int:
    """The least number of bytes that the record takes in place."""
    return _minimum(layout, arguments, 0)


def _minimum(layout: Layout, arguments: Arguments, depth: int) -> int:
    known = dict(arguments)
    total = 0
    for f in layout.fields:
        if f.when is None or (_constant(f.when, known) is True):
            total += _least(layout, f.type, known, depth)
    return total


def _least(layout: Layout, node: Type, known: dict[str, object], depth: int) -> int:
    if isinstance(node, Scalar):
        return node.size
    if isinstance(node, Pointer):
        return node.slot.size
    if isinstance(node, CString):
        return 1
    if isinstance(node, Blob) and node.size is not None and node.size.isdigit():
        return int(node.size)
    if isinstance(node, Array) and node.count is not None and node.count.isdigit():
        return int(node.count) * _least(layout, node.item, known, depth)
    if isinstance(node, Nested) and depth < 8:
        inner = tuple((k, _constant(e, known)) for k, e in sorted(node.arguments.items()))
        return _minimum(layout.resolve(node).layout, inner, depth + 1)
    return 0


def _names(expression: str) -> set[str]:
    return {n.id for n in ast.walk(ast.parse(expression, mode="eval")) if isinstance(n, ast.Name)}


def _constant(expression: str, known: dict[str, object]) -> object:
    """The value of an expression over known names, None where it needs others."""
    if not _names(expression) <= known.keys():
        return None
    return eval(expression, {"__builtins__": {}}, dict(known))  # noqa: S307


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class _Code:
    """Lines of one function, and the objects that they name."""

    def __init__(self, layout: Layout, arguments: Arguments) -> None:
        self.layout = layout
        self.arguments = dict(arguments)
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"FormatError": FormatError, "Short": Short}
        unknown = set(layout.params) ^ self.arguments.keys()
        if unknown:
            raise TypeError(f"{layout.cls.__name__} takes the parameters {layout.params}")
        self.present = [f for f in layout.fields if self._decided(f) is not False]
        own = {f.name for f in layout.fields}
        for f in layout.fields:
            for expression in (f.when, f.derive):
                if expression is not None:
                    odd = _names(expression) - own - set(layout.params) - {"len", "any", "all"}
                    if odd:
                        raise TypeError(f"{layout.cls.__name__}.{f.name}: unknown names {odd}")

    def _decided(self, f: Field) -> object:
        """Whether the field is there: True, False, or None for "look at the data"."""
        return True if f.when is None else _constant(f.when, self.arguments)

    def add(self, text: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + text)

    def bind(self, value: object) -> str:
        """A name for an object in the compiled function."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def expression(self, text: str) -> str:
        """An expression of the declaration over the locals of the compiled function."""
        names = {f.name: f"f_{f.name}" for f in self.layout.fields}
        for key, value in self.arguments.items():
            names[key] = repr(value)
        tree = ast.parse(text, mode="eval")
        constants = {k: v for k, v in self.arguments.items()}
        if _names(text) <= constants.keys():
            return repr(_constant(text, constants))
        return ast.unparse(_Rename(names).visit(tree))

    def call_key(self, node: Nested) -> tuple[str, Arguments | None]:
        """The arguments of a nested record: code for them, and their values where known."""
        parts = []
        values: list[tuple[str, object]] = []
        known = True
        for key, text in sorted(node.arguments.items()):
            value = _constant(text, self.arguments)
            known = known and _names(text) <= self.arguments.keys()
            values.append((key, value))
            parts.append(f"({key!r}, {self.expression(text)})")
        code = f"({', '.join(parts)},)" if parts else "()"
        return code, tuple(values) if known else None

    def finish(self, head: str, name: str) -> Callable[..., Any]:
        text = "\n".join([head, *self.lines, ""])
        cls = self.layout.cls
        code = compile(text, f"<{name} {cls.__module__}.{cls.__qualname__}>", "exec")
        exec(code, self.names)  # noqa: S102
        return cast("Callable[..., Any]", self.names[name])


def _is_run(node: Type) -> bool:
    """Whether the field can be part of one `struct.Struct`."""
    return isinstance(node, Scalar | Pointer) or (
        isinstance(node, Blob) and node.size is not None and node.size.isdigit()
    )


def _code(node: Type) -> str:
    if isinstance(node, Scalar):
        return "I" if node.code == "f" else node.code
    if isinstance(node, Pointer):
        return node.slot.code
    return f"{cast(Blob, node).size}s"


class _ReaderSource(_Code):
    def __init__(self, layout: Layout, arguments: Arguments, traced: bool) -> None:
        super().__init__(layout, arguments)
        self.traced = traced
        self.names["f32"] = f32_from_bits
        self.names["new"] = layout.cls

    # -- whole functions ---------------------------------------------------------------------

    def compile(self) -> Reader:
        head = "def read(src, at, path=''):" if self.traced else "def read(src, at):"
        self.add("data = src.data")
        index = 0
        while index < len(self.present):
            run = []
            while index < len(self.present):
                f = self.present[index]
                if self._decided(f) is None or not _is_run(f.type):
                    break
                run.append(f)
                index += 1
            if run:
                self._run(run)
            if index < len(self.present):
                self._single(self.present[index])
                index += 1
        self._follow(1)
        self.add(f"return {self._construct()}, at")
        return self.finish(head, "read")

    def compile_rows(self) -> tuple[int, Callable[..., list[Any]]] | None:
        if not all(self._decided(f) is True and (_is_run(f.type) or f.is_rest) for f in self.present):
            return None
        run = [f for f in self.present if not f.is_rest]
        for f in self.present:
            if f.is_rest:
                self.names[f"f_{f.name}"] = b""
        packed = struct.Struct("<" + "".join(_code(f.type) for f in run))
        if packed.size == 0:
            return None
        unpack = self.bind(packed.iter_unpack)
        plain = all(isinstance(f.type, Scalar | Blob) for f in run) and not any(
            f.derive or (isinstance(f.type, Scalar) and f.type.is_float) for f in run
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
                values.append(repr(f.default) if not isinstance(f.default, bytes) else "b''")
                continue
            name = f"f_{f.name}"
            if f.derive is not None:
                if self._counts(f):
                    values.append("None")
                    continue
                name = f"None if {name} == {self.expression(f.derive)} else {name}"
            values.append(name)
        return f"new({', '.join(values)})"

    def _counts(self, f: Field) -> bool:
        """Whether the field is the count of an array, which was read by it and so agrees."""
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

    # -- fields ------------------------------------------------------------------------------

    def _run(self, run: list[Field], depth: int = 1) -> None:
        if self.traced:
            for f in run:
                self._traced_run_field(f, depth)
            return
        packed = struct.Struct("<" + "".join(_code(f.type) for f in run))
        unpack = self.bind(packed.unpack_from)
        names = ", ".join(f"f_{f.name}" for f in run)
        self.add(f"{names}, = {unpack}(data, at)", depth)
        self.add(f"at += {packed.size}", depth)
        self._convert(run, depth)

    def _convert(self, run: list[Field], depth: int) -> None:
        for f in run:
            if isinstance(f.type, Scalar) and f.type.is_float:
                self.add(f"f_{f.name} = f32(f_{f.name})", depth)

    def _traced_run_field(self, f: Field, depth: int) -> None:
        packed = struct.Struct("<" + _code(f.type))
        size = packed.size
        self.add(f"if at + {size} > src.size:", depth)
        self.add(
            f"raise FormatError(f'{{max(src.size - at, 0)}} bytes left, {f.name} needs {size}',"
            f" offset=at, path=path + '.{f.name}')",
            depth + 1,
        )
        self.add(f"f_{f.name}, = {self.bind(packed.unpack_from)}(data, at)", depth)
        self._convert([f], depth)
        self._span(f"f_{f.name}", f, f"at + {size}", depth, f"path + '.{f.name}'")
        if isinstance(f.type, Pointer):
            self.add(f"at_{f.name} = at", depth)
        self.add(f"at += {size}", depth)

    def _span(self, value: str, f: Field, end: str, depth: int, path: str) -> None:
        self.add(f"src.spans.append((at, {end}, {path}, {value}, {self.bind(f)}))", depth)

    def _single(self, f: Field) -> None:
        """A field that is not part of a run: conditional, or of a size that the data tells."""
        depth = 1
        if f.is_rest:
            self.add(f"f_{f.name} = b''")
            return
        if self._decided(f) is None:
            self.add(f"f_{f.name} = {self.bind(f.default)}")
            self.add(f"if {self.expression(cast(str, f.when))}:")
            depth = 2
        if _is_run(f.type):
            self._run([f], depth)
        else:
            self._value(f, f.type, f"f_{f.name}", depth, f"path + '.{f.name}'")

    def _value(self, f: Field, node: Type, target: str, depth: int, path: str) -> None:
        """Code that reads `node` at `at` into `target` and moves `at` behind it."""
        add = self.add
        if isinstance(node, Blob):
            add("start = at", depth)
            add(f"at = {'src.size' if node.size is None else f'at + ({self.expression(node.size)})'}", depth)
            self._fits("start", node.size or "all that is left", path, depth)
            add(f"{target} = data[start:at]", depth)
            if self.traced:
                add(f"if at > start: src.spans.append((start, at, {path}, {target}, {self.bind(f)}))", depth)
        elif isinstance(node, CString):
            add("start = at", depth)
            self._string(f, node, target, "at", depth, path)
            add("at = data.index(0, start) + 1", depth)
        elif isinstance(node, Nested):
            self._record(node, target, depth, path)
        elif isinstance(node, Switch):
            self._switch(f, node, target, depth, path)
        elif isinstance(node, Array):
            self._array(f, node, target, depth, path)
        else:  # a scalar or pointer inside an array
            packed = struct.Struct("<" + _code(node))
            add(f"{target}, = {self.bind(packed.unpack_from)}(data, at)", depth)
            if isinstance(node, Scalar) and node.is_float:
                add(f"{target} = f32({target})", depth)
            if self.traced:
                self._span(target, f, f"at + {packed.size}", depth, path)
            add(f"at += {packed.size}", depth)

    def _fits(self, start: str, what: str, path: str, depth: int) -> None:
        if not self.traced:
            self.add(f"if not {start} <= at <= src.size: raise Short", depth)
            return
        self.add(f"if not {start} <= at <= src.size:", depth)
        self.add(
            f"raise FormatError(f'{{max(src.size - {start}, 0)}} bytes left, {{at - {start}}} needed"
            f" for {what}', offset={start}, path={path})",
            depth + 1,
        )

    def _string(self, f: Field, node: CString, target: str, at: str, depth: int, path: str) -> None:
        if not self.traced:
            self.add(f"{target} = src.cstring({at})", depth)
            return
        self.names.setdefault("traced_string", traced_string)
        call = f"traced_string(src, {at}, {path}, {self.bind(f)})"
        self.add(f"{target} = {call}", depth)

    def _reader_of(self, node: Nested) -> tuple[str, bool]:
        """Code that gives the reader of a nested record, and whether it is known by now."""
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
        self.add(f"{target}, at = {read}(src, at{extra})", depth)

    def _switch(self, f: Field, node: Switch, target: str, depth: int, path: str) -> None:
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
            self.add(
                f"raise FormatError(f'{{{self.expression(node.tag)}}} is none of {wanted}',"
                f" offset=at, path={path if self.traced else repr(f.name)})",
                depth + 1,
            )

    def _array(self, f: Field, node: Array, target: str, depth: int, path: str) -> None:
        item = node.item
        add = self.add
        least, least_code = self._item_least(item)
        stride = f"({self.expression(node.stride)})" if node.stride else least_code
        if node.count is None:
            add(f"count = max(src.size - at, 0) // max({stride}, 1)", depth)
        else:
            add(f"count = {self.expression(node.count)}", depth)
        add(f"stride = {stride}", depth)
        add("start = at", depth)
        add("at += count * stride", depth)
        self._fits("start", "{count} items", path, depth)
        if node.stride:
            add(f"if count and stride < {least_code}:", depth)
            where = path if self.traced else repr(f.name)
            add(
                f"raise FormatError(f'stride {{stride}} is less than {{{least_code}}}, the size of an item',"
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
            add(f"at = take_rest(src, item, at, stop, {inner if self.traced else repr('')})", depth + 1)
        add(f"{target}.append(item)", depth + 1)

    def _item_least(self, item: Type) -> tuple[int, str]:
        if isinstance(item, Nested):
            layout = self.layout.resolve(item).layout
            code, values = self.call_key(item)
            if values is None:
                self.names.setdefault("fixed_size", fixed_size)
                return 0, f"fixed_size({self.bind(layout)}, {code})"
            size = fixed_size(layout, values)
            return size, str(max(size, 1))
        size = max(_least(self.layout, item, self.arguments, 0), 1)
        return size, str(size)

    # -- pointers ----------------------------------------------------------------------------

    def _follow(self, depth: int) -> None:
        for f in self.present:
            if not isinstance(f.type, Pointer):
                continue
            name, null = f"f_{f.name}", f.type.null
            if self._decided(f) is None:
                self.add(f"if {self.expression(cast(str, f.when))}:", depth)
                self._target(f, f.type, name, depth + 1, null)
            else:
                self._target(f, f.type, name, depth, null)

    def _target(self, f: Field, node: Pointer, name: str, depth: int, null: int | None) -> None:
        target = node.target
        path = f"path + '.{f.name}'"
        if null is not None:
            empty = "[]" if isinstance(target, Array) else "None"
            self.add(f"if {name} == {null}:", depth)
            self.add(f"    {name} = {empty}", depth)
            if self.traced:
                self.add(f"    src.pointers.append(({path}, {null}))", depth)
            self.add("else:", depth)
            depth += 1
        if self.traced:
            self.names.setdefault("traced_pointer", traced_pointer)
            self.add(f"traced_pointer(src, at_{f.name}, {name}, {path})", depth)
        if isinstance(target, CString):
            self._string(f, target, name, name, depth, path)
            return
        if isinstance(target, Nested):
            code, values = self.call_key(target)
            read, _ = self._reader_of(target)
            ident = self.bind((self.layout.resolve(target), values)) if values is not None else code
            extra = f", {path}" if self.traced else ""
            self.add(f"{name} = src.shared(({name}, {ident}), {name}, {read}{extra})", depth)
            return
        # an array or raw bytes: a function of its own, so that what it reaches is shared too
        inner = f"chunk_{f.name}"
        names = sorted(self._needs(target))
        given = "".join(f", f_{n}" for n in names)
        saved, self.lines = self.lines, []
        self.add("data = src.data")
        self._value(f, target, "value", 1, "path")
        self.add("return value, at")
        body, self.lines = self.lines, saved
        text = "\n".join([f"def {inner}(src, at{given}, path=''):", *body, ""])
        self.names[inner] = _Chunk(text, inner, self.names)
        key = f"({name}, {f.name!r}{given})"
        extra = f", {path}" if self.traced else ""
        self.add(f"{name} = src.shared({key}, {name}, {inner}{given}{extra})", depth)

    def _needs(self, node: Type) -> set[str]:
        own = {f.name for f in self.layout.fields}
        texts = []
        if isinstance(node, Blob) and node.size is not None:
            texts.append(node.size)
        if isinstance(node, Array):
            texts += [t for t in (node.count, node.stride) if t]
            return (set().union(*map(_names, texts)) if texts else set()) & own | self._needs(node.item)
        if isinstance(node, Nested):
            texts += list(node.arguments.values())
        if isinstance(node, Switch):
            texts += _WriterSource._switch_texts(node)
        return (set().union(*map(_names, texts)) if texts else set()) & own

    def finish(self, head: str, name: str) -> Callable[..., Any]:
        for key, value in list(self.names.items()):
            if isinstance(value, _Chunk):
                exec(compile(value.text, f"<{key}>", "exec"), self.names)  # noqa: S102
        return super().finish(head, name)


class _Chunk:
    """The text of a helper function that is compiled beside the reader that calls it."""

    def __init__(self, text: str, name: str, names: dict[str, Any]) -> None:
        self.text = text
        self.name = name
        self.names = names

    def __call__(self, *_: Any) -> Any:
        raise NotImplementedError


# -- what compiled readers call ------------------------------------------------------------------


def read_rows(
    src: Source, at: int, count: int, stride: int, layout: Layout, arguments: Arguments, strided: bool
) -> tuple[list[Any], int]:
    """`count` records, `stride` bytes apart where `strided`, as one batch where the layout allows."""
    batch = rows(layout, arguments)
    if batch is not None and (not strided or batch[0] == stride):
        end = at + count * batch[0]
        if end > src.size:
            raise Short
        return batch[1](src, src.data[at:end]), end
    read = reader(layout, arguments)
    items = []
    for _ in range(count):
        item, end = read(src, at)
        if strided:
            end = take_rest(src, item, end, at + stride, "")
        at = end
        items.append(item)
    return items, at


def take_rest(src: Source, item: Record, at: int, stop: int, path: str) -> int:
    """What stands between the known fields of an array item and the next item."""
    if at > stop:
        raise FormatError(f"the item runs {at - stop} bytes into the next one", offset=at, path=path)
    if stop > at:
        for f in item.layout.fields:
            if f.is_rest:
                value = src.data[at:stop]
                setattr(item, f.name, value)
                if src.spans is not None:
                    src.spans.append((at, stop, f"{path}.{f.name}", value, f))
                return stop
        raise FormatError(
            f"{stop - at} bytes more than a {type(item).__name__} has", offset=at, path=path
        )
    return stop


def traced_pointer(src: Source, slot: int, offset: int, path: str) -> None:
    """Refuse an offset that leaves the region."""
    src.pointers.append((path, offset))
    if offset > src.size:
        raise FormatError(
            f"offset 0x{offset:x} lies behind the end at 0x{src.size:x}", offset=slot, path=path
        )


def traced_string(src: Source, at: int, path: str, f: Field) -> str:
    """`Source.cstring`, with a span."""
    known = at in src.strings
    try:
        value = src.cstring(at)
    except Short:
        raise FormatError("no NUL before the end of the region", offset=at, path=path) from None
    if not known and src.spans is not None:
        src.spans.append((at, src.data.index(0, at) + 1, path, value, f))
    return value


# -- writing -------------------------------------------------------------------------------------


class _WriterSource(_Code):
    def __init__(self, layout: Layout, arguments: Arguments) -> None:
        super().__init__(layout, arguments)
        self.names["bits_of"] = f32_to_bits
        self.names["Trail"] = Trail

    def compile(self) -> Writer:
        used: set[str] = set()
        for f in self.present:
            for text in self._texts(f):
                used |= _names(text)
        for f in self.present:
            if f.name in used:
                self.add(f"f_{f.name} = o.{f.name}")
        for f in self.present:
            if f.name in used and f.derive is not None:
                self.add(f"if f_{f.name} is None: f_{f.name} = {self.expression(f.derive)}")
        index = 0
        while index < len(self.present):
            run = []
            while index < len(self.present):
                f = self.present[index]
                if self._decided(f) is None or not _is_run(f.type):
                    break
                run.append(f)
                index += 1
            if run:
                self._run(run, 1)
            if index < len(self.present):
                f = self.present[index]
                index += 1
                depth = 1
                if self._decided(f) is None:
                    self.add(f"if {self.expression(cast(str, f.when))}:")
                    depth = 2
                if _is_run(f.type):
                    self._run([f], depth)
                else:
                    self._value(f.type, f"o.{f.name}", depth, f"Trail(path, o, {f.name!r})")
        if not self.lines:
            self.add("pass")
        return self.finish("def write(o, out, refs, path):", "write")

    def _texts(self, f: Field) -> list[str]:
        found = [t for t in (f.when, f.derive) if t]
        node = f.type
        if isinstance(node, Nested):
            found += node.arguments.values()
        if isinstance(node, Switch):
            found += self._switch_texts(node)
        if isinstance(node, Array) and isinstance(node.item, Nested):
            found += node.item.arguments.values()
        if isinstance(node, Pointer):
            target = node.target.item if isinstance(node.target, Array) else node.target
            if isinstance(target, Nested):
                found += target.arguments.values()
            if isinstance(target, Switch):
                found += self._switch_texts(target)
        if isinstance(node, Array) and node.stride:
            found.append(node.stride)
        if isinstance(node, Pointer) and isinstance(node.target, Array) and node.target.stride:
            found.append(node.target.stride)
        return found

    @staticmethod
    def _switch_texts(node: Switch) -> list[str]:
        return [node.tag, *(text for case in node.cases.values() for text in case.arguments.values())]

    def _run(self, run: list[Field], depth: int) -> None:
        values = []
        packed = struct.Struct("<" + "".join(_code(f.type) for f in run))
        offset = 0
        for f in run:
            size = struct.calcsize("<" + _code(f.type))
            if isinstance(f.type, Pointer):
                values.append(self._pointer(f, f.type, offset, depth))
            elif f.derive is not None:
                derive = self.expression(f.derive)
                names = _names(f.derive)
                if not all(f"f_{n}" in "".join(self.lines) for n in names if n in {x.name for x in self.present}):
                    derive = self._over_object(f.derive)
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

    def _over_object(self, text: str) -> str:
        names = {f.name: f"o.{f.name}" for f in self.layout.fields}
        names |= {k: repr(v) for k, v in self.arguments.items()}
        return ast.unparse(_Rename(names).visit(ast.parse(text, mode="eval")))

    def _pointer(self, f: Field, node: Pointer, offset: int, depth: int) -> str:
        """Note what the slot points at; the slot itself is filled in when that has a place."""
        target = node.target
        arguments = "()"
        stride = "None"
        item = target.item if isinstance(target, Array) else target
        if isinstance(item, Nested):
            arguments, _ = self.call_key(item)
        if isinstance(item, Switch):
            arguments = "()"
            for key, case in item.cases.items():
                given, _ = self.call_key(case)
                arguments = f"{given} if {self.expression(item.tag)} == {key} else ({arguments})"
        if isinstance(target, Array) and target.stride:
            stride = self.expression(target.stride)
        present = "True"
        if node.present is not None:
            present = self._over_object(node.present)
        elif node.null is not None:
            present = f"bool(o.{f.name})" if isinstance(target, Array) else f"o.{f.name} is not None"
        self.add(
            f"refs.append((len(out) + {offset}, {self.bind(node)}, {self.bind(self.layout)}, o.{f.name},"
            f" {arguments}, {stride}, Trail(path, o, {f.name!r}), {present}))",
            depth,
        )
        return str(node.null or 0)

    def _value(self, node: Type, value: str, depth: int, path: str) -> None:
        add = self.add
        if isinstance(node, Blob):
            add(f"out += {value}", depth)
        elif isinstance(node, CString):
            self.names.setdefault("encode", encode_string)
            add(f"out += encode({value})", depth)
        elif isinstance(node, Nested):
            self._record(node, value, depth, path)
        elif isinstance(node, Switch):
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
            add(f"for index, item in enumerate({value}):", depth)
            if node.stride:
                add("stop = len(out)", depth + 1)
            self._value(node.item, "item", depth + 1, f"Trail({path}, None, index)")
            if node.stride:
                self.names.setdefault("fill", fill)
                add(f"fill(out, stop + {self.expression(node.stride)})", depth + 1)
        else:
            code = struct.Struct("<" + _code(node))
            value = f"bits_of({value})" if isinstance(node, Scalar) and node.is_float else value
            add(f"out += {self.bind(code.pack)}({value})", depth)

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


def exactly(value: bytes, size: int, name: str) -> bytes:
    """A raw field of fixed size; struct would cut or fill it without a word."""
    if len(value) != size:
        raise ValueError(f"{name} takes {size} bytes, not {len(value)}")
    return bytes(value)


def encode_string(value: str) -> bytes:
    """Text and its NUL."""
    return value.encode("utf-8", "surrogateescape") + b"\0"


def fill(out: bytearray, end: int) -> None:
    """Zeros up to the declared stride of an array item."""
    if len(out) > end:
        raise ValueError("the item is longer than the stride")
    out += bytes(end - len(out))
