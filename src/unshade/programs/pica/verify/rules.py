"""The rules for PICA200 programs; the code is the name that tools may rely on.

An error hangs the GPU, or makes it do something else than the words say; a warning is what no
assembler writes, or what works by luck; a note is worth knowing. Source: 3dbrew's pages on the
instruction set (control flow) and on pitfalls, picasso's manual and the padding it inserts, the
interpreter of azahar, libctru's limits.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the program as a whole
    Rule("pica.entry",             E, "a shader starts outside of the program", "The entry point is a word of the code table."),
    Rule("pica.program-size",      E, "more code than the hardware has room for", "A vertex shader has 512 words, and what stands behind them is not sent; a geometry shader has 4096."),
    Rule("pica.descriptor-count",  W, "more operand descriptors than the hardware has room for", "There are 128; instructions cannot name others."),
    Rule("pica.missing-end",       E, "execution runs past the last word", "Every path ends with end. Without it the unit goes on with whatever the program memory held before."),
    Rule("pica.falls-through",     W, "execution runs past the end of the shader into other code", "The container says where the shader's code ends; a path leaves it there without end, into the procedure that happens to follow."),
    Rule("pica.unreachable",       N, "code that no shader reaches", "The words take program memory and are never run. What follows end for padding, nop and end, is not counted."),
    Rule("pica.unexamined",        N, "not all of the program was looked at", "Following every path of this program would take more work than is allowed; rules about paths were not checked to the end."),
    # ---- words
    Rule("pica.unknown-opcode",    E, "an operation that does not exist", "No tool writes this opcode, and nobody has said what the hardware does with it."),
    Rule("pica.unused-bits",       W, "bits are set that mean nothing", "The operation has no use for them; assemblers leave them 0."),
    Rule("pica.descriptor",        E, "a descriptor that the program does not have", "Mask, swizzles and signs come from whatever the descriptor memory held before."),
    Rule("pica.empty-mask",        W, "an instruction that writes nothing", "The mask of its descriptor has no component of the destination."),
    Rule("pica.two-inputs",        E, "two different input registers in one instruction", "The unit reads one input register at a time: of two different ones only the same is read reliably. Copy one to a temporary first."),
    Rule("pica.adjacent-mova",     E, "two mova in a row", "They freeze the GPU. Put another instruction, if need be nop, between them."),
    Rule("pica.index-ignored",     W, "an address register that is not used", "Only float uniforms are addressed relatively; v and r ignore the address register."),
    Rule("pica.comparison",        W, "a comparison without meaning", "Comparisons 6 and 7 are not known; emulators disagree about them."),
    Rule("pica.length",            E, "more words than NUM can say", "Readers of the word take eight bits of NUM. picasso writes up to ten without a warning, and the code called, or passed over, is cut short."),
    Rule("pica.loop-uniform",      W, "an integer uniform that does not exist", "There are four, i0 to i3. picasso accepts i4 to i7; two bits of the number count."),
    Rule("pica.vertex-slot",       W, "a vertex slot that does not exist", "A triangle has the slots 0 to 2. What hardware does with slot 3 is not known."),
    Rule("pica.geometry-only",     E, "emit or setemit in a vertex shader", "Only the unit that runs geometry shaders has vertices to emit."),
    Rule("pica.output-register",   W, "an output that leads nowhere", "A geometry shader's outputs go to the rasteriser, which is reached by o0 to o6; o7 to o15 are for vertex shaders before a geometry shader."),
    # ---- blocks
    Rule("pica.target",            E, "a target outside of the program", "DST and NUM name words of the code table; a block ends behind the word that opens it."),
    Rule("pica.crossing",          E, "blocks that cross", "A block lies wholly inside another, inside one of its parts, or outside; the stacks know no other order."),
    Rule("pica.shared-code",       N, "procedures that share words", "A called range begins inside another. Hardware runs this; in an assembler's source each word belongs to one procedure."),
    Rule("pica.empty-block",       W, "a block without words", "The ends of blocks are looked for after each instruction, so that a block needs one. picasso puts a nop there."),
    Rule("pica.shared-end",        E, "two blocks end on the same word", "The stacks of if and loop give up one entry per instruction, and the later overrules the earlier: the outer end is missed. Put a nop between the ends."),
    Rule("pica.jump-at-end",       E, "a jump or call as the last word of a block", "The end of the block is found first and overrules the jump. Put a nop behind it."),
    Rule("pica.break-at-end",      W, "a break as the last word of a loop", "picasso puts a nop there: end and break meet in one instruction."),
    Rule("pica.tail-call",         W, "a call as the last word of a procedure", "Both return at once, which works for three; of four returns the last is lost. picasso puts a nop there."),
    Rule("pica.jump-out",          W, "a jump across the border of a block", "The block's entry stays on its stack, or was never put there, so that a later end is taken for the wrong one."),
    Rule("pica.break-outside",     E, "break outside of a loop", "With no loop running the GPU hangs; in a procedure called from a loop, the call is never returned from."),
    Rule("pica.break-inside-if",   W, "break inside an if", "The loop is left, the entry of the if stays on its stack. Use breakc directly in the loop."),
    Rule("pica.nesting",           E, "blocks nest deeper than the hardware's stacks", "If has 8 entries, loop and call have 4 each, over all procedures that are running; one more overwrites the oldest."),
    Rule("pica.recursion",         E, "a procedure that calls itself", "The stack of calls has four entries, and nothing keeps registers."),
    # ---- outputs
    # 3dbrew says that all three freeze the GPU; four programs of the corpus do it, two of them examples
    # of libraries that are used on hardware.
    Rule("pica.output-unwritten",  W, "an output component is mapped and never written", "By 3dbrew each component that the output map has must be written exactly once, or the GPU freezes. At best the value is what was there before."),
    Rule("pica.output-path",       W, "an output component is not written on every path", "By 3dbrew each component that the output map has must be written exactly once, or the GPU freezes; a path leaves one out."),
    Rule("pica.output-twice",      W, "an output component is written twice", "By 3dbrew each component that the output map has must be written exactly once, or the GPU freezes. Keep the value in a temporary and copy it at the end."),
))
# fmt: on
