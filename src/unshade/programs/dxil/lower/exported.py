"""Lowering of an exported function that is called directly.

    float f(<3 x float> %normal, i32* %count)

    normal    memory "normal", an element for each lane: loaded before the call
    count     memory "count": copied to local memory before the call, and back after it
    result    memory "result": stored after it

Parameters are named as in the module, or in debug information, or else `p0`, `p1`, …

Source: microsoft/DirectXShaderCompiler, DxilTypeSystem.h (qualifiers of parameters, matrices).
"""

from collections.abc import Iterator

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.memory import Memory, Space
from ....ir.parameters import FunctionParameter, ValueLayout, laid_out
from ....ir.types import I32, Type
from ....ir.unique_names import UniqueNames
from ....vocab.dxil import DxilComponentType
from ....vocab.slots import Direction, PointsSlot, Rate
from ..model.types import ArrayType, DxilType, PointerType, StructType, VectorType
from ..model.values import Function
from ..shaderinfo import DxilShader, FieldAnnotation, ParameterAnnotation
from .flow import Flow
from .memories import pointer_to
from .pointers import LARGEST_COPY, Pointers
from .references import flat
from .values import PointerValue, Result, parts_of, scalar_type
from .variables import argument_names

__all__ = ["ExportedCall"]

IN, OUT, INOUT = range(3)  # qualifiers
COLUMNS = 2  # orientation of a matrix whose columns are consecutive
MATRIX = "class.matrix."
C = DxilComponentType
UNSIGNED = frozenset({C.U16, C.U32, C.U64})
NOTHING = FieldAnnotation()
DEEPEST = 32


class ExportedCall:
    """The call of an exported function by each lane, with its parameters in memories."""

    def __init__(self, pointers: Pointers, function: Function, shader: DxilShader) -> None:
        self.pointers = pointers
        self.b = pointers.b
        self.function = function
        self.members = {each.type: each.fields for each in shader.structures}
        found = next((each for each in shader.functions if each.function is function), None)
        notes = found.parameters if found is not None else ()
        self.notes: dict[int, ParameterAnnotation] = dict(enumerate(notes, -1))  # -1: the result
        self.names = UniqueNames(())
        self.parameters: list[FunctionParameter] = []

    def run(self, flow: Flow) -> None:
        """Append loads of the parameters, the body of the function, and stores of its results."""
        kind = self.function.function_type
        names = argument_names(self.function)
        arguments: list[Result] = []
        written: list[tuple[PointerValue, Memory, DxilType, ValueLayout]] = []
        for number, argument in enumerate(self.function.arguments):
            type = argument.type
            given = type.pointee if isinstance(type, PointerType) else type
            note = self.notes.get(number)
            qualifier = note.qualifier if note is not None else INOUT
            by_pointer = isinstance(type, PointerType)
            read, write = not by_pointer or qualifier != OUT, by_pointer and qualifier != IN
            made, memory = self._parameter(
                names[number] or f"p{number}", given, number, read, write
            )
            layout = made.layout
            if not by_pointer:
                arguments.append(self._joined(type, iter(self._loads(memory, layout))))
                continue
            place = self.pointers.memory(made.name, Space.LOCAL, given)
            if read:
                for at, value in zip(
                    self._scalars(place, given), self._loads(memory, layout), strict=True
                ):
                    self.pointers.store(at[0], value)
            if write:
                written.append((place, memory, given, layout))
            arguments.append(place)
        result = flow.call(self.function, arguments)
        for place, memory, given, layout in written:
            values = [self.pointers.load(*at) for at in self._scalars(place, given)]
            self._stores(memory, layout, values)
        if not kind.result.is_void:
            made, memory = self._parameter("result", kind.result, -1, False, True)
            self._stores(memory, made.layout, flat(result))

    def _parameter(
        self, name: str, type: DxilType, number: int, read: bool, write: bool
    ) -> tuple[FunctionParameter, Memory]:
        note = self.notes.get(number)
        layout = self._layout(type, note.field if note is not None else NOTHING)
        if layout.size > LARGEST_COPY:
            raise UnsupportedError(f"a parameter of type {type!s:.40} cannot be run yet")
        direction = Direction.OUTPUT if write else Direction.INPUT
        slot = PointsSlot(direction, Rate.THREAD, len(self.parameters))
        made = FunctionParameter(self.names.unique(name), layout, slot, read, write)
        self.parameters.append(made)
        label = self.pointers.names.unique(made.name)
        memory = self.b.memory(label, Space.BUFFER, layout.size, writable=write, slot=slot)
        return made, memory

    # ------------------------------------------------------------ values

    def _places(self, memory: Memory, layout: ValueLayout) -> Iterator[tuple[PointerValue, Type]]:
        """Yield the place of each scalar of the lane's element."""
        element = self.b.source("item")
        whole = replace(pointer_to(memory), element=element)
        for at, type in layout.scalars():
            yield replace(whole, byte=constant(at, I32)), type

    def _loads(self, memory: Memory, layout: ValueLayout) -> list[Value]:
        return [self.pointers.load(*at) for at in self._places(memory, layout)]

    def _stores(self, memory: Memory, layout: ValueLayout, values: list[Value]) -> None:
        for (place, _), value in zip(self._places(memory, layout), values, strict=True):
            self.pointers.store(place, value)

    def _scalars(self, place: PointerValue, type: DxilType) -> Iterator[tuple[PointerValue, Type]]:
        """Yield the place of each scalar of a value in local memory."""
        scalar = scalar_type(type)
        if scalar is not None:
            yield place, scalar
            return
        for at, part in self.pointers.placed(type):
            yield from self._scalars(self.pointers.moved(place, at), part)

    def _joined(self, type: DxilType, values: Iterator[Value]) -> Result:
        if scalar_type(type) is not None:
            return next(values)
        return tuple(self._joined(each, values) for each in parts_of(type))

    # ------------------------------------------------------------ layouts

    def _layout(self, type: DxilType, note: FieldAnnotation, depth: int = 0) -> ValueLayout:
        """Return the layout of a parameter of a type."""
        shape: list[int] = []
        while isinstance(type, ArrayType | VectorType) or _is_matrix(type):
            if isinstance(type, ArrayType | VectorType):
                shape.append(type.count)
            type = parts_of(type)[0]
        transposed = False
        if len(note.matrix) == 3 and shape:
            rows, columns, orientation = note.matrix
            transposed = orientation == COLUMNS
            if shape[-1] == rows * columns:
                shape[-1:] = [rows, columns]
        scalar = scalar_type(type)
        if scalar is not None:
            unsigned = scalar.kind == "i" and note.component_type in UNSIGNED
            return laid_out((*shape,), scalar, [], unsigned=unsigned, transposed=transposed)
        if not isinstance(type, StructType) or not type.elements or depth > DEEPEST:
            raise UnsupportedError(f"a parameter of type {type!s:.40} cannot be run yet")
        fields = self.members.get(type, ())
        members = []
        for number, part in enumerate(parts_of(type)):
            field = fields[number] if number < len(fields) else NOTHING
            layout = self._layout(part, field, depth + 1)
            members.append((field.name or f"m{number}", layout))
        return laid_out((*shape,), None, members)


def _is_matrix(type: DxilType) -> bool:
    return (
        isinstance(type, StructType)
        and (type.name or "").startswith(MATRIX)
        and len(type.elements or ()) == 1
    )
