"""Tables of dxc's listing, row by row."""

import struct

import pytest

from tests.programs.dxil.modules import saxpy
from unshade.errors import FormatError, LimitError
from unshade.formats.dxcontainer import DxPart
from unshade.formats.dxcontainer.dxc.bindings import binding_lines
from unshade.formats.dxcontainer.dxc.buffers import buffer_lines
from unshade.formats.dxcontainer.dxc.header import debug_name_lines, feature_lines, hash_lines
from unshade.formats.dxcontainer.dxc.pipeline_state import runtime_lines
from unshade.formats.dxcontainer.dxc.signatures import metadata_lines, part_lines
from unshade.formats.dxcontainer.dxc.subobjects import subobject_lines
from unshade.formats.dxcontainer.dxc.viewid import view_id_lines
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.limits import DEFAULT, Limits
from unshade.programs.dxil.datalayout import DataLayout
from unshade.programs.dxil.model.constants import UndefinedValue
from unshade.programs.dxil.model.types import DxilType, StructType
from unshade.programs.dxil.model.typetable import TypeTable
from unshade.programs.dxil.shaderinfo import (
    DxilEntryPoint,
    DxilResource,
    DxilResources,
    DxilShader,
    DxilSignatureElement,
    DxilSignatures,
    EntryProperties,
    FieldAnnotation,
    StructAnnotation,
    read_shader,
)

TYPES = TypeTable()
F32, I32 = TYPES.floating("float"), TYPES.integer(32)
FLOAT, INT = 9, 4
NONE = 0xFFFF_FFFF


def element(**given: object) -> SignatureElement:
    fields = {
        "name": "TEXCOORD", "index": 1, "system_value": 0, "component_type": 3, "register": 2,
        "mask": 3, "rw_mask": 1, "stream": 0, **given,
    }  # fmt: skip
    return SignatureElement(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "is_input", "row"),
    [
        ({}, True, "; TEXCOORD                 1   xy          2     NONE   float   x   "),
        ({}, False, "; TEXCOORD                 1   xy          2     NONE   float    yzw"),
        (
            {"name": "SV_Depth", "system_value": 65, "register": NONE},
            False,
            "; SV_Depth                 1    N/A   oDepth    DEPTH   float    YES",
        ),
        (
            {"name": "A", "register": NONE, "component_type": 77, "rw_mask": 0},
            True,
            "; A                        1    N/A  special     NONE unknown     NO",
        ),
        (
            {"stream": 2, "component_type": 6},
            True,
            "; m2:TEXCOORD              1   xy          2     NONE    fp16   x   ",
        ),
    ],
)
def test_rows_of_signature_parts(given: dict[str, object], is_input: bool, row: str) -> None:
    signature = ProgramSignature(elements=[element(**given)])
    assert part_lines("Input", signature, is_input)[5:] == [row, ";"]


def test_empty_signatures() -> None:
    assert part_lines("Input", ProgramSignature(elements=[]), True)[-1] == "; no parameters"
    assert metadata_lines("Input", []) == []


def test_signatures_of_metadata() -> None:
    row = DxilSignatureElement(0, "COLOR", 9, 0, (3,), 5, 1, 4, 0, 0, dynamic_mask=5)
    assert metadata_lines("Output", [row])[-1] == (
        "; COLOR                    3 noperspective centroid     xz"
    )


def test_header() -> None:
    assert feature_lines(0) == []
    assert feature_lines(1 << 14 | 1 << 40) == [
        ";",
        "; Note: shader requires additional functionality:",
        ";       Wave level operations",
        ";",
        "; Note: shader has optional feature flags set:",
        ";",
    ]
    named = DxPart("ILDN", struct.pack("<HH", 0, 5) + b"a.pdb\0")
    assert debug_name_lines(named) == ["; shader debug name: a.pdb"]
    for data in (b"\0\0\x09\0a", b"\0\0\x09\0a\0", b"\0\0\x01\0abc\0"):
        assert "corruption" in debug_name_lines(DxPart("ILDN", data))[0]
    assert debug_name_lines(DxPart("ILDN", b"\0\0\0\0\0")) == []
    hashed = DxPart("HASH", b"\1\0\0\0" + bytes(16))
    assert hash_lines(hashed) == [f"; shader hash: {'00' * 16} (includes source)"]
    assert hash_lines(DxPart("HASH", b"short")) == []


def psv(info: bytes, size: int, *, stage: int = 0, names: bytes = b"\0main\0\0\0") -> bytes:
    more = struct.pack("<BBHBBBBI3II", stage, 1, 0, 1, 2, 3, 4, 5, 8, 4, 1, 1)
    runtime = (info.ljust(16, b"\0") + struct.pack("<II", 0, NONE) + more).ljust(size, b"\0")[:size]
    return struct.pack("<I", size) + runtime + struct.pack("<II", 0, len(names)) + names


@pytest.mark.parametrize(
    ("stage", "info", "lines"),
    [
        (0, b"\1\0", ["Pixel Shader", "DepthOutput=1", "SampleFrequency=0"]),
        (1, b"\1", ["Vertex Shader", "OutputPositionPresent=1"]),
        (
            2,
            struct.pack("<IIII", 7, 5, 3, 1),
            [
                "Geometry Shader",
                "InputPrimitive=triangleadj",
                "OutputTopology=triangle",
                "OutputStreamMask=3",
                "OutputPositionPresent=1",
            ],
        ),
        (
            3,
            struct.pack("<IIII", 4, 3, 2, 9),
            [
                "Hull Shader",
                "InputControlPointCount=4",
                "OutputControlPointCount=3",
                "Domain=tri",
                "OutputPrimitive=invalid",
            ],
        ),
        (4, b"\3", ["Domain Shader", "InputControlPointCount=3", "OutputPositionPresent=0"]),
        (5, b"", ["Compute Shader", "NumThreads=(8,4,1)"]),
        (13, b"", ["Mesh Shader", "MeshOutputTopology=undefined", "NumThreads=(8,4,1)"]),
        (6, b"", []),
    ],
)
def test_runtime_information(stage: int, info: bytes, lines: list[str]) -> None:
    found = runtime_lines(psv(info, 52, stage=stage), 0)
    at = found.index("; MinimumExpectedWaveLaneCount: 0")
    assert found[4:at] == [f"; {each}" for each in lines]
    assert found[-2:] == ["; EntryFunctionName: main", ";"]


DOMAINS = "invalid isoline tri quad invalid"
OUTPUTS = "invalid point line triangle_cw triangle_ccw invalid"
PRIMITIVES = "invalid point line triangle invalid invalid lineadj triangleadj patch1"
TOPOLOGIES = "invalid point invalid line invalid triangle invalid"
MESHES = "undefined line triangle invalid"


@pytest.mark.parametrize(
    ("stage", "place", "label", "names"),
    [
        (2, 0, "InputPrimitive", [*PRIMITIVES.split(), *(f"patch{at}" for at in range(2, 33)),
                                  "invalid"]),
        (2, 4, "OutputTopology", TOPOLOGIES.split()),
        (3, 8, "Domain", DOMAINS.split()),
        (3, 12, "OutputPrimitive", OUTPUTS.split()),
    ],
)  # fmt: skip
def test_names_of_numbers(stage: int, place: int, label: str, names: list[str]) -> None:
    for number, name in enumerate(names):
        info = bytes(place) + struct.pack("<I", number)
        assert f"; {label}={name}" in runtime_lines(psv(info, 52, stage=stage), 0)


@pytest.mark.parametrize(("number", "name"), list(enumerate(MESHES.split())))
def test_names_of_topologies_of_meshes(number: int, name: str) -> None:
    data = bytearray(psv(b"", 52, stage=13))
    data[4 + 24 + 3] = number
    assert f"; MeshOutputTopology={name}" in runtime_lines(bytes(data), 0)


def test_all_lines_of_runtime_information() -> None:
    assert runtime_lines(psv(b"\1\1", 52), 5) == [
        ";", "; Pipeline Runtime Information: ", ";", ";PSVRuntimeInfo:", "; Pixel Shader",
        "; DepthOutput=1", "; SampleFrequency=1", "; MinimumExpectedWaveLaneCount: 0",
        "; MaximumExpectedWaveLaneCount: 4294967295", "; UsesViewID: true", "; SigInputElements: 1",
        "; SigOutputElements: 2", "; SigPatchConstOrPrimElements: 3", "; SigInputVectors: 4",
        "; SigOutputVectors[0]: 5", "; SigOutputVectors[1]: 0", "; SigOutputVectors[2]: 0",
        "; SigOutputVectors[3]: 0", "; EntryFunctionName: main", ";",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "count"), [(23, 4), (24, 10), (35, 10), (36, 19), (51, 19), (52, 20)]
)
def test_lines_by_size(size: int, count: int) -> None:
    assert len(runtime_lines(psv(b"\1\1", size), 0)) == count


def test_older_and_damaged_runtime_information() -> None:
    assert runtime_lines(psv(b"\1", 24), 1)[4:6] == ["; Vertex Shader", "; OutputPositionPresent=1"]
    assert runtime_lines(b"\4\0\0\0\1", 1)[-2:] == [";", ";"]
    assert runtime_lines(psv(b"", 52, stage=5, names=b"")[:60], 5)[-2] == "; EntryFunctionName: "


def runtime_data(*parts: tuple[int, bytes]) -> bytes:
    """Return an RDAT part of these tables, by kind."""
    at = 8 + 4 * len(parts)
    offsets, body = [], b""
    for kind, data in parts:
        offsets.append(at + len(body))
        body += struct.pack("<II", kind, len(data)) + data
    return struct.pack(f"<II{len(parts)}I", 0x10, len(parts), *offsets) + body


def subobject_table(*rows: tuple[int, ...]) -> bytes:
    """Return a table of subobjects: kind, name and up to four words each."""
    padded = [(*row, 0, 0, 0, 0)[:6] for row in rows]
    return struct.pack("<II", len(rows), 24) + b"".join(struct.pack("<6I", *row) for row in padded)


def test_configurations_and_flags() -> None:
    rows = [
        (9, 1, 16, 8), (10, 3, 5), (12, 5, 6, 0x500), (12, 7, 7, 0), (12, 9, 7, 0x201),
        (11, 11, 2, 1, 3, 5), (11, 13, 1, 0, 0, 5), (1, 15, 4, 48), (2, 17, 4, 52), (0, 19, 4),
    ]  # fmt: skip
    names = b"\0" + b"".join(b"%c\0" % (97 + at) for at in range(10))
    found = subobject_lines(runtime_data((1, names), (6, subobject_table(*rows))))
    flag = "RAYTRACING_PIPELINE_FLAG_"
    invalid = "<invalid RaytracingPipelineFlags>"
    assert found[3:-1] == [
        ";  RaytracingShaderConfig a = "
        "{ MaxPayloadSizeInBytes = 16, MaxAttributeSizeInBytes = 8 };",
        ";  RaytracingPipelineConfig b = { MaxTraceRecursionDepth = 5 };",
        f";  RaytracingPipelineConfig1 c = {{ MaxTraceRecursionDepth = 6, Flags = "
        f"{flag}SKIP_TRIANGLES | {flag}ALLOW_OPACITY_MICROMAPS }};",
        ";  RaytracingPipelineConfig1 d = { MaxTraceRecursionDepth = 7, Flags = 0 };",
        f";  RaytracingPipelineConfig1 e = {{ MaxTraceRecursionDepth = 7, Flags = "
        f"{invalid} | {flag}SKIP_PROCEDURAL_PRIMITIVES }};",
        ';  HitGroup f = { HitGroupType = <invalid HitGroupType>, Anyhit = "a", Closesthit = "b", '
        'Intersection = "c" };',
        ';  HitGroup g = { HitGroupType = ProceduralPrimitive, Anyhit = "", Closesthit = "", '
        'Intersection = "c" };',
        ";  GlobalRootSignature h = { <48 bytes> };",
        ";  LocalRootSignature i = { <52 bytes> };",
        ";  StateObjectConfig j = { STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS };",
    ]


def test_subobjects() -> None:
    strings = b"\0hit\0near\0flags\0all\0"
    rows = [
        (11, 1, 0, 0, 5, 0),
        (0, 10, 3, 0, 0, 0),
        (1, 1, 0, 48, 0, 0),  # the second of a name
        (8, 16, 1, 0, 0, 0),
        (99, 0, 0, 0, 0, 0),
    ]
    indices = struct.pack("<III", 2, 1, 5)
    data = runtime_data((1, strings), (2, indices), (6, subobject_table(*rows)))
    flags = "STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS"
    other = "STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS"
    group = 'HitGroupType = Triangle, Anyhit = "", Closesthit = "near", Intersection = ""'
    assert subobject_lines(data) == [
        ";",
        "; Subobjects:",
        ";",
        f";  HitGroup hit = {{ {group} }};",
        f";  StateObjectConfig flags = {{ {flags} | {other} }};",
        ';  SubobjectToExportsAssociation all = { "hit", { "hit", "near" }  };',
        ";",
    ]
    assert subobject_lines(b"") == []
    assert subobject_lines(struct.pack("<II", 0x10, NONE)) == []


def test_view_id_state() -> None:
    assert view_id_lines([2, 3, 0b101, 0b110, 0b001], "vs", True, DEFAULT)[3:] == [
        "; Number of inputs: 2, outputs: 3",
        "; Outputs dependent on ViewId: { 0, 2 }",
        "; Inputs contributing to computation of Outputs:",
        ";   output 0 depends on inputs: { 1 }",
        ";   output 1 depends on inputs: { 0 }",
        ";   output 2 depends on inputs: { 0 }",
        ";",
    ]
    lines = view_id_lines([1, 1, 1, 0, 0, 0], "gs", False, DEFAULT)
    assert "; Number of inputs: 1, outputs per stream: { 1, 0, 0, 0 }" in lines
    assert "; Inputs contributing to computation of Outputs for Stream 0:" in lines
    lines = view_id_lines([1, 1, 0, 2, 1, 0], "ds", False, DEFAULT)
    assert lines[3] == "; Number of inputs: 1, outputs: 1, patchconst: 2"
    assert lines[-3:-1] == [
        "; PCInputs contributing to computation of Outputs:",
        ";   output 0 depends on inputs: { 0 }",
    ]


@pytest.mark.parametrize("words", [[], [4, 4], [1 << 31, 1 << 31]])
def test_view_id_state_that_is_too_short(words: list[int]) -> None:
    with pytest.raises(FormatError, match=r"dx\.viewIdState"):
        view_id_lines(words, "vs", False, DEFAULT)


def resource(type: DxilType, **given: object) -> DxilResource:
    fields = {"group": 2, "id": 0, "name": "b", "space": 0, "lower": 0, "registers": 1, "kind": 13}
    variable = UndefinedValue(TYPES.pointer(type))
    return DxilResource(variable=variable, **(fields | given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "row"),
    [
        ({"size": 16}, "   cbuffer      NA          NA     CB0            cb0     1"),
        (
            {"group": 0, "kind": 3, "samples": 4, "component_type": 9, "space": 2, "lower": 7},
            "   texture     f32       2dMS4      T0      t7,space2     1",
        ),
        (
            {"group": 1, "kind": 12, "has_counter": True, "registers": NONE},
            "       UAV  struct     r/w+cnt      U0             u0unbounded",
        ),
        (
            {"group": 0, "kind": 11},
            "   texture    byte         r/o      T0             t0     1",
        ),
        (
            {"group": 3, "kind": 1, "id": 5},
            "   sampler      NA          NA      S5             s0     1",
        ),
        (
            {"group": 1, "kind": 99},
            "       UAV invalid     invalid      U0             u0     1",
        ),
    ],
)  # fmt: skip
def test_bindings(given: dict[str, object], row: str) -> None:
    found = binding_lines(DxilResources([resource(F32, **given)], [], [], []))[5:]
    assert found == [f"; {'b':<31}{row}", ";"]


def shader_of(resource: DxilResource, *annotations: StructAnnotation, flags: int = 0) -> DxilShader:
    lists: list[list[DxilResource]] = [[], [], [], []]
    lists[resource.group].append(resource)
    entry = DxilEntryPoint(
        None, "main", DxilSignatures([], [], []), DxilResources(*lists), EntryProperties(flags)
    )
    plain = read_shader(saxpy().module)
    return plain._replace(entry_points=[entry], structures=list(annotations))


def lines_of(shader: DxilShader, limits: Limits = DEFAULT) -> list[str]:
    return buffer_lines(shader, DataLayout(saxpy().module.data_layout), limits)[3:]


def test_constant_buffers() -> None:
    inner = StructType("struct.Inner", [F32])
    rows = TYPES.array(4, TYPES.vector(3, F32))
    outer = StructType("b", [F32, TYPES.array(2, rows), TYPES.array(3, inner), TYPES.array(2, I32)])
    shader = shader_of(
        resource(outer, size=208),
        StructAnnotation(inner, 4, (FieldAnnotation("x", 0, FLOAT),)),
        StructAnnotation(
            outer,
            208,
            (
                FieldAnnotation("a", 0, FLOAT),
                FieldAnnotation("m", 16, FLOAT, matrix=(3, 4, 2)),
                FieldAnnotation("s", 144),
                FieldAnnotation("n", 192, 2),
            ),
        ),
    )
    assert lines_of(shader) == [
        "; cbuffer b",
        "; {",
        ";",
        ";   struct b",
        ";   {",
        ";",
        ";       float a;                                      ; Offset:    0",
        ";       column_major float3x4 m[2];                   ; Offset:   16",
        ";       struct struct.Inner",
        ";       {",
        ";",
        ";           float x;                                  ; Offset:  144",
        ";       ",
        ";       } s[3];;                                      ; Offset:  144",
        ";",
        ";       min16i n[2];                                  ; Offset:  192",
        ";   ",
        ";   } b;                                              ; Offset:    0 Size:   208",
        ";",
        "; }",
        ";",
    ]


@pytest.mark.parametrize(
    ("matrix", "levels", "declaration"),
    [
        ((3, 4, 1), (3,), "row_major float3x4 m;"), ((3, 4, 2), (4,), "column_major float3x4 m;"),
        ((3, 4, 1), (2, 3), "row_major float3x4 m[2];"),
        ((3, 4, 2), (2, 4), "column_major float3x4 m[2];"),
        ((3, 4, 1), (5, 2, 3), "row_major float3x4 m[10];"), ((3, 4, 0), (2, 3), "float3x4 m[6];"),
    ],
)  # fmt: skip
def test_matrices(matrix: tuple[int, ...], levels: tuple[int, ...], declaration: str) -> None:
    type: DxilType = TYPES.vector(4, F32)
    for count in reversed(levels):
        type = TYPES.array(count, type)
    whole = StructType("b", [type])
    note = StructAnnotation(whole, 64, (FieldAnnotation("m", 0, FLOAT, matrix=matrix),))
    lines = lines_of(shader_of(resource(whole, size=64), note))
    shown = [line.partition("; Offset")[0].strip("; ") for line in lines if "3x4" in line]
    assert shown == [declaration.strip(";")]


def test_native_low_precision_has_other_names() -> None:
    type = StructType("b", [I32])
    annotation = StructAnnotation(type, 4, (FieldAnnotation("n", 0, 2),))
    shader = shader_of(resource(type, size=4), annotation, flags=1 << 23)
    assert ";       int16_t n;                                    ; Offset:    0" in lines_of(
        shader
    )


def test_structured_buffers() -> None:
    inner = StructType("struct.S", [I32, TYPES.floating("double")])
    outer = StructType("class.StructuredBuffer<S>", [inner])
    view = resource(outer, group=0, kind=12)
    assert lines_of(shader_of(view)) == [
        "; Resource bind info for b",
        "; {",
        ";",
        ";   [16 x i8] (type annotation not present)",
        "; }",
        ";",
    ]
    fields = FieldAnnotation("i", 0, INT), FieldAnnotation("d", 4, 10)
    lines = lines_of(shader_of(view, StructAnnotation(inner, 0, fields)))
    assert ";       double d;                                     ; Offset:    8" in lines
    assert (
        ";   } $Element;                                       ; Offset:    0 Size:    16" in lines
    )
    plain = StructType("class.RWStructuredBuffer<float2>", [TYPES.vector(2, F32)])
    annotation = StructAnnotation(plain, 0, (FieldAnnotation("h", 0, FLOAT),))
    lines = lines_of(shader_of(resource(plain, group=1, kind=12), annotation))
    assert lines[3:] == [
        ";   float2 $Element;                                  ; Offset:    0 Size:     8",
        ";",
        "; }",
        ";",
    ]


def test_structures_that_share_parts_are_bounded() -> None:
    type: StructType = StructType("leaf", [F32])
    annotations = [StructAnnotation(type, 4, ())]
    for at in range(40):
        type = StructType(f"level{at}", [type, type])
        annotations.append(StructAnnotation(type, 4, ()))
    with pytest.raises(LimitError, match="members"):
        lines_of(shader_of(resource(type), *annotations), Limits(members=1000))
    loop = StructType("loop", [])
    loop.elements = [loop]
    with pytest.raises(LimitError, match="depth"):
        lines_of(shader_of(resource(loop), StructAnnotation(loop, 4, ())))


def test_buffers_of_other_types_are_refused() -> None:
    with pytest.raises(FormatError, match="expected a structure for 'b', got float"):
        lines_of(shader_of(resource(F32)))
