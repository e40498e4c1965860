"""Rules for PICA200 programs; tools may rely on the codes.

ERROR: the GPU hangs, or executes something else than the words specify. WARNING: no assembler
writes this, or the program only works by chance. NOTE: worth knowing. Source: 3dbrew's pages on the instruction set (control
flow) and on pitfalls, picasso's manual and the padding that it inserts, azahar's interpreter,
libctru's limits.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the program as a whole
    Rule("pica.entry",             E, "an entry point is outside the program", "The entry point is the number of a word of the code table."),
    Rule("pica.program-size",      E, "the program is larger than the program memory", "A vertex shader has room for 512 words and the words after them are not uploaded; a geometry shader has room for 4096."),
    Rule("pica.descriptor-count",  W, "more operand descriptors than the hardware has", "The table has 128 entries; instructions cannot name any other."),
    Rule("pica.missing-end",       E, "execution runs past the last word", "Every path must end with `end`. Otherwise the unit continues with whatever the program memory held before."),
    Rule("pica.falls-through",     W, "execution runs past the end of the shader into other code", "The container declares the end of the shader's code. A path reaches that end without `end` and continues in the next procedure."),
    Rule("pica.unreachable",       N, "unreachable code", "The words take up program memory and never run. Padding after `end` (`nop` and `end`) is not reported."),
    Rule("pica.unexamined",        N, "the program was not analysed completely", "Following every path would exceed the limit on work, so the rules about paths were not all checked."),
    # ---- words
    Rule("pica.unknown-opcode",    E, "unknown opcode", "No tool writes this opcode, and its effect on hardware is not documented."),
    Rule("pica.unused-bits",       W, "unused bits are set", "The operation does not use these bits; assemblers leave them 0."),
    Rule("pica.descriptor",        E, "the operand descriptor does not exist", "Mask, swizzles and signs are whatever the descriptor memory held before."),
    Rule("pica.empty-mask",        W, "the instruction writes no component", "The mask of its descriptor selects no component of the destination."),
    Rule("pica.two-inputs",        E, "two different input registers in one instruction", "The unit reads one input register at a time; of two different ones, only one is read reliably. Copy one to a temporary register first."),
    Rule("pica.adjacent-mova",     E, "two consecutive `mova` instructions", "They freeze the GPU. Put another instruction between them, a `nop` if necessary."),
    Rule("pica.index-ignored",     W, "the address register has no effect", "Only float uniforms can be addressed relatively; for v and r registers the address register is ignored."),
    Rule("pica.comparison",        W, "undefined comparison", "The meaning of comparisons 6 and 7 is not known; emulators disagree."),
    Rule("pica.length",            E, "the length does not fit the eight bits of NUM", "Hardware and emulators read eight bits of NUM. picasso writes up to ten without a warning, so the procedure or else part is truncated."),
    Rule("pica.loop-uniform",      W, "the integer uniform does not exist", "There are four, i0 to i3. picasso accepts i4 to i7, but only the low two bits of the number count."),
    Rule("pica.vertex-slot",       W, "the vertex slot does not exist", "A triangle has slots 0 to 2. The effect of slot 3 on hardware is not known."),
    Rule("pica.geometry-only",     E, "`emit` or `setemit` in a vertex shader", "Only the unit that runs geometry shaders can emit vertices."),
    Rule("pica.output-register",   W, "the output does not reach the rasteriser", "The outputs of a geometry shader go to the rasteriser, which takes o0 to o6. o7 to o15 are for vertex shaders that feed a geometry shader."),
    # ---- blocks
    Rule("pica.target",            E, "a target is outside the program", "DST and NUM must lie within the code table, and a block must end after the word that opens it."),
    Rule("pica.crossing",          E, "overlapping blocks", "Two blocks must be disjoint, or one must lie inside one part of the other; the hardware's stacks cannot represent anything else."),
    Rule("pica.shared-code",       N, "procedures share code", "A called range begins inside another. The hardware runs this; in assembler source every word belongs to one procedure."),
    Rule("pica.empty-block",       W, "a block contains no instruction", "The hardware looks for the end of a block after each instruction, so a block needs at least one. picasso inserts a `nop`."),
    Rule("pica.shared-end",        E, "two blocks end at the same word", "The if and loop stacks pop one entry per instruction and the loop overrules the if, so the outer end is missed. Put a `nop` between the ends."),
    Rule("pica.jump-at-end",       E, "a jump or call is the last word of a block", "The end of the block overrules the jump. Put a `nop` after it."),
    Rule("pica.break-at-end",      W, "a break is the last word of a loop", "The loop's end and the break coincide in one instruction. picasso inserts a `nop`."),
    Rule("pica.tail-call",         W, "a call is the last word of a procedure", "Both procedures return at once. That works for up to three; of four returns the last is lost. picasso inserts a `nop`."),
    Rule("pica.jump-out",          W, "a jump crosses the boundary of a block", "The block's entry stays on its stack, or was never pushed, so a later end is taken for the wrong block."),
    Rule("pica.break-outside",     E, "a break outside a loop", "If no loop is running, the GPU hangs; in a procedure called from a loop, the call never returns."),
    Rule("pica.break-inside-if",   W, "a break inside an if", "The loop ends, but the entry of the if stays on its stack. Use `breakc` directly in the loop."),
    Rule("pica.nesting",           E, "blocks nest deeper than the hardware's stacks", "The if stack has 8 entries, the loop and call stacks have 4 each, shared by all active procedures. Pushing one more overwrites the oldest."),
    Rule("pica.recursion",         E, "a procedure calls itself", "The call stack has four entries, and registers are not saved."),
    # ---- outputs
    # 3dbrew says that all three freeze the GPU; four programs of the corpus do it, two of them examples
    # of libraries that are used on hardware.
    Rule("pica.output-unwritten",  W, "a mapped output component is never written", "According to 3dbrew, the GPU freezes unless every mapped component is written exactly once. At best the component keeps its previous value."),
    Rule("pica.output-path",       W, "an output component is not written on every path", "According to 3dbrew, the GPU freezes unless every mapped component is written exactly once; at least one path omits it."),
    Rule("pica.output-twice",      W, "an output component is written twice", "According to 3dbrew, the GPU freezes unless every mapped component is written exactly once. Keep the value in a temporary register and copy it at the end."),
))
# fmt: on
