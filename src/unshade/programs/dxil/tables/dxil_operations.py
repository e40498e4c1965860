"""Operations of DXIL: functions `dx.op.…`, whose first argument is the number of the operation.

    call float @dx.op.unary.f32(i32 7, float %x)        ; Saturate(value)

    dxil_operations.txt

    columns     number, name, function, overloads, memory, shader model, stages, flags, result,
                operands

    function    the name after `dx.op.`; a type follows if there are overloads
    overloads   types of `$o`: h half, f float, d double, 1 i1, 8 i8, w i16, i i32, l i64, u a
                structure, o an object, v none; after `<` the letters of elements of vectors; the
                letters of `$x0`, `$x1`, … are separated by a comma
    memory      rn does not access memory, ro only reads it, amo only by its arguments, nr does not
                return, nd must not be duplicated, - may do anything
    stages      letters of STAGES: shaders that may call it, l functions of libraries; - all may
    flags       g needs derivatives, w communicates in a wave, b is a barrier, c must stay in
                uniform control flow, u wants uniform arguments
    operands    name:type; ! after the type asks for a constant. Types: $o the overload, $r, $cb
                results of resources and constant buffers, res a handle, u8 … i64 integers (u: not
                negative), h f d; others are the structures that dxc calls so

The file is made by tools/dxil_operations.py and carries its notice.

Source: microsoft/DirectXShaderCompiler, at the revision that the file names.
"""

from functools import cache
from pkgutil import get_data

from ....isa.table import Table
from ....tuples import NamedTuple
from ....vocab.d3d import ShaderKind

__all__ = ["ALL_STAGES", "Op", "OpOperand", "operations"]

STAGES = dict(zip("pvghdclriatmksfn", ShaderKind, strict=True))
ALL_STAGES = frozenset(ShaderKind)


class OpOperand(NamedTuple):
    """An operand of an operation, after its number."""

    name: str
    type: str
    is_constant: bool = False


class Op(NamedTuple):
    """An operation of DXIL; see the columns of the file."""

    code: int
    name: str
    function: str
    overloads: str
    memory: str
    shader_model: tuple[int, int]
    stages: frozenset[ShaderKind]
    flags: str
    result: str
    operands: tuple[OpOperand, ...]

    @property
    def signature(self) -> str:
        """The name with the names of the operands: `Saturate(value)`."""
        return f"{self.name}({','.join(each.name for each in self.operands)})"


@cache
def operations() -> Table[Op]:
    """Return the operations of DXIL, by number and by name."""
    data = get_data(__package__, "dxil_operations.txt") or b""
    rows = []
    for line in data.decode().splitlines():
        if line.startswith("#"):
            continue
        code, name, function, overloads, memory, model, stages, flags, result, *operands = (
            line.split()
        )
        major, minor = model.split(".")
        pairs = (each.partition(":")[::2] for each in operands)
        rows.append(
            Op(
                int(code),
                name,
                function,
                overloads,
                memory.strip("-"),
                (int(major), int(minor)),
                ALL_STAGES if stages == "-" else frozenset(map(STAGES.__getitem__, stages)),
                flags.strip("-"),
                result,
                tuple(OpOperand(one, type.rstrip("!"), type.endswith("!")) for one, type in pairs),
            )
        )
    return Table(rows)
