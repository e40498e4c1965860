"""Layouts of instruction records whose operands are in a fixed order.

A layout names attributes of a class, each with a kind:

    pair    a value: its distance from the instruction; the type follows if it comes later
    same    a value whose type is known from another operand
    type    the number of a type
    number  a number
    align   an alignment, as its logarithm plus 1
    more    a number that may be missing, at the end

Both decoder and encoder follow these layouts. Instructions with lists are in
`decode/instructions.py`.

Source: public LLVM 3.7 (BitcodeWriter.cpp writes these; BitcodeReader.cpp reads older layouts,
too).
"""

from .model.instructions import (
    AtomicRMWInst,
    BinaryInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractElementInst,
    FenceInst,
    InsertElementInst,
    Instruction,
    LoadInst,
    ResumeInst,
    SelectInst,
    ShuffleVectorInst,
    StoreInst,
    UnreachableInst,
)

__all__ = ["CODES", "LAYOUTS", "Layout"]

Layout = tuple[type[Instruction], tuple[tuple[str, str], ...]]


def _layout(cls: type[Instruction], text: str) -> Layout:
    pairs = [each.split(":") for each in text.split()]
    return cls, tuple((kind, name) for name, kind in pairs)


_LOAD = "pointer:pair type:type alignment:align volatile:number"
_STORE = "pointer:pair value:pair alignment:align volatile:number"
_ATOMIC = " ordering:number scope:number"

LAYOUTS: dict[int, Layout] = {
    2: _layout(BinaryInst, "left:pair right:same operation:number flags:more"),
    3: _layout(CastInst, "value:pair type:type operation:number"),
    6: _layout(ExtractElementInst, "vector:pair index:pair"),
    7: _layout(InsertElementInst, "vector:pair element:same index:pair"),
    8: _layout(ShuffleVectorInst, "left:pair right:same mask:pair"),
    15: _layout(UnreachableInst, ""),
    20: _layout(LoadInst, _LOAD),
    28: _layout(CompareInst, "left:pair right:same predicate:number flags:more"),
    29: _layout(SelectInst, "true_value:pair false_value:same condition:pair"),
    36: _layout(FenceInst, "ordering:number scope:number"),
    38: _layout(
        AtomicRMWInst, "pointer:pair value:same operation:number volatile:number" + _ATOMIC
    ),
    39: _layout(ResumeInst, "value:pair"),
    41: _layout(LoadInst, _LOAD + _ATOMIC),
    44: _layout(StoreInst, _STORE),
    45: _layout(StoreInst, _STORE + _ATOMIC),
    46: _layout(
        CompareExchangeInst,
        "pointer:pair compare:pair new:same volatile:number ordering:number scope:number "
        "failure_ordering:number weak:number",
    ),
}
# The code of a class; loads and stores have two, of which this is that without ordering.
CODES: dict[type[Instruction], int] = {}
for _code, (_cls, _) in LAYOUTS.items():
    CODES.setdefault(_cls, _code)
