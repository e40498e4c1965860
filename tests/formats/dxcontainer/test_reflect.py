"""reflect() on a known file, on programs made token by token, and on damaged parts."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.fixtures import blog_vs_4_0 as blog
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts import rdef, rts0, signature
from unshade.formats.dxcontainer.reflect.types import TypeConverter
from unshade.model import Reflection, Resource
from unshade.programs.tpf import Index, Instruction, Operand, Program
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.tokens import VersionToken
from unshade.vocab.d3d import ShaderKind

# Records fill fields that are not given; type checkers want them all.
Binding: Any = rdef.RdefBinding
Buffer: Any = rdef.RdefBuffer
Member: Any = rdef.RdefMember
ResourceDefinition: Any = rdef.ResourceDefinition
Type: Any = rdef.RdefType
Variable: Any = rdef.RdefVariable
Signature: Any = signature.ProgramSignature
SignatureElement: Any = signature.SignatureElement
DescriptorRange: Any = rts0.DescriptorRange
StaticSampler: Any = rts0.StaticSamplerDescription


# ---------------------------------------------------------------- making files


def operand(kind: OperandType, *indices: int, mask: int = 0) -> Operand:
    components = 2 if mask else 0
    return Operand(kind << 12 | mask << 4 | components, indices=[Index(i) for i in indices])


def op(
    name: str, *operands: Operand, words: tuple[int, ...] = (), controls: int = 0
) -> Instruction:
    return Instruction(OPS[name].code | controls << 11, operands, words)


def program(
    kind: ShaderKind, *instructions: Instruction, model: tuple[int, int] = (5, 0)
) -> DxPart:
    version = VersionToken(major=model[0], minor=model[1], kind=kind)
    return typed("SHEX", Program(version, instructions))


def typed(name: str, value: Any) -> DxPart:
    part = DxPart(name)
    part.value = value
    return part


def reflect(*parts: DxPart) -> Reflection:
    """Return the reflection, checked against the identity."""
    shader = DxContainer(parts)
    first, found = shader.identity(), shader.reflect()
    for name in ("format", "code", "stage", "model", "profile"):
        assert getattr(first, name) == getattr(found, name)
    return found


def test_identity_decodes_no_program() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    assert isinstance(shader, DxContainer)
    found = shader.identity()
    assert (found.code, found.stage, found.model) == ("tpf", "pixel", "5.0")
    assert found.profile == "ps_5_0"
    assert all(part.loaded is None for part in shader.parts)
    program = shader["SHDR"]
    program.version = VersionToken(major=5, minor=1, kind=VS)
    assert shader.identity().profile == "vs_5_1"


def t(*indices: int) -> Operand:
    return operand(OperandType.RESOURCE, *indices)


def u(*indices: int) -> Operand:
    return operand(OperandType.UNORDERED_ACCESS_VIEW, *indices)


TEXTURE2D = 3
STRUCTURED = 12
FLOATS = 0x5555
CS, PS, GS, HS, VS = (
    ShaderKind.COMPUTE,
    ShaderKind.PIXEL,
    ShaderKind.GEOMETRY,
    ShaderKind.HULL,
    ShaderKind.VERTEX,
)

# ---------------------------------------------------------------- whole files


def test_the_blogs_shader() -> None:
    found = DxContainer.loads(blog.build()).reflect()
    assert (found.stage, found.model, found.profile) == ("vertex", "4.0", "vs_4_0")
    assert found.creator == blog.CREATOR
    assert found.complete
    position, texture = found.inputs
    assert (position.semantic, position.register, position.components) == ("POSITION", 0, "xyz")
    assert (texture.semantic, texture.register, texture.used) == ("TEXCOORD", 1, "xy")
    assert [each.system_value for each in found.outputs] == ["position", None]
    (resource,) = found.resources
    assert (resource.name, resource.where, resource.declared) == ("$Globals", "b0", False)
    (buffer,) = found.constant_buffers
    assert (buffer.resource, buffer.size, buffer.declared_size) == (0, 64, 64)
    (variable,) = buffer.variables
    assert variable.type.declaration(variable.name) == "float4x4 WorldViewProjection"
    assert found.statistics is not None
    assert found.statistics.instructions == blog.INSTRUCTIONS
    assert not found.statistics.computed


def test_the_blogs_shader_without_names() -> None:
    shader = DxContainer.loads(blog.build())
    full = shader.reflect()
    shader.parts[:] = [part for part in shader.parts if part.name not in ("RDEF", "STAT")]
    found = shader.reflect()
    assert found.profile == "vs_4_0"
    assert found.creator is None
    assert (found.inputs, found.outputs) == (full.inputs, full.outputs)
    assert found.resources == [
        Resource(
            name="cb0",
            kind="constant_buffer",
            register_class="b",
            register=0,
            dynamically_indexed=False,
            declared=True,
        )
    ]
    (buffer,) = found.constant_buffers
    assert (buffer.name, buffer.size, buffer.declared) == ("cb0", 64, True)
    assert found.statistics is not None
    assert found.statistics.computed
    assert found.statistics.instructions == blog.INSTRUCTIONS
    assert found.statistics.temp_registers == 1
    assert found.statistics.float_instructions == 4
    assert found.statistics.static_flow_control == 1


@pytest.mark.parametrize("name", ["saxpy", "matmul", "phong", "skinning", "mandel"])
def test_examples(name: str) -> None:
    shader = DxContainer.loads((EXAMPLES / f"{name}.dxbc").read_bytes())
    found = shader.reflect()
    assert found.complete
    assert not any(each.declared for each in found.resources)
    stage = {"phong": "pixel", "skinning": "vertex"}.get(name, "compute")
    assert found.stage == stage
    assert (found.thread_group is not None) == (stage == "compute")


def test_a_container_without_code() -> None:
    found = reflect()
    assert found.complete
    assert (found.stage, found.model, found.code, found.statistics) == (None, None, None, None)


@pytest.mark.parametrize(
    ("token", "profile", "stage", "model"),
    [
        (0x0000_0060, "ps_6_0", "pixel", "6.0"),
        (0x0006_0068, "lib_6_8", "library", "6.8"),
        (0x0006_006F, "lib_6_x", "library", "6.x"),
        (0x000D_0065, "ms_6_5", "mesh", "6.5"),
        (0x0063_0065, None, "unknown_99", "6.5"),
    ],
)
@pytest.mark.parametrize("name", ["DXIL", "ILDB"])
def test_dxil_without_bitcode_is_reported_as_incomplete(
    name: str, token: int, profile: str | None, stage: str, model: str
) -> None:
    found = reflect(DxPart(name, struct.pack("<IIII", token, 4, 0, 0)))
    assert (found.code, found.profile, found.stage, found.model) == ("dxil", profile, stage, model)
    assert not found.complete
    assert name in found.notes[0]


def test_unreadable_parts_are_noted() -> None:
    found = reflect(DxPart("RDEF", bytes(8)), DxPart("ISGN", b"\x01"), DxPart("SHEX", bytes(6)))
    assert not found.complete
    assert [note.split()[0] for note in found.notes] == ["RDEF", "SHEX", "ISGN"]
    assert "at 0x" in found.notes[0]
    assert found.stage == "pixel"  # the version token is there, and 0


# ---------------------------------------------------------------- declarations


def test_ranges_of_shader_model_5_1() -> None:
    found = reflect(
        program(
            PS,
            op(
                "dcl_constantbuffer",
                operand(OperandType.CONSTANT_BUFFER, 0, 2, 2),
                words=(3, 0),
                controls=1,
            ),
            op("dcl_sampler", operand(OperandType.SAMPLER, 1, 4, 4), words=(2,), controls=1),
            op("dcl_resource", t(0, 8, 0xFFFF_FFFF), words=(FLOATS, 1), controls=TEXTURE2D),
            model=(5, 1),
        )
    )
    buffer, sampler, texture = found.resources
    assert (buffer.name, buffer.count, buffer.dynamically_indexed) == ("cb2", 1, True)
    assert (sampler.name, sampler.space, sampler.comparison) == ("s4_space2", 2, True)
    assert (texture.name, texture.register, texture.count) == ("t8_space1", 8, None)
    assert (texture.dimension, texture.return_type, texture.id) == ("2d", "float", 0)
    assert found.constant_buffers[0].size == 48


@pytest.mark.parametrize(
    ("uses", "opc", "counter"),
    [
        ((), 0, None),
        (("imm_atomic_alloc",), 0, "append"),
        (("imm_atomic_consume",), 0, "consume"),
        (("imm_atomic_alloc", "imm_atomic_consume"), 0, "counter"),
        (("imm_atomic_alloc",), 1, "counter"),
    ],
)
def test_counters(uses: tuple[str, ...], opc: int, counter: str | None) -> None:
    r0 = operand(OperandType.TEMP, 0, mask=1)
    found = reflect(
        program(
            CS,
            op("dcl_uav_structured", u(3), words=(16,), controls=opc << 12 | 1 << 5),
            *(op(name, r0, u(3)) for name in uses),
        )
    )
    (view,) = found.resources
    assert (view.kind, view.stride, view.counter) == ("structured_buffer", 16, counter)
    assert view.writable
    assert view.globally_coherent


def test_kinds_of_views_and_shared_memory() -> None:
    memory = operand(OperandType.THREAD_GROUP_SHARED_MEMORY, 1)
    found = reflect(
        program(
            CS,
            op("dcl_resource_raw", t(0)),
            op("dcl_resource_structured", t(1), words=(12,)),
            op("dcl_resource", t(2), words=(0x4444,), controls=1),
            op("dcl_resource", t(3), words=(FLOATS,), controls=4 | 8 << 5),
            op("dcl_resource", t(4), words=(0xFFFF,), controls=31),
            op("dcl_uav_typed", u(0), words=(FLOATS,), controls=TEXTURE2D | 1 << 6),
            op("dcl_uav_raw", u(1)),
            op("dcl_tgsm_structured", memory, words=(8, 64)),
            op("dcl_tgsm_raw", memory, words=(256,)),
            op("dcl_thread_group", words=(8, 4, 1)),
        )
    )
    kinds = [(each.kind, each.dimension, each.return_type) for each in found.resources]
    assert kinds == [
        ("raw_buffer", "buffer", None),
        ("structured_buffer", "buffer", None),
        ("typed_buffer", "buffer", "uint"),
        ("texture", "2dms", "float"),
        ("texture", "unknown_31", "unknown_15"),
        ("texture", "2d", "float"),
        ("raw_buffer", "buffer", None),
    ]
    assert found.resources[3].samples == 8
    assert found.resources[5].rasterizer_ordered
    assert found.features == ["ROVs"]
    assert [(each.size, each.stride) for each in found.shared_memory] == [(512, 8), (256, None)]
    assert found.thread_group == [8, 4, 1]


def test_declarations_that_lack_their_dwords() -> None:
    found = reflect(
        program(
            CS,
            op("dcl_thread_group"),
            op("dcl_temps"),
            op("dcl_resource_structured", t()),
            op("dcl_constantbuffer", operand(OperandType.CONSTANT_BUFFER)),
            op("dcl_interface"),
        )
    )
    assert found.thread_group == [0, 0, 0]
    assert [each.name for each in found.resources] == ["t0", "cb0"]
    assert found.interfaces is not None


def test_geometry() -> None:
    def stream(number: int) -> Instruction:
        return op("dcl_stream", operand(OperandType.STREAM, number))

    found = reflect(
        program(
            GS,
            op("dcl_inputprimitive", controls=10),
            stream(0),
            op("dcl_outputtopology", controls=1),
            stream(2),
            op("dcl_outputtopology", controls=5),
            op("dcl_maxout", words=(6,)),
            op("dcl_gsinstances", words=(4,)),
            op("dcl_input", operand(OperandType.INPUT_GS_INSTANCE_ID)),
        )
    )
    shape = found.geometry
    assert shape is not None
    assert (shape.input_primitive, shape.input_vertices) == ("patch", 3)
    assert shape.output_topology == "pointlist"
    assert shape.streams == ["pointlist", "undefined", "trianglestrip"]
    assert (shape.max_output_vertices, shape.instances) == (6, 4)
    assert found.builtins == ["gs_instance_id"]


def row(name: str, register: int, **given: int) -> Any:
    fields = {"mask": 15, "rw_mask": 0, "component_type": 3, "index": 0, **given}
    return SignatureElement(name=name, register=register, **fields)


def test_hull_shader_outputs_and_patch_constants_are_separate() -> None:
    """Both are o registers; which, the phase tells."""
    o0 = operand(OperandType.OUTPUT, 0, mask=1)
    edge, inside = 17, 20  # FINAL_TRI_U_EQ_0_EDGE_TESSFACTOR, FINAL_TRI_INSIDE_TESSFACTOR
    found = reflect(
        program(
            HS,
            op("hs_decls"),
            op("dcl_input_control_point_count", controls=3),
            op("dcl_output_control_point_count", controls=4),
            op("dcl_tessellator_domain", controls=2),
            op("dcl_tessellator_partitioning", controls=3),
            op("dcl_tessellator_output_primitive", controls=4),
            op("dcl_hs_max_tessfactor", words=(0x4280_0000,)),
            op("hs_fork_phase"),
            op("dcl_temps", words=(5,)),
            op("dcl_output_siv", o0, words=(edge,)),
            op("dcl_output_siv", operand(OperandType.OUTPUT, 1, mask=1), words=(inside,)),
            op("hs_join_phase"),
            op("dcl_temps", words=(2,)),
        ),
        typed("OSGN", Signature(elements=[row("POSITION", 0)])),
        typed("PCSG", Signature(elements=[row("F", 0, mask=1), row("I", 1, mask=1, rw_mask=1)])),
    )
    assert [each.system_value for each in found.outputs] == [None]
    assert [(each.system_value, each.used) for each in found.patch_constants] == [
        ("final_tri_edge_tessfactor", "x"),
        ("final_tri_inside_tessfactor", ""),
    ]
    shape = found.tessellation
    assert shape is not None
    assert (shape.domain, shape.partitioning, shape.output_primitive) == (
        "tri",
        "fractional_odd",
        "triangle_ccw",
    )
    assert (shape.input_control_points, shape.output_control_points) == (3, 4)
    assert shape.max_factor == 64.0
    assert found.temp_registers == 5


def test_pixel_shader_signatures() -> None:
    nowhere = 0xFFFF_FFFF
    found = reflect(
        program(PS, op("dcl_input_ps", operand(OperandType.INPUT, 1, mask=12), controls=6)),
        typed("ISGN", Signature(elements=[row("A", 1, mask=3), row("B", 1, mask=12, rw_mask=4)])),
        typed(
            "OSGN",
            Signature(
                elements=[
                    row("sv_target", 0, rw_mask=8),
                    row("COLOR", 1),
                    row("SV_Depth", nowhere, mask=1),
                    row("SV_DepthLessEqual", nowhere, mask=1),
                    row("SV_Coverage", nowhere, mask=1, system_value=66),
                    row("ODD", nowhere, mask=1, system_value=99, component_type=99),
                ]
            ),
        ),
    )
    assert [(each.interpolation, each.used) for each in found.inputs] == [
        (None, ""),
        ("linear_sample", "z"),
    ]
    assert found.sample_frequency
    values = [each.system_value for each in found.outputs]
    assert values == ["target", "target", "depth", "depth_less_equal", "coverage", "unknown_99"]
    assert found.outputs[0].used == "xyz"
    assert found.outputs[2].register is None
    assert found.outputs[5].component_type == "unknown_99"


RAW_FLAG = op("dcl_globalFlags", controls=1 << 3)
OTHER_FLAGS = op("dcl_globalFlags", controls=1 << 1 | 1 << 5 | 1 << 7)
R0 = operand(OperandType.TEMP, 0, mask=1)
LAYER = op("dcl_output_siv", operand(OperandType.OUTPUT, 1, mask=1), words=(4,))


@pytest.mark.parametrize(
    ("kind", "model", "instruction", "features"),
    [
        (VS, (4, 0), RAW_FLAG, "ComputeShadersPlusRawAndStructuredBuffers"),
        (VS, (5, 0), RAW_FLAG, ""),
        (PS, (5, 0), OTHER_FLAGS, "Doubles MinimumPrecision DX11_1_ShaderExtensions"),
        (VS, (5, 0), op("dcl_uav_raw", u(0)), "UAVsAtEveryStage"),
        (PS, (5, 0), op("dcl_uav_raw", u(8)), "Max64UAVs"),
        (PS, (5, 0), op("dcl_output", operand(OperandType.OUTPUT_STENCIL_REF)), "StencilRef"),
        (PS, (5, 0), op("dcl_input", operand(OperandType.INNER_COVERAGE)), "InnerCoverage"),
        (PS, (5, 0), op("check_access_fully_mapped", R0, R0), "TiledResources"),
        (VS, (5, 0), LAYER, "ViewportAndRTArrayIndexFromAnyShader"),
        (GS, (5, 0), LAYER, ""),
    ],
)
def test_features(
    kind: ShaderKind, model: tuple[int, int], instruction: Instruction, features: str
) -> None:
    assert reflect(program(kind, instruction, model=model)).features == features.split()


# ---------------------------------------------------------------- names joined with declarations


def definition(**given: Any) -> DxPart:
    return typed("RDEF", ResourceDefinition(major=5, minor=0, target=0xFFFF, **given))


def binding(name: str, kind: int, point: int, **given: int) -> Any:
    fields = {"bind_count": 1, "return_type": 5, "dimension": 4, "sample_count": 0, "flags": 12}
    return Binding(name=name, kind=kind, bind_point=point, **{**fields, **given})


def test_declarations_complete_bindings() -> None:
    found = reflect(
        definition(
            bindings=[
                binding("array", 2, 2, bind_count=3),
                binding("made", 6, 0, sample_count=0),
                binding("cmp", 3, 1, flags=0),
                binding("odd", 77, 0),
            ]
        ),
        program(
            PS,
            op("dcl_resource", t(3), words=(FLOATS,), controls=TEXTURE2D),
            op("dcl_resource", t(5), words=(FLOATS,), controls=TEXTURE2D),
            op("dcl_uav_structured", u(0), words=(48,), controls=1 << 5 | 1 << 6),
            op("dcl_sampler", operand(OperandType.SAMPLER, 1), controls=1),
        ),
    )
    array, made, compare, odd, alone = found.resources
    assert (array.name, array.where, array.count, array.components) == ("array", "t2", 3, 4)
    assert (made.stride, made.globally_coherent, made.rasterizer_ordered) == (48, True, True)
    assert compare.comparison
    assert (odd.kind, odd.register_class) == ("unknown_77", "")
    assert (alone.name, alone.declared) == ("t5", True)


def test_buffers_of_one_name_match_bindings_in_order() -> None:
    buffers = [Buffer(name="B", size=16, kind=0), Buffer(name="B", size=32, kind=0)]
    found = reflect(
        definition(buffers=buffers, bindings=[binding("B", 0, 1), binding("B", 0, 4)]),
        program(
            PS,
            op("dcl_constantbuffer", operand(OperandType.CONSTANT_BUFFER, 4, 2)),
            op("dcl_constantbuffer", operand(OperandType.CONSTANT_BUFFER, 9, 1)),
        ),
    )
    known = [
        (each.name, each.resource, each.size, each.declared_size) for each in found.constant_buffers
    ]
    assert known == [("B", 0, 16, None), ("B", 1, 32, 32), ("cb9", 2, 16, 16)]


def test_stage_from_rdef_where_there_is_no_program() -> None:
    found = reflect(definition())
    assert (found.profile, found.code, found.statistics) == ("ps_5_0", None, None)


# ---------------------------------------------------------------- types and values

FLOAT = Type(variable_class=0, variable_type=3, rows=1, columns=1)
FLOAT3 = Type(variable_class=1, variable_type=3, rows=1, columns=3)
INTS = Type(variable_class=0, variable_type=2, rows=1, columns=1, elements=2)
ROWS = Type(variable_class=2, variable_type=3, rows=2, columns=3)
COLUMNS = Type(variable_class=3, variable_type=3, rows=2, columns=3)
DOUBLES = Type(variable_class=1, variable_type=39, rows=1, columns=2)
BOOLS = Type(variable_class=1, variable_type=1, rows=1, columns=2)
STRUCT = Type(
    variable_class=5,
    variable_type=0,
    elements=2,
    members=[
        Member(name="a", type=FLOAT3, offset=0),
        Member(name="b", type=FLOAT, offset=12),
    ],
)
TWO_STRUCTS = [{"a": [1, 2, 3], "b": 4}, {"a": [5, 6, 7], "b": 8}]
TEXTURE = Type(variable_class=4, variable_type=7)


@pytest.mark.parametrize(
    ("given", "layout", "values", "expected"),
    [
        (FLOAT, "f", [1.5], 1.5),
        (FLOAT3, "3f", [1, 2, 3], [1, 2, 3]),
        (INTS, "i12xi", [-1, 7], [-1, 7]),
        (ROWS, "3f4x3f", [1, 2, 3, 4, 5, 6], [[1, 2, 3], [4, 5, 6]]),
        (COLUMNS, "2f8x2f8x2f", [1, 4, 2, 5, 3, 6], [[1, 2, 3], [4, 5, 6]]),
        (DOUBLES, "2d", [0.5, -2], [0.5, -2]),
        (BOOLS, "2I", [0, 0xFFFF_FFFF], [False, True]),
        (STRUCT, "7f", [1, 2, 3, 4, 5, 6, 7], None),
        (STRUCT, "8f", [1, 2, 3, 4, 5, 6, 7, 8], TWO_STRUCTS),
        (FLOAT3, "2f", [1, 2], None),
        (INTS, "i", [1], None),
        (TEXTURE, "f", [1], None),
    ],
)  # fmt: skip
def test_initial_values(given: Any, layout: str, values: list[float], expected: Any) -> None:
    data = struct.pack(f"<{layout}", *values)
    variable = Variable(name="v", size=len(data), flags=2, type=given, default_value=data)
    found = reflect(definition(buffers=[Buffer(name="B", kind=0, variables=[variable])]))
    (described,) = found.constant_buffers[0].variables
    assert described.value == expected
    assert described.default == data
    assert described.used


def test_types_with_false_sizes_cost_little() -> None:
    """A structure of sixteen members at one place, sixteen deep: 16^16 values in 16 bytes."""
    inner = FLOAT
    for _ in range(16):
        members = [Member(name=f"m{i}", type=inner, offset=0) for i in range(16)]
        inner = Type(variable_class=5, variable_type=0, members=members)
    types = TypeConverter(1000)
    assert types.value(inner, bytes(16)) is None
    assert types.packing.budget < 0
    described = types.describe(inner)
    assert described.members[0].type is described.members[1].type


def test_a_constant_buffer_of_one_structure_is_not_an_array() -> None:
    """ConstantBuffer<T> cb: fxc states one element, its listing none."""
    one = Type(variable_class=5, variable_type=0, elements=1, members=STRUCT.members)
    variables = [Variable(name="B", size=16, type=one), Variable(name="C", size=16, type=one)]
    found = reflect(definition(buffers=[Buffer(name="B", kind=0, variables=variables)]))
    elements = [each.type.elements for each in found.constant_buffers[0].variables]
    assert elements == [[], [1]]


def test_a_type_of_constants_and_of_elements_has_both_layouts() -> None:
    """fxc states a type once, whatever holds it."""
    array = Type(variable_class=3, variable_type=3, rows=2, columns=3, elements=2)
    numbers = Variable(name="m", size=88, type=array)
    element = Variable(name="$Element", size=48, type=array)
    constants, elements = reflect(
        definition(
            buffers=[
                Buffer(name="C", size=96, kind=0, variables=[numbers]),
                Buffer(name="S", size=48, kind=3, variables=[element]),
            ]
        )
    ).constant_buffers
    first, second = constants.variables[0].type, elements.variables[0].type
    assert (first.size, first.strides, first.matrix_stride) == (40, [48], 16)
    assert (second.size, second.strides, second.matrix_stride) == (24, [24], 8)


# ---------------------------------------------------------------- root signatures


def test_root_signature() -> None:
    def some(kind: int, count: int, offset: int = 0xFFFF_FFFF, flags: int = 0) -> Any:
        return DescriptorRange(
            kind=kind, count=count, base_register=2, space=1, flags=flags, table_offset=offset
        )

    ranges = [some(0, 3), some(1, 2), some(2, 1, 10), some(0, 0xFFFF_FFFF, flags=9), some(1, 1)]
    parameters = [
        rts0.Parameter(kind=0, visibility=5, payload=rts0.DescriptorTable(ranges=ranges)),
        rts0.Parameter(kind=1, visibility=0, payload=rts0.Constants(register=3, space=0, count=4)),
        rts0.Parameter(kind=4, visibility=9, payload=rts0.Descriptor(register=1, space=2, flags=2)),
    ]
    sampler = StaticSampler(
        filter=0x95,
        address_u=1,
        address_v=3,
        address_w=9,
        comparison=4,
        min_lod=float("inf"),
        flags=5,
    )
    found = reflect(
        typed(
            "RTS0",
            rts0.SerializedRootSignature(
                version=3, parameters=parameters, samplers=[sampler], flags=0x1401
            ),
        )
    ).root_signature
    assert found is not None
    assert found.version == "1.2"
    assert found.flags == [
        "allow_input_assembler_input_layout",
        "cbv_srv_uav_heap_directly_indexed",
        "0x1000",
    ]
    table, constants, view = found.parameters
    assert [(each.kind, each.count, each.offset) for each in table.ranges] == [
        ("srv", 3, 0),
        ("uav", 2, 3),
        ("cbv", 1, 10),
        ("srv", None, 11),
        ("uav", 1, None),
    ]
    assert table.ranges[3].flags == ["descriptors_volatile", "data_static"]
    assert (table.visibility, table.cost) == ("pixel", 1)
    assert (constants.kind, constants.register, constants.count, constants.cost) == (
        "constants",
        3,
        4,
        4,
    )
    assert (view.kind, view.space, view.flags, view.cost) == ("uav", 2, ["data_volatile"], 2)
    assert view.visibility == "unknown_9"
    (static,) = found.samplers
    assert static.filter == "comparison_min_mag_mip_linear"
    assert static.address == ["wrap", "clamp", "unknown_9"]
    assert static.flags == ["uint_border_color", "0x4"]
    assert static.to_dict()["min_lod"] == "inf"
