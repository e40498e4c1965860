"""Pipelines whose stages, root signatures, layouts and states fit and do not fit, by seed."""

from __future__ import annotations

from random import Random
from typing import Any

import unshade
from tests.analysis.pipelines import modules
from tests.analysis.pipelines.test_layouts import FRAGMENT
from tests.examples import EXAMPLES

SEEDS = 40
DIRECT3D = (
    ("skinning.dxbc", "phong.dxbc"), ("sheet.h.dxbc", "sheet.d.dxbc"), ("phong.dxbc",),
    ("billboards.dxbc", "phong.dxbc"), ("sheet.d.dxbc", "billboards.dxbc"), ("saxpy.dxbc",),
    ("skinning.dxbc", "sheet.h.dxbc", "sheet.d.dxbc", "phong.dxbc"), ("saxpy6.dxil",),
)  # fmt: skip
ROWS = ("float", "float2", "float3", "float4", "int", "int3", "uint2", "uint4")
FORMATS = (
    "R8G8B8A8_UNORM", "R32_UINT", "R16G16B16A16_SINT", "R32G32B32A32_FLOAT", "R8_SNORM",
    "D32_FLOAT",
)  # fmt: skip
KINDS = (
    "uniform_buffer", "storage_buffer", "combined_image_sampler", "sampled_image", "sampler",
    "storage_image", "mutable", "input_attachment",
)  # fmt: skip
STAGES = ("vertex", "pixel", "compute", "all", "all_graphics", "geometry")
TOPOLOGIES = ("point", "line", "triangle", "patch")
FEATURES = ("maintenance4", "shaderFloat64", "geometryShader")
FLAGS = (
    "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT", "DENY_PIXEL_SHADER_ROOT_ACCESS",
    "DENY_VERTEX_SHADER_ROOT_ACCESS",
)  # fmt: skip
VIEWS = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "Sampler"}


def stages(seed: int) -> list[Any]:
    """Return the stages of a pipeline: of Direct3D for odd seeds, of Vulkan for even ones."""
    chance = Random(f"stages {seed}")
    if seed % 2:
        return [EXAMPLES / name for name in DIRECT3D[seed // 2 % len(DIRECT3D)]]
    if seed % 10 == 0:
        return [EXAMPLES / "clay.vert.spv", EXAMPLES / "clay.frag.spv"]
    if seed % 10 == 4:
        return [unshade.assemble(FRAGMENT, "spirv")]
    outputs = _rows(chance)
    inputs = {**outputs, **_rows(chance, 1)} if chance.random() < 0.8 else _rows(chance)
    first, last = modules.vertex(outputs, _rows(chance)), modules.fragment(inputs, _rows(chance))
    between: tuple[list[Any], ...] = (
        [],
        [modules.hull(inputs, outputs), modules.domain(outputs, inputs)],
        [modules.geometry(inputs, outputs)],
    )
    return [first, *chance.choice(between), last]


def _rows(chance: Random, most: int = 3) -> dict[Any, str]:
    return {chance.randrange(6): chance.choice(ROWS) for _ in range(chance.randint(0, most))}


def options(seed: int) -> list[dict[str, Any]]:
    """Return options of a pipeline: none, and root signatures or layouts, and states."""
    chance = Random(f"options {seed}")
    made: list[dict[str, Any]] = [{}]
    for _ in range(4):
        if seed % 2:
            made.append({"root_signature": unshade.assemble(_root(chance))})
        else:
            made.append({"layout": _layout(chance)})
        made.append({"state": _state(chance)})
    return made


def _root(chance: Random) -> str:
    parts = [f"RootFlags({' | '.join(chance.sample(FLAGS, chance.randint(1, 2)))})"]
    for _ in range(chance.randint(0, 6)):
        kind, number = chance.choice("btus"), chance.randrange(3)
        view = f"{VIEWS[kind]}({kind}{number}"
        seen = chance.choice(("PIXEL", "VERTEX", "ALL", None))
        end = f", visibility=SHADER_VISIBILITY_{seen})" if seen else ")"
        if kind == "s" and chance.random() < 0.5:
            parts.append(f"StaticSampler(s{number}{end}")
        elif kind == "b" and chance.random() < 0.3:
            size = f"num32BitConstants={chance.randint(1, 64)}"
            parts.append(f"RootConstants(b{number}, {size}{end}")
        elif kind == "s" or chance.random() < 0.6:
            parts.append(f"DescriptorTable({view}, numDescriptors={chance.randint(1, 4)}){end}")
        else:
            parts.append(view + end)
    return ", ".join(parts)


def _layout(chance: Random) -> dict[str, Any]:
    sets = [
        [
            {"binding": at, "type": chance.choice(KINDS), "count": chance.randint(1, 3),
             "stages": chance.sample(STAGES, chance.randint(1, 2))}
            for at in range(chance.randint(0, 4))
        ]
        for _ in range(chance.randint(0, 3))
    ]  # fmt: skip
    push = [
        {"offset": 4 * chance.randrange(5), "size": 4 * chance.randint(1, 33),
         "stages": [chance.choice(STAGES)]}
        for _ in range(chance.randint(0, 2))
    ]  # fmt: skip
    return {"sets": sets, "push_constants": push}


def _state(chance: Random) -> dict[str, Any]:
    elements = [
        {"semantic": "TEXCOORD", "index": at, "format": chance.choice(FORMATS)}
        if chance.random() < 0.5
        else {"location": at, "format": chance.choice(FORMATS)}
        for at in range(chance.randint(0, 5))
    ]
    made: dict[str, Any] = {
        "topology": chance.choice(TOPOLOGIES),
        "control_points": chance.randint(1, 5),
        "input_layout": elements,
        "targets": [chance.choice((*FORMATS, None)) for _ in range(chance.randint(0, 3))],
        "depth_format": chance.choice(("", "D32_FLOAT", "D24_UNORM_S8_UINT")),
        "rasterized_stream": chance.choice((None, 0, 1)),
        "features": chance.sample(FEATURES, chance.randint(0, 2)),
        "limits": {"maxComputeWorkGroupInvocations": chance.choice((16, 1024))},
    }
    return {name: value for name, value in made.items() if chance.random() < 0.7}
