"""Transfer functions of uniformity for integer operations: strides and alignment of bases.

    (base + stride * lane) * 4    ->  base * 4 + stride * 4 * lane
    (base + stride * lane) >> 2   ->  base / 4 + stride / 4 * lane, if 4 divides base and stride
    (base + stride * lane) & 15   ->  stride * lane, if 16 divides base and no lane exceeds 15
    (base + stride * lane) & 63   ->  (base & 63) + stride * lane, if nothing is carried: if a power
                                      of two that divides base is greater than stride * lane
    base | (stride * lane)        ->  base + stride * lane, likewise

    (base + stride * lane) & 2^n - 1  ->  (base & 2^n - 1) + stride * lane, modulo 2^n

All arithmetic is modulo 2^bits; a right shift by m of a value that may wrap around is linear modulo
2^(bits - m). Such ranges suffice for the index of an access, which is compared with the number of
elements.
"""

from ...tuples import NamedTuple
from ..kernel import Value
from ..ops import OPS, Op
from .ranges import ValueRange, everything


class VectorShape(NamedTuple):
    """The relation of the lanes' values: each is `stride` more than the previous; None if varying.

    The first lane's value is a multiple of `align`, a power of two. If `bits` is not 0, this holds
    modulo 2^bits only, and every value is less than that.
    """

    stride: int | None
    align: int = 1
    bits: int = 0

    @property
    def uniform(self) -> bool:
        return self.stride == 0

    def __repr__(self) -> str:
        if self.stride is None:
            return "varying"
        modulus = f" modulo 2^{self.bits}" if self.bits else ""
        return f"linear({self.stride}){modulus}" if self.stride else "uniform"


UNIFORM = VectorShape(0)
VARYING = VectorShape(None)
LINEAR = VectorShape(1)
MOST = 1 << 64  # the alignment of 0


def linear(stride: int, align: int = 1) -> VectorShape:
    """Return the shape of values `stride` apart."""
    return VectorShape(stride, align)


def join(a: VectorShape, b: VectorShape) -> VectorShape:
    """Return the join of two shapes, which holds for a value of either."""
    if a.stride != b.stride or a.stride is None or a.bits != b.bits:
        return VARYING
    return VectorShape(a.stride, min(a.align, b.align), a.bits)


def lowest(number: int) -> int:
    """Return the greatest power of two that divides a number."""
    return number & -number or MOST


def of_integer(
    value: Value, args: list[VectorShape], ranges: list[ValueRange], lanes: int
) -> VectorShape:
    """Return the shape of an integer operation on uniform or linear operands.

    `lanes` is the number of lanes that run together, 0 if unknown.
    """
    type = value.type
    a = args[0].stride or 0
    b = (args[1].stride or 0) if len(args) > 1 else 0
    align = min(each.align for each in args)
    first = value.args[0]
    other = ranges[1].constant if len(ranges) > 1 else None
    stride: int | None = None
    if any(each.bits for each in args):
        return _of_remainder(value.op, args[0], other, type.bits)
    match value.op:
        case OPS.iadd:
            stride = a + b
        case OPS.isub:
            stride = a - b
        case OPS.ineg:
            stride = -a
        case OPS.imul if other is not None:
            stride, align = a * other, args[0].align * lowest(other)
        case OPS.imul if ranges[0].constant is not None:
            stride, align = b * ranges[0].constant, args[1].align * lowest(ranges[0].constant)
        case OPS.ishl if other is not None and other < type.bits:
            stride, align = a << other, args[0].align << other
        case OPS.select if args[0].uniform and a == 0 and args[1].stride == args[2].stride:
            stride, align = args[1].stride, min(args[1].align, args[2].align)
        case OPS.ushr if other is not None and other < type.bits:
            return _shifted(args[0], other, ranges[0], type.bits, lanes)
        case OPS.and_ if other is not None:
            return _masked(args[0], other, ranges[0], type.mask, lanes)
        case OPS.or_ | OPS.xor if other is not None and other < min(args[0].align, lowest(a)):
            stride, align = a, lowest(other)
        case OPS.or_ | OPS.xor if a == 0 and ranges[1].high < args[0].align:
            stride = b
        case OPS.or_ | OPS.xor if b == 0 and ranges[0].high < args[1].align:
            stride = a
        case OPS.uconv | OPS.iconv:
            if type.bits < first.type.bits or _straight(args[0], ranges[0], value):
                stride = a
    if stride is None:
        return UNIFORM if all(each.uniform for each in args) else VARYING
    half = 1 << type.bits - 1
    return VectorShape((stride + half & type.mask) - half, min(align, MOST))


def _straight(a: VectorShape, range: ValueRange, value: Value) -> bool:
    """Return True if a widening conversion keeps the stride, as nothing wraps around."""
    half = 1 << value.args[0].type.bits - 1
    if value.op is OPS.iconv and range.high >= half:
        return False
    return range != everything(value.args[0].type) and range.high - range.low < half


def _shifted(a: VectorShape, amount: int, range: ValueRange, bits: int, lanes: int) -> VectorShape:
    stride = a.stride or 0
    unit = 1 << amount
    if a.uniform:
        return VectorShape(0, max(a.align >> amount, 1))
    if a.align % unit == 0:
        if stride % unit == 0 and range.high - range.low < 1 << bits - 1:
            return VectorShape(stride >> amount, max(a.align >> amount, 1))
        if lanes and 0 <= stride * (lanes - 1) < unit:
            return VectorShape(0, max(a.align >> amount, 1))
        if stride % unit == 0 and amount:
            return _remainder(stride >> amount, a.align >> amount, bits - amount)
    if _moving(a, lanes) and a.align <= unit:
        return UNIFORM
    return VARYING


def _masked(a: VectorShape, mask: int, range: ValueRange, whole: int, lanes: int) -> VectorShape:
    stride = a.stride or 0
    if a.uniform:
        return VectorShape(0, max(a.align, lowest(mask)))
    if mask & range.high == range.high and mask & (mask + 1) == 0:
        return a  # all bits that may be set
    unit = mask + 1
    near = lanes and 0 <= stride * (lanes - 1) < unit
    if near and mask & unit == 0 and a.align % unit == 0:
        return VectorShape(stride, MOST)
    moving = _moving(a, lanes)
    if moving and mask & moving == moving:
        return VectorShape(stride, a.align)
    if moving and not mask & moving:
        return VectorShape(0, max(a.align, lowest(mask)))
    low = lowest(mask)
    if mask + low == whole + 1 and a.align % low == 0 and stride % low == 0:
        return a  # clears only bits that are zero
    if mask and mask & (mask + 1) == 0:
        return _remainder(stride, a.align, mask.bit_length())
    return VARYING


def _remainder(stride: int, align: int, bits: int) -> VectorShape:
    """Return the shape of values that are linear modulo 2^bits."""
    half = 1 << bits - 1
    stride = (stride + half & (1 << bits) - 1) - half
    return VectorShape(stride, max(align, 1), bits) if stride else UNIFORM


def _of_remainder(op: Op, a: VectorShape, other: int | None, whole: int) -> VectorShape:
    """Return the shape of an operation on values that are linear modulo a smaller power of two."""
    if a.bits and a.stride and other is not None:
        if op is OPS.and_ and other & (other + 1) == 0 and other:
            bits = min(a.bits, other.bit_length())
            return _remainder(a.stride, a.align, bits)
        if op is OPS.ishl and a.bits + other == whole:
            return VectorShape(a.stride << other, a.align << other)
    return VARYING


def _moving(a: VectorShape, lanes: int) -> int:
    """Return a mask of the bits that may differ between lanes, 0 if unknown."""
    far = (a.stride or 0) * (lanes - 1)
    if not lanes or far <= 0:
        return 0
    moving = (1 << far.bit_length()) - 1
    return moving if a.align > moving else 0
