"""Loads of several words of one element by each lane: the components of a texel, or of a structure.

    load %t0[element, 0]          for each lane: 16 bytes of its element, in one load
    load %t0[element, 4]    ->    four lanes at a time: 4 x 4 words, rows and columns exchanged
    load %t0[element, 8]          lanes whose element is invalid: 0, counted at each load

A gather loads each word of each lane by itself: on processors of Intel with the mitigation of
CVE-2022-40982, 24 cycles for eight words of 32 bits, where four words of eight lanes take 16
cycles this way.
"""

from itertools import islice

from ....ir.kernel import Region, Value
from ....ir.memory import Bounds, Space
from ....ir.ops import OPS
from .addresses import element_count
from .emitter import FunctionEmitter
from .llvm_text import LLVM, Val
from .load_runs import LOOKED_AT, passed
from .tally import tally_outside

WORD, BLOCK = 4, 16  # bytes of a word, and of the words that are loaded at once
WORDS = BLOCK // WORD


def find_element_loads(f: FunctionEmitter, region: Region, number: int) -> list[Value]:
    """Return the loads that begin with a load of a region, if there are several; else nothing."""
    first = region[number]
    assert isinstance(first, Value)
    block = _block(f, first)
    if block is None:
        return []
    found = [first]
    for statement in islice(region, number + 1, number + LOOKED_AT):
        if not isinstance(statement, Value) or not passed(statement):
            break
        same = statement.attr is first.attr and statement.args[:1] == first.args[:1]
        if same and statement not in f.loaded and _block(f, statement) == block:
            found.append(statement)
    return found if len({each.args[1].attr for each in found}) > 1 else []


def emit_element_loads(f: FunctionEmitter, loads: list[Value]) -> None:
    """Emit loads of one element, and note their values."""
    t, ref = f.t, f.memories[loads[0].attr]
    element, start = f.value(loads[0].args[0]).text, loads[0].args[1].attr // BLOCK * BLOCK
    kind = f"<{t.width} x i32>"
    valid = t.make(f"icmp ult {kind} {element}, {element_count(t, ref)}")
    for _ in loads:
        tally_outside(t, ref, f.mask, valid)
    # An invalid element is read where there surely are bytes.
    inside = t.make(f"select {t.mask} {valid}, {kind} {element}, {kind} zeroinitializer")
    there = t.make(f"icmp ne i64 {ref.count}, 0")
    base = t.make(f"select i1 {there}, ptr {ref.pointer}, ptr @zeros")
    if start:
        start = t.make(f"select i1 {there}, i64 {start}, i64 0")
        base = t.make(f"getelementptr i8, ptr {base}, i64 {start}")
    rows = []
    for lane in range(t.width):
        index = t.make(f"zext i32 {t.make(f'extractelement {kind} {inside}, i64 {lane}')} to i64")
        far = t.make(f"mul i64 {index}, {ref.memory.stride}")
        at = t.make(f"getelementptr i8, ptr {base}, i64 {far}")
        rows.append(t.make(f"load <{WORDS} x i32>, ptr {at}, align {WORD}"))
    columns = _columns(f, rows, {_column_of(each) for each in loads})
    for load in loads:
        found = columns[_column_of(load)]
        found = t.make(f"select {t.mask} {valid}, {kind} {found}, {kind} zeroinitializer")
        if LLVM[load.type.name] != "i32":
            found = t.make(f"bitcast {kind} {found} to {t.wide(load.type)}")
        f.loaded[load] = Val(found, load.type, True)


def _columns(f: FunctionEmitter, rows: list[str], wanted: set[int]) -> dict[int, str]:
    """Return some of the words of all lanes, given four words of each lane."""
    t = f.t
    width = min(t.width, max(t.native // 32, WORDS))  # lanes of a register
    kind = f"<{width} x i32>"

    def zipped(one: str, two: str, order: tuple[int, ...]) -> str:
        """Return words of two registers, chosen alike in each of their blocks."""
        every = [
            block + word % WORDS + width * (word // WORDS)
            for block in range(0, width, WORDS)
            for word in order
        ]
        text = ", ".join(f"i32 {each}" for each in every)
        return t.make(f"shufflevector {kind} {one}, {kind} {two}, <{width} x i32> <{text}>")

    parts: dict[int, list[str]] = {each: [] for each in sorted(wanted)}
    for first in range(0, t.width, width):
        # Register n has the lanes n, n + 4, …
        four = [_joined(f, rows[first + at : first + width : WORDS]) for at in range(WORDS)]
        halves = {}
        for half in sorted({each // 2 for each in wanted}):  # of columns
            order = [(0, 4, 1, 5), (2, 6, 3, 7)][half]
            halves[half] = [zipped(four[at], four[at + 1], order) for at in (0, 2)]
        for each, found in parts.items():
            order = [(0, 1, 4, 5), (2, 3, 6, 7)][each % 2]
            one, two = halves[each // 2]
            found.append(zipped(one, two, order))
    return {each: _joined(f, found, width) for each, found in parts.items()}


def _joined(f: FunctionEmitter, parts: list[str], lanes: int = WORDS) -> str:
    """Return vectors of words one after the other, as one; there are 1, 2, 4, … of them."""
    t = f.t
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [t.shuffled(f"<{lanes} x i32>", one, two, 0, 2 * lanes) for one, two in pairs]
        lanes *= 2
    return parts[0]


def _column_of(load: Value) -> int:
    column: int = load.args[1].attr % BLOCK // WORD
    return column


def _block(f: FunctionEmitter, load: Value) -> int | None:
    """Return the number of the block that a lane loads a word of; None for other operations."""
    if load.op is not OPS.load or load.type.size != WORD:
        return None
    memory, (element, byte) = load.attr, load.args
    if memory.space not in (Space.CONSTANT, Space.BUFFER) or memory.bounds is not Bounds.ZERO:
        return None
    if element.op is OPS.const or byte.op is not OPS.const or byte.attr % WORD:
        return None
    number: int = byte.attr // BLOCK
    is_whole = memory.stride % WORD == 0 and (number + 1) * BLOCK <= memory.stride
    return number if is_whole and f.value(element).wide else None
