"""A textured mesh on lavapipe: the peer's side of mesh.py.

    mesh = MeshDraw(device, MeshScene(…))
    mesh.seconds()          CPU time of a draw into cleared targets, all threads of this process
    mesh.read()             the bytes of the target

The draw has two attachments: a target of four bytes a pixel and a depth of 32 bits.
"""

import time
from dataclasses import dataclass

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
from vulkan_resources import Bindings, Texture

LINEAR, LESS, TRIANGLES = 1, 1, 3


@dataclass
class MeshScene:
    """An indexed mesh: modules by stage, attributes, indices of 32 bits, and one texture."""

    modules: dict[int, bytes]
    attributes: dict[int, tuple[str, bytes]]
    indices: bytes
    texture: bytes  # of texture_size x texture_size texels of four bytes
    texture_size: int
    size: tuple[int, int]
    blend: bool


class MeshDraw:
    """A scene and all that is made once for it."""

    def __init__(self, device: Lavapipe, scene: MeshScene) -> None:
        self.device = device
        api = device.api
        side = scene.texture_size
        image = device.image("rgba8", side, side).write(scene.texture)
        bound = Bindings(device, {0: Texture(device, image, mag=LINEAR, min=LINEAR)}, b"")
        self.images = [device.image(each, *scene.size, target=True) for each in ("rgba8", "d32")]
        vertices, buffers = vertex_input(device, scene.attributes)
        indices = device.buffer(scene.indices)
        render_pass = render_pass_of(device, self.images)
        framebuffer = framebuffer_of(device, render_pass, self.images, scene.size)
        stages = [device.stage(code, stage) for stage, code in scene.modules.items()]
        state = State(scene.size, TRIANGLES, compare=LESS, blend=scene.blend)
        pipeline = pipeline_of(device, stages, vertices, bound, render_pass, self.images, state)
        self.commands = device.begin(once=False)
        begin = made(
            "RenderPassBeginInfo", renderPass=render_pass, framebuffer=framebuffer,
            width=scene.size[0], height=scene.size[1], clearCount=2,
            clears=numbers(0, 0, 0, 0, 0x3F80_0000, 0, 0, 0),
        )  # fmt: skip
        api.call("vkCmdBeginRenderPass", self.commands, begin, 0)
        api.call("vkCmdBindPipeline", self.commands, GRAPHICS, pipeline)
        bound.bind(api, self.commands, GRAPHICS)
        bind_vertices(device, self.commands, buffers)
        api.call("vkCmdBindIndexBuffer", self.commands, indices.handle, 0, 1)
        api.call("vkCmdDrawIndexed", self.commands, len(scene.indices) // 4, 1, 0, 0, 0)
        api.call("vkCmdEndRenderPass", self.commands)
        api.check("vkEndCommandBuffer", self.commands)
        self._alive = buffers, indices, image, bound

    def seconds(self) -> float:
        """Return the CPU time of a draw, all threads of this process together."""
        start = time.process_time()
        self.device.submit(self.commands)
        return time.process_time() - start

    def read(self) -> bytes:
        """Return the bytes of the target."""
        return self.images[0].read()
