"""Scenes on lavapipe with any state of a pipeline: the peer's side of states_against_lavapipe.py.

    StateScene(modules, attributes, count, size, samples, targets, depth, fields)

`fields` are those of the structures of a pipeline, by the structure: {"raster": {"cullMode": 2}}.
Targets of one sample are read as they are stored, those of several as the numbers of each sample.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from drawing_scenes import Scenes
from lavapipe import Lavapipe
from vulkan import made, numbers, several
from vulkan_pipelines import GRAPHICS, bind_vertices, framebuffer_of, render_pass_of, vertex_input
from vulkan_resources import COLOUR, DEPTH, FORMATS, STENCIL, Image

Row = Mapping[str, Any]


@dataclass
class StateScene:
    """A draw: its shaders, vertices, targets (number of the format, bytes) and state.

    `clears` are four words for each target and the depth. `indices` are bytes, and the size of each
    is 2 or 4.
    """

    modules: dict[int, bytes]
    attributes: dict[int, tuple[str, bytes]]
    count: int
    size: tuple[int, int]
    samples: int
    targets: list[tuple[int, int]]
    depth: str
    clears: list[int]
    fields: Mapping[str, Any]
    blends: list[Row]
    viewports: list[Row]
    scissors: list[Row]
    indices: bytes = b""
    index_size: int = 4
    constants: tuple[float, ...] = field(default=(0.0, 0.0, 0.0, 0.0))


def draw(scenes: Scenes, scene: StateScene) -> tuple[list[bytes], bytes, bytes]:
    """Return the bytes of the targets, of the depth and of the stencil, which may be none."""
    device, api = scenes.device, scenes.device.api
    for number, size in scene.targets:
        FORMATS[f"colour {number}"] = number, size
    names = [f"colour {number}" for number, _ in scene.targets] + [scene.depth] * bool(scene.depth)
    images = [device.image(each, *scene.size, target=True, samples=scene.samples) for each in names]
    vertices, buffers = vertex_input(device, scene.attributes)
    render_pass = render_pass_of(device, images)
    framebuffer = framebuffer_of(device, render_pass, images, scene.size)
    pipeline = _pipeline(device, scenes, scene, vertices, render_pass)
    begin = made(
        "RenderPassBeginInfo", renderPass=render_pass, framebuffer=framebuffer,
        width=scene.size[0], height=scene.size[1], clearCount=len(images),
        clears=numbers(*scene.clears),
    )  # fmt: skip
    with device.commands() as commands:
        api.call("vkCmdBeginRenderPass", commands, begin, 0)
        api.call("vkCmdBindPipeline", commands, GRAPHICS, pipeline)
        scenes.bound.bind(api, commands, GRAPHICS)
        bind_vertices(device, commands, buffers)
        if scene.indices:
            held = device.buffer(scene.indices)
            api.call("vkCmdBindIndexBuffer", commands, held.handle, 0, int(scene.index_size == 4))
            api.call("vkCmdDrawIndexed", commands, scene.count, 1, 0, 0, 0)
        else:
            api.call("vkCmdDraw", commands, scene.count, 1, 0, 0)
        api.call("vkCmdEndRenderPass", commands)
    colours = [scenes.read(each) for each in images if each.aspect == COLOUR]
    last: Image = images[-1]
    if not scene.depth:
        return colours, b"", b""
    if scene.samples > 1:
        return colours, scenes.read(last) if last.aspect == DEPTH else b"", b""
    stencil = b""
    if last.aspect & STENCIL:
        stencil = last.read(STENCIL)[: scene.size[0] * scene.size[1]]
    return colours, last.read(DEPTH), stencil


def _pipeline(
    device: Lavapipe, scenes: Scenes, scene: StateScene, vertices: Any, render_pass: int
) -> int:
    """The pipeline of a scene."""
    stages = [device.stage(code, stage) for stage, code in scene.modules.items()]
    fields = {name: dict(each) for name, each in scene.fields.items()}
    r, g, b, a = scene.constants
    blends = several([made("BlendAttachment", **each) for each in scene.blends])
    line = fields.pop("line", {})
    if line:
        fields["raster"]["next"] = made("RasterizationLineState", **line)
    info = made(
        "GraphicsPipelineCreateInfo", stageCount=len(stages), stages=several(stages),
        vertexInput=vertices, inputAssembly=made("InputAssemblyState", **fields["assembly"]),
        viewport=made(
            "ViewportState", viewportCount=len(scene.viewports), scissorCount=len(scene.scissors),
            viewports=several([made("Viewport", **each) for each in scene.viewports]),
            scissors=several([made("Rect", **each) for each in scene.scissors]),
        ),
        rasterization=made("RasterizationState", lineWidth=1.0, **fields["raster"]),
        multisample=made(
            "MultisampleState", samples=scene.samples,
            mask=numbers(fields["multisample"].pop("bits"), kind=ctypes.c_uint32),
            **fields["multisample"],
        ),
        depthStencil=made("DepthStencilState", **fields["depth"]),
        colorBlend=made(
            "ColorBlendState", count=len(scene.blends), attachments=blends, r=r, g=g, b=b, a=a,
            **fields["blend"],
        ),
        layout=scenes.bound.layout, renderPass=render_pass,
    )  # fmt: skip
    return device.api.create("vkCreateGraphicsPipelines", device.handle, 0, 1, info, None)
