"""The rules of `verify` for SPIR-V modules."""
# ruff: noqa: E501

from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES"]

E, W = Severity.ERROR, Severity.WARNING

RULES = table((
    # header and form
    Rule("spirv.version", W, "the version is not known", "Versions 1.0 to 1.6 are published. A consumer rejects a newer version than its own."),
    Rule("spirv.environment-version", E, "the environment does not take this version", "Each API takes modules up to a version: Vulkan 1.0 takes SPIR-V 1.0, Vulkan 1.3 takes 1.6."),
    Rule("spirv.schema", W, "the schema is not 0", "Word 4 of the header is reserved and must be 0."),
    Rule("spirv.bound", E, "an id is not below the bound", "All ids are at least 1 and less than the bound in word 3 of the header; consumers size their tables by it."),
    Rule("spirv.unknown-opcode", E, "the opcode is unknown", "No version or extension in the grammar has this opcode; its operands cannot be read."),
    Rule("spirv.operands", E, "operands do not follow the grammar", "An operand is missing or left over, or an enumerant is unknown."),
    Rule("spirv.truncated", E, "the last instruction is incomplete", "Its word count is more than the words that are left: the file is cut off, or the count is wrong."),
    Rule("spirv.trailing", W, "bytes follow the module", "They do not begin an instruction; consumers refuse a module of such a size."),
    Rule("spirv.limit", E, "a universal limit is exceeded", "Consumers need not accept more than the limits of the specification, section 2.17."),
    # ids
    Rule("spirv.id-zero", E, "an id is 0", "Ids are at least 1."),
    Rule("spirv.defined-twice", E, "an id is defined twice", "Each id is the result of one instruction."),
    Rule("spirv.undefined", E, "an id is not defined", "Each id that an instruction refers to is the result of an instruction."),
    Rule("spirv.forward", E, "an id is used before its definition", "Only names, decorations, entry points, branches, phis, calls and announced pointers refer to ids that are defined later."),
    Rule("spirv.ext-inst-forward", E, "forward references in a set that has a meaning", "OpExtInstWithForwardRefsKHR is for sets without semantics only."),
    Rule("spirv.not-a-type", E, "the result type is not a type", "A result type is the result of an OpType instruction."),
    Rule("spirv.not-a-value", E, "an operand is not a value", "The operand has to be a value; types, labels and imports are not."),
    Rule("spirv.non-semantic-operand", E, "a result without meaning is used", "Results of sets without semantics may only be used by instructions of such sets, so that all of them can be removed."),
    # layout
    Rule("spirv.layout", E, "an instruction is out of order", "A module has its instructions in the sections of the specification, section 2.4; functions and blocks begin and end with their own instructions."),
    Rule("spirv.phi-place", E, "a phi is not at the start of a block", "Phis come first in a block other than the first of a function."),
    Rule("spirv.variable-place", E, "a local variable is not at the start of a function", "Variables of the storage class Function come first in the first block."),
    Rule("spirv.merge-place", E, "a merge is not before a branch", "A merge instruction is the second-to-last of its block: before a branch (loops), a conditional branch, or a switch (selections)."),
    # capabilities
    Rule("spirv.capability", E, "a capability is not declared", "The instruction, or a named operand of it, needs one of the capabilities that the grammar lists."),
    Rule("spirv.api-capability", E, "the API does not have this capability", "The target environment takes the capability only with an extension, in a newer version, or not at all."),
    Rule("spirv.extension", E, "an extension is not declared", "No version of the core up to the module's has this; an extension does."),
    Rule("spirv.extension-version", E, "the version is older than the extension needs", "An extension builds upon a version of the core."),
    Rule("spirv.instruction-version", E, "the version does not have this instruction", "The instruction is newer than the module's version, or was removed before it."),
    Rule("spirv.enumerant-version", E, "the version does not have this enumerant", "The enumerant is newer than the module's version, or was removed before it."),
    Rule("spirv.reserved", E, "the instruction is reserved", "No version or extension defines it yet."),
    # scopes and memory semantics
    Rule("spirv.scope-type", E, "a scope is not a 32-bit integer", "A scope is the id of a scalar of 32-bit integer type."),
    Rule("spirv.scope-constant", E, "a scope is not a constant", "With the capability Shader, scopes are constants."),
    Rule("spirv.scope", E, "the scope is not allowed here", "Each instruction, memory model and API has its scopes."),
    Rule("spirv.scope-model", E, "the scope is not allowed in this stage", "Some scopes only exist in some execution models: the others have no workgroups."),
    Rule("spirv.semantics-type", E, "memory semantics are not a 32-bit integer", "They are the id of a scalar of 32-bit integer type."),
    Rule("spirv.semantics-constant", E, "memory semantics are not a constant", "With the capability Shader, memory semantics are constants."),
    Rule("spirv.semantics-capability", E, "memory semantics need a capability", "Bits of memory semantics that the core does not have come with Shader or VulkanMemoryModel."),
    Rule("spirv.semantics", E, "memory semantics contradict each other or the instruction", "At most one memory order; a class of memory with it; no release by a load; no acquire by a store; what the unequal case of a comparison has, the equal case has, too."),
    # types of operands
    Rule("spirv.result-type", E, "the result type does not fit the operation", "Each operation has its result types."),
    Rule("spirv.operand-type", E, "the type of an operand does not fit the operation", "Each operation has the types of its operands: certain bases, as many components as the result, as wide ones, or the very same type."),
    Rule("spirv.operand-constant", E, "an operand is not a constant", "The operand has to be known before the module runs."),
    Rule("spirv.same-width", E, "a conversion does not convert", "The operand is as wide as the result; a copy is OpCopyObject, another signedness OpBitcast."),
    Rule("spirv.bit-width", E, "a bit operation of other than 32 bits", "Vulkan has these bit operations for 32-bit integers."),
    Rule("spirv.small-type", E, "an operation on a type for storage only", "Without Int8, Int16 or Float16, values of these types may be loaded, stored and converted only."),
    Rule("spirv.derivative-model", E, "a derivative outside of fragments and quads", "Derivatives need a fragment shader, or a compute shader with a derivative group."),
    Rule("spirv.group-operation", E, "the group operation does not fit", "Clustered operations have a cluster size, partitioned ones a ballot, and ballots count in reductions and scans only."),
    # built-ins
    Rule("spirv.builtin-target", E, "a built-in of something else than a variable, a member or a constant", "WorkgroupSize is a constant; all others are variables or members of structures."),
    Rule("spirv.builtin-type", E, "the type of a built-in is another", "Vulkan defines the type of each built-in."),
    Rule("spirv.builtin-storage", E, "the storage class of a built-in is another", "Vulkan defines if a built-in is an input or an output."),
    Rule("spirv.builtin-model", E, "the stage does not have this built-in", "Vulkan defines which execution models have a built-in, as an input or as an output."),
    Rule("spirv.builtin", E, "a built-in lacks what it needs", "Some built-ins need an execution mode or a decoration; Vulkan does not have VertexId."),
    # entry points and modes
    Rule("spirv.entry-point", E, "the entry point is not valid", "A module without Linkage has entry points: functions without parameters or result that nothing calls, with one name for each execution model."),
    Rule("spirv.recursion", E, "the call graph has a cycle", "Shaders do not recurse: no entry point reaches a function that calls itself."),
    Rule("spirv.mode-count", E, "execution modes are missing, or exclude each other", "An entry point has exactly one, or at most one, of some modes."),
    Rule("spirv.mode-entry-point", E, "an execution mode of something else than an entry point", "OpExecutionMode refers to the function of an OpEntryPoint."),
    Rule("spirv.mode-ids", E, "the execution mode has the other kind of operands", "OpExecutionModeId is for the modes whose operands are ids, OpExecutionMode for all others."),
    Rule("spirv.mode-operand", E, "an operand of an execution mode does not fit", "Operands that are ids are constants, or types where the mode says so."),
    Rule("spirv.mode-model", E, "the execution mode is not for this execution model", "Each mode is for some of the execution models."),
    Rule("spirv.mode-repeated", E, "an execution mode is declared twice", "An entry point declares a mode once, modes of floats once for each width."),
    Rule("spirv.mode", E, "the execution mode is not allowed here", "Vulkan excludes some modes; some exclude each other."),
    Rule("spirv.local-size", E, "the size of the workgroup does not fit", "No dimension is 0; derivative groups need even sizes, or a multiple of 4 invocations."),
    Rule("spirv.memory-model", E, "the memory model does not fit", "OpenCL has physical addresses and its own memory model; Vulkan has logical addresses; the capability VulkanMemoryModel goes with that model."),
    Rule("spirv.fast-math", E, "older modes of floats with FPFastMathDefault", "What an entry point with FPFastMathDefault reaches is not decorated with NoContraction or Fast."),
    # variables
    Rule("spirv.variable-type", E, "the type of the variable is not a pointer", "The result of a variable is a pointer; an untyped one has a data type in shaders."),
    Rule("spirv.storage-class", E, "the storage class does not fit", "It is that of the pointer; Function is for variables of functions only; some APIs lack classes."),
    Rule("spirv.initialiser", E, "the initialiser does not fit", "An initialiser is a constant or a variable of the module, of the variable's type, in a storage class that has initialisers."),
    Rule("spirv.variable-holds", E, "the storage class cannot hold this type", "Booleans have no form that others see; each storage class of Vulkan holds its types."),
    Rule("spirv.variable-pointer", E, "a variable holds a pointer", "In logical addressing, variables hold pointers only with VariablePointers, in Function or Private."),
    Rule("spirv.variable-small", E, "the storage class cannot hold values of 8 or 16 bits", "Without Int8, Int16 or Float16, a capability allows small values for each storage class."),
    Rule("spirv.encoding", E, "the operation does not have this encoding of floats", "Operations are for floats of IEEE 754; values of other encodings are loaded, stored and converted."),
    # types
    Rule("spirv.width", E, "the width of a type does not fit", "Numbers of other than 32 bits need a capability; narrow floats need an encoding of their width; kernels have no signedness."),
    Rule("spirv.component", E, "the components of a type do not fit", "Vectors have 2 to 4 scalars (8 or 16 with Vector16), matrices 2 to 4 columns of floats."),
    Rule("spirv.array-length", E, "the length is not a positive constant", "Lengths, rows and columns are constants of an integer type, at least 1."),
    Rule("spirv.member", E, "a part of a type does not fit", "Elements, members, parameters and pointees are types; void, blocks, built-ins, runtime arrays and opaque types are not parts of everything."),
    Rule("spirv.forward-pointer", E, "an announced pointer does not fit", "OpTypeForwardPointer announces a pointer to a structure, with its storage class."),
    Rule("spirv.type-twice", E, "a type is declared twice", "Types other than arrays, structures and pointers are declared once, so that equal types have equal ids."),
    # functions
    Rule("spirv.function", E, "the type of a function does not fit", "A function has a function type, and its result type."),
    Rule("spirv.function-type", E, "a function type is used as another type", "Function types are for functions."),
    Rule("spirv.function-use", E, "a function is used as a value", "A function is called, or is an entry point."),
    Rule("spirv.parameter", E, "a parameter does not fit the function type", "A function has the parameters of its type, in order."),
    Rule("spirv.call", E, "a call does not fit the function", "Arguments have the types of the parameters, the result that of the function."),
    Rule("spirv.call-pointer", E, "a pointer may not be passed or returned", "In logical addressing, calls pass pointers to variables and parameters, of some storage classes."),
    # memory
    Rule("spirv.pointer", E, "an operand is not a pointer", "Memory is accessed through pointers; in logical addressing they come from variables, access chains and parameters, with VariablePointers also from selections, phis, calls and loads."),
    Rule("spirv.access-type", E, "the type of a memory access does not fit", "A load or store has the type that is pointed to; runtime arrays, images and samplers are not copied."),
    Rule("spirv.read-only", E, "a store to memory that is read-only", "Inputs, constants and uniform blocks are not written."),
    Rule("spirv.access", E, "memory operands do not fit", "Loads make memory visible, stores available, both for memory that is not private."),
    Rule("spirv.aligned", E, "the alignment does not fit", "Alignments are powers of two; physical storage has one, at least the size of the largest scalar."),
    Rule("spirv.chain", E, "an access chain does not fit the type", "Each index is an integer and goes one level down; those of structures are constants; the result points to what is reached, in the storage class of the base."),
    Rule("spirv.array-query", E, "the length of something else than a runtime array", "OpArrayLength is for the last member of a structure, which is a runtime array."),
    Rule("spirv.storage-model", E, "the stage does not have this storage class", "Some storage classes are for some execution models only."),
    Rule("spirv.atomic", E, "the types of an atomic operation do not fit", "The pointer points to the type of the value: an integer, or a float where the operation and a capability allow it."),
    Rule("spirv.atomic-storage", E, "atomic operations are not for this storage class", "Each API has its storage classes for atomic operations."),
    Rule("spirv.stage", E, "the instruction is not for this stage", "Some instructions are for some execution models only."),
    Rule("spirv.conversion", E, "a conversion or cast does not fit", "Pointers convert to unsigned integers and back, with physical addresses; casts keep the number of bits, and Generic is one side of casts to and from it."),
    # constants and composites
    Rule("spirv.constant-type", E, "a constant cannot have this type", "Each kind of constant has its types: bool, numbers, composites, samplers, or types with a null value."),
    Rule("spirv.literal", E, "a literal has bits above its width", "Literals narrower than a word are extended by zeros, signed integers by their sign."),
    Rule("spirv.constituent", E, "a constituent of a constant does not fit", "Constituents are constants of the types of the parts, one for each part."),
    Rule("spirv.spec-operation", E, "the operation is not one of specialisation constants", "OpSpecConstantOp has some operations on constants, some of them for kernels only."),
    Rule("spirv.composite", E, "a composite, its parts or its indices do not fit", "Parts have the types of members or components, indices are below their number, results have the type that is reached."),
    # images
    Rule("spirv.image-type", E, "the operands of an image type do not fit", "Each dimension, environment and use has its texels, formats and kinds of access."),
    Rule("spirv.image", E, "the operands of an image instruction do not fit", "Images, texels and coordinates have the types that the instruction and the type of the image have."),
    Rule("spirv.image-operands", E, "image operands do not fit", "Levels, gradients, offsets and samples are for some instructions and images, and exclude each other."),
    Rule("spirv.sampled-image", E, "a combined image and sampler is used elsewhere", "The result of OpSampledImage is used by image instructions of its own block."),
    # control flow
    Rule("spirv.branch", E, "the operands of a branch do not fit", "Targets are labels of the function, conditions are bool, selectors are integers."),
    Rule("spirv.first-block", E, "a branch to the first block", "Nothing branches to the first block of a function."),
    Rule("spirv.merge", E, "the operands of a merge do not fit", "Merge block, continue target and header are different blocks, and loop controls do not contradict each other."),
    Rule("spirv.structure", E, "control flow is not structured", "Headers dominate their merge blocks and continue targets; back edges go to loop headers, one to each; branches of two ways have a merge or leave a construct."),
    Rule("spirv.dominance", E, "a definition does not dominate its use", "The block of a definition is on every way to its uses."),
    Rule("spirv.phi", E, "the operands of a phi do not fit", "A phi has a value of its type for each predecessor of its block."),
    Rule("spirv.return", E, "a return does not fit the function", "A function returns a value of its result type, or nothing."),
    # decorations
    Rule("spirv.decoration-target", E, "the decoration is not for this target", "Each decoration is for structures, members, variables, or other results."),
    Rule("spirv.decoration-storage", E, "the decoration is not for this storage class", "Vulkan has locations and interpolation for inputs and outputs, bindings for resources."),
    Rule("spirv.decoration-ids", E, "the decoration has the other kind of operands", "OpDecorateId is for decorations whose operands are ids, OpDecorate for all others."),
    Rule("spirv.decoration-twice", E, "decorations are repeated or exclude each other", "A location, an offset or a built-in is stated once."),
    Rule("spirv.decoration-group", E, "a decoration group is not used as one", "Groups are for OpGroupDecorate and OpGroupMemberDecorate, and do not nest."),
    Rule("spirv.block", E, "a buffer is not a block", "Structures of uniform, storage and push constant variables are decorated with Block."),
    Rule("spirv.debug-target", E, "a name or line of something else", "Members are named in structures, files are strings."),
    Rule("spirv.ray", E, "the operands of ray tracing do not fit", "Queries are pointers to ray queries, payloads variables of their storage classes."),
    # interfaces and layouts
    Rule("spirv.interface", E, "the interface of an entry point does not fit", "An entry point lists the inputs and outputs that it uses, since version 1.4 all variables of the module, each once."),
    Rule("spirv.interface-type", E, "an input or output of this type", "Pointers, and floats of other encodings than IEEE 754, do not pass from stage to stage."),
    Rule("spirv.location", E, "locations are missing or overlap", "Each input and output of Vulkan that is not a built-in has locations of its own."),
    Rule("spirv.block-layout", E, "the layout of a block does not fit", "Members have offsets, arrays and matrices strides, all aligned as the storage class demands, without overlap."),
    # sets of extended instructions
    Rule("spirv.reflection-set", E, "an operand of NonSemantic.ClspvReflection does not fit", "Operands are constants of 32-bit uint, strings, or results of Kernel and ArgumentInfo, as their names say; the version of the set has the instruction."),
    Rule("spirv.debug-info", E, "an operand of debug information does not fit", "Operands are results of the debug instructions, strings or constants that their names say; lines and columns are in the text of the source."),
))  # fmt: skip
