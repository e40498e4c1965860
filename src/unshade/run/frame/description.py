"""A frame as data: targets, textures, buffers, meshes, pipelines, and passes that use them by name.

    targets:
      colour: {size: [640, 480], format: R8G8B8A8_UNORM_SRGB, clear: [0, 0, 0, 1]}
      depth: {size: [640, 480], format: D32_FLOAT, clear: 1}
    textures:
      wood: {file: wood.dds}
    meshes:
      ship: ship.glb
    pipelines:
      lit: {vertex: vs.dxil, pixel: ps.dxil, rasterizer: {cull_mode: back}}
    passes:
      - {targets: [colour], depth: depth, clear: true, commands: [
          {draw: {pipeline: lit, mesh: ship, bindings: {t0: wood, s0: linear}}}]}
    output: colour

Paths are relative to the frame's folder, and stay below it.
"""

from typing import Any, ClassVar

from ...dataclass import dataclass, field

__all__ = [
    "BufferDescription",
    "Command",
    "Copy",
    "Dispatch",
    "Draw",
    "FrameCamera",
    "FrameDescription",
    "FrameMesh",
    "FramePipeline",
    "FrameShader",
    "FrameStreamOutput",
    "Indirect",
    "Pass",
    "QueryCopy",
    "Resolve",
    "TargetDescription",
    "TextureDescription",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class TargetDescription:
    """An array that passes draw into, and that shaders may read or write as a texture.

    `format` is a name of Direct3D or Vulkan; D32_FLOAT, D16_UNORM, D24_UNORM_S8_UINT and
    D32_FLOAT_S8X24_UINT are depth, the last two with a stencil. With `layers`, a name such as
    `shadow[2]` stands for one of them.
    """

    size: list[int]
    format: str = "R8G8B8A8_UNORM"
    clear: Any = 0.0  # one number, or one for each component; depth, or depth and stencil
    samples: int = 1
    layers: int | None = None


@dataclass(frozen=True, slots=True)
class TextureDescription:
    """A texture file."""

    shorthand: ClassVar[str] = "file"

    file: str
    mips: bool = False
    srgb: bool = False


@dataclass(frozen=True, slots=True)
class BufferDescription:
    """A buffer: the array or the bytes in a file, numbers, or a count of zeros."""

    shorthand: ClassVar[str] = "file"

    file: str | None = None
    data: Any = None
    zeros: int | None = None
    dtype: str = "float32"


@dataclass(frozen=True, slots=True)
class FrameMesh:
    """A mesh file."""

    shorthand: ClassVar[str] = "file"

    file: str


@dataclass(frozen=True, slots=True)
class FrameShader:
    """A stage: a compiled shader, the choice of its program, and values that specialise it."""

    shorthand: ClassVar[str] = "file"

    file: str
    entry: str | None = None
    program: int | None = None
    constants: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FramePipeline:
    """The stages of draws or dispatches, and the state of draws.

    `fragment` is the fixed fragment stage of the Nintendo 3DS in place of a pixel shader: its
    description, or the file that has it. The states have the fields of Direct3D's or Vulkan's
    structures, as `raster.draw` takes them.
    `sample_mask` has a bit for each sample that is written. `stream_output` are the entries that
    describe what a draw writes to buffers, with the fields of `raster.StreamOutputEntry`; without
    them, the transform feedback that the shader declares. `rasterized_stream` is drawn; null: none.
    """

    vertex: FrameShader | None = None
    hull: FrameShader | None = None
    domain: FrameShader | None = None
    geometry: FrameShader | None = None
    amplification: FrameShader | None = None
    mesh: FrameShader | None = None
    pixel: FrameShader | None = None
    fragment: Any = None
    compute: FrameShader | None = None
    topology: str | None = None
    primitive_restart: bool | None = None
    sample_mask: int = 0xFFFF_FFFF
    rasterizer: Any = None
    depth_stencil: Any = None
    blend: Any = None
    stream_output: list[Any] | None = None
    rasterized_stream: int | None = 0


@dataclass(frozen=True, slots=True)
class FrameCamera:
    """The camera of matrices with common names; by default all meshes that are drawn are in view.

    `columns` is true if matrices are for column vectors, false for row vectors.
    """

    eye: list[float] | None = None
    look_at: list[float] | None = None
    fov: float = 45.0
    columns: bool | None = None


@dataclass(frozen=True, slots=True)
class Indirect:
    """Arguments of draws or of a dispatch in a buffer, laid out as in both APIs.

    The buffer holds `draws` structures, `stride` bytes apart, or fewer if the number in the buffer
    `count` is less.
    """

    shorthand: ClassVar[str] = "buffer"

    buffer: str
    offset: int = 0
    draws: int = 1
    stride: int | None = None
    count: str | None = None
    count_offset: int = 0


@dataclass(frozen=True, slots=True)
class FrameStreamOutput:
    """Buffers that a draw writes vertices to, by slot.

    A draw begins at the start of its buffers, or where the draw before ended with `append`.
    """

    buffers: dict[str, str]
    append: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of a mesh, of vertices that a shader makes by their number, or of mesh shaders.

    A name in `bindings` applies to all stages; `vertex:t0` applies to the vertex shader only. A
    string value names a resource of the frame, or describes a sampler. `indirect` takes the place
    of `count`, `groups` and `instances`; with a mesh, it selects indices. `query` is the name of
    counters that the draw adds to. `stream_output` are the buffers that its vertices go to.
    """

    pipeline: str
    mesh: str | None = None
    count: int | None = None
    groups: list[int] | None = None
    instances: int = 1
    bindings: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    viewports: Any = None
    scissors: Any = None
    camera: FrameCamera | None = None
    indirect: Indirect | None = None
    query: str | None = None
    stream_output: FrameStreamOutput | None = None


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A dispatch of thread groups of a compute shader."""

    pipeline: str
    groups: list[int] | None = None
    bindings: dict[str, Any] = field(default_factory=dict)
    indirect: Indirect | None = None
    query: str | None = None


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of all texels or bytes of a resource to another of the same size and format."""

    source: str
    destination: str


@dataclass(frozen=True, slots=True)
class Resolve:
    """The resolve of a target with several samples into one with a single sample.

    `mode` is average, min, max or sample_zero; by default colours are averaged, and of depths and
    integers the first sample is taken.
    """

    source: str
    destination: str
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class QueryCopy:
    """The write of a counter of a query to a buffer, as a number of 64 or 32 bits."""

    query: str
    buffer: str
    offset: int = 0
    counter: str = "samples_passed"
    bits: int = 64


@dataclass(frozen=True, slots=True)
class Command:
    """A draw, a dispatch, a copy, a resolve, a query's write, or a target whose mips are made."""

    draw: Draw | None = None
    dispatch: Dispatch | None = None
    copy: Copy | None = None
    mips: str | None = None
    resolve: Resolve | None = None
    query: QueryCopy | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Commands with the targets of their draws, which `clear` clears first."""

    targets: list[str] = field(default_factory=list)
    depth: str | None = None
    clear: bool = False
    commands: list[Command] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FrameDescription:
    """A whole frame; `output` is the target that is the picture, by default the first."""

    targets: dict[str, TargetDescription]
    passes: list[Pass]
    textures: dict[str, TextureDescription] = field(default_factory=dict)
    buffers: dict[str, BufferDescription] = field(default_factory=dict)
    meshes: dict[str, FrameMesh] = field(default_factory=dict)
    pipelines: dict[str, FramePipeline] = field(default_factory=dict)
    output: str | None = None
    time: float = 0.0
    camera: FrameCamera | None = None
