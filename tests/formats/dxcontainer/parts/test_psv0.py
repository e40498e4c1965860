"""PSV0: versions, stages, masks as text, dependencies as sentences."""

import struct

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import pipeline_state, typed
from unshade.errors import FormatError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.masks import COLUMNS, COMPONENTS, DYNAMIC, component_names
from unshade.formats.dxcontainer.parts.psv0 import (
    MeshInfo,
    NoStageInfo,
    PipelineStateValidation,
    PsvElement,
    UnknownStageInfo,
)
from unshade.wire import write


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


@pytest.mark.parametrize("size", [24, 36, 48, 52, 56])
def test_versions_by_size(size: int) -> None:
    data = typed("PSV0", pipeline_state(size))
    found = load(data)["PSV0"]
    assert found == pipeline_state(size)
    assert load(data).parts["PSV0"].data[:4] == struct.pack("<I", size)


def test_information_of_a_newer_version_is_kept() -> None:
    part = load(typed("PSV0", pipeline_state(56))).parts["PSV0"].data
    longer = struct.pack("<I", 64) + part[4:60] + b"NEWER..." + part[60:]
    shader = load(container([("PSV0", longer)]))
    assert shader["PSV0"].later == b"NEWER..."
    assert shader["PSV0"].inputs[0].name == "COLOR"
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


def test_longer_rows_are_kept() -> None:
    found = pipeline_state()
    found.resource_size = 28
    found.resources[0].later = b"more"
    found.element_size = 20
    for each in found.inputs + found.outputs:
        each.later = b"also"
    shader = load(typed("PSV0", found))
    assert shader["PSV0"] == found


def test_the_stage_chooses_the_information() -> None:
    assert isinstance(load(typed("PSV0", pipeline_state(stage=13)))["PSV0"].stage_info, MeshInfo)
    version_0 = load(typed("PSV0", pipeline_state(24)))["PSV0"]
    assert isinstance(version_0.stage_info, UnknownStageInfo)


@pytest.mark.parametrize("size", [0, 4, 23])
def test_too_little_information(size: int) -> None:
    shader = load(container([("PSV0", struct.pack("<I", size) + bytes(100))]))
    (found,) = shader.diagnostics
    assert found.code == "part.malformed"
    assert f"expected at least 24 bytes of runtime information, got {size}" in found.message
    assert [span.kind for span in shader.parts[0].spans()] == ["raw"]
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


def test_masks_are_text_in_plain_data() -> None:
    fields = load(typed("PSV0", pipeline_state())).to_data()["parts"][0]["fields"]
    assert fields["view_outputs_0"] == "0.x 9.x"
    assert fields["dependencies_0"] == ["0.x", "", "11.w", "", "", "", "", ""]
    assert fields["inputs"][0]["columns"] == "xy"
    assert not {"input_count", "string_size", "strings", "indices", "resource_size"} & fields.keys()


def test_dependencies_as_sentences() -> None:
    found = pipeline_state()
    found.view_outputs_0 = 0b0001
    found.dependencies_0 = [0b0011_0000, 0, 0, 0, 0, 0, 0, 0b0011_0000]
    found.output_vectors_0 = 2
    assert list(found.described()) == [
        "output 0.x depends on the view",
        "output 1.xy depends on input 0.x, 1.w",
    ]
    found = pipeline_state(stage=3)
    assert "patch constant 0.x depends on input 0.x" in list(found.described())


@pytest.mark.parametrize(
    ("text", "number"), [("", 0), ("0.x", 1), ("0.xyzw 2.yw", 0xA0F), ("32.x", 1 << 128)]
)
def test_spelling_of_masks(text: str, number: int) -> None:
    assert component_names(number) == text
    assert COMPONENTS.number(text, "") == number
    assert COMPONENTS.number(number, "") == number


@pytest.mark.parametrize("text", ["x", "0", "0.", "0.q", "a.x", "9999.x", None, ["0.x"]])
def test_invalid_masks_are_refused(text: object) -> None:
    with pytest.raises(FormatError):
        COMPONENTS.number(text, "mask")


def test_spelling_of_columns() -> None:
    assert COLUMNS.shown(0x53) == "yzw"
    assert COLUMNS.number("yzw", "") == 0x53
    assert COLUMNS.shown(0x03) == "3 unallocated"
    assert COLUMNS.shown(0x74) == 0x74, "four columns from w on do not exist"
    assert DYNAMIC.shown(0x21) == "x, stream 2"
    with pytest.raises(FormatError, match="expected a number or one of"):
        COLUMNS.number("wx", "")


def test_all_columns_and_dynamic_masks() -> None:
    """Every number with a text; from the first component on, an element has up to four."""
    assert COLUMNS.words == {
        **{0: "0 unallocated", 1: "1 unallocated", 2: "2 unallocated", 3: "3 unallocated"},
        **{4: "4 unallocated", 0x41: "x", 0x42: "xy", 0x43: "xyz", 0x44: "xyzw", 0x51: "y"},
        **{0x52: "yz", 0x53: "yzw", 0x61: "z", 0x62: "zw", 0x71: "w"},
    }
    masks = ["", "x", "y", "xy", "z", "xz", "yz", "xyz"]
    masks += [each + "w" for each in masks]
    assert DYNAMIC.words == {
        16 * stream + at: ", ".join(filter(None, [mask, f"stream {stream}" * (stream > 0)]))
        for stream in range(4)
        for at, mask in enumerate(masks)
    }


@pytest.mark.parametrize("size", [24, 36, 48, 52, 56])
def test_default_information_is_zeros(size: int) -> None:
    """Only the sizes are not: of the information, and of no resources."""
    found = PipelineStateValidation(info_size=size, stage_info=NoStageInfo())
    version = [24, 36, 48, 52, 56].index(size)
    data = write(found, (("shader", 5), ("version", version)))
    assert struct.unpack_from("<I", data) == (size,)
    assert not any(data[4 : 4 + size])
    assert struct.unpack_from("<I", data, 4 + size) == (0,)


def test_a_mask_that_is_too_long() -> None:
    found = pipeline_state()
    found.view_outputs_0 = 1 << 64
    with pytest.raises(unshade.EncodeError):
        typed("PSV0", found)


def test_masks_of_elements() -> None:
    """Bits 0 to 3 count the components, 4 and 5 are the first, 6 is set if it is allocated."""
    wrong = []
    for columns in range(0x80):
        count, first, allocated = columns & 15, columns >> 4 & 3, columns >> 6
        letters = "xyzw"[first if allocated else 0 :][:count]
        element = PsvElement(name="", indices=[0], columns=columns, dynamic=columns & 0x30)
        mask = sum(1 << "xyzw".index(each) for each in letters)
        found = element.mask(), element.allocated, element.stream
        if found != (mask, bool(allocated), first):
            wrong.append((hex(columns), found))
    assert wrong == []


def test_sentences_of_dependences() -> None:
    """A component is bit 4 * register + number; the masks are by component of the inputs."""
    found = pipeline_state()
    for name in ("view_outputs_0", "dependencies_0", "patch_dependencies", "dependencies_on_patch"):
        setattr(found, name, 0 if name.startswith("view") else [])
    assert list(found.described()) == []
    found.dependencies_0 = [0b1, 0b11, 0, 1 << 6]
    found.view_outputs_0 = 0b100 | 1 << 9
    assert list(found.described()) == [
        "output 0.x depends on input 0.xy",
        "output 0.y depends on input 0.y",
        "output 0.z depends on the view",
        "output 1.z depends on input 0.w",
        "output 2.y depends on the view",
    ]
    found.view_outputs_0 = 0b11
    found.dependencies_0 = [0b11, 0, 0, 0, 0b11]
    assert list(found.described()) == ["output 0.xy depends on input 0.x, 1.x and the view"]
    found.view_outputs_0, found.dependencies_0 = 0, []
    found.dependencies_2, found.view_outputs_3 = [0b1000], 0b1
    found.patch_dependencies, found.view_patch = [1], 1
    found.dependencies_on_patch = [0, 1]
    assert list(found.described()) == [
        "output 2:0.w depends on input 0.x",
        "output 3:0.x depends on the view",
        "patch constant 0.x depends on input 0.x and the view",
        "output 0.x depends on patch constant 0.y",
    ]
