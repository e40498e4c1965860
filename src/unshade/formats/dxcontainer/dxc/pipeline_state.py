"""Pipeline state (PSV0) of a listing: a line for each number of the runtime information.

    ;PSVRuntimeInfo:
    ; Vertex Shader
    ; OutputPositionPresent=1
    ; MinimumExpectedWaveLaneCount: 0
    …

Longer runtime information has more lines: 36 bytes numbers of signature elements, 48 numbers of
threads, 52 the name of the entry point, 56 the size of group-shared memory.

Source: listings of dxc 1.10; DXC DxilPipelineStateValidation.h for offsets.
"""

from collections.abc import Callable

from ....isa.linked import LinkedLine, relinked
from ....vocab.d3d import ShaderKind

__all__ = ["runtime_lines"]

SIZES = (24, 36, 48, 52, 56)
SIGNATURES, THREADS, ENTRY, SHARED = 1, 2, 3, 4
LANES, VIEW_ID = ("min_wave_lanes", "max_wave_lanes"), "uses_view_id"
COUNTS = (
    ("SigInputElements", 28, "input_count"),
    ("SigOutputElements", 29, "output_count"),
    ("SigPatchConstOrPrimElements", 30, "patch_count"),
    ("SigInputVectors", 31, "input_vectors"),
    *((f"SigOutputVectors[{each}]", 32 + each, f"output_vectors_{each}") for each in range(4)),
)
TITLES = {
    ShaderKind.HULL: "Hull Shader",
    ShaderKind.DOMAIN: "Domain Shader",
    ShaderKind.GEOMETRY: "Geometry Shader",
    ShaderKind.VERTEX: "Vertex Shader",
    ShaderKind.PIXEL: "Pixel Shader",
    ShaderKind.COMPUTE: "Compute Shader",
    ShaderKind.AMPLIFICATION: "Amplification Shader",
    ShaderKind.MESH: "Mesh Shader",
}
DOMAINS = {1: "isoline", 2: "tri", 3: "quad"}
TESSELLATOR_OUTPUTS = {1: "point", 2: "line", 3: "triangle_cw", 4: "triangle_ccw"}
INPUT_PRIMITIVES = {1: "point", 2: "line", 3: "triangle", 6: "lineadj", 7: "triangleadj"}
INPUT_PRIMITIVES.update({number: f"patch{number - 7}" for number in range(8, 40)})
TOPOLOGIES = {1: "point", 3: "line", 5: "triangle"}
MESH_TOPOLOGIES = {0: "undefined", 1: "line", 2: "triangle"}
INVALID = "invalid"


class _RuntimeInfo:
    """The bytes of runtime information; `version` counts the members that were added after v0."""

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:4], "little")
        self.data = data[4 : 4 + size]
        self.version = sum(len(self.data) >= each for each in SIZES) - 1

    def u8(self, offset: int) -> int:
        return self.data[offset]

    def u32(self, offset: int) -> int:
        return int.from_bytes(self.data[offset : offset + 4], "little")


def runtime_lines(data: bytes, kind: int) -> list[str]:
    """Return the lines of a PSV0 part, linked to its fields; `kind` is the stage of the program."""
    info = _RuntimeInfo(data)
    lines = [";", "; Pipeline Runtime Information: ", ";"]
    if info.version < 0:
        return [*lines, ";"]
    if info.version >= SIGNATURES:
        kind = info.u8(24)
    lines.append(LinkedLine(";PSVRuntimeInfo:", "info_size"))
    title = TITLES.get(kind)  # type: ignore[call-overload]
    if title is not None:
        paths = ("stage",) if info.version >= SIGNATURES else ()
        lines.append(LinkedLine(f"; {title}", *paths))
        lines += ["; " + each for each in _stage_lines(info, kind)]
    least, most = info.u32(16), info.u32(20)
    if least == most:
        lines.append(LinkedLine(f"; WaveSize={least}", *LANES))
    else:
        lines.append(LinkedLine(f"; MinimumExpectedWaveLaneCount: {least}", LANES[0]))
        lines.append(LinkedLine(f"; MaximumExpectedWaveLaneCount: {most}", LANES[1]))
    if info.version >= SIGNATURES:
        lines.append(LinkedLine(f"; UsesViewID: {'true' if info.u8(25) else 'false'}", VIEW_ID))
        lines += [LinkedLine(f"; {name}: {info.u8(at)}", path) for name, at, path in COUNTS]
    if info.version >= ENTRY:
        name = _string(data, info.u32(48))
        lines.append(LinkedLine(f"; EntryFunctionName: {name}", "entry_point"))
    lines.append(";")
    return lines


def _stage_lines(info: _RuntimeInfo, kind: int) -> list[str]:
    lines = STAGES[kind](info)  # type: ignore[index]
    if info.version < SIGNATURES:  # which members the bytes are is known from the program alone
        return relinked(lines, lambda _: "stage_info")
    return lines


def _string(data: bytes, offset: int) -> str:
    """Return a string of the string table, which follows the resources."""
    at = 4 + int.from_bytes(data[:4], "little")
    count = int.from_bytes(data[at : at + 4], "little")
    at += 4
    if count:
        stride = int.from_bytes(data[at : at + 4], "little")
        at += 4 + count * stride
    size = int.from_bytes(data[at : at + 4], "little")
    table = data[at + 4 : at + 4 + size]
    return table[offset:].split(b"\0")[0].decode("utf-8", "surrogateescape")


def _line(text: str, member: str) -> str:
    return LinkedLine(text, f"stage_info.{member}")


def _hull(info: _RuntimeInfo) -> list[str]:
    domain = DOMAINS.get(info.u32(8), INVALID)
    primitive = TESSELLATOR_OUTPUTS.get(info.u32(12), INVALID)
    return [
        _line(f"InputControlPointCount={info.u32(0)}", "input_control_points"),
        _line(f"OutputControlPointCount={info.u32(4)}", "output_control_points"),
        _line(f"Domain={domain}", "tessellator_domain"),
        _line(f"OutputPrimitive={primitive}", "tessellator_output_primitive"),
    ]


def _domain(info: _RuntimeInfo) -> list[str]:
    return [
        _line(f"InputControlPointCount={info.u32(0)}", "input_control_points"),
        _line(f"OutputPositionPresent={int(info.u8(4) != 0)}", "output_position_present"),
    ]


def _geometry(info: _RuntimeInfo) -> list[str]:
    return [
        _line(f"InputPrimitive={INPUT_PRIMITIVES.get(info.u32(0), INVALID)}", "input_primitive"),
        _line(f"OutputTopology={TOPOLOGIES.get(info.u32(4), INVALID)}", "output_topology"),
        _line(f"OutputStreamMask={info.u32(8)}", "output_stream_mask"),
        _line(f"OutputPositionPresent={int(info.u8(12) != 0)}", "output_position_present"),
    ]


def _vertex(info: _RuntimeInfo) -> list[str]:
    return [_line(f"OutputPositionPresent={int(info.u8(0) != 0)}", "output_position_present")]


def _pixel(info: _RuntimeInfo) -> list[str]:
    return [
        _line(f"DepthOutput={int(info.u8(0) != 0)}", "depth_output"),
        _line(f"SampleFrequency={int(info.u8(1) != 0)}", "sample_frequency"),
    ]


def _threads(info: _RuntimeInfo) -> list[str]:
    lines: list[str] = []
    if info.version >= THREADS:
        text = f"NumThreads=({info.u32(36)},{info.u32(40)},{info.u32(44)})"
        lines.append(LinkedLine(text, "threads_x", "threads_y", "threads_z"))
    if info.version >= SHARED:
        text = f"NumBytesGroupSharedMemory: {info.u32(52)}"
        lines.append(LinkedLine(text, "group_shared_bytes"))
    return lines


def _mesh(info: _RuntimeInfo) -> list[str]:
    lines: list[str] = []
    if info.version >= SIGNATURES:
        topology = MESH_TOPOLOGIES.get(info.u8(27), INVALID)
        lines.append(LinkedLine(f"MeshOutputTopology={topology}", "mesh_topology"))
    return [*lines, *_threads(info)]


STAGES: dict[ShaderKind, Callable[[_RuntimeInfo], list[str]]] = {
    ShaderKind.HULL: _hull,
    ShaderKind.DOMAIN: _domain,
    ShaderKind.GEOMETRY: _geometry,
    ShaderKind.VERTEX: _vertex,
    ShaderKind.PIXEL: _pixel,
    ShaderKind.COMPUTE: _threads,
    ShaderKind.AMPLIFICATION: _threads,
    ShaderKind.MESH: _mesh,
}
