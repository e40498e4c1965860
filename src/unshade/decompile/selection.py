"""Arrays of resources: one access with an index in place of a switch over the elements.

    switch (i + 65536) {                        u0[NonUniformResourceIndex(i)][n] = x;
    case 65536: u0[0][n] = x; break;     ->
    case 65537: u0[1][n] = x; break;
    }

Lowering gives each element of an array a number and chooses by it. The cases are one if they are
the same but for the element, and are all of the array. An index outside of the array is undefined
in the languages that have arrays of resources, so that sources in style `exact` keep the switch.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence

from ..dataclass import dataclass, field
from ..ir.ops import OPS
from .expressions import refused
from .names import DecompiledNames
from .rewriting import rewrite
from .structure import (
    ELEMENTS,
    assigned_names,
    expressions_of,
    inner_lines,
    is_pure,
    jumps,
    mentions,
    words_of,
)
from .tree import (
    Choice,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    SourceExpression,
    TextureCall,
    literal,
    name,
)

__all__ = ["NON_UNIFORM", "check_indexed", "indexed"]

NEAR = 64  # lines that are looked through
NON_UNIFORM = "NonUniformResourceIndex"


def indexed(
    lines: Sequence[Line],
    arrays: Mapping[str, int],
    uniform: Collection[str],
    names: DecompiledNames,
) -> list[Line]:
    """Return lines that access elements of arrays of resources by an index.

    Args:
        lines: The lines of the entry point, which are changed.
        arrays: The numbers of elements of the arrays by their names, 0 if they have no size.
        uniform: The names of constants, which all lanes share.
        names: The names of the source.
    """
    times = Counter(assigned_names(lines))  # a definition is one
    steady = {
        name: value
        for name, value in definitions(lines).items()
        if all(times[word] <= 1 for word in (name, *words_of(value)))
    }
    return _Indexing(arrays, uniform, names, steady).lines(lines)


def definitions(lines: Sequence[Line]) -> dict[str, SourceExpression]:
    """Return the values with which variables are defined, if they are pure."""
    found: dict[str, SourceExpression] = {}
    waiting = [*lines]
    while waiting:
        line = waiting.pop()
        if isinstance(line, Define) and line.value is not None and is_pure(line.value):
            found[line.name] = line.value
        for inner in inner_lines(line):
            waiting += inner
    return found


@dataclass(slots=True, eq=False)
class _Indexing:
    """The arrays of resources of a program, while accesses to them get an index."""

    arrays: Mapping[str, int]
    uniform: Collection[str]
    names: DecompiledNames
    steady: Mapping[str, SourceExpression]  # values of variables that never change
    written: set[str] = field(default_factory=set)  # variables whose value is an index now

    def lines(self, lines: Sequence[Line]) -> list[Line]:
        """Return lines that access elements by an index."""
        found: list[Line] = []
        places: dict[str, int] = {}  # of the definitions in this block
        for line in lines:
            for inner in inner_lines(line):
                inner[:] = self.lines(inner)
            made = None
            if isinstance(line, Choice) and not line.branch:
                value = _written(line.value, found, places)
                if value is line.value and value.op is NodeForm.NAME:
                    value = self.steady.get(str(value.attr), value)
                made = _access(line, value, self.arrays, self.uniform, self.names)
                if made is not None and value is not line.value:
                    self.written.add(str(line.value.attr))
            if isinstance(line, Define):
                places[line.name] = len(found)
            found += [line] if made is None else made
        unread = {
            each for each in self.written
            if each in places and not any(mentions(line, each) for line in found)
        }  # fmt: skip
        return [each for each in found if not (isinstance(each, Define) and each.name in unread)]


def check_indexed(lines: Sequence[Line], unbounded: Collection[str]) -> None:
    """Refuse a switch over elements of an array without a size, which has others, too."""
    for line in lines:
        for inner in inner_lines(line):
            check_indexed(inner, unbounded)
        if not isinstance(line, Choice) or line.branch:
            continue
        elements: dict[str, set[frozenset[int]]] = {}
        for _, body in line.cases:
            for word, numbers in _elements_of(body, unbounded).items():
                elements.setdefault(word, set()).add(frozenset(numbers))
        for word, found in elements.items():
            if len(found) > 1:
                raise refused(
                    f"the array {word} without a size, whose elements are not used alike,"
                    f" (use --length {word}=…)", line.line,
                )  # fmt: skip


def _written(
    value: SourceExpression, before: Sequence[Line], places: Mapping[str, int]
) -> SourceExpression:
    """Return a value, in place of a variable of this block its own value if that still holds."""
    at = places.get(str(value.attr)) if value.op is NodeForm.NAME else None
    line = before[at] if at is not None else None
    if at is None or len(before) - at > NEAR or not isinstance(line, Define):
        return value
    known = line.value
    if known is None or not is_pure(known) or {*words_of(known)} & {*assigned_names(before[at:])}:
        return value
    return known


def _access(
    line: Choice,
    value: SourceExpression,
    arrays: Mapping[str, int],
    uniform: Collection[str],
    names: DecompiledNames,
) -> list[Line] | None:
    """Return the lines of one access in place of a switch; None if its cases are not alike."""
    cases = [(labels, _ended(body)) for labels, body in line.cases]
    cases = [each for each in cases if each != ((None,), [])]  # a default that does nothing
    labels = [labels[0] for labels, _ in cases if len(labels) == 1]
    bodies = [body for _, body in cases]
    first = labels[0] if labels else None
    if first is None or not is_pure(value, ELEMENTS) or len(bodies) < 2:
        return None
    if labels != [first + at for at in range(len(bodies))] or any(map(jumps, bodies)):
        return None
    each_of = [_elements_of(body, arrays) for body in bodies]
    used = {
        word for word in each_of[0]
        if all(body.get(word) == {at} for at, body in enumerate(each_of))
    }  # fmt: skip
    arrays = {word: arrays[word] for word in used}
    if not used or any(arrays[word] not in (0, len(bodies)) for word in used):
        return None
    if len({_key(body, _Element(arrays, at)) for at, body in enumerate(bodies)}) > 1:
        return None
    body = bodies[0]
    index = _minus(value, first)
    found: list[Line] = []
    inside = index.args[0] if index.op is NodeForm.SWIZZLE else index
    plain = inside.op is NodeForm.NAME and not {*words_of(index)} & {*assigned_names(body)}
    steady = {*words_of(index)} <= {*uniform}
    if not plain and index.op is not NodeForm.LITERAL:
        word = names.unique("index")
        found.append(Define(word, index.type, index, line.line))
        index = name(word, index.type)
    if not steady:
        index = SourceExpression(NodeForm.CALL, index.type, (index,), NON_UNIFORM)
    element = _Element(arrays, 0)

    def indexed_by(each: SourceExpression) -> SourceExpression | None:
        if each not in element:
            return None
        return SourceExpression(each.op, each.type, (*each.args[:-1], index), each.attr)

    rewrite(body, indexed_by)
    return [*found, *body]


def _ended(body: Sequence[Line]) -> list[Line]:
    """Return the lines of a case without the jump behind it."""
    last = body[-1] if body else None
    ends = isinstance(last, JumpLine) and last.how is Leave.BREAK
    return [*body[:-1]] if ends else [*body]


def _minus(value: SourceExpression, number: int) -> SourceExpression:
    """Return an integer without a constant that it has as an operand."""
    mask = (1 << value.type.bits) - 1
    base, constant = value, 0
    if value.op is OPS.iadd and value.args[1].op is NodeForm.LITERAL:
        base, constant = value.args[0], int(value.args[1].attr[0])
    left = constant - number & mask
    if not left:
        return base
    return SourceExpression(OPS.iadd, value.type, (base, literal((left,), value.type)))


def _array_name(value: SourceExpression) -> str:
    """Return the name of an array of resources, or of a function of a heap, by its element."""
    return str(value.attr if value.op is NodeForm.CALL else value.args[0].attr)


def _selected(value: SourceExpression, arrays: Collection[str]) -> int | None:
    """Return the number of an element of an array of resources; None for other expressions."""
    called = value.op is NodeForm.CALL and len(value.args) == 1
    if not called and (value.op is not NodeForm.INDEX or value.args[0].op is not NodeForm.NAME):
        return None
    at = value.args[-1]
    if at.op is not NodeForm.LITERAL or _array_name(value) not in arrays:
        return None
    number: int = at.attr[0]
    return number


class _Element:
    """An element of the arrays of resources, by its number."""

    def __init__(self, arrays: Mapping[str, int], number: int) -> None:
        self.arrays = arrays
        self.number = number

    def __contains__(self, value: SourceExpression) -> bool:
        return _selected(value, self.arrays) == self.number


def _elements_of(lines: Sequence[Line], arrays: Collection[str]) -> dict[str, set[int]]:
    """Return the numbers of the elements of arrays of resources that lines mention."""
    found: dict[str, set[int]] = {}
    lines_left, waiting = [*lines], list[SourceExpression]()
    while lines_left or waiting:
        if not waiting:
            line = lines_left.pop()
            waiting += expressions_of(line)
            for inner in inner_lines(line):
                lines_left += inner
            continue
        each = waiting.pop()
        waiting += each.args
        number = _selected(each, arrays)
        if number is not None:
            found.setdefault(_array_name(each), set()).add(number)
    return found


def _key(lines: Sequence[Line], element: _Element) -> Hashable:
    """Return a key that lines share which differ in the element, and in names that they define."""
    own: dict[str, int] = {}

    def term(value: SourceExpression) -> Hashable:
        if value in element:
            return "element", _array_name(value), value.type
        attr: Hashable = repr(value.attr)
        if value.op is NodeForm.NAME:
            attr = own.get(str(value.attr), str(value.attr))
        elif value.op is NodeForm.TEXEL:
            attr = value.attr.writable
        elif isinstance(value.attr, TextureCall):
            attr = _call(value.attr)
        return value.op, value.type, attr, tuple(map(term, value.args))

    def of(line: Line) -> Hashable:
        terms = tuple(map(term, expressions_of(line)))
        more: Hashable = None
        if isinstance(line, Define):
            own[line.name] = len(own)
            more = line.type
        elif isinstance(line, JumpLine):
            more = line.how
        elif isinstance(line, Choice):
            more = tuple(labels for labels, _ in line.cases)
        return type(line).__name__, more, terms, tuple(map(every, inner_lines(line)))

    def every(lines: Sequence[Line]) -> Hashable:
        return tuple(map(of, lines))

    return every(lines)


def _call(call: TextureCall) -> Hashable:
    """Return a key of a texture operation, whatever the texture and the sampler."""
    sample = call.sample
    texture = sample.texture
    alike = (str(texture.type), texture.shape, texture.layered, sample.sampler is None)
    ways = (sample.action, sample.level, sample.compare, sample.offset, sample.moving)
    more = (sample.component, sample.clamped, sample.feedback)
    return ways, more, alike, call.roles, call.kind, call.multisampled
