"""What an assembler accepts with a warning: picasso takes it too, and makes something else of it.

The same words come out as from picasso. Who reads the warnings finds what shipped shaders have in
them: an output that is read, a quotient that is only its first number.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES"]

W = Severity.WARNING

# fmt: off
RULES = table((
    Rule("pica.source-output-read",    W, "an output is read", "Outputs and inputs have the same numbers, so that reading o1 reads v1. Keep what is needed twice in an r register."),
    Rule("pica.source-input-written",  W, "an input is written", "Outputs and inputs have the same numbers, so that writing v1 writes o1."),
    Rule("pica.source-mask-order",     W, "the components of a destination are not in their order", "Which components are written is a set: r0.yx is r0.xy. Components change places in a source."),
    Rule("pica.source-arithmetic",     W, "arithmetic in a constant", "A constant is a number; what stands behind it is left out, so that 1.0/128.0 is 1.0."),
    Rule("pica.source-shadow",         W, "a name hides a register", "A name counts before a register: after `.fvec c5` nothing in this source reaches the register c5, but c0x5, another spelling."),
    Rule("pica.source-integer",        W, "an integer uniform that is not there", "A word has room for i0 to i15 and picasso writes i0 to i7, but there are i0 to i3: two bits of the number count."),
    Rule("pica.source-address",        W, "an address register on something else than a float uniform", "Only c registers are addressed relatively; for v and r the address register means nothing."),
    Rule("pica.source-array",          W, "an index behind the end of an array", "An offset is added to the first register without a look at the size: behind `.fvec m[4]`, m[4] is the first register of whatever is declared next."),
    Rule("pica.source-length",         W, "a called procedure or an else part of more than 255 words", "picasso writes lengths of ten bits, but hardware and emulators read eight: the rest is not run, or not passed over."),
    Rule("pica.source-words",          W, "a vertex shader of 513 words", "picasso lets one word pass that the hardware has no room for: libctru sends 512."),
    Rule("pica.source-nop",            W, "a block ends where the hardware does not notice", "Where two blocks would end on one word, and behind a call or jump, a nop is needed. Without -n it is put in."),
))
# fmt: on
