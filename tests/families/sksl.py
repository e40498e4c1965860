"""SkSL: uniforms one behind the other, halves, matrices of columns, a child.

The runtime shader is written after those that draw pictures on Android: it asks its child for a
colour at another place, and greys it.
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

GREY = text("grey.rts")
UNIFORMS = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
CHILD = ResourceSlot(ResourceClass.CHILD, 0)
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
    texel = b.sample(*q, attr=Sample(Action.SAMPLE, child, nearest))
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
        LoweredResource(
            "src", Form.TEXTURE, 16, returns=("float",) * 4, shape=Shape.D2, slot=CHILD
        ),
    )


def _uniform(name: str, offset: int, **kind: object) -> Variable:
    made = TypeDescription(scalar="half" if name != "turn" else "float", **kind)  # type: ignore[arg-type]
    return Variable(name=name, offset=offset, size=made.size, type=made)


GREYED = Reflection(
    format="sksl_by_hand", code="sksl", stage=Stage.PIXEL, model="100", entry_point="main",
    inputs=[parameter("p", None, 2, system_value=SystemValue.POSITION)],
    outputs=[
        parameter(
            "color", None, 4, system_value=SystemValue.TARGET,
            component_type=ComponentType.FLOAT16,
        )
    ],
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


SkSL = family(ABOUT, SkslProgram, [Module(GREY, GREYED, _lower)])
