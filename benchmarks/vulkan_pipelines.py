"""Graphics pipelines: vertex inputs, render passes, and the state of the rasteriser.

    vertices, buffers = vertex_input(device, {0: ("rgba32f", data)})
    render_pass = render_pass_of(device, images)
    pipeline_of(device, stages, vertices, bindings, render_pass, images, State((64, 64)))

Source: the Vulkan specification.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vulkan import made, numbers, several
from vulkan_resources import DEPTH, GENERAL, Bindings, Image

if TYPE_CHECKING:
    from lavapipe import Lavapipe

GRAPHICS = 0
CLOCKWISE = 1  # is the front, as in Direct3D
BRESENHAM = 2  # of VK_EXT_line_rasterization
ALWAYS = 7  # of the comparisons
BY_ALPHA = {  # colours: source x alpha + target x (1 - alpha); alpha: source + target x the same
    "enable": 1, "sourceColor": 6, "targetColor": 7, "sourceAlpha": 1, "targetAlpha": 7,
}  # fmt: skip
ATTRIBUTES = {  # Vulkan's format, letter and components
    "r32f": (100, "f", 1), "rg32f": (103, "f", 2), "rgb32f": (106, "f", 3),
    "rgba32f": (109, "f", 4), "r32i": (99, "i", 1), "rgba32ui": (107, "I", 4),
    "rgba32i": (108, "i", 4),
}  # fmt: skip


@dataclass(frozen=True)
class State:
    """The state of a draw, in Vulkan's numbers; the viewport and scissor are the whole target.

    `viewport` is x, y, width, height, least and greatest depth, `scissor` x, y, width and height,
    `bias` the constant, clamp and slope of a depth bias. `blend` blends by the alpha of the source.
    """

    size: tuple[int, int] = (1, 1)
    topology: int = 0
    patch: int = 0
    discard: bool = False
    viewport: tuple[float, ...] = ()
    scissor: tuple[int, ...] = ()
    cull: int = 0
    front: int = CLOCKWISE
    compare: int = ALWAYS
    clamp: bool = False
    bresenham: bool = False
    samples: int = 1
    mask: int = 0xFFFF_FFFF
    per_sample: bool = False
    fill: int = 0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    blend: bool = False


def vertex_input(
    device: "Lavapipe", given: Mapping[int, tuple[str, bytes]]
) -> tuple[Any, list[int]]:
    """The vertex input state, and the buffers, one an attribute."""
    buffers = [device.buffer(data) for _, data in given.values()]
    layouts = [
        made("VertexBinding", binding=at, stride=4 * ATTRIBUTES[format][2])
        for at, (format, _) in enumerate(given.values())
    ]
    rows = [
        made("VertexAttribute", location=location, binding=at, format=ATTRIBUTES[format][0])
        for at, (location, (format, _)) in enumerate(given.items())
    ]
    if not given:
        return made("VertexInputState"), []
    state = made(
        "VertexInputState", bindingCount=len(layouts), bindings=several(layouts),
        attributeCount=len(rows), attributes=several(rows),
    )  # fmt: skip
    return state, [buffer.handle for buffer in buffers]


def bind_vertices(device: "Lavapipe", commands: int, buffers: list[int]) -> None:
    """Record that these buffers hold the attributes."""
    if buffers:
        handles = numbers(*buffers, kind=ctypes.c_uint64)
        offsets = numbers(*[0] * len(buffers), kind=ctypes.c_uint64)
        device.api.call("vkCmdBindVertexBuffers", commands, 0, len(buffers), handles, offsets)


def render_pass_of(device: "Lavapipe", images: Sequence[Image]) -> int:
    """A render pass that clears and keeps these attachments; the last may be the depth."""
    rows = [
        made("AttachmentDescription", format=each.format, samples=each.samples, load=1, store=0,
             stencilLoad=1, stencilStore=0, first=GENERAL, last=GENERAL)
        for each in images
    ]  # fmt: skip
    colours = [at for at, each in enumerate(images) if each.aspect == 1]
    references = [made("AttachmentReference", attachment=at, layout=GENERAL) for at in colours]
    fields: dict[str, Any] = {}
    if references:
        fields = {"colorCount": len(references), "colors": several(references)}
    depth = [at for at, each in enumerate(images) if each.aspect & DEPTH]
    if depth:
        fields["depth"] = made("AttachmentReference", attachment=depth[0], layout=GENERAL)
    info = made("RenderPassCreateInfo", subpassCount=1, subpasses=made("Subpass", **fields))
    if rows:
        info.attachmentCount = len(rows)
        attachments = several(rows)
        info.kept.append(attachments)
        info.attachments = ctypes.addressof(attachments)
    return device.api.create("vkCreateRenderPass", device.handle, info, None)


def framebuffer_of(
    device: "Lavapipe", render_pass: int, images: Sequence[Image], size: tuple[int, int]
) -> int:
    """A framebuffer of these attachments."""
    fields: dict[str, Any] = {}
    if images:
        views = numbers(*[each.view for each in images], kind=ctypes.c_uint64)
        fields = {"count": len(images), "attachments": views}
    info = made(
        "FramebufferCreateInfo", renderPass=render_pass, width=size[0], height=size[1], layers=1,
        **fields,
    )  # fmt: skip
    return device.api.create("vkCreateFramebuffer", device.handle, info, None)


def pipeline_of(
    device: "Lavapipe",
    stages: list[Any],
    vertices: Any,
    bindings: Bindings,
    render_pass: int,
    images: Sequence[Image],
    state: State,
) -> int:
    """A pipeline; a depth attachment is tested and written."""
    colours = sum(each.aspect == 1 for each in images)
    factors = BY_ALPHA if state.blend else {}
    blends = [made("BlendAttachment", mask=15, **factors) for _ in range(colours)]
    blend = made("ColorBlendState", count=colours)
    if blends:
        blend = made("ColorBlendState", count=colours, attachments=several(blends))
    depth = any(each.aspect == 2 for each in images)
    width, height = state.size
    x, y, wide, high, near, far = state.viewport or (
        0.0,
        0.0,
        float(width),
        float(height),
        0.0,
        1.0,
    )
    left, top, across, down = state.scissor or (0, 0, width, height)
    viewports = made(
        "ViewportState", viewportCount=1, scissorCount=1,
        viewports=made("Viewport", x=x, y=y, width=wide, height=high, near=near, far=far),
        scissors=made("Rect", x=left, y=top, width=across, height=down),
    )  # fmt: skip
    lines = {"next": made("RasterizationLineState", mode=BRESENHAM)} if state.bresenham else {}
    more = {"tessellation": made("TessellationState", points=state.patch)} if state.patch else {}
    info = made(
        "GraphicsPipelineCreateInfo", stageCount=len(stages), stages=several(stages),
        vertexInput=vertices, inputAssembly=made("InputAssemblyState", topology=state.topology),
        viewport=viewports, rasterization=made(
            "RasterizationState", depthClamp=state.clamp, discard=state.discard,
            cullMode=state.cull, frontFace=state.front, lineWidth=1.0, polygonMode=state.fill,
            depthBias=any(state.bias), biasConstant=state.bias[0], biasClamp=state.bias[1],
            biasSlope=state.bias[2], **lines,
        ),
        multisample=made(
            "MultisampleState", samples=state.samples, sampleShading=state.per_sample,
            minSampleShading=1.0, mask=numbers(state.mask),
        ),
        depthStencil=made("DepthStencilState", test=depth, write=depth, compare=state.compare),
        colorBlend=blend, layout=bindings.layout, renderPass=render_pass, **more,
    )  # fmt: skip
    return device.api.create("vkCreateGraphicsPipelines", device.handle, 0, 1, info, None)
