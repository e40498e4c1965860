"""Runtime effects generated from seeds: shaders, colour filters and blenders.

    generated("filter", 7)      the text, and values for its uniforms

Programs are those that Skia's compiler takes too (GLSL ES 1.00), and values stay small: each
statement is clamped, divisors and arguments of roots are kept away from 0. Comparisons, floor and
fract make results jump here and there.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

Kind = str
MAINS: dict[Kind, tuple[str, dict[str, str]]] = {
    "shader": ("float2 p", {"p * 0.02": "float2", "p.x * 0.03": "float"}),
    "filter": ("half4 color", {"color": "half4"}),
    "blender": ("half4 src, half4 dst", {"src": "half4", "dst": "half4"}),
}
VECTORS = ("float", "float2", "float3", "float4", "half", "half2", "half3", "half4")
FUNCTIONS = (
    "sin({0})", "cos({0} * 3.0)", "abs({0})", "fract({0})", "floor({0} * 2.0)", "saturate({0})",
    "sqrt(abs({0}) + 0.01)", "inversesqrt(abs({0}) + 0.1)", "exp({0} * 0.5)", "exp2({0} * 0.5)",
    "log(abs({0}) + 0.1)", "log2(abs({0}) + 0.1)", "sign({0})", "ceil({0})", "-({0})",
    "tan({0} * 0.2)", "asin(clamp({0}, -0.9, 0.9))", "acos(clamp({0}, -0.9, 0.9))", "atan({0})",
    "radians({0} * 40.0)", "degrees({0} * 0.02)", "min({0}, {1})", "max({0}, {1})",
    "mod({0}, 1.5)", "mix({0}, {1}, 0.3)", "mix({0}, {1}, {2})", "clamp({0}, -0.5, 1.25)",
    "step({0}, {1})", "smoothstep(-1.0, 1.5, {0})", "pow(abs({0}) + 0.1, {T}(1.7))",
    "atan({0}, abs({1}) + 0.3)", "({0} + {1})", "({0} - {1})", "({0} * {1})",
    "({0} / (abs({1}) + 0.5))", "({b} ? {0} : {1})",
)  # fmt: skip
OF_VECTORS = (
    "normalize({0} + {T}(1.25))", "reflect({0}, normalize({1} + {T}(1.5)))", "({0}).{s}",
    "faceforward({0}, {1}, {2})",
)  # fmt: skip
TO_SCALAR = ("dot({v}, {w})", "length({v})", "distance({v}, {w})", "({v}).y")
UNIFORMS = {"gain": "float", "tint": "half4", "turn[1]": "float2", "steps[2]": "float"}
MOST_DEPTH = 3


class GeneratedEffect(NamedTuple):
    """A program, and the values of its uniforms by name."""

    kind: Kind
    text: str
    uniforms: dict[str, Any]


def is_rough(text: str) -> bool:
    """Return True if functions take part that processors approximate differently."""
    return any(f"{each}(" in text for each in ("sin", "cos", "tan", "atan", "pow"))


def generated(kind: Kind, seed: int) -> GeneratedEffect:
    """Return the program of a seed."""
    return _Generator(kind, seed).effect()


class _Generator:
    def __init__(self, kind: Kind, seed: int) -> None:
        self.kind = kind
        self.chance = Random(f"{kind} {seed}")
        self.known: dict[str, str] = {}  # type by expression
        self.variables: dict[str, str] = {}
        self.functions: dict[str, tuple[str, list[str]]] = {}
        self.count = 0

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # -- expressions ---------------------------------------------------------------------------

    def number(self) -> str:
        return f"{self.chance.randrange(1, 24) / 8}"

    def value(self, kind: str, depth: int = 0) -> str:
        """Return an expression of a scalar or vector type."""
        chance = self.chance
        if depth >= MOST_DEPTH or chance.random() < 0.15:
            return self.leaf(kind)
        scalar, size = _split(kind)
        draw = chance.random()
        if draw < 0.12 and size > 1:
            return self.composed(kind, depth)
        if draw < 0.24 and size == 1:
            other = f"{scalar}{chance.choice((2, 3, 4))}"
            return chance.choice(TO_SCALAR).format(
                v=self.value(other, depth + 1), w=self.value(other, depth + 1)
            )
        callable_ = [name for name, (returns, _) in self.functions.items() if returns == kind]
        if draw < 0.36 and callable_:
            name = chance.choice(callable_)
            args = ", ".join(self.value(each, depth + 1) for each in self.functions[name][1])
            return f"{name}({args})"
        if draw < 0.44 and kind == "float2":
            return f"(turn * {self.value(kind, depth + 1)})"
        forms = FUNCTIONS + (OF_VECTORS if size > 1 else ())
        letters = "".join(chance.choice("xyzw"[:size]) for _ in range(size))
        return chance.choice(forms).format(
            *(self.value(kind, depth + 1) for _ in range(3)), T=kind, s=letters,
            b=self.condition(depth + 1),
        )  # fmt: skip

    def composed(self, kind: str, depth: int) -> str:
        scalar, size = _split(kind)
        parts: list[str] = []
        while size:
            take = self.chance.randrange(1, min(size, 3) + 1)
            parts.append(self.value(scalar if take == 1 else f"{scalar}{take}", depth + 1))
            size -= take
        return f"{kind}({', '.join(parts)})"

    def leaf(self, kind: str) -> str:
        every = {**self.known, **self.variables}
        same = [each for each, type_ in every.items() if type_ == kind]
        if same and self.chance.random() < 0.8:
            return self.chance.choice(same)
        _, size = _split(kind)
        similar = [each for each, type_ in every.items() if _split(type_)[1] == size]
        if similar and self.chance.random() < 0.8:
            return f"{kind}({self.chance.choice(similar)})"
        return f"{kind}({self.number()})"

    def condition(self, depth: int = 0) -> str:
        draw = self.chance.random()
        if draw < 0.15 and depth < MOST_DEPTH:
            joined = self.chance.choice(("&&", "||", "^^"))
            return f"({self.condition(depth + 1)} {joined} {self.condition(depth + 1)})"
        if draw < 0.25:
            return f"!({self.condition(depth + 1)})" if depth < MOST_DEPTH else "true"
        sign = self.chance.choice(("<", ">", "<=", ">="))
        return f"({self.value('float', depth + 1)} {sign} {self.value('float', depth + 1)})"

    # -- statements ----------------------------------------------------------------------------

    def statements(self, count: int, depth: int = 0) -> list[str]:
        known = dict(self.variables)
        found: list[str] = []
        for _ in range(count):
            found += self.statement(depth)
        self.variables = known
        return found

    def statement(self, depth: int) -> list[str]:
        chance = self.chance
        draw = chance.random()
        if depth < 2 and draw < 0.15:
            lines = [f"if ({self.condition(1)}) {{", *_in(self.statements(2, depth + 1)), "}"]
            if chance.random() < 0.5:
                lines[-1:] = ["} else {", *_in(self.statements(2, depth + 1)), "}"]
            return lines
        if depth < 2 and draw < 0.27:
            name = self.name("i")
            self.known[f"float({name})"] = "float"
            body = self.statements(2, depth + 1)
            if chance.random() < 0.4:
                body.insert(1, f"if ({self.condition(1)}) {chance.choice(('break', 'continue'))};")
            del self.known[f"float({name})"]
            high = chance.randrange(2, 6)
            return [f"for (int {name} = 0; {name} < {high}; ++{name}) {{", *_in(body), "}"]
        assignable = [each for each in self.variables if each.startswith("v")]
        if assignable and draw < 0.6:
            return [self.assignment(chance.choice(assignable))]
        kind = chance.choice(VECTORS)
        name = self.name("v")
        text = f"{kind} {name} = {_clamped(self.value(kind))};"
        self.variables[name] = kind
        return [text]

    def assignment(self, name: str) -> str:
        kind = self.variables[name]
        scalar, size = _split(kind)
        if size > 1 and self.chance.random() < 0.4:
            count = self.chance.randrange(1, size + 1)
            letters = "".join(self.chance.sample("xyzw"[:size], count))
            part = scalar if count == 1 else f"{scalar}{count}"
            return f"{name}.{letters} = {_clamped(self.value(part))};"
        if self.chance.random() < 0.3:
            sign = self.chance.choice(("+=", "-=", "*="))
            return f"{name} {sign} {_clamped(self.value(kind))}; {name} = {_clamped(name)};"
        return f"{name} = {_clamped(self.value(kind))};"

    # -- programs ------------------------------------------------------------------------------

    def function(self) -> list[str]:
        chance = self.chance
        name, returns = self.name("f"), chance.choice(VECTORS)
        kinds = [chance.choice(VECTORS) for _ in range(chance.randrange(1, 4))]
        parameters = [self.name("a") for _ in kinds]
        outer, self.variables = self.variables, dict(zip(parameters, kinds, strict=True))
        outside, self.known = self.known, dict(UNIFORMS)
        body = self.statements(chance.randrange(1, 3), 1)
        if chance.random() < 0.4:
            body.append(f"if ({self.condition(1)}) return {_clamped(self.value(returns))};")
        body.append(f"return {_clamped(self.value(returns))};")
        self.variables, self.known = outer, outside
        self.functions[name] = returns, kinds
        declared = ", ".join(f"{kind} {each}" for kind, each in zip(kinds, parameters, strict=True))
        return [f"{returns} {name}({declared}) {{", *_in(body), "}"]

    def effect(self) -> GeneratedEffect:
        chance = self.chance
        uniforms = {
            "gain": round(chance.uniform(-2, 2), 3),
            "tint": [round(chance.uniform(0, 1.5), 3) for _ in range(4)],
            "turn": [[round(chance.uniform(-1, 1), 3) for _ in range(2)] for _ in range(2)],
            "steps": [round(chance.uniform(-1, 1), 3) for _ in range(3)],
        }
        lines = [
            "uniform float gain;", "uniform half4 tint;", "uniform float2x2 turn;",
            "uniform float steps[3];",
        ]  # fmt: skip
        self.known = dict(UNIFORMS)
        for _ in range(chance.randrange(0, 4)):
            lines += self.function()
        given, inside = MAINS[self.kind]
        self.known |= inside
        body = []
        for _ in range(chance.randrange(2, 7)):
            body += self.statement(0)
        terms = [_WIDENED[_split(kind)[1]].format(name) for name, kind in self.variables.items()]
        total = " + ".join([self.value("half4"), *(f"0.25 * {each}" for each in terms)])
        body.append(f"return {_clamped(total)};")
        lines += [f"half4 main({given}) {{", *_in(body), "}"]
        return GeneratedEffect(self.kind, "\n".join(lines) + "\n", uniforms)


_WIDENED = {1: "half4({0})", 2: "half4({0}, {0})", 3: "half4({0}, 0)", 4: "half4({0})"}


def _split(kind: str) -> tuple[str, int]:
    """Return the scalar and the number of components of a type."""
    size = kind[-1]
    return (kind[:-1], int(size)) if size.isdigit() else (kind, 1)


def _clamped(text: str) -> str:
    return f"clamp({text}, -4.0, 4.0)"


def _in(lines: list[str]) -> list[str]:
    return [f"    {each}" for each in lines]
