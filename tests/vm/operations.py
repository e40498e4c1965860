"""Every pure operation on edge values, in an engine, against its definition in `ir.fold`.

Lanes load their operands from memory: a value for each lane, the same value in all lanes of a
group, or one of each. An engine may compile these in different ways.
"""

import itertools
from typing import Any

import numpy as np

from tests.ir.operands import accepts, result_types
from unshade.ir.builder import Builder
from unshade.ir.fold import fold
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.memory import Space
from unshade.ir.ops import OPERAND_TYPES, OPS, Op
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import (
    BOOL,
    F16,
    F32,
    F64,
    FLUSH_32,
    I8,
    I16,
    I32,
    I64,
    KEEP,
    Type,
    Widths,
)
from unshade.vm.launch import Launch

# fmt: off
EDGES: dict[Type, tuple[int, ...]] = {
    BOOL: (0, 1),
    I8: (0, 1, 2, 3, 7, 8, 9, 0x7F, 0x80, 0x81, 0xFE, 0xFF, 0x12, 0xF0),
    I16: (0, 1, 2, 3, 7, 15, 16, 17, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x1234, 0xF0F0),
    I32: (0, 1, 2, 3, 7, 31, 32, 33, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE,
          0xFFFF_FFFF, 0x1234_5678, 0x00FF_FFFF, 0x0100_0001),
    I64: (0, 1, 2, 3, 7, 63, 64, 65, 0x7FFF_FFFF_FFFF_FFFF, 1 << 63, (1 << 63) + 1, (1 << 64) - 2,
          (1 << 64) - 1, 0x1234_5678_9ABC_DEF0, (1 << 53) + 1, 0x8000_0000, 0xFFFF_FFFF),
    F16: (0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7D01, 0xFF40, 1, 0x8001,
          0x03FF, 0x0400, 0x8400, 0x7BFF, 0xFBFF, 0x3800, 0x3E00, 0x4100, 0xC100, 0x5A01, 0x1234),
    F32: (0, 0x8000_0000, 0x3F80_0000, 0xBF80_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000,
          0xFFC0_0000, 0x7F80_0001, 0xFFC0_1234, 1, 0x8000_0001, 0x007F_FFFF, 0x0080_0000,
          0x8080_0000, 0x0080_0001, 0x7F7F_FFFF, 0x3F00_0000, 0x3FC0_0000, 0x4020_0000,
          0xC020_0000, 0x4B00_0001, 0x4F00_0000, 0xCF00_0000, 0x4F80_0000, 0x4EFF_FFFF,
          0x477F_E000, 0x4780_0000, 0x3300_0000, 0x3380_0001, 0x2000_0000, 0x1F80_0001),
    F64: (0, 1 << 63, 0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48,
          0xFFF8 << 48, (0x7FF0 << 48) + 1, 1, (1 << 63) + 1, (0x0010 << 48) - 1, 0x0010 << 48,
          (0x7FEF << 48) + (1 << 48) - 1,
          0x3FE0 << 48, 0x3FF8 << 48, 0x4004 << 48, 0xC004 << 48, 0x41E0 << 48, 0x43E0 << 48,
          0x43F0 << 48, 0x3810 << 48, 0x380F_FFFF_F000_0000, 0x380F_FFFF_EFFF_FFFF,
          0x3E60 << 48, 0x3F10 << 48, 0x40EF_FE00 << 32, 0x40EF_FDFF << 32),
}
# fmt: on
PLAIN = tuple(op for op in OPS if op.pure and op.operands and not op.library)
LANES = 8
ALL_WIDTHS = frozenset({16, 32, 64})


def operations(types: tuple[Type, ...]) -> list[tuple[Any, tuple[Type, ...], Type | None]]:
    """Return the operations on these types: operand types and, if stated, the result type."""
    found: list[tuple[Any, tuple[Type, ...], Type | None]] = []
    for op in PLAIN:
        if op.name in ("part", "sample") or len(op.operands) != len(types):
            continue
        bound = dict(OPERAND_TYPES)
        if all(
            accepts(op, letter, type) and bound.setdefault(letter, type) == type
            for letter, type in zip(op.operands, types, strict=True)
        ):
            results: list[Type | None] = [*result_types(op, types[0])]
            found += [(op, types, each) for each in results or [None]]
    return found


def kernel_for(
    types: tuple[Type, ...], mode: str, widths: Widths
) -> tuple[KernelIR, list[Value], list[Op]]:
    """Return a kernel with all operations on these types; each writes eight bytes of `out`."""
    kernel = KernelIR(group=(LANES, 1, 1), flush=widths)
    b = Builder(kernel)
    given = b.memory("given", Space.BUFFER, 8 * len(types))
    chosen = operations(types)
    out = b.memory("out", Space.BUFFER, 8 * len(chosen), writable=True)
    groups = b.memory("groups", Space.BUFFER, 4)
    lane = b.source("thread_id.x")
    group = b.source("thread_group_id.x")
    args = []
    for number, type in enumerate(types):
        held = I32 if type == BOOL else type
        element = lane
        if mode != "lanes":
            element = group if number or mode == "uniform" else b.load(groups, lane, 0, I32)
        value = b.load(given, element, 8 * number, held)
        args.append(b.ine(value, 0) if type == BOOL else value)
    values = []
    for number, (op, _, result) in enumerate(chosen):
        value = b.make(op, *args, type=result)
        values.append(value)
        if value.type == BOOL:
            value = b.select(value, b.i32(1), b.i32(0))
        b.store(out, lane, 8 * number, value)
    flush.expand(kernel)
    canonicalise(kernel)
    return kernel, values, [op for op, _, _ in chosen]


MODES = ("lanes", "uniform", "mixed")


def signatures() -> list[tuple[Type, ...]]:
    """Return the operand types of operations."""
    found: list[tuple[Type, ...]] = []
    for type in EDGES:
        found += [(type,), (type, type), (BOOL, type, type)]
    return [*found, *((type, type, type) for type in (F16, F32, F64))]


def _rows(types: tuple[Type, ...]) -> list[tuple[int, ...]]:
    edges = [EDGES[type] for type in types]
    if len(types) == 3:  # not all of them
        edges = [each[: 23 - 9 * number] for number, each in enumerate(edges)]
    return list(itertools.product(*edges))


def check(types: tuple[Type, ...], mode: str, engine: Any) -> None:
    """Assert that an engine computes each operation on these types as `ir.fold` does."""
    for widths in (KEEP, FLUSH_32, ALL_WIDTHS) if types[-1].kind == "f" else (FLUSH_32,):
        kernel, values, chosen = kernel_for(types, mode, widths)
        if not values:
            return
        rows = _rows(types)
        data = b"".join(each.to_bytes(8, "little") for row in rows for each in row)
        same = mode != "lanes"
        count = len(rows) if same else -(-len(rows) // LANES)
        given = np.frombuffer(data, np.uint8).copy()
        out = np.zeros(count * LANES * 8 * len(values), np.uint8)
        groups = np.arange(count, dtype=np.uint32).repeat(LANES).view(np.uint8)
        engine.run(kernel, Launch({"given": given, "out": out, "groups": groups}, (count, 1, 1)))
        found = out.view("<u8").reshape(count * LANES, len(values))
        wrong = []
        for at, row in enumerate(rows):
            typed = tuple(zip(row, types, strict=True))
            for number, (op, value) in enumerate(zip(chosen, values, strict=True)):
                wanted = fold(op, value.type, typed, widths)
                assert wanted is not None, op.name
                if op is OPS.bitcast and _is_nan(row[0], types[0]):
                    continue
                at_lanes = found[at * LANES : (at + 1) * LANES] if same else found[at : at + 1]
                if any(int(each) != wanted for each in at_lanes[:, number]):
                    message = f"{op.name} -> {value.type} of {[hex(each) for each in row]}"
                    wrong.append(f"{message}: {wanted:x}, not {int(at_lanes[0, number]):x}")
        assert not wrong, f"flush {set(widths)}: " + "; ".join(wrong[:8])


def _is_nan(bits: int, type: Type) -> bool:
    infinity = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0 << 48}[type.bits]
    return bits & ((1 << type.bits - 1) - 1) > infinity
