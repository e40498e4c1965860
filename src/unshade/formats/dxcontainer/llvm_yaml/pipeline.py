"""PSV0 in LLVM's YAML, and the tables of texts and indices as LLVM lays them out.

    PSVInfo:
      Version:         2
      ShaderStage:     4                 also for version 0, which does not store it
      …                                  what the stage has
      Resources:
        - Type:            2             a number in LLVM 19, a name later
      InputOutputMap:
        - [ 0x1, 0x2 ]                   words of the masks of stream 0

Source: LLVM 19, DXContainerYAML.cpp, MC/DXContainerPSVInfo.cpp, MC/StringTableBuilder.cpp.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ....errors import FormatError
from ....vocab.d3d import ShaderKind
from ....wire import Record, read, write
from ....wire.placement import Placement
from ..parts.psv0 import (
    INDICES,
    SIZES,
    STAGE_INFO,
    NoStageInfo,
    PipelineStateValidation,
    PsvElement,
    PsvResource,
    UnknownStageInfo,
    arguments_of,
)
from .keys import (
    BOOL,
    HEX8,
    HEX32,
    TEXT,
    U8,
    U16,
    U32,
    Flow,
    MappingKey,
    MappingReader,
    Names,
    Number,
    PartForm,
    Rows,
    ValueForm,
    elements,
    shown,
)
from .names import COMPONENT_TYPES, INTERPOLATIONS, RESOURCE_KINDS, RESOURCE_TYPES, SEMANTICS

__all__ = ["document", "part_data"]

NEWEST = 3  # version of the runtime information that LLVM knows
STREAMS = 4
MOST_ELEMENTS = 255
ALLOCATED = 0x40
RESOURCE_FLAGS = ("UsedByAtomic64",)

POSITION = MappingKey("OutputPositionPresent", U8, "output_position_present")
DOMAIN = MappingKey("TessellatorDomain", U32, "tessellator_domain")
CONTROL_POINTS = MappingKey("InputControlPointCount", U32, "input_control_points")
PAYLOAD = MappingKey("PayloadSizeInBytes", U32, "payload_size")
STAGES: dict[int, tuple[MappingKey, ...]] = {
    ShaderKind.PIXEL: (
        MappingKey("DepthOutput", U8, "depth_output"),
        MappingKey("SampleFrequency", U8, "sample_frequency"),
    ),
    ShaderKind.VERTEX: (POSITION,),
    ShaderKind.GEOMETRY: (
        MappingKey("InputPrimitive", U32, "input_primitive"),
        MappingKey("OutputTopology", U32, "output_topology"),
        MappingKey("OutputStreamMask", U32, "output_stream_mask"),
        POSITION,
    ),
    ShaderKind.HULL: (
        CONTROL_POINTS,
        MappingKey("OutputControlPointCount", U32, "output_control_points"),
        DOMAIN,
        MappingKey("TessellatorOutputPrimitive", U32, "tessellator_output_primitive"),
    ),
    ShaderKind.DOMAIN: (CONTROL_POINTS, POSITION, DOMAIN),
    ShaderKind.MESH: (
        MappingKey("GroupSharedBytesUsed", U32, "group_shared_bytes"),
        MappingKey("GroupSharedBytesDependentOnViewID", U32, "group_shared_bytes_by_view"),
        PAYLOAD,
        MappingKey("MaxOutputVertices", U16, "max_output_vertices"),
        MappingKey("MaxOutputPrimitives", U16, "max_output_primitives"),
    ),
    ShaderKind.AMPLIFICATION: (PAYLOAD,),
}
PATCH = (MappingKey("SigPatchConstOrPrimVectors", U8, "patch_vectors"),)
SIGNATURES: dict[int, tuple[MappingKey, ...]] = {
    ShaderKind.GEOMETRY: (MappingKey("MaxVertexCount", U16, "max_vertex_count"),),
    ShaderKind.HULL: PATCH,
    ShaderKind.DOMAIN: PATCH,
    ShaderKind.MESH: (
        MappingKey("SigPrimVectors", U8, "patch_vectors"),
        MappingKey("MeshOutputTopology", U8, "mesh_topology"),
    ),
}
HEAD = (MappingKey("Version", U32, "version"), MappingKey("ShaderStage", U8, "stage"))
WAVES = (
    MappingKey("MinimumWaveLaneCount", U32, "min_wave_lanes"),
    MappingKey("MaximumWaveLaneCount", U32, "max_wave_lanes"),
)
VIEW = (MappingKey("UsesViewID", U8, "uses_view_id"),)
VECTORS = (
    MappingKey("SigInputVectors", U8, "input_vectors"),
    MappingKey("SigOutputVectors", Flow(U8), "output_vectors"),
)
THREADS = tuple(MappingKey(f"NumThreads{each.upper()}", U32, f"threads_{each}") for each in "xyz")
ENTRY = (MappingKey("EntryName", TEXT, "entry_point"),)
STRIDE = (MappingKey("ResourceStride", U32, "resource_stride"),)


def _read_flags(node: Any, path: str) -> int:
    """Return the flags of a resource: a number in LLVM 19, a mapping later."""
    if not isinstance(node, dict):
        number: int = U32.read(node, path)
        return number
    reader = MappingReader(node, path)
    found = reader.values(*(MappingKey(name, BOOL, name) for name in RESOURCE_FLAGS))
    reader.finish()
    return sum(found[name] << bit for bit, name in enumerate(RESOURCE_FLAGS))


RESOURCE = (
    MappingKey("Type", Names(RESOURCE_TYPES, numbers=U32), "type"),
    MappingKey("Space", U32, "space"),
    MappingKey("LowerBound", U32, "lower_bound"),
    MappingKey("UpperBound", U32, "upper_bound"),
)
RESOURCE_2 = (
    *RESOURCE,
    MappingKey("Kind", Names(RESOURCE_KINDS, numbers=U32), "kind"),
    MappingKey("Flags", ValueForm(_read_flags, U32.show), "flags"),
)
ELEMENTS = Rows(
    MappingKey("Name", TEXT, "name"),
    MappingKey("Indices", Flow(U32), "indices"),
    MappingKey("StartRow", U8, "start_row"),
    MappingKey("Cols", Number(4), "column_count"),
    MappingKey("StartCol", Number(2), "start_column"),
    MappingKey("Allocated", BOOL, "allocated"),
    MappingKey("Kind", Names(SEMANTICS), "semantic"),
    MappingKey("ComponentType", Names(COMPONENT_TYPES), "component_type"),
    MappingKey("Interpolation", Names(INTERPOLATIONS), "interpolation"),
    MappingKey("DynamicMask", HEX8, "dynamic_mask"),
    MappingKey("Stream", Number(2), "stream"),
)
LISTS = (
    MappingKey("SigInputElements", ELEMENTS, "inputs"),
    MappingKey("SigOutputElements", ELEMENTS, "outputs"),
    MappingKey("SigPatchOrPrimElements", ELEMENTS, "patch"),
)
WORDS = Flow(HEX32)
STREAM_WORDS = ValueForm(
    lambda node, path: [
        WORDS.read(each, f"{path}[{i}]") for i, each in enumerate(elements(node, path))
    ],
    lambda values, path: [WORDS.show(each, path) for each in values],
)
VIEW_MASKS = (MappingKey("OutputVectorMasks", STREAM_WORDS, "view_outputs"),)
VIEW_PATCH = (MappingKey("PatchOrPrimMasks", WORDS, "view_patch"),)
MAPS = (MappingKey("InputOutputMap", STREAM_WORDS, "dependencies"),)
INPUT_PATCH = (MappingKey("InputPatchMap", WORDS, "patch_dependencies"),)
PATCH_OUTPUT = (MappingKey("PatchOutputMap", WORDS, "dependencies_on_patch"),)


def _information_keys(version: int, stage: int) -> tuple[MappingKey, ...]:
    """Return the keys of the runtime information, without stage-specific keys."""
    keys: tuple[MappingKey, ...] = WAVES
    if version >= 1:
        keys += VIEW + SIGNATURES.get(stage, ()) + VECTORS
    if version >= 2:
        keys += THREADS
    if version >= 3:
        keys += ENTRY
    resources = Rows(*(RESOURCE_2 if version >= 2 else RESOURCE))
    return (*keys, *STRIDE, MappingKey("Resources", resources, "resources"))


def _mask_keys(stage: int, view: int) -> tuple[MappingKey, ...]:
    keys: tuple[MappingKey, ...] = ()
    if view:
        keys += VIEW_MASKS + (VIEW_PATCH if stage == ShaderKind.HULL else ())
    keys += MAPS
    if stage == ShaderKind.HULL:
        keys += INPUT_PATCH
    return keys + (PATCH_OUTPUT if stage == ShaderKind.DOMAIN else ())


# -- reading --------------------------------------------------------------------------------------


def part_data(node: Any, path: str) -> bytes:
    """Return the data of the part that a mapping describes, without trailing zeros of its size."""
    reader = MappingReader(node, path)
    head = reader.values(*HEAD)
    version, stage = head["version"], head["stage"]
    if version > NEWEST:
        raise FormatError(f"expected a version of at most {NEWEST}, got {version}", path=path)
    stage_values = reader.values(*STAGES.get(stage, ()))
    found: dict[str, Any] = reader.values(*_information_keys(version, stage))
    del found["resource_stride"]  # as LLVM, which goes by the version
    found["resources"] = [PsvResource(**each) for each in found["resources"]]
    names: list[str] = [found["entry_point"]] if version >= 3 else []
    if version >= 1:
        for key in LISTS:
            rows = reader.values(key)[key.attribute]
            if len(rows) > MOST_ELEMENTS:
                problem = f"expected {MOST_ELEMENTS} elements at most, got {len(rows)}"
                raise FormatError(problem, path=f"{path}.{key.name}")
            found[key.attribute] = [_element(each) for each in rows]
            names += [each["name"] for each in rows]
        masks = reader.values(*_mask_keys(stage, found["uses_view_id"]))
        outputs = found.pop("output_vectors")
        if len(outputs) != STREAMS:
            problem = f"expected {STREAMS} numbers, got {len(outputs)}"
            raise FormatError(problem, path=f"{path}.SigOutputVectors")
        found |= {f"output_vectors_{i}": outputs[i] for i in range(STREAMS)}
        found |= _masks(masks, found, stage, path)
    reader.finish()
    made = PipelineStateValidation(
        info_size=SIZES[version],
        stage=stage if version else 0,
        stage_info=_stage_info(version, stage, stage_values),
        **found,
    )
    arguments = arguments_of(made.info_size, made.stage)
    if version == 0:
        return write(made, arguments)
    at = _laid_out(made, names)
    size = len(write(made, arguments))
    return write(made, arguments, placement=Placement(size, at, {}))


def _stage_info(version: int, stage: int, values: dict[str, Any]) -> Any:
    kind = STAGE_INFO.get(stage, NoStageInfo)
    info = kind(**values)
    return info if version else UnknownStageInfo(raw=write(info))


def _element(values: dict[str, Any]) -> PsvElement:
    count, start = values.pop("column_count"), values.pop("start_column")
    allocated, mask = values.pop("allocated"), values.pop("dynamic_mask")
    return PsvElement(
        columns=count | start << 4 | ALLOCATED * allocated,
        dynamic=mask & 15 | values.pop("stream") << 4,
        **values,
    )


def _masks(words: dict[str, Any], found: dict[str, Any], stage: int, path: str) -> dict[str, Any]:
    """Return the masks of a record, as numbers of any size, from the words of the text."""
    outputs = [found[f"output_vectors_{i}"] for i in range(STREAMS)]
    inputs, patch = found["input_vectors"], found.get("patch_vectors", 0)
    made: dict[str, Any] = {}
    for name, key, count in (("view_outputs", "OutputVectorMasks", 1),
                             ("dependencies", "InputOutputMap", 4 * inputs)):  # fmt: skip
        streams = words.get(name, [])
        if len(streams) > STREAMS:
            problem = f"expected {STREAMS} sequences, got {len(streams)}"
            raise FormatError(problem, path=f"{path}.{key}")
        for i, each in enumerate(streams):
            numbers = _numbers(each, outputs[i], count, f"{path}.{key}[{i}]")
            made[f"{name}_{i}"] = numbers if name == "dependencies" else sum(numbers)
    single = (
        ("view_patch", "PatchOrPrimMasks", patch, 1),
        ("patch_dependencies", "InputPatchMap", patch, 4 * inputs),
        ("dependencies_on_patch", "PatchOutputMap", outputs[0], 4 * patch),
    )
    for name, key, vectors, count in single:
        if name in words:
            numbers = _numbers(words[name], vectors, count, f"{path}.{key}")
            made[name] = sum(numbers) if name == "view_patch" else numbers
    return made


def _width(vectors: int) -> int:
    """Return the number of words of a mask for so many vectors."""
    return (vectors + 7) // 8


def _numbers(words: Sequence[int], vectors: int, count: int, path: str) -> list[int]:
    width = _width(vectors)
    if len(words) != width * count:
        raise FormatError(f"expected {width * count} words, got {len(words)}", path=path)
    starts = range(0, len(words), width or 1)
    return [sum(word << 32 * i for i, word in enumerate(words[at : at + width])) for at in starts]


def _laid_out(record: PipelineStateValidation, names: Sequence[str]) -> dict[str, int]:
    """Set the tables of a record as LLVM builds them; return the number of each reference.

    Texts are sorted by their letters from the last on, in descending order; a text that is a suffix
    of the previous text shares its bytes.
    """
    at: dict[str, int] = {}
    places: dict[str, int] = {}
    texts, size, before = [""], 1, ""
    for text in sorted(set(names), key=lambda text: text.encode()[::-1], reverse=True):
        length = len(text.encode())
        if before.endswith(text):
            places[text] = size - length - 1
            continue
        places[text] = size
        texts.append(text)
        size += length + 1
        before = text
    record.strings = texts + [""] * (-size % 4)
    if record.info_size >= SIZES[3]:
        at["entry_point"] = places[record.entry_point]
    lists = ("inputs", "outputs", "patch")
    rows = [(f"{name}[{i}]", x) for name in lists for i, x in enumerate(getattr(record, name))]
    _, numbers = INDICES.build([element.indices for _, element in rows], b"")
    for (path, element), number in zip(rows, numbers, strict=True):
        at[f"{path}.name"] = places[element.name]
        at[f"{path}.indices"] = number
    return at


# -- showing --------------------------------------------------------------------------------------


def document(record: PipelineStateValidation, stage: int | None) -> dict[str, Any] | None:
    """Return a part as a mapping of LLVM's YAML.

    `stage` is the program's stage, needed for version 0; None is returned without it.
    """
    version = min(sum(record.info_size >= size for size in SIZES) - 1, NEWEST)
    info: Record = record.stage_info
    if version:
        stage = record.stage
    elif stage is None:
        return None
    elif isinstance(info, UnknownStageInfo):
        info = _stage_of(info.raw, stage)
    values = {
        each.name: getattr(record, each.name) for each in PipelineStateValidation.layout.fields
    }
    values |= {
        "version": version,
        "stage": stage,
        "output_vectors": [values[f"output_vectors_{i}"] for i in range(STREAMS)],
        "resource_stride": 24 if version >= 2 or not record.resources else 16,
    }
    if record.resource_size is not None:
        values["resource_stride"] = record.resource_size
    found = shown(HEAD, values)
    found |= shown(STAGES.get(stage, ()), info)
    found |= shown(_information_keys(version, stage), values, "PSVInfo")
    if not version:
        return found
    for key in LISTS:
        values[key.attribute] = [_element_values(each) for each in values[key.attribute]]
    found |= shown(LISTS, values, "PSVInfo")
    _set_words(values)
    return found | shown(_mask_keys(stage, record.uses_view_id), values, "PSVInfo")


def _stage_of(raw: bytes, stage: int) -> Record:
    return read(STAGE_INFO.get(stage, NoStageInfo), raw)


def _element_values(element: PsvElement) -> dict[str, Any]:
    values = {each.name: getattr(element, each.name) for each in PsvElement.layout.fields}
    return values | {
        "column_count": element.columns & 15,
        "start_column": element.columns >> 4 & 3,
        "allocated": element.allocated,
        "dynamic_mask": element.dynamic & 15,
        "stream": element.stream,
    }


def _set_words(values: dict[str, Any]) -> None:
    """Replace the masks by the words that the text has for them."""
    outputs = values["output_vectors"]
    streams = range(STREAMS)
    values["view_outputs"] = [
        _words([values[f"view_outputs_{i}"] or 0] if outputs[i] else (), outputs[i])
        for i in streams
    ]
    values["dependencies"] = [_words(values[f"dependencies_{i}"], outputs[i]) for i in streams]
    patch = values["patch_vectors"] or 0
    values["view_patch"] = _words([values["view_patch"] or 0] if patch else (), patch)
    values["patch_dependencies"] = _words(values["patch_dependencies"], patch)
    values["dependencies_on_patch"] = _words(values["dependencies_on_patch"], outputs[0])


def _words(masks: Iterable[int], vectors: int) -> list[int]:
    width = _width(vectors)
    return [mask >> 32 * i & 0xFFFF_FFFF for mask in masks for i in range(width)]


FORM = PartForm(
    lambda node, path, _: part_data(node, path), lambda value, _, stage: document(value, stage)
)
