"""The source of one program: the steps of decompilation in order, and the whole text."""

import re
from collections.abc import Callable, Mapping

from ..dataclass import replace
from ..errors import UnsupportedError, UsageError
from ..ir.builder import Builder
from ..ir.kernel import DEEPEST, KernelIR, Value, height
from ..ir.library import maths
from ..ir.lowered import Lowered
from ..ir.memory import Port
from ..ir.ops import OPS
from ..ir.simplify.coalesce import coalesce
from ..ir.simplify.copies import merge_copies
from ..ir.simplify.dead_code import remove_dead_code
from ..ir.simplify.value_numbering import number_values
from ..ir.simplify.variables import split_variables
from ..ir.sources import GROUP_COUNT, SOURCES
from ..ir.transforms.copying import copied_kernel
from ..ir.transforms.rewrite import rewrite
from ..model import Reflection
from ..vocab.slots import Direction
from ..vocab.words import Domain, Stage, SystemValue
from .bookkeeping import without_bookkeeping
from .conditions import bools
from .constants import fold_functions
from .counters import name_counters
from .elements import with_elements
from .exits import without_exits
from .expressions import Expressions, refused
from .glsl import GlslTarget
from .hlsl import Hlsl
from .hull import gather_points, hull_points, recognise_hull
from .interface import LANE_PLACES, EntryInterface, EntryParameter, constant_parameters
from .kinds import Kinds
from .local_arrays import without_local_arrays
from .meshes import GROUPED, recognise_groups
from .named_functions import name_functions
from .names import DecompiledNames, source_word
from .operations import PLACED, recognise, waves_with_helpers
from .parts import SourceParts
from .pixel_places import recognise_places
from .placement import ValuePlacement
from .points import PointSets, check_points, recognise_points
from .printer import SourceTarget
from .reductions import gather_conditions, with_reductions
from .repeated import name_repeated
from .resources import SourceResources
from .resources.textures import without_places
from .rotation import unrotated
from .selection import check_indexed, indexed
from .statements import StatementMaker
from .structure import structured
from .switches import without_small_switches
from .temporaries import name_temporaries, without_temporaries
from .tree import Line, ScalarKind, SourceExpression, TermType, name
from .variables import VectorVariable, stem_of
from .vectors import Group, grouped

__all__ = ["STYLES", "TARGETS", "decompile", "source_of"]

LANGUAGES: dict[str, Callable[[bool], SourceTarget]] = {"hlsl": Hlsl, "glsl": GlslTarget}
TARGETS = tuple(LANGUAGES)
STYLES = ("readable", "exact")
ROUNDS = 6
NUMBER = re.compile(r"\.?\d+$", re.ASCII)
MEANINGS = {GROUP_COUNT: SystemValue.THREAD_GROUP_COUNT}
BOOL = TermType(ScalarKind.BOOL)
SIZES = {
    SystemValue.THREAD_ID: 3, SystemValue.THREAD_GROUP_ID: 3, SystemValue.THREAD_ID_IN_GROUP: 3,
    SystemValue.THREAD_ID_IN_GROUP_FLATTENED: 1, GROUP_COUNT: 3,
}  # fmt: skip


def decompile(
    lowered: Lowered,
    reflection: Reflection | None = None,
    *,
    to: str = "hlsl",
    style: str = "readable",
    lines: bool = False,
    names: Mapping[str, str] | None = None,
) -> str:
    """Return a lowered program as source.

    Args:
        lowered: The program; it is not changed.
        reflection: Names and types of its interface and resources, if known.
        to: The language, one of TARGETS.
        style: `exact` computes the same bits as the program; `readable` may round differently
            where a comment says so, and keep subnormal numbers.
        lines: Write the line of the listing behind each statement.
        names: Names in place of those that the source has without this argument.

    Raises:
        UnsupportedError: The program has something that the language, or this library, has no
            source for; the message has the line of the listing.
        UsageError: The language or style is unknown, a name is no identifier or is taken, or
            nothing has the name that it replaces.
    """
    for what, given, known in (("language", to, TARGETS), ("style", style, STYLES)):
        if given not in known:
            raise UsageError(f"unknown {what} {given!r:.40}: expected one of {', '.join(known)}")
    exact = style == "exact"
    return source_of(lowered, reflection, LANGUAGES[to](exact), exact, lines, names)


def source_of(
    lowered: Lowered,
    reflection: Reflection | None,
    target: SourceTarget,
    exact: bool,
    lines: bool,
    names: Mapping[str, str] | None = None,
) -> str:
    """Return a lowered program as text of a target."""
    deep = height(lowered.kernel.body)
    if deep > DEEPEST:
        raise UnsupportedError(f"regions are nested {deep} deep; at most {DEEPEST} are supported")
    kernel = copied_kernel(lowered.kernel)
    without_bookkeeping(kernel)
    for value in kernel.values():
        if value.op.library and not maths.has_width(value):
            raise refused(f"{value.op.name} of 64-bit floats", value.line)
    without_local_arrays(kernel)
    without_small_switches(kernel)
    if kernel.stage not in target.stages:
        raise UnsupportedError(f"{kernel.stage} shaders cannot be decompiled yet")
    if kernel.stage is Stage.PIXEL and waves_with_helpers(kernel) and not target.helper_lanes:
        raise UnsupportedError("helper lanes in operations of waves cannot be decompiled yet")
    rewrite(kernel, lane_place)
    if target.attachments:
        without_places(kernel, reflection)
    recognise_points(kernel, lowered.points, exact)
    points = hull_points(lowered, reflection)
    if kernel.stage is Stage.HULL:
        recognise_hull(kernel, points)
    if kernel.stage is Stage.PIXEL:
        recognise_places(kernel)
    named = set() if exact else name_functions(kernel)
    plain = recognise(kernel, plain=not exact)
    simplified(kernel)
    if without_local_arrays(kernel):  # whose places are known now
        simplified(kernel)
    rewrite(kernel, bools)
    if exact:
        fold_functions(kernel)
    else:
        rewrite(kernel, _operand)
    with_elements(kernel, reflection, exact)
    simplified(kernel)
    gather_conditions(kernel)
    if kernel.stage is Stage.HULL:
        gather_points(kernel)
    lowered = replace(lowered, points=points)
    if kernel.stage in GROUPED:
        lowered = recognise_groups(lowered, kernel)
        remove_dead_code(kernel)
    made = _SourceText(lowered, kernel, reflection, exact, lines, target, names or {})
    made.has_plain_products = plain
    made.made.idioms |= named
    text = made.text()
    made.names.check_met()
    return text


def simplified(kernel: KernelIR) -> None:
    """Simplify a kernel in place, without changing its control flow."""
    left = -1
    for _ in range(ROUNDS):
        number_values(kernel)
        remove_dead_code(kernel)
        other = split_variables(kernel) | merge_copies(kernel)
        other |= coalesce(kernel, floats_only=False)
        before, left = left, sum(1 for _ in kernel.values())
        if left == before and not other:
            break


def lane_place(b: Builder, value: Value) -> Value | None:
    """Return the number of a lane or of lanes in a wave, which is an input of SPIR-V, as such."""
    word = LANE_PLACES.get(value.attr.role) if value.op is OPS.input else None
    return None if word is None else b.source(word)


def _operand(_: Builder, value: Value) -> Value | None:
    """Return the operand of a sum with 0 or a product with 1, which flushes subnormal numbers."""
    return value.args[0] if value.op is OPS.fcanonicalise else None


def _stem(vector: VectorVariable) -> str:
    """Return the name that the components of a variable share: `sum` of `sum0` and `sum1`."""
    names = [each.name for each in vector.lanes]
    for stems in ([stem_of(each)[0] for each in vector.lanes], [NUMBER.sub("", e) for e in names]):
        if len(names) > 1 and stems[0] and len({*stems}) == 1:
            return stems[0]
    return names[0]


def _is_stated(port: Port, reflection: Reflection | None) -> bool:
    """Return True for an input that a source has even if nothing reads it.

    The place of a pixel that no signature lists may only have been that of its input attachments.
    """
    if port.internal or port.role is not SystemValue.POSITION:
        return not port.internal
    rows = reflection.inputs if reflection is not None else []
    return any(row.system_value is SystemValue.POSITION for row in rows)


class _SourceText:
    """The source of one program while it is made."""

    def __init__(
        self, lowered: Lowered, kernel: KernelIR, reflection: Reflection | None, exact: bool,
        lines: bool, target: SourceTarget, renames: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.lowered = lowered
        self.kernel = kernel
        self.exact = exact
        self.has_plain_products = False
        self.lines = lines
        self.target = target
        self.names = DecompiledNames(self.target.reserved, renames)
        self.places: dict[str, EntryParameter] = {}
        self.made_up: set[str] = set()  # names of variables that the program has none for
        check_points(kernel)
        read = {value.attr for value in kernel.values() if value.op is OPS.input}
        constants = constant_parameters(
            [each for each in kernel.inputs if each.constant is not None and each in read],
            reflection, self.names,
        )  # fmt: skip
        kernel.inputs[:] = [each for each in kernel.inputs if each.constant is None]
        held = Lowered(kernel, lowered.resources)
        self.resources = SourceResources(held, reflection, self.names, exact, self.target)
        kernel.inputs[:] = [
            each for each in kernel.inputs if each in read or _is_stated(each, reflection)
        ]
        self.interface = EntryInterface(kernel, reflection, self.names, constants)
        self.reflection = reflection
        self.points = PointSets(kernel.stage, lowered.points, reflection, self.names)
        self.resources.context.points = self.points
        self.points.fill_kinds(kernel.values())
        self._widen_location()
        self.target.adapt(self.interface, kernel, self.points)
        self.kinds = Kinds(kernel, self._declared, self.resources.cell, self.resources.is_untyped)
        self.resources.give_vectors(self.kinds)
        items, self.variables = grouped(
            kernel, self.kinds, self.resources.in_row, products=not exact
        )
        with_reductions(items)
        self._name_variables()
        self.placement = ValuePlacement(items, self._name, self.resources.in_matrix)
        self.made = Expressions(
            self.kinds, self.placement, self.variables, self.interface, self.resources,
            self._place, exact,
        )  # fmt: skip
        self.statements = StatementMaker(self.made, self.placement, self.resources, self.names)
        types = {each.name: self.made.variable_type(each) for each in self.variables.values()}
        found = self.statements.region(items)
        found = self._indexed(found)
        found = without_exits(found, types, keep_outer=kernel.stage is Stage.HULL)
        types |= dict.fromkeys(self.statements.flags, BOOL)
        self.body = structured(unrotated(found, types), types)
        name_repeated(self.body, self.names)
        if not exact:
            without_temporaries(self.body)
        name_counters(self.body, self.made_up, self.names)
        name_temporaries(self.body, self.names)

    def _indexed(self, lines: list[Line]) -> list[Line]:
        """Return lines that access arrays of resources by an index.

        An index outside is undefined in the languages, and for an array without a size in programs,
        too; an exact source selects one of the elements of other arrays.
        """
        arrays = self.resources.arrays()
        unbounded = {word for word, count in arrays.items() if not count}
        if not self.target.indexed_resources or self.exact:
            arrays = {word: 0 for word in unbounded if self.target.unbounded_resources}
        if not arrays:
            return lines
        found = indexed(lines, arrays, self.resources.constants(), self.names)
        if not self.lowered.specialisation.lengths:
            check_indexed(found, unbounded)
        return found

    def _widen_location(self) -> None:
        """Give the place in the patch its width, which depends on the domain."""
        found = self.reflection.tessellation if self.reflection is not None else None
        for each in self.interface.inputs:
            if each.meaning is SystemValue.DOMAIN_LOCATION:
                triangle = found is not None and found.domain == Domain.TRI
                each.type = each.type.wide(3 if triangle else 2)

    def _declared(self, value: Value) -> ScalarKind | None:
        if value.op in PLACED:
            value = value.args[0]
        if value.op in (OPS.input, OPS.output):
            kind = self.interface.of[value.attr][0].type.kind
            return ScalarKind.UINT if kind is ScalarKind.BOOL else kind
        return self.resources.declared(value)

    def _name_variables(self) -> None:
        seen: set[VectorVariable] = set()
        for each in self.variables.values():
            if each not in seen:
                seen.add(each)
                first = each.lanes[0]
                known = source_word([first.gives] if first.gives is not None else [])
                each.name = self.names.unique(known or first.row or _stem(each))
                if not known and not self.names.is_wanted(each.name):
                    self.made_up.add(each.name)

    def _name(self, group: Group) -> str:
        label = group.first.label
        found = [*label.gives, *([label.name] if label.name is not None else [])] if label else []
        known = source_word(found)
        return self.names.unique(known) if known else self.names.mark()

    def _place(self, value: Value) -> tuple[SourceExpression, int]:
        """Return the expression of a source: a position of the lane."""
        source = SOURCES[value.attr]
        spelled = self.target.sources.get(source.word)
        if source.word == "helper" and any(each.op is OPS.discard for each in self.kernel.values()):
            raise refused("the state of a lane before it is discarded", value.line)
        if spelled is not None:
            return name(spelled, TermType(ScalarKind.UINT)), 0
        size = SIZES.get(source.word)
        if size is None:
            raise refused(f"the position {value.attr}", value.line)
        found = self.places.get(source.word)
        if found is None:
            found = self.places[source.word] = EntryParameter(
                self.target.place_name(self.names, source.word),
                TermType(ScalarKind.UINT, 32, size),
                Direction.INPUT,
                "",
                0,
                MEANINGS.get(source.word) or SystemValue(source.word),
            )
        return name(found.name, found.type), source.axis or 0

    def text(self) -> str:
        """Return the source."""
        return self.target.program(SourceParts(
            self.lowered, self.kernel, self.reflection, self.names, self.interface,
            [*self.places.values()], self.points, self.resources.context, self.kinds, self.body,
            self.exact, self.lines, sorted(self.made.idioms), self.has_plain_products,
        ))  # fmt: skip
