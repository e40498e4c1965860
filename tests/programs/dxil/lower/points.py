"""Hull, domain and geometry shaders: two inputs, two outputs and a patch constant around a body.

A   register 0, xyzw               C   register 0, xyzw
B   registers 1 and 2, xy          D   registers 1 and 2, y          E   register 0, xy
"""

from __future__ import annotations

import numpy as np

from tests.ir.library.images import Words
from tests.programs.dxil.dependence.support import TEXT
from tests.programs.dxil.lower.support import code_of, lowered
from unshade.ir.lowered import Lowered
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import Bitstream
from unshade.vocab.d3d import ShaderKind

__all__ = ["GUARD", "bits", "memory", "shader"]

GUARD = 0xDEAD_BEEF
DECLARED = """
declare i32 @dx.op.outputControlPointID.i32(i32)
declare float @dx.op.domainLocation.f32(i32, i8)
declare void @dx.op.emitStream.v0(i32, i8)
declare void @dx.op.cutStream.v0(i32, i8)
declare void @dx.op.emitThenCutStream.v0(i32, i8)
declare i32 @dx.op.gsInstanceID.i32(i32)
declare i32 @dx.op.primitiveID.i32(i32)
"""
STAGES = {"gs": ShaderKind.GEOMETRY, "hs": ShaderKind.HULL, "ds": ShaderKind.DOMAIN}


def shader(stage: str, body: str, properties: str, functions: str = "", tag: int = 0) -> Lowered:
    """Return a verified kernel; `properties` and `tag` are of the stage's node."""
    tag = tag or {"gs": 1, "ds": 2, "hs": 3}[stage]
    text = TEXT.format(body=f"{body}\n  ret void", functions=functions + DECLARED, properties="!14")
    text += f"!14 = !{{i32 {tag}, !15}}\n!15 = !{{{properties}}}\n"
    code = Code(STAGES[stage] << 16 | 0x66, 0x106, Bitstream([]))
    code.module = code_of(text.replace('!"vs"', f'!"{stage}"')).module
    return lowered(code)


def bits(*numbers: float) -> list[int]:
    return [int(each) for each in np.array(numbers, "<f4").view("<u4")]


def memory(
    points: int, rows: int, values: dict[tuple[int, int, int], float] | None = None
) -> Words:
    """Return points of so many registers: GUARD but for the values by point, register and place."""
    found = np.full((points, rows, 4), GUARD, np.uint32)
    for place, value in (values or {}).items():
        found[place] = bits(value)[0]
    return found.reshape(-1)
