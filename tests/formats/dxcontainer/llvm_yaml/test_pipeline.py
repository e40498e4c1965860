"""PSV0 in LLVM's YAML: the example of LLVM's document, stages, masks, tables."""

import pytest

import unshade
from tests.fixtures.one_of_each import pipeline_state, typed
from unshade import FormatError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.llvm_yaml import to_text
from unshade.formats.dxcontainer.parts.masks import COLUMNS
from unshade.formats.dxcontainer.parts.psv0 import PipelineStateValidation, PsvElement, VertexInfo
from unshade.vocab.d3d import RegisterComponentType as Type
from unshade.vocab.d3d import ShaderKind
from unshade.vocab.dxil import DxilInterpolation as Mode

# The output of a vertex shader that LLVM's document of PSV0 uses as its example: a structure
# {float4; float2[4]; {float4; float3}; int4} with the semantic A.
VSOUT = [
    ([0], "xyzw", Type.FLOAT32, Mode.LINEAR),
    ([1, 2, 3, 4], "xy", Type.FLOAT32, Mode.LINEAR),
    ([5], "xyzw", Type.FLOAT32, Mode.LINEAR),
    ([6], "xyz", Type.FLOAT32, Mode.LINEAR),
    ([7], "xyzw", Type.SINT32, Mode.CONSTANT),
]


def vsout() -> PipelineStateValidation:
    return PipelineStateValidation(
        info_size=36,
        stage=ShaderKind.VERTEX,
        stage_info=VertexInfo(output_position_present=0),
        input_vectors=0,
        output_vectors_0=8,
        outputs=[
            PsvElement(
                name="A",
                indices=indices,
                start_row=indices[0],
                columns=COLUMNS.number(columns, ""),
                component_type=kind,
                interpolation=mode,
            )
            for indices, columns, kind, mode in VSOUT
        ],
    )


def element(indices: str, row: int, columns: int, kind: str, mode: str) -> str:
    return f"""\
        - Name:            A
          Indices:         [ {indices} ]
          StartRow:        {row}
          Cols:            {columns}
          StartCol:        0
          Allocated:       true
          Kind:            Arbitrary
          ComponentType:   {kind}
          Interpolation:   {mode}
          DynamicMask:     0x0
          Stream:          0
"""


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


def test_the_example_of_the_document() -> None:
    text = to_text(load(typed("PSV0", vsout())))
    wanted = "      SigOutputElements:\n" + "".join(
        (
            element("0", 0, 4, "Float32", "Linear"),
            element("1, 2, 3, 4", 1, 2, "Float32", "Linear"),
            element("5", 5, 4, "Float32", "Linear"),
            element("6", 6, 3, "Float32", "Linear"),
            element("7", 7, 4, "SInt32", "Constant"),
        )
    )
    assert wanted in text
    assert from_text(text)["PSV0"].outputs == vsout().outputs


@pytest.mark.parametrize("stage", [0, 1, 2, 3, 4, 5, 13, 14])
@pytest.mark.parametrize("size", [36, 48, 52])
def test_stages_and_versions(size: int, stage: int) -> None:
    found = pipeline_state(size, stage=stage)
    shader = load(typed("PSV0", found))
    made = from_text(to_text(shader))["PSV0"]
    for name in ("info_size", "stage", "stage_info", "resources", "entry_point", "inputs"):
        assert getattr(made, name) == getattr(found, name), name
    assert made.dependencies_0 == found.dependencies_0
    assert made.view_outputs_0 == found.view_outputs_0


def test_a_newer_version_is_printed_as_the_newest_known() -> None:
    text = to_text(load(typed("PSV0", pipeline_state(56))))
    assert "      Version:         3\n" in text
    assert text.startswith("# PSV0: ")


def from_text(text: str) -> DxContainer:
    shader = unshade.from_yaml(text)
    assert isinstance(shader, DxContainer)
    return shader


HEAD = """--- !dxcontainer
Header:
  Hash: [ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ]
  Version: { Major: 1, Minor: 0 }
  PartCount: 1
Parts:
  - Name: PSV0
    Size: 400
    PSVInfo:
      Version: 2
      ShaderStage: 5
      MinimumWaveLaneCount: 0
      MaximumWaveLaneCount: 4294967295
      UsesViewID: 0
      SigInputVectors: {inputs}
      SigOutputVectors: [ 1, 0, 0, 0 ]
      NumThreadsX: 1
      NumThreadsY: 1
      NumThreadsZ: 1
      ResourceStride: 24
      Resources:
        - { Type: UAVRaw, Space: 0, LowerBound: 0, UpperBound: 0, Kind: RawBuffer,
            Flags: { UsedByAtomic64: true } }
        - { Type: 3, Space: 0, LowerBound: 0, UpperBound: 0, Kind: 2, Flags: 0 }
      SigInputElements: {elements}
      SigOutputElements: []
      SigPatchOrPrimElements: []
      InputOutputMap: {map}
"""
ROW = (
    "{ Name: NAME, Indices: [ 0 ], StartRow: 0, Cols: 4, StartCol: 0, Allocated: true,"
    " Kind: Arbitrary, ComponentType: Float32, Interpolation: Linear, DynamicMask: 0,"
    " Stream: 0 }"
)


def text_of(inputs: int = 0, map: str = "[]", elements: str = "[]") -> str:
    text = HEAD.replace("{inputs}", str(inputs)).replace("{map}", map)
    return text.replace("{elements}", elements)


def test_names_of_later_versions_are_read() -> None:
    resources = from_text(text_of())["PSV0"].resources
    assert [(each.type, each.kind, each.flags) for each in resources] == [(7, 11, 1), (3, 2, 0)]


def test_masks_have_the_words_that_the_vectors_need() -> None:
    found = from_text(text_of(1, "[[ 1, 2, 4, 8 ]]"))["PSV0"]
    assert found.dependencies_0 == [1, 2, 4, 8]
    with pytest.raises(FormatError, match="expected 4 words, got 1") as caught:
        from_text(text_of(1, "[[ 1 ]]"))
    assert caught.value.path == "Parts[0].PSVInfo.InputOutputMap[0]"
    with pytest.raises(FormatError, match="expected 4 sequences, got 5"):
        from_text(text_of(0, "[[],[],[],[],[]]"))


def test_texts_share_their_ends() -> None:
    names = ["Foo", "AFoo", "Bar", ""]
    rows = "[ " + ", ".join(ROW.replace("NAME", each or "''") for each in names) + " ]"
    found = from_text(text_of(0, "[]", rows))
    assert [each.name for each in found["PSV0"].inputs] == names
    assert found["PSV0"].strings[:3] == ["", "Bar", "AFoo"]


@pytest.mark.slow
def test_too_many_elements() -> None:
    with pytest.raises(FormatError, match="expected 255 elements at most, got 256"):
        from_text(text_of(0, "[]", "[ " + ", ".join([ROW] * 256) + " ]"))


def test_a_part_that_is_too_small() -> None:
    with pytest.raises(FormatError, match="expected a size of at least"):
        from_text(text_of().replace("Size: 400", "Size: 40"))
