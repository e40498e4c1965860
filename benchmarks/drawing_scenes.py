"""Scenes on lavapipe: many primitives into several targets, every sample of which is read.

    scenes = Scenes(device, fetch)
    colours = scenes.draw(Scene({1: vertex, 0x10: fragment}, attributes, count, State((64, 64))))

A pixel with several samples is read by `fetch`: a compute shader of groups of 8 x 8 pixels and one
sample, with the image at binding 0, a buffer of four floats for each sample at binding 1, and as
push constants the width and the number of samples.
"""

import struct
from dataclasses import dataclass, field

from lavapipe import Lavapipe
from vulkan import made, numbers
from vulkan_pipelines import (
    GRAPHICS,
    State,
    bind_vertices,
    framebuffer_of,
    pipeline_of,
    render_pass_of,
    vertex_input,
)
from vulkan_resources import Bindings, Image

GROUP = 8
LIMITS = 74  # where the limits of a device begin, in numbers of its properties
SUBPIXEL_BITS, STRICT_LINES = 62, 117  # where these are


@dataclass
class Scene:
    """What to draw: targets of four floats, cleared to 0, and a depth that is cleared to 1."""

    modules: dict[int, bytes]
    attributes: dict[int, tuple[str, bytes]]
    count: int
    state: State = field(default_factory=State)
    targets: int = 1
    depth: bool = False


class Scenes:
    """Draws scenes; targets of one kind are used again."""

    def __init__(self, device: Lavapipe, fetch: bytes) -> None:
        self.device = device
        self.fetch = fetch
        self.images: dict[tuple[object, ...], list[Image]] = {}
        self.stages: dict[tuple[int, bytes], object] = {}
        self.bound = Bindings(device, {}, b"")

    def _images(self, scene: Scene) -> list[Image]:
        """The targets of a scene, and its depth."""
        state = scene.state
        key = state.size, state.samples, scene.targets, scene.depth
        if key not in self.images:
            formats = ["rgba32f"] * scene.targets + ["d32"] * scene.depth
            self.images[key] = [
                self.device.image(each, *state.size, target=True, samples=state.samples)
                for each in formats
            ]
        return self.images[key]

    def read(self, image: Image) -> bytes:
        """Every sample of an image: those of a pixel follow one another."""
        if image.samples == 1:
            return image.read()
        width, height, _ = image.size
        found = self.device.buffer(width * height * image.samples * 16)
        push = struct.pack("<2I", width, image.samples)
        shader = self.device.compute(self.fetch, {0: image, 1: found}, push)
        shader.dispatch(-(-width // GROUP), -(-height // GROUP), image.samples)
        data = bytes(found.data)
        return (
            data
            if image.aspect == 1
            else b"".join(data[at : at + 4] for at in range(0, len(data), 16))
        )

    def draw(self, scene: Scene) -> list[bytes]:
        """The bytes of each target after a draw, and of the depth."""
        device, api = self.device, self.device.api
        images = self._images(scene)
        width, height = scene.state.size
        vertices, buffers = vertex_input(device, scene.attributes)
        render_pass = render_pass_of(device, images)
        framebuffer = framebuffer_of(device, render_pass, images, (width, height))
        stages = [device.stage(code, stage) for stage, code in scene.modules.items()]
        pipeline = pipeline_of(
            device, stages, vertices, self.bound, render_pass, images, scene.state
        )
        clears = numbers(*[0] * 4 * scene.targets, *[0x3F80_0000, 0, 0, 0])  # the depth is 1.0
        with device.commands() as commands:
            begin = made(
                "RenderPassBeginInfo", renderPass=render_pass, framebuffer=framebuffer,
                width=width, height=height, clearCount=len(images), clears=clears,
            )  # fmt: skip
            api.call("vkCmdBeginRenderPass", commands, begin, 0)
            api.call("vkCmdBindPipeline", commands, GRAPHICS, pipeline)
            self.bound.bind(api, commands, GRAPHICS)
            bind_vertices(device, commands, buffers)
            api.call("vkCmdDraw", commands, scene.count, 1, 0, 0)
            api.call("vkCmdEndRenderPass", commands)
        return [self.read(each) for each in images]


def limits(device: Lavapipe) -> tuple[int, bool]:
    """The bits of subpixel precision, and whether lines are strict."""
    found = made("PhysicalDeviceProperties2")
    device.api.call("vkGetPhysicalDeviceProperties2", device.physical, found)
    return int(found.raw[LIMITS + SUBPIXEL_BITS]), bool(found.raw[LIMITS + STRICT_LINES])
