"""What compiled readers and writers have in common: expressions, sizes, and text that becomes code.

The source text is made from our own classes and nothing else: expressions of the declaration, with
the names of fields turned into locals, and objects bound to names.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, cast

from ..errors import FormatError
from .field import Field
from .record import Layout, Record
from .source import Short
from .types import Array, Blob, CString, Nested, Pointer, Pool, Scalar, Switch, Type

Arguments = tuple[tuple[str, object], ...]

NO_ARGUMENTS: Arguments = ()


def fixed_size(layout: Layout, arguments: Arguments = NO_ARGUMENTS) -> int:
    """The least number of bytes that the record takes in place."""
    return minimum(layout, arguments, 0)


def minimum(layout: Layout, arguments: Arguments, depth: int) -> int:
    known = dict(arguments)
    total = 0
    for f in layout.fields:
        if f.when is None or (constant(f.when, known) is True):
            total += least(layout, f.type, known, depth)
    return total


def least(layout: Layout, node: Type, known: dict[str, object], depth: int) -> int:
    if isinstance(node, Scalar):
        return node.size
    if isinstance(node, Pointer):
        return node.slot.size
    if isinstance(node, CString):
        return 1
    if isinstance(node, Blob) and node.size is not None and node.size.isdigit():
        return int(node.size)
    if isinstance(node, Array) and node.count is not None and node.count.isdigit():
        return int(node.count) * least(layout, node.item, known, depth)
    if isinstance(node, Nested) and depth < 8:
        inner = tuple((k, constant(e, known)) for k, e in sorted(node.arguments.items()))
        return minimum(layout.resolve(node).layout, inner, depth + 1)
    return 0


@cache
def holds_itself(layout: Layout) -> bool:
    """Whether a record of this class can stand in place inside another of it."""
    seen: set[type] = set()
    open_: list[Layout] = [layout]
    while open_:
        outer = open_.pop()
        for f in outer.fields:
            node = f.type.item if isinstance(f.type, Array) else f.type
            inside = [node]
            if isinstance(node, Switch):
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
    """The bytes that the texts take one behind the other, each with its NUL."""
    return sum(len(text.encode("utf-8", "surrogateescape")) + 1 for text in texts)


FUNCTIONS = {"len": len, "any": any, "all": all, "bytes": bytes_of}  # what expressions may call
# A name on its own, or text in quotes, in which words are no names.
_NAME = re.compile(r"""[bBrRuU]*(?:"[^"]*"|'[^']*')|((?<![\w.])[A-Za-z_]\w*)""")
_WORDS = frozenset(("and", "or", "not", "in", "is", "if", "else", "None", "True", "False"))


@cache
def names_in(expression: str) -> frozenset[str]:
    """The names that an expression of a declaration needs."""
    return frozenset(_NAME.findall(expression)) - _WORDS - {""}


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """The expression with other words for some of its names, as one operand of a larger one."""
    made = _NAME.sub(lambda match: names.get(match[1], match[0]), expression)
    return made if re.fullmatch(r"[\w.]+", made) else f"({made})"


def constant(expression: str, known: dict[str, object]) -> object:
    """The value of an expression over known names, None where it needs others."""
    if not names_in(expression) <= known.keys():
        return None
    return eval(expression, {"__builtins__": {}}, dict(known))


def evaluate(text: str, record: Record, arguments: Mapping[str, object]) -> Any:
    """The value of an expression of the declaration, for a record and its arguments."""
    names: dict[str, object] = dict(arguments)
    late = []
    for f in record.layout.fields:
        names[f.name] = getattr(record, f.name)
        if names[f.name] is None and f.derive is not None:
            late.append(f)
    builtins = {"__builtins__": FUNCTIONS}
    for f in late:
        if f.name in names_in(text):
            names[f.name] = eval(cast(str, f.derive), dict(builtins), names)
    return eval(text, builtins, names)


class Code:
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
        self.pools = [(f, f.type) for f in self.present if isinstance(f.type, Pool)]
        own = {f.name for f in layout.fields}
        for f in layout.fields:
            for expression in (f.when, f.derive):
                if expression is not None:
                    odd = names_in(expression) - own - set(layout.params) - FUNCTIONS.keys()
                    if odd:
                        raise TypeError(f"{layout.cls.__name__}.{f.name}: unknown names {odd}")

    def runs(self) -> Iterator[tuple[list[Field], Field | None]]:
        """The fields in order: those that one `struct.Struct` takes, and the one that ends them."""
        run: list[Field] = []
        for f in self.present:
            if self._decided(f) is not None and is_run(f.type):
                run.append(f)
            else:
                yield run, f
                run = []
        yield run, None

    def _decided(self, f: Field) -> object:
        """Whether the field is there: True, False, or None for "look at the data"."""
        return True if f.when is None else constant(f.when, self.arguments)

    def add(self, text: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + text)

    def bind(self, value: object) -> str:
        """A name for an object in the compiled function."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def literal(self, value: object) -> str:
        """Code for a value: itself where Python reads its repr back, a name for it elsewhere."""
        plain = value is None or type(value) in (bool, bytes, int, str)
        return repr(value) if plain else self.bind(value)

    def expression(self, text: str, own: str = "f_") -> str:
        """An expression of the declaration over the fields, as locals of the compiled function.

        `own` comes before the name of a field: `o.` for an attribute of the record `o`.
        """
        if names_in(text) <= self.arguments.keys():
            return self.literal(constant(text, self.arguments))
        needed = names_in(text)
        names = {f.name: f"{own}{f.name}" for f in self.present}
        for f in self.layout.fields:
            if f.name in needed and f.name not in names:  # this version does not have it
                names[f.name] = "[]" if f.is_list else self.literal(f.default)
        names |= {key: self.literal(self.arguments[key]) for key in needed & self.arguments.keys()}
        return renamed(text, names)

    def call_key(self, node: Nested) -> tuple[str, Arguments | None]:
        """The arguments of a nested record: code for them, and their values where known."""
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
        code = compile(text, f"<{name} {cls.__module__}.{cls.__qualname__}>", "exec")
        exec(code, self.names)
        return cast("Callable[..., Any]", self.names[name])


def is_run(node: Type) -> bool:
    """Whether the field can be part of one `struct.Struct`."""
    return isinstance(node, Scalar | Pointer) or (
        isinstance(node, Blob) and node.size is not None and node.size.isdigit()
    )


def struct_code(node: Type) -> str:
    if isinstance(node, Scalar):
        return "I" if node.code == "f" else node.code
    if isinstance(node, Pointer):
        return node.slot.code
    return f"{cast(Blob, node).size}s"


def switch_texts(node: Switch) -> list[str]:
    """Every expression that a choice between records needs."""
    return [node.tag, *(text for case in node.cases.values() for text in case.arguments.values())]
