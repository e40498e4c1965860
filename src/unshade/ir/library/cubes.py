"""Cube maps: coordinates on faces, and texels beyond the edge of a face.

    face   0 +x   1 -x   2 +y   3 -y   4 +z   5 -z        u = s / |major| / 2 + 1/2
    s      -z     z      x      x      x      -x          v = t / |major| / 2 + 1/2
    t      -y     -y     z      -z     -y     -y

The component of greatest magnitude selects the face, z before y before x if equal. A filter that
reaches beyond an edge uses the texels of the adjacent face. At a corner, where three faces join,
the fourth texel is the mean of the other three.

Source: Direct3D 11.3 functional specification, sections 7.18.7, 7.18.11 and 7.18.12.
"""

from ..builder import Builder
from ..kernel import Value
from ..types import F32, I32


class CubeDirection:
    """A direction into a cube, its face and its coordinates there."""

    def __init__(self, b: Builder, x: Value, y: Value, z: Value) -> None:
        self.b = b
        absolute = b.fabs if x.type == F32 else lambda value: b.imax(value, b.ineg(value))
        at_most = b.fle if x.type == F32 else b.ile
        less = b.flt if x.type == F32 else b.ilt
        self.minus = b.fneg if x.type == F32 else b.ineg
        ax, ay, az = absolute(x), absolute(y), absolute(z)
        self.is_z = b.and_(at_most(ax, az), at_most(ay, az))
        self.is_y = at_most(ax, ay)  # used only if it is not z
        self.negative = less(self._of(x, y, z), b.number(0, x.type))
        self.s, self.t = self.turned(x, y, z)
        self.major = self._of(ax, ay, az)
        face = self._of(b.i32(0), b.i32(2), b.i32(4))
        self.face = b.iadd(face, b.select(self.negative, b.i32(1), b.i32(0)))

    def _of(self, of_x: Value, of_y: Value, of_z: Value) -> Value:
        b = self.b
        return b.select(self.is_z, of_z, b.select(self.is_y, of_y, of_x))

    def turned(self, x: Value, y: Value, z: Value) -> tuple[Value, Value]:
        """Return s and t of a vector on this direction's face."""
        b = self.b
        down = self.minus(y)
        left, back = self.minus(x), self.minus(z)
        s = self._of(b.select(self.negative, z, back), x, b.select(self.negative, left, x))
        t = self._of(down, b.select(self.negative, back, z), down)
        return s, t

    def place(self) -> list[Value]:
        """Return u and v, from 0 to 1."""
        b = self.b
        half = b.f32(0.5)
        return [b.fadd(b.fmul(b.fdiv(each, self.major), half), half) for each in (self.s, self.t)]

    def steps(self, x: Value, y: Value, z: Value) -> list[Value]:
        """Return the derivatives of u and v for a derivative of the direction.

        The change of the greatest component counts along the face's own axis; the specification's
        formula leaves its sign open.
        """
        b = self.b
        s, t = self.turned(x, y, z)
        along = self._of(x, y, z)
        along = b.select(self.negative, b.fneg(along), along)
        square = b.fmul(self.major, self.major)
        found = []
        for step, here in ((s, self.s), (t, self.t)):
            change = b.fsub(b.fmul(self.major, step), b.fmul(here, along))
            found.append(b.fmul(b.fdiv(change, square), 0.5))
        return found


def beyond(b: Builder, face: Value, column: Value, row: Value, size: Value) -> tuple[Value, ...]:
    """Return the face, column and row of a texel one step beyond an edge of a face.

    The centre of a texel is the integer vector (2 column + 1 - size, 2 row + 1 - size, size). As a
    direction it selects the face, and there the column and row, up to a final clamp.
    """
    last = b.isub(size, 1)
    s = b.isub(b.ishl(column, 1), last)
    t = b.isub(b.ishl(row, 1), last)
    left, up = b.ineg(s), b.ineg(t)
    odd = b.ine(b.and_(face, 1), 0)
    axis = b.ushr(face, 1)
    is_y, is_z = b.ieq(axis, 1), b.ieq(axis, 2)
    major = b.select(odd, b.ineg(size), size)

    def choose(of_x: Value, of_y: Value, of_z: Value) -> Value:
        return b.select(is_z, of_z, b.select(is_y, of_y, of_x))

    x = choose(major, s, b.select(odd, left, s))
    y = choose(up, major, up)
    z = choose(b.select(odd, s, left), b.select(odd, up, t), major)
    other = CubeDirection(b, x, y, z)

    def number(doubled: Value) -> Value:
        return b.imax(b.imin(b.ishr(b.iadd(doubled, last), 1), last), b.number(0, I32))

    return other.face, number(other.s), number(other.t)
