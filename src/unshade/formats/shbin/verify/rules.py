"""Rules for SHBIN files; tools may rely on the codes.

ERROR: the file does not work on the hardware, or with libctru. WARNING: no tool writes this. NOTE:
worth knowing; tools are seen to do it. Source: libctru's reader of the tables, 3dbrew, and the
output of the five writers.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the file
    Rule("shbin.experimental",      N, "an object file, a format known from descriptions only", "No DVOJ written by the vendor's tools has been seen. Fields may have other meanings than their names here suggest."),
    Rule("shbin.no-executable",     E, "no executable", "A SHBIN without a DVLE has no entry point, so nothing in it can be run."),
    Rule("shbin.geometry-alone",    N, "a geometry shader without a vertex shader", "It must be bound together with a vertex shader of another file: the hardware does not run a geometry shader alone."),
    Rule("shbin.version",           N, "unknown version", "picasso writes 0x1002 in a DVLE and 0 in the DVLP, aemstro and nihstro write 0, and games have 0x0c02."),
    Rule("shbin.layout",            N, "no known writer lays out a file like this", "Tables are in another order, have gaps between them, or share bytes. Readers that follow the offsets are not affected."),
    Rule("shbin.trailing",          N, "bytes after the last table", "They belong to no table. Usually the file was padded, or extracted from a larger file with too large a size."),
    Rule("shbin.padding",           W, "nonzero padding", "No tool writes these bytes, and none is known to read them."),
    # ---- executables
    Rule("shbin.stage",             E, "unknown stage", "0 is a vertex shader, 1 a geometry shader."),
    Rule("shbin.flags",             W, "unknown flags", "Bit 0 merges the outputs of a geometry shader with the outputs of the vertex shader. It has no meaning in a vertex shader, and no other bit is known."),
    Rule("shbin.entry",             E, "the entry point is outside the code", "The offset of main is the number of a word of the code table."),
    Rule("shbin.end",               W, "the end of the code is outside the code table, or before its start", "The field is informative only: execution stops at `end`. nihstro and azahar write 0."),
    Rule("shbin.geometry-mode",     E, "unknown geometry mode", "0 is point, 1 variable (subdivision), 2 fixed (particles)."),
    Rule("shbin.geometry-fields",   W, "fields of another geometry mode are set", "Each mode reads its own fields, and a vertex shader none of them; tools leave the others 0."),
    Rule("shbin.geometry-range",    E, "the vertices do not fit the float uniforms", "In fixed mode, vertices are stored in the float uniforms from the start register on, with one register per attribute; there are 96 registers."),
    Rule("shbin.input-mask",        W, "the input mask disagrees with the named inputs", "picasso sets the bits of the named inputs only; libctru counts the inputs of a geometry shader with this mask."),
    Rule("shbin.output-mask",       W, "the output mask disagrees with the output table", "The mask has a bit for each register of the table. aemstro, nihstro and azahar leave it 0."),
    # ---- constants
    Rule("shbin.constant-type",     E, "unknown type of constant", "0 sets a boolean uniform, 1 an integer uniform, 2 a float uniform; libctru ignores any other type."),
    Rule("shbin.constant-register", E, "a constant for a register that does not exist", "The registers are b0 to b15, i0 to i3 and c0 to c95."),
    Rule("shbin.constant-twice",    N, "two constants for one register", "The last one takes effect."),
    Rule("shbin.constant-value",    W, "the value does not fit the register", "A boolean is 0 or 1, a float has 24 bits; excess bits are dropped."),
    Rule("shbin.constant-unused",   N, "a constant that the code does not read", "It takes 20 bytes and an upload."),
    Rule("shbin.constant-b15",      W, "a geometry shader has a constant for b15", "The hardware sets b15 after each run of a geometry shader, so the constant holds for the first run only."),
    # ---- outputs
    Rule("shbin.output-type",       W, "unknown type of output", "Types are 0 to 6, 8, and 9 for outputs that only a geometry shader reads; picasso once accepted 7."),
    Rule("shbin.output-register",   E, "the output register does not exist, or does not reach the rasteriser", "There are 16 output registers, of which o0 to o6 have an entry in the output map; the others can only be generic."),
    Rule("shbin.output-components", W, "invalid component mask", "Bits 0 to 3 are x, y, z and w; no other bit is defined."),
    Rule("shbin.output-empty",      N, "an output without components", "No component is mapped. Old versions of aemstro left the mask 0."),
    Rule("shbin.output-shared",     W, "an output component has two types", "The output map has room for one."),
    Rule("shbin.output-repeated",   W, "two outputs have the same type", "The rasteriser uses one of them; which one is not documented."),
    Rule("shbin.no-position",       W, "no position output", "The rasteriser needs a position; only a vertex shader that feeds a geometry shader can omit it."),
    # ---- uniforms and labels
    Rule("shbin.uniform-range",     E, "invalid register range of a uniform", "Registers are 0 to 15 for v, 0x10 to 0x6f for c, 0x70 to 0x73 for i and 0x78 to 0x87 for b. Both ends must be in one file, in ascending order."),
    Rule("shbin.uniform-shared",    W, "two names for one register", "A value that is set by one name also changes the other."),
    Rule("shbin.uniform-name",      W, "a uniform has no name, or a duplicate name", "Applications look up uniforms by name and take the first match."),
    Rule("shbin.label-offset",      W, "a label outside the code", "A label is the number of a word of the code, or of the word after the last."),
    Rule("shbin.label-id",          N, "two labels with one number", "aemstro numbers labels from 0; nihstro writes 0 for all."),
    Rule("shbin.symbol-size",       W, "wrong size of a symbol table", "The table must end after the NUL of its last name, and within the file."),
    Rule("shbin.symbol-outside",    W, "a name outside the symbol table", "Its offset is past the end of the table; libctru does not check."),
    # ---- objects
    Rule("shbin.relocation-offset", W, "a relocation outside the code", "A relocation has the number of a word of the code."),
    Rule("shbin.line-count",        W, "the number of lines differs from the number of words", "The table has one row for each word of the code."),
))
# fmt: on
