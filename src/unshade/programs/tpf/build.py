"""Constructors of operands, for `Instruction.make`.

    mul_sat r0.xyz, -r1.xyzx, cb0[r2.x + 3].yyyy

    Instruction.make(
        "mul",
        temp(0, mask="xyz"),
        temp(1, swizzle="xyzx", negate=True),
        register(OperandType.CONSTANT_BUFFER, 0, Index(3, temp(2, select="x")), swizzle="yyyy"),
        saturate=1,
    )

A destination has a mask; a source of four components has a swizzle or selects a component; samplers
and scalar registers have neither.
"""

import struct

from ...errors import EncodeError, UsageError
from .operands import Index, Operand
from .tables.enumerations import Components, OperandType
from .tables.selection import selection
from .tables.tokens import OperandToken


def register(
    kind: OperandType,
    *indices: int | Index,
    mask: str | None = None,
    swizzle: str | None = None,
    select: str | None = None,
    negate: bool = False,
    absolute: bool = False,
) -> Operand:
    """Return a register operand: (CONSTANT_BUFFER, 0, 3) is cb0[3].

    Args:
        kind: The register file.
        indices: The numbers after its name; an `Index` for a relative index.
        mask: Components to write, in order: "xyz".
        swizzle: Four components to read: "xyzx".
        select: One component to read: "x".
        negate: Negate the source.
        absolute: Take the absolute value of the source, before negation.

    Raises:
        UsageError: More than one of mask, swizzle and select is given, or letters are invalid.
    """
    given = {"mask": mask, "swizzle": swizzle, "select": select}
    letters = {name: text for name, text in given.items() if text is not None}
    if len(letters) > 1:
        raise UsageError(f"expected one of mask, swizzle and select, got {', '.join(letters)}")
    token = OperandToken(components=Components.FOUR if letters else Components.ZERO, type=kind).word
    for name, text in letters.items():
        chosen = selection(name, text)
        if chosen is None:
            raise UsageError(f"invalid {name} {text!r:.40}: expected letters of x, y, z and w")
        token |= chosen
    found = Operand(
        token, indices=[each if isinstance(each, Index) else Index(each) for each in indices]
    )
    found.negate = negate
    found.absolute = absolute
    return found


def temp(
    number: int,
    *,
    mask: str | None = None,
    swizzle: str | None = None,
    select: str | None = None,
    negate: bool = False,
    absolute: bool = False,
) -> Operand:
    """Return a temporary register, r0, r1, …; the default is mask xyzw. See `register`."""
    if mask is swizzle is select is None:
        mask = "xyzw"
    return register(
        OperandType.TEMP,
        number,
        mask=mask,
        swizzle=swizzle,
        select=select,
        negate=negate,
        absolute=absolute,
    )


def immediate(*values: int | float) -> Operand:
    """Return a literal of one or four numbers: a float as 32-bit float, an integer as its bits.

    Raises:
        UsageError: Another number of values.
        EncodeError: A value does not fit 32 bits.
    """
    if len(values) not in (1, 4):
        raise UsageError(f"expected one or four numbers, got {len(values)}")
    components = Components.ONE if len(values) == 1 else Components.FOUR
    token = OperandToken(components=components, type=OperandType.IMMEDIATE32)
    return Operand(token.word, literal=[_dword(value) for value in values])


def _dword(value: int | float) -> int:
    try:
        code = "<f" if isinstance(value, float) else "<i" if value < 0 else "<I"
        return int.from_bytes(struct.pack(code, value), "little")
    except (struct.error, OverflowError, TypeError):
        raise EncodeError(f"{value!r:.40} does not fit 32 bits", path="literal") from None
