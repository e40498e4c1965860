"""Small shaders whose dependence is known: two inputs and two outputs around a body."""

from unshade import Limits
from unshade.programs.dxil import Program
from unshade.programs.dxil.dependence import Dependence, dependence_of
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.vocab.d3d import ShaderKind

TEXT = """\
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {{
{body}
}}

{functions}
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)
declare float @dx.op.loadOutputControlPoint.f32(i32, i32, i32, i8, i32)
declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)
declare i32 @dx.op.viewID.i32(i32)

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}

!0 = !{{i32 1, i32 1}}
!1 = !{{!"vs", i32 6, i32 1}}
!2 = !{{void ()* @main, !"main", !3, null, {properties}}}
!3 = !{{!4, !5, !6}}
!4 = !{{!7, !8}}
!5 = !{{!9, !10}}
!6 = !{{!11}}
!7 = !{{i32 0, !"A", i8 9, i8 0, !12, i8 0, i32 1, i8 4, i32 0, i8 0, null}}
!8 = !{{i32 1, !"B", i8 9, i8 0, !13, i8 0, i32 2, i8 2, i32 1, i8 0, null}}
!9 = !{{i32 0, !"C", i8 9, i8 0, !12, i8 0, i32 1, i8 4, i32 0, i8 0, null}}
!10 = !{{i32 1, !"D", i8 9, i8 0, !13, i8 0, i32 2, i8 1, i32 1, i8 1, null}}
!11 = !{{i32 0, !"E", i8 9, i8 0, !12, i8 0, i32 1, i8 2, i32 0, i8 0, null}}
!12 = !{{i32 0}}
!13 = !{{i32 0, i32 1}}
"""
HULL = """!14
!14 = !{i32 3, !15}
!15 = !{void ()* @patch, i32 3, i32 3, i32 2, i32 3, i32 3, float 6.400000e+01}
"""
INPUT = "call float @dx.op.loadInput.f32(i32 4, i32 {}, i32 {}, i8 {}, i32 undef)"
OUTPUT = "call void @dx.op.storeOutput.f32(i32 5, i32 {}, i32 {}, i8 {}, float {})"


def read(element: int, row: object, column: int) -> str:
    """Return a call that reads a component of an input: element 0 is A, 1 is B."""
    return INPUT.format(element, row, column)


def write(value: str, element: int = 0, row: object = 0, column: int = 0) -> str:
    """Return a call that writes a component of an output: element 0 is C, 1 is D."""
    return OUTPUT.format(element, row, column, value)


def program(*body: str, functions: str = "", is_hull: bool = False) -> Program:
    """Return a program whose entry point has these lines."""
    properties, _, more = (HULL if is_hull else "null").partition("\n")
    text = TEXT.format(body="\n".join(body), functions=functions, properties=properties)
    return Program.assemble(text + more)


def dependence(
    *body: str,
    functions: str = "",
    kind: ShaderKind = ShaderKind.VERTEX,
    limits: Limits | None = None,
) -> Dependence:
    """Return what the outputs of such a program depend on."""
    code = program(*body, functions=functions, is_hull=kind == ShaderKind.HULL)
    if limits is not None:
        code.limits = limits
    entry = read_shader(code.read_module()).entry_points[0]
    return dependence_of(code, entry, kind)


def pairs(table: list[int]) -> set[tuple[str, str]]:
    """Return the pairs of a component of an input and one of an output that depends on it."""
    names = [f"{vector}.{letter}" for vector in range(8) for letter in "xyzw"]
    return {
        (names[source], names[output])
        for source, mask in enumerate(table)
        for output in range(mask.bit_length())
        if mask >> output & 1
    }
