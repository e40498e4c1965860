"""SkSL: uniforms without padding, halves, column-major matrices, children.

The runtime shader `grey` is modelled on those that draw pictures on Android: it evaluates its child
at another position and greys the colour. The others are a shader and a colour filter that can be
children, and a shader that has a child of each kind.
"""

from unshade.format import Format
from unshade.ir.kernel import Value
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.specialisation import Specialisation
from unshade.ir.textures import Action, Sample, SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import F16, F32, Type
from unshade.model import (
    BufferKind,
    ComponentType,
    ConstantBuffer,
    Dimension,
    Reflection,
    ResourceKind,
    ReturnType,
    SignatureParameter,
    Stage,
    SystemValue,
    Variable,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import Direction, ResourceClass, ResourceSlot

from .facts import matrix, parameter, variable, vector
from .handmade import Handmade, Lines, Module, family, text

ABOUT = Format(
    "sksl_by_hand", b"SKSL", f"{__name__}:SkSL", suffix=".sksltext", says=r"half4 main\b",
    example="half4 main", texts=(".rts",), tool="skslc",
)  # fmt: skip

GREY, BOTH, RAMP, INVERT = (text(f"{name}.rts") for name in ("grey", "both", "ramp", "invert"))
UNIFORMS = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
CHILD = ResourceSlot(ResourceClass.CHILD, 0)
FILTER = ResourceSlot(ResourceClass.CHILD, 1)
TINT, TURN, GAIN = 0, 4, 8  # offsets in dwords


Child = tuple[TextureDeclaration, SamplerDeclaration]


def _child(b: Lines, name: str, slot: ResourceSlot) -> Child:
    """Add a child to the kernel."""
    child = TextureDeclaration(name, Shape.D2, F32, slot=slot), SamplerDeclaration(name, slot)
    b.kernel.textures.append(child[0])
    b.kernel.samplers.append(child[1])
    return child


def _eval(b: Lines, child: Child, *args: Value, type: Type = F16) -> list[Value]:
    """Return the colour of a child at a position, or for a colour."""
    texel = b.sample(*args, attr=Sample(Action.EVALUATE, *child))
    return [b.part(texel, type=type, attr=at) for at in range(4)]


def _position(b: Lines) -> list[Value]:
    """Return the components of the parameter `p`."""
    meaning = SystemValue.POSITION
    return [b.input(each) for each in b.ports(Direction.INPUT, meaning, "p", 2, meaning=meaning)]


def _write(b: Lines, colour: list[Value]) -> None:
    """Write the colour of the pixel."""
    meaning = SystemValue.TARGET
    ports = b.ports(Direction.OUTPUT, meaning, "color", 4, F16, meaning=meaning)
    for port, value in zip(ports, colour, strict=True):
        b.output(port, value)


def _half(b: Lines, value: Value) -> Value:
    return b.fconv(value, type=F16)


class Uniforms:
    """The uniforms of a module, dwords at consecutive offsets."""

    def __init__(self, b: Lines, size: int) -> None:
        self.b = b
        self.memory = b.constants("uniforms", UNIFORMS, 4)
        self.resource = LoweredResource("uniforms", Form.CONSTANTS, 4, size=size, slot=UNIFORMS)

    def load(self, at: int) -> Value:
        return self.b.load(self.memory, at, 0, F32)

    def half(self, at: int) -> Value:
        return _half(self.b, self.load(at))


def _source() -> LoweredResource:
    return LoweredResource(
        "src", Form.CHILD, 16, returns=("float",) * 4, shape=Shape.D2, slot=CHILD
    )


def _lower_grey(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = Uniforms(b, 36)
    src = _child(b, "src", CHILD)
    b.at("turn * p")
    x, y = _position(b)
    q = [
        b.fadd(
            b.fmul(uniforms.load(TURN + row), x), b.fmul(uniforms.load(TURN + 2 + row), y)
        )
        for row in range(2)
    ]  # fmt: skip
    b.at("src.eval(q)")
    c = [_half(b, each) for each in _eval(b, src, *q, type=F32)]
    b.at("half grey")
    grey = b.fadd(b.fmul(c[0], 0.25), b.fmul(c[1], 0.5))
    grey = b.fadd(grey, b.fmul(c[2], 0.25))
    b.at("half3 mixed")
    gain = uniforms.half(GAIN)
    mixed = [b.fadd(each, b.fmul(b.fsub(grey, each), gain)) for each in c[:3]]
    b.at("return")
    colour = [*mixed, c[3]]
    _write(b, [b.fmul(each, uniforms.half(TINT + at)) for at, each in enumerate(colour)])
    return b.lowered(uniforms.resource, _source())


def _lower_both(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = Uniforms(b, 8)
    position = _position(b)
    src, tone = _child(b, "src", CHILD), _child(b, "tone", FILTER)
    b.at("p * scale")
    scaled = [b.fmul(each, uniforms.load(at)) for at, each in enumerate(position)]
    c = _eval(b, src, *scaled)
    b.at("half4 d")
    d = _eval(b, src, *position)
    b.at("return")
    _write(b, _eval(b, tone, *(b.fadd(*each) for each in zip(c, d, strict=True))))
    return b.lowered(uniforms.resource, _source(), LoweredResource("tone", Form.CHILD, slot=FILTER))


def _lower_ramp(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = Uniforms(b, 20)
    x, y = _position(b)
    b.at("return")
    factor = _half(b, b.fadd(b.fmul(x, uniforms.load(4)), y))
    _write(b, [b.fmul(uniforms.half(at), factor) for at in range(4)])
    return b.lowered(uniforms.resource)


def _lower_invert(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = Uniforms(b, 16)
    color = [b.input(each) for each in b.ports(Direction.INPUT, 0, "color", 4, F16)]
    b.at("return")
    _write(b, [b.fsub(uniforms.half(at), each) for at, each in enumerate(color)])
    return b.lowered(uniforms.resource)


POSITION = parameter("p", None, 2, system_value=SystemValue.POSITION)
COLOUR = parameter(
    "color", None, 4, system_value=SystemValue.TARGET, component_type=ComponentType.FLOAT16
)


def _reflection(
    inputs: list[SignatureParameter], uniforms: list[Variable], *resources: Bound
) -> Reflection:
    buffer = ConstantBuffer(
        name="uniforms", kind=BufferKind.UNIFORMS, variables=uniforms,
        size=sum(each.size for each in uniforms),
    )  # fmt: skip
    return Reflection(
        format="sksl_by_hand", code="sksl", stage=Stage.PIXEL, model="100", entry_point="main",
        inputs=inputs, outputs=[COLOUR], resources=list(resources), constant_buffers=[buffer],
    )  # fmt: skip


def _bound_source() -> Bound:
    return Bound(
        name="src", kind=ResourceKind.CHILD, register=0, dimension=Dimension.D2,
        return_type=ReturnType.FLOAT,
    )  # fmt: skip


GREY_FACTS = _reflection(
    [POSITION],
    [
        variable("tint", 0, vector(4, "half")), variable("turn", 16, matrix(2, 2, 8)),
        variable("gain", 32, vector(1, "half")),
    ],
    _bound_source(),
)  # fmt: skip
BOTH_FACTS = _reflection(
    [POSITION],
    [variable("scale", 0, vector(2))],
    _bound_source(),
    Bound(name="tone", kind=ResourceKind.CHILD, register=1),
)
RAMP_FACTS = _reflection(
    [POSITION], [variable("tint", 0, vector(4, "half")), variable("step", 16, vector(1))]
)
INVERT_FACTS = _reflection(
    [parameter("color", 0, 4, component_type=ComponentType.FLOAT16)],
    [variable("white", 0, vector(4, "half"))],
)


class SkslProgram(Handmade):
    language = "sksl"


SkSL = family(
    ABOUT, SkslProgram,
    [
        Module(GREY, GREY_FACTS, _lower_grey), Module(BOTH, BOTH_FACTS, _lower_both),
        Module(RAMP, RAMP_FACTS, _lower_ramp),
        Module(INVERT, INVERT_FACTS, _lower_invert),
    ],
)  # fmt: skip
