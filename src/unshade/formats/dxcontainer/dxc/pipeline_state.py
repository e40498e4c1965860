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

from ....vocab.d3d import ShaderKind

__all__ = ["runtime_lines"]

SIZES = (24, 36, 48, 52, 56)
SIGNATURES, THREADS, ENTRY, SHARED = 1, 2, 3, 4
STREAMS = 4
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
    """The bytes of runtime information; `version` counts the members that it has beyond v0."""

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:4], "little")
        self.data = data[4 : 4 + size]
        self.version = sum(len(self.data) >= each for each in SIZES) - 1

    def u8(self, offset: int) -> int:
        return self.data[offset]

    def u32(self, offset: int) -> int:
        return int.from_bytes(self.data[offset : offset + 4], "little")


def runtime_lines(data: bytes, kind: int) -> list[str]:
    """Return the lines of a PSV0 part; `kind` is the stage of the program."""
    info = _RuntimeInfo(data)
    lines = [";", "; Pipeline Runtime Information: ", ";"]
    if info.version < 0:
        return [*lines, ";"]
    if info.version >= SIGNATURES:
        kind = info.u8(24)
    lines.append(";PSVRuntimeInfo:")
    title = TITLES.get(kind)  # type: ignore[call-overload]
    if title is not None:
        lines.append(f"; {title}")
        lines += [f"; {each}" for each in STAGES[kind](info)]  # type: ignore[index]
    least, most = info.u32(16), info.u32(20)
    if least == most:
        lines.append(f"; WaveSize={least}")
    else:
        lines.append(f"; MinimumExpectedWaveLaneCount: {least}")
        lines.append(f"; MaximumExpectedWaveLaneCount: {most}")
    if info.version >= SIGNATURES:
        lines.append(f"; UsesViewID: {'true' if info.u8(25) else 'false'}")
        lines.append(f"; SigInputElements: {info.u8(28)}")
        lines.append(f"; SigOutputElements: {info.u8(29)}")
        lines.append(f"; SigPatchConstOrPrimElements: {info.u8(30)}")
        lines.append(f"; SigInputVectors: {info.u8(31)}")
        for stream in range(STREAMS):
            lines.append(f"; SigOutputVectors[{stream}]: {info.u8(32 + stream)}")
    if info.version >= ENTRY:
        lines.append(f"; EntryFunctionName: {_string(data, info.u32(48))}")
    lines.append(";")
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


def _hull(info: _RuntimeInfo) -> list[str]:
    return [
        f"InputControlPointCount={info.u32(0)}",
        f"OutputControlPointCount={info.u32(4)}",
        f"Domain={DOMAINS.get(info.u32(8), INVALID)}",
        f"OutputPrimitive={TESSELLATOR_OUTPUTS.get(info.u32(12), INVALID)}",
    ]


def _domain(info: _RuntimeInfo) -> list[str]:
    return [
        f"InputControlPointCount={info.u32(0)}",
        f"OutputPositionPresent={int(info.u8(4) != 0)}",
    ]


def _geometry(info: _RuntimeInfo) -> list[str]:
    return [
        f"InputPrimitive={INPUT_PRIMITIVES.get(info.u32(0), INVALID)}",
        f"OutputTopology={TOPOLOGIES.get(info.u32(4), INVALID)}",
        f"OutputStreamMask={info.u32(8)}",
        f"OutputPositionPresent={int(info.u8(12) != 0)}",
    ]


def _vertex(info: _RuntimeInfo) -> list[str]:
    return [f"OutputPositionPresent={int(info.u8(0) != 0)}"]


def _pixel(info: _RuntimeInfo) -> list[str]:
    return [f"DepthOutput={int(info.u8(0) != 0)}", f"SampleFrequency={int(info.u8(1) != 0)}"]


def _threads(info: _RuntimeInfo) -> list[str]:
    lines = []
    if info.version >= THREADS:
        lines.append(f"NumThreads=({info.u32(36)},{info.u32(40)},{info.u32(44)})")
    if info.version >= SHARED:
        lines.append(f"NumBytesGroupSharedMemory: {info.u32(52)}")
    return lines


def _mesh(info: _RuntimeInfo) -> list[str]:
    lines = []
    if info.version >= SIGNATURES:
        lines.append(f"MeshOutputTopology={MESH_TOPOLOGIES.get(info.u8(27), INVALID)}")
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
