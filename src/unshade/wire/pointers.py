"""Code generation for the part of a reader that follows pointers, after the record's own fields.

The target of a pointer is read once per offset (`ByteSource.shared`) and replaces the offset in the
field.
"""

from abc import abstractmethod
from typing import cast

from .codegen import FunctionSource, names_in, switch_texts
from .field import Field
from .source import StringPool, traced_pointer
from .types import Array, Blob, CString, Nested, Pointer, Pool, Reference, TaggedUnion, WireType


class PointerReaderSource(FunctionSource):
    """Generator of the code that follows pointers; `reading.py` generates the rest."""

    traced: bool

    @abstractmethod
    def _value(self, f: Field, node: WireType, target: str, depth: int, path: str) -> None: ...

    @abstractmethod
    def _string(
        self, f: Field, node: CString, target: str, at: str, depth: int, path: str
    ) -> None: ...

    @abstractmethod
    def _reader_of(self, node: Nested) -> tuple[str, bool]: ...

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
        """Code that puts what the offset in `name` leads to in its place."""
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
        names = sorted(self._needs(target))
        given = "".join(f", f_{n}" for n in names)
        saved, self.lines = self.lines, []
        self.add("data = src.data")
        self._value(f, target, "value", 1, "path")
        self.add("return value, at")
        body, self.lines = self.lines, saved
        text = "\n".join([f"def {inner}(src, at{given}, path=''):", *body, ""])
        self.names[inner] = Chunk(text)
        ident = self.bind((self.layout.cls, f.name, *sorted(self.arguments.items())))
        key = f"({name}, {ident}{given}{pools})"
        extra = f", {path}" if self.traced else ""
        self.add(f"{name} = src.shared({key}, {name}, {inner}{given}{extra})", depth)

    # -- string tables -------------------------------------------------------------------------

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

    def _needs(self, node: WireType) -> set[str]:
        own = {f.name for f in self.layout.fields}
        texts = []
        if isinstance(node, Blob) and node.size is not None:
            texts.append(node.size)
        if isinstance(node, Array):
            texts += [t for t in (node.count, node.stride) if t]
            return (set().union(*map(names_in, texts)) if texts else set()) & own | self._needs(
                node.item
            )
        if isinstance(node, Nested):
            texts += list(node.arguments.values())
        if isinstance(node, TaggedUnion):
            texts += switch_texts(node)
        return (set().union(*map(names_in, texts)) if texts else set()) & own


class Chunk:
    """The source of a helper function, compiled together with the reader that calls it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, *_: object) -> object:
        raise NotImplementedError
