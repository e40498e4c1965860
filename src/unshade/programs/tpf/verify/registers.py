"""Register files: their uses, their indices, and the stages that provide them.

    T.CONSTANT_BUFFER   a source, cb0[4]: two indices (three from 5.1 on: range, register, row), of
                        which the last two may be relative, in all stages

Source: the public documentation of the HLSL assembly registers; the programs of the corpus.
"""

# ruff: noqa: E501
from ....tuples import NamedTuple
from ..tables.enumerations import OperandType
from ..tables.ops import STAGES

T = OperandType


class RegisterTraits(NamedTuple):
    """A register file: the properties that do not depend on the operation."""

    uses: str  # "r": source, "w": destination; else operand letters of the table of operations
    indices: tuple[int, ...]  # the numbers of indices that it may have
    ranged: tuple[int, ...]  # the same from Shader Model 5.1 on
    relative: tuple[int, ...]  # the indices that may be relative; 0 is the last
    stages: str
    doc: str


_ALL = "ps vs gs hs ds cs"
# fmt: off
REGISTERS: dict[int, RegisterTraits] = {
    T.TEMP:                               RegisterTraits("rw",   (1,),    (1,),    (),       _ALL, "temporary"),
    T.INPUT:                              RegisterTraits("rv",   (1, 2),  (1, 2),  (0, 1),   "ps vs gs hs", "input; in geometry and hull shaders the vertex comes first"),
    T.OUTPUT:                             RegisterTraits("w",    (1,),    (1,),    (0,),     "ps vs gs hs ds", "output"),
    T.INDEXABLE_TEMP:                     RegisterTraits("rw",   (2,),    (2,),    (0,),     _ALL, "array of temporaries: array, element"),
    T.IMMEDIATE32:                        RegisterTraits("r",    (0,),    (0,),    (),       _ALL, "one or four dwords after the operand"),
    T.IMMEDIATE64:                        RegisterTraits("r",    (0,),    (0,),    (),       _ALL, "one or two doubles after the operand"),
    T.SAMPLER:                            RegisterTraits("S",    (1,),    (2,),    (0,),     _ALL, "sampler"),
    T.RESOURCE:                           RegisterTraits("TR",   (1,),    (2,),    (0,),     _ALL, "texture or buffer, read only"),
    T.CONSTANT_BUFFER:                    RegisterTraits("r",    (2,),    (3,),    (0, 1),   _ALL, "constant buffer: buffer, row"),
    T.IMMEDIATE_CONSTANT_BUFFER:          RegisterTraits("r",    (1,),    (1,),    (0,),     _ALL, "row of the immediate constant buffer"),
    T.LABEL:                              RegisterTraits("L",    (1,),    (1,),    (),       _ALL, "subroutine"),
    T.INPUT_PRIMITIVEID:                  RegisterTraits("r",    (0,),    (0,),    (),       "gs hs ds ps", "primitive number"),
    T.OUTPUT_DEPTH:                       RegisterTraits("w",    (0,),    (0,),    (),       "ps", "depth"),
    T.NULL:                               RegisterTraits("w",    (0,),    (0,),    (),       _ALL, "discarded result"),
    T.RASTERIZER:                         RegisterTraits("",     (0,),    (0,),    (),       "ps", "render target, for queries about its samples"),
    T.OUTPUT_COVERAGE_MASK:               RegisterTraits("w",    (0,),    (0,),    (),       "ps", "mask of the samples to write"),
    T.STREAM:                             RegisterTraits("M",    (1,),    (1,),    (),       "gs", "stream of a geometry shader"),
    T.FUNCTION_BODY:                      RegisterTraits("L",    (1,),    (1,),    (),       _ALL, "function"),
    T.INTERFACE:                          RegisterTraits("P",    (2,),    (2,),    (0,),     _ALL, "interface: number, element"),
    T.OUTPUT_CONTROL_POINT_ID:            RegisterTraits("r",    (0,),    (0,),    (),       "hs", "control point number"),
    T.INPUT_FORK_INSTANCE_ID:             RegisterTraits("r",    (0,),    (0,),    (),       "hs", "instance number of a fork phase"),
    T.INPUT_JOIN_INSTANCE_ID:             RegisterTraits("r",    (0,),    (0,),    (),       "hs", "instance number of a join phase"),
    T.INPUT_CONTROL_POINT:                RegisterTraits("r",    (2,),    (2,),    (0, 1),   "hs ds", "input control point: point, register"),
    T.OUTPUT_CONTROL_POINT:               RegisterTraits("r",    (2,),    (2,),    (0, 1),   "hs", "output control point, read back: point, register"),
    T.INPUT_PATCH_CONSTANT:               RegisterTraits("r",    (1,),    (1,),    (0,),     "hs ds", "patch constant"),
    T.INPUT_DOMAIN_POINT:                 RegisterTraits("r",    (0,),    (0,),    (),       "ds", "location in the patch"),
    T.THIS_POINTER:                       RegisterTraits("r",    (1, 2),  (1, 2),  (0, 1),   _ALL, "data of the called class instance"),
    T.UNORDERED_ACCESS_VIEW:              RegisterTraits("UWR",  (1,),    (2,),    (0,),     _ALL, "texture or buffer, read and written"),
    T.THREAD_GROUP_SHARED_MEMORY:         RegisterTraits("WRG",  (1,),    (1,),    (),       "cs", "thread group shared memory"),
    T.INPUT_THREAD_ID:                    RegisterTraits("r",    (0,),    (0,),    (),       "cs", "thread number in the dispatch"),
    T.INPUT_THREAD_GROUP_ID:              RegisterTraits("r",    (0,),    (0,),    (),       "cs", "thread group number"),
    T.INPUT_THREAD_ID_IN_GROUP:           RegisterTraits("r",    (0,),    (0,),    (),       "cs", "thread number in its group"),
    T.INPUT_COVERAGE_MASK:                RegisterTraits("r",    (0,),    (0,),    (),       "ps", "mask of the covered samples"),
    T.INPUT_THREAD_ID_IN_GROUP_FLATTENED: RegisterTraits("r",    (0,),    (0,),    (),       "cs", "thread number in its group, flattened to one number"),
    T.INPUT_GS_INSTANCE_ID:               RegisterTraits("r",    (0,),    (0,),    (),       "gs", "instance number of the geometry shader"),
    T.OUTPUT_DEPTH_GREATER_EQUAL:         RegisterTraits("w",    (0,),    (0,),    (),       "ps", "depth, at least the interpolated depth"),
    T.OUTPUT_DEPTH_LESS_EQUAL:            RegisterTraits("w",    (0,),    (0,),    (),       "ps", "depth, at most the interpolated depth"),
    T.CYCLE_COUNTER:                      RegisterTraits("r",    (0,),    (0,),    (),       _ALL, "clock, for debugging"),
    T.OUTPUT_STENCIL_REF:                 RegisterTraits("w",    (0,),    (0,),    (),       "ps", "stencil reference"),
    T.INNER_COVERAGE:                     RegisterTraits("r",    (0,),    (0,),    (),       "ps", "bit 0: the pixel is fully covered"),
}
# fmt: on
STAGE_SETS = {
    each.stages: frozenset(STAGES[s] for s in each.stages.split()) for each in REGISTERS.values()
}

# ---------------------------------------------------------------- sets of registers

# Sets of input and output registers are integers with five bits for each register: its components,
# and one that is set for the register itself. Registers with a vertex index have bits of their own.
PORTS = (
    T.INPUT, T.OUTPUT, T.INPUT_CONTROL_POINT, T.OUTPUT_CONTROL_POINT, T.INPUT_PATCH_CONSTANT,
)  # fmt: skip
MAX_PORTS = 32
WIDTH = 5
ITSELF = 16
FILE = WIDTH * MAX_PORTS
OF_VERTICES = FILE * len(PORTS)  # the distance of these bits
FIRST_BIT: dict[int, int] = {kind: FILE * at for at, kind in enumerate(PORTS)}
SINGLES = [kind for kind, each in REGISTERS.items() if each.indices == (0,)]  # without a number
FIRST_BIT |= {kind: 2 * OF_VERTICES + WIDTH * at for at, kind in enumerate(SINGLES)}


def register_bits(kind: int, number: int, mask: int) -> int:
    """Return the set of some components of an input or output; 0 if not representable.

    `number` is negative for a register without a number.
    """
    first = FIRST_BIT.get(kind)
    if first is None or number >= MAX_PORTS:
        return 0
    return (mask & 15 | ITSELF) << first + WIDTH * max(number, 0)


def with_vertices(registers: int, kind: int) -> int:
    """Return the set in which the registers of a file have a vertex index."""
    moved = registers & ((1 << FILE) - 1) << FIRST_BIT[kind]
    return registers ^ moved | moved << OF_VERTICES
