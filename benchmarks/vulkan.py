"""As much of Vulkan 1.1 as a benchmark needs, over ctypes.

    made("BufferCreateInfo", size=64, usage=STORAGE)      a structure; what is not named is 0
    api.check("vkCreateBuffer", device, info, None, out)  a call; VulkanError if it fails

Source: the Vulkan specification (structures, numbers); all calls are core ones, which the loader
exports by name.
"""

# ruff: noqa: E501
import ctypes
import sys
from collections.abc import Callable
from ctypes import POINTER, byref, c_char, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, NoReturn

LETTERS: dict[str, Any] = {
    "u": c_uint32, "i": c_int32, "f": c_float, "q": c_uint64, "p": c_void_p, "z": c_size_t, "c": c_char,
}  # fmt: skip

# Name: sType (None for a plain structure), and "letter:field field …" groups in order.
# fmt: off
_LAYOUTS: dict[str, tuple[int | None, str]] = {
    "ApplicationInfo":        (0,  "p:name u:version p:engine u:engineVersion apiVersion"),
    "InstanceCreateInfo":     (1,  "u:flags p:application u:layerCount p:layers u:extensionCount p:extensions"),
    "DeviceQueueCreateInfo":  (2,  "u:flags family count p:priorities"),
    "DeviceCreateInfo":       (3,  "u:flags queueCount p:queues u:layerCount p:layers u:extensionCount p:extensions features"),
    "SubmitInfo":             (4,  "u:waitCount p:waits stages u:commandCount p:commands u:signalCount p:signals"),
    "MemoryAllocateInfo":     (5,  "q:size u:type"),
    "FenceCreateInfo":        (8,  "u:flags"),
    "BufferCreateInfo":       (12, "u:flags q:size u:usage sharing familyCount p:families"),
    "BufferViewCreateInfo":   (13, "u:flags q:buffer u:format q:offset range"),
    "ImageCreateInfo":        (14, "u:flags imageType format width height depth levels layers samples tiling usage sharing familyCount p:families u:layout"),
    "ImageViewCreateInfo":    (15, "u:flags q:image u:viewType format r g b a aspect baseLevel levels baseLayer layers"),
    "ShaderModuleCreateInfo": (16, "u:flags z:size p:code"),
    "ShaderStage":            (18, "u:flags stage q:module p:name specialization"),
    "VertexInputState":       (19, "u:flags bindingCount p:bindings u:attributeCount p:attributes"),
    "InputAssemblyState":     (20, "u:flags topology restart"),
    "TessellationState":      (21, "u:flags points"),
    "ViewportState":          (22, "u:flags viewportCount p:viewports u:scissorCount p:scissors"),
    "RasterizationState":     (23, "u:flags depthClamp discard polygonMode cullMode frontFace depthBias f:biasConstant biasClamp biasSlope lineWidth"),
    "MultisampleState":       (24, "u:flags samples sampleShading f:minSampleShading p:mask u:alphaToCoverage alphaToOne"),
    "DepthStencilState":      (25, "u:flags test write compare bounds stencil i:s0 s1 s2 s3 s4 s5 s6 t0 t1 t2 t3 t4 t5 t6 f:least most"),
    "ColorBlendState":        (26, "u:flags logic logicOp count p:attachments f:r g b a"),
    "GraphicsPipelineCreateInfo": (28, "u:flags stageCount p:stages vertexInput inputAssembly tessellation viewport rasterization multisample depthStencil colorBlend dynamic q:layout renderPass u:subpass q:base i:baseIndex"),
    "ComputePipelineCreateInfo": (29, "u:flags ShaderStage:stage q:layout base i:baseIndex"),
    "PipelineLayoutCreateInfo": (30, "u:flags setCount p:sets u:rangeCount p:ranges"),
    "SamplerCreateInfo":      (31, "u:flags mag min mipmap addressU addressV addressW f:bias u:anisotropy f:maxAnisotropy u:compare compareOp f:minLod maxLod u:border unnormalized"),
    "DescriptorSetLayoutCreateInfo": (32, "u:flags count p:bindings"),
    "DescriptorPoolCreateInfo": (33, "u:flags maxSets sizeCount p:sizes"),
    "DescriptorSetAllocateInfo": (34, "q:pool u:count p:layouts"),
    "WriteDescriptorSet":     (35, "q:set u:binding element count type p:images buffers texelViews"),
    "FramebufferCreateInfo":  (37, "u:flags q:renderPass u:count p:attachments u:width height layers"),
    "RenderPassCreateInfo":   (38, "u:flags attachmentCount p:attachments u:subpassCount p:subpasses u:dependencyCount p:dependencies"),
    "CommandPoolCreateInfo":  (39, "u:flags family"),
    "CommandBufferAllocateInfo": (40, "q:pool u:level count"),
    "CommandBufferBeginInfo": (42, "u:flags p:inheritance"),
    "RenderPassBeginInfo":    (43, "q:renderPass framebuffer i:x y u:width height clearCount p:clears"),
    "ImageMemoryBarrier":     (45, "u:before after oldLayout newLayout oldFamily newFamily q:image u:aspect baseLevel levels baseLayer layers"),
    "MemoryBarrier":          (46, "u:before after"),
    "RasterizationLineState": (1000259001, "u:mode stipple factor pattern"),
    "PhysicalDeviceTransformFeedbackFeatures": (1000028000, "u:transformFeedback geometryStreams"),
    "PhysicalDeviceMaintenance4Features": (1000413000, "u:maintenance4"),
    "DebugUtilsMessengerCreateInfo": (1000128004, "u:flags severity types p:callback user"),
    "PhysicalDeviceFeatures2": (1000059000, "u*55:features"),
    "PhysicalDeviceProperties2": (1000059001, "u*256:raw"),
    "PhysicalDeviceDriverProperties": (1000196000, "u:id c*256:driver info u:conformance"),

    "LayoutBinding":          (None, "u:binding type count stages p:samplers"),
    "PoolSize":               (None, "u:type count"),
    "PushConstantRange":      (None, "u:stages offset size"),
    "SpecializationInfo":     (None, "u:count p:entries z:size p:data"),
    "SpecializationEntry":    (None, "u:id offset z:size"),
    "DescriptorBufferInfo":   (None, "q:buffer offset range"),
    "DescriptorImageInfo":    (None, "q:sampler view u:layout"),
    "BufferImageCopy":        (None, "q:offset u:rowLength imageHeight aspect level baseLayer layers i:x y z u:width height depth"),
    "MemoryRequirements":     (None, "q:size alignment u:types"),
    "MemoryType":             (None, "u:flags heap"),
    "VertexBinding":          (None, "u:binding stride rate"),
    "VertexAttribute":        (None, "u:location binding format offset"),
    "Viewport":               (None, "f:x y width height near far"),
    "Rect":                   (None, "i:x y u:width height"),
    "BlendAttachment":        (None, "u:enable sourceColor targetColor colorOp sourceAlpha targetAlpha alphaOp mask"),
    "AttachmentDescription":  (None, "u:flags format samples load store stencilLoad stencilStore first last"),
    "AttachmentReference":    (None, "u:attachment layout"),
    "Subpass":                (None, "u:flags bindPoint inputCount p:inputs u:colorCount p:colors resolves depth u:preserveCount p:preserves"),
}
# fmt: on


def _classes() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (kind, text) in _LAYOUTS.items():
        fields: list[tuple[str, Any]] = []
        if kind is not None:
            fields += [("sType", c_uint32), ("next", c_void_p)]
        letter: Any = None
        for word in text.split():
            before, _, field = word.rpartition(":")
            if before:
                one, _, count = before.partition("*")
                letter = found[one] if one in found else LETTERS[one]
                if count:
                    letter = letter * int(count)
            fields.append((field, letter))
        found[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return found


STRUCTURES = _classes()


def made(name: str, /, **fields: Any) -> Any:
    """A structure; a field that is a structure, an array or bytes is pointed at, and kept alive."""
    found = STRUCTURES[name]()
    kind = _LAYOUTS[name][0]
    if kind is not None:
        found.sType = kind
    kept = found.kept = []
    types = dict(found._fields_)
    for field, value in fields.items():
        given = ctypes.create_string_buffer(value) if isinstance(value, bytes) else value
        if isinstance(given, ctypes.Structure | ctypes.Array):
            kept.append(given)
            if types[field] is c_void_p:
                given = ctypes.addressof(given)
        setattr(found, field, given)
    return found


def several(items: "list[Any]") -> Any:
    """An array of structures of one kind."""
    found = (type(items[0]) * len(items))(*items)
    found.kept = items
    return found


def numbers(*values: int, kind: Any = c_uint32) -> Any:
    """An array of numbers."""
    return (kind * len(values))(*values)


def _argument(value: Any) -> Any:
    if isinstance(value, int):
        return c_uint64(value)
    return byref(value) if isinstance(value, ctypes.Structure | ctypes._SimpleCData) else value


class VulkanError(RuntimeError):
    """A call that failed."""


def exit_with(main: Callable[[], int]) -> NoReturn:
    """Exit with what a program returns; with status 2 and a message if it has no lavapipe."""
    try:
        sys.exit(main())
    except VulkanError as error:
        print(f"lavapipe cannot be used: {error}", file=sys.stderr)
        sys.exit(2)


class Api:
    """The loader's functions. Numbers go as 64 bits: every calling convention here allows that."""

    def __init__(self, library: str = "libvulkan.so.1") -> None:
        try:
            self.library = ctypes.CDLL(library)
        except OSError as error:
            raise VulkanError(f"no Vulkan loader: {error}") from None

    def call(self, name: str, *args: Any) -> int:
        """A call, whatever it gives."""
        function = self.library[name]
        function.restype = c_int32
        return int(function(*map(_argument, args)))

    def check(self, name: str, *args: Any) -> None:
        """A call that gives a result code."""
        result = self.call(name, *args)
        if result < 0:
            raise VulkanError(f"{name}: {result}")

    def create(self, name: str, *args: Any) -> int:
        """A call whose last argument is the handle to fill in."""
        handle = c_uint64()
        self.check(name, *args, handle)
        return handle.value

    def listed(self, name: str, owner: int, kind: Any = c_uint64) -> list[Any]:
        """A call that is asked for a count, then for as many things."""
        count = c_uint32()
        self.call(name, owner, count, None)
        items = (kind * count.value)()
        self.call(name, owner, count, ctypes.cast(items, POINTER(kind)))
        return list(items)
