"""Formats of the 32-bit instruction word.

     31      26 25    21 20 19 18         12 11       7 6          0
    +----------+--------+-----+-------------+----------+------------+
    |  opcode  |  dst   | idx |    src1     |   src2   |    desc    |   1   add dp4 mul …
    |  opcode  |  dst   | idx | src1 |    src2         |    desc    |   1i  dphi sgei …   src2 wide
    |  opcode  |  dst   | idx |    src1     |    -     |    desc    |   1u  mov rcp …
    | op | cmpx | cmpy  | idx |    src1     |   src2   |    desc    |   1c  cmp
    |  opcode  | conditions |    target     | -  |      num         |   2   ifc callc jmpc …
    |  opcode  |  uniform   |    target     | -  |      num         |   3   ifu for jmpu …
    |  opcode  | id,flags   |               -                       |   4   setemit
    |  opcode  |                      -                             |   0   nop end …
    | op  | dst | idx | src1 |    src2 / src2    | src3 | desc      |   5   mad;  5i  madi

The classes have the exact bits. A seven-bit (wide) source reaches v, r and c registers, a five-bit
one only v and r; `idx` belongs to the wide source. `desc` is the number of an operand descriptor.

Source: 3dbrew's page on the shader instruction set, nihstro's headers, picasso's encoder (lengths
of ten bits); the program words of the corpus.
"""

from typing import ClassVar

from ....enums import IntEnum
from ....isa import Bits, Word
from .registers import address_name, bool_name, destination_name, integer_name, source_name


class CompareOp(IntEnum):
    """The comparison that cmp applies to one component; 6 and 7 are undefined."""

    EQ = 0
    NE = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5


class ConditionOp(IntEnum):
    """CONDOP: the combination of the two flags, after each was compared with its reference bit."""

    OR = 0
    AND = 1
    X = 2
    Y = 3


class Format0(Word):
    """No operands."""

    FORMAT: ClassVar[str] = "0"
    opcode = Bits(26, 6, "operation")


class Format1(Word):
    """Two sources; the first is wide."""

    FORMAT: ClassVar[str] = "1"
    desc = Bits(0, 7, "operand descriptor")
    src2 = Bits(7, 5, "second source, v or r", spell=source_name)
    src1 = Bits(12, 7, "first source", spell=source_name)
    idx = Bits(19, 2, "address register added to src1", spell=address_name)
    dst = Bits(21, 5, "destination", spell=destination_name)
    opcode = Bits(26, 6, "operation")


class Format1i(Word):
    """Two sources; the second is wide ("inverted")."""

    FORMAT: ClassVar[str] = "1i"
    desc = Bits(0, 7, "operand descriptor")
    src2 = Bits(7, 7, "second source", spell=source_name)
    src1 = Bits(14, 5, "first source, v or r", spell=source_name)
    idx = Bits(19, 2, "address register added to src2", spell=address_name)
    dst = Bits(21, 5, "destination", spell=destination_name)
    opcode = Bits(26, 6, "operation")


class Format1u(Word):
    """One source."""

    FORMAT: ClassVar[str] = "1u"
    desc = Bits(0, 7, "operand descriptor")
    src1 = Bits(12, 7, "source", spell=source_name)
    idx = Bits(19, 2, "address register added to src1", spell=address_name)
    dst = Bits(21, 5, "destination; mova has none", spell=destination_name)
    opcode = Bits(26, 6, "operation")


class Format1c(Word):
    """Two sources to compare; the opcode has five bits."""

    FORMAT: ClassVar[str] = "1c"
    desc = Bits(0, 7, "operand descriptor")
    src2 = Bits(7, 5, "second source, v or r", spell=source_name)
    src1 = Bits(12, 7, "first source", spell=source_name)
    idx = Bits(19, 2, "address register added to src1", spell=address_name)
    cmpy = Bits(21, 3, "comparison of the y components", enum=CompareOp)
    cmpx = Bits(24, 3, "comparison of the x components", enum=CompareOp)
    opcode = Bits(27, 5, "operation")


class Format2(Word):
    """A jump or block conditional on the two flags."""

    FORMAT: ClassVar[str] = "2"
    num = Bits(0, 8, "NUM: length in words of the called code, or of the else part")
    num_high = Bits(8, 2, "upper bits of NUM: picasso writes ten bits, readers use eight")
    target = Bits(10, 12, "DST: number of a word of the program")
    condop = Bits(22, 2, "CONDOP: how cmp.x and cmp.y are combined", enum=ConditionOp)
    refy = Bits(24, 1, "REFY: value that cmp.y is compared with")
    refx = Bits(25, 1, "REFX: value that cmp.x is compared with")
    opcode = Bits(26, 6, "operation")


class Format3(Word):
    """A jump or block conditional on a boolean uniform."""

    FORMAT: ClassVar[str] = "3"
    num = Bits(0, 8, "NUM: length in words of the called code, or of the else part")
    num_high = Bits(8, 2, "upper bits of NUM: picasso writes ten bits, readers use eight")
    target = Bits(10, 12, "DST: number of a word of the program")
    bool_id = Bits(22, 4, "boolean uniform", spell=bool_name)
    opcode = Bits(26, 6, "operation")


class Format3Jump(Word):
    """jmpu: bit 0 of NUM selects the value that jumps."""

    FORMAT: ClassVar[str] = "3"
    invert = Bits(0, 1, "bit 0 of NUM: jump if the uniform is false")
    target = Bits(10, 12, "DST: number of a word of the program")
    bool_id = Bits(22, 4, "boolean uniform", spell=bool_name)
    opcode = Bits(26, 6, "operation")


class Format3Loop(Word):
    """for: an integer uniform, and no length."""

    FORMAT: ClassVar[str] = "3"
    target = Bits(10, 12, "DST: the last word of the body")
    int_id = Bits(22, 4, "integer uniform; only the low two bits count", spell=integer_name)
    opcode = Bits(26, 6, "operation")


class Format4(Word):
    """setemit: vertex slot and flags."""

    FORMAT: ClassVar[str] = "4"
    winding = Bits(22, 1, "reverse the winding of the triangle")
    primitive = Bits(23, 1, "the next emit completes a triangle")
    vertex = Bits(24, 2, "slot that the next emit writes")
    opcode = Bits(26, 6, "operation")


class Format5(Word):
    """Three sources; the second is wide; the opcode has three bits."""

    FORMAT: ClassVar[str] = "5"
    desc = Bits(0, 5, "operand descriptor, 0 to 31")
    src3 = Bits(5, 5, "third source, v or r", spell=source_name)
    src2 = Bits(10, 7, "second source", spell=source_name)
    src1 = Bits(17, 5, "first source, v or r", spell=source_name)
    idx = Bits(22, 2, "address register added to src2", spell=address_name)
    dst = Bits(24, 5, "destination", spell=destination_name)
    opcode = Bits(29, 3, "operation")


class Format5i(Word):
    """Three sources; the third is wide; the opcode has three bits."""

    FORMAT: ClassVar[str] = "5i"
    desc = Bits(0, 5, "operand descriptor, 0 to 31")
    src3 = Bits(5, 7, "third source", spell=source_name)
    src2 = Bits(12, 5, "second source, v or r", spell=source_name)
    src1 = Bits(17, 5, "first source, v or r", spell=source_name)
    idx = Bits(22, 2, "address register added to src3", spell=address_name)
    dst = Bits(24, 5, "destination", spell=destination_name)
    opcode = Bits(29, 3, "operation")


FORMATS: tuple[type[Word], ...] = (
    Format0, Format1, Format1i, Format1u, Format1c, Format2, Format3, Format3Jump, Format3Loop,
    Format4, Format5, Format5i,
)  # fmt: skip
