"""The depth test of quads, one after another, as the order of primitives has it.

A fragment is tested against what those before it left. Where only the last of a batch that passes
at a pixel shows, each notes its number there. If the test comes before the pixel shader, the one
whose number was there does not show any more. If it comes after it, a batch is tested at once, with
notes in the array of primitives, and in the end those show whose number is still there.
"""

from functools import cache

from ....tuples import NamedTuple
from ....vm.jit.written import (
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    Num,
    ValueType,
    WrittenCode,
    WrittenFunction,
)
from ..states.words import StencilOp
from ..stencil import MOST
from .quads import HIGH, LOW, OF_QUADS, QUAD, Z1, Z2, Area, WrittenQuad, Z, byte_of

# Relations of floats and of unsigned numbers, by function; "always" is without a test.
RELATIONS = {
    "less": ("olt", "ult"), "equal": ("oeq", "eq"), "less_equal": ("ole", "ule"),
    "greater": ("ogt", "ugt"), "not_equal": ("une", "ne"), "greater_equal": ("oge", "uge"),
}  # fmt: skip
FORMATS = {"f4": F32, "u2": I16, "u4": I32}  # of depth targets, by dtype
BITS = {"u2": 16, "u4": 24}
NOTED = -2  # the note of the first fragment; -1 is where nothing was drawn


class FaceTest(NamedTuple):
    """The stencil test of one face: `StencilFace`, with masks and reference."""

    func: str
    fail_op: str
    depth_fail_op: str
    pass_op: str
    read_mask: int
    write_mask: int
    ref: int


class StencilTest(NamedTuple):
    """A stencil test: of front and back faces; whether stencils are the high bits of depths."""

    faces: tuple[FaceTest, FaceTest]
    packed: bool


class DepthTest(NamedTuple):
    """A depth test: its function, None for none; whether it writes; the format of the target.

    `last` is true if only the last fragment of those that pass at a pixel shows. `bounds` are those
    of depths that the target holds. `own` is true if the shader outputs the depth. `area` is of the
    target.
    """

    function: str | None
    writes: bool
    format: str
    last: bool
    stencil: StencilTest | None = None
    bounds: tuple[float, float] | None = None
    own: bool = False
    area: Area = Area(even=False, layered=True)

    @property
    def words(self) -> list[str]:
        """The words that a test reads."""
        stencil = [] if self.stencil is None else ["front"]
        if self.stencil is not None and not self.stencil.packed:
            stencil.append("stencil")
        return ["width", "height", "depth", *stencil]


@cache
def depth_test(test: DepthTest) -> WrittenFunction:
    """Return the function that tests quads that are shaded: those that `chosen` has.

    It removes the lanes that fail from those that are shown. The array `own` has the depths of the
    shader, for lanes one by one.
    """
    own = ["own"] if test.own else []
    code = WrittenCode(
        ["count", "chosen", "start", "records", *OF_QUADS, *test.words, "primitives", *own]
    )
    with code.loop(0, code.number("count")) as row:
        quad = WrittenQuad(code, code.at("chosen", I32, row).load().to(I64, "sext"), test.area)
        z = code.at("own", F32.of(QUAD), row * QUAD).load().to(F64, "fpext") if own else None
        passed = tested(code, test, quad, z)
        if test.last:
            for half, place in enumerate(quad.rows("primitives", I64)):
                place.store_some(_note(quad, half), passed.half(half))
        code.at("shown", I8, quad.at).store(byte_of(passed))
    if test.last:
        with code.loop(0, code.number("count")) as row:
            quad = WrittenQuad(code, code.at("chosen", I32, row).load().to(I64, "sext"), test.area)
            mask = quad.mask
            left = []
            for half, place in enumerate(quad.rows("primitives", I64)):
                own_note = place.load_some(mask.half(half)).is_("eq", _note(quad, half))
                left.append(own_note & mask.half(half))
            code.at("shown", I8, quad.at).store(_byte(left))
    return WrittenFunction(code)


def tested(code: WrittenCode, test: DepthTest, quad: WrittenQuad, own: Num | None) -> Num:
    """Test a quad; return the lanes that pass, whose depths are written if the test writes.

    Stencils are changed, too. `own` are the depths that the shader outputs.
    """
    shown, kind, stencil = quad.mask, FORMATS[test.format], test.stencil
    relation = RELATIONS.get(test.function or "")
    packed = stencil is not None and stencil.packed
    held = new = None
    if relation is not None or test.writes or packed or test.bounds is not None:
        held = quad.load("depth", kind)
    if relation is not None or test.writes:
        new = _encoded(test.format, _clamped(quad, _depths(quad) if own is None else own))
    beside = code.constant(0, kind.of(QUAD)) if not kind.is_float else None
    most = code.constant(_most(test.format), kind.of(QUAD)) if test.format in BITS else None
    old = held
    if test.format == "u4" and held is not None and most is not None:
        old, beside = held & most, held & (most ^ -1)  # the bits beside the depth stay
    if test.bounds is not None and old is not None:
        shown = shown & _within(test, old)
    of_depth = code.constant(int(test.function != "never"), I1.of(QUAD))
    if relation is not None and new is not None and old is not None:
        of_depth = new.is_(relation[not kind.is_float], old)
    passed = shown & of_depth
    if stencil is not None:
        before = _stencils(quad, held if packed else None)
        of_stencil, after = _stencil_test(quad, stencil, before, of_depth)
        passed = passed & of_stencil
        after = shown.choose(after, before)
        if packed:
            beside = after << BITS[test.format]
        else:
            quad.store("stencil", after.to(I8, "trunc"), before.to(I8, "trunc"), shown)
    if held is not None and old is not None and (test.writes or packed):
        made = passed.choose(new, old) if test.writes and new is not None else old
        if test.format == "u4" and beside is not None:
            made = made | beside
        quad.store("depth", made, held, shown if packed else passed)
    return passed


def _within(test: DepthTest, held: Num) -> Num:
    """Return the lanes whose depths are in the bounds of a test."""
    assert test.bounds is not None
    number = held.to(F64, "fpext" if held.kind.is_float else "uitofp")
    if test.format in BITS:
        number = number / float(_most(test.format))
    return number.is_("oge", test.bounds[0]) & number.is_("ole", test.bounds[1])


def _stencils(quad: WrittenQuad, held: Num | None) -> Num:
    """Return the stencils of pixels, beside depths that are given or by themselves."""
    if held is not None:
        return held >> BITS["u4"]
    return quad.load("stencil", I8).to(I32, "zext")


def _stencil_test(quad: WrittenQuad, test: StencilTest, old: Num, of_depth: Num) -> tuple[Num, Num]:
    """Return the lanes that pass a stencil test, and the stencils after it."""
    front, back = (_face_test(each, old, of_depth) for each in test.faces)
    if test.faces[0] == test.faces[1]:
        return front
    is_front = quad.code.at("front", I8, quad.triangle).load().is_("ne", 0)
    return is_front.choose(front[0], back[0]), is_front.choose(front[1], back[1])


def _face_test(face: FaceTest, old: Num, of_depth: Num) -> tuple[Num, Num]:
    """Return the lanes that pass the test of a face, and the stencils after it."""
    code = old.code
    relation = RELATIONS.get(face.func)
    passes = code.constant(int(face.func != "never"), I1.of(QUAD))
    if relation is not None:
        wanted = code.constant(face.ref & face.read_mask, old.kind)
        passes = wanted.is_(relation[1], old & face.read_mask)

    def after(operation: str) -> Num:
        match operation:
            case StencilOp.KEEP:
                return old
            case StencilOp.ZERO:
                made = code.constant(0, old.kind)
            case StencilOp.REPLACE:
                made = code.constant(face.ref, old.kind)
            case StencilOp.INCR_SAT:
                made = old.is_("eq", MOST).choose(old, old + 1)
            case StencilOp.DECR_SAT:
                made = old.is_("eq", 0).choose(old, old - 1)
            case StencilOp.INVERT:
                made = old ^ MOST
            case StencilOp.INCR:
                made = old + 1
            case _:
                made = old - 1
        return (old & (MOST & ~face.write_mask)) | (made & (face.write_mask & MOST))

    of_both = of_depth.choose(after(face.pass_op), after(face.depth_fail_op))
    return passes, passes.choose(of_both, after(face.fail_op))


class NotedLanes:
    """The lanes that show so far: the last at each pixel, of each batch of `batch` quads.

    `notes` has the number of the lane that shows at a pixel, more than `base` in this chunk. The
    four pixels of a quad are beside each other; a line has `notes_width` quads, a layer
    `notes_plane`.
    """

    WORDS = ("notes", "notes_width", "notes_plane", "base", "batch")

    def __init__(self, code: WrittenCode, to: Num) -> None:
        """Begin a batch, the number of whose next quad that passes is `to`."""
        self.code = code
        before = to * QUAD + code.number("base")
        self._before = before.to(I32, "trunc").splat(QUAD)  # the number before the first lane

    def note(self, quad: WrittenQuad, at: Num, passed: Num) -> None:
        """Note the lanes that passed; those of the batch that were there show no more.

        `at` is the number of the quad.
        """
        code = self.code
        number = quad.y.signed_shift(1) * code.number("notes_width") + quad.x.signed_shift(1)
        if quad.area.layered:
            layer = code.at("layers", I64, quad.triangle * code.number("each_layers")).load()
            number = number + layer * code.number("notes_plane")
        place = code.at("notes", I32.of(QUAD), number * QUAD)
        old, first = place.load(), at * QUAD + code.number("base") + 1
        numbers = first.to(I32, "trunc").splat(QUAD) + code.vector([0, 1, 2, 3], I32)
        place.store(passed.choose(numbers, old))
        hidden = passed & old.is_("sgt", self._before)
        with code.when(byte_of(hidden).is_("ne", 0)):
            for lane in range(QUAD):
                with code.when(hidden.lane(lane)):
                    number = old.lane(lane).to(I64, "sext") - code.number("base") - 1
                    shown = code.at("shown", I8, number.signed_shift(2))
                    bit = code.make(I8, f"shl i8 1, {(number & 3).to(I8, 'trunc').text}")
                    shown.store(shown.load() & (bit ^ -1))


def _byte(halves: list[Num]) -> Num:
    """Return masks of the upper and the lower lanes as the bits of a byte."""
    upper, lower = (each.bits_as(ValueType("i2", 1)).to(I8, "zext") for each in halves)
    return upper | lower << 2


def _note(quad: WrittenQuad, half: int) -> Num:
    """Return the numbers that the upper or lower lanes of a quad note."""
    first = quad.at * -QUAD + NOTED
    return first.splat(2) + quad.code.vector([-2 * half, -2 * half - 1], I64)


def _depths(quad: WrittenQuad) -> Num:
    """Return the depths of the lanes."""
    weights = quad.weights()
    moved = weights[1] * quad.record(Z1) + weights[2] * quad.record(Z2)
    return quad.record(Z) + moved


def _clamped(quad: WrittenQuad, z: Num) -> Num:
    """Return depths in the range that they are clamped to."""
    low, high = quad.record(LOW), quad.record(HIGH)
    z = z.is_("olt", low).choose(low, z)
    return z.is_("ogt", high).choose(high, z)


def _most(format: str) -> int:
    return (1 << BITS[format]) - 1


def _encoded(format: str, z: Num) -> Num:
    """Return depths in the format of the target."""
    if format not in BITS:
        return z.to(F32, "fptrunc")
    z = z.is_("ogt", 0.0).choose(z, 0.0)  # NaN is 0
    z = z.is_("ogt", 1.0).choose(z.code.constant(1.0, F64.of(QUAD)), z)
    return z.code.unary("floor", z * float(_most(format)) + 0.5).to(FORMATS[format], "fptoui")
