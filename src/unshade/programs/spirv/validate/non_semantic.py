"""Sets without semantics: DebugPrintf, DebugBreak and the descriptions of graphs and dispatches.

    %format = OpString "%d of %d"
    %p = OpExtInst %void %set DebugPrintf %format %i %n

Debug information and NonSemantic.ClspvReflection are checked in separate modules.

Source: the specifications of the sets in the SPIR-V registry.
"""

from ....vocab.printf import PrintArgument, conversions, mismatch
from ..context import string_of
from ..tables.numbers import Opcode
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

SETS = (
    "NonSemantic.DebugPrintf", "NonSemantic.DebugBreak", "NonSemantic.Graph.DebugInfo",
    "NonSemantic.VkspReflection",
)  # fmt: skip
STRINGS = {
    "DebugPrintf": ("Format",), "DebugGraph": ("Name",), "DebugOperation": ("Name",),
    "DebugTensor": ("Name",), "StartCounter": ("name",),
    "Configuration": ("enabledExtensionNames", "shaderName", "EntryPoint"),
}  # fmt: skip


@CHECKS.on(Opcode.ExtInst)
def check_non_semantic(state: State, inst: Inst) -> None:
    """Check the result type and the operands of an instruction."""
    if not inst.set.startswith(SETS) or len(inst.operands) < 2:
        return
    op = inst.operands[1].op
    if op is None:
        return
    if state.types.code(inst.type) != Opcode.TypeVoid:
        state.report("spirv.non-semantic", inst, "expected the result type void")
    strings = STRINGS.get(op.name, ())
    for operand in inst.operands[2:]:
        if operand.name in strings and state.code(operand.words[0]) != Opcode.String:
            state.report("spirv.non-semantic", inst, f"{operand.name}: expected a string")
    if op.name == "DebugPrintf":
        _check_format(state, inst)


def _check_format(state: State, inst: Inst) -> None:
    """Check that there is an argument for each conversion of a format; more are ignored.

    A conversion must be known, and fit its argument.
    """
    found = state.definitions.get(inst.word(2))
    if found is None or found.code != Opcode.String:
        return
    wanted = conversions(string_of(found.words[2:])[0])
    given = [_argument(state, each.words[0]) for each in inst.operands[3:]]
    if len(given) < len(wanted):
        message = f"expected an argument for each of {len(wanted)} conversions, got {len(given)}"
        state.report("spirv.printf-arguments", inst, message)
    for at, each in enumerate(wanted):
        problem = mismatch(each, given[at]) if at < len(given) else each.problem
        if problem:
            state.report("spirv.printf-format", inst, f"{each.text}: {problem}")


def _argument(state: State, number: int) -> PrintArgument:
    """Return the type of an argument; without a kind if it is not a scalar or a vector."""
    found = state.types.numeric(state.type_of(number))
    if found is None or found.form not in "sv":
        return PrintArgument("")
    if found.base == "int":
        return PrintArgument("int" if found.signed else "uint", found.width, found.size)
    return PrintArgument(found.base, found.width, found.size)
