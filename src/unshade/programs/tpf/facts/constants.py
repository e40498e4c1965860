"""The bytes of constant buffers that a program is known to read.

    dp3 r0.x, cb0[2].xyzx, r1.xyzx          bytes 32 to 43: three components
    mad r0.xy, v0.xyxx, cb1[0].zwzz, r2     bytes 8 to 15 of cb1: what the destination needs
    mov r0, cb2[r1.x + 4].xyzw              indexed

If the destination of an operation does not determine the components that are read, the first
component of the source counts, which all such operations read.
"""

from collections.abc import Iterator, Sequence

from ....model.facts import ConstantReads
from ..code import Code
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from ..tables.enumerations import OperandType

__all__ = ["constant_reads"]

VECTOR, COMPONENT = 16, 4  # bytes
PRODUCTS = {"dp2": (0, 1), "dp3": (0, 1, 2), "dp4": (0, 1, 2, 3)}
BY_COMPONENT = frozenset({"float", "int", "uint", "bit"})
FIRST = (0,)
BUFFER = int(OperandType.CONSTANT_BUFFER)


def constant_reads(program: Code) -> dict[str, ConstantReads]:
    """Return the reads of each buffer, by its label: cb0."""
    found: dict[str, set[int]] = {}
    indexed: set[str] = set()
    for each in program.listed:
        op = each.op
        if op is None or op.kind == "decl":
            continue
        for operand, components in _sources(each):
            if operand.type != BUFFER or len(operand.indices) < 2:
                continue
            name = f"cb{operand.indices[0].immediate}"
            read = found.setdefault(name, set())
            if any(index.relative is not None for index in operand.indices[-2:]):
                indexed.add(name)
                continue
            for at in components:
                first = VECTOR * operand.indices[-1].immediate
                first += COMPONENT * source_component(operand, at)
                read.update(range(first, first + COMPONENT))
    return {name: ConstantReads(sorted(read), name in indexed) for name, read in found.items()}


def _sources(each: Instruction) -> Iterator[tuple[Operand, Sequence[int]]]:
    """Yield the operands that are read, and their components before the swizzle."""
    op = each.op
    assert op is not None
    needed: Sequence[int] = FIRST
    if op.name in PRODUCTS:
        needed = PRODUCTS[op.name]
    elif op.kind in BY_COMPONENT:
        targets = each.operands[: op.results]
        needed = sorted({at for target in targets for at in written_components(target)})
    for at, operand in enumerate(each.operands):
        if at >= op.results:
            yield operand, needed
        for index in operand.indices:
            if index.relative is not None:
                yield index.relative, FIRST
