"""Calls that read inputs and write outputs, as components of registers.

    loadInput(i32 4, i32 1, i32 0, i8 2, i32 undef)       element 1, row 0, column 2
    storeOutput(i32 5, i32 0, i32 %row, i8 1, float %v)   element 0, any row, column 1

Component c of register r is bit 4 r + c of a mask. A row that is not constant may be any row of its
element. Inputs that are evaluated at another place of a pixel do not count, nor do inputs of a
given vertex: dxc does not count them.
"""

from collections.abc import Sequence

from ....tuples import NamedTuple
from ....vocab.d3d import ShaderKind
from ..model.constants import integer_of
from ..model.instructions import CallInst
from ..model.values import DxilValue
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilEntryPoint, DxilSignatureElement
from ..tables.dxil_operations import Op
from .values import Node, NodeKind

__all__ = ["COMPONENTS", "CONTROL", "INPUT", "PATCH", "VIEW", "Accesses", "Written"]

VECTORS = 256
Place = tuple[int, int | None, int | None]  # number of an element, row, column
# Bits of a set of sources: components of inputs, of patch constants, of control points, the view.
COMPONENTS = 4 * VECTORS
INPUT, PATCH, CONTROL, VIEW = (number * COMPONENTS for number in range(4))

# By operation: its operands with the number of an element, the row and the column.
INPUTS = {
    "LoadInput": ("inputSigId", "rowIndex", "colIndex"),
    "LoadOutputControlPoint": ("inputSigId", "row", "col"),
    "LoadPatchConstant": ("inputSigId", "row", "col"),
}
OUTPUTS = {
    "StoreOutput": ("outputSigId", "rowIndex", "colIndex"),
    "StorePatchConstant": ("outputSigID", "row", "col"),
    "StoreVertexOutput": ("outputSigId", "rowIndex", "colIndex"),
    "StorePrimitiveOutput": ("outputSigId", "rowIndex", "colIndex"),
}
TO_PATCH = ("StorePatchConstant", "StorePrimitiveOutput")


class Written(NamedTuple):
    """A value and the components that it is written to: of outputs, or, if `in_patch`, of patch
    constants or primitive outputs."""

    value: DxilValue
    in_patch: bool
    stream: int
    components: int


class Accesses:
    """The accesses to the signatures of an entry point."""

    def __init__(self, entry: DxilEntryPoint, kind: int) -> None:
        inputs, self.outputs, self.patch = entry.signatures
        control = (CONTROL, self.outputs) if kind == ShaderKind.HULL else (INPUT, inputs)
        self.tables = dict.fromkeys(INPUTS, (INPUT, inputs))
        self.tables |= {"LoadOutputControlPoint": control, "LoadPatchConstant": (PATCH, self.patch)}
        self.places: dict[tuple[int, Place], tuple[int, int] | None] = {}

    def source(self, node: Node) -> int:
        """Return the direct reads of a node, as a set of sources."""
        call = node[1]
        if node[0] is not NodeKind.VALUE or not isinstance(call, CallInst):
            return 0
        operation = operation_of(call)
        if operation is None:
            return 0
        if operation.name == "ViewID":
            return 1 << VIEW
        if operation.name not in INPUTS:
            return 0
        base, elements = self.tables[operation.name]
        place = self._place(call, operation, INPUTS[operation.name], elements)
        return 0 if place is None else place[1] << base

    def written(self, call: CallInst) -> Written | None:
        """Return the outputs that a call writes; None if it writes no register."""
        operation = operation_of(call)
        if operation is None or operation.name not in OUTPUTS:
            return None
        in_patch = operation.name in TO_PATCH
        elements = self.patch if in_patch else self.outputs
        place = self._place(call, operation, OUTPUTS[operation.name], elements)
        value = arguments_of(call, operation).get("value")
        return None if place is None or value is None else Written(value, in_patch, *place)

    def _place(
        self,
        call: CallInst,
        operation: Op,
        names: tuple[str, str, str],
        elements: Sequence[DxilSignatureElement],
    ) -> tuple[int, int] | None:
        """Return stream and components that a call accesses; None if it has no registers."""
        arguments = arguments_of(call, operation)
        number, row, column = (integer_of(arguments.get(each)) for each in names)
        if number is None or not 0 <= number < len(elements):
            return None
        key = id(elements), (number, row, column)
        if key not in self.places:
            self.places[key] = _components(elements[number], row, column)
        return self.places[key]


def _components(
    element: DxilSignatureElement, row: int | None, column: int | None
) -> tuple[int, int] | None:
    """Return stream and components of a part of an element; None if it has no registers."""
    if element.start_row < 0:
        return None
    columns = range(min(element.columns, 4)) if column is None else [column]
    rows = range(min(element.rows, VECTORS)) if row is None else [row]
    mask = 0
    for each in rows:
        for one in columns:
            at = 4 * (element.start_row + each) + element.start_column + one
            mask |= 1 << at if 0 <= at < COMPONENTS else 0
    return element.stream, mask
