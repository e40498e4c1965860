"""The rules for SHBIN files; the code is the name that tools may rely on.

An error keeps the file from working on the hardware, or in libctru; a warning is what no tool
writes; a note is worth knowing, and tools are seen to do it. Source: libctru's reading of the
tables, 3dbrew, and what the five writers do.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the file
    Rule("shbin.experimental",      N, "an object: what is known of such files comes from descriptions alone", "No DVOJ written by the vendor's tools has been seen. Fields may mean something else than they are called here."),
    Rule("shbin.no-executable",     E, "no executable", "A SHBIN without DVLE has no entry point: nothing in it can be run."),
    Rule("shbin.geometry-alone",    N, "a geometry shader and no vertex shader", "It has to be bound together with a vertex shader of another file: hardware runs no geometry shader alone."),
    Rule("shbin.version",           N, "a version that is not known", "picasso writes 0x1002 into a DVLE and 0 into the DVLP, aemstro and nihstro 0; games have 0x0c02."),
    Rule("shbin.layout",            N, "laid out as no known writer does", "Tables stand in another order, apart from each other, or share bytes. Readers that follow the offsets do not mind."),
    Rule("shbin.trailing",          N, "bytes behind the last table", "They belong to no table; most often a file was filled up, or cut out of a larger one too late."),
    Rule("shbin.padding",           W, "bytes that should be zero are not", "No tool writes anything there, and nothing is known to read them."),
    # ---- executables
    Rule("shbin.stage",             E, "a stage that does not exist", "0 is a vertex shader, 1 a geometry shader."),
    Rule("shbin.flags",             W, "flags that mean nothing here", "Bit 0 lets a geometry shader's outputs be joined by those of the vertex shader; a vertex shader has no use for it, and no other bit is known."),
    Rule("shbin.entry",             E, "the entry point lies outside of the code", "The offset of main counts words of the code table."),
    Rule("shbin.end",               W, "the end of the code lies outside of it, or before its start", "It is informative only: execution stops at `end`. nihstro and azahar write 0."),
    Rule("shbin.geometry-mode",     E, "a geometry mode that does not exist", "0 is point, 1 variable (subdivision), 2 fixed (particles)."),
    Rule("shbin.geometry-fields",   W, "values that belong to another geometry mode", "A vertex shader has none of them; each mode reads its own, and tools leave the others 0."),
    Rule("shbin.geometry-range",    E, "vertices that the float uniforms have no room for", "In fixed mode vertices stand in float uniforms from the start register on, each with as many registers as it has attributes; there are 96."),
    Rule("shbin.input-mask",        W, "the input mask disagrees with the named inputs", "picasso sets the bits of the inputs that have names, and no other; libctru counts the inputs of a geometry shader with it."),
    Rule("shbin.output-mask",       W, "the output mask disagrees with the output table", "It has a bit for each register of the table. aemstro, nihstro and azahar leave it 0."),
    # ---- constants
    Rule("shbin.constant-type",     E, "a constant of unknown type", "0 sets a boolean uniform, 1 an integer one, 2 a float one; libctru passes over any other."),
    Rule("shbin.constant-register", E, "a constant for a register that does not exist", "There are b0 to b15, i0 to i3 and c0 to c95."),
    Rule("shbin.constant-twice",    N, "two constants for one register", "The last one counts."),
    Rule("shbin.constant-value",    W, "a value that does not fit the register", "A boolean is 0 or 1, a float has 24 bits; what is more is dropped."),
    Rule("shbin.constant-unused",   N, "a constant that the code does not read", "It costs 20 bytes and an upload."),
    Rule("shbin.constant-b15",      W, "a geometry shader sets b15", "Hardware sets b15 after each run of a geometry shader, so that the constant holds for the first alone."),
    # ---- outputs
    Rule("shbin.output-type",       W, "an output with a meaning that is not known", "Types are 0 to 6, 8, and 9 for outputs that only a geometry shader sees; picasso once took 7."),
    Rule("shbin.output-register",   E, "an output register that does not exist, or has no way to the rasteriser", "There are 16, of which o0 to o6 have a place in the output map; the others can only be generic."),
    Rule("shbin.output-components", W, "a mask that is no set of components", "Bits 0 to 3 stand for x, y, z and w."),
    Rule("shbin.output-empty",      N, "an output without components", "Nothing is mapped. Old versions of aemstro left the mask 0."),
    Rule("shbin.output-shared",     W, "one component of an output has two meanings", "The output map has room for one."),
    Rule("shbin.output-repeated",   W, "two outputs give the same meaning", "The rasteriser takes one of them; which, nobody has said."),
    Rule("shbin.no-position",       W, "no output is the position", "The rasteriser needs one; only a vertex shader before a geometry shader can do without."),
    # ---- uniforms and labels
    Rule("shbin.uniform-range",     E, "a uniform whose registers are none, or of two kinds", "Numbers are 0 to 15 for v, 0x10 to 0x6f for c, 0x70 to 0x73 for i, 0x78 to 0x87 for b, the last not below the first."),
    Rule("shbin.uniform-shared",    W, "two names for one register", "What is set by one name is seen by the other."),
    Rule("shbin.uniform-name",      W, "a uniform without a name, or a name given twice", "Applications find uniforms by name, and take the first that fits."),
    Rule("shbin.label-offset",      W, "a label outside of the code", "Labels name words of the code, or the word behind the last."),
    Rule("shbin.label-id",          N, "two labels with one number", "aemstro counts them from 0; nihstro writes 0 for all."),
    Rule("shbin.symbol-size",       W, "the size of a table of names is wrong", "It should end behind the NUL of the last name, and within the file."),
    Rule("shbin.symbol-outside",    W, "a name that is not in the table of names", "Its offset leads behind the table's end; libctru does not look."),
    # ---- objects
    Rule("shbin.relocation-offset", W, "a relocation outside of the code", "Relocations name words of the code."),
    Rule("shbin.line-count",        W, "lines that are not one for each word", "The table has one row for each word of the code."),
))
# fmt: on
