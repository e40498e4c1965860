"""The state of one lowering: the module, the kernel being built, and the values so far.

    module      index, types, constants, facts of the entry point
    kernel      the builder, resources, names
    values      of globals and constants; of the function being lowered

Each call of a function is lowered in place, with separate values (`flow`).
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.library.printing import PrintedRecords
from ....ir.locations import SymbolName, ValueLabel
from ....ir.lowered import LoweredResource
from ....ir.memory import Port, Var
from ....ir.ops import OPS
from ....ir.source_variables import SourceVariables
from ....ir.specialisation import Number, Specialisation
from ....ir.transforms.dynamic_indexing import one_of
from ....ir.transforms.functions import CallFrame, Calls
from ....ir.types import I32, Type
from ....model import Resource
from ....model.facts import ProgramFacts
from ....vocab.slots import ResourceSlot
from ..constants import ConstantValues
from ..facts.usage import Usage
from ..index import ModuleIndex, SpirvEntryPoint
from ..module import Instruction
from ..tables.numbers import ExecutionMode, Opcode, StorageClass
from .indexing import indexed_variables
from .kept import KeptValue, KeptValues
from .listing import Listing
from .modes import widths_of
from .operations import Components, Handlers
from .pointers import NOWHERE, ChosenRoot, Offset, OffsetTerm, Root, TypedPointer
from .refused import refusal_of
from .roots import BlockRoot, SharedBlock
from .sharing import Shared, shared_by_variable
from .types import LeafType, LeafTypes
from .undefined import UndefinedResults

__all__ = ["FunctionValues", "Lowering", "Makers"]


Maker: TypeAlias = "Callable[[Lowering, int, LeafType], TypedPointer]"
Makers: TypeAlias = tuple[Maker, Maker]


class FunctionValues:
    """The values of one call of a function; `frame` is None for the entry point.

    `kept` holds the values that are used beyond a barrier, where invocations run one after the
    other.
    """

    def __init__(
        self, function: int, name: str, frame: CallFrame | None, kept: KeptValues | None = None
    ) -> None:
        self.function = function
        self.name = name
        self.frame = frame
        self.kept = kept
        self.values: dict[int, Any] = {}
        self.repeats = False  # the function may run again in the same lane


class Lowering:
    """The lowering of one entry point.

    Attributes:
        b: The builder.
        index, types, constants, facts: The module, and the facts of the entry point.
        entry: The entry point.
        chosen: The specialisation.
        resources: The resources to bind, in the order of first use.
        blocks: Bound blocks, by slot, made at first use.
        declared: Images and samplers by slot and type, ports by slot, made at first use.
        functions: The open calls, the innermost last.
        handlers: The handler of each opcode.
        images, interface: Make the pointer to a variable that is an image or sampler (or an array),
            and to an input or output.
        listing: The text that lines and names refer to.
        used: Ids of the global variables that the entry point refers to.
    """

    def __init__(
        self,
        index: ModuleIndex,
        constants: ConstantValues,
        facts: ProgramFacts,
        entry: SpirvEntryPoint,
        kernel: KernelIR,
        chosen: Specialisation,
        handlers: Handlers,
        makers: Makers,
        listing: Listing,
        usage: Usage,
    ) -> None:
        self.index = index
        self.constants = constants
        self.types = LeafTypes(index, constants)
        self.facts = facts
        self.entry = entry
        self.kernel = kernel
        self.chosen = chosen
        self.spec_inputs: dict[int, Port] = {}  # specialisation constants of a source, by id
        self.handlers = handlers
        self.images, self.interface = makers
        self.listing = listing
        self.b = Builder(kernel)
        self.undefined = UndefinedResults(self.b)
        self.calls = Calls(self.b, len(index.module.instructions))
        self.resources: list[LoweredResource] = []
        self.values: dict[int, Any] = {}
        self.blocks: dict[ResourceSlot, BlockRoot] = {}
        self.stage: Any = None  # of a geometry or tessellation shader (`geometry`, `tessellation`)
        self.declared: dict[Hashable, Any] = {}
        self.shared: SharedBlock | None = None  # workgroup memory with explicit layout
        self.functions: list[FunctionValues] = []
        self.numbered: dict[int, list[Root]] = {}  # roots of variable pointers by storage class
        self._depth = 0  # of constants within constants
        self.position = 0  # of the instruction being lowered
        self.heights: dict[int, int] = {}  # nested calls of each function (`flow`)
        self.used = frozenset(usage.paths)
        self.source_variables = SourceVariables(self.b)
        self.printed = PrintedRecords(self.b, chosen.for_source)
        self.declared_variables: set[int] = set()  # of the source, whose memory is known
        self.toward_zero = widths_of(index, entry, ExecutionMode.RoundingModeRTZ)

    # -- operands ----------------------------------------------------------------------------------

    def operand(self, number: int) -> Any:
        """Return the lowered value of an id: scalars, a pointer, or an opaque object."""
        if self.functions:
            found = self.functions[-1].values.get(number)
            if isinstance(found, KeptValue):
                return found.get(self.b)
            if found is not None:
                return found
        found = self.values.get(number)
        if found is None:
            found = self._global(number)
        return found

    def _global(self, number: int) -> Any:
        definition = self.index.definitions.get(number)
        if definition is None:
            raise UnsupportedError(f"%{number} is not defined")
        instruction = self.index.module.instructions[definition.position]
        handler = self.handlers.get(definition.opcode)
        if handler is None or self.index.types.get(number) is None:
            raise self.refusal(instruction)
        if definition.opcode not in GLOBALS:
            raise UnsupportedError(f"%{number} is used before its definition")
        if self._depth >= DEEPEST:
            raise UnsupportedError(f"%{number}: constants are nested too deeply")
        self._depth += 1
        found = handler(self, instruction)
        self._depth -= 1
        if definition.opcode in KEPT and not self.depends_on_input(number):
            self.values[number] = found
        return found

    # -- specialisation constants ----------------------------------------------------------------

    def specialised(self, instruction: Instruction, type: Type) -> Value | None:
        """Return a specialisation constant that a source keeps; None for other constants."""
        number = instruction.words[2]
        place = self._spec_id(number)
        if place is None:
            return None
        port = self.spec_inputs.get(place)
        if port is None:
            label = self.index.names.get(number) or f"constant_{place}"
            port = self.spec_inputs[place] = Port(label, type, row=label, constant=place)
            self.kernel.inputs.append(port)
        return self.b.input(port)

    def _spec_id(self, number: int) -> int | None:
        """Return the SpecId of a constant that a source keeps: one of a word, without a value."""
        definition = self.index.definitions[number]
        if not self.chosen.for_source or definition.opcode not in SPECIALISED:
            return None
        place = self.index.specialisation(number)
        type = self.types.of_value(number).scalar
        if place in self.constants.chosen or type is None or type.bits not in (1, WORD_BITS):
            return None
        return place

    def depends_on_input(self, number: int) -> bool:
        """Return True if a constant is computed from a specialisation constant that is an input."""
        if not self.chosen.for_source:
            return False
        return any(self._spec_id(each) is not None for each in self._parts(number))

    def _parts(self, number: int) -> Iterator[int]:
        """Yield the scalar constants that a constant is made of."""
        waiting, seen = [number], {number}
        while waiting:
            each = waiting.pop()
            definition = self.index.definitions.get(each)
            if definition is None or definition.opcode not in GLOBALS:
                continue
            if definition.opcode in SPECIALISED:
                yield each
            elif definition.opcode in COMPUTED:
                words = [
                    part.words[0] for part in definition.decoded.operands if part.kind == "IdRef"
                ]
                waiting += [part for part in words if part not in seen]
                seen.update(words)

    def folded(self) -> dict[int, Number]:
        """Return the values of the specialisation constants that the kernel depends on."""
        found: dict[int, Number] = {}
        asked = {part for number in self.constants.asked for part in self._parts(number)}
        for number in self.index.definitions if self.chosen.for_source else ():
            place = self.index.specialisation(number)
            if place is not None and (place not in self.spec_inputs or number in asked):
                value = self.constants.value(number)
                if isinstance(value, int | float):
                    found[place] = value
        return found

    def value(self, number: int) -> Components:
        """Return the scalars of a value; a pointer is two (`types`)."""
        return self.flattened(self.operand(number))

    def scalar(self, number: int) -> Value:
        """Return the scalar of an id; raise an error if it is another value."""
        found = self.value(number)
        if len(found) != 1:
            raise UnsupportedError(f"%{number}: expected a scalar")
        return found[0]

    def pointer(self, number: int) -> TypedPointer:
        """Return a pointer."""
        found = self.operand(number)
        if isinstance(found, TypedPointer):
            return found
        kind = self.types.of_value(number)
        if isinstance(found, tuple) and kind.is_pointer:
            pointer = self.restored(kind, found)
            assert isinstance(pointer, TypedPointer)
            return pointer
        raise UnsupportedError(f"%{number}: expected a pointer")

    def integer(self, number: int) -> int | None:
        """Return the value of an integer constant; None for other values."""
        definition = self.index.definitions.get(number)
        if definition is None or definition.opcode not in GLOBALS:
            return None
        return self.constants.integer(number)

    def refusal(self, instruction: Instruction) -> UnsupportedError:
        """Return the error for an instruction that cannot be run."""
        definition = self.index.decoded[self.position].op
        name = definition.name if definition is not None else f"opcode {instruction.opcode}"
        if self.index.module.instructions[self.position] is not instruction:
            name = self.listing.operation(instruction)
        return UnsupportedError(f"instructions[{self.position}]: {refusal_of(name)}")

    # -- pointers as values ------------------------------------------------------------------------

    def flattened(self, found: Any) -> Components:
        """Return the scalars of the lowered value of an id."""
        if isinstance(found, tuple) and not isinstance(found, TypedPointer):
            return found
        if isinstance(found, TypedPointer):
            return self._number(found.root), found.offset.value(self.b)
        raise UnsupportedError("an image or a sampler is selected or stored; this cannot be run")

    def _number(self, root: Root) -> Value:
        """Return the number by which pointers that are selected at run time refer to a root."""
        if not isinstance(root, ChosenRoot):
            return constant(self._number_of(root), I32)
        numbers = {at: self._number_of(each) for at, each in root.roots.items()}
        if all(at == number for at, number in numbers.items()):
            return root.which
        none = constant(NOWHERE, I32)
        return one_of(self.b, root.which, numbers, lambda at: constant(numbers[at], I32), none)

    def _number_of(self, root: Root) -> int:
        for storage in POINTED:
            for number, each in enumerate(self.roots_of(storage)):
                if each is root:
                    return number
        raise UnsupportedError("a pointer to this variable is selected or stored")

    def restored(self, type: LeafType, values: Sequence[Value]) -> Any:
        """Return the lowered value of a type, made of scalars."""
        if not type.is_pointer:
            return tuple(values)
        which, address = values
        pointee = self.types.of(type.words[3])
        roots = dict(enumerate(self.roots_of(type.storage)))
        if not roots:
            raise UnsupportedError("pointers that are selected at run time need a memory")
        root: Root = ChosenRoot(roots, which)
        if which.op is OPS.const and which.attr in roots:
            root = roots[which.attr]
        offset = Offset().with_term(OffsetTerm(address, 1))
        return TypedPointer(root, pointee, offset)

    def roots_of(self, storage: int) -> list[Root]:
        """Return the roots of all variables of a storage class that the entry point may use."""
        found = self.numbered.get(storage)
        if found is None:
            found = self.numbered[storage] = []
            for number in self.index.definitions:
                definition = self.index.definitions[number]
                if definition.opcode != Opcode.Variable or definition.words[3] != storage:
                    continue
                if number not in self.used:
                    continue
                for root in self.pointer(number).root.elements():
                    if root not in found:
                        found.append(root)
        return found

    @cached_property
    def bound(self) -> dict[int, Resource]:
        """The facts about bound variables, by id."""
        found = {each.path: each.resource for each in self.facts.resources}
        ids = {
            number: f"instructions[{self.index.definitions[number].position}]"
            for number in self.used
        }
        return {number: found[path] for number, path in ids.items() if path in found}

    @cached_property
    def shared_by_variable(self) -> dict[int, Shared]:
        """The bound variables that are one resource with each, by id."""
        return shared_by_variable(self)

    @cached_property
    def block_sizes(self) -> dict[int, int]:
        """The sizes of uniform blocks, by the identity of the fact about their variable."""
        sizes = {each.resource: each.size for each in reversed(self.facts.constant_buffers)}
        return {
            id(each.resource): sizes.get(number, 0)
            for number, each in reversed([*enumerate(self.facts.resources)])
        }

    @cached_property
    def indexed(self) -> frozenset[int]:
        """The ids of variables of a lane that are indexed at run time."""
        return indexed_variables(self.index, self.constants, self.types)

    # -- names -------------------------------------------------------------------------------------

    def name(self, number: int) -> str:
        """Return the name of an id in the listing: %12."""
        return self.listing.name(number)

    def label(self, number: int, found: Any) -> None:
        """Label the scalars of a result that were made just now."""
        if not self.listing.labelled:
            return
        type = self.types.of_value(number)
        if not isinstance(found, tuple) or type.is_pointer or type.size > LABELLED:
            return
        name = self.name(number)
        steps = self.listing.steps(type)
        for value, step in zip(found, steps, strict=True):
            if value.label is None and value.line == self.b.line and value.op.name != "const":
                value.label = ValueLabel(SymbolName(name, *step))

    def variable(
        self,
        stem: str,
        row: str,
        type: Type,
        *,
        internal: bool = False,
        gives: SymbolName | None = None,
    ) -> Var:
        """Return a new variable of the kernel; `gives` is its name in the source."""
        name = self.calls.variables.unique(stem)
        row = row if name.startswith(row) else ""
        return self.b.var(name, type, internal=internal, row=row, gives=gives)


DEEPEST = 128  # constants within constants
# Storage classes whose pointers may be selected at run time.
POINTED = (StorageClass.StorageBuffer, StorageClass.Workgroup, StorageClass.Uniform)
LABELLED = 64  # leaves of a result whose parts are named
SPECIALISED = frozenset({
    Opcode.SpecConstant, Opcode.SpecConstantTrue, Opcode.SpecConstantFalse,
})  # fmt: skip
COMPUTED = frozenset({Opcode.SpecConstantOp, Opcode.SpecConstantComposite})
WORD_BITS = 32
# Instructions outside of functions whose values are constants or variables.
KEPT = frozenset({
    Opcode.Variable, Opcode.Constant, Opcode.ConstantTrue, Opcode.ConstantFalse,
    Opcode.ConstantComposite, Opcode.ConstantNull, Opcode.SpecConstant, Opcode.SpecConstantTrue,
    Opcode.SpecConstantFalse, Opcode.SpecConstantComposite, Opcode.Undef,
})  # fmt: skip
# Instructions outside of functions that have a value; that of OpSpecConstantOp is made at each use.
GLOBALS = KEPT | {Opcode.SpecConstantOp}
