"""Where the bits of a NaN are looked at, engines are told to make it the quiet one.

    asint(fadd(a, b))        ->  asint(fquiet(fadd(a, b)))
    asint(fneg(fmul(a, b)))  ->  asint(fneg(fquiet(fmul(a, b))))

By the rules of the IR arithmetic gives one NaN only. Processors give several, depending on operands
that a compiler may exchange, and nobody can tell until the bits are stored, given away or taken for
an integer. So this pass, the last before an engine runs, is where the rule is kept: engines may
leave any NaN in the results of arithmetic.

A float variable is `loose` if all it is ever given are results of arithmetic; what is read from it
is then quieted where it is looked at. Other variables are given what has been quieted.
"""

from .builder import Builder
from .kernel import Kernel, Value
from .memory import Var
from .ops import OPS
from .rewrite import rewrite

CARRIES = frozenset({"fneg", "fabs", "select", "fmin", "fmax", "quad_swap"})
KEEPS_SIGN = frozenset({"select", "fmin", "fmax", "quad_swap"})
LOOKS = frozenset({"asint", "output", "store"})
EXPONENT = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}
FQUIET = OPS["fquiet"]


def observe(kernel: Kernel) -> None:
    """Insert `fquiet` where it is needed, in place."""
    loose = _loose_variables(kernel)
    known: dict[Value, bool] = {}

    def rule(b: Builder, value: Value) -> Value | None:
        name = value.op.name
        at = len(value.args) - 1
        if name in LOOKS or (name == "set" and value.attr not in loose):
            given = value.args[at]
            if given.type.kind == "f":
                found = _quieted(b, given, loose, known)
                value.args = (*value.args[:at], found)
        return None

    rewrite(kernel, rule)


def _loose_variables(kernel: Kernel) -> set[Var]:
    sets: dict[Var, list[Value]] = {}
    for value in kernel.values():
        if value.op.name == "set" and value.attr.type.kind == "f":
            sets.setdefault(value.attr, []).append(value.args[0])
    loose = set(sets)
    while True:
        strict = {
            var for var in loose if not all(_made_by_arithmetic(v, loose) for v in sets[var])
        }
        if not strict:
            return loose
        loose -= strict


def _made_by_arithmetic(value: Value, loose: set[Var]) -> bool:
    """Whether the value's NaN, if it is one, is the quiet one by the rules."""
    stack = [value]
    seen = set()
    while stack:
        each = stack.pop()
        if each in seen:
            continue
        seen.add(each)
        name = each.op.name
        if each.op.arithmetic or name == "fquiet":
            continue
        if name == "const":
            exponent = EXPONENT[each.type.bits]
            if each.attr & exponent != exponent:
                continue
            return False
        if name == "get" and each.attr in loose:
            continue
        if name not in KEEPS_SIGN:
            return False
        stack += each.args[1:] if name == "select" else each.args
    return True


def _is_loose(value: Value, loose: set[Var], known: dict[Value, bool]) -> bool:
    """Whether an engine may hold another NaN here than the rules say."""
    found = known.get(value)
    if found is None:
        name = value.op.name
        if value.op.arithmetic:
            found = True
        elif name == "get":
            found = value.attr in loose
        elif name in CARRIES:
            args = value.args[1:] if name == "select" else value.args
            found = any(_is_loose(each, loose, known) for each in args)
        else:
            found = False
        known[value] = found
    return found


def _quieted(b: Builder, value: Value, loose: set[Var], known: dict[Value, bool]) -> Value:
    """The value with the bits that the rules say."""
    if not _is_loose(value, loose, known):
        return value
    name = value.op.name
    args = value.args
    found: Value
    if name in ("fneg", "fabs"):
        found = b.make(name, _quieted(b, args[0], loose, known))
    elif name in ("select", "fmin", "fmax"):
        if name == "select":
            condition, first, second = args
        else:
            first, second = args
            pair = (first, second) if name == "fmin" else (second, first)
            condition = b.make("or", b.make("flt", *pair), b.make("fne", second, second))
        one, other = _quieted(b, first, loose, known), _quieted(b, second, loose, known)
        found = b.make("select", condition, one, other)
    elif name == "quad_swap":
        found = b.make("quad_swap", _quieted(b, args[0], loose, known), attr=value.attr)
    else:
        found = b.make(FQUIET, value)
    known[found] = False
    return found
