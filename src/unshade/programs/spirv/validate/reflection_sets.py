"""NonSemantic.ClspvReflection: operands by the names that its grammar gives them.

Source: the set's specification and grammar in SPIRV-Headers.
"""

from ..tables.numbers import Opcode
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

PREFIX = "NonSemantic.ClspvReflection."
NEWEST = 7
KERNEL, ARGUMENT_INFO = 1, 2
KERNELS = ("Kernel", "Decl")
STRINGS = (
    "Name", "Type Name", "Data", "Attributes", "FormatString",
)  # fmt: skip
FREE = ("Variable",)
# The version that brought an instruction, for those that are not of version 1.
SINCE = {
    **dict.fromkeys((24, 25), 2),
    **dict.fromkeys(range(26, 34), 3),
    **dict.fromkeys((34, 35), 4),
    **dict.fromkeys(range(36, 41), 5),
}
SINCE[24] = 1


@CHECKS.on(Opcode.ExtInstImport)
def check_import(state: State, inst: Inst) -> None:
    """Check the version in the name of the set."""
    name = state.index.imports.get(inst.id, "")
    if not name.startswith(PREFIX.removesuffix(".")):
        return
    version = name.removeprefix(PREFIX)
    if not version.isdecimal() or not 1 <= int(version) <= NEWEST:
        state.report("spirv.reflection-set", inst, f"expected a version from 1 to {NEWEST}")


@CHECKS.on(Opcode.ExtInst)
def check_reflection(state: State, inst: Inst) -> None:
    """Check the operands of an instruction."""
    if not inst.set.startswith(PREFIX) or len(inst.operands) < 2:
        return
    op = inst.operands[1].op
    version = inst.set.removeprefix(PREFIX)
    if op is None or not version.isdecimal():
        return
    since = SINCE.get(op.code, 1)
    if since > int(version):
        message = f"{op.name} needs version {since} of the set"
        state.report("spirv.reflection-set", inst, message)
    if state.types.code(inst.type) != Opcode.TypeVoid:
        state.report("spirv.reflection-set", inst, "expected the result type void")
    if op.code == KERNEL and len(inst.operands) > 4 and int(version) < 5:
        state.report("spirv.reflection-set", inst, "expected two operands before version 5")
    for operand in inst.operands[2:]:
        _check_operand(state, inst, op.code, operand.name, operand.words[0])


def _check_operand(state: State, inst: Inst, code: int, name: str, id_: int) -> None:
    found = state.definitions.get(id_)
    if found is None or name in FREE or not name:
        return
    if name in KERNELS and code == KERNEL:
        if found.code != Opcode.Function:
            state.report("spirv.reflection-set", inst, f"{name}: expected a function")
        elif not any(each.function == id_ for each in state.entries):
            state.report("spirv.reflection-set", inst, f"{name}: expected an entry point")
    elif name in KERNELS:
        _check_of(state, inst, name, found, KERNEL)
    elif name == "ArgInfo":
        _check_of(state, inst, name, found, ARGUMENT_INFO)
    elif name in STRINGS:
        if found.code != Opcode.String:
            state.report("spirv.reflection-set", inst, f"{name}: expected a string")
    elif found.code != Opcode.Constant or not state.types.fits(found.type, "uint32 s"):
        message = f"{name}: expected a constant of 32-bit uint"
        state.report("spirv.reflection-set", inst, message)


def _check_of(state: State, inst: Inst, name: str, found: Inst, number: int) -> None:
    if not found.set.startswith(PREFIX) or found.word(1) != number:
        wanted = "Kernel" if number == KERNEL else "ArgumentInfo"
        state.report("spirv.reflection-set", inst, f"{name}: expected the result of {wanted}")
    elif found.word(0) != inst.word(0):
        state.report("spirv.reflection-set", inst, f"{name}: expected it of the same import")
