"""SPIR-V stages made from seeds, in the text of spirv-as: vertex and geometry.

    vertex()                          passes on a position and four floats, in location 0
    geometry(seed, kind, stream)      primitives to strips

Those of tessellation are in seeded_patches.py. Each stage reads a position and four floats of every
vertex, computes, and outputs the same two. Arithmetic is addition, multiplication, minimum,
maximum, floor, absolute value and selection: each operation is rounded once in the same way
everywhere, so results are equal in every bit.
"""

import random
from collections.abc import Iterator

HEAD = """\
OpCapability Shader
{capabilities}
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" {interface}
{modes}
{decorations}
OpMemberDecorate %vertex 0 BuiltIn Position
OpDecorate %vertex Block
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%b4 = OpTypeVector %bool 4
%function = OpTypeFunction %void
%p_int = OpTypePointer Function %int
%vertex = OpTypeStruct %v4
{constants}
{globals}
%main = OpFunction %void None %function
%entry = OpLabel
{variables}
{code}
OpReturn
OpFunctionEnd
"""
INPUTS = {"points": 1, "lines": 2, "triangles": 3, "lines_adjacency": 4, "triangles_adjacency": 6}
IN_MODES = {
    "points": "InputPoints", "lines": "InputLines", "triangles": "Triangles",
    "lines_adjacency": "InputLinesAdjacency", "triangles_adjacency": "InputTrianglesAdjacency",
}  # fmt: skip
STREAMS = {"OutputPoints": 1, "OutputLineStrip": 2, "OutputTriangleStrip": 3}
FLOATS = (0.5, 1.0, 2.0, -1.0, 0.25, 3.0)


class Code:
    """The instructions of a function, and vectors to compute with."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.vectors: list[str] = []
        self._names = self._numbers()

    @staticmethod
    def _numbers() -> Iterator[str]:
        number = 0
        while True:
            number += 1
            yield f"%t{number}"

    def add(self, text: str) -> str:
        """Add an instruction with a result; return its id."""
        name = next(self._names)
        self.lines.append(f"{name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Add an instruction without a result."""
        self.lines.append(text)

    def read(self, pointer: str, base: str, *indices: str, kind: str = "%v4") -> str:
        """Load a value through an access chain."""
        chain = self.add(f"OpAccessChain {pointer} {base} {' '.join(indices)}")
        return self.add(f"OpLoad {kind} {chain}")

    def write(self, pointer: str, base: str, value: str, *indices: str) -> None:
        """Store a value through an access chain."""
        chain = self.add(f"OpAccessChain {pointer} {base} {' '.join(indices)}")
        self.do(f"OpStore {chain} {value}")

    def keep(self, vector: str) -> None:
        """Add a vector that expressions may use."""
        self.vectors.append(vector)

    def spread(self, scalar: str) -> str:
        """Return a vector of four times a float."""
        return self.add(f"OpCompositeConstruct %v4 {scalar} {scalar} {scalar} {scalar}")

    def one(self) -> str:
        """Return a vector that there is."""
        return self.random.choice(self.vectors)

    def expression(self, steps: int = 4) -> str:
        """Compute a vector."""
        value = self.one()
        for _ in range(steps):
            other = self.one()
            match self.random.randrange(9):
                case 0:
                    value = self.add(f"OpFAdd %v4 {value} {other}")
                case 1:
                    value = self.add(f"OpFSub %v4 {value} {other}")
                case 2:
                    value = self.add(f"OpFMul %v4 {value} {other}")
                case 3:
                    word = self.random.choice(("FMin", "FMax"))
                    value = self.add(f"OpExtInst %v4 %glsl {word} {value} {other}")
                case 4:
                    word = self.random.choice(("Floor", "FAbs", "FSign", "Fract"))
                    value = self.add(f"OpExtInst %v4 %glsl {word} {value}")
                case 5:
                    less = self.add(f"OpFOrdLessThan %b4 {value} {other}")
                    value = self.add(f"OpSelect %v4 {less} {other} {self.one()}")
                case 6:
                    order = " ".join(str(self.random.randrange(8)) for _ in range(4))
                    value = self.add(f"OpVectorShuffle %v4 {value} {other} {order}")
                case 7:
                    value = self.add(f"OpFNegate %v4 {value}")
                case _:
                    factor = self.random.randrange(len(FLOATS))
                    value = self.add(f"OpVectorTimesScalar %v4 {value} %f{factor}")
        return value

    def condition(self) -> str:
        """Compute a truth value."""
        first, second = (
            self.add(f"OpCompositeExtract %float {self.one()} {self.random.randrange(4)}")
            for _ in range(2)
        )
        return self.add(f"OpFOrdLessThan %bool {first} {second}")

    def begin_if(self, condition: str) -> str:
        """Begin a block that is run if a condition holds; return the label of its end."""
        inside, end = next(self._names), next(self._names)
        self.do(f"OpSelectionMerge {end} None")
        self.do(f"OpBranchConditional {condition} {inside} {end}")
        self.do(f"{inside} = OpLabel")
        return end

    def end_if(self, end: str) -> None:
        """End such a block."""
        self.do(f"OpBranch {end}")
        self.do(f"{end} = OpLabel")


def text_of(
    model: str, code: Code, *, interface: str, globals: str, decorations: str = "",
    modes: str = "", capabilities: str = "", variables: str = "",
) -> str:  # fmt: skip
    constants = [f"%i{at} = OpConstant %int {at}" for at in range(33)]
    constants += [f"%u{at} = OpConstant %uint {at}" for at in range(33)]
    constants += [f"%f{at} = OpConstant %float {each}" for at, each in enumerate(FLOATS)]
    return HEAD.format(
        model=model, interface=interface, globals=globals, decorations=decorations, modes=modes,
        capabilities=capabilities, code="\n".join(code.lines), constants="\n".join(constants),
        variables=variables,
    )  # fmt: skip


OUTPUTS = """%p_out_vertex = OpTypePointer Output %vertex
%p_out = OpTypePointer Output %v4
%gl_out = OpVariable %p_out_vertex Output
%b = OpVariable %p_out Output"""


def arrays(count: int, name: str = "taken") -> str:
    """The declarations of the inputs of several vertices."""
    return f"""%vertices_{name} = OpTypeArray %vertex %u{count}
%vectors_{name} = OpTypeArray %v4 %u{count}
%p_vertices_{name} = OpTypePointer Input %vertices_{name}
%p_vectors_{name} = OpTypePointer Input %vectors_{name}
%p_in = OpTypePointer Input %v4
%p_in_int = OpTypePointer Input %int
%gl_in = OpVariable %p_vertices_{name} Input
%a = OpVariable %p_vectors_{name} Input"""


def vertex() -> str:
    """Return a vertex shader: location 0 is the position, location 1 goes to location 0."""
    code = Code(0)
    place, other = code.add("OpLoad %v4 %place"), code.add("OpLoad %v4 %other")
    code.write("%p_out", "%gl_out", place, "%i0")
    code.do(f"OpStore %b {other}")
    return text_of(
        "Vertex", code, interface="%place %other %gl_out %b",
        decorations="OpDecorate %place Location 0\nOpDecorate %other Location 1\n"
        "OpDecorate %b Location 0",
        globals=OUTPUTS + "\n%p_in = OpTypePointer Input %v4\n"
        "%place = OpVariable %p_in Input\n%other = OpVariable %p_in Input",
    )  # fmt: skip


def geometry(seed: int, kind: str, stream: str) -> str:
    """Return a geometry shader from primitives of a kind to a stream.

    A loop emits vertices from inputs that are indexed by its counter and the invocation; what
    follows depends on values, and strips are cut.
    """
    code = Code(seed)
    chance = code.random
    count = INPUTS[kind]
    turns, invocations = chance.randint(1, 5), chance.randint(1, 3)
    number, which = (code.add(f"OpLoad %int {name}") for name in ("%primitive", "%invocation"))
    for each in (number, which):
        code.keep(code.spread(code.add(f"OpConvertSToF %float {each}")))
    for at in range(count):
        code.keep(code.read("%p_in", "%gl_in", f"%i{at}", "%i0"))
        code.keep(code.read("%p_in", "%a", f"%i{at}"))

    def emit() -> None:
        code.write("%p_out", "%gl_out", code.expression(), "%i0")
        code.do(f"OpStore %b {code.expression()}")
        code.do("OpEmitVertex")

    code.do("OpStore %counter %i0")
    labels = ["%head", "%test", "%body", "%next", "%done"]
    head, test, body, following, done = labels
    code.do(f"OpBranch {head}\n{head} = OpLabel")
    code.do(f"OpLoopMerge {done} {following} None\nOpBranch {test}\n{test} = OpLabel")
    i = code.add("OpLoad %int %counter")
    more = code.add(f"OpSLessThan %bool {i} %i{turns}")
    code.do(f"OpBranchConditional {more} {body} {done}\n{body} = OpLabel")
    outside = len(code.vectors)
    sum_ = code.add(f"OpIAdd %int {i} {which}")
    j = code.add(f"OpSMod %int {sum_} %i{count}")
    code.keep(code.read("%p_in", "%gl_in", j, "%i0"))
    code.keep(code.read("%p_in", "%a", j))
    code.keep(code.spread(code.add(f"OpConvertSToF %float {i}")))
    emit()
    if chance.random() < 0.5:
        end = code.begin_if(code.condition())
        emit()
        if chance.random() < 0.5:
            code.do("OpEndPrimitive")
        code.end_if(end)
    if chance.random() < 0.4:
        odd = code.add(f"OpBitwiseAnd %int {i} %i1")
        end = code.begin_if(code.add(f"OpIEqual %bool {odd} %i1"))
        code.do("OpEndPrimitive")
        code.end_if(end)
    code.do(f"OpBranch {following}\n{following} = OpLabel")
    plus = code.add(f"OpIAdd %int {i} %i1")
    code.do(f"OpStore %counter {plus}\nOpBranch {head}\n{done} = OpLabel")
    del code.vectors[outside:]
    for _ in range(chance.randint(0, 2)):
        emit()
    if chance.random() < 0.5:
        code.do("OpEndPrimitive")
    most = 2 * turns + 2
    return text_of(
        "Geometry", code, interface="%gl_in %a %gl_out %b %primitive %invocation",
        capabilities="OpCapability Geometry",
        modes="\n".join(
            f"OpExecutionMode %main {each}"
            for each in (IN_MODES[kind], stream, f"Invocations {invocations}",
                         f"OutputVertices {most}")
        ),
        decorations="OpDecorate %a Location 0\nOpDecorate %b Location 0\n"
        "OpDecorate %primitive BuiltIn PrimitiveId\nOpDecorate %invocation BuiltIn InvocationId",
        globals=f"{arrays(count)}\n{OUTPUTS}\n%primitive = OpVariable %p_in_int Input\n"
        "%invocation = OpVariable %p_in_int Input",
        variables="%counter = OpVariable %p_int Function",
    )  # fmt: skip
