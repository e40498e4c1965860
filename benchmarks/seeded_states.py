"""Scenes with any state, made from seeds: what is drawn, the state in Vulkan's numbers, shaders.

    scene = made(seed)                 a StateDraw
    vertex(scene), fragment(scene)     its shaders, as text

Corners lie within the view, on sixteenths of a pixel of the whole target, so that none is rounded
or cut; depths are the same for a whole primitive in most scenes, and colours always: so both sides
have the same samples, and what differs is the state's doing. A
primitive has the colour, viewport and depth of its provoking vertex.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from seeded_scenes import HEAD

Array = npt.NDArray[Any]
SIZE = 16
RESTART = 0xFFFF_FFFF
# name, number of Vulkan, bytes, kind, whether it can be blended
FORMATS = [
    ("R8G8B8A8_UNORM", 37, 4, "f", True), ("R8G8B8A8_SNORM", 38, 4, "f", False),
    ("R8G8B8A8_SRGB", 43, 4, "f", True), ("B8G8R8A8_UNORM", 44, 4, "f", True),
    ("R8_UNORM", 9, 1, "f", True), ("R8G8_UNORM", 16, 2, "f", True),
    ("R5G6B5_UNORM_PACK16", 4, 2, "f", True), ("A2B10G10R10_UNORM_PACK32", 64, 4, "f", True),
    ("R16G16B16A16_UNORM", 91, 8, "f", True), ("R16G16B16A16_SFLOAT", 97, 8, "f", True),
    ("R32G32B32A32_SFLOAT", 109, 16, "f", True), ("B10G11R11_UFLOAT_PACK32", 122, 4, "f", True),
    ("R16_SFLOAT", 76, 2, "f", True), ("R32_SFLOAT", 100, 4, "f", True),
    ("R8G8B8A8_UINT", 41, 4, "u", False), ("R8G8B8A8_SINT", 42, 4, "i", False),
    ("R16G16_UINT", 81, 4, "u", False), ("R32G32B32A32_UINT", 107, 16, "u", False),
    ("A2B10G10R10_UINT_PACK32", 68, 4, "u", False),
]  # fmt: skip
DEPTHS = ["d32", "d16", "d24s8", "d32s8"]
TOPOLOGIES = [
    "point_list", "line_list", "line_strip", "triangle_list", "triangle_strip", "triangle_fan",
    "line_list_adjacency", "line_strip_adjacency", "triangle_list_adjacency",
    "triangle_strip_adjacency",
]  # fmt: skip
LINES = {1, 6}  # lists
SEVERAL = {2, 4, 5, 7, 9}  # topologies with primitives that share vertices


@dataclass
class StateDraw:
    """A draw with its state, in Vulkan's numbers."""

    seed: int
    topology: int
    given: dict[str, Array]
    indices: Array | None
    restart: bool
    samples: int
    formats: list[tuple[str, int, int, str, bool]]
    clear: list[float]
    depth: str
    raster: dict[str, Any]
    bits: int
    tests: dict[str, Any]
    blends: list[dict[str, int]]
    logic: int | None
    constants: tuple[float, ...]
    viewports: Sequence[tuple[float, ...]]
    scissors: Sequence[tuple[int, ...]]
    uses: set[str] = field(default_factory=set)
    stipple: tuple[int, int] | None = None  # factor and pattern of lines

    @property
    def dual(self) -> bool:
        """True if the shader has a second colour for blending."""
        return "dual" in self.uses


def made(seed: int) -> StateDraw:
    """The scene of a seed."""
    chance = np.random.default_rng([30, seed])

    def some(part: float) -> bool:
        return bool(chance.random() < part)

    def number(most: int) -> int:
        return int(chance.integers(most))

    topology = number(10) if some(0.5) else 3
    count = int(chance.integers(12, 49))
    samples = 4 if some(0.35) else 1
    uses: set[str] = set()
    kinds = [each for each in FORMATS if samples == 1 or each[3] == "f"]
    dual = some(0.1)
    formats = [kinds[number(len(kinds))] for _ in range(1 if dual else 1 + number(3))]
    if dual:
        formats = [each for each in kinds if each[4]][:8][number(8) :][:1]
        uses.add("dual")
    depth = DEPTHS[number(4)] if some(0.7) else ""
    if depth and samples > 1 and depth.endswith("s8") and some(0.5):
        depth = "d32"
    given = _vertices(chance, count, topology)
    if some(0.25):
        uses.add("sloped")
        given["place"][:, 2] = chance.integers(0, 65, count) / 64
    raster: dict[str, Any] = {
        "cullMode": number(4) if some(0.3) else 0, "frontFace": number(2),
        "polygonMode": number(3) if some(0.15) else 0, "depthClamp": int(some(0.2)),
    }  # fmt: skip
    if depth and some(0.3) and not raster["polygonMode"]:  # lavapipe: NaN for those without area
        slope = number(9) / 4 - 1 if "sloped" in uses else 0
        raster |= {
            "depthBias": 1, "biasConstant": number(2001) - 1000, "biasSlope": slope,
            "biasClamp": (number(9) - 4) / 256 if some(0.3) else 0.0,
        }  # fmt: skip
        uses.add("bias")
    tests: dict[str, Any] = {"test": 0, "write": 0, "compare": 0, "bounds": 0, "stencil": 0}
    if depth:
        tests |= {"test": int(some(0.8)), "write": int(some(0.8)), "compare": number(8)}
        if some(0.6):
            tests["compare"] = (1, 3, 4, 6)[number(4)]
        if some(0.15):
            tests |= {"bounds": 1, "least": number(32) / 64, "most": 0.5 + number(32) / 64}
    if depth.endswith("s8") and some(0.8):
        tests["stencil"] = 1
        tests["bounds"] = 0  # lavapipe changes stencils where this test fails
        for face in "st":
            ops = [number(8) for _ in range(3)]
            compare = number(8) if some(0.5) else 7
            masks = [int(chance.integers(256)) if some(0.3) else 255 for _ in range(2)]
            for at, value in enumerate([*ops, compare, *masks, int(chance.integers(256))]):
                tests[f"{face}{at}"] = value
        if raster["polygonMode"]:  # lavapipe takes those of the front
            tests |= {f"t{at}": tests[f"s{at}"] for at in range(7)}
    logic = number(16) if some(0.12) and not dual else None
    if logic is not None:  # lavapipe clamps the result to packed integers
        formats = [each for each in formats if each[1] != 68] or [FORMATS[0]]
    blends = [_blend(chance, each, dual) for each in formats]
    viewports: list[tuple[float, ...]] = [(0.0, 0.0, float(SIZE), float(SIZE), 0.0, 1.0)]
    scissors = [(0, 0, SIZE, SIZE)]
    if not raster["polygonMode"] and some(0.3):  # lavapipe takes scissors of other vertices
        uses.add("viewports")
        rows = range(3)
        viewports = [
            (float(number(9) - 2), float(number(9) - 2), 4.0 + 4 * number(4),
             (4.0 + 4 * number(4)) * (-1 if some(0.2) else 1),
             *sorted((number(9) / 8, number(9) / 8)))
            for _ in rows
        ]  # fmt: skip
        scissors = [(number(6), number(6), 4 + number(12), 4 + number(12)) for _ in rows]
        if topology == 0:  # lavapipe leaves out what of a point is beyond viewport 0, but no other
            viewports[0] = (0.0, 0.0, float(SIZE), float(SIZE), 0.0, 1.0)
    if some(0.2):
        uses.add("distances")
    if samples == 1 and topology in (3, 4) and some(0.1):
        uses.add("discard")
    indices, restart = None, False
    if some(0.5):
        kind = np.uint16 if some(0.5) else np.uint32
        indices = chance.integers(0, count, count + number(8)).astype(kind)
        if "sloped" not in uses:
            given["place"][:, 2] = given["place"][0, 2]
        restart = topology in SEVERAL and some(0.7)
        if restart:
            indices[chance.random(len(indices)) < 0.2] = np.iinfo(kind).max
    clear = [float(each) for each in chance.integers(0, 9, 4) / 8]
    made = StateDraw(
        seed, topology, given, indices, restart, samples, formats, clear, depth, raster,
        int(chance.integers(1, 16)) if some(0.2) else 0xFFFF_FFFF, tests, blends, logic,
        tuple(float(each) for each in chance.integers(0, 9, 4) / 8), viewports, scissors, uses,
    )  # fmt: skip
    # lavapipe counts whole pieces for each segment of a strip, and loses lines if vertices choose
    # viewports; where a line that is cut begins to count is left open
    if topology in LINES and not uses & {"distances", "viewports"} and some(0.4):
        made.stipple = number(3) + 1, number(0x10000)
    return made


def _vertices(chance: Any, count: int, topology: int) -> dict[str, Array]:
    """Corners on sixteenths of a pixel, with one depth for three of them in a row."""
    place = np.ones((count, 4), np.float32)
    corners = chance.integers(0, SIZE * 16 + 1, (count, 2))
    if topology == 0:
        corners = corners // 16 * 16 + 8 + chance.integers(-4, 5, (count, 2))
        corners = np.minimum(corners, SIZE * 16)
    place[:, :2] = corners / (SIZE * 8) - 1
    depths = chance.integers(-2, 67, count) / 64
    place[:, 2] = np.repeat(depths, 3)[:count] if topology == 3 else depths[0]
    value = chance.integers(-1, 10, (count, 4)) / 8
    if chance.random() < 0.3:
        value = chance.random((count, 4)) * 1.5 - 0.25
    value[:, 3] = np.where(chance.random(count) < 0.3, np.round(value[:, 3]), value[:, 3])
    return {
        "place": place, "value": value.astype(np.float32),
        "size": (chance.integers(1, 9, count)).astype(np.float32),
        "which": chance.integers(0, 3, count).astype(np.int32),
        "distance": (chance.integers(-3, 9, (count, 4)) / 4).astype(np.float32),
    }  # fmt: skip


def _blend(chance: Any, form: Any, dual: bool) -> dict[str, int]:
    """The blending of a target, in Vulkan's numbers."""
    mask = int(chance.integers(16)) if chance.random() < 0.3 else 15
    if not form[4] or (chance.random() < 0.35 and not dual):
        return {"enable": 0, "mask": mask}
    most = 19 if dual else 15
    factors = [int(each) for each in chance.integers(0, most, 4)]
    ops = [int(each) for each in chance.integers(0, 5, 2)]
    names = ("sourceColor", "targetColor", "sourceAlpha", "targetAlpha")
    return {
        "enable": 1, **dict(zip(names, factors, strict=True)), "colorOp": ops[0],
        "alphaOp": ops[1], "mask": mask,
    }  # fmt: skip


# ---------------------------------------------------------------- shaders


def vertex(uses: frozenset[str]) -> str:
    """The vertex shader: position, size, value, and for some scenes viewport and distances."""
    inputs = {"place": "%v4", "value": "%v4", "size": "%float", "which": "%int", "distance": "%v4"}
    builtins = [("Position", "%v4"), ("PointSize", "%float")]
    capabilities, code = [], ["%p = OpLoad %v4 %place", "%s = OpLoad %float %size"]
    stores = ["OpStore %Position %p", "OpStore %PointSize %s"]
    if "viewports" in uses:
        capabilities += [
            "OpCapability ShaderViewportIndexLayerEXT",
            'OpExtension "SPV_EXT_shader_viewport_index_layer"',
        ]
        builtins.append(("ViewportIndex", "%int"))
        code.append("%w = OpLoad %int %which")
        stores.append("OpStore %ViewportIndex %w")
    if "distances" in uses:
        capabilities[:0] = ["OpCapability ClipDistance", "OpCapability CullDistance"]
        builtins += [("ClipDistance", "%pair"), ("CullDistance", "%pair")]
        code.append("%d = OpLoad %v4 %distance")
        for at, name in enumerate(("ClipDistance", "CullDistance")):
            parts = []
            for part in range(2):
                code.append(f"%d{at}{part} = OpCompositeExtract %float %d {2 * at + part}")
                parts.append(f"%d{at}{part}")
            code.append(f"%pair{at} = OpCompositeConstruct %pair {' '.join(parts)}")
            stores.append(f"OpStore %{name} %pair{at}")
    code.append("%v = OpLoad %v4 %value")
    stores.append("OpStore %colour %v")
    used = [each for each in inputs if any(f" %{each}" in line for line in code)]
    return HEAD.format(
        model="Vertex", capabilities="\n".join(capabilities), modes="",
        interface=" ".join([f"%{each}" for each in used]
                           + [f"%{name}" for name, _ in builtins] + ["%colour"]),
        decorations="\n".join([
            *(f'OpName %{each} "{each}"' for each in used),
            *(f"OpDecorate %{name} BuiltIn {name}" for name, _ in builtins),
            *(f"OpDecorate %{each} Location {list(inputs).index(each)}" for each in used),
            "OpDecorate %colour Location 0", "OpDecorate %colour Flat",
        ]),
        globals="\n".join([
            "%c2 = OpConstant %uint 2", "%pair = OpTypeArray %float %c2",
            "%p_in_int = OpTypePointer Input %int",
            *(f"%po{at} = OpTypePointer Output {kind}"
              for at, kind in enumerate(("%float", "%int", "%pair"))),
            *(f"%{each} = OpVariable {_pointer(inputs[each], 'in')} Input" for each in used),
            *(f"%{name} = OpVariable {_pointer(kind, 'out')} Output" for name, kind in builtins),
            "%colour = OpVariable %p_out Output",
        ]),
        code="\n".join(code + stores),
    )  # fmt: skip


def _pointer(kind: str, way: str) -> str:
    if kind == "%v4":
        return f"%p_{way}"
    if way == "in":
        return {"%float": "%p_in_float", "%int": "%p_in_int"}[kind]
    return {"%float": "%po0", "%int": "%po1", "%pair": "%po2"}[kind]


def fragment(kinds: tuple[str, ...], uses: frozenset[str]) -> str:
    """The fragment shader: the flat value for each target, turned and converted."""
    dual = "dual" in uses
    count = 2 if dual else len(kinds)
    kinds = kinds * 2 if dual else kinds
    orders = ["0 1 2 3", "1 2 3 0", "2 0 1 3"]
    types = {"f": "%v4", "u": "%u4", "i": "%i4"}
    code = ["%v = OpLoad %v4 %colour"]
    if "discard" in uses:
        code += [
            "%r = OpCompositeExtract %float %v 0", "%small = OpFOrdLessThan %bool %r %half",
            "OpSelectionMerge %on None", "OpBranchConditional %small %off %on", "%off = OpLabel",
            "OpKill", "%on = OpLabel",
        ]  # fmt: skip
    for at in range(count):
        code.append(f"%turned{at} = OpVectorShuffle %v4 %v %v {orders[at]}")
        if kinds[at] == "f":
            code.append(f"OpStore %t{at} %turned{at}")
            continue
        code += [
            f"%abs{at} = OpExtInst %v4 %glsl FAbs %turned{at}",
            f"%scaled{at} = OpVectorTimesScalar %v4 %abs{at} %many",
            f"%whole{at} = OpConvertFToS %i4 %scaled{at}",
        ]
        value = f"%whole{at}"
        if kinds[at] == "u":
            code.append(f"%bits{at} = OpBitcast %u4 %whole{at}")
            value = f"%bits{at}"
        code.append(f"OpStore %t{at} {value}")
    return HEAD.format(
        model="Fragment", capabilities="",
        interface="%colour " + " ".join(f"%t{at}" for at in range(count)),
        modes="OpExecutionMode %main OriginUpperLeft",
        decorations="\n".join([
            "OpDecorate %colour Location 0", "OpDecorate %colour Flat",
            *(f'OpName %t{at} "t{at}"' for at in range(count)),
            *(f"OpDecorate %t{at} Location {0 if dual else at}" for at in range(count)),
            *["OpDecorate %t0 Index 0", "OpDecorate %t1 Index 1"] * dual,
        ]),
        globals="\n".join([
            "%u4 = OpTypeVector %uint 4", "%i4 = OpTypeVector %int 4",
            "%many = OpConstant %float 40", "%half = OpConstant %float 0.25",
            "%p_u = OpTypePointer Output %u4", "%p_i = OpTypePointer Output %i4",
            "%colour = OpVariable %p_in Input",
            *(f"%t{at} = OpVariable {'%p_out' if kinds[at] == 'f' else '%p_' + kinds[at]} Output"
              for at in range(count)),
        ]),
        code="\n".join(code),
    ).replace("%types", str(types))  # fmt: skip
