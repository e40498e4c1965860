"""Code generation shared by readers and writers: expressions, sizes, functions.

The source is generated only from our own declarations: their expressions, with fields as local
variables, and objects bound to names. No data of a file becomes code.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import CodeType, FunctionType
from typing import Any, cast

from ..errors import FormatError
from .field import Field
from .record import Record, RecordLayout
from .source import Short
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
    Text,
    WireType,
)

Arguments = tuple[tuple[str, object], ...]

NO_ARGUMENTS: Arguments = ()


@lru_cache(maxsize=1 << 10)
def fixed_size(layout: RecordLayout, arguments: Arguments = NO_ARGUMENTS) -> int:
    """Return the minimum size of the record in bytes, without targets of pointers."""
    return minimum(layout, arguments, 0)


def minimum(layout: RecordLayout, arguments: Arguments, depth: int) -> int:
    known = dict(arguments)
    total = 0
    for f in layout.fields:
        if f.when is None or (constant(f.when, known) is True):
            total += least(layout, f.type, known, depth)
    return total


def least(layout: RecordLayout, node: WireType, known: dict[str, object], depth: int) -> int:
    if isinstance(node, Scalar):
        return node.size
    if isinstance(node, Pointer):
        return node.slot.size
    if isinstance(node, CString):
        return 1
    if isinstance(node, Blob | Text) and node.size is not None and node.size.isdigit():
        return int(node.size)
    if isinstance(node, Array) and node.count is not None and node.count.isdigit():
        return int(node.count) * least(layout, node.item, known, depth)
    if isinstance(node, Nested) and depth < 8:
        inner = tuple((k, constant(e, known)) for k, e in sorted(node.arguments.items()))
        return minimum(layout.resolve(node).layout, inner, depth + 1)
    return 0


@cache
def holds_itself(layout: RecordLayout) -> bool:
    """Return True if a record of this class can contain another record of the class in place."""
    seen: set[type] = set()
    open_: list[RecordLayout] = [layout]
    while open_:
        outer = open_.pop()
        for f in outer.fields:
            node = f.type.item if isinstance(f.type, Array) else f.type
            inside = [node]
            if isinstance(node, TaggedUnion):
                inside = [*node.cases.values(), *([node.other] if node.other else [])]
            for each in inside:
                if isinstance(each, Nested):
                    cls = outer.resolve(each)
                    if cls is layout.cls:
                        return True
                    if cls not in seen:
                        seen.add(cls)
                        open_.append(cls.layout)
    return False


def bytes_of(texts: Iterable[str]) -> int:
    """Return the size in bytes of consecutive strings, each with its NUL."""
    return sum(len(text.encode("utf-8", "surrogateescape")) + 1 for text in texts)


# Callable in expressions. `size(field)` is the number of bytes that the field takes in the region;
# only compiled readers and writers know it.
FUNCTIONS = {"len": len, "any": any, "all": all, "bytes": bytes_of, "size": lambda _: None}
_SIZE = re.compile(r"\bsize\((\w+)\)")
# A name, or a quoted string, in which words are not names.
_NAME = re.compile(r"""[bBrRuU]*(?:"[^"]*"|'[^']*')|((?<![\w.])[A-Za-z_]\w*)""")
_WORDS = frozenset(("and", "or", "not", "in", "is", "if", "else", "None", "True", "False"))


@cache
def names_in(expression: str) -> frozenset[str]:
    """Return the names that an expression of a declaration uses."""
    return frozenset(_NAME.findall(expression)) - _WORDS - {""}


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """Return the expression with names replaced, in parentheses if it is not a single name."""
    made = _NAME.sub(lambda match: names.get(match[1], match[0]), expression)
    single = f"_{made}".replace(".", "_").isidentifier()  # a name with attributes, or a number
    return made if single else f"({made})"


def constant(expression: str, known: dict[str, object]) -> object:
    """Return the value of an expression over known names, or None if it uses others."""
    if not names_in(expression) <= known.keys():
        return None
    return eval(_code(expression), {"__builtins__": {}, **known})


def evaluate(text: str, record: Record, arguments: Mapping[str, object]) -> Any:
    """Return the value of an expression of the declaration, for a record and its arguments."""
    names: dict[str, object] = {}
    fields = record.layout.by_name
    for name in names_in(text):
        f = fields.get(name)
        if f is None:
            if name in arguments:
                names[name] = arguments[name]
            continue
        value = getattr(record, name)
        if value is None and f.derive is not None:
            value = evaluate(f.derive, record, arguments)
        names[name] = value
    if text in names:  # a name by itself, as most expressions are
        return names[text]
    return eval(_code(text), {"__builtins__": FUNCTIONS, **names})


@cache
def _code(expression: str) -> CodeType:
    """Return an expression of a declaration, compiled."""
    made: FunctionType = eval(f"lambda: ({expression})")
    return made.__code__.replace(co_filename=f"<{expression}>")


def define(name: str, text: str, names: dict[str, Any], where: str) -> Callable[..., Any]:
    """Define a function by its text among names; tracebacks call its file `where`.

    `exec` takes no name of a file. `compile` does, but makes the classes of `ast` when it is first
    called, for a tenth of the time that Python takes to start.
    """
    exec(text, names)
    made: FunctionType = names[name]
    made.__code__ = made.__code__.replace(co_filename=where)
    return made


class FunctionSource:
    """The source of one generated function, and the objects bound to names in it."""

    def __init__(self, layout: RecordLayout, arguments: Arguments) -> None:
        self.layout = layout
        self.arguments = dict(arguments)
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"FormatError": FormatError, "Short": Short, **FUNCTIONS}
        unknown = set(layout.params) ^ self.arguments.keys()
        if unknown:
            raise TypeError(f"{layout.cls.__name__} takes the parameters {layout.params}")
        self.present = [f for f in layout.fields if self._decided(f) is not False]
        self.pools = [(f, f.type) for f in self.present if isinstance(f.type, Pool)]
        self.referring = tuple(f for f in self.present if isinstance(f.type, Reference))
        own = {f.name for f in layout.fields}
        for f in layout.fields:
            for expression in (f.when, f.derive):
                if expression is not None:
                    odd = names_in(expression) - own - set(layout.params) - FUNCTIONS.keys()
                    if odd:
                        raise TypeError(f"{layout.cls.__name__}.{f.name}: unknown names {odd}")

    def runs(self) -> Iterator[tuple[list[Field], Field | None]]:
        """Yield runs of fields for one `struct.Struct`, each with the field that ends the run."""
        run: list[Field] = []
        for f in self.present:
            if self._decided(f) is not None and is_run(f.type):
                run.append(f)
            else:
                yield run, f
                run = []
        yield run, None

    def _decided(self, f: Field) -> object:
        """Return True or False if the presence of the field is known, None if data decides."""
        return True if f.when is None else constant(f.when, self.arguments)

    @property
    def measured(self) -> set[str]:
        """Names of the fields whose size an expression uses; `s_NAME` holds it."""
        return {name for f in self.layout.fields for name in _SIZE.findall(f.derive or "")}

    def add(self, text: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + text)

    def bind(self, value: object) -> str:
        """Bind an object to a new name and return the name."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def literal(self, value: object) -> str:
        """Return code for a value: its repr if that is a literal, else a name bound to it."""
        plain = value is None or type(value) in (bool, bytes, int, str)
        return repr(value) if plain else self.bind(value)

    def expression(self, text: str, own: str = "f_") -> str:
        """Return code for an expression of the declaration, with fields as local variables.

        `own` is the prefix of a field's name: `o.` for an attribute of the record `o`.
        """
        if names_in(text) <= self.arguments.keys():
            return self.literal(constant(text, self.arguments))
        needed = names_in(text)
        names = {f.name: f"{own}{f.name}" for f in self.present}
        for f in self.layout.fields:
            if f.name in needed and f.name not in names:  # absent in this version
                names[f.name] = "[]" if f.is_list else self.literal(f.default)
        names |= {key: self.literal(self.arguments[key]) for key in needed & self.arguments.keys()}
        return renamed(_SIZE.sub(r"s_\1", text), names)

    def call_key(self, node: Nested) -> tuple[str, Arguments | None]:
        """Return code for the arguments of a nested record, and their values if all are known."""
        parts = []
        values: list[tuple[str, object]] = []
        known = True
        for key, text in sorted(node.arguments.items()):
            value = constant(text, self.arguments)
            known = known and names_in(text) <= self.arguments.keys()
            values.append((key, value))
            parts.append(f"({key!r}, {self.expression(text)})")
        code = f"({', '.join(parts)},)" if parts else "()"
        return code, tuple(values) if known else None

    def finish(self, head: str, name: str) -> Callable[..., Any]:
        text = "\n".join([head, *self.lines, ""])
        cls = self.layout.cls
        return define(name, text, self.names, f"<{name} {cls.__module__}.{cls.__qualname__}>")


def is_run(node: WireType) -> bool:
    """Return True if the field can be part of a `struct.Struct`."""
    return isinstance(node, Scalar | Pointer) or (
        isinstance(node, Blob) and node.size is not None and node.size.isdigit()
    )


def struct_code(node: WireType) -> str:
    if isinstance(node, Scalar):
        return "I" if node.code == "f" else node.code
    if isinstance(node, Pointer):
        return node.slot.code
    return f"{cast(Blob, node).size}s"


def switch_texts(node: TaggedUnion) -> list[str]:
    """Return every expression that a tagged union uses."""
    return [node.tag, *(text for case in node.cases.values() for text in case.arguments.values())]


def needs(layout: RecordLayout, node: WireType) -> set[str]:
    """Return the names of the record's own fields that the expressions of a type use."""
    texts = []
    if isinstance(node, Blob) and node.size is not None:
        texts.append(node.size)
    if isinstance(node, Array):
        texts += [t for t in (node.count, node.stride) if t]
    if isinstance(node, Nested):
        texts += list(node.arguments.values())
    if isinstance(node, TaggedUnion):
        texts += switch_texts(node)
    own = {f.name for f in layout.fields}
    found = (set().union(*map(names_in, texts)) if texts else set()) & own
    return found | needs(layout, node.item) if isinstance(node, Array) else found
