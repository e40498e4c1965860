"""Compute shaders on lavapipe, Mesa's Vulkan driver for the CPU: the peer of the engines.

    with Lavapipe() as device:                       # one queue; device.version says which Mesa
        x = device.buffer(bytes_or_size)             # x.data: its bytes, writable
        shader = device.compute(spirv, {0: x, 1: y}, push=struct.pack("<fI", 1.5, n))
        shader.dispatch(n // 64)                     # and waits
        shader.cpu_seconds(n // 64, rounds=9)        # CPU time of each round, all threads
        shader.creation + shader.first               # CPU seconds: making the pipeline, and the
                                                     # first dispatch, which compiles it

    python benchmarks/lavapipe.py [FOLDER]           # the golden compute shaders, as a check

Needs a Vulkan loader and Mesa's lavapipe (Debian: libvulkan1, mesa-vulkan-drivers); VulkanError
where they are missing. One worker thread, unless LP_NUM_THREADS says otherwise; the driver's disk
cache is off, so that creating a pipeline means compiling it.
"""

import ctypes
import json
import os
import struct
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from vulkan import Api, VulkanError, made, numbers, several

UNIFORM, STORAGE, STORAGE_TEXELS, TEXELS = 6, 7, 5, 4  # descriptor types of buffers
COMBINED, STORAGE_IMAGE = 1, 3  # of images
CPU_DEVICE = 4
GENERAL = 1  # image layout: good for everything
WHOLE = (1 << 64) - 1
ALL_STAGES = 0x7FFF_FFFF
# Formats by name, with the bytes of a texel.
FORMATS = {
    "rgba32f": (109, 16), "rgba32ui": (107, 16), "rgba32i": (108, 16), "r32ui": (98, 4),
    "r32f": (100, 4), "r32i": (99, 4), "rgba8": (37, 4), "d32": (126, 4),
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
    """An image in the general layout, with a view of all of it."""

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
    ) -> None:
        self.device = device
        self.format, self.texel = FORMATS[format]
        self.size = (*size, 1, 1)[:3]
        self.levels, self.layers = levels, layers
        self.sampler = 0
        self.aspect = 2 if format == "d32" else 1
        self.kind = STORAGE_IMAGE
        api, handle = device.api, device.handle
        usage = 0x1 | 0x2 | (0x4 if format != "d32" else 0)
        if target:
            usage |= 0x20 if format == "d32" else 0x10
        elif format != "d32":
            usage |= 0x8
        info = made(
            "ImageCreateInfo", flags=0x10 if shape.startswith("cube") else 0,
            imageType={"1": 0, "3": 2}.get(shape[0], 1), format=self.format,
            width=self.size[0], height=self.size[1], depth=self.size[2],
            levels=levels, layers=layers, samples=1, usage=usage,
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

    def _copy(self, name: str, buffer: Buffer) -> None:
        regions = [
            made(
                "BufferImageCopy", offset=offset, aspect=self.aspect, level=level,
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
        self._copy("vkCmdCopyBufferToImage", buffer)
        return self

    def read(self) -> bytes:
        """All texels."""
        buffer = self.device.buffer(self._size())
        self._copy("vkCmdCopyImageToBuffer", buffer)
        return bytes(buffer.data)


class Texture:
    """An image and how it is sampled; `state` are fields of VkSamplerCreateInfo."""

    kind = COMBINED

    def __init__(self, device: "Lavapipe", image: Image, **state: Any) -> None:
        self.view = image.view
        info = made("SamplerCreateInfo", **state)
        self.sampler = device.api.create("vkCreateSampler", device.handle, info, None)


Binding = Buffer | Image | Texture


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
                    told = made("DescriptorBufferInfo", buffer=each.handle, range=WHOLE)
                    fields = {"buffers": told}
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


class Compute:
    """A compute pipeline with what is bound to it."""

    def __init__(
        self,
        device: "Lavapipe",
        spirv: bytes,
        bindings: Mapping[int, Binding],
        push: bytes,
        constants: Mapping[int, int],
    ) -> None:
        self.device = device
        api = device.api
        self.bindings = Bindings(device, bindings, push)
        info = made(
            "ComputePipelineCreateInfo", stage=device.stage(spirv, 0x20, constants),
            layout=self.bindings.layout,
        )  # fmt: skip
        start = time.process_time()
        self.handle = api.create("vkCreateComputePipelines", device.handle, 0, 1, info, None)
        self.creation = time.process_time() - start
        self.first = 0.0
        self.recorded: dict[tuple[int, int, int], int] = {}

    def _commands(self, groups: tuple[int, int, int]) -> int:
        found = self.recorded.get(groups)
        if found is None:
            api = self.device.api
            found = self.device.begin(once=False)
            api.call("vkCmdBindPipeline", found, 1, self.handle)
            self.bindings.bind(api, found, 1)
            api.call("vkCmdDispatch", found, *groups)
            api.check("vkEndCommandBuffer", found)
            self.recorded[groups] = found
        return found

    def dispatch(self, x: int = 1, y: int = 1, z: int = 1) -> None:
        """Run so many groups, and wait for them."""
        start = time.process_time()
        self.device.submit(self._commands((x, y, z)))
        self.first = self.first or time.process_time() - start

    def cpu_seconds(self, x: int = 1, y: int = 1, z: int = 1, *, rounds: int = 9) -> list[float]:
        """CPU time of each of several dispatches, all threads of this process together."""
        self.dispatch(x, y, z)
        commands = self._commands((x, y, z))
        found = []
        for _ in range(rounds):
            start = time.process_time()
            self.device.submit(commands)
            found.append(time.process_time() - start)
        return found


class _Commands:
    """`with` this: commands that are run at the end."""

    def __init__(self, device: "Lavapipe") -> None:
        self.device = device

    def __enter__(self) -> int:
        self.commands = self.device.begin()
        return self.commands

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            self.device.api.check("vkEndCommandBuffer", self.commands)
            self.device.submit(self.commands)


class Lavapipe:
    """The device, one queue of it, and what is made on it."""

    def __init__(self, threads: int = 1, extensions: Iterable[str] = ()) -> None:
        os.environ.setdefault("LP_NUM_THREADS", str(threads))
        os.environ.setdefault("MESA_SHADER_CACHE_DISABLE", "true")
        api = self.api = Api()
        application = made("ApplicationInfo", apiVersion=1 << 22 | 2 << 12)
        self.instance = api.create(
            "vkCreateInstance", made("InstanceCreateInfo", application=application), None
        )
        self.physical, self.name, self.version = self._find()
        queue = made("DeviceQueueCreateInfo", count=1, priorities=numbers(1, kind=ctypes.c_float))
        names = [ctypes.create_string_buffer(each.encode()) for each in extensions]
        pointers = numbers(*[ctypes.addressof(each) for each in names], kind=ctypes.c_void_p)
        features = made("PhysicalDeviceFeatures2")
        api.call("vkGetPhysicalDeviceFeatures2", self.physical, features)
        chain = features
        if "VK_EXT_transform_feedback" in extensions:
            chain = made(
                "PhysicalDeviceTransformFeedbackFeatures", transformFeedback=1, next=features
            )
        info = made(
            "DeviceCreateInfo", next=chain, queueCount=1, queues=queue,
            extensionCount=len(names), extensions=pointers,
        )  # fmt: skip
        self.handle = api.create("vkCreateDevice", self.physical, info, None)
        handle = ctypes.c_uint64()
        api.call("vkGetDeviceQueue", self.handle, 0, 0, handle)
        self.queue = handle.value
        self.pool = api.create(
            "vkCreateCommandPool", self.handle, made("CommandPoolCreateInfo", flags=2), None
        )
        self.fence = api.create("vkCreateFence", self.handle, made("FenceCreateInfo"), None)

    def _find(self) -> tuple[int, str, str]:
        """The first device that is a CPU: its handle, name and the driver's version."""
        for physical in self.api.listed("vkEnumeratePhysicalDevices", self.instance):
            driver = made("PhysicalDeviceDriverProperties")
            found = made("PhysicalDeviceProperties2", next=driver)
            self.api.call("vkGetPhysicalDeviceProperties2", physical, found)
            if found.raw[4] == CPU_DEVICE and driver.driver.startswith(b"llvmpipe"):
                name = bytes(found.raw)[20:276].split(b"\0")[0].decode()
                return physical, name, driver.info.decode()
        raise VulkanError("no lavapipe among the Vulkan devices")

    def __enter__(self) -> "Lavapipe":
        return self

    def __exit__(self, *rest: object) -> None:
        """Everything made on the device goes with the process."""
        self.api.call("vkDeviceWaitIdle", self.handle)

    # ------------------------------------------------------------ making

    def allocate(self, needed: Any) -> int:
        """Memory; lavapipe has one kind, which everybody sees."""
        info = made("MemoryAllocateInfo", size=needed.size)
        return self.api.create("vkAllocateMemory", self.handle, info, None)

    def buffer(self, contents: "bytes | int", kind: int = STORAGE) -> Buffer:
        """A buffer of so many zero bytes, or with these in it."""
        size = contents if isinstance(contents, int) else len(contents)
        found = Buffer(self, size, kind)
        found.data[:] = bytes(size) if isinstance(contents, int) else contents
        return found

    def texels(self, contents: "bytes | int", format: str, kind: int = TEXELS) -> Buffer:
        """A buffer of texels."""
        found = self.buffer(contents, kind)
        info = made(
            "BufferViewCreateInfo", buffer=found.handle, format=FORMATS[format][0], range=WHOLE
        )
        found.view = self.api.create("vkCreateBufferView", self.handle, info, None)
        return found

    def image(self, format: str, *size: int, **options: Any) -> Image:
        """An image; see Image."""
        return Image(self, format, size, **options)

    def compute(
        self,
        spirv: bytes,
        bindings: Mapping[int, Binding],
        push: bytes = b"",
        constants: Mapping[int, int] | None = None,
    ) -> Compute:
        """A compute shader; `constants` are specialization constants of four bytes by id."""
        return Compute(self, spirv, bindings, push, constants or {})

    def stage(self, spirv: bytes, stage: int, constants: Mapping[int, int] | None = None) -> Any:
        """A shader stage of a pipeline."""
        code = ctypes.create_string_buffer(spirv, len(spirv))
        info = made("ShaderModuleCreateInfo", size=len(spirv), code=code)
        module = self.api.create("vkCreateShaderModule", self.handle, info, None)
        fields = {}
        if constants:
            entries = [
                made("SpecializationEntry", id=name, offset=4 * at, size=4)
                for at, name in enumerate(constants)
            ]
            data = struct.pack(f"<{len(constants)}I", *constants.values())
            fields["specialization"] = made(
                "SpecializationInfo", count=len(entries), entries=several(entries),
                size=len(data), data=data,
            )  # fmt: skip
        return made("ShaderStage", stage=stage, module=module, name=b"main", **fields)

    # ------------------------------------------------------------ running

    def begin(self, once: bool = True) -> int:
        """Commands to be recorded."""
        info = made("CommandBufferAllocateInfo", pool=self.pool, count=1)
        found = self.api.create("vkAllocateCommandBuffers", self.handle, info)
        flags = 1 if once else 0
        self.api.check("vkBeginCommandBuffer", found, made("CommandBufferBeginInfo", flags=flags))
        return found

    def commands(self) -> _Commands:
        """`with` it: record commands, then run them."""
        return _Commands(self)

    def submit(self, commands: int) -> None:
        """Run recorded commands, and wait."""
        info = made("SubmitInfo", commandCount=1, commands=numbers(commands, kind=ctypes.c_uint64))
        fences = numbers(self.fence, kind=ctypes.c_uint64)
        self.api.check("vkQueueSubmit", self.queue, 1, info, self.fence)
        self.api.check("vkWaitForFences", self.handle, 1, fences, 1, WHOLE)
        self.api.check("vkResetFences", self.handle, 1, fences)


# ---------------------------------------------------------------- the golden shaders


def generator(count: int, x: int = 12345) -> list[int]:
    """The numbers that fill the golden shaders' buffers."""
    found = []
    for _ in range(count):
        x = (x * 1664525 + 1013904223) & 0xFFFF_FFFF
        found.append(x)
    return found


def environment(device: Lavapipe) -> dict[int, Binding]:
    """What every golden shader has bound: see the README beside them."""
    numbers_ = generator(8192)
    floats = struct.pack("<4096f", *[(x >> 8) * 2.0**-24 for x in numbers_[4096:]])
    sampler = {
        "mag": 1, "min": 1, "addressU": 0, "addressV": 2, "addressW": 1, "maxLod": 0.0
    }  # fmt: skip
    flat = device.image("rgba32f", 16, 16).write(floats[:4096])
    solid = device.image("rgba32f", 8, 8, 4, shape="3d").write(floats[4096:8192])
    return {
        0: device.buffer(struct.pack("<4096I", *numbers_[:4096])),
        1: device.buffer(65536 * 4),
        2: device.buffer(floats),
        3: device.buffer(65536),
        4: device.image("r32ui", 64, 64).write(bytes(16384)),
        5: device.image("rgba8", 64, 64).write(bytes(16384)),
        6: Texture(device, flat, **sampler),
        7: Texture(device, solid, **sampler),
    }


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _corpus() / "execution"
    manifest = json.loads((folder / "golden" / "manifest.json").read_text())
    push = struct.pack("<I7f", 9, 1.25, 0.5, -0.75, 1, 2, 3, 4)
    equal = 0
    with Lavapipe() as device:
        print(f"{device.name}: {device.version}")
        for name, row in sorted(manifest.items()):
            bindings = environment(device)
            spirv = (folder / f"{name}.spv").read_bytes()
            shader = device.compute(spirv, bindings, push, {10: 64})
            shader.dispatch(*row["groups"])
            golden = (folder / "golden" / f"{name}.out").read_bytes()
            out = bindings[1]
            assert isinstance(out, Buffer)
            same = bytes(out.data[: len(golden)]) == golden
            equal += same
            told = "as golden" if same else "different"
            cold = (shader.creation + shader.first) * 1e3
            print(f"    {name:28} {cold:6.1f} ms to create and run once   {told}")
    print(f"{equal} of {len(manifest)} as golden")
    return 0 if equal == len(manifest) else 1


def _corpus() -> Path:
    from peers import ROOT

    return Path(os.environ.get("UNSHADE_CORPUS", ROOT / "../shared/corpus"))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except VulkanError as error:
        print(f"lavapipe cannot be used: {error}", file=sys.stderr)
        sys.exit(2)
