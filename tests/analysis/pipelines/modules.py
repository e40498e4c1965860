"""SPIR-V modules with the interface that a test asks for.

vertex({0: "float3", (1, 2): "uint"})   outputs at location 0, and at location 1 from component 2
hull({0: "float4", 1: "patch float"})    the first for each control point, the second for the patch
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import unshade
from unshade.formats.spirv import SpirvModule

Rows = Mapping["int | tuple[int, int]", str]
WIDTHS = {"float": "OpTypeFloat 32", "int": "OpTypeInt 32 1", "uint": "OpTypeInt 32 0"}
MODES = {
    "Fragment": ["OriginUpperLeft"],
    "TessellationControl": ["OutputVertices 4"],
    "TessellationEvaluation": ["Triangles", "SpacingEqual", "VertexOrderCcw"],
    "Geometry": ["Triangles", "OutputPoints", "OutputVertices 1", "Invocations 1"],
}
# Interfaces that are arrays by vertex, and their length.
ARRAYS = {
    ("TessellationControl", "Input"): 4, ("TessellationControl", "Output"): 4,
    ("TessellationEvaluation", "Input"): 4, ("Geometry", "Input"): 3,
}  # fmt: skip
CAPABILITIES = {
    "TessellationControl": "OpCapability Tessellation",
    "TessellationEvaluation": "OpCapability Tessellation",
    "Geometry": "OpCapability Geometry",
}


def vertex(outputs: Rows, inputs: Rows | None = None) -> SpirvModule:
    return module("Vertex", inputs or {}, outputs)


def fragment(inputs: Rows, outputs: Rows | None = None) -> SpirvModule:
    return module("Fragment", inputs, {0: "float4"} if outputs is None else outputs)


def hull(outputs: Rows, inputs: Rows | None = None) -> SpirvModule:
    return module("TessellationControl", inputs or {}, outputs)


def domain(inputs: Rows, outputs: Rows | None = None) -> SpirvModule:
    return module("TessellationEvaluation", inputs, outputs or {})


def geometry(inputs: Rows, outputs: Rows | None = None) -> SpirvModule:
    return module("Geometry", inputs, outputs or {})


def module(model: str, inputs: Rows, outputs: Rows) -> SpirvModule:
    return _module(model, tuple(inputs.items()), tuple(outputs.items()))


@cache
def _module(
    model: str,
    inputs: tuple[tuple[int | tuple[int, int], str], ...],
    outputs: tuple[tuple[int | tuple[int, int], str], ...],
) -> SpirvModule:
    """Return a module whose entry point copies nothing: interfaces are what it declares."""
    names: list[str] = []
    decorations: list[str] = []
    variables: list[str] = []
    types: dict[str, str] = {}
    for storage, rows in (("Input", inputs), ("Output", outputs)):
        for at, (place, what) in enumerate(rows):
            kind = what
            location, component = place if isinstance(place, tuple) else (place, 0)
            name = f"%{storage.lower()}{at}"
            names.append(name)
            of_patch, kind = kind.startswith("patch "), kind.removeprefix("patch ")
            if of_patch:
                decorations.append(f"OpDecorate {name} Patch")
            decorations.append(f"OpDecorate {name} Location {location}")
            if component:
                decorations.append(f"OpDecorate {name} Component {component}")
            if storage == "Input" and model == "Fragment" and not kind.startswith("float"):
                decorations.append(f"OpDecorate {name} Flat")
            scalar = kind.rstrip("234")
            types[f"%{scalar}"] = WIDTHS[scalar]
            if kind != scalar:
                types[f"%{kind}"] = f"OpTypeVector %{scalar} {kind[len(scalar) :]}"
            vertices = 0 if of_patch else ARRAYS.get((model, storage), 0)
            if vertices:
                types["%uint"] = WIDTHS["uint"]
                types[f"%count{vertices}"] = f"OpConstant %uint {vertices}"
                types[f"%{kind}_{vertices}"] = f"OpTypeArray %{kind} %count{vertices}"
                kind += f"_{vertices}"
            types[f"%{storage}_{kind}"] = f"OpTypePointer {storage} %{kind}"
            variables.append(f"{name} = OpVariable %{storage}_{kind} {storage}")
    text = "\n".join(
        [
            CAPABILITIES.get(model, "OpCapability Shader"),
            "OpMemoryModel Logical GLSL450",
            f'OpEntryPoint {model} %main "main" {" ".join(names)}',
            *(f"OpExecutionMode %main {mode}" for mode in MODES.get(model, ())),
            *decorations,
            "%void = OpTypeVoid",
            "%function = OpTypeFunction %void",
            *(f"{name} = {kind}" for name, kind in types.items()),
            *variables,
            "%main = OpFunction %void None %function",
            "%start = OpLabel",
            "OpReturn",
            "OpFunctionEnd",
        ]
    )
    made = unshade.assemble(text, "spirv")
    assert isinstance(made, SpirvModule)
    return made
