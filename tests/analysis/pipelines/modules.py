"""SPIR-V modules with the interface that a test asks for.

vertex({0: "float3", (1, 2): "uint"})   outputs at location 0, and at location 1 from component 2
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import unshade
from unshade.formats.spirv import SpirvModule

Rows = Mapping["int | tuple[int, int]", str]
WIDTHS = {"float": "OpTypeFloat 32", "int": "OpTypeInt 32 1", "uint": "OpTypeInt 32 0"}
MODES = {"Fragment": "OpExecutionMode %main OriginUpperLeft\n"}


def vertex(outputs: Rows, inputs: Rows | None = None) -> SpirvModule:
    return module("Vertex", inputs or {}, outputs)


def fragment(inputs: Rows, outputs: Rows | None = None) -> SpirvModule:
    return module("Fragment", inputs, {0: "float4"} if outputs is None else outputs)


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
        for at, (place, kind) in enumerate(rows):
            location, component = place if isinstance(place, tuple) else (place, 0)
            name = f"%{storage.lower()}{at}"
            names.append(name)
            decorations.append(f"OpDecorate {name} Location {location}")
            if component:
                decorations.append(f"OpDecorate {name} Component {component}")
            if storage == "Input" and model == "Fragment" and not kind.startswith("float"):
                decorations.append(f"OpDecorate {name} Flat")
            scalar = kind.rstrip("234")
            types[f"%{scalar}"] = WIDTHS[scalar]
            if kind != scalar:
                types[f"%{kind}"] = f"OpTypeVector %{scalar} {kind[len(scalar) :]}"
            types[f"%{storage}_{kind}"] = f"OpTypePointer {storage} %{kind}"
            variables.append(f"{name} = OpVariable %{storage}_{kind} {storage}")
    text = "\n".join(
        [
            "OpCapability Shader",
            "OpMemoryModel Logical GLSL450",
            f'OpEntryPoint {model} %main "main" {" ".join(names)}',
            MODES.get(model, "").strip(),
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
