"""PSV0 in LLVM's YAML, and the tables of texts and indices as LLVM lays them out.

    PSVInfo:
      Version:         2
      ShaderStage:     4                 also for version 0, which does not store it
      …                                  keys of the stage
      Resources:
        - Type:            2             a number in LLVM 19, a name later
      InputOutputMap:
        - [ 0x1, 0x2 ]                   words of the masks of stream 0

Source: LLVM 19, DXContainerYAML.cpp, MC/DXContainerPSVInfo.cpp, MC/StringTableBuilder.cpp.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ....errors import FormatError
from ....vocab.d3d import ShaderKind
from ....wire import Record, read, write
from ....wire.codegen import constant, evaluate
from ....wire.record import Placement
from ....wire.types import Array, Integer
from ..parts.psv0 import (
    INDICES,
    SIZES,
    STAGE_INFO,
    NoStageInfo,
    PipelineStateValidation,
    UnknownStageInfo,
    arguments_of,
)
from .keys import (
    BOOL,
    HEX32,
    U8,
    U32,
    Fields,
    Flow,
    Listed,
    MappingKey,
    MappingReader,
    PartForm,
    ValueForm,
    shown,
)
from .records import Spelling, keys_of

__all__ = ["document", "part_data"]

NEWEST = 3  # version of the runtime information that LLVM knows
STREAMS = 4
MOST_ELEMENTS = 255

SPELLING: Spelling = {
    "input_control_points": "InputControlPointCount",
    "output_control_points": "OutputControlPointCount",
    "payload_size": "PayloadSizeInBytes",
    "MeshInfo.group_shared_bytes": "GroupSharedBytesUsed",
    "group_shared_bytes_by_view": "GroupSharedBytesDependentOnViewID",
    "min_wave_lanes": "MinimumWaveLaneCount",
    "max_wave_lanes": "MaximumWaveLaneCount",
    "patch_vectors": "SigPatchConstOrPrimVectors",
    "mesh_topology": "MeshOutputTopology",
    "input_vectors": "SigInputVectors",
    "output_vectors_0": (MappingKey("SigOutputVectors", Flow(U8), "output_vectors"),),  # of all
    "threads_x": "NumThreadsX",
    "threads_y": "NumThreadsY",
    "threads_z": "NumThreadsZ",
    "entry_point": "EntryName",
    "inputs": "SigInputElements",
    "outputs": "SigOutputElements",
    "patch": "SigPatchOrPrimElements",
    "columns": "Cols:4 StartCol:2 Allocated:1",
    "semantic": "Kind",
    "dynamic": "DynamicMask:4x Stream:2",
}
OF_MESH: Spelling = {**SPELLING, "patch_vectors": "SigPrimVectors"}
STAGES = {stage: keys_of(record, SPELLING) for stage, record in STAGE_INFO.items()}
INFORMATION = (
    *("min_wave_lanes", "max_wave_lanes", "uses_view_id", "max_vertex_count", "patch_vectors"),
    *("mesh_topology", "input_vectors", "output_vectors_0", "threads_x", "threads_y", "threads_z"),
    "entry_point",
)
# Stages of fields that the record has for others, too.
STAGES_OF = {
    "patch_vectors": (ShaderKind.HULL, ShaderKind.DOMAIN, ShaderKind.MESH),
    "mesh_topology": (ShaderKind.MESH,),
}
HEAD = (MappingKey("Version", U32, "version"), MappingKey("ShaderStage", U8, "stage"))
STRIDE = MappingKey("ResourceStride", U32, "resource_stride")


def _read_flags(node: Any, path: str) -> int:
    """Return the flags of a resource: a number in LLVM 19, a mapping later."""
    flags: int = (
        ATOMIC.read(node, path)["flags"] if isinstance(node, dict) else U32.read(node, path)
    )
    return flags


ATOMIC = Fields(MappingKey("UsedByAtomic64", BOOL, "flags", width=1))
RESOURCE: Spelling = {"flags": (MappingKey("Flags", ValueForm(_read_flags, U32.show), "flags"),)}
OLD_RESOURCE: Spelling = {"kind": "", "flags": ""}  # before version 2
LISTS = keys_of(PipelineStateValidation, SPELLING, ("inputs", "outputs", "patch"))
WORDS = Flow(HEX32)
STREAM_WORDS = Listed(WORDS)
# Masks: the key, the fields (a list for each stream, if there are several), and the stage that
# alone has them.
OF_VIEW = (
    ("OutputVectorMasks", "view_outputs_{}", None),
    ("PatchOrPrimMasks", "view_patch", ShaderKind.HULL),
)
MAPS = (
    ("InputOutputMap", "dependencies_{}", None),
    ("InputPatchMap", "patch_dependencies", ShaderKind.HULL),
    ("PatchOutputMap", "dependencies_on_patch", ShaderKind.DOMAIN),
)


@cache
def _information_keys(version: int, stage: int) -> tuple[MappingKey, ...]:
    """Return the keys of the runtime information, without stage-specific keys."""
    record = PipelineStateValidation
    known: dict[str, object] = {"version": version, "shader": stage}
    conditions = {each.name: each.when or "True" for each in record.layout.fields}
    names = [
        name
        for name in INFORMATION
        if stage in STAGES_OF.get(name, (stage,)) and constant(conditions[name], known)
    ]
    spelling = OF_MESH if stage == ShaderKind.MESH else SPELLING
    resource = RESOURCE if version >= 2 else OLD_RESOURCE
    return (
        *keys_of(record, spelling, names),
        STRIDE,
        *keys_of(record, resource, ("resources",)),
    )


def _mask_keys(stage: int, view: int) -> Iterator[tuple[MappingKey, list[str]]]:
    """Yield the key of each list of masks, and its fields."""
    for key, name, only in (OF_VIEW if view else ()) + MAPS:
        if only in (None, stage):
            fields = list(dict.fromkeys(name.format(i) for i in range(STREAMS)))
            yield MappingKey(key, STREAM_WORDS if len(fields) > 1 else WORDS, key), fields


def _extent(record: PipelineStateValidation, name: str) -> tuple[int, int]:
    """Return the number of words of a mask, and the number of masks in a field."""
    node = record.layout.by_name[name].type
    item = node.item if isinstance(node, Array) else node
    assert isinstance(item, Integer)
    count = evaluate(str(node.count), record, {}) if isinstance(node, Array) else 1
    return evaluate(item.size, record, {}) // 4, count


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
    names: list[str] = [found["entry_point"]] if version >= 3 else []
    mask_keys: list[tuple[MappingKey, list[str]]] = []
    if version >= 1:
        for key in LISTS:
            rows = reader.values(key)[key.attribute]
            if len(rows) > MOST_ELEMENTS:
                problem = f"expected {MOST_ELEMENTS} elements at most, got {len(rows)}"
                raise FormatError(problem, path=f"{path}.{key.name}")
            found[key.attribute] = rows
            names += [each.name for each in rows]
        mask_keys += _mask_keys(stage, found["uses_view_id"])
        masks = reader.values(*(key for key, _ in mask_keys))
        outputs = found.pop("output_vectors")
        if len(outputs) != STREAMS:
            problem = f"expected {STREAMS} numbers, got {len(outputs)}"
            raise FormatError(problem, path=f"{path}.SigOutputVectors")
        found |= {f"output_vectors_{i}": outputs[i] for i in range(STREAMS)}
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
    for key, fields in mask_keys:
        _set_masks(made, fields, masks[key.attribute], f"{path}.{key.name}")
    at = _laid_out(made, names)
    size = len(write(made, arguments))
    return write(made, arguments, placement=Placement(size, at, {}))


def _stage_info(version: int, stage: int, values: dict[str, Any]) -> Any:
    kind = STAGE_INFO.get(stage, NoStageInfo)
    info = kind(**values)
    return info if version else UnknownStageInfo(raw=write(info))


def _set_masks(
    record: PipelineStateValidation, fields: Sequence[str], words: list[Any], path: str
) -> None:
    """Set fields to masks, which are numbers of any size, from the words of the text."""
    if len(fields) == 1:
        words = [words]
    elif len(words) > len(fields):
        raise FormatError(f"expected {len(fields)} sequences, got {len(words)}", path=path)
    for i, (name, each) in enumerate(zip(fields, words, strict=False)):
        width, count = _extent(record, name)
        if len(each) != width * count:
            where = path if len(fields) == 1 else f"{path}[{i}]"
            raise FormatError(f"expected {width * count} words, got {len(each)}", path=where)
        starts = range(0, len(each), width or 1)
        masks = [sum(each[at + k] << 32 * k for k in range(width)) for at in starts]
        setattr(record, name, masks if isinstance(getattr(record, name), list) else sum(masks))


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
    found |= shown(LISTS, values, "PSVInfo")
    for key, fields in _mask_keys(stage, record.uses_view_id):
        words: list[Any] = [_words(record, name) for name in fields]
        found[key.name] = key.form.show(words if len(fields) > 1 else words[0], key.name)
    return found


def _stage_of(raw: bytes, stage: int) -> Record:
    return read(STAGE_INFO.get(stage, NoStageInfo), raw)


def _words(record: PipelineStateValidation, name: str) -> list[int]:
    """Return the words that the text has for the masks of a field."""
    value, (width, _) = getattr(record, name), _extent(record, name)
    masks = value if isinstance(value, list) else [value or 0]
    return [mask >> 32 * i & 0xFFFF_FFFF for mask in masks for i in range(width)]


FORM = PartForm(
    lambda node, path, _: part_data(node, path), lambda value, _, stage: document(value, stage)
)
