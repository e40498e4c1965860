"""Pairs and rows of SPIR-V stages made from seeds, whose interfaces fit or nearly fit.

    links(seed)     stages, each with its inputs and outputs; a layout of descriptors

A chain has one interface between each two stages, the same on both sides; in most chains a mutation
then changes one side: a variable is gone, moved, of another type or size, an array of another
length, of a patch; or it changes the layout. Stages have no code, so that only interfaces decide.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

MODELS = {
    "vertex": "Vertex",
    "hull": "TessellationControl",
    "domain": "TessellationEvaluation",
    "geometry": "Geometry",
    "pixel": "Fragment",
}
MODES = {
    "hull": ["OutputVertices 3"],
    "domain": ["Triangles", "SpacingEqual", "VertexOrderCcw"],
    "geometry": ["Triangles", "OutputTriangleStrip", "OutputVertices 3", "Invocations 1"],
    "pixel": ["OriginUpperLeft"],
}
# The length of the arrays by vertex of a stage's inputs and outputs.
ARRAYED = {("hull", "Input"): 32, ("hull", "Output"): 3, ("domain", "Input"): 32,
           ("geometry", "Input"): 3}  # fmt: skip
CHAINS: Sequence[Sequence[str]] = (
    ("vertex", "pixel"), ("vertex", "pixel"), ("vertex", "pixel"), ("vertex", "geometry", "pixel"),
    ("vertex", "hull", "domain", "pixel"), ("vertex", "hull", "domain", "geometry", "pixel"),
)  # fmt: skip
SCALARS = {"float": "OpTypeFloat 32", "int": "OpTypeInt 32 1", "uint": "OpTypeInt 32 0",
           "double": "OpTypeFloat 64"}  # fmt: skip
TRIES = 20  # to find a mutation that applies
DESCRIPTORS = ("uniform_buffer", "storage_buffer", "combined_image_sampler", "storage_image")


@dataclass(frozen=True)
class Link:
    """A variable of an interface, or with `members` a block of several."""

    location: int
    scalar: str = "float"
    size: int = 4
    component: int = 0
    count: int = 0  # of an array; 0 for none
    patch: bool = False
    members: tuple[tuple[str, int], ...] = ()

    @property
    def locations(self) -> int:
        """The number of locations that it takes."""
        one = 2 if self.scalar == "double" and self.size > 2 else 1
        return len(self.members) or one * max(self.count, 1)


@dataclass
class Uses:
    """A descriptor that a stage uses."""

    space: int
    binding: int
    kind: str
    count: int = 1


@dataclass
class Chain:
    """The stages of a pipeline, their interfaces, descriptors and push constants, and a layout."""

    stages: Sequence[str]
    outputs: dict[str, list[Link]]
    inputs: dict[str, list[Link]]
    uses: dict[str, list[Uses]] = field(default_factory=dict)
    pushes: dict[str, int] = field(default_factory=dict)  # bytes
    layout: dict[str, Any] = field(default_factory=dict)
    mutation: str = "none"


def links(seed: int) -> Chain:
    """Return a chain, and the mutation that it has."""
    rng = random.Random(seed)
    stages = rng.choice(CHAINS)
    outputs: dict[str, list[Link]] = {}
    inputs: dict[str, list[Link]] = {}
    for before, after in pairwise(stages):
        found = _interface(rng, patches=before == "hull")
        outputs[before], inputs[after] = list(found), list(found)
    chain = Chain(stages, outputs, inputs)
    _descriptors(rng, chain)
    if rng.random() < 0.9:
        for _ in range(TRIES):
            _mutate(rng, chain)
            if chain.mutation != "none":
                break
    return chain


def _interface(rng: random.Random, *, patches: bool) -> list[Link]:
    """Return variables at increasing locations, some of which share one."""
    found: list[Link] = []
    location = 0
    for _ in range(rng.randint(1, 4)):
        location += rng.choice((0, 0, 0, 1))
        scalar = rng.choice(("float", "float", "float", "int", "uint", "double"))
        patch = patches and rng.random() < 0.4
        kind = rng.random()
        if kind < 0.15:
            members = tuple((rng.choice(("float", "int", "uint")), rng.randint(1, 4))
                            for _ in range(rng.randint(1, 3)))  # fmt: skip
            found.append(Link(location, patch=patch, members=members))
        elif kind < 0.3 and scalar != "double":
            size = rng.randint(1, 2)
            found.append(Link(location, scalar, size, patch=patch))
            other = rng.choice(("float", "int")) if rng.random() < 0.3 else scalar
            found.append(Link(location, other, rng.randint(1, 4 - size), size, patch=patch))
            if other == scalar and rng.random() < 0.2:
                found.pop()
        elif kind < 0.45:
            found.append(
                Link(location, scalar, rng.randint(1, 4), count=rng.randint(1, 3), patch=patch)
            )
        else:
            found.append(Link(location, scalar, rng.randint(1, 4), patch=patch))
        location = max(each.location + each.locations for each in found)
    return found


def _descriptors(rng: random.Random, chain: Chain) -> None:
    """Give stages descriptors and push constants, and the chain a layout that has them."""
    sets: dict[int, dict[int, dict[str, Any]]] = {}
    for stage in chain.stages:
        chain.uses[stage] = []
        for _ in range(rng.choice((0, 0, 1, 2))):
            space, binding = rng.randint(0, 1), rng.randint(0, 4)
            known = sets.setdefault(space, {}).get(binding)
            kind = rng.choice(DESCRIPTORS) if known is None else known["type"]
            if any((one.space, one.binding) == (space, binding) for one in chain.uses[stage]):
                continue
            count = 1 if kind != "combined_image_sampler" else rng.randint(1, 3)
            if known is None:
                known = {"binding": binding, "type": kind, "count": count, "stages": []}
                sets[space][binding] = known
            known["count"] = max(known["count"], count)
            known["stages"].append(stage)
            chain.uses[stage].append(Uses(space, binding, kind, count))
        if rng.random() < 0.2:
            chain.pushes[stage] = 16 * rng.randint(1, 4)
    pushes = [{"offset": 0, "size": size, "stages": [stage]}
              for stage, size in chain.pushes.items()]  # fmt: skip
    chain.layout = {
        "sets": [[*sets.get(space, {}).values()] for space in range(2)],
        "push_constants": pushes,
    }


def _mutate(rng: random.Random, chain: Chain) -> None:
    """Change one side of one interface, or the layout."""
    if rng.random() < 0.25 and _mutate_layout(rng, chain):
        return
    sides = [side for side in (*chain.outputs.values(), *chain.inputs.values()) if side]
    side = rng.choice(sides)
    at = rng.randrange(len(side))
    link = side[at]
    kind = rng.choice(("gone", "moved", "scalar", "size", "component", "count", "patch", "member"))
    others = [each for each in side if each is not link]
    last = max((each.location + each.locations for each in others), default=0)
    if kind == "gone":
        side.pop(at)
    elif kind == "moved":
        side[at] = replace(link, location=last + 1)
    elif kind == "scalar" and not link.members:
        scalar = rng.choice([each for each in SCALARS if each not in (link.scalar, "double")])
        side[at] = replace(link, scalar=scalar)
    elif kind == "size" and not link.members:
        most = 4 - link.component
        side[at] = replace(link, size=rng.randint(1, most))
    elif kind == "component" and not link.members and link.size < 3 and link.scalar != "double":
        side[at] = replace(link, component=rng.randint(0, 4 - link.size))
    elif kind == "count" and not link.members:
        side[at] = replace(link, count=rng.randint(0, 3))
    elif kind == "patch" and any(each.patch for row in sides for each in row):
        side[at] = replace(link, patch=not link.patch)
    elif kind == "member" and link.members:
        row = list(link.members)
        row[rng.randrange(len(row))] = (rng.choice(("float", "int")), rng.randint(1, 4))
        side[at] = replace(link, members=tuple(row))
    else:
        return
    chain.mutation = kind


def _mutate_layout(rng: random.Random, chain: Chain) -> bool:
    rows = [(row, at) for row in chain.layout["sets"] for at in range(len(row))]
    kind = rng.choice(("unbound", "type", "count", "stages", "push"))
    if kind == "push":
        if not chain.layout["push_constants"]:
            return False
        one = rng.choice(chain.layout["push_constants"])
        if rng.random() < 0.5:
            one["size"] = max(one["size"] - 16, 4)
        else:
            one["stages"] = [rng.choice(chain.stages)]
        chain.mutation = "layout push"
        return True
    if not rows:
        return False
    row, at = rng.choice(rows)
    if kind == "unbound":
        row.pop(at)
    elif kind == "type":
        row[at]["type"] = rng.choice(DESCRIPTORS)
    elif kind == "count":
        row[at]["count"] = rng.randint(1, 3)
    else:
        row[at]["stages"] = [rng.choice(chain.stages)]
    chain.mutation = f"layout {kind}"
    return True


# ---------------------------------------------------------------- text


class _Text:
    """The text of a stage: types and constants are declared once."""

    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.names: list[str] = []
        self.decorations: list[str] = []
        self.types: dict[str, str] = {}
        self.variables: list[str] = []
        self.code: list[str] = []
        self.capabilities = {"Shader"}

    def declared(self, name: str, text: str) -> str:
        self.types.setdefault(name, text)
        return name

    def vector(self, scalar: str, size: int) -> str:
        if scalar == "double":
            self.capabilities.add("Float64")
        one = self.declared(f"%{scalar}", SCALARS[scalar])
        return one if size == 1 else self.declared(f"{one}{size}", f"OpTypeVector {one} {size}")

    def array(self, kind: str, count: int) -> str:
        self.declared("%uint", SCALARS["uint"])
        length = self.declared(f"%n{count}", f"OpConstant %uint {count}")
        return self.declared(f"{kind}_{count}", f"OpTypeArray {kind} {length}")

    def variable(self, name: str, kind: str, storage: str) -> None:
        pointer = self.declared(f"{kind}_{storage}", f"OpTypePointer {storage} {kind}")
        self.variables.append(f"{name} = OpVariable {pointer} {storage}")

    def link(self, at: int, link: Link, storage: str) -> None:
        name = f"%{storage.lower()}{at}"
        self.names.append(name)
        if link.members:
            kinds = [self.vector(*each) for each in link.members]
            kind = self.declared(f"%block_{storage}{at}", f"OpTypeStruct {' '.join(kinds)}")
            self.decorations.append(f"OpDecorate {kind} Block")
        else:
            kind = self.vector(link.scalar, link.size)
            if link.count:
                kind = self.array(kind, link.count)
        vertices = ARRAYED.get((self.stage, storage), 0)
        if vertices and not link.patch:
            kind = self.array(kind, vertices)
        self.decorations.append(f"OpDecorate {name} Location {link.location}")
        if link.component:
            self.decorations.append(f"OpDecorate {name} Component {link.component}")
        if link.patch:
            self.decorations.append(f"OpDecorate {name} Patch")
        integers = {each for each, _ in link.members} or {link.scalar}
        if self.stage == "pixel" and storage == "Input" and integers != {"float"}:
            self.decorations.append(f"OpDecorate {name} Flat")
        self.variable(name, kind, storage)

    def descriptor(self, at: int, use: Uses) -> None:
        name = f"%resource{at}"
        for word, number in (("DescriptorSet", use.space), ("Binding", use.binding)):
            self.decorations.append(f"OpDecorate {name} {word} {number}")
        zero = self.declared("%uint", SCALARS["uint"])
        zero = self.declared("%zero", "OpConstant %uint 0")
        four = self.vector("float", 4)
        if use.kind in ("uniform_buffer", "storage_buffer"):
            kind = self.declared(f"%struct{at}", f"OpTypeStruct {four}")
            self.decorations.append(f"OpMemberDecorate {kind} 0 Offset 0")
            self.decorations.append(f"OpDecorate {kind} Block")
            storage = "Uniform" if use.kind == "uniform_buffer" else "StorageBuffer"
            self.variable(name, kind, storage)
            inner = self.declared(f"{four}_{storage}", f"OpTypePointer {storage} {four}")
            self.code += [f"%at{at} = OpAccessChain {inner} {name} {zero}",
                          f"%value{at} = OpLoad {four} %at{at}"]  # fmt: skip
            return
        sampled = 1 if use.kind == "combined_image_sampler" else 2
        texel = "Unknown" if sampled == 1 else "Rgba32f"
        self.declared("%float", SCALARS["float"])
        kind = self.declared(f"%image{sampled}", f"OpTypeImage %float 2D 0 0 0 {sampled} {texel}")
        if sampled == 1:
            kind = self.declared("%sampled", f"OpTypeSampledImage {kind}")
        one = kind
        if use.count > 1:
            kind = self.array(kind, use.count)
        self.variable(name, kind, "UniformConstant")
        at_name = name
        if use.count > 1:
            pointer = self.declared(f"{one}_UniformConstant",
                                    f"OpTypePointer UniformConstant {one}")  # fmt: skip
            at_name = f"%at{at}"
            self.code.append(f"{at_name} = OpAccessChain {pointer} {name} {zero}")
        self.code.append(f"%value{at} = OpLoad {one} {at_name}")

    def push(self, size: int) -> None:
        four = self.vector("float", 4)
        zero = self.declared("%uint", SCALARS["uint"])
        kind = self.declared("%pushed", f"OpTypeStruct {' '.join([four] * (size // 16))}")
        self.decorations.append(f"OpDecorate {kind} Block")
        for at in range(size // 16):
            self.decorations.append(f"OpMemberDecorate {kind} {at} Offset {16 * at}")
        self.variable("%push", kind, "PushConstant")
        last = self.declared(f"%last{size}", f"OpConstant {zero} {size // 16 - 1}")
        inner = self.declared(f"{four}_PushConstant", f"OpTypePointer PushConstant {four}")
        self.code += [f"%push_at = OpAccessChain {inner} %push {last}",
                      f"%push_value = OpLoad {four} %push_at"]  # fmt: skip

    def __str__(self) -> str:
        extra = {"hull": "Tessellation", "domain": "Tessellation", "geometry": "Geometry"}
        capabilities = sorted(self.capabilities | {extra.get(self.stage, "Shader")})
        return "\n".join(
            [
                *(f"OpCapability {each}" for each in capabilities),
                'OpExtension "SPV_KHR_storage_buffer_storage_class"',
                "OpMemoryModel Logical GLSL450",
                f'OpEntryPoint {MODELS[self.stage]} %main "main" {" ".join(self.names)}',
                *(f"OpExecutionMode %main {each}" for each in MODES.get(self.stage, ())),
                *self.decorations,
                "%void = OpTypeVoid",
                "%function = OpTypeFunction %void",
                *(f"{name} = {text}" for name, text in self.types.items()),
                *self.variables,
                "%main = OpFunction %void None %function",
                "%start = OpLabel",
                *self.code,
                "OpReturn",
                "OpFunctionEnd",
            ]
        )


def text(chain: Chain, stage: str) -> str:
    """Return the text of a stage in spirv-as's language."""
    made = _Text(stage)
    for at, each in enumerate(chain.inputs.get(stage, ())):
        made.link(at, each, "Input")
    outputs = chain.outputs.get(stage, [])
    if stage == "pixel":
        outputs = [Link(0)]
    for at, each in enumerate(outputs):
        made.link(at, each, "Output")
    for at, use in enumerate(chain.uses.get(stage, ())):
        made.descriptor(at, use)
    if stage in chain.pushes:
        made.push(chain.pushes[stage])
    return str(made)
