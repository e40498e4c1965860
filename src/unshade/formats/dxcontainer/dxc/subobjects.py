"""Subobjects of a listing: state of pipelines that a library defines, from RDAT.

    ;  GlobalRootSignature grs = { <48 bytes> };
    ;  HitGroup hit = { HitGroupType = Triangle, Anyhit = "", Closesthit = "c", Intersection = "" };

RDAT consists of a header, offsets of tables, and tables with a kind and a size. Records of the
table of subobjects have a kind, the offset of a name, and three words by kind.

Source: listings of dxc; DXC RDAT_SubobjectTypes.inl for fields and flags.
"""

from collections.abc import Callable

from ....tuples import NamedTuple

__all__ = ["subobject_lines"]

STRINGS, INDICES, BYTES, SUBOBJECTS = 1, 2, 5, 6
STATE_FLAGS = {
    1: "STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS",
    2: "STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS",
    4: "STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS",
}
PIPELINE_FLAGS = {
    0x100: "RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES",
    0x200: "RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES",
    0x400: "RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS",
}
HIT_GROUPS = {0: "Triangle", 1: "ProceduralPrimitive"}


class _Tables:
    """The tables of RDAT by kind."""

    def __init__(self, data: bytes) -> None:
        self.tables: dict[int, bytes] = {}
        for at in range(8, min(8 + 4 * _u32(data, 4), len(data) - 3), 4):
            offset = _u32(data, at)
            kind, size = _u32(data, offset), _u32(data, offset + 4)
            self.tables.setdefault(kind, data[offset + 8 : offset + 8 + size])

    def string(self, offset: int) -> str:
        table = self.tables.get(STRINGS, b"")
        return table[offset:].split(b"\0", 1)[0].decode("utf-8", "surrogateescape")

    def strings(self, index: int) -> list[str]:
        """Return the strings of an array of indices."""
        table = self.tables.get(INDICES, b"")
        count = _u32(table, 4 * index)
        places = range(4 * index + 4, min(4 * (index + 1 + count), len(table) - 3), 4)
        return [self.string(_u32(table, at)) for at in places]


class _Fields(NamedTuple):
    """The words of a subobject after its name."""

    tables: _Tables
    words: tuple[int, int, int, int]


def subobject_lines(data: bytes) -> list[str]:
    """Return the lines of an RDAT part; none without subobjects."""
    tables = _Tables(data)
    table = tables.tables.get(SUBOBJECTS, b"")
    count, stride = _u32(table, 0), _u32(table, 4)
    if stride < 8:
        return []
    lines: dict[str, str] = {}
    for at in range(8, min(8 + count * stride, len(table) - stride + 1), stride):
        row = table[at : at + stride]
        kind, name = _u32(row, 0), tables.string(_u32(row, 4))
        known = KINDS.get(kind)
        if known is None or name in lines:
            continue
        word, text = known
        words = (_u32(row, 8), _u32(row, 12), _u32(row, 16), _u32(row, 20))
        lines[name] = f";  {word} {name} = {{ {text(_Fields(tables, words))} }};"
    return [";", "; Subobjects:", ";", *lines.values(), ";"] if lines else []


def _u32(data: bytes, at: int) -> int:
    """Return a word, or 0 after the end."""
    return int.from_bytes(data[at : at + 4], "little")


def _flags(flags: int, names: dict[int, str], unknown: str) -> str:
    bits = [1 << bit for bit in range(32) if flags >> bit & 1]
    return " | ".join(names.get(bit, f"<invalid {unknown}>") for bit in bits) or "0"


def _state(fields: _Fields) -> str:
    return _flags(fields.words[0], STATE_FLAGS, "StateObjectFlag")


def _root_signature(fields: _Fields) -> str:
    return f"<{fields.words[1]} bytes>"


def _association(fields: _Fields) -> str:
    tables, (subobject, exports, *_) = fields
    names = ", ".join(f'"{each}"' for each in tables.strings(exports))
    return f'"{tables.string(subobject)}", {{ {names} }} '


def _shader_config(fields: _Fields) -> str:
    payload, attributes, *_ = fields.words
    return f"MaxPayloadSizeInBytes = {payload}, MaxAttributeSizeInBytes = {attributes}"


def _pipeline(fields: _Fields) -> str:
    return f"MaxTraceRecursionDepth = {fields.words[0]}"


def _pipeline_1(fields: _Fields) -> str:
    flags = _flags(fields.words[1], PIPELINE_FLAGS, "RaytracingPipelineFlags")
    return f"{_pipeline(fields)}, Flags = {flags}"


def _hit_group(fields: _Fields) -> str:
    kind, *names = fields.words
    any_hit, closest, intersection = map(fields.tables.string, names)
    word = HIT_GROUPS.get(kind, "<invalid HitGroupType>")
    return (
        f'HitGroupType = {word}, Anyhit = "{any_hit}", Closesthit = "{closest}", '
        f'Intersection = "{intersection}"'
    )


KINDS: dict[int, tuple[str, Callable[[_Fields], str]]] = {
    0: ("StateObjectConfig", _state),
    1: ("GlobalRootSignature", _root_signature),
    2: ("LocalRootSignature", _root_signature),
    8: ("SubobjectToExportsAssociation", _association),
    9: ("RaytracingShaderConfig", _shader_config),
    10: ("RaytracingPipelineConfig", _pipeline),
    11: ("HitGroup", _hit_group),
    12: ("RaytracingPipelineConfig1", _pipeline_1),
}
