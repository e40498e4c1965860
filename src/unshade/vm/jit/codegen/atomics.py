"""Atomics as LLVM instructions, lane by lane, each returning the previous value.

    left = lanes of the mask with a valid access
    while left: lane = lowest of left; found[lane] = atomicrmw place[lane], given[lane]

Only memory that threads share needs atomic instructions: groups and lanes stay on one thread.
"""

from ....ir.memory import Space
from ....ir.ops import OPS, Op
from ....ir.types import Type
from .addresses import MemoryRef, fits, lane_pointers
from .llvm_text import LLVM, FunctionText, Val
from .pure import emit_formula
from .tally import tally, tally_outside

OPERATIONS: dict[Op, str] = {
    OPS.atomic_add: "add", OPS.atomic_and: "and", OPS.atomic_or: "or", OPS.atomic_xor: "xor",
    OPS.atomic_imin: "min", OPS.atomic_imax: "max", OPS.atomic_umin: "umin",
    OPS.atomic_umax: "umax", OPS.atomic_xchg: "xchg",
}  # fmt: skip
COMPARED = {"min": "slt", "max": "sgt", "umin": "ult", "umax": "ugt"}


FLOATS = {OPS.atomic_fadd: OPS.fadd, OPS.atomic_fmin: OPS.fmin, OPS.atomic_fmax: OPS.fmax}


def emit_atomic(
    t: FunctionText, op: Op, ref: MemoryRef, element: Val, byte: Val, values: list[Val], mask: str
) -> Val:
    """Emit an atomic and return the previous values; 0 for invalid accesses."""
    type = values[0].type
    if not fits(ref, type.size):
        tally(t, ref.outside, mask)
        return t.constant(0, type)
    where, here = _pointer_slot(t, ref, element, byte, type, mask)
    slots = [t.slot(t.wide(type), "given") for _ in values]
    for slot, value in zip(slots, values, strict=True):
        t.put(f"store {t.wide(type)} {t.splat(value).text}, ptr {slot}, align 64")
    found = t.slot(t.wide(type), "found")
    t.put(f"store {t.wide(type)} zeroinitializer, ptr {found}, align 64")
    count = f"i{t.width}"
    left = t.slot(count, "left")
    t.put(f"store {count} {t.make(f'bitcast {t.mask} {here} to {count}')}, ptr {left}, align 8")
    head, body, done = t.label("turn"), t.label("lane"), t.label("turned")
    t.begin(head)
    now = t.make(f"load {count}, ptr {left}, align 8")
    t.branch(t.make(f"icmp ne {count} {now}, 0"), body, done)
    t.begin(body)
    lane = t.call(count, f"llvm.cttz.{count}", f"{count} {now}", "i1 true")
    rest = t.make(f"and {count} {now}, {t.make(f'sub {count} {now}, 1')}")
    t.put(f"store {count} {rest}, ptr {left}, align 8")
    number = t.to_i64(lane)
    pointer = t.make(f"load ptr, ptr {t.make(f'getelementptr ptr, ptr {where}, i64 {number}')}")
    scalar = LLVM[type.name]
    given = []
    for slot in slots:
        at = t.make(f"getelementptr {scalar}, ptr {slot}, i64 {number}")
        given.append(t.make(f"load {scalar}, ptr {at}, align {type.size}"))
    shared = ref.memory.space is Space.BUFFER
    old = (_atomic if shared else _plain)(t, op, pointer, given, type)
    at = t.make(f"getelementptr {scalar}, ptr {found}, i64 {number}")
    t.put(f"store {scalar} {old}, ptr {at}, align {type.size}")
    t.jump(head)
    t.begin(done)
    return Val(t.make(f"load {t.wide(type)}, ptr {found}, align 64"), type, True)


def _pointer_slot(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, type: Type, mask: str
) -> tuple[str, str]:
    """Return a slot with all pointers, and the mask of valid and aligned accesses."""
    made, valid, align = lane_pointers(t, ref, element, byte, type.size)
    if align < type.size:  # atomics do not cross words on any machine
        vector = f"<{t.width} x i64>"
        number = t.make(f"ptrtoint <{t.width} x ptr> {made} to {vector}")
        rest = t.make(f"and {vector} {number}, splat (i64 {type.size - 1})")
        even = t.make(f"icmp eq {vector} {rest}, zeroinitializer")
        valid = t.make(f"and {t.mask} {valid}, {even}")
    tally_outside(t, ref, mask, valid)
    here = t.make(f"and {t.mask} {valid}, {mask}")
    where = t.slot(f"<{t.width} x ptr>", "where")
    t.put(f"store <{t.width} x ptr> {made}, ptr {where}, align 64")
    return where, here


def _atomic(t: FunctionText, op: Op, pointer: str, given: list[str], type: Type) -> str:
    scalar = LLVM[type.name]
    if op in FLOATS:
        return _float_exchange_loop(t, op, pointer, given, type)
    if op is OPS.atomic_cas:
        pair = t.make(
            f"cmpxchg ptr {pointer}, {scalar} {given[1]}, {scalar} {given[0]} monotonic monotonic"
        )
        return t.make(f"extractvalue {{ {scalar}, i1 }} {pair}, 0")
    return t.make(f"atomicrmw {OPERATIONS[op]} ptr {pointer}, {scalar} {given[0]} monotonic")


def _float_exchange_loop(
    t: FunctionText, op: Op, pointer: str, given: list[str], type: Type
) -> str:
    """Repeat a compare-and-exchange until no other thread has changed the place in between."""
    scalar, word = LLVM[type.name], f"i{type.bits}"
    seen = t.slot(word, "seen", 8)
    old = t.make(f"load atomic {word}, ptr {pointer} monotonic, align {type.size}")
    t.put(f"store {word} {old}, ptr {seen}, align 8")
    head, done = t.label("try"), t.label("tried")
    t.begin(head)
    old = t.make(f"load {word}, ptr {seen}, align 8")
    new = _float_result(t, op, t.make(f"bitcast {word} {old} to {scalar}"), given[0], type)
    bits = t.make(f"bitcast {scalar} {new} to {word}")
    pair = t.make(f"cmpxchg ptr {pointer}, {word} {old}, {word} {bits} monotonic monotonic")
    now = t.make(f"extractvalue {{ {word}, i1 }} {pair}, 0")
    t.put(f"store {word} {now}, ptr {seen}, align 8")
    t.branch(t.make(f"extractvalue {{ {word}, i1 }} {pair}, 1"), done, head, likely=True)
    t.begin(done)
    return t.make(f"bitcast {word} {old} to {scalar}")


def _float_result(t: FunctionText, op: Op, old: str, given: str, type: Type) -> str:
    """Return the float that an atomic writes; NaNs are canonical."""
    found = emit_formula(t, FLOATS[op], type, [Val(old, type), Val(given, type)])
    return emit_formula(t, OPS.fcanonicalise, type, [found]).text


def _plain(t: FunctionText, op: Op, pointer: str, given: list[str], type: Type) -> str:
    scalar = LLVM[type.name]
    old = t.make(f"load {scalar}, ptr {pointer}, align {type.size}")
    new = given[0]
    if op in FLOATS:
        new = _float_result(t, op, old, given[0], type)
    elif op is OPS.atomic_cas:
        same = t.make(f"icmp eq {scalar} {old}, {given[1]}")
        new = t.make(f"select i1 {same}, {scalar} {given[0]}, {scalar} {old}")
    elif op is not OPS.atomic_xchg:
        word = OPERATIONS[op]
        if word in COMPARED:
            keep = t.make(f"icmp {COMPARED[word]} {scalar} {old}, {given[0]}")
            new = t.make(f"select i1 {keep}, {scalar} {old}, {scalar} {given[0]}")
        else:
            new = t.make(f"{word} {scalar} {old}, {given[0]}")
    t.put(f"store {scalar} {new}, ptr {pointer}, align {type.size}")
    return old
