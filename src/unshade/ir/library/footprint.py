"""The footprint of a pixel in a texture: an ellipse, as anisotropic filters sample it.

         ___________
       /  x  x  x  x  \\      evenly spaced probes along the longer axis, each filtered linearly
       \\______________/      lod = log2 of the shorter axis

    dX, dY      steps to the next pixel, in texels
    q, t        |dX|² + |dY|²,  sqrt((|dX|² - |dY|²)² + 4 (dX · dY)²)
    longer      sqrt((q + t) / 2)             along  c dX + s dY,  c² + s² = 1
    shorter     |dX x dY| / longer, but not less than longer / the sampler's greatest ratio
    probes      longer / shorter, rounded up, but not more than texels on the longer axis

The results are the lengths and the direction of the specification's orthogonal vectors, in a form
in which the axis is a linear combination of the two steps, so that it also applies to directions
into a cube. The specification leaves the number and positions of probes open.

Source: Direct3D 11.3 functional specification, sections 7.18.11 and 7.18.13.
"""

from ...dataclass import dataclass, field
from ..builder import Builder
from ..kernel import Value
from ..types import I32

# A ratio above an integer by less than this needs no further probe: lods have 8 fractional bits.
SPARE = 1.0 / 256.0


@dataclass(frozen=True, slots=True)
class Footprint:
    """The footprint of a sample.

    lod     the unclamped level of detail
    probes  number of probes; None for one
    axis    the line of the probes, as a step for each coordinate of the instruction
    """

    lod: Value
    probes: Value | None = None
    axis: list[Value] = field(default_factory=list)


def footprint(
    b: Builder, across: list[list[Value]], steps: list[list[Value]], most: int
) -> Footprint:
    """Append the footprint for two steps.

    Args:
        b: the builder.
        across: the steps in texels of two axes.
        steps: the steps in the coordinates of the instruction.
        most: maximum anisotropy.
    """
    (xu, xv), (yu, yv) = across
    xx, yy = _dot(b, xu, xv, xu, xv), _dot(b, yu, yv, yu, yv)
    xy = _dot(b, xu, xv, yu, yv)
    area = b.fabs(b.fsub(b.fmul(xu, yv), b.fmul(xv, yu)))
    p = b.fsub(xx, yy)
    twice = b.fmul(xy, 2.0)
    t = b.fsqrt(b.fadd(b.fmul(p, p), b.fmul(twice, twice)))
    longer = b.fsqrt(b.fmul(b.fadd(b.fadd(xx, yy), t), 0.5))
    # A circle, and steps that are NaN or too large: one probe.
    lean = b.fdiv(p, t)
    leans = b.fle(b.fabs(lean), 1.0)
    lean = b.select(leans, lean, b.f32(1.0))
    c = b.fsqrt(b.fmul(b.fadd(1.0, lean), 0.5))
    s = b.fsqrt(b.fmul(b.fsub(1.0, lean), 0.5))
    s = b.select(b.flt(xy, 0.0), b.fneg(s), s)
    shorter = b.fmax(b.fdiv(area, longer), b.fdiv(longer, float(most)))
    count = b.fmin(b.fdiv(longer, shorter), longer)
    count = b.fmin(b.fmax(b.fceil(b.fsub(count, SPARE)), 1.0), float(most))
    count = b.select(leans, count, b.f32(1.0))
    axis = [b.fadd(b.fmul(c, x), b.fmul(s, y)) for x, y in zip(*steps, strict=True)]
    return Footprint(b.log2(shorter), b.ftoi(count, type=I32), axis)


def _dot(b: Builder, a: Value, c: Value, d: Value, e: Value) -> Value:
    return b.fadd(b.fmul(a, d), b.fmul(c, e))
