"""Types of blocks, also of modules that are not valid."""

from tests.programs.spirv.modules import CAPABILITY, MEMORY_MODEL, module, op, words_of
from unshade.programs.spirv import Module, Program

UNIFORM, MATRIX, BLOCK, POINTER, VARIABLE, MAIN = 2, 3, 4, 5, 6, 7


def test_a_matrix_of_itself_has_an_end() -> None:
    code = (
        *CAPABILITY, *MEMORY_MODEL,
        *op(15, 0, MAIN, *words_of("main"), VARIABLE),
        *op(71, BLOCK, 2),  # Block
        *op(71, VARIABLE, 34, 0), *op(71, VARIABLE, 33, 0),
        *op(24, MATRIX, MATRIX, 4),
        *op(30, BLOCK, MATRIX),
        *op(32, POINTER, UNIFORM, BLOCK),
        *op(59, POINTER, VARIABLE, UNIFORM),
        *op(19, 8), *op(33, 9, 8),
        *op(54, 8, MAIN, 0, 9), *op(248, 10), *op(253), *op(56),
    )  # fmt: skip
    program = Program(Module.loads(module(*code)))
    (buffer,) = program.facts().constant_buffers
    (member,) = buffer.variables
    assert (member.type.type_class, member.type.scalar) == ("matrix_columns", "unknown")
