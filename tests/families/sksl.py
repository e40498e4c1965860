"""SkSL: uniforms one behind the other, halves, matrices of columns, a child.

The runtime shader is written after those that draw pictures on Android: it asks its child for a
colour at another place, and greys it. The others are programs that stand in for children: a shader,
a colour filter, and one that has a child of each kind.
"""

from unshade.format import Format
from unshade.ir.kernel import Value
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.specialisation import Specialisation
from unshade.ir.textures import Action, Sample, SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import F16, F32
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
    TypeClass,
    TypeDescription,
    Variable,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import Direction, ResourceClass, ResourceSlot

from .handmade import Handmade, Lines, Module, family, parameter, text

ABOUT = Format(
    "sksl_by_hand", b"SKSL", f"{__name__}:SkSL", suffix=".sksltext", says=r"half4 main\b",
    example="half4 main", texts=(".rts",), tool="skslc",
)  # fmt: skip

GREY, BOTH, RAMP, INVERT = (text(f"{name}.rts") for name in ("grey", "both", "ramp", "invert"))
UNIFORMS = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
CHILD = ResourceSlot(ResourceClass.CHILD, 0)
FILTER = ResourceSlot(ResourceClass.CHILD, 1)
TINT, TURN, GAIN = 0, 4, 8  # numbers of four bytes from the start


def _lower(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = b.constants("uniforms", UNIFORMS, 4)
    p = b.ports(Direction.INPUT, SystemValue.POSITION, "p", 2, meaning=SystemValue.POSITION)
    colour = b.ports(
        Direction.OUTPUT, SystemValue.TARGET, "color", 4, F16, meaning=SystemValue.TARGET
    )
    child = TextureDeclaration("src", Shape.D2, F32, slot=CHILD)
    nearest = SamplerDeclaration("src", CHILD)
    b.kernel.textures.append(child)
    b.kernel.samplers.append(nearest)

    def uniform(number: int) -> Value:
        return b.load(uniforms, number, 0, F32)

    def half(value: Value) -> Value:
        return b.fconv(value, type=F16)

    b.at("turn * p")
    x, y = (b.input(port) for port in p)
    q = [
        b.fadd(b.fmul(uniform(TURN + row), x), b.fmul(uniform(TURN + 2 + row), y))
        for row in range(2)
    ]
    b.at("src.eval(q)")
    texel = b.sample(*q, attr=Sample(Action.EVALUATE, child, nearest))
    c = [half(b.part(texel, type=F32, attr=at)) for at in range(4)]
    b.at("half grey")
    grey = b.fadd(b.fmul(c[0], 0.25), b.fmul(c[1], 0.5))
    grey = b.fadd(grey, b.fmul(c[2], 0.25))
    b.at("half3 mixed")
    gain = half(uniform(GAIN))
    mixed = [b.fadd(each, b.fmul(b.fsub(grey, each), gain)) for each in c[:3]]
    b.at("return")
    for at, (port, each) in enumerate(zip(colour, [*mixed, c[3]], strict=True)):
        b.output(port, b.fmul(each, half(uniform(TINT + at))))
    return b.lowered(
        LoweredResource("uniforms", Form.CONSTANTS, 4, size=36, slot=UNIFORMS),
        LoweredResource("src", Form.CHILD, 16, returns=("float",) * 4, shape=Shape.D2, slot=CHILD),
    )


def _child(
    b: Lines, name: str, slot: ResourceSlot
) -> tuple[TextureDeclaration, SamplerDeclaration]:
    child, sampler = (
        TextureDeclaration(name, Shape.D2, F32, slot=slot),
        SamplerDeclaration(name, slot),
    )
    b.kernel.textures.append(child)
    b.kernel.samplers.append(sampler)
    return child, sampler


def _eval(
    b: Lines, child: tuple[TextureDeclaration, SamplerDeclaration], *args: Value
) -> list[Value]:
    """The colour of a child, in halves."""
    texel = b.sample(*args, attr=Sample(Action.EVALUATE, *child))
    return [b.part(texel, type=F16, attr=at) for at in range(4)]


def _place(b: Lines) -> list[Value]:
    meaning = SystemValue.POSITION
    return [b.input(each) for each in b.ports(Direction.INPUT, meaning, "p", 2, meaning=meaning)]


def _give(b: Lines, colour: list[Value]) -> None:
    meaning = SystemValue.TARGET
    ports = b.ports(Direction.OUTPUT, meaning, "color", 4, F16, meaning=meaning)
    for port, value in zip(ports, colour, strict=True):
        b.output(port, value)


def _lower_both(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = b.constants("uniforms", UNIFORMS, 4)
    place = _place(b)
    src, tone = _child(b, "src", CHILD), _child(b, "tone", FILTER)
    b.at("p * scale")
    scaled = [b.fmul(each, b.load(uniforms, at, 0, F32)) for at, each in enumerate(place)]
    c = _eval(b, src, *scaled)
    b.at("half4 d")
    d = _eval(b, src, *place)
    b.at("return")
    _give(b, _eval(b, tone, *(b.fadd(*each) for each in zip(c, d, strict=True))))
    return b.lowered(
        LoweredResource("uniforms", Form.CONSTANTS, 4, size=8, slot=UNIFORMS),
        LoweredResource("src", Form.CHILD, 16, returns=("float",) * 4, shape=Shape.D2, slot=CHILD),
        LoweredResource("tone", Form.CHILD, slot=FILTER),
    )


def _lower_ramp(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = b.constants("uniforms", UNIFORMS, 4)
    x, y = _place(b)
    b.at("return")
    by = b.fconv(b.fadd(b.fmul(x, b.load(uniforms, 4, 0, F32)), y), type=F16)
    tint = [b.fconv(b.load(uniforms, at, 0, F32), type=F16) for at in range(4)]
    _give(b, [b.fmul(each, by) for each in tint])
    return b.lowered(LoweredResource("uniforms", Form.CONSTANTS, 4, size=20, slot=UNIFORMS))


def _lower_invert(b: Lines, chosen: Specialisation) -> Lowered:
    uniforms = b.constants("uniforms", UNIFORMS, 4)
    color = [b.input(each) for each in b.ports(Direction.INPUT, 0, "color", 4, F16)]
    b.at("return")
    white = [b.fconv(b.load(uniforms, at, 0, F32), type=F16) for at in range(4)]
    _give(b, [b.fsub(*each) for each in zip(white, color, strict=True)])
    return b.lowered(LoweredResource("uniforms", Form.CONSTANTS, 4, size=16, slot=UNIFORMS))


def _uniform(name: str, offset: int, **kind: object) -> Variable:
    made = TypeDescription(scalar="half" if name in HALVES else "float", **kind)  # type: ignore[arg-type]
    return Variable(name=name, offset=offset, size=made.size, type=made)


HALVES = "tint", "gain", "white"
PLACE = parameter("p", None, 2, system_value=SystemValue.POSITION)
COLOUR = parameter(
    "color", None, 4, system_value=SystemValue.TARGET, component_type=ComponentType.FLOAT16
)
VECTOR = {"type_class": TypeClass.VECTOR, "columns": 4, "size": 16}


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


BOTHED = _reflection(
    [PLACE],
    [_uniform("scale", 0, type_class=TypeClass.VECTOR, columns=2, size=8)],
    Bound(
        name="src", kind=ResourceKind.CHILD, register=0, dimension=Dimension.D2,
        return_type=ReturnType.FLOAT,
    ),
    Bound(name="tone", kind=ResourceKind.CHILD, register=1),
)  # fmt: skip
RAMPED = _reflection(
    [PLACE],
    [_uniform("tint", 0, **VECTOR), _uniform("step", 16, type_class=TypeClass.SCALAR, size=4)],
)
INVERTED = _reflection(
    [parameter("color", 0, 4, component_type=ComponentType.FLOAT16)],
    [_uniform("white", 0, **VECTOR)],
)
GREYED = Reflection(
    format="sksl_by_hand", code="sksl", stage=Stage.PIXEL, model="100", entry_point="main",
    inputs=[PLACE], outputs=[COLOUR],
    resources=[
        Bound(
            name="src", kind=ResourceKind.CHILD, register=0, dimension=Dimension.D2,
            return_type=ReturnType.FLOAT,
        )
    ],
    constant_buffers=[
        ConstantBuffer(
            name="uniforms", kind=BufferKind.UNIFORMS, size=36,
            variables=[
                _uniform("tint", 0, type_class=TypeClass.VECTOR, columns=4, size=16),
                _uniform(
                    "turn", 16, type_class=TypeClass.MATRIX_COLUMNS, rows=2, columns=2, size=16,
                    matrix_stride=8,
                ),
                _uniform("gain", 32, type_class=TypeClass.SCALAR, size=4),
            ],
        )
    ],
)  # fmt: skip


class SkslProgram(Handmade):
    language = "sksl"


SkSL = family(
    ABOUT, SkslProgram,
    [
        Module(GREY, GREYED, _lower), Module(BOTH, BOTHED, _lower_both),
        Module(RAMP, RAMPED, _lower_ramp), Module(INVERT, INVERTED, _lower_invert),
    ],
)  # fmt: skip
