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

from vulkan import Api, VulkanError, exit_with, made, numbers, several
from vulkan_resources import (
    FORMATS,
    STORAGE,
    TEXELS,
    WHOLE,
    Binding,
    Bindings,
    Buffer,
    Image,
    Texture,
)

CPU_DEVICE = 4
WIDTH = "LP_NATIVE_VECTOR_WIDTH"  # environment: bits of lavapipe's vector registers


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

    def cpu_seconds(
        self, x: int = 1, y: int = 1, z: int = 1, *, rounds: int = 9, warm: bool = True
    ) -> list[float]:
        """CPU time of each of several dispatches, all threads of this process together.

        `warm`: with one more before them.
        """
        if warm:
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

    def __init__(
        self,
        threads: int = 1,
        extensions: Iterable[str] = (),
        instance_extensions: Iterable[str] = (),
    ) -> None:
        os.environ.setdefault("LP_NUM_THREADS", str(threads))
        os.environ.setdefault("MESA_SHADER_CACHE_DISABLE", "true")
        api = self.api = Api()
        application = made("ApplicationInfo", apiVersion=1 << 22 | 2 << 12)
        names = [ctypes.create_string_buffer(each.encode()) for each in instance_extensions]
        pointers = numbers(*[ctypes.addressof(each) for each in names], kind=ctypes.c_void_p)
        info = made("InstanceCreateInfo", application=application)
        if names:
            info = made(
                "InstanceCreateInfo", application=application, extensionCount=len(names),
                extensions=pointers,
            )  # fmt: skip
        self.instance = api.create("vkCreateInstance", info, None)
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
        if "VK_KHR_maintenance4" in extensions:
            chain = made("PhysicalDeviceMaintenance4Features", maintenance4=1, next=chain)
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

    def extension(self, name: str, *args: Any) -> None:
        """A call of an extension, which the loader does not export."""
        find = self.api.library["vkGetDeviceProcAddr"]
        find.restype = ctypes.c_void_p
        address = find(ctypes.c_uint64(self.handle), name.encode())
        if not address:
            raise VulkanError(f"{name} is missing")
        given = [ctypes.c_uint64(arg) if isinstance(arg, int) else arg for arg in args]
        ctypes.CFUNCTYPE(None)(address)(*given)

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
    """Bindings of every golden shader: see the README beside them."""
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
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else corpus() / "execution"
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
            verdict = "as golden" if same else "different"
            cold = (shader.creation + shader.first) * 1e3
            print(f"    {name:28} {cold:6.1f} ms to create and run once   {verdict}")
    print(f"{equal} of {len(manifest)} as golden")
    return 0 if equal == len(manifest) else 1


def corpus() -> Path:
    from peers import ROOT

    return Path(os.environ.get("UNSHADE_CORPUS", ROOT / "../shared/corpus"))


if __name__ == "__main__":
    exit_with(main)
