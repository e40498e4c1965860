"""Rules for programs of Shader Model 4 to 5.1; tools may rely on their codes.

A violation that the runtime's own validator rejects is an error; one that no compiler produces but
hardware would run is a warning. Source: the public documentation of the HLSL assembly instructions,
the Direct3D 11 functional specification (limits), and 1,143 compiled programs, none of which
violates a rule.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the program as a whole
    Rule("tpf.version",              E, "the version token names no known stage or shader model", "The first token holds the stage (0 to 5) and the shader model (4.0, 4.1, 5.0 or 5.1); no driver accepts another."),
    Rule("tpf.trailing",             W, "data after the end of the program", "The declared length ends before the part does; nothing reads the rest."),
    Rule("tpf.missing-declaration",  E, "a required declaration is missing", "Compute shaders declare their thread group; geometry shaders their input primitive, output topology and maximum vertex count; tessellation stages their domain. The pipeline cannot be set up without them."),
    Rule("tpf.limit",                E, "a declared number exceeds a limit of Direct3D", "Registers, slots, buffer sizes, vertices and nesting depth have a fixed maximum in each shader model; the runtime rejects more."),
    Rule("tpf.thread-group",         E, "invalid thread group size", "x and y must be 1 to 1024, z 1 to 64, and their product at most 1024 (4.x: at most 768, with z = 1)."),
    Rule("tpf.shared-memory",        E, "too much shared memory", "All g# registers of a thread group together have at most 32 KiB (4.x: 16 KiB)."),
    # ---- tokens
    Rule("tpf.unknown-opcode",       E, "unknown operation", "The number in the opcode token is not an operation of Shader Model 4 to 5.1, so its operands cannot be decoded."),
    Rule("tpf.stage",                E, "an operation that does not exist in this stage", "Derivatives exist in pixel shaders only, emit in geometry shaders only, and so on; the runtime rejects them elsewhere."),
    Rule("tpf.model",                E, "an operation of a later shader model", "The declared shader model does not have this operation."),
    Rule("tpf.feature",              E, "an operation whose feature is not enabled", "Doubles, minimum precision and the Direct3D 11.1 extensions must be enabled in dcl_globalFlags."),
    Rule("tpf.operand-count",        E, "wrong number of operands", "Each operation has a fixed number of operands; a program with another number cannot be encoded."),
    Rule("tpf.missing-dword",        E, "a declaration is too short", "Counts, strides and system values follow the operand of a declaration; the declaration is incomplete without them."),
    Rule("tpf.extra-dword",          W, "dwords with no known meaning", "The instruction's length covers more than the operation defines. Compilers write this only in samplepos and in the clamped or status forms of sample, one dword each."),
    Rule("tpf.saturate",             E, "saturate on an operation that cannot clamp", "Only operations with float or double results can clamp them to [0, 1]; elsewhere the bit has no meaning."),
    Rule("tpf.precise",              W, "precise on an operation without arithmetic", "The bits forbid reordering and contracting the computation of a component; this operation has none."),
    Rule("tpf.reserved-bits",        W, "reserved bits are set", "The opcode token has bits that this operation does not use; compilers leave them 0."),
    Rule("tpf.control-value",        E, "a control field has an undefined value", "Dimensions, interpolation modes, primitives, return types, modifiers and the like are enumerations; this number is not a member."),
    Rule("tpf.extended",             E, "an extended token that is not valid here", "Texel offsets, resource dimension and return type may follow the opcode token of operations that read resources, each at most once and in this order; operands may be followed by one modifier token."),
    Rule("tpf.texel-offset",         W, "a texel offset on an operation that takes none", "Offsets apply to samples, gathers and loads of textures, not to buffers or queries."),
    Rule("tpf.custom-data",          E, "malformed custom data", "An immediate constant buffer consists of 1 to 4096 rows of four dwords and is declared once; a shader message has a header, operands and a text."),
    # ---- operands
    Rule("tpf.operand-kind",         E, "an operand of the wrong kind", "Sources are values; destinations are r, x and o registers; resources and samplers appear only where they are read. v, cb, icb and t registers cannot be written."),
    Rule("tpf.register-stage",       E, "a register that does not exist in this stage", "vPrim, oDepth, vThreadID, vDomain and others exist in some stages only."),
    Rule("tpf.null-destination",     E, "null as the only destination", "Only operations with two results (imul, udiv, sincos, the status forms of loads) may discard one."),
    Rule("tpf.mask",                 E, "invalid write mask", "A destination of four components writes at least one of them; stores to raw and structured memory write consecutive components from x on, stores to typed views all four."),
    Rule("tpf.components",           E, "a source without a component selection", "A source of four components has a swizzle or selects one component; conditions, labels and the like are single components."),
    Rule("tpf.double-mask",          E, "a write mask that splits a double", "A double takes two components: its write masks are xy, zw and xyzw."),
    Rule("tpf.modifier",             E, "a sign modifier that is not valid here", "Only numeric sources can be negated; only floats and doubles have an absolute value."),
    Rule("tpf.literal",              E, "a literal without a value", "Literals have one or four components."),
    Rule("tpf.index-count",          E, "wrong number of register indices", "r, v, o, s, t and u have one index, x and cb two; in Shader Model 5.1 the range comes first; inputs with several vertices have the vertex first."),
    Rule("tpf.index-representation", E, "a 64-bit index", "The format can encode 64-bit indices, but Direct3D does not support them."),
    Rule("tpf.relative-index",       E, "a relative index where only a constant is allowed", "r, g and stream numbers are constants; inputs and outputs can be indexed where dcl_indexrange allows it; s, t and u from Shader Model 5.1 on or through interfaces."),
    Rule("tpf.relative-operand",     E, "a relative index that is not a scalar register", "The register in an index is one component of r, x or another readable register."),
    # ---- declarations
    Rule("tpf.order",                E, "a declaration after code", "Declarations precede the first operation of their program or hull shader phase."),
    Rule("tpf.redeclared",           E, "a duplicate declaration", "Each register, component, range or setting is declared once."),
    Rule("tpf.range-overlap",        W, "overlapping register ranges", "In Shader Model 5.1 each register of a space belongs to one range."),
    Rule("tpf.undeclared-register",  E, "an undeclared register", "Every register is declared before it is used."),
    Rule("tpf.undeclared-component", E, "an undeclared component", "Inputs and outputs are declared with the components that the program uses, x registers with their number of components."),
    Rule("tpf.index-range",          E, "an index beyond the declared size", "The index must be less than the declared number of r or x registers, rows of a constant buffer, or vertices of an input."),
    Rule("tpf.range-index",          N, "a resource outside its declared range", "The register is outside the declared range of Shader Model 5.1. fxc accepts that; reads there yield undefined values."),
    Rule("tpf.indexrange",           E, "dcl_indexrange covers undeclared registers", "A range of inputs or outputs that can be indexed consists of declared registers of one kind."),
    Rule("tpf.system-value",         E, "invalid system value", "The system value of an input or output is one that the format defines, and one that this kind of declaration can have."),
    Rule("tpf.resource-kind",        E, "an operation on the wrong kind of resource", "Typed, raw and structured resources each have their operations; samples need a texture, counter operations a view with a counter."),
    Rule("tpf.sampler-mode",         E, "a sampler of the wrong mode", "Comparison operations need a sampler declared with mode_comparison, others one without."),
    Rule("tpf.resource-dimension",   W, "the operation contradicts the resource's declaration", "From Shader Model 5.0 on an operation repeats the dimension and the stride of the resource that it reads; both must match the declaration."),
    # ---- flow
    Rule("tpf.block-balance",        E, "unbalanced blocks", "Every if, loop and switch is closed by its own end in the same subroutine or phase; an else belongs to an open if."),
    Rule("tpf.jump",                 E, "break or continue outside a block that it can leave", "break leaves a loop or switch, continue starts the next iteration of a loop; elsewhere they have no target."),
    Rule("tpf.case",                 E, "an invalid case", "case and default appear directly in a switch; values are literals, each used once; no operation precedes the first case."),
    Rule("tpf.missing-ret",          E, "control reaches the end without ret", "Every program, subroutine and hull shader phase ends with ret."),
    Rule("tpf.unreachable",          W, "unreachable code", "Code after an unconditional ret at the outermost level never runs unless a label precedes it."),
    Rule("tpf.label",                E, "an invalid or missing label", "Labels mark the start of subroutines; each number is defined once, and every call and function table needs its own."),
    Rule("tpf.phase",                E, "hull shader phases out of order", "A hull shader begins with hs_decls, followed by at most one control point phase, then fork phases, then join phases."),
    Rule("tpf.interface",            E, "an inconsistent interface declaration", "Function tables list declared bodies, interfaces list declared tables, with one body for each call site; fcall names a declared interface and one of its call sites."),
    Rule("tpf.sync",                 E, "an invalid barrier", "Outside compute shaders sync can only order accesses to unordered access views; in every stage it must order something."),
    Rule("tpf.message",              N, "needs the debug layer", "Shader messages and abort exist for debugging; devices without the SDK's debug layer reject them."),
))
# fmt: on
