"""The rules for DirectX containers; the code is the name that tools may rely on.

`container.*` and `part.*` look at the structure, the others at one part and at what it must agree
with. Rules about a program alone are those of `programs.tpf.verify`. What compilers are seen to do is
never more than a note. Source: DXC DxilContainer.h, the documentation of Direct3D, and 1,500 files.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the container
    Rule("container.size",             E, "the declared size is not the size", "The header states how many bytes the container has; runtimes refuse a file that is shorter or longer."),
    Rule("container.version",          E, "the container has another version than 1.0", "All containers since 2006 have version 1.0."),
    Rule("container.digest",           E, "the digest does not fit the bytes", "The file was changed after it was signed. Direct3D refuses it; `sign` makes the digest right again."),
    Rule("container.unsigned",         N, "the container is not signed", "Sixteen zeros stand for the digest, as compilers leave them that do not sign. Direct3D runs such shaders in developer mode only."),
    Rule("container.digest-bypass",    N, "the digest is a mark that skips the comparison", "Sixteen bytes 01 or 02 tell Direct3D 12 not to compare the digest, in the modes that allow it."),
    Rule("container.debug-digest",     N, "the digest is that of a debug shader", "The compiler signs shaders with debug messages in a way that only the debug layer accepts."),
    Rule("container.no-parts",         W, "a container without parts", "There is nothing in it."),
    Rule("container.gap",              W, "bytes between parts", "Parts follow one another; what stands between them is read by nobody."),
    Rule("container.tail",             W, "bytes behind the last part", "The declared size covers more than the parts."),
    Rule("container.trailing",         N, "bytes behind the container", "The data goes on behind the declared size; it is kept."),
    Rule("container.part-order",       N, "the part table is not in file order", "The offsets do not rise. Readers go by the table, so that nothing is wrong."),
    Rule("container.alignment",        N, "parts do not start at multiples of four bytes", "Old versions of dxc do not fill up signature parts; readers that load whole words stumble over what follows."),
    Rule("container.programs",         E, "more than one program", "Direct3D takes the first program part; which one that is differs between readers."),
    Rule("container.program-part",     N, "a program of Shader Model 5 in a part named SHDR", "Compilers name the part SHEX from Shader Model 5.0 on, and fxc 9.30 does so for 4.0 programs with raw or structured buffers, too; readers accept both names."),
    Rule("container.no-signature",     W, "a program without its signatures", "Beside a program stand the signatures of its inputs and outputs, even if they are empty; the runtime links stages by them."),
    # ---- parts
    Rule("part.malformed",             E, "a part cannot be read", "The bytes break the rules of their part; they are kept as they are, nothing of them is shown."),
    Rule("part.limit",                 E, "a part asks for more work than is allowed", "Reading the part would exceed the limit that is named."),
    Rule("part.name",                  W, "the name of a part is not four printable letters", "Names of parts are four letters or digits."),
    Rule("part.unknown",               N, "a part that nothing here describes", "The bytes are kept as they are."),
    Rule("part.duplicate",             W, "two parts have one name", "Readers take the first, or the last."),
    Rule("part.private-last",          W, "private data is not the last part", "PRIV may have any length, so that it has to stand last: parts behind it lose their alignment."),
    # ---- signatures
    Rule("signature.mask",             E, "a row with an impossible mask", "A row has one to four components; bits beyond w do not exist."),
    Rule("signature.used-mask",        W, "components are used that do not exist", "The second mask of an input names components that are read: they are among those of the first."),
    Rule("signature.system-value",     E, "a system value without meaning", "The number is none of D3D_NAME."),
    Rule("signature.component-type",   E, "a component type without meaning", "The number is none of D3D_REGISTER_COMPONENT_TYPE, or the precision none of D3D_MIN_PRECISION."),
    Rule("signature.register",         E, "a register that does not exist", "There are 32 input and 32 output registers; 0xFFFFFFFF stands for values outside of them."),
    Rule("signature.register-overlap", E, "two rows share a component of a register", "Each component of a register belongs to one row (of one stream)."),
    Rule("signature.duplicate",        W, "two rows have one semantic", "Name and index together are the key by which stages are linked; case does not matter."),
    Rule("signature.name",             W, "a row without a name", "Stages are linked by the names of their signatures."),
    Rule("signature.stream",           E, "a stream that does not exist", "Geometry shaders have the streams 0 to 3, other stages only 0."),
    Rule("signature.undeclared",       E, "the program declares a register that its signature lacks", "dcl_input and dcl_output name registers and components of the signature's rows."),
    Rule("signature.unwritten",        W, "the signature has an output that the program does not declare", "A row whose components are written has its dcl_output."),
    Rule("signature.meaning",          E, "program and signature give a register different meanings", "The system value in the declaration is that of the row."),
    # ---- STAT
    Rule("stat.instruction-count",     W, "STAT counts other instructions than the program has", "All instructions count but declarations, labels, phases and tables. Listings print this number."),
    Rule("stat.temp-count",            W, "STAT counts other temporary registers than the program has", "The number is that of dcl_temps, in a hull shader the greatest."),
    Rule("stat.stage",                 W, "STAT describes another pipeline than the program", "Primitive, topology, vertices, control points, domain, partitioning and instances repeat declarations."),
    # ---- RDEF
    Rule("rdef.target",                W, "RDEF is for another stage or model", "The part states the stage and the model of the program that it was made with."),
    Rule("rdef.sizes",                 E, "RDEF states record sizes that it does not have", "From 5.0 on the part lists the sizes of its own records, and readers go by them."),
    Rule("rdef.enumeration",           W, "RDEF has a number without meaning", "Kinds of bindings, dimensions, return types, classes and types of variables are enumerations."),
    Rule("rdef.variable",              W, "a variable reaches out of its buffer", "Offset and size of a variable lie within the size of its buffer."),
    Rule("rdef.buffer",                W, "a constant buffer has no description", "Bindings of constant buffers and the descriptions of their contents have the same names."),
    Rule("rdef.overlap",               W, "two bindings share a register", "Each register of a kind and space is bound once."),
    Rule("rdef.undeclared",            W, "RDEF lacks a resource that the program declares", "Every declared buffer, sampler, texture and view has its binding, by which it gets a name."),
    Rule("rdef.unused",                W, "RDEF binds a resource that the program does not declare", "Compilers list only what the program uses."),
    Rule("rdef.kind",                  W, "a binding is of another kind than its declaration", "Typed, raw and structured resources and comparison samplers are declared as what RDEF says they are."),
    Rule("rdef.buffer-size",           W, "the program declares more of a constant buffer than it has", "dcl_constantbuffer covers at most the rows of the buffer that RDEF describes."),
    # ---- SFI0
    Rule("sfi0.missing",               E, "the program needs a feature that the container does not ask for", "Hardware that lacks a feature must be able to tell from SFI0 that it cannot run the program."),
    Rule("sfi0.unknown",               N, "SFI0 asks for a feature without a name", "The bit belongs to a feature that is newer than this list."),
    # ---- RTS0
    Rule("rts0.version",               E, "a root signature of an unknown version", "Versions are 1 (1.0), 2 (1.1) and 3 (1.2)."),
    Rule("rts0.value",                 E, "a root signature with a number without meaning", "Kinds of parameters and ranges, visibilities, address modes, comparisons and border colours are enumerations."),
    Rule("rts0.flags",                 W, "a root signature with flags without meaning", "Bits are set that no version defines."),
    Rule("rts0.size",                  N, "a root signature of more than 64 words", "Tables take one word, descriptors two, constants one each; 64 is the limit. fxc lets more pass, Direct3D 12 does not."),
    Rule("rts0.table",                 E, "a table of samplers and other descriptors", "Samplers live in a heap of their own; a table is of one heap. Ranges have at least one descriptor."),
    Rule("rts0.unbound",               E, "the root signature does not bind a register of the program", "Pipelines are refused when a declared register is in no parameter or static sampler that the stage sees."),
    # ---- IFCE
    Rule("ifce.total",                 W, "the interface slots do not add up", "The total is the sum of what the interface variables take, and RDEF repeats it."),
    Rule("ifce.class",                 E, "an interface names a class that does not exist", "Slots and instances refer to classes by number."),
    Rule("ifce.table",                 W, "an interface names a function table that the program lacks", "Each possible class comes with the dcl_function_table that implements it."),
))
# fmt: on
