"""The rules for DirectX containers; tools may rely on the codes.

`container.*` and `part.*` are about the structure, the others about one part and the parts that it
must agree with. Rules about a program alone are in `programs.tpf.verify`. A habit of compilers is
never more than a note. Source: DXC DxilContainer.h, the documentation of Direct3D, and 1,500 files.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....model.rootsignature_rules import RULES as ROOT_SIGNATURES
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the container
    Rule("container.size",             E, "the declared size is not the actual size", "The header contains the size of the container in bytes; runtimes reject a file that is shorter or longer."),
    Rule("container.version",          E, "the container version is not 1.0", "All containers since 2006 have version 1.0."),
    Rule("container.digest",           E, "the digest does not match the bytes", "The file was changed after it was signed. Direct3D rejects it; `sign` computes the digest again."),
    Rule("container.unsigned",         N, "the container is not signed", "The digest is sixteen zero bytes, as written by compilers that do not sign. Direct3D runs such shaders in developer mode only."),
    Rule("container.digest-bypass",    N, "the digest is a bypass mark", "Sixteen bytes 01 or 02 tell Direct3D 12 not to compare the digest, in the modes that allow it."),
    Rule("container.debug-digest",     N, "the digest marks a debug shader", "The compiler signs shaders with debug messages so that only the debug layer accepts them."),
    Rule("container.no-parts",         W, "the container has no parts", "It contains neither a program nor data."),
    Rule("container.gap",              W, "bytes between parts", "Parts are consecutive; no reader looks at bytes between them."),
    Rule("container.tail",             W, "bytes after the last part", "The declared size covers more than the parts."),
    Rule("container.trailing",         N, "bytes after the container", "The data continues after the declared size; the bytes are kept."),
    Rule("container.part-order",       N, "the part table is not in file order", "The offsets do not increase. Readers use the table, so this is harmless."),
    Rule("container.alignment",        N, "parts are not aligned to four bytes", "Old versions of dxc do not pad signature parts; readers that load whole words may fail on the parts after them."),
    Rule("container.programs",         E, "more than one program", "Direct3D runs the first program part; readers disagree about which one that is."),
    Rule("container.program-part",     N, "a program of Shader Model 5 in a part named SHDR", "Compilers name the part SHEX from Shader Model 5.0 on; fxc 9.30 also does so for 4.0 programs with raw or structured buffers. Readers accept both names."),
    Rule("container.no-signature",     W, "a program without its signatures", "A program comes with the signatures of its inputs and outputs, even if they are empty; the runtime links stages by them."),
    # ---- parts
    Rule("part.malformed",             E, "a part cannot be read", "The contents of the part are malformed; they are kept as bytes, and no field of them is shown."),
    Rule("part.limit",                 E, "reading a part exceeds a limit", "A field of `Limits` is exceeded; the part is kept as bytes."),
    Rule("part.name",                  W, "a part name is not four letters or digits", "Names of parts are four ASCII letters or digits."),
    Rule("part.unknown",               N, "a part of unknown type", "The bytes are kept unchanged."),
    Rule("part.duplicate",             W, "two parts have the same name", "Some readers use the first, others the last."),
    Rule("part.outdated",              W, "a part repeats the program as it was before an edit", "Aon9 has the code for feature level 9, other parts have lines and variables. They are not edited with the program: a device of feature level 9 would run the old code. Only a shader that was edited since it was opened can have this finding."),
    Rule("part.private-last",          W, "private data is not the last part", "PRIV may have any length and must be last: parts after it lose their alignment."),
    # ---- signatures
    Rule("signature.mask",             E, "a row with an invalid mask", "A row has one to four components; bits above w are invalid."),
    Rule("signature.used-mask",        W, "a row reads components that it does not have", "The second mask of an input holds the components that are read; they must be in the first."),
    Rule("signature.system-value",     E, "an unknown system value", "The number is not in D3D_NAME."),
    Rule("signature.component-type",   E, "an unknown component type or precision", "The number is not in D3D_REGISTER_COMPONENT_TYPE, or the precision not in D3D_MIN_PRECISION."),
    Rule("signature.register",         E, "a register that does not exist", "There are 32 input and 32 output registers; 0xFFFFFFFF marks values outside of them."),
    Rule("signature.register-overlap", E, "two rows share a component of a register", "Each component of a register belongs to one row of a stream."),
    Rule("signature.duplicate",        W, "two rows have the same semantic", "Stages are linked by semantic name, case-insensitively, and index."),
    Rule("signature.name",             W, "a row without a name", "Stages are linked by semantic names."),
    Rule("signature.stream",           E, "a stream that does not exist", "Geometry shaders have streams 0 to 3, other stages only 0."),
    Rule("signature.undeclared",       E, "the program declares a register that its signature lacks", "dcl_input and dcl_output must name registers and components of signature rows."),
    Rule("signature.unwritten",        W, "the signature has an output that the program does not declare", "A row with components that are written needs a dcl_output."),
    Rule("signature.meaning",          E, "program and signature disagree about a system value", "The system value in the declaration must be the row's."),
    Rule("signature.program",          E, "a signature and the metadata of the program disagree", "Each row is an element of the DXIL program, with the same name, index, register, components and stream. The runtime links stages by the part, the driver compiles the program."),
    # ---- STAT
    Rule("stat.instruction-count",     W, "the instruction count in STAT differs from the program's", "All instructions count except declarations, labels, phases and tables. Listings print this number."),
    Rule("stat.temp-count",            W, "the register count in STAT differs from the program's", "The count is the number in dcl_temps; in a hull shader, the greatest of its phases."),
    Rule("stat.stage",                 W, "STAT and the program disagree about the pipeline", "Primitive, topology, vertices, control points, domain, partitioning and instances repeat declarations."),
    # ---- RDEF
    Rule("rdef.target",                W, "RDEF is for another stage or shader model", "The part contains the stage and the model of its program."),
    Rule("rdef.sizes",                 E, "the record sizes in RDEF are wrong", "From 5.0 on the part contains the sizes of its records, and readers use them."),
    Rule("rdef.enumeration",           W, "RDEF has an unknown enumeration value", "Kinds of bindings, dimensions, return types, classes and types of variables are enumerations."),
    Rule("rdef.variable",              W, "a variable exceeds its buffer", "Offset and size of a variable must lie within the size of its buffer."),
    Rule("rdef.buffer",                W, "a constant buffer has no description", "The binding of a constant buffer and the description of its contents have the same name."),
    Rule("rdef.overlap",               W, "two bindings share a register", "Each register of a class and space is bound once."),
    Rule("rdef.undeclared",            W, "RDEF lacks a resource that the program declares", "Every declared buffer, sampler, texture and view has a binding, which names it."),
    Rule("rdef.unused",                W, "RDEF binds a resource that the program does not declare", "Compilers list only the resources that the program uses."),
    Rule("rdef.kind",                  W, "a binding and its declaration are of different kinds", "RDEF and the declaration must agree on typed, raw or structured, and on comparison samplers."),
    Rule("rdef.buffer-size",           W, "the program declares more of a constant buffer than it has", "dcl_constantbuffer declares at most the registers of the buffer in RDEF."),
    # ---- Aon9
    Rule("aon9.stage",                 E, "Aon9 is for another stage than the program", "Both programs are compiled from one function."),
    Rule("aon9.code",                  E, "the tokens of Aon9 cannot be read", "They are a Direct3D 9 program, and its rules are those of such programs."),
    Rule("aon9.version",               E, "Aon9 names another version than its tokens", "The kind and the major version in the first token are repeated before the mappings. The minor version is 0, also for vs_2_x and ps_2_x."),
    Rule("aon9.register",              W, "Aon9 maps a register that the program does not declare", "Its tables say which registers of the program are which ones of Direct3D 9. Both programs are compiled from one function, and fxc declares in the program whatever the tables name."),
    # ---- SFI0
    Rule("sfi0.missing",               E, "SFI0 lacks a feature that the program needs", "Hardware without a feature must be able to reject the program by SFI0 alone."),
    Rule("sfi0.unknown",               N, "SFI0 has an unknown feature", "The bit stands for a feature that is newer than this list."),
    # ---- RTS0
    *ROOT_SIGNATURES.values(),
    # ---- DXIL, PSV0, RDAT
    Rule("dxil.parts",                 E, "a DXIL program without the part that its stage needs", "A library has runtime data (RDAT), any other program has PSV0, features (SFI0, even if there are none) and signatures; neither has the part of the other."),
    Rule("dxil.debug-program",         W, "ILDB is another program than DXIL", "ILDB is DXIL with debug information. Their texts must be the same apart from that and names: debuggers show ILDB, the driver gets DXIL."),
    Rule("dxil.reflection-program",    W, "STAT is of another program than DXIL", "Beside DXIL, STAT is its program without function bodies: of the same stage, with the same registers. Applications find resources by the names in STAT."),
    Rule("hash.program",               W, "HASH is not the hash of DXIL", "dxc writes the MD5 of the bitcode of DXIL. The debug file has the same hash and is named after it."),
    Rule("hash.source",                N, "HASH is not the hash of ILDB", "With the flag for the source (-Zss), dxc writes the MD5 of the bitcode of ILDB. It hashes that before it removes a root signature or subobjects, so beside RTS0 and RDAT the hash is not checked, and with -Qstrip_rootsignature it differs."),
    Rule("psv.stage",                  E, "PSV0 is for another stage than the program", "The runtime reads the stage from the program and from PSV0."),
    Rule("psv.value",                  E, "PSV0 has an unknown enumeration value", "Stages, kinds of resources, system values, component types and interpolations are enumerations."),
    Rule("psv.range",                  E, "PSV0 has a resource with an empty range of registers", "The last register is not before the first."),
    Rule("psv.vectors",                E, "PSV0 declares fewer registers than its elements occupy", "The masks of dependencies have the size of these registers."),
    Rule("psv.signature",              E, "PSV0 and a signature disagree", "Each element of PSV0 is, row by row, in the signature part, with the same name, index, register, components and type."),
    Rule("psv.program",                E, "PSV0 and the metadata of the program list different resources", "The runtime checks the root signature against PSV0, the driver binds what the program lists."),
    Rule("psv.state",                  W, "PSV0 and the program disagree", "PSV0 repeats the metadata of the program: stage, threads of a group, control points, kinds of resources, interpolations. The runtime reads PSV0, the driver the program."),
    Rule("psv.dependence",             W, "PSV0 lacks a dependence of the program", "A mask lacks outputs that the code computes from an input, or from the view. Drivers may compute an output once for all views if no mask marks it as dependent on the view."),
    Rule("psv.excess-dependence",      N, "PSV0 has a dependence that the program lacks", "A mask has outputs that do not depend on the input, or on the view. That is safe, but dxc does not write it."),
    Rule("psv.no-dependence",          N, "PSV0 has no masks of dependencies", "All masks are zero and the program has no dx.viewIdState, although outputs depend on inputs or on the view. dxc computes both; Mesa computes neither, and dxc's validator accepts that."),
    Rule("psv.recorded",               W, "dx.viewIdState is not what the code gives", "The metadata of the program records which outputs depend on inputs and on the view. dxc's validator compares PSV0 with it."),
    Rule("rdat.value",                 E, "RDAT has an unknown enumeration value", "Classes and kinds of resources, stages of functions and kinds of subobjects are enumerations."),
    Rule("rdat.range",                 E, "RDAT has a resource with an empty range of registers", "The last register is not before the first. Libraries may have resources without a register yet: their first one is 0xFFFFFFFF."),
    Rule("rdat.index",                 E, "a function refers to a resource that does not exist", "Functions list their resources by index in the table of resources."),
    Rule("rdat.root-signature",        E, "a root signature of a library cannot be read", "The bytes of a subobject form a part RTS0."),
    Rule("rdat.duplicate",             W, "RDAT has two tables of the same type", "Readers use the first or the last."),
    # ---- IFCE
    Rule("ifce.total",                 W, "the number of interface slots is inconsistent", "The total is the sum over all interface variables, and RDEF repeats it."),
    Rule("ifce.class",                 E, "a reference to a class that does not exist", "Interface variables and instances refer to classes by index."),
    Rule("ifce.table",                 W, "an interface variable refers to a function table that the program lacks", "Each class of an interface variable needs a dcl_function_table that implements it."),
))
# fmt: on
