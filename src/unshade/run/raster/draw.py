"""Drawing: vertices through the stages of a pipeline, into targets.

    stages ── primitives ── triangles ── quads ── pixel shader ── depth ── targets

Depth is z/w in the range of the viewport. By default the nearer sample is kept; of samples with
equal depth, the first one drawn. Pixels of a quad outside of its triangle are helpers, so that
derivatives are right at edges.

The draw specifies the number of samples of a pixel. The pixel shader runs once for a pixel, or for
each sample if it uses per-sample inputs (SV_SampleIndex, inputs interpolated at samples). A sample
is written if it is covered, and the coverage mask that the shader outputs (oMask) has it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import UsageError
from ...notebook import Shown
from ...vm.launch import Array
from ...vocab.words import Stage, a_shader
from ..binding.results import Results, shapes_of
from ..runner import Runner
from ..signature import KernelSignature
from ..stages.vertices import grid_size
from .compiled.drawing import CompiledDraw
from .compiled.setup import whole_triangles
from .fragments import Fragments
from .geometry.draw_arguments import DrawArguments
from .geometry.pipeline import StageInputs, run_stages
from .geometry.stages import is_vulkan, samples_of, stages_of
from .geometry.stream_output import StreamOutput
from .history import PixelHistory, PixelWatch
from .merger import Merger, MergerState
from .rejected import rejected
from .resolve import mode_of, resolved_colours, resolved_depths, resolved_stencils
from .screen_triangles import ScreenTriangles
from .state import state_of
from .states.blend import Blend, BlendState, blend_state
from .states.depth_stencil import DepthStencilState, StencilFace, depth_stencil_state
from .states.rasterizer import RasterizerState, rasterizer_state
from .states.words import ProvokingVertex
from .statistics import PipelineStatistics
from .stencil import StencilTarget, check_stencil
from .target_formats import named_format
from .targets import RenderTargets
from .vertices import align_quaternions, from_near

BATCH = 1 << 14  # quads that are shaded together
ALL = 0xFFFF_FFFF


@dataclass(slots=True)
class Picture(Shown):
    """The result of `draw`.

    `targets` are arrays by semantic, `depth` is infinite where nothing was drawn, `covered` marks
    drawn pixels, and `triangle` is the number of each pixel's primitive (-1: none). `stencil` is
    there if the stencil test was on.

    With several samples, each array has an axis of samples after the width; with layers, the first
    axis is the layers. `normalised` are the labels of targets whose integers represent floats
    (unorm, snorm), and `formats` the formats that targets have by name.
    """

    drawn_by = "picture"

    targets: Results
    depth: Array
    covered: Array
    triangle: Array
    samples: int = 1
    normalised: frozenset[str] = frozenset()
    stencil: Array | None = None
    formats: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        arrays = {"depth": self.depth, "covered": self.covered, "triangle": self.triangle}
        samples = f", {self.samples} samples" if self.samples > 1 else ""
        return f"<Picture {shapes_of({**self.targets, **arrays})}{samples}>"

    def resolved(
        self, mode: str | None = None, *, depth: str | None = None, stencil: str | None = None
    ) -> "Picture":
        """Return the picture with one sample for each pixel.

        By default colours are the mean of the samples, rounded if they are normalised integers;
        other integers, depth, stencil and triangle are taken from the first covered sample.

        Args:
            mode: "average", "min", "max" or "sample_zero", for the targets.
            depth: The mode of the depth.
            stencil: The mode of the stencil, which has no average.
        """
        modes = [mode_of(each) for each in (mode, depth, stencil)]
        if self.samples == 1:
            return self
        first = np.expand_dims(self.covered.argmax(axis=-1), -1)
        targets = Results()
        for names, given in self.targets.named():
            array = np.asarray(given)
            label = names[-1]
            per_sample = array.shape[: self.covered.ndim] == self.covered.shape
            made = given
            if per_sample:
                form = named_format(self.formats[label]) if label in self.formats else None
                floats = label in self.normalised
                made = resolved_colours(array, first, modes[0], form, floats=floats)
            targets.add(
                names, made, semantic=per_sample, slots=self.targets.slots_of(label),
                alone=self.targets.is_single(label),
            )  # fmt: skip
        triangle = np.take_along_axis(self.triangle, first, -1)[..., 0]
        stencils = self.stencil
        if stencils is not None:
            stencils = resolved_stencils(stencils, first, modes[2])
        return Picture(
            targets, resolved_depths(self.depth, first, modes[1]), triangle >= 0, triangle,
            stencil=stencils, formats=self.formats,
        )  # fmt: skip


def draw(
    stages: Runner | Sequence[Runner] | None,
    pixel: Runner | None,
    vertices: Mapping[Any, Any] | int | tuple[int, ...],
    primitives: Any,
    size: tuple[int, int],
    *,
    topology: str | None = None,
    primitive_restart: bool | None = None,
    instances: int = 1,
    instance_inputs: Mapping[Any, Any] | None = None,
    vertex_bindings: Mapping[Any, Any] | None = None,
    hull_bindings: Mapping[Any, Any] | None = None,
    domain_bindings: Mapping[Any, Any] | None = None,
    geometry_bindings: Mapping[Any, Any] | None = None,
    amplification_bindings: Mapping[Any, Any] | None = None,
    mesh_bindings: Mapping[Any, Any] | None = None,
    pixel_bindings: Mapping[Any, Any] | None = None,
    targets: Mapping[Any, Any] | Sequence[Any] | None = None,
    layers: int | None = None,
    depth: Array | None = None,
    depth_stencil: DepthStencilState | StencilFace | Mapping[str, Any] | None = None,
    depth_function: str | EllipsisType | None = ...,
    depth_write: bool | None = None,
    depth_clip: bool | None = None,
    stencil_target: Array | None = None,
    blend: BlendState | Blend | Sequence[Any] | Mapping[str, Any] | str | None = None,
    formats: Mapping[Any, str] | Sequence[str | None] | None = None,
    viewports: Any = None,
    scissors: Any = None,
    rasterizer: RasterizerState | Mapping[str, Any] | None = None,
    cull: str | None = None,
    front: str | None = None,
    lines: str | None = None,
    samples: int | None = None,
    sample_mask: int = ALL,
    arguments: DrawArguments | None = None,
    stream_output: StreamOutput | None = None,
    statistics: PipelineStatistics | None = None,
    progress: Callable[[int, int], None] | None = None,
    history: PixelHistory | None = None,
) -> Picture:
    """Draw primitives with the shaders of a pipeline.

    Args:
        stages: The vertex shader; or a list of the vertex shader and the stages after it (hull and
            domain shader, geometry shader); or a mesh shader, alone or after an amplification
            shader; or None if `vertices` are already the outputs of the last of these stages.
        pixel: The pixel shader; None draws depth only.
        vertices: Inputs of the vertex shader by semantic, with one row for each vertex; or the
            number of vertices; or of the thread groups of the amplification or mesh shader.
        primitives: Rows of vertex numbers, one for each primitive; or an index buffer; None for the
            vertices in order.
        size: Width and height of the targets.
        topology: How vertices form primitives: "triangle_list", "triangle_strip",
            "triangle_fan", "line_list", "line_strip", "point_list", these lists and strips with
            "_adjacency", or "patch_list". By default triangle lists, or patches if there is a hull
            shader. A shader for Vulkan may leave the size of patches open: "3 control point patch
            list".
        primitive_restart: Whether 0xffffffff in an index buffer (0xffff of uint16, 0xff of uint8)
            begins the topology anew; None for strips and fans only.
        instances: The number of instances.
        instance_inputs: Inputs of the vertex shader with one row for each instance.
        vertex_bindings: Bindings of the vertex shader by name or slot.
        hull_bindings: Bindings of the hull shader.
        domain_bindings: Bindings of the domain shader.
        geometry_bindings: Bindings of the geometry shader.
        amplification_bindings: Bindings of the amplification shader.
        mesh_bindings: Bindings of the mesh shader.
        pixel_bindings: Bindings of the pixel shader.
        targets: Arrays to draw into, by semantic, or in the order of their numbers: (height,
            width[, components]), with an axis of layers before and of samples after these where a
            draw has them. The arrays are not cleared. New arrays are zero.
        layers: The number of layers of the targets, which SV_RenderTargetArrayIndex selects; None
            for targets without an axis of them.
        depth: An array of depths to draw into, with the same axes but without components. Its
            dtype is its format: floats (D32_FLOAT is float32), uint16 (D16_UNORM), or uint32 with
            24 bits of depth (D24_UNORM), whose high 8 bits stay. Depths are rounded to the format
            before they are compared.
        depth_stencil: The tests of depth, stencil and depth bounds: a state, the `StencilFace` of
            both faces, or a dict with the fields of Direct3D's or Vulkan's structures. The
            arguments `depth_function` and `depth_write` take the place of its fields.
        depth_function: The comparison of a new depth with the old that lets it pass: "less", the
            default, "less_equal", …; None for no test, and no change of depth: the last sample
            drawn is kept.
        depth_write: Whether depths are written, as by default.
        depth_clip: Whether primitives are clipped at the least and greatest depth. A depth that a
            shader outputs is clamped to them, but in Vulkan only if primitives are not clipped.
        stencil_target: An array of uint8 with the axes of `depth`, for the stencil test. By default
            the high 8 bits of a depth target of 24 bits; without one, new stencils of 0.
        blend: The blending of the targets: a state, a `Blend` for all targets or a list of one for
            each, or "alpha", "premultiplied", "additive" or "multiply".
        formats: The formats of targets by name, given as `targets` are: "R8G8B8A8_UNORM_SRGB",
            "B5G6R5_UNORM". A texel of the array has the bytes of the format. By default the dtype
            of the array is its format.
        viewports: Rows of x, y, width, height, least and greatest depth, which
            SV_ViewportArrayIndex selects; by default the whole target. A negative height turns
            the picture over, as in Vulkan.
        scissors: Rows of left, top, right and bottom, one for each viewport.
        rasterizer: The state of the rasteriser, such as fill mode and depth bias, or a dict with
            the fields of Direct3D's or Vulkan's structures. The arguments `depth_clip`, `cull`,
            `front` and `lines` take the place of its fields.
        cull: The faces to leave out: "none", "back", "front" or "front_and_back".
        front: The order of the corners of a front face on the screen: "clockwise", the default, or
            "counterclockwise".
        lines: How lines are drawn: "aliased", the pixels whose diamonds they leave, or
            "rectangular", one pixel wide. By default rectangular in Vulkan; in Direct3D aliased,
            with several samples rectangles of 1.4 pixels. Aliased lines cover all samples.
        samples: Samples of a pixel of the target, at the standard positions; None for the
            attribute of the kernels.
        sample_mask: The samples that may be written, as bits.
        arguments: The part of the vertices or of the index buffer that is drawn, and the instances,
            as in the buffer of an indirect draw.
        stream_output: Buffers for the vertices of primitives: stream output, transform feedback.
        statistics: Counters that the draw adds to: pipeline statistics and the samples that pass.
        progress: Called with the number of triangles drawn and their total.
        history: A record of a pixel, which the fragments that reach it are added to.

    Raises:
        UsageError: The shaders are of other stages, or an argument does not fit.
        UnsupportedError: A shader's outputs cannot be honoured.
    """
    order = stages_of(stages)
    if pixel is not None and pixel.stage != Stage.PIXEL:
        raise UsageError(f"expected a pixel shader, got {a_shader(pixel.stage)}")
    shader = None if pixel is None else pixel.execution
    executions = [*order, *([shader] if shader is not None else [])]
    count = samples_of(executions, samples)
    vulkan = is_vulkan(executions)
    rasterizing = rasterizer_state(
        rasterizer, cull=cull, front=front, depth_clip=depth_clip, lines=lines
    )
    state = state_of(
        grid_size(size), count, layers=layers, viewports=viewports, scissors=scissors,
        sample_mask=sample_mask, rasterizer=rasterizing.resolved(count, vulkan=vulkan),
        vulkan=vulkan,
    )  # fmt: skip
    depths = depth_stencil_state(depth_stencil, depth_function, writes=depth_write)
    blending = blend_state(blend)
    bindings = {
        Stage.VERTEX: vertex_bindings, Stage.HULL: hull_bindings, Stage.DOMAIN: domain_bindings,
        Stage.GEOMETRY: geometry_bindings, Stage.AMPLIFICATION: amplification_bindings,
        Stage.MESH: mesh_bindings,
    }  # fmt: skip
    inputs = None if shader is None else shader.program.inputs
    outputs = KernelSignature() if shader is None else shader.program.outputs
    given = StageInputs(
        vertices, primitives, topology, instances, instance_inputs, bindings, primitive_restart,
        rasterizing.provoking_vertex == ProvokingVertex.LAST, statistics=statistics,
        stream_output=stream_output,
    )  # fmt: skip
    if arguments is not None:
        given.select(arguments, vulkan=vulkan)
    before = [each.samples for each in executions]
    try:
        for each in executions:
            each.samples = count
        scene = run_stages(order, inputs, given)
        if rasterizing.rasterizer_discard_enable and history is None:
            scene = None
        elif order and scene is not None:
            from_near(scene.vertices, order[-1].program.declared.least_depth)
            align_quaternions(scene)
        made = RenderTargets(outputs, state, layers is not None, targets, depth, formats, blending)
        state.depth_kind = made.depth.array.dtype
        merging = MergerState(depths, blending, depth is not None, vulkan)
        if stencil_target is not None:
            check_stencil(stencil_target, made.shape)
        held = None if merging.faces is None else _stencils(stencil_target, made)
        merger = Merger(merging, made, held)
        merger.in_turn |= statistics is not None
        watch = None if history is None else PixelWatch(history, made, held)
        results = Results()
        if scene is None:
            made.returned(results)
        else:
            engine = executions[-1].engine if executions else None
            is_jit = engine is not None and engine.name == "jit" and history is None
            triangles = ScreenTriangles(scene, state, whole_triangles if is_jit else None)
            reached_clipping = int(scene.let_through.sum())
            given.count(c_invocations=reached_clipping, c_primitives=triangles.pieces)
            run = Fragments(shader, triangles, merger, pixel_bindings, watch, statistics)
            compiled = CompiledDraw.of(run, engine, BATCH)
            if compiled is not None:
                compiled.draw(progress)
            else:
                _rasterize(run, triangles, progress)
            if watch is not None:
                reached = {each.primitive for each in watch.found}
                watch.finish(rejected(scene, state, made.depth, watch.history, reached))
            results = run.finished()
    finally:
        for each, number in zip(executions, before, strict=True):
            each.samples = number
    primitive = made.shown_primitive
    stencils = stencil_target
    if held is not None and stencils is None:
        stencils = made.plain(held.stencils)
    return Picture(
        results,
        made.shown_depth,
        primitive >= 0,
        primitive,
        count,
        made.normalised,
        stencils,
        made.names_of_formats,
    )


def _rasterize(
    run: Fragments, triangles: ScreenTriangles, progress: Callable[[int, int], None] | None
) -> None:
    """Draw triangles, one batch of quads after another."""
    for chunk in triangles.quads():
        for at in range(0, len(chunk.triangle), BATCH):
            run.batch(triangles.inside(chunk.some(slice(at, at + BATCH))))
        if progress is not None and len(chunk.triangle):
            progress(int(chunk.triangle[-1]) + 1, len(triangles.corners))


def _stencils(given: Array | None, made: RenderTargets) -> StencilTarget:
    """Return the stencils that a draw tests."""
    if given is None:
        return StencilTarget.beside(made.depth, made.places)
    return StencilTarget(made.whole(given, False)[..., 0])
