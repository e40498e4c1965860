"""Operations that run, and those that are refused by name."""

import pytest

from unshade.errors import UnsupportedError
from unshade.ir.lowered import Lowered
from unshade.programs.dxil.lower.coverage import REASONS, reason, runs
from unshade.programs.dxil.tables.dxil_operations import operations

from .support import LAYOUT, code_of, compute, load, lowered, run, store


def test_every_operation_runs_or_has_a_reason() -> None:
    for op in operations():
        assert runs(op) == (reason(op) is None), op.name


def test_reasons_are_of_operations() -> None:
    assert {*REASONS} <= {op.name for op in operations()}


def test_refused_by_name() -> None:
    body = "\n  %y = call i32 @dx.op.hitKind.i32(i32 143)"
    with pytest.raises(UnsupportedError, match=r"line \d+: HitKind cannot be run: ray tracing"):
        lowered(compute(body))


def test_another_stage() -> None:
    body = "\n  %y = call i32 @dx.op.outputControlPointID.i32(i32 107)"
    with pytest.raises(UnsupportedError, match="OutputControlPointID cannot be run in this stage"):
        lowered(compute(body))


PIXEL = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"
define void @main() {{{{
  {{line}}
  ret void
}}}}
declare i32 @dx.op.threadId.i32(i32, i32)
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
!dx.version = !{{{{!0}}}}
!dx.shaderModel = !{{{{!1}}}}
!dx.entryPoints = !{{{{!2}}}}
!0 = !{{{{i32 1, i32 6}}}}
!1 = !{{{{!"ps", i32 6, i32 6}}}}
!2 = !{{{{void ()* @main, !"main", !3, null, null}}}}
!3 = !{{{{null, !4, null}}}}
!4 = !{{{{!5}}}}
!5 = !{{{{i32 0, !"SV_Target", i8 9, i8 16, !6, i8 0, i32 1, i8 2, i32 0, i8 0, null}}}}
!6 = !{{{{i32 0}}}}
"""


def pixel(line: str) -> Lowered:
    """Return a pixel shader with one instruction, lowered."""
    code = code_of(PIXEL.format(line=line))
    code.version = 0x66
    return lowered(code)


def test_numbers_of_threads_in_a_pixel_shader() -> None:
    """A damaged module asks for what only groups of threads have."""
    with pytest.raises(UnsupportedError, match="ThreadId cannot be run in this stage"):
        pixel("%x = call i32 @dx.op.threadId.i32(i32 93, i32 0)")


@pytest.mark.parametrize("axis", [3, -4])
def test_an_axis_that_threads_do_not_have(axis: int) -> None:
    body = f"\n  %y = call i32 @dx.op.threadIdInGroup.i32(i32 95, i32 {axis})"
    assert run(compute(body + store("%y"))).tolist() == [0] * 4


def test_an_access_without_an_index() -> None:
    """What is undef is 0, an index too."""
    body = load("x", "undef") + store("%x")
    assert run(compute(body, threads=4), [7, 8, 9, 10]).tolist() == [7] * 4


def test_more_rows_than_a_signature_has() -> None:
    text = PIXEL.replace("i32 1, i8 2", "i32 2147483647, i8 2").format(line="")
    code = code_of(text)
    code.version = 0x66
    with pytest.raises(UnsupportedError, match="SV_Target: expected at most 32 rows"):
        lowered(code)


def test_a_column_that_a_register_does_not_have() -> None:
    text = PIXEL.replace("i32 0, i8 0", "i32 0, i8 3")
    assert text != PIXEL
    store = "call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float 1.0)"
    code = code_of(text.format(line=store))
    code.version = 0x66
    with pytest.raises(UnsupportedError, match="SV_Target: expected a column from 0 to 3, got 4"):
        lowered(code)


def test_a_component_beyond_an_output() -> None:
    """The output has two components: the third would belong to nothing."""
    store = "call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 {}, float 1.0)"
    pixel(store.format(1))
    with pytest.raises(UnsupportedError, match="SV_Target: no such row and column: 0, 2"):
        pixel(store.format(2))


GEOMETRY = """
define void @main() {
  ret void
}
!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 0}
!1 = !{!"gs", i32 6, i32 0}
!2 = !{void ()* @main, !"main", !3, null, !7}
!3 = !{!4, null, null}
!4 = !{!5, !6}
!5 = !{i32 0, !"A", i8 9, i8 0, !9, i8 2, i32 1, i8 4, i32 0, i8 0, null}
!6 = !{i32 1, !"B", i8 5, i8 0, !9, i8 1, i32 0, i8 1, i32 1, i8 0, null}
!7 = !{i32 1, !8}
!8 = !{i32 3, i32 3, i32 1, i32 5, i32 1}
!9 = !{i32 0}
"""


def test_an_element_of_no_rows_has_a_place_in_vertices() -> None:
    """Metadata that is damaged says so; what reads and fills vertices counts one row."""
    code = code_of(GEOMETRY)
    code.version = 0x2_0060
    points = lowered(code).points[0]
    assert len(points.ports) == 5
    assert max(points.ports.values()) < points.stride
