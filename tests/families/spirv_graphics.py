"""SPIR-V of the graphics pipeline: locations whose names differ, built-ins, an array of textures.

The modules are modelled on g01 to g03 of the corpus' execution/.
"""

from collections.abc import Sequence

from unshade.ir.kernel import Value
from unshade.ir.library.derivatives import coarse
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Bounds, Port
from unshade.ir.specialisation import Specialisation
from unshade.ir.textures import Action, Sample, SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import F32, I32
from unshade.model import (
    BufferKind,
    ComponentType,
    ConstantBuffer,
    Dimension,
    Interpolation,
    Reflection,
    ResourceKind,
    ReturnType,
    Stage,
    SystemValue,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import Direction, ResourceClass, ResourceSlot

from .facts import UINT, matrix, parameter, variable, vector
from .handmade import Lines, Module, text
from .spirv_text import ARITHMETIC, SYNTAX
from .ssa import Graph, Instruction, Rule, lowered

IN, OUT = Direction.INPUT, Direction.OUTPUT


class Interface:
    """The inputs and outputs of a module, and the rules that read and write them."""

    def __init__(self, b: Lines) -> None:
        self.b = b
        self.ports: dict[str, list[Port]] = {}
        self.rules: dict[str, Rule] = {
            **ARITHMETIC,
            "SpvOpLoadInput": lambda graph, each: b.input(self._port(each.words[1:])),
            "SpvOpStoreOutput": lambda graph, each: b.output(
                self._port(each.words), graph.value(each.words[2], F32)
            ),
        }

    def _port(self, words: Sequence[str]) -> Port:
        return self.ports[words[0]][int(words[1])]


VERTEX = text("vertex.spvasm")
U = ResourceSlot(ResourceClass.CONSTANTS, 0, element=0)


def _vertex(b: Lines, chosen: Specialisation) -> Lowered:
    face = Interface(b)
    uniforms = b.constants("u", U)
    vertex_id, position = SystemValue.VERTEX_ID, SystemValue.POSITION
    face.ports = {
        "%pos": b.ports(IN, 0, "pos", 3),
        "%uv": b.ports(IN, 1, "uv", 2),
        "%gl_VertexIndex": b.ports(IN, vertex_id, "gl_VertexIndex", 1, I32, meaning=vertex_id),
        "%gl_Position": b.ports(OUT, position, "gl_Position", 4, meaning=position),
        "%vUV": b.ports(OUT, 0, "vUV", 2),
        "%vId": b.ports(OUT, 1, "vId", 1, I32),
    }

    def product(graph: Graph, each: Instruction) -> None:
        given = [*graph.values(each.words[1:]), b.f32(1.0)]
        for row in range(4):
            found = b.f32(0.0)
            for column, value in enumerate(given):
                factor = b.load(uniforms, column, 4 * row, F32)
                found = b.fadd(found, b.fmul(factor, value))
            b.output(face.ports["%gl_Position"][row], found)

    rules = {**face.rules, "SpvOpMatrixTimesVector": product}
    resource = LoweredResource("u", Form.CONSTANTS, 16, size=64, slot=U)
    return lowered(b, SYNTAX, rules, [resource])


VERTEX_FACTS = Reflection(
    format="spirv_by_hand", code="spirv", stage=Stage.VERTEX, model="1.5", entry_point="main",
    inputs=[
        parameter("pos", 0, 3, by_register=True), parameter("uv", 1, 2, by_register=True),
        parameter(
            "gl_VertexIndex", None, 1, system_value=SystemValue.VERTEX_ID, by_register=True,
            component_type=ComponentType.UINT32,
        ),
    ],
    outputs=[
        parameter("gl_Position", None, 4, system_value=SystemValue.POSITION, by_register=True),
        parameter("vUV", 0, 2, by_register=True),
        parameter("vId", 1, 1, by_register=True, component_type=ComponentType.UINT32),
    ],
    resources=[Bound(name="u", kind=ResourceKind.CONSTANT_BUFFER, register=0)],
    constant_buffers=[
        ConstantBuffer(
            name="U", kind=BufferKind.CONSTANT_BUFFER, resource=0, size=64,
            variables=[variable("mvp", 0, matrix(4, 4, 16))],
        )
    ],
)  # fmt: skip

FRAGMENT = text("fragment.spvasm")
NOTES = ResourceSlot(ResourceClass.READ, 0, 1, element=0)


def _fragment(b: Lines, chosen: Specialisation) -> Lowered:
    face = Interface(b)
    position, depth = SystemValue.POSITION, SystemValue.DEPTH
    flat = Interpolation.CONSTANT
    face.ports = {
        "%coords": b.ports(IN, 0, "coords", 2, interpolation=Interpolation.LINEAR),
        "%object": b.ports(IN, 1, "object", 1, I32, interpolation=flat),
        "%gl_FragCoord": b.ports(IN, position, "gl_FragCoord", 4, meaning=position),
        "%color": b.ports(OUT, 0, "color", 4, meaning=SystemValue.TARGET),
        "%which": b.ports(OUT, 1, "which", 1, I32, meaning=SystemValue.TARGET),
        "%gl_FragDepth": b.ports(OUT, depth, "gl_FragDepth", 1, meaning=depth),
    }
    notes = b.buffer("notes", NOTES)
    notes.bounds = Bounds.CLAMP
    notes.raw = True
    tex = []
    resources = [LoweredResource("notes", Form.RAW, 4, slot=NOTES)]
    for number in range(2):
        slot = ResourceSlot(ResourceClass.COMBINED_SAMPLER, 1, element=number)
        name = f"tex[{number}]"
        both = TextureDeclaration(name, Shape.D2, F32, slot=slot), SamplerDeclaration(name, slot)
        b.kernel.textures.append(both[0])
        b.kernel.samplers.append(both[1])
        tex.append(both)
        resources.append(
            LoweredResource(
                name, Form.TEXTURE, 16, returns=("float",) * 4, shape=Shape.D2, slot=slot
            )
        )

    def sampled(graph: Graph, each: Instruction) -> None:
        place = graph.values(each.words[1:])
        texels = [b.sample(*place, attr=Sample(Action.SAMPLE, *both)) for both in tex]
        for at, port in enumerate(face.ports["%color"][:3]):
            first, second = (b.part(texel, type=F32, attr=at) for texel in texels)
            b.output(port, b.select(graph.value("%left"), first, second))

    def derivative(graph: Graph, each: Instruction) -> Value:
        return coarse(b, graph.value(each.words[1]), 1)

    rules: dict[str, Rule] = {
        **face.rules,
        "SpvOpImageSample": sampled,
        "SpvOpDPdx": derivative,
        "SpvOpLoadNotes": lambda graph, each: b.load(notes, 0),
        "SpvOpLoadWeight": lambda graph, each: b.load(
            notes, b.iadd(graph.value(each.words[1]), 1), 0, F32
        ),
        "SpvOpDemote": lambda graph, each: b.discard(graph.value(each.words[0])),
    }
    return lowered(b, SYNTAX, rules, resources)


WEIGHTS = vector(1, elements=0, stride=4)  # its length is known at run time
FRAGMENT_FACTS = Reflection(
    format="spirv_by_hand", code="spirv", stage=Stage.PIXEL, model="1.5", entry_point="main",
    inputs=[
        parameter("coords", 0, 2, by_register=True),
        parameter("object", 1, 1, by_register=True, component_type=ComponentType.UINT32),
        parameter("gl_FragCoord", None, 4, system_value=SystemValue.POSITION, by_register=True),
    ],
    outputs=[
        parameter("color", 0, 4, system_value=SystemValue.TARGET, by_register=True),
        parameter(
            "which", 1, 1, system_value=SystemValue.TARGET, by_register=True,
            component_type=ComponentType.UINT32,
        ),
        parameter("gl_FragDepth", None, 1, system_value=SystemValue.DEPTH, by_register=True),
    ],
    resources=[
        Bound(name="notes", kind=ResourceKind.RAW_BUFFER, register=0, space=1),
        Bound(
            name="tex", kind=ResourceKind.COMBINED_SAMPLER, register=1, count=2,
            dimension=Dimension.D2, return_type=ReturnType.FLOAT,
        ),
    ],
    constant_buffers=[
        ConstantBuffer(
            name="Notes", kind=BufferKind.ELEMENT, resource=0, size=4,
            variables=[variable("count", 0, UINT), variable("weight", 4, WEIGHTS)],
        )
    ],
)  # fmt: skip

MODULES = Module(VERTEX, VERTEX_FACTS, _vertex), Module(FRAGMENT, FRAGMENT_FACTS, _fragment)
