"""The rules of `verify` for DXIL programs."""
# ruff: noqa: E501

from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES"]

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES = table((
    Rule("dxil.size", W, "the size in the header is wrong", "The second word of the program counts its dwords, header included."),
    Rule("dxil.outside", W, "bytes belong to neither header nor bitcode", "The bitcode begins after the header of 24 bytes and ends with the program; compilers leave no gap."),
    Rule("dxil.bitcode", E, "the bitcode cannot be read", "The bits are not a bitstream of LLVM: blocks, records and abbreviations."),
    Rule("dxil.irregular", W, "the bitcode has bits that LLVM does not write", "The length of a block is wrong, padding is not zero, or a number takes more chunks than it needs."),
    Rule("dxil.module", E, "the records are no module of LLVM 3.7", "A record is missing, has too few or too many operands, or refers to what does not exist. Drivers read DXIL with LLVM 3.7."),
    Rule("dxil.metadata", E, "metadata is missing or malformed", "`dx.version`, `dx.shaderModel` and `dx.entryPoints` are required, and all `dx.` metadata has a fixed structure."),
    Rule("dxil.version", E, "header and metadata state different versions", "Shader model and stage are in the version token and in `dx.shaderModel`, the version of DXIL in the header and in `dx.version`."),
    Rule("dxil.entry", E, "an entry point has no function", "Except for the first entry of a library, an entry point names a function of the module."),
    Rule("dxil.operation", E, "a call of a dx.op function is not one of DXIL", "The first argument is the number of the operation, which must belong to the function and take so many arguments, of these types."),
    Rule("dxil.immediate", E, "an operand of an operation has a value that it may not have", "Components, kinds of operations, masks, offsets of texels and flags of barriers are constants, each in its range."),
    Rule("dxil.undefined", E, "an operation on something that is undefined", "Handles of resources, nodes and records, ray queries, hit objects and hints for reordering must be defined, handles also not zero."),
    Rule("dxil.newer", E, "an operation needs a newer shader model", "Each operation has a least shader model; older runtimes do not know it."),
    Rule("dxil.stage", E, "an operation that shaders of the stage do not have", "Operations, barriers and derivatives belong to stages, in nodes also to ways of launching; a function is checked for each entry point that calls it."),
    Rule("dxil.type", E, "an operand has a wrong type", "LLVM's rules of types: both operands of arithmetic have the same type, arguments have the types of the parameters, and so on."),
    Rule("dxil.dominance", E, "a value is used before it is defined", "On every way to an instruction, the instructions that define its operands must come first."),
    Rule("dxil.phi", E, "a phi does not match the blocks before its own", "A phi has one value for each block that branches to its block."),
    Rule("dxil.layout", E, "instructions of a block are out of order", "Phis begin a block, one branch or return ends it, and nothing branches to the first block."),
    Rule("dxil.range", E, "resources overlap", "Two resources of a class have a register in common."),
    Rule("dxil.threads", E, "invalid size of a thread group", "x and y are at most 1024, z at most 64, and all threads at most 1024; in mesh and amplification shaders a group has at most 128 threads."),
    Rule("dxil.shared", E, "too much memory that a thread group shares", "At most 32 KiB, in mesh shaders 28 KiB or what the shader states as its limit; stages without thread groups have none."),
    Rule("dxil.waves", E, "invalid size of waves", "A size is a power of two from 4 to 128; of a range, the least is below the most, and what is preferred lies between. Only compute shaders and nodes state one: one size with shader model 6.6 and 6.7, a range since 6.8."),
    Rule("dxil.resource", E, "a handle of a register that no resource has", "Class, range and register must match a resource in the metadata of the entry point, as far as they are constants."),
    Rule("dxil.resource-kind", E, "an operation on a resource of another class or shape", "Textures are sampled, raw and structured buffers loaded by bytes; stores, atomics and counters need a resource that is written, comparisons a sampler that compares."),
    Rule("dxil.element", E, "an operation on an element that the signature lacks", "Loads of inputs and stores of outputs name an element of the signature by its number, and a row and a column that it has."),
    Rule("dxil.signature", E, "elements of a signature overlap", "Two elements of a signature occupy the same component of a register."),
))  # fmt: skip
