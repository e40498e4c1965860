"""Pipelines that nearly fit, judged by Vulkan's validation layers and by `unshade.Pipeline`.

    python benchmarks/links_against_layers.py [--seeds 2000] [--first 0] [--no-maintenance4]

Chains of stages are made from seeds (seeded_links.py). A pipeline of each is created on lavapipe
with VK_LAYER_KHRONOS_validation; the verdict is that of errors, of the layers and of
`Pipeline.check()`. Prints the number of chains with the same verdict, by mutation, and each other
one with what both say.

Needs Debian's vulkan-validationlayers, libvulkan1 and mesa-vulkan-drivers.
"""

import argparse
import ctypes
import os
import sys
from collections import Counter
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int32, c_uint32, c_void_p
from typing import Any

os.environ.setdefault("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation")

from lavapipe import Lavapipe
from seeded_links import Chain, links, text
from vulkan import VulkanError, exit_with, made, several
from vulkan_pipelines import State

import unshade

STAGES = {"vertex": 1, "hull": 2, "domain": 4, "geometry": 8, "pixel": 16}
TYPES = {"combined_image_sampler": 1, "storage_image": 3, "uniform_buffer": 6, "storage_buffer": 7}
ERROR = 0x1000  # VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
PATCHES = 10  # VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
TRIANGLES = 3


class CallbackData(ctypes.Structure):
    """VkDebugUtilsMessengerCallbackDataEXT, as far as it is read."""

    _fields_ = (
        ("sType", c_uint32), ("next", c_void_p), ("flags", c_uint32), ("id", c_char_p),
        ("number", c_int32), ("message", c_char_p),
    )  # fmt: skip


CALLBACK = CFUNCTYPE(c_uint32, c_uint32, c_uint32, POINTER(CallbackData), c_void_p)


class Layers:
    """A device whose layers tell what they find; a call with an error does not reach the driver."""

    def __init__(self, *, maintenance4: bool) -> None:
        more = ["VK_KHR_maintenance4"] if maintenance4 else []
        self.device = Lavapipe(extensions=more, instance_extensions=["VK_EXT_debug_utils"])
        self.api = self.device.api
        self.errors: list[tuple[str, str]] = []
        self.callback = CALLBACK(self._told)  # kept alive
        find = self.api.library["vkGetInstanceProcAddr"]
        find.restype = c_void_p
        address = find(c_void_p(self.device.instance), b"vkCreateDebugUtilsMessengerEXT")
        if not address:
            raise VulkanError("no VK_EXT_debug_utils")
        create = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p, c_void_p)(address)
        info = made(
            "DebugUtilsMessengerCreateInfo", severity=ERROR, types=7,
            callback=ctypes.cast(self.callback, c_void_p).value,
        )  # fmt: skip
        handle = ctypes.c_uint64()
        if create(self.device.instance, ctypes.addressof(info), None, ctypes.addressof(handle)):
            raise VulkanError("vkCreateDebugUtilsMessengerEXT failed")
        attachment = made("AttachmentDescription", format=37, samples=1, load=2, store=1,
                          stencilLoad=2, stencilStore=1, first=0, last=1)  # fmt: skip
        reference = made("AttachmentReference", attachment=0, layout=1)
        subpass = made("Subpass", colorCount=1, colors=several([reference]))
        self.render_pass = self.api.create(
            "vkCreateRenderPass", self.device.handle,
            made("RenderPassCreateInfo", attachmentCount=1, attachments=several([attachment]),
                 subpassCount=1, subpasses=subpass), None,
        )  # fmt: skip

    def _told(self, severity: int, types: int, data: Any, user: Any) -> int:
        found = data.contents
        self.errors.append((found.id.decode(), found.message.decode()))
        return 1

    def layout(self, chain: Chain) -> int:
        """A pipeline layout."""
        sets = []
        for row in chain.layout["sets"]:
            rows = [
                made("LayoutBinding", binding=each["binding"], type=TYPES[each["type"]],
                     count=each["count"], stages=sum(map(STAGES.__getitem__, set(each["stages"]))))
                for each in row
            ]  # fmt: skip
            info = made("DescriptorSetLayoutCreateInfo", count=len(rows))
            if rows:
                info = made(
                    "DescriptorSetLayoutCreateInfo", count=len(rows), bindings=several(rows)
                )
            sets.append(
                self.api.create("vkCreateDescriptorSetLayout", self.device.handle, info, None)
            )
        pushes: dict[str, dict[str, Any]] = {}
        for each in chain.layout["push_constants"]:
            for stage in each["stages"]:
                pushes.setdefault(stage, each)  # ranges of one stage may not be two
        ranges = [made("PushConstantRange", stages=STAGES[stage], offset=each["offset"],
                       size=each["size"]) for stage, each in pushes.items()]  # fmt: skip
        fields: dict[str, Any] = {}
        if ranges:
            fields = {"rangeCount": len(ranges), "ranges": several(ranges)}
        handles = (ctypes.c_uint64 * len(sets))(*sets)
        info = made("PipelineLayoutCreateInfo", setCount=len(sets), sets=handles, **fields)
        return self.api.create("vkCreatePipelineLayout", self.device.handle, info, None)

    def judge(self, chain: Chain, modules: dict[str, bytes]) -> list[tuple[str, str]]:
        """Create the pipeline; return the errors of creating it."""
        layout = self.layout(chain)
        stages = [self.device.stage(code, STAGES[stage]) for stage, code in modules.items()]
        if self.errors:
            raise VulkanError(f"a module or layout is invalid: {self.errors[0][1]}")
        patches = "hull" in modules
        state = State(size=(4, 4))
        more = {"tessellation": made("TessellationState", points=3)} if patches else {}
        info = made(
            "GraphicsPipelineCreateInfo", stageCount=len(stages), stages=several(stages),
            vertexInput=made("VertexInputState"),
            inputAssembly=made("InputAssemblyState", topology=PATCHES if patches else TRIANGLES),
            viewport=made(
                "ViewportState", viewportCount=1, scissorCount=1,
                viewports=made("Viewport", width=4.0, height=4.0, far=1.0),
                scissors=made("Rect", width=4, height=4),
            ),
            rasterization=made("RasterizationState", lineWidth=1.0, frontFace=state.front),
            multisample=made("MultisampleState", samples=1),
            depthStencil=made("DepthStencilState"),
            colorBlend=made("ColorBlendState", count=1,
                            attachments=several([made("BlendAttachment", mask=15)])),
            layout=layout, renderPass=self.render_pass, **more,
        )  # fmt: skip
        try:
            made_one = self.api.create(
                "vkCreateGraphicsPipelines", self.device.handle, 0, 1, info, None
            )
            self.api.call("vkDestroyPipeline", self.device.handle, made_one, None)
        except VulkanError:
            if not self.errors:
                raise
        found, self.errors[:] = list(self.errors), []
        return found


def ours(chain: Chain, modules: dict[str, bytes], *, maintenance4: bool) -> list[Any]:
    """The errors of `Pipeline.check`."""
    pushes: dict[str, dict[str, Any]] = {}
    for each in chain.layout["push_constants"]:
        for stage in each["stages"]:
            pushes.setdefault(stage, {**each, "stages": [stage]})
    layout = {**chain.layout, "push_constants": list(pushes.values())}
    pipeline = unshade.Pipeline(
        *map(unshade.loads, modules.values()),
        layout=layout,
        state={"features": ["maintenance4"] if maintenance4 else []},
    )
    return [each for each in pipeline.check() if each.severity is unshade.Severity.ERROR]


def main() -> int:
    """Judge chains, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--no-maintenance4", action="store_true")
    given = parser.parse_args()
    maintenance4 = not given.no_maintenance4
    layers = Layers(maintenance4=maintenance4)
    same: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    errors = broken = 0
    for seed in range(given.first, given.first + given.seeds):
        chain = links(seed)
        modules = {
            stage: unshade.assemble(text(chain, stage), "spirv", target="spv1.3").to_bytes()
            for stage in chain.stages
        }
        try:
            theirs = layers.judge(chain, modules)
        except VulkanError as error:
            broken += 1
            said = [message.split(" | ")[-1] for _, message in layers.errors] or [str(error)]
            print(f"seed {seed}: {chain.mutation}: {said[0][:300]}")
            layers.errors.clear()
            continue
        found = ours(chain, modules, maintenance4=maintenance4)
        counts[chain.mutation] += 1
        errors += bool(theirs)
        if bool(theirs) == bool(found):
            same[chain.mutation] += 1
            continue
        print(f"seed {seed}: {' '.join(chain.stages)}: {chain.mutation}")
        for code, message in theirs[:2]:
            print(f"    layers: {code}: {message.split(' | ')[-1][:230]}")
        for each in found[:2]:
            print(f"    unshade: {each.code}: {each.message[:200]}")
    total = sum(counts.values())
    print(f"{sum(same.values())} of {total} chains have the same verdict; {errors} have errors;"
          f" {broken} were not valid modules")  # fmt: skip
    for mutation, count in sorted(counts.items()):
        print(f"  {mutation:16} {same[mutation]} of {count}")
    return 0


if __name__ == "__main__":
    sys.exit(exit_with(main))
