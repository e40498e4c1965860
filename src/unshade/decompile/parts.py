"""The parts of a source from which a target makes the text."""

from collections.abc import Callable, Iterator, Sequence

from ..dataclass import dataclass, field
from ..ir.kernel import KernelIR, Loop, Region, Value, regions, walk
from ..ir.lowered import Lowered
from ..ir.memory import Space
from ..ir.ops import OPS
from ..ir.textures import Action, Level
from ..model import Reflection
from .interface import EntryInterface, EntryParameter
from .kinds import Kinds
from .messages import left_out
from .names import DecompiledNames
from .points import PointSets
from .resources.buffers import register_type, rows_of
from .resources.context import ResourceContext
from .resources.widths import only_size
from .spelling import INDENT
from .structure import assigned, mentions
from .tree import Assign, Line, TermType, literal, name

__all__ = ["SourceParts", "cleared_arrays", "folded_constants", "group_constants", "initial"]

PLAIN_PRODUCTS = "products with 0 are 0 in the program, also of infinity; those of * are NaN there"


@dataclass(slots=True)
class SourceParts:
    """A program before it is printed: its declarations, and the lines of its entry point."""

    lowered: Lowered
    kernel: KernelIR
    reflection: Reflection | None
    names: DecompiledNames
    interface: EntryInterface
    places: list[EntryParameter]  # positions of the lane
    points: PointSets
    resources: ResourceContext
    kinds: Kinds
    body: list[Line]
    exact: bool
    numbers: bool  # comments with the lines of the listing
    idioms: list[str] = field(default_factory=list)
    has_plain_products: bool = False

    @property
    def continues_after_discard(self) -> bool:
        """True if a lane that is discarded still serves its quad or wave.

        Whether it ends at once makes no difference otherwise.
        """
        discarded = False  # a lane, in the code that is executed before
        for value in _with_loops(self.kernel.body):
            if discarded and _asks_others(value):
                return True
            discarded = discarded or value.op is OPS.discard
        return False

    @property
    def notes(self) -> list[str]:
        """The comments on what a source may compute otherwise, but for its calls."""
        plain = [PLAIN_PRODUCTS] if self.has_plain_products else []
        return plain + left_out(self.lowered.printed)


def _with_loops(region: Region) -> Iterator[Value]:
    """Yield the values of a region in order, and those of each outermost loop twice."""
    stack = [iter(region)]
    while stack:
        for each in stack[-1]:
            if isinstance(each, Value):
                yield each
            elif isinstance(each, Loop):
                yield from walk(each.body)
                yield from walk(each.body)
            else:
                stack.extend(iter(inner) for inner in reversed(regions(each)))
                break
        else:
            stack.pop()


def _asks_others(value: Value) -> bool:
    """Return True for an operation that reads values of other lanes, or whether one is a helper."""
    if value.op is OPS.sample:
        of_slope = value.attr.level in (Level.AUTO, Level.BIAS)
        action = value.attr.action
        return action is Action.LOD or (action is Action.SAMPLE and of_slope)
    return bool(value.op.convergent) or value.op is OPS.is_helper


def initial(parts: SourceParts) -> Iterator[Line]:
    """Yield the assignments of initial values, zero, to outputs that need one."""
    given = assigned(parts.body)
    for each in parts.interface.outputs:
        if given.get(each.name, 0) != (1 << each.type.width) - 1:
            yield Assign(name(each.name, each.type), literal((0,), each.type.wide(1)))


def cleared_arrays(
    parts: SourceParts,
    spelled: Callable[[TermType], str],
    zero: Callable[[TermType], str],
    body: Sequence[Line] | None = None,
) -> Iterator[str]:
    """Yield the lines that declare the lane's arrays and set them to 0.

    `spelled` returns the name of a type, `zero` a value of it. With the body of a function, only
    the arrays that it uses are declared.
    """
    for memory in parts.kernel.memories:
        found = parts.resources.known.get(memory)
        if memory.space is not Space.LOCAL or found is None or not found.used:
            continue
        if body is not None and not any(mentions(line, found.name) for line in body):
            continue
        kind = parts.kinds.of_place(parts.kinds.cell(memory))
        type = register_type(memory, kind, only_size(parts.resources, memory))
        at, count = parts.names.unique("i"), (memory.count or 0) * rows_of(memory)
        yield f"{INDENT}{spelled(type)} {found.name}[{count}];"
        yield (
            f"{INDENT}for (int {at} = 0; {at} < {count}; {at}++) {found.name}[{at}] = {zero(type)};"
        )


def folded_constants(parts: SourceParts, sized: bool) -> Iterator[str]:
    """Yield a comment for each specialisation constant whose value the code depends on.

    With `sized` the language has such constants for the size of the thread group.
    """
    found = parts.reflection
    rows = {each.id: each for each in found.specialisation_constants} if found is not None else {}
    group = [] if found is None else [*(found.thread_group_constants or [])]
    for id, value in sorted(parts.lowered.folded.items()):
        if id not in rows or (sized and id in group):
            continue
        row = rows[id]
        name = f" {row.name}" if row.name else ""
        text = str(value).lower() if isinstance(value, bool) else f"{value}"
        where = "the code"
        if id in group:
            where = f"the size of the thread group ({'xyz'[group.index(id)]})"
        yield f"// specialisation constant {id}: {row.type}{name} = {text}, fixed in {where}"


def group_constants(parts: SourceParts) -> list[int | None]:
    """Return the ids of the specialisation constants that set the size of the thread group."""
    found = parts.reflection.thread_group_constants if parts.reflection is not None else None
    fixed = {*parts.lowered.specialisation.constants}
    if parts.lowered.specialisation.group is not None or not found or fixed:
        return [None, None, None]
    return [*found]
