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


_ALL = "ps vs gs hs ds cs"
# fmt: off
REGISTERS: dict[int, Register] = {
    T.TEMP:                               Register("rw",   (1,),    (1,),    (),       _ALL),
    T.INPUT:                              Register("rv",   (1, 2),  (1, 2),  (0, 1),   "ps vs gs hs"),
    T.OUTPUT:                             Register("w",    (1,),    (1,),    (0,),     "ps vs gs hs ds"),
    T.INDEXABLE_TEMP:                     Register("rw",   (2,),    (2,),    (0,),     _ALL),
    T.IMMEDIATE32:                        Register("r",    (0,),    (0,),    (),       _ALL),
    T.IMMEDIATE64:                        Register("r",    (0,),    (0,),    (),       _ALL),
    T.SAMPLER:                            Register("S",    (1,),    (2,),    (0,),     _ALL),
    T.RESOURCE:                           Register("TR",   (1,),    (2,),    (0,),     _ALL),
    T.CONSTANT_BUFFER:                    Register("r",    (2,),    (3,),    (0, 1),   _ALL),
    T.IMMEDIATE_CONSTANT_BUFFER:          Register("r",    (1,),    (1,),    (0,),     _ALL),
    T.LABEL:                              Register("L",    (1,),    (1,),    (),       _ALL),
    T.INPUT_PRIMITIVEID:                  Register("r",    (0,),    (0,),    (),       "gs hs ds ps"),
    T.OUTPUT_DEPTH:                       Register("w",    (0,),    (0,),    (),       "ps"),
    T.NULL:                               Register("w",    (0,),    (0,),    (),       _ALL),
    T.RASTERIZER:                         Register("",     (0,),    (0,),    (),       "ps"),
    T.OUTPUT_COVERAGE_MASK:               Register("w",    (0,),    (0,),    (),       "ps"),
    T.STREAM:                             Register("M",    (1,),    (1,),    (),       "gs"),
    T.FUNCTION_BODY:                      Register("L",    (1,),    (1,),    (),       _ALL),
    T.INTERFACE:                          Register("P",    (2,),    (2,),    (0,),     _ALL),
    T.OUTPUT_CONTROL_POINT_ID:            Register("r",    (0,),    (0,),    (),       "hs"),
    T.INPUT_FORK_INSTANCE_ID:             Register("r",    (0,),    (0,),    (),       "hs"),
    T.INPUT_JOIN_INSTANCE_ID:             Register("r",    (0,),    (0,),    (),       "hs"),
    T.INPUT_CONTROL_POINT:                Register("r",    (2,),    (2,),    (0, 1),   "hs ds"),
    T.OUTPUT_CONTROL_POINT:               Register("r",    (2,),    (2,),    (0, 1),   "hs"),
    T.INPUT_PATCH_CONSTANT:               Register("r",    (1,),    (1,),    (0,),     "hs ds"),
    T.INPUT_DOMAIN_POINT:                 Register("r",    (0,),    (0,),    (),       "ds"),
    T.THIS_POINTER:                       Register("r",    (1, 2),  (1, 2),  (0, 1),   _ALL),
    T.UNORDERED_ACCESS_VIEW:              Register("UWR",  (1,),    (2,),    (0,),     _ALL),
    T.THREAD_GROUP_SHARED_MEMORY:         Register("WRG",  (1,),    (1,),    (),       "cs"),
    T.INPUT_THREAD_ID:                    Register("r",    (0,),    (0,),    (),       "cs"),
    T.INPUT_THREAD_GROUP_ID:              Register("r",    (0,),    (0,),    (),       "cs"),
    T.INPUT_THREAD_ID_IN_GROUP:           Register("r",    (0,),    (0,),    (),       "cs"),
    T.INPUT_COVERAGE_MASK:                Register("r",    (0,),    (0,),    (),       "ps"),
    T.INPUT_THREAD_ID_IN_GROUP_FLATTENED: Register("r",    (0,),    (0,),    (),       "cs"),
    T.INPUT_GS_INSTANCE_ID:               Register("r",    (0,),    (0,),    (),       "gs"),
    T.OUTPUT_DEPTH_GREATER_EQUAL:         Register("w",    (0,),    (0,),    (),       "ps"),
    T.OUTPUT_DEPTH_LESS_EQUAL:            Register("w",    (0,),    (0,),    (),       "ps"),
    T.CYCLE_COUNTER:                      Register("r",    (0,),    (0,),    (),       _ALL),
    T.OUTPUT_STENCIL_REF:                 Register("w",    (0,),    (0,),    (),       "ps"),
    T.INNER_COVERAGE:                     Register("r",    (0,),    (0,),    (),       "ps"),
}
# fmt: on
STAGE_SETS = {
    each.stages: frozenset(STAGES[s] for s in each.stages.split()) for each in REGISTERS.values()
}
