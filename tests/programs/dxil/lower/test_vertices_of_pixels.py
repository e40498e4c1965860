"""Inputs of a pixel at the vertices of its primitive: GetAttributeAtVertex."""

import numpy as np

import unshade
from unshade.run.raster import draw

from .support import ENGINES, LAYOUT

PIXEL = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"

define void @main() {{
  %a = call float @dx.op.attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 1, i8 0)
  %b = call float @dx.op.attributeAtVertex.f32(i32 137, i32 0, i32 0, i8 1, i8 2)
  %c = call i32 @dx.op.attributeAtVertex.i32(i32 137, i32 1, i32 0, i8 0, i8 1)
  %d = uitofp i32 %c to float
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %a)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %b)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %d)
  ret void
}}

declare float @dx.op.attributeAtVertex.f32(i32, i32, i32, i8, i8)
declare i32 @dx.op.attributeAtVertex.i32(i32, i32, i32, i8, i8)
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}
!0 = !{{i32 1, i32 1}}
!1 = !{{!"ps", i32 6, i32 1}}
!2 = !{{void ()* @main, !"main", !3, null, null}}
!3 = !{{!4, !7, null}}
!4 = !{{!5, !9, !10}}
!5 = !{{i32 0, !"COLOR", i8 9, i8 0, !6, i8 1, i32 1, i8 2, i32 0, i8 0, null}}
!6 = !{{i32 0}}
!7 = !{{!8}}
!8 = !{{i32 0, !"SV_Target", i8 9, i8 16, !6, i8 0, i32 1, i8 3, i32 0, i8 0, null}}
!9 = !{{i32 1, !"NUMBER", i8 5, i8 0, !6, i8 1, i32 1, i8 1, i32 1, i8 0, null}}
!10 = !{{i32 2, !"SV_Position", i8 9, i8 3, !6, i8 4, i32 1, i8 4, i32 2, i8 0, null}}
"""


def test_inputs_are_given_by_vertex() -> None:
    shader = unshade.assemble(PIXEL, "dxcontainer")
    given = {"COLOR[0]": [0, 0.25], "COLOR[2]": [0, 0.75], "NUMBER[1]": 5}
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        labels = [row.label for row in kernel.inputs if row.needed]
        assert labels == ["COLOR[0]", "COLOR[2]", "NUMBER[1]"]
        found = kernel.shade((2, 1), given)["SV_Target"]
        np.testing.assert_array_equal(found, np.broadcast_to([0.25, 0.75, 5], (1, 2, 3)))


def test_a_drawing_takes_the_values_of_the_vertices() -> None:
    vertices = {
        "SV_Position": [[-1, 1, 0, 1], [3, 1, 0, 1], [-1, -3, 0, 1]],
        "COLOR": [[0, 0.25], [0, 0.5], [0, 0.75]],
        "NUMBER": [4, 5, 6],
    }
    kernel = unshade.kernel(unshade.assemble(PIXEL, "dxcontainer"))
    found = draw(None, kernel, vertices, None, (2, 2)).targets["SV_Target"]
    np.testing.assert_array_equal(found, np.broadcast_to([0.25, 0.75, 5], (2, 2, 3)))
