"""Declarations and custom data as fxc prints them.

    dcl_resource_texture2d (float,float,float,float) t0
    dcl_input_ps_siv linear noperspective v0.xy, position
    dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                                  { 0, 1.000000, 0, 0} }

`DECLARATIONS` lists the pieces behind each name; printer and assembler both go by it.

Source: listings of fxc; tables/spellings.py names what no listing showed.
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
    SAMPLER_MODES,
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
    SamplerDcl,
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
    Choice,
    ConstantBuffer,
    Control,
    Declared,
    Factor,
    Flags,
    FunctionTable,
    InterfaceSlot,
    Meaning,
    Number,
    Piece,
    Range,
    Samples,
    SgvInterpolation,
    Space,
    Suffix,
    Text,
    Types,
)

if TYPE_CHECKING:
    from ..instruction import Instruction

Printer = Callable[[OperandTexts, "Instruction", str], str]

_ = Text(" ")
COMMA = Text(", ")
REGISTER = Declared()
RANGE = Range()
TYPES = Types()
MEANING = Meaning()
INTERPOLATION = Choice(InputPs.interpolation, INTERPOLATIONS, "interpolation")
COHERENT = Suffix(UavDcl.globally_coherent, "_glc")
COUNTER = Suffix(UavDcl.has_counter, "_opc")
ORDERED = Suffix(UavDcl.rasterizer_ordered, "_rov")
COUNT = Number(0, "a number")
STRIDE = Number(0, "the stride", ", ")
POINTS = Control(ControlPoints.count, "the number of control points")
ACCESS = Choice(ConstantBufferDcl.access, CONSTANT_BUFFER_ACCESS, "access")
MODE = Choice(SamplerDcl.mode, SAMPLER_MODES, "sampler mode")
TOPOLOGY = Choice(GsTopology.topology, TOPOLOGIES, "topology")
PRIMITIVE = Choice(GsPrimitive.primitive, PRIMITIVES, "primitive")
DOMAIN = Choice(TessDomain.domain, DOMAINS, "domain")
PARTITIONING = Choice(TessPartitioning.partitioning, PARTITIONINGS, "partitioning")
MADE = Choice(TessOutputPrimitive.output_primitive, OUTPUT_PRIMITIVES, "output primitive")
TEMPS = (
    Number(0, "the number of the register", "x", "["),
    Number(1, "the number of elements", "", "]"),
    Number(2, "the number of components", ", "),
)
Y_AND_Z = Number(1, "a number", ", "), Number(2, "a number", ", ")
SIZE = Number(0, "the size", ", ")
STRUCTURES = Number(1, "the number of structures", ", ")
BODY = Number(0, "the number of the function body", "fb")


class StructuredBlank:
    """The blank that older compilers print behind dcl_resource_structured."""

    def show(self, texts: OperandTexts, instruction: Instruction) -> str:
        return " " if texts.style.structured_blank else ""

    def read(self, reader: object, made: Instruction) -> None:
        """Blanks at the end mean nothing."""


# fmt: off
DECLARATIONS: dict[str, tuple[Piece, ...]] = {
    "dcl_resource":                      (SHAPE, Samples(), _, TYPES, _, RANGE, Space(1)),
    "dcl_constantbuffer":                (_, ConstantBuffer(), COMMA, ACCESS, Space(1)),
    "dcl_sampler":                       (_, RANGE, COMMA, MODE, Space(0)),
    "dcl_indexrange":                    (_, REGISTER, _, COUNT),
    "dcl_outputtopology":                (_, TOPOLOGY, _),
    "dcl_inputprimitive":                (_, PRIMITIVE, _),
    "dcl_maxout":                        (_, COUNT),
    "dcl_input":                         (_, REGISTER),
    "dcl_input_sgv":                     (_, REGISTER, MEANING),
    "dcl_input_siv":                     (_, REGISTER, MEANING),
    "dcl_input_ps":                      (_, INTERPOLATION, _, REGISTER),
    "dcl_input_ps_sgv":                  (_, SgvInterpolation(), REGISTER, MEANING),
    "dcl_input_ps_siv":                  (_, INTERPOLATION, _, REGISTER, MEANING),
    "dcl_output":                        (_, REGISTER),
    "dcl_output_sgv":                    (_, REGISTER, MEANING),
    "dcl_output_siv":                    (_, REGISTER, MEANING),
    "dcl_temps":                         (_, COUNT),
    "dcl_indexableTemp":                 (_, *TEMPS),
    "dcl_globalFlags":                   (_, Flags()),
    "dcl_stream":                        (_, REGISTER),
    "dcl_function_body":                 (_, BODY),
    "dcl_function_table":                (_, FunctionTable()),
    "dcl_interface":                     (DYNAMIC, _, InterfaceSlot()),
    "dcl_input_control_point_count":     (_, POINTS),
    "dcl_output_control_point_count":    (_, POINTS),
    "dcl_tessellator_domain":            (_, DOMAIN),
    "dcl_tessellator_partitioning":      (_, PARTITIONING),
    "dcl_tessellator_output_primitive":  (_, MADE),
    "dcl_hs_max_tessfactor":             (_, Factor()),
    "dcl_hs_fork_phase_instance_count":  (_, COUNT),
    "dcl_hs_join_phase_instance_count":  (_, COUNT),
    "dcl_thread_group":                  (_, COUNT, *Y_AND_Z),
    "dcl_uav_typed":                     (SHAPE, COHERENT, ORDERED, _, TYPES, _, RANGE, Space(1)),
    "dcl_uav_raw":                       (COHERENT, ORDERED, _, RANGE, Space(0)),
    "dcl_uav_structured":                (COHERENT, COUNTER, ORDERED, _, RANGE, STRIDE, Space(1)),
    "dcl_tgsm_raw":                      (_, REGISTER, SIZE),
    "dcl_tgsm_structured":               (_, REGISTER, STRIDE, STRUCTURES),
    "dcl_resource_raw":                  (_, RANGE, Space(0)),
    "dcl_resource_structured":           (_, RANGE, STRIDE, Space(1), StructuredBlank()),
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
    """Data between the instructions; a constant table takes a line a row."""
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
    # fxc 10.1 prints `printf "%f", l(3.141590)`: the values are copied, not calculated with.
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
