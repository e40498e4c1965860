"""The register files: what each may be used for, how it is indexed, and which stages have it.

    T.CONSTANT_BUFFER   a source, cb0[4]: two indices (three from 5.1 on: range, register, row), of
                        which the last two may be calculated, in all stages

Source: the public documentation of the HLSL assembly registers; the programs that were read.
"""

# ruff: noqa: E501
from typing import NamedTuple

from ..tables.enumerations import OperandType
from ..tables.ops import STAGES

T = OperandType


class Register(NamedTuple):
    """What is true of a register file wherever it stands."""

    uses: str  # "r" is a source, "w" is a destination, else the letters of the table
    indices: tuple[int, ...]  # how many indices it may have
    ranged: tuple[int, ...]  # how many from Shader Model 5.1 on
    relative: tuple[int, ...]  # which of them may be calculated; counted from the last
    stages: str
    doc: str


_ALL = "ps vs gs hs ds cs"
# fmt: off
REGISTERS: dict[int, Register] = {
    T.TEMP:                               Register("rw",   (1,),    (1,),    (),       _ALL, "temporary"),
    T.INPUT:                              Register("rv",   (1, 2),  (1, 2),  (0, 1),   "ps vs gs hs", "input; of a geometry or hull shader the vertex comes first"),
    T.OUTPUT:                             Register("w",    (1,),    (1,),    (0,),     "ps vs gs hs ds", "output"),
    T.INDEXABLE_TEMP:                     Register("rw",   (2,),    (2,),    (0,),     _ALL, "array of temporaries: array, element"),
    T.IMMEDIATE32:                        Register("r",    (0,),    (0,),    (),       _ALL, "one or four dwords behind the operand"),
    T.IMMEDIATE64:                        Register("r",    (0,),    (0,),    (),       _ALL, "one or two doubles behind the operand"),
    T.SAMPLER:                            Register("S",    (1,),    (2,),    (0,),     _ALL, "sampler"),
    T.RESOURCE:                           Register("TR",   (1,),    (2,),    (0,),     _ALL, "texture or buffer that is read"),
    T.CONSTANT_BUFFER:                    Register("r",    (2,),    (3,),    (0, 1),   _ALL, "constant buffer: buffer, row"),
    T.IMMEDIATE_CONSTANT_BUFFER:          Register("r",    (1,),    (1,),    (0,),     _ALL, "row of the table of constants in the program"),
    T.LABEL:                              Register("L",    (1,),    (1,),    (),       _ALL, "subroutine"),
    T.INPUT_PRIMITIVEID:                  Register("r",    (0,),    (0,),    (),       "gs hs ds ps", "number of the primitive"),
    T.OUTPUT_DEPTH:                       Register("w",    (0,),    (0,),    (),       "ps", "depth"),
    T.NULL:                               Register("w",    (0,),    (0,),    (),       _ALL, "a result that is dropped"),
    T.RASTERIZER:                         Register("",     (0,),    (0,),    (),       "ps", "the render target, for questions about its samples"),
    T.OUTPUT_COVERAGE_MASK:               Register("w",    (0,),    (0,),    (),       "ps", "samples that are written"),
    T.STREAM:                             Register("M",    (1,),    (1,),    (),       "gs", "stream of a geometry shader"),
    T.FUNCTION_BODY:                      Register("L",    (1,),    (1,),    (),       _ALL, "function"),
    T.INTERFACE:                          Register("P",    (2,),    (2,),    (0,),     _ALL, "interface: number, element"),
    T.OUTPUT_CONTROL_POINT_ID:            Register("r",    (0,),    (0,),    (),       "hs", "number of the control point"),
    T.INPUT_FORK_INSTANCE_ID:             Register("r",    (0,),    (0,),    (),       "hs", "number of the run of a fork phase"),
    T.INPUT_JOIN_INSTANCE_ID:             Register("r",    (0,),    (0,),    (),       "hs", "number of the run of a join phase"),
    T.INPUT_CONTROL_POINT:                Register("r",    (2,),    (2,),    (0, 1),   "hs ds", "input control point: point, register"),
    T.OUTPUT_CONTROL_POINT:               Register("r",    (2,),    (2,),    (0, 1),   "hs", "output control point, read again: point, register"),
    T.INPUT_PATCH_CONSTANT:               Register("r",    (1,),    (1,),    (0,),     "hs ds", "patch constant"),
    T.INPUT_DOMAIN_POINT:                 Register("r",    (0,),    (0,),    (),       "ds", "place in the patch"),
    T.THIS_POINTER:                       Register("r",    (1, 2),  (1, 2),  (0, 1),   _ALL, "data of the class instance that is called"),
    T.UNORDERED_ACCESS_VIEW:              Register("UWR",  (1,),    (2,),    (0,),     _ALL, "texture or buffer that is written"),
    T.THREAD_GROUP_SHARED_MEMORY:         Register("WRG",  (1,),    (1,),    (),       "cs", "memory that a group shares"),
    T.INPUT_THREAD_ID:                    Register("r",    (0,),    (0,),    (),       "cs", "number of the thread in the dispatch"),
    T.INPUT_THREAD_GROUP_ID:              Register("r",    (0,),    (0,),    (),       "cs", "number of the group"),
    T.INPUT_THREAD_ID_IN_GROUP:           Register("r",    (0,),    (0,),    (),       "cs", "number of the thread in its group"),
    T.INPUT_COVERAGE_MASK:                Register("r",    (0,),    (0,),    (),       "ps", "samples that are covered"),
    T.INPUT_THREAD_ID_IN_GROUP_FLATTENED: Register("r",    (0,),    (0,),    (),       "cs", "the same as one number"),
    T.INPUT_GS_INSTANCE_ID:               Register("r",    (0,),    (0,),    (),       "gs", "number of the instance"),
    T.OUTPUT_DEPTH_GREATER_EQUAL:         Register("w",    (0,),    (0,),    (),       "ps", "depth, at least the interpolated one"),
    T.OUTPUT_DEPTH_LESS_EQUAL:            Register("w",    (0,),    (0,),    (),       "ps", "depth, at most the interpolated one"),
    T.CYCLE_COUNTER:                      Register("r",    (0,),    (0,),    (),       _ALL, "clock, for debugging"),
    T.OUTPUT_STENCIL_REF:                 Register("w",    (0,),    (0,),    (),       "ps", "stencil reference"),
    T.INNER_COVERAGE:                     Register("r",    (0,),    (0,),    (),       "ps", "bit 0: the pixel is covered whole"),
}
# fmt: on
STAGE_SETS = {
    each.stages: frozenset(STAGES[s] for s in each.stages.split()) for each in REGISTERS.values()
}
