"""Warnings of the assembler: source text that picasso accepts but reads differently than written.

The words are the same as picasso's. Shipped shaders contain all of these: an output that is read, a
quotient where only the first number counts.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES"]

W = Severity.WARNING

# fmt: off
RULES = table((
    Rule("pica.source-output-read",    W, "an output is read", "Inputs and outputs have the same numbers, so reading o1 reads v1. Keep a value that is needed twice in an r register."),
    Rule("pica.source-input-written",  W, "an input is written", "Inputs and outputs have the same numbers, so writing v1 writes o1."),
    Rule("pica.source-mask-order",     W, "the components of a destination are out of order", "A write mask is a set: r0.yx is r0.xy. Use the swizzle of a source to reorder components."),
    Rule("pica.source-arithmetic",     W, "arithmetic in a constant", "A constant is a single number; anything after it is ignored, so 1.0/128.0 is 1.0."),
    Rule("pica.source-shadow",         W, "a name hides a register", "Names take precedence over registers: after `.fvec c5`, the register c5 can only be reached as c0x5 in this source."),
    Rule("pica.source-integer",        W, "the integer uniform does not exist", "The word has room for i0 to i15 and picasso writes i0 to i7, but the hardware has i0 to i3: only the low two bits of the number count."),
    Rule("pica.source-address",        W, "an address register on a register that is not a float uniform", "Only c registers can be addressed relatively; for v and r the address register has no effect."),
    Rule("pica.source-array",          W, "an index past the end of an array", "An offset is added to the first register without a bounds check: after `.fvec m[4]`, m[4] is the first register of the next declaration."),
    Rule("pica.source-length",         W, "a called procedure or an else part has more than 255 words", "picasso writes lengths of ten bits, but hardware and emulators read eight: the rest is not run, or not skipped."),
    Rule("pica.source-words",          W, "a vertex shader of 513 words", "picasso accepts one word more than the hardware has room for: libctru uploads 512."),
    Rule("pica.source-end",            W, "execution runs past the end of a shader", "picasso does not require `end`. Without it the unit continues with the next procedure, or with whatever the program memory held before. In the program it is `pica.missing-end` or `pica.falls-through`."),
    Rule("pica.source-nop",            W, "the hardware misses the end of a block", "A `nop` is needed where two blocks end at the same word, and after a call or jump at the end of a block. Without -n it is inserted."),
))
# fmt: on
