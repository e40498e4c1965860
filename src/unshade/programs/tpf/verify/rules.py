"""The rules for programs of Shader Model 4 to 5.1; the code is the name that tools may rely on.

What the runtime's own validator refuses is an error; what no compiler writes but hardware would
run is a warning. Source: the public documentation of the HLSL assembly instructions, the Direct3D
11 functional specification (limits), and 1,143 compiled programs, in none of which a rule is broken.
"""

# ruff: noqa: E501
from ....errors import Severity
from ....rule import Rule, table

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
RULES = table((
    # ---- the program as a whole
    Rule("tpf.version",              E, "the version names no stage or model", "The first token states the stage (0 to 5) and the shader model (4.0, 4.1, 5.0 or 5.1); nothing can run a program of another kind."),
    Rule("tpf.trailing",             W, "data behind the program", "The declared length ends the program before its part ends; what follows is never read."),
    Rule("tpf.missing-declaration",  E, "a declaration is missing that the stage must have", "Compute shaders state their thread group, geometry shaders what they take, give and at most write, tessellation stages their domain; without that the pipeline cannot be set up."),
    Rule("tpf.limit",                E, "a declared number is beyond what Direct3D allows", "Registers, slots, buffer sizes, vertices and nesting have fixed upper limits in each model; the runtime refuses more."),
    Rule("tpf.thread-group",         E, "the thread group has a size that is not allowed", "Each side must be at least 1, x and y at most 1024 and z at most 64, all threads together at most 1024 (4.x: 768 and z = 1)."),
    Rule("tpf.shared-memory",        E, "more shared memory than a thread group may have", "A thread group has 32 KiB (4.x: 16 KiB) for all g# registers together."),
    # ---- tokens
    Rule("tpf.unknown-opcode",       E, "an operation that does not exist", "The number in the opcode token is none of the operations up to Shader Model 5.1; its operands cannot be told apart."),
    Rule("tpf.stage",                E, "an operation that this stage does not have", "Derivatives exist in pixel shaders, emit in geometry shaders, and so on; the runtime refuses them elsewhere."),
    Rule("tpf.model",                E, "an operation of a later shader model", "The declared model did not have this operation yet."),
    Rule("tpf.feature",              E, "an operation whose feature the program does not ask for", "Doubles, minimum precision and the extensions of 11.1 must be switched on in dcl_globalFlags."),
    Rule("tpf.operand-count",        E, "too many or too few operands", "Each operation has a fixed number of operands; a program with another number cannot be written."),
    Rule("tpf.missing-dword",        E, "a declaration ends early", "Counts, strides and names stand behind the operand of a declaration; without them it declares nothing."),
    Rule("tpf.extra-dword",          W, "dwords that nothing describes", "The instruction's length covers more than its operation has. Compilers do that only in samplepos and in the clamped or status forms of sample, one dword each."),
    Rule("tpf.saturate",             E, "saturate where there is nothing to clamp", "Only operations that give floats or doubles can clamp their result to 0 to 1; the bit means nothing elsewhere."),
    Rule("tpf.precise",              W, "precise on an operation that calculates nothing", "The bits keep the components of a result from being reordered or contracted; this operation has none."),
    Rule("tpf.reserved-bits",        W, "bits are set that mean nothing", "The opcode token has bits that this operation does not use; compilers leave them 0."),
    Rule("tpf.control-value",        E, "a control has a value without meaning", "Dimensions, interpolation modes, primitives, return types, modifiers and the like are enumerations; this number is not in theirs."),
    Rule("tpf.extended",             E, "an extended token that the operation cannot have", "Texel offsets, resource dimension and return type may follow the opcode of operations that read resources, each once and in this order; operands may be followed by one modifier token."),
    Rule("tpf.texel-offset",         W, "a texel offset on an operation that takes none", "Offsets apply to samples, gathers and loads of textures, not to buffers or queries."),
    Rule("tpf.custom-data",          E, "custom data that cannot be what it says", "An immediate constant buffer is whole rows of four dwords, at most 4096 of them and declared once; a shader message has a header, operands and a text."),
    # ---- operands
    Rule("tpf.operand-kind",         E, "an operand of a kind that cannot stand here", "Sources are values, destinations are r, x and o registers, resources and samplers stand only where they are read; a v, cb, icb or t register cannot be written."),
    Rule("tpf.register-stage",       E, "a register that this stage does not have", "vPrim, oDepth, vThreadID, vDomain and others exist in some stages only."),
    Rule("tpf.null-destination",     E, "null where a result must go somewhere", "Only operations with two results (imul, udiv, sincos, the status forms of loads) may drop one."),
    Rule("tpf.mask",                 E, "a destination with an impossible mask", "A destination of four components writes at least one of them; stores to raw and structured memory write from x on without gaps, to typed views all four."),
    Rule("tpf.components",           E, "a source that does not say which components it reads", "A source of four components has a swizzle or selects one; conditions, labels and the like are single components."),
    Rule("tpf.double-mask",          E, "half of a double", "A double takes two components: masks of doubles are xy, zw or xyzw."),
    Rule("tpf.modifier",             E, "a sign modifier where none is possible", "Only sources that are numbers can be negated, only floats and doubles have an absolute value."),
    Rule("tpf.literal",              E, "a literal with no value", "Literals have one or four components."),
    Rule("tpf.index-count",          E, "a register with too many or too few indices", "r, v, o, s, t and u have one index, x and cb two; in Shader Model 5.1 the range comes first; inputs of several vertices have the vertex first."),
    Rule("tpf.index-representation", E, "an index of 64 bits", "The format has room for 64-bit indices, Direct3D has not."),
    Rule("tpf.relative-index",       E, "an index that must be a number is calculated", "r, g and stream numbers are fixed; inputs and outputs can be indexed where dcl_indexrange allows it; s, t and u from Shader Model 5.1 on or behind interfaces."),
    Rule("tpf.relative-operand",     E, "an index is calculated from something that is no scalar", "The register of an index is one component of r, x or another readable register."),
    # ---- declarations
    Rule("tpf.order",                E, "a declaration behind code", "Declarations stand before the first operation of their program or hull shader phase."),
    Rule("tpf.redeclared",           E, "something is declared twice", "Each register, component, range or setting is declared once."),
    Rule("tpf.range-overlap",        W, "two ranges of registers overlap", "In Shader Model 5.1 a register of a space belongs to one range."),
    Rule("tpf.undeclared-register",  E, "a register that is not declared", "Every register is declared before it is used."),
    Rule("tpf.undeclared-component", E, "a component that is not declared", "Inputs and outputs are declared with the components that are used, x registers with their number."),
    Rule("tpf.index-range",          E, "an index beyond what is declared", "The number is not below the declared count of r or x registers, rows of a constant buffer, or vertices of an input."),
    Rule("tpf.range-index",          N, "a resource outside of its range", "The register does not lie in the declared range of Shader Model 5.1. fxc lets that pass; what is read there is undefined."),
    Rule("tpf.indexrange",           E, "dcl_indexrange covers registers that are not declared", "A run of inputs or outputs that may be indexed consists of declared registers of one kind."),
    Rule("tpf.system-value",         E, "a system value that the declaration cannot have", "The name of an input or output is one of the format's system values and fits the kind of the declaration."),
    Rule("tpf.resource-kind",        E, "an operation on the wrong kind of resource", "Typed, raw and structured resources are read and written by operations of their own; samples need textures, counters a view that has one."),
    Rule("tpf.sampler-mode",         E, "the sampler has the wrong mode", "Comparing operations need a sampler declared for comparison."),
    Rule("tpf.resource-dimension",   W, "the operation repeats another dimension or stride than was declared", "From Shader Model 5 on operations repeat the dimension and the stride of the resource that they read; they agree with its declaration."),
    # ---- flow
    Rule("tpf.block-balance",        E, "blocks do not nest", "Every if, loop and switch is closed by its own end inside the same subroutine or phase, an else belongs to an open if."),
    Rule("tpf.jump",                 E, "a jump out of nothing", "break leaves a loop or switch, continue a loop; outside of one they have no target."),
    Rule("tpf.case",                 E, "a case that no switch can have", "case and default stand directly in a switch, each value once, values are literals, and nothing stands before the first."),
    Rule("tpf.missing-ret",          E, "code runs past its end", "Every program, subroutine and hull shader phase ends with ret."),
    Rule("tpf.unreachable",          W, "code that nothing reaches", "What follows an unconditional ret at the outermost level, and is no label, never runs."),
    Rule("tpf.label",                E, "a label that cannot be called", "Labels stand between subroutines, each number once, and every call and function table finds its own."),
    Rule("tpf.phase",                E, "hull shader phases out of order", "A hull shader begins with hs_decls, then come at most one control point phase, fork phases and join phases."),
    Rule("tpf.interface",            E, "an interface whose tables do not fit", "Function tables list declared bodies, interfaces list declared tables, one call site for each body; fcall names a declared interface and one of its call sites."),
    Rule("tpf.sync",                 E, "a barrier that this stage does not have", "Outside of compute shaders sync can only order writes to unordered access views; in all stages it must order something."),
    Rule("tpf.message",              N, "only runs with the debug layer", "Shader messages and abort exist for debugging; devices without the SDK's debug layer refuse them."),
))
# fmt: on
