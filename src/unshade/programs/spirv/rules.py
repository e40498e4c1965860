"""The rules of `verify` for SPIR-V modules."""
# ruff: noqa: E501

from ...errors import Severity
from ...rule import Rule, table

__all__ = ["RULES"]

E, W = Severity.ERROR, Severity.WARNING

RULES = table((
    Rule("spirv.version", W, "the version is not known", "Versions 1.0 to 1.6 are published. A consumer rejects a newer version than its own."),
    Rule("spirv.schema", W, "the schema is not 0", "Word 4 of the header is reserved and must be 0."),
    Rule("spirv.bound", E, "an id is not below the bound", "All ids are at least 1 and less than the bound in word 3 of the header; consumers size their tables by it."),
    Rule("spirv.id-zero", E, "an id is 0", "Ids are at least 1."),
    Rule("spirv.defined-twice", E, "an id is defined twice", "Each id is the result of one instruction."),
    Rule("spirv.undefined", E, "an id is not defined", "Each id that an instruction refers to is the result of an instruction."),
    Rule("spirv.unknown-opcode", E, "the opcode is unknown", "No version or extension in the grammar has this opcode; its operands cannot be read."),
    Rule("spirv.operands", E, "operands do not follow the grammar", "An operand is missing or left over, or an enumerant is unknown."),
    Rule("spirv.truncated", E, "the last instruction is incomplete", "Its word count is more than the words that are left: the file is cut off, or the count is wrong."),
    Rule("spirv.trailing", W, "bytes follow the module", "They do not begin an instruction; consumers refuse a module of such a size."),
))  # fmt: skip
