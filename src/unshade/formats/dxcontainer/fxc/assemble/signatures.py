"""Input, output and patch constant signature: the rows of their tables as records.

    // Name                 Index   Mask Register SysValue  Format   Used
    // m1:TEXCOORD              0   xy          1     NONE  min16f   x

A mask may contain blanks; it ends at the first letter that is out of order. Two facts are not in
the row: the component type of each minimum precision, and the mask of a row without a register,
which is always x.
"""

import re

from .....isa.source import Scanner
from .....tuples import NamedTuple
from .....vocab.d3d import PIXEL_OUTPUTS, D3DMinPrecision, RegisterComponentType, ShaderKind
from ...parts.signature import ProgramSignature, SignatureElement
from ..listing.names import (
    COMPONENTS,
    PRECISIONS,
    REGISTERLESS,
    REGISTERLESS_OTHER,
    SYSTEM_VALUES,
)
from ..listing.signatures import MASKS, NO_REGISTER, NO_ROWS, NOWHERE, TABLES, UNUSED, USED
from .comments import Comments, chosen, number, numbered, reading, words

STREAM = re.compile(r"m([0-3]):(?=\S)")
NAME = re.compile(r"[^\s:]+")
MASK = re.compile(r"(x?)\s*(y?)\s*(z?)\s*(w?)(?![A-Za-z])")
FULL = 15
SYSTEM_VALUE_WORDS = reading(SYSTEM_VALUES)
COMPONENT_WORDS = reading(COMPONENTS)
PRECISION_WORDS = reading(PRECISIONS)
PLACES = {word.strip() for word in (*REGISTERLESS.values(), REGISTERLESS_OTHER)}
USES = {USED.strip(): 1, UNUSED.strip(): 0}
# Component type in the file of a row with a minimum precision.
BELOW = {
    D3DMinPrecision.FLOAT_16: RegisterComponentType.FLOAT32,
    D3DMinPrecision.FLOAT_2_8: RegisterComponentType.FLOAT32,
    D3DMinPrecision.SINT_16: RegisterComponentType.SINT32,
    D3DMinPrecision.UINT_16: RegisterComponentType.UINT32,
}


class SignatureReader(NamedTuple):
    """A reader of the rows of one table, which depend on the stage and the signature."""

    stage: int
    written: bool  # the stage writes these registers

    def masked(self, used: int) -> int:
        """Return the field of a row whose components `used` are read or written."""
        return FULL & ~used if self.written else used


def read(comments: Comments, title: str, rows: SignatureReader) -> ProgramSignature:
    """Read the table after its title."""
    comments.heads(*TABLES.values())
    elements = []
    for scanner in comments.rows():
        if words(scanner.rest) == NO_ROWS.format(title):
            break
        with comments.mistakes:
            elements.append(_row(scanner, rows))
    return ProgramSignature(elements=elements)


def _row(scanner: Scanner, rows: SignatureReader) -> SignatureElement:
    found = SignatureElement(stream=0, min_precision=0)
    stream = scanner.match(STREAM)
    if stream is not None:
        found.stream = int(stream[1])
    found.name = scanner.take(NAME, "a semantic name")
    found.index = number(scanner, "a semantic index")
    placed = not scanner.accept(NOWHERE)
    if placed:
        found.mask = mask(scanner)
        found.register = number(scanner, "a register")
    else:
        chosen(scanner, "special register", dict.fromkeys(PLACES, 1))
        found.mask, found.register = 1, NO_REGISTER
    system_value = numbered(scanner, "system value", SYSTEM_VALUE_WORDS)
    found.system_value = stored(found.name, system_value, rows)
    precision = PRECISION_WORDS.get(scanner.rest.split(" ", 1)[0])
    if precision is not None:
        found.min_precision = chosen(scanner, "format", PRECISION_WORDS)
        found.component_type = BELOW[D3DMinPrecision(precision)]
    else:
        found.component_type = numbered(
            scanner, "format", COMPONENT_WORDS | dict.fromkeys(PRECISION_WORDS, 0)
        )
    start = scanner.at
    used = mask(scanner) if placed else chosen(scanner, "use", USES)
    if used & ~found.mask:
        raise scanner.place(start).error(
            f"expected components of the mask {_letters(found.mask)}, got {_letters(used)}"
        )
    scanner.finish("components or the end of the line")
    found.rw_mask = rows.masked(used)
    return found


def stored(name: str, system_value: int, rows: SignatureReader) -> int:
    """Return the system value in the file; for a pixel output it follows from the name."""
    derived = PIXEL_OUTPUTS.get(name.lower()) if rows.written else None
    return 0 if rows.stage == ShaderKind.PIXEL and system_value == derived else system_value


def _letters(bits: int) -> str:
    return MASKS[bits].replace(" ", "")


def mask(scanner: Scanner) -> int:
    """Read a component mask."""
    found = scanner.match(MASK)
    if found is None:
        raise scanner.expected("components, a selection of xyzw in this order")
    return sum(1 << bit for bit in range(4) if found[bit + 1])
