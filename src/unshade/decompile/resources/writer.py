"""The part of a target that writes accesses to resources, as the other steps use it."""

from collections.abc import Sequence

from ...ir.kernel import Value
from ...ir.lowered import Lowered
from ...ir.memory import Memory
from ...model import Reflection
from ..expressions import Expressions
from ..kinds import Kinds, stripped
from ..names import DecompiledNames
from ..tree import Line, ScalarKind, SourceExpression
from ..variables import is_constant_load
from ..vectors import Group
from . import buffers, constants, effects
from .context import BufferRules, ResourceContext, first_of_array
from .declared import declared_kind
from .layouts import choose_layouts, give_vectors, member_path

__all__ = ["SourceResources"]


class SourceResources:
    """The resources of a program; `context` holds their names and descriptions."""

    def __init__(
        self,
        lowered: Lowered,
        reflection: Reflection | None,
        names: DecompiledNames,
        exact: bool,
        rules: BufferRules,
    ) -> None:
        self.context = ResourceContext(lowered, reflection, names, exact, rules)
        choose_layouts(self.context)

    def give_vectors(self, kinds: Kinds) -> None:
        """Describe elements as vectors where they have no description."""
        give_vectors(self.context, kinds)

    def arrays(self) -> dict[str, int]:
        """Return the numbers of elements of the arrays of resources by their names, 0 for none."""
        return {
            each.name: each.reflected.count or 0 if each.reflected is not None else 0
            for each in self.context.known.values()
            if each.index is not None and (each.reflected is not None or each.called)
        }

    def constants(self) -> set[str]:
        """Return the names of members of constant buffers."""
        return {name for each in self.context.known.values() for name in each.members.values()}

    def declared(self, value: Value) -> ScalarKind | None:
        """Return the kind of a load, store or part that a declaration fixes."""
        return declared_kind(self.context, value)

    def cell(self, memory: Memory) -> Memory:
        """Return the first memory of the array of resources that a memory is in."""
        return first_of_array(self.context, memory)

    def is_untyped(self, access: Value) -> bool:
        """Return True for a load or store of a word whose kind the source states."""
        return buffers.is_untyped(self.context, access)

    def in_row(self, accesses: Sequence[Value]) -> bool:
        """Return True for loads or stores of words in a row that are one access."""
        return buffers.is_row(self.context, accesses)

    def in_matrix(self, value: Value) -> bool:
        """Return True for a component of a matrix in a buffer of constants."""
        value = stripped(value)
        if not is_constant_load(value):
            return False
        path = member_path(self.context, value)
        return path is not None and path.line is not None

    def leaf(self, made: Expressions, value: Value) -> tuple[SourceExpression, int]:
        """Return the expression and component of a load from constants."""
        return constants.constant_load(self.context, made, value)

    def read(self, made: Expressions, group: Group) -> SourceExpression:
        """Return the expression of a load, a sample or a query."""
        return buffers.read(self.context, made, group)

    def store(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of stores."""
        return effects.store(self.context, made, group)

    def atomic(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines of an atomic operation."""
        return effects.atomic(self.context, made, group)

    def stream(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines that append a vertex to a stream, or end a strip."""
        return effects.stream(self.context, made, group)

    def point(self, made: Expressions, group: Group) -> list[Line]:
        """Return the lines that set components of a control point or of the patch."""
        return effects.point(self.context, made, group)

    def group(self, made: Expressions, group: Group) -> Line:
        """Return the line that sets the counts of a thread group, or launches groups."""
        return effects.thread_group(self.context, made, group)

    def barrier(self, group: Group) -> SourceExpression:
        """Return the call of a barrier."""
        return effects.barrier(self.context, group)
