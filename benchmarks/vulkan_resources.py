"""Resources of a pipeline: buffers, images, samplers, and the set that binds them.

    buffer.data                 its bytes, seen by host and device
    image.write(b).read()       all levels and layers, through a buffer
    Texture(device, image, mag=1, addressU=2)      an image with a sampler; fields of the latter
    Half(texture, SAMPLER)      one of the two alone: Direct3D binds them apart

Source: the Vulkan specification.
"""

import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vulkan import Api, made, numbers, several

if TYPE_CHECKING:
    from lavapipe import Lavapipe

UNIFORM, STORAGE, STORAGE_TEXELS, TEXELS = 6, 7, 5, 4  # descriptor types of buffers
SAMPLER, COMBINED, SAMPLED_IMAGE, STORAGE_IMAGE = 0, 1, 2, 3  # of images
GENERAL = 1  # image layout: good for everything
WHOLE = (1 << 64) - 1
ALL_STAGES = 0x7FFF_FFFF
# Formats by name, with the bytes of a texel.
FORMATS = {
    "rgba32f": (109, 16), "rgba32ui": (107, 16), "rgba32i": (108, 16), "r32ui": (98, 4),
    "r32f": (100, 4), "r32i": (99, 4), "rgba8": (37, 4), "d32": (126, 4),
    "d16": (124, 2), "d24s8": (129, 4), "d32s8": (130, 4),
}  # fmt: skip
COLOUR, DEPTH, STENCIL = 1, 2, 4  # aspects
ASPECTS = {
    "d32": DEPTH, "d16": DEPTH, "d24s8": DEPTH | STENCIL, "d32s8": DEPTH | STENCIL,
}  # fmt: skip
VIEW_TYPES = {"1d": 0, "2d": 1, "3d": 2, "cube": 3, "1d array": 4, "2d array": 5, "cube array": 6}


class Buffer:
    """Memory that host and device see; `data` is its bytes."""

    def __init__(self, device: "Lavapipe", size: int, kind: int) -> None:
        self.kind = kind
        self.size = size
        api, handle = device.api, device.handle
        usage = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | 0x800  # all, and feedback
        info = made("BufferCreateInfo", size=max(size, 4), usage=usage)
        self.handle = api.create("vkCreateBuffer", handle, info, None)
        needed = made("MemoryRequirements")
        api.call("vkGetBufferMemoryRequirements", handle, self.handle, needed)
        memory = device.allocate(needed)
        api.check("vkBindBufferMemory", handle, self.handle, memory, 0)
        place = ctypes.c_void_p()
        api.check("vkMapMemory", handle, memory, 0, WHOLE, 0, place)
        self.data = memoryview((ctypes.c_uint8 * size).from_address(place.value or 0)).cast("B")
        self.view = 0


class Image:
    """An image in the general layout, with a view of all of it.

    With several samples it cannot be written or read but by shaders.
    """

    def __init__(
        self,
        device: "Lavapipe",
        format: str,
        size: tuple[int, ...],
        *,
        shape: str = "2d",
        levels: int = 1,
        layers: int = 1,
        target: bool = False,
        samples: int = 1,
    ) -> None:
        self.device = device
        self.format, self.texel = FORMATS[format]
        self.size = (*size, 1, 1)[:3]
        self.levels, self.layers = levels, layers
        self.sampler = 0
        self.aspect = ASPECTS.get(format, COLOUR)
        self.samples = samples
        self.kind = STORAGE_IMAGE if samples == 1 else SAMPLED_IMAGE
        api, handle = device.api, device.handle
        usage = 0x1 | 0x2 | (0x4 if self.aspect == COLOUR or samples > 1 else 0)
        if target:
            usage |= 0x10 if self.aspect == COLOUR else 0x20
        elif self.aspect == COLOUR:
            usage |= 0x8
        info = made(
            "ImageCreateInfo", flags=0x10 if shape.startswith("cube") else 0,
            imageType={"1": 0, "3": 2}.get(shape[0], 1), format=self.format,
            width=self.size[0], height=self.size[1], depth=self.size[2],
            levels=levels, layers=layers, samples=samples, usage=usage,
        )  # fmt: skip
        self.handle = api.create("vkCreateImage", handle, info, None)
        needed = made("MemoryRequirements")
        api.call("vkGetImageMemoryRequirements", handle, self.handle, needed)
        api.check("vkBindImageMemory", handle, self.handle, device.allocate(needed), 0)
        view = made(
            "ImageViewCreateInfo", image=self.handle, viewType=VIEW_TYPES[shape],
            format=self.format, aspect=self.aspect, levels=levels, layers=layers,
        )  # fmt: skip
        self.view = api.create("vkCreateImageView", handle, view, None)
        self._transition()

    def _transition(self) -> None:
        with self.device.commands() as commands:
            barrier = made(
                "ImageMemoryBarrier", newLayout=GENERAL, image=self.handle, aspect=self.aspect,
                levels=self.levels, layers=self.layers, oldFamily=0xFFFF_FFFF,
                newFamily=0xFFFF_FFFF,
            )  # fmt: skip
            self.device.api.call(
                "vkCmdPipelineBarrier", commands, 0x10000, 0x10000, 0, 0, None, 0, None, 1, barrier
            )

    def _places(self) -> "list[tuple[int, tuple[int, int, int], int, int]]":
        """Level, its size, offset and bytes, as the bytes of all levels follow one another."""
        found = []
        at = 0
        for level in range(self.levels):
            size = tuple(max(1, each >> level) for each in self.size)
            count = size[0] * size[1] * size[2] * self.layers * self.texel
            found.append((level, (size[0], size[1], size[2]), at, count))
            at += count
        return found

    def _copy(self, name: str, buffer: Buffer, aspect: int) -> None:
        regions = [
            made(
                "BufferImageCopy", offset=offset, aspect=aspect, level=level,
                layers=self.layers, width=size[0], height=size[1], depth=size[2],
            )
            for level, size, offset, _ in self._places()
        ]  # fmt: skip
        ends = [self.handle, GENERAL, buffer.handle]
        with self.device.commands() as commands:
            if name == "vkCmdCopyBufferToImage":
                ends = [buffer.handle, self.handle, GENERAL]
            self.device.api.call(name, commands, *ends, len(regions), several(regions))

    def _size(self) -> int:
        """Bytes of all levels and layers together."""
        *_, (_, _, offset, size) = self._places()
        return offset + size

    def write(self, data: bytes) -> "Image":
        """All texels: level after level, in each layer after layer."""
        buffer = self.device.buffer(data)
        self._copy("vkCmdCopyBufferToImage", buffer, self.aspect)
        return self

    def read(self, aspect: int = 0) -> bytes:
        """All texels; of an image of depths and stencils, those of one `aspect`."""
        buffer = self.device.buffer(self._size())
        self._copy("vkCmdCopyImageToBuffer", buffer, aspect or self.aspect)
        return bytes(buffer.data)


class Texture:
    """An image and how it is sampled; `state` are fields of VkSamplerCreateInfo."""

    kind = COMBINED

    def __init__(self, device: "Lavapipe", image: Image, **state: Any) -> None:
        self.view = image.view
        info = made("SamplerCreateInfo", **state)
        self.sampler = device.api.create("vkCreateSampler", device.handle, info, None)


class Half:
    """An image or a sampler of a texture alone: Direct3D binds the two apart."""

    def __init__(self, texture: Texture, kind: int) -> None:
        self.kind = kind
        self.view = texture.view if kind == SAMPLED_IMAGE else 0
        self.sampler = texture.sampler if kind == SAMPLER else 0


Binding = Buffer | Image | Texture | Half


class Bindings:
    """The resources of one pipeline: set 0, and push constants."""

    def __init__(self, device: "Lavapipe", given: Mapping[int, Binding], push: bytes) -> None:
        api, handle = device.api, device.handle
        self.push = push
        rows = [
            made("LayoutBinding", binding=at, type=each.kind, count=1, stages=ALL_STAGES)
            for at, each in given.items()
        ]
        info = made("DescriptorSetLayoutCreateInfo", count=len(rows))
        if rows:
            info = made("DescriptorSetLayoutCreateInfo", count=len(rows), bindings=several(rows))
        layout = api.create("vkCreateDescriptorSetLayout", handle, info, None)
        ranges = made("PushConstantRange", stages=ALL_STAGES, size=len(push))
        self.layout = api.create(
            "vkCreatePipelineLayout", handle,
            made(
                "PipelineLayoutCreateInfo", setCount=1,
                sets=numbers(layout, kind=ctypes.c_uint64),
                rangeCount=int(bool(push)), ranges=ranges,
            ),
            None,
        )  # fmt: skip
        sizes = several([made("PoolSize", type=kind, count=64) for kind in range(8)])
        pool = api.create(
            "vkCreateDescriptorPool", handle,
            made("DescriptorPoolCreateInfo", maxSets=1, sizeCount=len(sizes), sizes=sizes), None,
        )  # fmt: skip
        self.set = api.create(
            "vkAllocateDescriptorSets", handle,
            made(
                "DescriptorSetAllocateInfo", pool=pool, count=1,
                layouts=numbers(layout, kind=ctypes.c_uint64),
            ),
        )  # fmt: skip
        for at, each in given.items():
            fields: dict[str, Any]
            if isinstance(each, Buffer):
                if each.kind in (TEXELS, STORAGE_TEXELS):
                    fields = {"texelViews": numbers(each.view, kind=ctypes.c_uint64)}
                else:
                    buffer = made("DescriptorBufferInfo", buffer=each.handle, range=WHOLE)
                    fields = {"buffers": buffer}
            else:
                fields = {
                    "images": made(
                        "DescriptorImageInfo", sampler=each.sampler, view=each.view,
                        layout=GENERAL,
                    )
                }  # fmt: skip
            write = made(
                "WriteDescriptorSet", set=self.set, binding=at, count=1, type=each.kind, **fields
            )
            api.call("vkUpdateDescriptorSets", handle, 1, write, 0, None)

    def bind(self, api: Api, commands: int, point: int) -> None:
        """Record that these are used."""
        sets = numbers(self.set, kind=ctypes.c_uint64)
        api.call("vkCmdBindDescriptorSets", commands, point, self.layout, 0, 1, sets, 0, None)
        if self.push:
            size = len(self.push)
            api.call("vkCmdPushConstants", commands, self.layout, ALL_STAGES, 0, size, self.push)
