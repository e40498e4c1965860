"""Pure operations as LLVM instructions, with the same text for a scalar and for a vector.

The exact result of each is defined in `ir.fold`. Where LLVM's own instruction is undefined (shifts
by the width, division by zero, floats out of range) the text makes it defined.
"""

from collections.abc import Callable

from ....ir.analysis.uniformity import VARYING, VectorShape
from ....ir.kernel import Value
from ....ir.ops import OPS, Op
from ....ir.transforms.flush import formula
from ....ir.types import BOOL, F16, F32, F64, I32, I64, Type
from . import division, estimates, saturating, x86
from .llvm_text import LLVM, SUFFIX, FunctionText, Val, literal

# text, LLVM type, suffix of intrinsics, operands, type -> result
Emit = Callable[[FunctionText, str, str, list[str], Type], str]


def _instruction(instruction: str) -> Emit:
    fused = f"{instruction} contract" if instruction in estimates.CONTRACTED else instruction

    def emit(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
        return t.make(f"{fused if t.estimates else instruction} {llvm} {', '.join(a)}")

    return emit


def _intrinsic(name: str, *more: str) -> Emit:
    def emit(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
        return t.call(llvm, f"llvm.{name}.{suffix}", *(f"{llvm} {each}" for each in a), *more)

    return emit


def _splat(t: FunctionText, llvm: str, number: str) -> str:
    """Return a number as an operand of an LLVM type."""
    return f"splat ({llvm.split(' x ')[1][:-1]} {number})" if llvm.startswith("<") else number


def _mask_of(llvm: str) -> str:
    return f"{llvm.split(' x ', maxsplit=1)[0]} x i1>" if llvm.startswith("<") else "i1"


def _shift(instruction: str) -> Emit:
    def emit(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
        amount = t.make(f"and {llvm} {a[1]}, {_splat(t, llvm, str(type.bits - 1))}")
        return t.make(f"{instruction} {llvm} {a[0]}, {amount}")

    return emit


def _multiply_high(extend: str) -> Emit:
    def emit(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
        double = llvm.replace(f"i{type.bits}", f"i{2 * type.bits}")
        one, other = (t.make(f"{extend} {llvm} {each} to {double}") for each in a)
        product = t.make(f"mul {double} {one}, {other}")
        amount = _splat(t, double, str(type.bits))
        return t.make(f"trunc {double} {t.make(f'lshr {double} {product}, {amount}')} to {llvm}")

    return emit


def _minmax(comparison: str) -> Emit:
    """Return an emitter of fmin or fmax.

    The result is the first operand if the comparison holds or the second is NaN.
    """

    def emit(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
        mask = _mask_of(llvm)
        compared = t.make(f"fcmp {comparison} {llvm} {a[0]}, {a[1]}")
        nan = t.make(f"fcmp uno {llvm} {a[1]}, {a[1]}")
        first = t.make(f"or {mask} {compared}, {nan}")
        return t.make(f"select {mask} {first}, {llvm} {a[0]}, {llvm} {a[1]}")

    return emit


def _multiply_legacy(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
    """Multiply; the product is 0 if a factor is."""
    mask, zero = _mask_of(llvm), "zeroinitializer" if llvm.startswith("<") else literal(0, type)
    none = [t.make(f"fcmp oeq {llvm} {each}, {zero}") for each in a]
    product = t.make(f"fmul {llvm} {', '.join(a)}")
    either = t.make(f"or {mask} {none[0]}, {none[1]}")
    return t.make(f"select {mask} {either}, {llvm} {zero}, {llvm} {product}")


def _fma(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
    """Multiply and add with one rounding.

    Halves are computed in doubles, where the product is exact and the sum close enough (ir.fold).
    """
    if type != F16:
        return t.call(llvm, f"llvm.fma.{suffix}", *(f"{llvm} {each}" for each in a))
    double = llvm.replace("half", "double")
    one, two, three = (t.make(f"fpext {llvm} {each} to {double}") for each in a)
    product = t.make(f"fmul {double} {one}, {two}")
    total = Val(t.make(f"fadd {double} {product}, {three}"), F64, llvm.startswith("<"))
    return _to_half(t, total, llvm)


def _not(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
    ones = _splat(t, llvm, "true" if type == BOOL else "-1")
    return t.make(f"xor {llvm} {a[0]}, {ones}")


def _negate(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
    zero = "zeroinitializer" if llvm.startswith("<") else "0"
    return t.make(f"sub {llvm} {zero}, {a[0]}")


def _canonical_nan(t: FunctionText, llvm: str, suffix: str, a: list[str], type: Type) -> str:
    """Replace NaNs by the canonical one, on integers.

    LLVM treats all NaNs of arithmetic as equal and would remove a select on floats.
    """
    if x86.available(t, llvm):
        return x86.canonical_nan(t, a[0])
    quiet = {16: 0x7E00, 32: 0x7FC0_0000, 64: 0x7FF8_0000_0000_0000}[type.bits]
    infinity = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}[type.bits]
    plain = llvm.replace(LLVM[type.name], f"i{type.bits}")
    bits = t.make(f"bitcast {llvm} {a[0]} to {plain}")
    sign = _splat(t, plain, str((1 << type.bits - 1) - 1))
    magnitude = t.make(f"and {plain} {bits}, {sign}")
    nan = t.make(f"icmp ugt {plain} {magnitude}, {_splat(t, plain, str(infinity))}")
    found = t.make(
        f"select {_mask_of(plain)} {nan}, {plain} {_splat(t, plain, str(quiet))}, {plain} {bits}"
    )
    return t.make(f"bitcast {plain} {found} to {llvm}")


# fmt: off
PURE: dict[Op, Emit] = {
    OPS.iadd: _instruction("add"),   OPS.isub: _instruction("sub"),   OPS.imul: _instruction("mul"),
    OPS.imulh: _multiply_high("sext"),  OPS.umulh: _multiply_high("zext"),
    OPS.ineg: _negate,
    OPS.imin: _intrinsic("smin"), OPS.imax: _intrinsic("smax"),
    OPS.umin: _intrinsic("umin"), OPS.umax: _intrinsic("umax"),
    OPS.and_: _instruction("and"), OPS.or_: _instruction("or"),
    OPS.xor: _instruction("xor"), OPS.not_: _not,
    OPS.ishl: _shift("shl"), OPS.ishr: _shift("ashr"), OPS.ushr: _shift("lshr"),
    OPS.popcount: _intrinsic("ctpop"),
    OPS.clz: _intrinsic("ctlz", "i1 false"), OPS.ctz: _intrinsic("cttz", "i1 false"),
    OPS.bitrev: _intrinsic("bitreverse"),
    OPS.fadd: _instruction("fadd"), OPS.fsub: _instruction("fsub"), OPS.fmul: _instruction("fmul"),
    OPS.fmul_legacy: _multiply_legacy,
    OPS.fdiv: _instruction("fdiv"), OPS.ffma: _fma, OPS.fsqrt: _intrinsic("sqrt"),
    OPS.fmin: _minmax("olt"), OPS.fmax: _minmax("ogt"),
    OPS.ffloor: _intrinsic("floor"), OPS.fceil: _intrinsic("ceil"), OPS.ftrunc: _intrinsic("trunc"),
    OPS.frint: _intrinsic("roundeven"),
    OPS.fneg: _instruction("fneg"), OPS.fabs: _intrinsic("fabs"), OPS.fcanonicalise: _canonical_nan,
}
COMPARE: dict[Op, str] = {
    OPS.ieq: "icmp eq", OPS.ine: "icmp ne", OPS.ilt: "icmp slt", OPS.ile: "icmp sle",
    OPS.ult: "icmp ult", OPS.ule: "icmp ule",
    OPS.feq: "fcmp oeq", OPS.fne: "fcmp une", OPS.flt: "fcmp olt", OPS.fle: "fcmp ole",
}
# fmt: on
CONVERSIONS = frozenset(
    {
        OPS.ftoi,
        OPS.ftou,
        OPS.itof,
        OPS.utof,
        OPS.fconv,
        OPS.iconv,
        OPS.uconv,
        OPS.asint,
        OPS.bitcast,
        OPS.asfloat,
    }
)


def emit_pure(
    t: FunctionText, value: Value, args: list[Val], shape: VectorShape = VARYING
) -> Val | None:
    """Emit a pure operation; return None for any other operation.

    If `shape` is linear and all operands are linear or uniform, only the base is computed.
    """
    if shape.stride is not None and value.type.kind == "i" and any(each.wide for each in args):
        bases = [each.base if each.wide else each for each in args]
        if None not in bases:
            base = _emit(t, value, [each for each in bases if each is not None])
            if base is None or not shape.stride:
                return base
            return t.linear(base, shape.stride, shape.bits)
    found = _emit(t, value, args)
    if t.mode and found is not None and value.type == F32 and value.op in (OPS.ffma, OPS.fconv):
        return canonical(t, found)  # LLVM 22 folds constants to subnormals
    return found


def emit_formula(t: FunctionText, op: Op, of: Type, args: list[Val]) -> Val:
    """Emit a float operation with the kernel's flushing of subnormals."""
    found = formula(op, of, t.flush)
    held = dict(zip(found.args, args, strict=True))
    for step in found.steps:
        given = [
            t.constant(each.attr, each.type) if each.op is OPS.const else held[each]
            for each in step.args
        ]
        made = emit_pure(t, step, given)
        assert made is not None
        held[step] = made
    return held[found.steps[-1]]


def canonical(t: FunctionText, a: Val) -> Val:
    """Flush a subnormal 32-bit float to zero of the same sign."""
    suffix = f"v{t.width}f32" if a.wide else "f32"
    return Val(t.call(t.of(a), f"llvm.canonicalize.{suffix}", f"{t.of(a)} {a.text}"), F32, a.wide)


def fenced(t: FunctionText, a: Val) -> Val:
    """Return the same value, opaque to LLVM."""
    suffix = f"v{t.width}f32" if a.wide else "f32"
    name = f"llvm.arithmetic.fence.{suffix}"
    return Val(t.call(t.of(a), name, f"{t.of(a)} {a.text}"), F32, a.wide)


def _emit(t: FunctionText, value: Value, args: list[Val]) -> Val | None:
    op = value.op
    if op in division.DIVISIONS:
        return division.divide(t, op, args, value.type)
    wide = any(each.wide for each in args)
    given = [t.splat(each) for each in args] if wide else args
    texts = [each.text for each in given]
    to = value.type
    if op is OPS.select:
        mask = t.mask if wide else "i1"
        llvm = t.wide(to) if wide else LLVM[to.name]
        made = t.make(f"select {mask} {texts[0]}, {llvm} {texts[1]}, {llvm} {texts[2]}")
        return Val(made, to, wide)
    if op in COMPARE:
        llvm = t.of(given[0])
        return Val(t.make(f"{COMPARE[op]} {llvm} {texts[0]}, {texts[1]}"), to, wide)
    if op in CONVERSIONS:
        return Val(_convert(t, op, given[0], to), to, wide)
    if t.estimates and op is OPS.fdiv:
        quick = estimates.quotient(t, value, args)
        if quick is not None:
            return quick
    emit = PURE.get(op)
    if emit is None:
        return None
    llvm = t.of(given[0])
    kind = SUFFIX[LLVM[to.name]]
    suffix = f"v{t.width}{kind}" if wide else kind
    found = Val(emit(t, llvm, suffix, texts, to), to, wide)
    if t.estimates and op is OPS.fsqrt:
        t.roots[found.text] = args[0]
    return found


def _convert(t: FunctionText, op: Op, a: Val, to: Type) -> str:
    source = t.of(a)
    target = t.wide(to) if a.wide else LLVM[to.name]
    if source == target:
        return a.text
    if op in (OPS.ftoi, OPS.ftou):
        if a.type == F16:  # LLVM 22 returns INT_MIN for some half NaNs
            a = _to_float(t, a)
            source = t.of(a)
        if a.wide and t.x86 and (a.type, to) in saturating.SPLIT:
            return saturating.convert(t, a, to, op is OPS.ftoi)
        kind = "fptosi" if op is OPS.ftoi else "fptoui"
        ends = [SUFFIX[LLVM[to.name]], SUFFIX[LLVM[a.type.name]]]
        if a.wide:
            ends = [f"v{t.width}{each}" for each in ends]
        return t.call(target, f"llvm.{kind}.sat.{'.'.join(ends)}", f"{source} {a.text}")
    if op is OPS.fconv:
        if to == F16 and a.type == F64:
            return _to_half(t, a, target)
        instruction = "fptrunc" if to.bits < a.type.bits else "fpext"
    elif op in (OPS.iconv, OPS.uconv):
        extend = "sext" if op is OPS.iconv else "zext"
        instruction = "trunc" if to.bits < a.type.bits else extend
    else:
        instruction = {OPS.itof: "sitofp", OPS.utof: "uitofp"}.get(op, "bitcast")
        if to.bits == 16 and a.type in (I32, I64) and instruction != "bitcast":
            single = target.replace("half", "float")  # exact, or out of range for a half
            near = t.make(f"{instruction} {source} {a.text} to {single}")
            return t.make(f"fptrunc {single} {near} to {target}")
    return t.make(f"{instruction} {source} {a.text} to {target}")


def _to_float(t: FunctionText, a: Val) -> Val:
    """Convert a half to a float, exactly."""
    single = Val("", F32, a.wide)
    single.text = t.make(f"fpext {t.of(a)} {a.text} to {t.of(single)}")
    return single


def _to_half(t: FunctionText, a: Val, target: str) -> str:
    """Convert a double to a half.

    The value is first rounded to a float by round-to-odd, so that rounding twice is correct. AVX2
    lacks an instruction for this conversion, and the library function that LLVM calls instead may
    be missing.
    """
    wide, single = t.of(a), target.replace("half", "float")
    plain = target.replace("half", "i32")
    near = t.make(f"fptrunc {wide} {a.text} to {single}")
    back = t.make(f"fpext {single} {near} to {wide}")
    inexact = t.make(f"fcmp one {wide} {back}, {a.text}")
    kind = SUFFIX[LLVM[a.type.name]]
    suffix = f"v{t.width}{kind}" if a.wide else kind
    sizes = [t.call(wide, f"llvm.fabs.{suffix}", f"{wide} {each}") for each in (back, a.text)]
    beyond = t.make(f"fcmp ogt {wide} {sizes[0]}, {sizes[1]}")
    less = t.make(f"zext {_mask_of(plain)} {beyond} to {plain}")
    bits = t.make(f"bitcast {single} {near} to {plain}")
    inside = t.make(f"sub {plain} {bits}, {less}")
    odd = t.make(f"or {plain} {inside}, {_splat(t, plain, '1')}")
    made = t.make(f"select {_mask_of(plain)} {inexact}, {plain} {odd}, {plain} {bits}")
    return t.make(f"fptrunc {single} {t.make(f'bitcast {plain} {made} to {single}')} to {target}")
