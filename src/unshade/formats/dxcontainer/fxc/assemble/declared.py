"""Signatures of a program without tables, derived from its declarations.

    dcl_input v1.xyz                      TEXCOORD 1, xyz in v1
    dcl_input_ps_siv … v0.xy, position    SV_Position 0, xy in v0
    dcl_output o0.xyzw (pixel shader)     SV_Target 0, xyzw in o0

Direct3D links stages and vertex buffers by semantic names, which code does not contain. System
values have their standard names; every other register N is `TEXCOORD` N, so that output oN of one
stage becomes input vN of the next, and an application describes the data for vN as TEXCOORD N.
Their component type is always float: code does not specify the type, and the types of two stages
must agree. Each row is a register, or the components of a register with one system value.
"""

from .....programs.tpf import Instruction, Operand, Program
from .....programs.tpf.tables.enumerations import OperandType
from .....programs.tpf.tables.enumerations import SystemValueName as Name
from .....programs.tpf.tables.tokens import SystemName
from .....tuples import NamedTuple
from .....vocab.d3d import D3DName, RegisterComponentType, ShaderKind
from ...parts.signature import ProgramSignature, SignatureElement
from ..listing.signatures import NO_REGISTER

GENERIC = "TEXCOORD"
TARGET = "SV_Target"
FULL = 15
UINT, FLOAT = RegisterComponentType.UINT32, RegisterComponentType.FLOAT32


class Semantic(NamedTuple):
    """The semantic of a system value: name, index, number and component type."""

    name: str
    number: int
    value: D3DName
    component: RegisterComponentType = FLOAT


V, EDGE, INSIDE = D3DName, "SV_TessFactor", "SV_InsideTessFactor"
# fmt: off
SEMANTICS: dict[int, Semantic] = {
    Name.POSITION:                              Semantic("SV_Position", 0, V.POSITION),
    Name.CLIP_DISTANCE:                         Semantic("SV_ClipDistance", 0, V.CLIP_DISTANCE),
    Name.CULL_DISTANCE:                         Semantic("SV_CullDistance", 0, V.CULL_DISTANCE),
    Name.RENDER_TARGET_ARRAY_INDEX:
        Semantic("SV_RenderTargetArrayIndex", 0, V.RENDER_TARGET_ARRAY_INDEX, UINT),
    Name.VIEWPORT_ARRAY_INDEX:
        Semantic("SV_ViewportArrayIndex", 0, V.VIEWPORT_ARRAY_INDEX, UINT),
    Name.VERTEX_ID:                             Semantic("SV_VertexID", 0, V.VERTEX_ID, UINT),
    Name.PRIMITIVE_ID:                          Semantic("SV_PrimitiveID", 0, V.PRIMITIVE_ID, UINT),
    Name.INSTANCE_ID:                           Semantic("SV_InstanceID", 0, V.INSTANCE_ID, UINT),
    Name.IS_FRONT_FACE:
        Semantic("SV_IsFrontFace", 0, V.IS_FRONT_FACE, UINT),
    Name.SAMPLE_INDEX:                          Semantic("SV_SampleIndex", 0, V.SAMPLE_INDEX, UINT),
    Name.FINAL_QUAD_U_EQ_0_EDGE_TESSFACTOR:     Semantic(EDGE, 0, V.FINAL_QUAD_EDGE_TESSFACTOR),
    Name.FINAL_QUAD_V_EQ_0_EDGE_TESSFACTOR:     Semantic(EDGE, 1, V.FINAL_QUAD_EDGE_TESSFACTOR),
    Name.FINAL_QUAD_U_EQ_1_EDGE_TESSFACTOR:     Semantic(EDGE, 2, V.FINAL_QUAD_EDGE_TESSFACTOR),
    Name.FINAL_QUAD_V_EQ_1_EDGE_TESSFACTOR:     Semantic(EDGE, 3, V.FINAL_QUAD_EDGE_TESSFACTOR),
    Name.FINAL_QUAD_U_INSIDE_TESSFACTOR:        Semantic(INSIDE, 0, V.FINAL_QUAD_INSIDE_TESSFACTOR),
    Name.FINAL_QUAD_V_INSIDE_TESSFACTOR:        Semantic(INSIDE, 1, V.FINAL_QUAD_INSIDE_TESSFACTOR),
    Name.FINAL_TRI_U_EQ_0_EDGE_TESSFACTOR:      Semantic(EDGE, 0, V.FINAL_TRI_EDGE_TESSFACTOR),
    Name.FINAL_TRI_V_EQ_0_EDGE_TESSFACTOR:      Semantic(EDGE, 1, V.FINAL_TRI_EDGE_TESSFACTOR),
    Name.FINAL_TRI_W_EQ_0_EDGE_TESSFACTOR:      Semantic(EDGE, 2, V.FINAL_TRI_EDGE_TESSFACTOR),
    Name.FINAL_TRI_INSIDE_TESSFACTOR:           Semantic(INSIDE, 0, V.FINAL_TRI_INSIDE_TESSFACTOR),
    Name.FINAL_LINE_DETAIL_TESSFACTOR:          Semantic(EDGE, 1, V.FINAL_LINE_DETAIL_TESSFACTOR),
    Name.FINAL_LINE_DENSITY_TESSFACTOR:         Semantic(EDGE, 0, V.FINAL_LINE_DENSITY_TESSFACTOR),
}
# Outputs without a register, by type of operand. The file has system value 0 for pixel shaders.
OUTSIDE = {
    OperandType.OUTPUT_DEPTH:               Semantic("SV_Depth", 0, V.UNDEFINED),
    OperandType.OUTPUT_DEPTH_GREATER_EQUAL: Semantic("SV_DepthGreaterEqual", 0, V.UNDEFINED),
    OperandType.OUTPUT_DEPTH_LESS_EQUAL:    Semantic("SV_DepthLessEqual", 0, V.UNDEFINED),
    OperandType.OUTPUT_COVERAGE_MASK:       Semantic("SV_Coverage", 0, V.UNDEFINED, UINT),
    OperandType.OUTPUT_STENCIL_REF:         Semantic("SV_StencilRef", 0, V.UNDEFINED, UINT),
}
# fmt: on
INPUTS = (OperandType.INPUT, OperandType.INPUT_CONTROL_POINT)
PATCH_PHASES = ("hs_fork_phase", "hs_join_phase")
OF_PATCH = "Patch Constant"


class DeclaredRow(NamedTuple):
    """The key of a signature row; declarations with equal keys add components."""

    stream: int
    register: int
    semantic: Semantic


class DeclaredSignatures:
    """The signatures that a program declares, by the titles of their tables."""

    def __init__(self, program: Program) -> None:
        self.kind = program.kind
        self.rows: dict[str, dict[DeclaredRow, int]] = {"Input": {}, "Output": {}}
        if self.kind in (ShaderKind.HULL, ShaderKind.DOMAIN):
            self.rows[OF_PATCH] = {}
        self.counts: dict[tuple[str, str], int] = {}  # of clip and cull distances
        stream, of_patch = 0, False
        for each in program.listed:
            name = each.name
            if name in PATCH_PHASES:
                of_patch = True
            elif name == "dcl_stream" and each.operands and each.operands[0].indices:
                stream = min(each.operands[0].indices[0].immediate, 3)
            elif name.startswith(("dcl_input", "dcl_output")) and len(each.operands) == 1:
                self._port(each, each.operands[0], stream, of_patch)

    def _port(
        self, instruction: Instruction, operand: Operand, stream: int, of_patch: bool
    ) -> None:
        given = instruction.name.startswith("dcl_output")
        title = "Output" if given else "Input"
        if operand.type == OperandType.INPUT_PATCH_CONSTANT or (given and of_patch):
            title = OF_PATCH
        meant = instruction.name.endswith(("_siv", "_sgv")) and instruction.words
        name = SystemName(instruction.words[0]).name if meant else None
        rows = self.rows.get(title, {})
        if operand.type in OUTSIDE:
            rows[DeclaredRow(stream, NO_REGISTER, OUTSIDE[OperandType(operand.type)])] = 1
        elif operand.type == OperandType.INPUT_PRIMITIVEID and self.kind == ShaderKind.GEOMETRY:
            rows[DeclaredRow(stream, NO_REGISTER, SEMANTICS[Name.PRIMITIVE_ID])] = 1
        elif operand.indices and (
            given or operand.type in INPUTS or operand.type == OperandType.INPUT_PATCH_CONSTANT
        ):
            register = operand.indices[-1].immediate  # an index before it is the vertex
            row = DeclaredRow(
                stream if given else 0, register, self._semantic(title, register, name)
            )
            rows[row] = rows.get(row, 0) | (operand.mask or 1)

    def _semantic(self, title: str, register: int, name: int | None) -> Semantic:
        known = None if name is None else SEMANTICS.get(name)
        if known is None:
            pixel = self.kind == ShaderKind.PIXEL and title == "Output"
            return Semantic(TARGET if pixel else GENERIC, register, V.UNDEFINED)
        if name not in (Name.CLIP_DISTANCE, Name.CULL_DISTANCE):
            return known
        count = self.counts.get((title, known.name), 0)
        self.counts[title, known.name] = count + 1
        return known._replace(number=count)

    def signature(self, title: str, written: bool) -> ProgramSignature | None:
        """Return the signature of a table, by stream and register, or None if it has none."""
        if title not in self.rows:
            return None
        elements = []
        for row, mask in sorted(self.rows[title].items(), key=lambda each: each[0][:2]):
            stream, register, semantic = row
            elements.append(
                SignatureElement(
                    stream=stream,
                    name=semantic.name,
                    index=semantic.number,
                    system_value=semantic.value,
                    component_type=semantic.component,
                    register=register,
                    mask=mask,
                    rw_mask=FULL & ~mask if written else mask,
                    min_precision=0,
                )
            )
        return ProgramSignature(elements=elements)
