"""Declarations and custom data as fxc prints them.

    dcl_resource_texture2d (float,float,float,float) t0
    dcl_input_ps_siv linear noperspective v0.xy, position
    dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                                  { 0, 1.000000, 0, 0} }

`DECLARATIONS` lists the pieces after each name, for both the printer and the assembler.

Source: listings of fxc; tables/spellings.py lists the spellings that occur in none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..tables.enumerations import CustomClass
from ..tables.ops import OPS
from ..tables.spellings import (
    CONSTANT_BUFFER_ACCESS,
    CONSTANT_TABLE,
    DOMAINS,
    ESCAPES,
    INTERPOLATIONS,
    MESSAGES,
    OUTPUT_PRIMITIVES,
    PARTITIONINGS,
    PRIMITIVES,
    TOPOLOGIES,
    UNDECIPHERABLE,
)
from ..tables.tokens import (
    ConstantBufferDcl,
    ControlPoints,
    CustomData,
    GsPrimitive,
    GsTopology,
    InputPs,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
    UavDcl,
)
from . import literals
from .operands import OperandTexts, precision_tag
from .pieces import (
    DYNAMIC,
    SHAPE,
    ChoicePiece,
    ConstantBufferPiece,
    ControlPiece,
    FactorPiece,
    FixedPiece,
    FlagsPiece,
    FunctionTablePiece,
    InterfacePiece,
    NumberPiece,
    Piece,
    RangePiece,
    RegisterPiece,
    ReturnTypesPiece,
    SamplerModePiece,
    SamplesPiece,
    SgvInterpolationPiece,
    SpacePiece,
    SuffixesPiece,
    SuffixPiece,
    SystemValuePiece,
)

if TYPE_CHECKING:
    from ..instruction import Instruction

Printer = Callable[[OperandTexts, "Instruction", str], str]

_ = FixedPiece(" ")
COMMA = FixedPiece(", ")
REGISTER = RegisterPiece()
RANGE = RangePiece()
SPACE_0, SPACE_1 = SpacePiece(0), SpacePiece(1)
TYPES = ReturnTypesPiece()
SYSTEM_VALUE = SystemValuePiece()
INTERPOLATION = ChoicePiece(InputPs.interpolation, INTERPOLATIONS, "interpolation")
COHERENT = SuffixPiece(UavDcl.globally_coherent, "_glc")
COUNTER = SuffixPiece(UavDcl.has_counter, "_opc")
ORDERED = SuffixPiece(UavDcl.rasterizer_ordered, "_rov")
VIEW_0, VIEW_1 = ((SuffixesPiece(COHERENT, COUNTER, ORDERED), at) for at in (SPACE_0, SPACE_1))
COUNT = NumberPiece(0, "a number")
STRIDE = NumberPiece(0, "the stride", ", ")
POINTS = ControlPiece(ControlPoints.count, "the number of control points")
ACCESS = ChoicePiece(ConstantBufferDcl.access, CONSTANT_BUFFER_ACCESS, "access")
TOPOLOGY = ChoicePiece(GsTopology.topology, TOPOLOGIES, "topology")
PRIMITIVE = ChoicePiece(GsPrimitive.primitive, PRIMITIVES, "primitive")
DOMAIN = ChoicePiece(TessDomain.domain, DOMAINS, "domain")
PARTITIONING = ChoicePiece(TessPartitioning.partitioning, PARTITIONINGS, "partitioning")
OUTPUT_PRIMITIVE = ChoicePiece(
    TessOutputPrimitive.output_primitive, OUTPUT_PRIMITIVES, "output primitive"
)
TEMPS = (
    NumberPiece(0, "the number of the register", "x", "["),
    NumberPiece(1, "the number of elements", "", "]"),
    NumberPiece(2, "the number of components", ", "),
)
Y_AND_Z = NumberPiece(1, "a number", ", "), NumberPiece(2, "a number", ", ")
SIZE = NumberPiece(0, "the size", ", ")
STRUCTURES = NumberPiece(1, "the number of structures", ", ")
BODY = NumberPiece(0, "the number of the function body", "fb")


class StructuredBlankPiece:
    """The blank that older compilers print after dcl_resource_structured."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return " " if texts.style.structured_blank else ""

    def read(self, reader: object, made: Instruction) -> None:
        """Read nothing: blanks at the end have no meaning."""


# fmt: off
DECLARATIONS: dict[str, tuple[Piece, ...]] = {
    "dcl_resource":                      (SHAPE, SamplesPiece(), _, TYPES, _, RANGE, SPACE_1),
    "dcl_constantbuffer":                (_, ConstantBufferPiece(), COMMA, ACCESS, SPACE_1),
    "dcl_sampler":                       (_, RANGE, SamplerModePiece(), SPACE_0),
    "dcl_indexrange":                    (_, REGISTER, _, COUNT),
    "dcl_outputtopology":                (_, TOPOLOGY, _),
    "dcl_inputprimitive":                (_, PRIMITIVE, _),
    "dcl_maxout":                        (_, COUNT),
    "dcl_input":                         (_, REGISTER),
    "dcl_input_sgv":                     (_, REGISTER, SYSTEM_VALUE),
    "dcl_input_siv":                     (_, REGISTER, SYSTEM_VALUE),
    "dcl_input_ps":                      (_, INTERPOLATION, _, REGISTER),
    "dcl_input_ps_sgv":                  (_, SgvInterpolationPiece(), REGISTER, SYSTEM_VALUE),
    "dcl_input_ps_siv":                  (_, INTERPOLATION, _, REGISTER, SYSTEM_VALUE),
    "dcl_output":                        (_, REGISTER),
    "dcl_output_sgv":                    (_, REGISTER, SYSTEM_VALUE),
    "dcl_output_siv":                    (_, REGISTER, SYSTEM_VALUE),
    "dcl_temps":                         (_, COUNT),
    "dcl_indexableTemp":                 (_, *TEMPS),
    "dcl_globalFlags":                   (_, FlagsPiece()),
    "dcl_stream":                        (_, REGISTER),
    "dcl_function_body":                 (_, BODY),
    "dcl_function_table":                (_, FunctionTablePiece()),
    "dcl_interface":                     (DYNAMIC, _, InterfacePiece()),
    "dcl_input_control_point_count":     (_, POINTS),
    "dcl_output_control_point_count":    (_, POINTS),
    "dcl_tessellator_domain":            (_, DOMAIN),
    "dcl_tessellator_partitioning":      (_, PARTITIONING),
    "dcl_tessellator_output_primitive":  (_, OUTPUT_PRIMITIVE),
    "dcl_hs_max_tessfactor":             (_, FactorPiece()),
    "dcl_hs_fork_phase_instance_count":  (_, COUNT),
    "dcl_hs_join_phase_instance_count":  (_, COUNT),
    "dcl_thread_group":                  (_, COUNT, *Y_AND_Z),
    "dcl_uav_typed":                     (SHAPE, COHERENT, ORDERED, _, TYPES, _, RANGE, *VIEW_1),
    "dcl_uav_raw":                       (COHERENT, ORDERED, _, RANGE, *VIEW_0),
    "dcl_uav_structured":                (COHERENT, COUNTER, ORDERED, _, RANGE, STRIDE, *VIEW_1),
    "dcl_tgsm_raw":                      (_, REGISTER, SIZE),
    "dcl_tgsm_structured":               (_, REGISTER, STRIDE, STRUCTURES),
    "dcl_resource_raw":                  (_, RANGE, SPACE_0),
    "dcl_resource_structured":           (_, RANGE, STRIDE, SPACE_1, StructuredBlankPiece()),
    "dcl_gsinstances":                   (_, COUNT),
}
# fmt: on


def _printer(pieces: tuple[Piece, ...]) -> Printer:
    shows = [piece.show for piece in pieces]

    def declaration(texts: OperandTexts, instruction: Instruction, name: str) -> str:
        return name + "".join([show(texts, instruction) for show in shows])

    return declaration


# ---------------------------------------------------------------- custom data


def custom_data(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    """Print custom data; a constant table takes one line per row."""
    words = instruction.payload or ()
    kind = CustomData(instruction.token).custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        style = texts.style
        untyped = literals.UNTYPED
        values = [literals.number(bits, untyped, style.library, style.exact) for bits in words]
        rows = [f"{{ {', '.join(values[at : at + 4])}}}" for at in range(0, len(values), 4)]
        start = f"{CONSTANT_TABLE} {{ "
        return start + f",\n{' ' * len(start)}".join(rows) + " }"
    if kind == CustomClass.SHADER_MESSAGE:
        return _message(texts, instruction) or UNDECIPHERABLE
    return UNDECIPHERABLE


def _message(texts: OperandTexts, instruction: Instruction) -> str | None:
    message = instruction.message
    if message is None or message.message_id not in MESSAGES:
        return None
    text = "".join(map(_printable, message.text))
    # fxc 10.1 prints `printf "%f", l(3.141590)`: the values are untyped.
    operands = [
        texts.text(each, literals.UNTYPED, precision_tag(each, 0, False))
        for each in message.operands
    ]
    return ", ".join((f'{MESSAGES[message.message_id]} "{text}"', *operands))


def _printable(character: int) -> str:
    return ESCAPES.get(character) or (chr(character) if 32 <= character < 127 else ".")


PRINTERS: dict[int, Printer] = {
    **{OPS[name].code: _printer(pieces) for name, pieces in DECLARATIONS.items()},
    OPS["customdata"].code: custom_data,
}
