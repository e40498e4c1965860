"""Facts of programs, from metadata and calls."""

from __future__ import annotations

import pytest

from tests.programs.dxil.modules import part, saxpy
from tests.programs.dxil.nodes import Nodes
from unshade import FormatError
from unshade.model import MeshShading
from unshade.model.facts import ProgramFacts
from unshade.programs.dxil import Code
from unshade.programs.dxil.facts import entry_points, facts_of, statistics
from unshade.programs.dxil.facts.layouts import Layouts, size_of
from unshade.programs.dxil.facts.words import features
from unshade.programs.dxil.model import TypeTable
from unshade.programs.dxil.model.constants import UndefinedValue
from unshade.programs.dxil.model.metadata import Metadata, MetadataValue
from unshade.programs.dxil.model.types import StructType
from unshade.programs.dxil.shaderinfo import read_shader


def of_properties(kind: int, stage: str, *properties: object) -> ProgramFacts:
    """Return the facts of a shader with properties."""
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", None, None, list(properties)])
    return facts_of(nodes.code(kind, stage))


def test_a_compute_shader() -> None:
    facts = facts_of(Code.decode(part(b"STAT")))
    assert (facts.code, facts.stage, facts.model, facts.profile) == (
        "dxil",
        "compute",
        "6.6",
        "cs_6_6",
    )
    assert facts.thread_group is not None
    assert len(facts.thread_group) == 3
    assert [(each.label, each.resource.kind) for each in facts.resources] == [
        ("cb0", "constant_buffer"),
        ("t0", "raw_buffer"),
        ("u0", "raw_buffer"),
    ]
    (buffer,) = facts.constant_buffers
    assert [(each.offset, each.type.scalar) for each in buffer.variables] == [
        (0, "float"),
        (4, "uint"),
    ]
    assert entry_points(saxpy()) == [("main", "compute")]


def test_names_are_generated_without_reflection() -> None:
    facts = facts_of(saxpy())
    assert all(each.resource.declared for each in facts.resources)
    assert [each.resource.name for each in facts.resources] == ["cb0", "t0", "u1"]
    assert facts.constant_buffers[0].variables == []
    assert facts.constant_buffers[0].size == 8


def test_built_in_inputs() -> None:
    (thread,) = facts_of(saxpy()).builtins
    assert (thread.system_value, thread.components) == ("thread_id", "x")
    assert thread.slot.place == "thread_id"


def test_statistics() -> None:
    found = statistics(saxpy())
    main = saxpy().module.function("main")
    assert main is not None
    assert found.instructions == len(main.instructions)
    assert found.stores
    assert found.computed


def test_inputs_and_outputs() -> None:
    nodes = Nodes()
    position = [0, "SV_Position", 9, 3, [0], 4, 1, 4, 0, 0, None]
    colours = [1, "COLOR", 9, 0, [3, 4], 1, 2, 2, 1, 1, [3, 1]]
    depth = [0, "SV_Depth", 9, 17, [0], 0, 1, 1, -1, -1, None]
    nodes.name("dx.entryPoints", [None, "main", [[position, colours], [depth], None], None, None])
    facts = facts_of(nodes.code(0, "ps"))
    assert [(each.label, each.name, each.index, each.components) for each in facts.inputs] == [
        ("v0", "SV_Position", 0, "xyzw"),
        ("v1", "COLOR", 3, "yz"),
        ("v2", "COLOR", 4, "yz"),
    ]
    assert [each.interpolation for each in facts.inputs] == [
        "linear_noperspective",
        "constant",
        "constant",
    ]
    assert [each.used for each in facts.inputs] == [None, "y", "y"]
    assert facts.inputs[0].system_value == "position"
    (found,) = facts.outputs
    assert (found.label, found.system_value, found.slot.place) == ("SV_Depth", "depth", "depth")
    assert found.interpolation is None


def test_settings_of_stages() -> None:
    facts = of_properties(5, "cs", 4, [8, 4, 1], 23, [16, 64, 0])
    assert (facts.thread_group, facts.wave_size) == ([8, 4, 1], [16, 64, 0])
    assert of_properties(5, "cs", 4, [8, 4, 1], 11, [32]).wave_size == [32]
    geometry = of_properties(2, "gs", 1, [3, 6, 5, 5, 2]).geometry
    assert geometry is not None
    assert (geometry.input_primitive, geometry.max_output_vertices) == ("triangle", 6)
    assert geometry.streams == ["trianglestrip", "undefined", "trianglestrip"]
    patches = of_properties(2, "gs", 1, [10, 6, 1, 1, 1]).geometry
    assert patches is not None
    assert (patches.input_primitive, patches.input_vertices) == ("patch", 3)
    domain = of_properties(4, "ds", 2, [3, 4]).tessellation
    assert domain is not None
    assert (domain.domain, domain.input_control_points) == ("quad", 4)
    mesh = of_properties(13, "ms", 9, [[32, 1, 1], 64, 126, 2, 20])
    assert mesh.thread_group == [32, 1, 1]
    assert mesh.mesh == MeshShading(
        output_topology="trianglelist", max_vertices=64, max_primitives=126, payload_size=20
    )
    amplification = of_properties(14, "as", 10, [[4, 5, 6], 7])
    assert amplification.thread_group == [4, 5, 6]
    assert amplification.mesh == MeshShading(payload_size=7)


def test_entries_of_a_library() -> None:
    nodes = Nodes()
    nodes.name(
        "dx.entryPoints",
        [None, "", None, None, None],
        [None, "hit", None, None, [8, 10]],
        [None, "miss", None, None, [8, 11]],
    )
    code = nodes.code(6, "lib")
    assert entry_points(code) == [("hit", "closesthit"), ("miss", "miss")]
    assert facts_of(code, "miss").stage == "miss"


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        (0, []),
        (1 << 5, ["MinimumPrecision"]),
        (1 << 5 | 1 << 23, ["NativeLowPrecision"]),
        (1 << 2 | 1 << 19, ["Doubles", "WaveOps"]),
    ],
)
def test_features(flags: int, names: list[str]) -> None:
    assert features(flags) == names


def test_layouts() -> None:
    """A structure in a buffer: an array of structures, matrices, vectors."""
    nodes = Nodes()
    types: TypeTable = nodes.module.types
    real = types.floating("float")
    row = types.vector(4, real)
    inner = StructType("struct.Light", [row, real])
    buffer = StructType("Buffer", None)
    buffer.elements = [
        types.array(2, inner),
        types.array(3, types.array(4, types.vector(3, real))),
        types.array(5, real),
        types.integer(32),
    ]

    def undefined(type: StructType) -> Metadata:
        return MetadataValue(UndefinedValue(type))

    nodes.name(
        "dx.typeAnnotations",
        [
            0,
            undefined(inner),
            [20, [6, "position", 3, 0, 7, 9], [6, "power", 3, 16, 7, 9]],
            undefined(buffer),
            [
                400,
                [6, "lights", 3, 0],
                [6, "matrices", 2, [3, 4, 2], 3, 64, 7, 9],
                [6, "weights", 3, 256, 7, 9, 9, 0],
                [6, "count", 3, 324, 7, 5],
            ],
        ],
    )
    found = Layouts(read_shader(nodes.module)).variables(buffer)
    assert [each.type.declaration(each.name) for each in found] == [
        "Light lights[2]",
        "float3x4 matrices[3]",
        "float weights[5]",
        "uint count",
    ]
    assert [each.size for each in found] == [52, 16 * 11 + 12, 68, 4]
    assert [each.type.strides for each in found] == [[32], [64], [16], []]
    assert [each.used for each in found] == [True, True, False, True]
    lights, matrices = found[0].type, found[1].type
    assert [(each.name, each.offset) for each in lights.members] == [("position", 0), ("power", 16)]
    assert (matrices.type_class, matrices.matrix_stride) == ("matrix_columns", 16)


def test_sizes() -> None:
    types = TypeTable()
    half = types.floating("half")
    pair = types.literal([types.vector(3, half), types.array(4, types.integer(32))])
    assert size_of(types.array(10, pair)) == 220
    assert size_of(types.array(2**40, types.integer(8))) == 2**40


def test_a_module_without_entry_points_has_no_facts() -> None:
    nodes = Nodes()
    nodes.name("dx.version", [1, 0])
    with pytest.raises(FormatError, match="expected at least one entry point, got none"):
        facts_of(nodes.code(5, "cs"))


@pytest.mark.parametrize(
    ("words", "creator"), [(["dxcoob 1.7"], "dxcoob 1.7"), ([3], None), ([], None), ([""], None)]
)
def test_the_compiler_is_the_one_that_the_module_names(
    words: list[object], creator: str | None
) -> None:
    nodes = Nodes()
    nodes.name("dx.entryPoints", [None, "main", None, None, None])
    nodes.name("llvm.ident", words)
    assert facts_of(nodes.code(0, "ps")).creator == creator
