"""Spellings that the languages share: operators, and functions of the same name and meaning."""

from ..ir.ops import OPS
from .operations import SOURCE_OPS
from .spelling import CallSpelling as Call
from .spelling import Helper, Infix, Prefix, Rank, Spellings
from .tree import ScalarKind

__all__ = ["COMMON", "HIGH_PRODUCTS"]

BOOL = ScalarKind.BOOL
COMMON: Spellings = {
    OPS.fadd: Infix("+", Rank.ADD), OPS.fsub: Infix("-", Rank.ADD),
    OPS.fmul: Infix("*", Rank.MULTIPLY), OPS.fdiv: Infix("/", Rank.MULTIPLY),
    OPS.iadd: Infix("+", Rank.ADD), OPS.isub: Infix("-", Rank.ADD),
    OPS.imul: Infix("*", Rank.MULTIPLY),
    OPS.idiv: Infix("/", Rank.MULTIPLY), OPS.udiv: Infix("/", Rank.MULTIPLY),
    OPS.irem: Infix("%", Rank.MULTIPLY), OPS.urem: Infix("%", Rank.MULTIPLY),
    OPS.fneg: Prefix("-"), OPS.ineg: Prefix("-"),
    OPS.and_: Infix("&", Rank.BIT_AND), OPS.or_: Infix("|", Rank.BIT_OR),
    OPS.xor: Infix("^", Rank.BIT_XOR), OPS.not_: Prefix("~"),
    (OPS.and_, BOOL): Infix("&&", Rank.AND), (OPS.or_, BOOL): Infix("||", Rank.OR),
    (OPS.xor, BOOL): Infix("!=", Rank.EQUAL), (OPS.not_, BOOL): Prefix("!"),
    OPS.ishl: Infix("<<", Rank.SHIFT), OPS.ishr: Infix(">>", Rank.SHIFT),
    OPS.ushr: Infix(">>", Rank.SHIFT),
    OPS.ieq: Infix("==", Rank.EQUAL), OPS.ine: Infix("!=", Rank.EQUAL),
    OPS.feq: Infix("==", Rank.EQUAL), OPS.fne: Infix("!=", Rank.EQUAL),
    OPS.flt: Infix("<", Rank.ORDER), OPS.fle: Infix("<=", Rank.ORDER),
    OPS.ilt: Infix("<", Rank.ORDER), OPS.ile: Infix("<=", Rank.ORDER),
    OPS.ult: Infix("<", Rank.ORDER), OPS.ule: Infix("<=", Rank.ORDER),
    OPS.imin: Call("min", True), OPS.imax: Call("max", True),
    OPS.umin: Call("min", True), OPS.umax: Call("max", True),
    OPS.fmin: Call("min", True), OPS.fmax: Call("max", True),
    OPS.fsqrt: Call("sqrt"), OPS.ffloor: Call("floor"), OPS.fceil: Call("ceil"),
    OPS.ftrunc: Call("trunc"), OPS.fabs: Call("abs"), OPS.ffma: Call("fma", True),
    OPS.sin: Call("sin"), OPS.cos: Call("cos"), OPS.tan: Call("tan"), OPS.asin: Call("asin"),
    OPS.acos: Call("acos"), OPS.atan: Call("atan"), OPS.sinh: Call("sinh"),
    OPS.cosh: Call("cosh"), OPS.tanh: Call("tanh"), OPS.exp2: Call("exp2"),
    OPS.log2: Call("log2"), OPS.pow: Call("pow", True), SOURCE_OPS.dot: Call("dot"),
    SOURCE_OPS.all_: Call("all"), SOURCE_OPS.any_: Call("any"),
}  # fmt: skip

NARROW_SIGNED = """\
{I} high_product({I} a, {I} b) {
    return {I}({S}(a) * {S}(b) >> BITS);
}"""
NARROW_UNSIGNED = """\
{U} high_product({U} a, {U} b) {
    return {U}({W}(a) * {W}(b) >> BITS);
}"""
WIDE_PRODUCT = """\
    {U} x = a << 32 >> 32, y = b << 32 >> 32;
    {U} mixed = (a >> 32) * y + (x * y >> 32);
    {U} other = x * (b >> 32) + (mixed << 32 >> 32);
    {U} high = (a >> 32) * (b >> 32) + (mixed >> 32) + (other >> 32);
"""
WIDE_UNSIGNED = f"{{U}} high_product({{U}} a, {{U}} b) {{\n{WIDE_PRODUCT}    return high;\n}}"
WIDE_SIGNED = f"""\
{{I}} high_product({{I}} signed_a, {{I}} signed_b) {{
    {{U}} a = {{U}}(signed_a), b = {{U}}(signed_b);
{WIDE_PRODUCT}    {{I}} more = (signed_a >> 63 & signed_b) + (signed_b >> 63 & signed_a);
    return {{I}}(high) - more;
}}"""
# The high half of a product of integers that are not words.
HIGH_PRODUCTS: Spellings = {
    (OPS.imulh, 64): Helper("high_product", WIDE_SIGNED),
    (OPS.umulh, 64): Helper("high_product", WIDE_UNSIGNED),
    **{
        (op, bits): Helper("high_product", text.replace("BITS", f"{bits}"))
        for op, text in ((OPS.imulh, NARROW_SIGNED), (OPS.umulh, NARROW_UNSIGNED))
        for bits in (8, 16)
    },
}
