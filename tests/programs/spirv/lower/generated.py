"""Random compute shaders, each with a program in Python that computes the same for one lane.

    made = Generated(seed)
    made.module()                  the module
    made.expected(lane, words)     the word that the lane stores

Statements: assignments, arrays and vectors that are indexed at run time, ifs, loops with break and
continue, switches that fall through, calls with early returns and a pointer to an array. Types:
32-bit integers and floats, 16- and 64-bit integers. Nothing is undefined but what the library
defines: divisions by 0, shifts by more than the width, conversions of floats that are too large.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import unshade

from .modules import shader

Env = dict[str, Any]
Expression = tuple[str, Callable[[Env], Any]]  # id, value
Step = Callable[[Env], None]

TYPES = {"u": "%uint", "i": "%int", "f": "%float", "b": "%bool", "l": "%ulong", "s": "%ushort"}
BITS = {"u": 32, "i": 32, "l": 64, "s": 16}
SIZE = 5  # of the array
DEEPEST = 3
GLOBALS = """\
%ulong = OpTypeInt 64 0
%ushort = OpTypeInt 16 0
%five = OpConstant %uint 5
%array = OpTypeArray %uint %five
%v4float = OpTypeVector %float 4
%p_array = OpTypePointer Function %array
%p_v4 = OpTypePointer Function %v4float
%p_u = OpTypePointer Function %uint
%p_i = OpTypePointer Function %int
%p_f = OpTypePointer Function %float
%p_l = OpTypePointer Function %ulong
%p_s = OpTypePointer Function %ushort
%fn = OpTypeFunction %uint %p_array %uint %uint
"""


class Leave(Exception):
    """A break, continue or return of a lane."""

    def __init__(self, kind: str, value: int = 0) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


def _cut(kind: str, value: int) -> int:
    """Return a number as the bits of an integer."""
    return value & (1 << BITS[kind]) - 1


def _signed(kind: str, value: int) -> int:
    top = 1 << (BITS[kind] - 1)
    return (value & (top - 1)) - (value & top)


def _divide(kind: str) -> Callable[..., int]:
    def unsigned(x: int, y: int) -> int:
        return x // y if y else -1

    def signed(x: int, y: int) -> int:
        x, y = _signed(kind, x), _signed(kind, y)
        return (abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)) if y else -1

    return signed if kind == "i" else unsigned


def _modulo(kind: str) -> Callable[..., int]:
    def unsigned(x: int, y: int) -> int:
        return x % y if y else -1

    def signed(x: int, y: int) -> int:
        x, y = _signed(kind, x), _signed(kind, y)
        return x % y if y else _floor_of_nothing(y)

    return signed if kind == "i" else unsigned


def _floor_of_nothing(y: int) -> int:
    """Return x mod 0: the remainder is all ones, whose sign differs from that of 0."""
    return -1 + y if y < 0 else -1


def _to_integer(kind: str, x: Any) -> int:
    if np.isnan(x):
        return 0
    least, most = (-(1 << 31), (1 << 31) - 1) if kind == "i" else (0, (1 << BITS[kind]) - 1)
    return int(min(max(float(np.trunc(x)), least), most))


def _operations() -> list[tuple[str, str, str, Callable[..., Any]]]:
    """Return rows: name, type of the result, types of the operands, the operation."""
    rows: list[tuple[str, str, str, Callable[..., Any]]] = []
    for k in "uils":
        n = BITS[k]
        rows += [
            ("OpIAdd", k, k * 2, lambda x, y: x + y),
            ("OpISub", k, k * 2, lambda x, y: x - y),
            ("OpIMul", k, k * 2, lambda x, y: x * y),
            ("OpBitwiseXor", k, k * 2, lambda x, y: x ^ y),
            ("OpBitwiseAnd", k, k * 2, lambda x, y: x & y),
            ("OpNot", k, k, lambda x: ~x),
            ("OpShiftLeftLogical", k, k + "u", lambda x, y, n=n: x << y % n),
            ("OpShiftRightLogical", k, k + "u", lambda x, y, n=n: x >> y % n),
            ("OpIEqual", "b", k * 2, lambda x, y: x == y),
            ("OpULessThan", "b", k * 2, lambda x, y: x < y),
            ("OpSLessThan", "b", k * 2, lambda x, y, k=k: _signed(k, x) < _signed(k, y)),
            ("OpSelect", k, "b" + k * 2, lambda c, x, y: x if c else y),
            ("OpShiftRightArithmetic", k, k + "u", lambda x, y, k=k, n=n: _signed(k, x) >> y % n),
        ]
    for k in "ul":
        rows.append(("OpUDiv", k, k * 2, _divide(k)))
        rows.append(("OpUMod", k, k * 2, _modulo(k)))
    rows += [
        ("OpSDiv", "i", "ii", _divide("i")),
        ("OpSMod", "i", "ii", _modulo("i")),
        ("OpUConvert", "l", "u", lambda x: x),
        ("OpSConvert", "l", "i", lambda x: _signed("i", x)),
        ("OpUConvert", "u", "l", lambda x: x),
        ("OpUConvert", "s", "u", lambda x: x),
        ("OpSConvert", "u", "s", lambda x: _signed("s", x)),
        ("OpBitcast", "i", "u", lambda x: x),
        ("OpBitcast", "u", "i", lambda x: x),
        ("OpFAdd", "f", "ff", lambda x, y: x + y),
        ("OpFSub", "f", "ff", lambda x, y: x - y),
        ("OpFMul", "f", "ff", lambda x, y: x * y),
        ("OpFNegate", "f", "f", lambda x: -x),
        ("OpFOrdLessThan", "b", "ff", lambda x, y: bool(x < y)),
        ("OpFUnordNotEqual", "b", "ff", lambda x, y: bool(x != y)),
        ("OpSelect", "f", "bff", lambda c, x, y: x if c else y),
        ("OpConvertUToF", "f", "u", np.float32),
        ("OpConvertSToF", "f", "i", lambda x: np.float32(_signed("i", x))),
        ("OpConvertFToU", "u", "f", lambda x: _to_integer("u", x)),
        ("OpConvertFToS", "i", "f", lambda x: _to_integer("i", x)),
        ("OpLogicalAnd", "b", "bb", lambda x, y: x and y),
        ("OpLogicalOr", "b", "bb", lambda x, y: x or y),
        ("OpLogicalNot", "b", "b", lambda x: not x),
    ]
    return rows


ROWS = _operations()


class Generated:
    """A shader made from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.block = "entry"
        self.literals: dict[tuple[str, int], str] = {}
        self.inside = 0  # open loops
        self.loops: list[int] = []
        self.in_switch = 0  # inside the innermost loop
        self.steps: list[Step] = []
        self.functions: list[str] = []
        self.called: list[Callable[[Env, int, int], int]] = []
        self.names = [*"uvijflms"]
        self.in_function = False
        for _ in range(2):
            self._function()
        self._start()
        self.body = self._statements(0, 6)
        self.result = self._stored()

    # -- text --------------------------------------------------------------------------------------

    def _id(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def _put(self, text: str) -> str:
        """Append an instruction with a result."""
        made = self._id()
        self.lines.append(f"{made} = {text}")
        return made

    def _label(self, name: str) -> None:
        self.lines.append(f"{name} = OpLabel")
        self.block = name[1:]

    def _literal(self, kind: str, value: int) -> str:
        key = kind, value
        if key not in self.literals:
            self.literals[key] = f"%n{len(self.literals)}"
        return self.literals[key]

    @property
    def variables(self) -> str:
        """The declarations of the variables."""
        kinds = {"u": "u", "v": "u", "i": "i", "j": "i", "f": "f", "l": "l", "m": "l", "s": "s"}
        lines = [f"%var_{name} = OpVariable %p_{kinds[name]} Function" for name in self.names]
        lines += [f"%loop{n} = OpVariable %p_u Function" for n in range(DEEPEST + 1)]
        return "\n".join([
            *lines, "%arr = OpVariable %p_array Function", "%vec = OpVariable %p_v4 Function",
        ])  # fmt: skip

    def module(self) -> unshade.Shader:
        """Return the module."""
        constants = "\n".join(
            f"{name} = OpConstant {TYPES[kind]} {_shown(kind, value)}"
            for (kind, value), name in self.literals.items()
        )
        return shader(
            "\n".join(self.lines), self.result, globals=GLOBALS + constants,
            variables=self.variables, functions="\n".join(self.functions), group=8,
        )  # fmt: skip

    # -- expressions -------------------------------------------------------------------------------

    def _expression(self, kind: str, depth: int = 0) -> Expression:
        if depth > 2 or self.random.random() < 0.3:
            return self._leaf(kind)
        name, result, operands, apply = self.random.choice([r for r in ROWS if r[1] == kind])
        given = [self._expression(each, depth + 1) for each in operands]
        made = self._put(f"{name} {TYPES[result]} {' '.join(each for each, _ in given)}")

        def value(env: Env) -> Any:
            with np.errstate(all="ignore"):
                found = apply(*(each(env) for _, each in given))
            return _cut(kind, found) if kind in BITS else found

        return made, value

    def _leaf(self, kind: str) -> Expression:
        at = self.random.random()
        if kind == "b":
            return self._compared()
        if kind == "u" and at < 0.2 and not self.in_function:
            return "%x", lambda env: env["x"]
        if kind == "u" and at < 0.45:
            return self._element()
        if kind == "f" and at < 0.3 and not self.in_function:
            return self._lane_of_vector()
        names = [each for each in self._readable() if each[1] == kind]
        if names and at < 0.8:
            name = self.random.choice(names)[0]
            made = self._put(f"OpLoad {TYPES[kind]} %var_{name}")
            return made, lambda env: env[name]
        return self._constant(kind)

    def _readable(self) -> list[tuple[str, str]]:
        if self.in_function:
            return []
        return [(name, {"v": "u", "j": "i", "m": "l"}.get(name, name)) for name in self.names]

    def _constant(self, kind: str) -> Expression:
        value = self.random.choice([0, 1, 2, 3, 7, 31, 255, 0x7FFF, self.random.getrandbits(15)])
        made = self._literal(kind, value)
        return made, lambda env: np.float32(value / 4) if kind == "f" else value

    def _compared(self) -> Expression:
        x, y = self._leaf("u"), self._leaf("u")
        made = self._put(f"OpUGreaterThan %bool {x[0]} {y[0]}")
        return made, lambda env: x[1](env) > y[1](env)

    def _index(self, count: int) -> Expression:
        at = self._expression("u", 2)
        made = self._put(f"OpUMod %uint {at[0]} {self._literal('u', count)}")
        return made, lambda env: at[1](env) % count

    def _element(self) -> Expression:
        at = self._index(SIZE)
        place = self._put(f"OpAccessChain %p_u %arr {at[0]}")
        made = self._put(f"OpLoad %uint {place}")
        return made, lambda env: env["arr"][at[1](env)]

    def _lane_of_vector(self) -> Expression:
        at = self._index(4)
        place = self._put(f"OpAccessChain %p_f %vec {at[0]}")
        made = self._put(f"OpLoad %float {place}")
        return made, lambda env: env["vec"][at[1](env)]

    # -- statements --------------------------------------------------------------------------------

    def _statements(self, depth: int, most: int) -> list[Step]:
        return [self._statement(depth) for _ in range(self.random.randint(1, most))]

    def _statement(self, depth: int) -> Step:
        kinds = ["set", "set", "store", "vector", "call"]
        if depth < DEEPEST:
            kinds += ["if", "loop", "switch"]
        kind = self.random.choice(kinds)
        if self.in_function and kind in ("set", "vector", "call", "loop", "switch"):
            kind = "store"
        make: Callable[[int], Step] = getattr(self, f"_{kind}")
        return make(depth)

    def _set(self, depth: int) -> Step:
        name, kind = self.random.choice(self._readable())
        text, value = self._expression(kind)
        self.lines.append(f"OpStore %var_{name} {text}")
        return lambda env: env.__setitem__(name, value(env))

    def _store(self, depth: int) -> Step:
        at = self._index(SIZE)
        text, value = self._expression("u", 1)
        place = self._put(f"OpAccessChain %p_u %arr {at[0]}")
        self.lines.append(f"OpStore {place} {text}")

        def step(env: Env) -> None:
            found = value(env)
            env["arr"][at[1](env)] = found

        return step

    def _vector(self, depth: int) -> Step:
        at = self._index(4)
        text, value = self._expression("f", 1)
        place = self._put(f"OpAccessChain %p_f %vec {at[0]}")
        self.lines.append(f"OpStore {place} {text}")

        def step(env: Env) -> None:
            found = value(env)
            env["vec"][at[1](env)] = found

        return step

    def _call(self, depth: int) -> Step:
        number = self.random.randrange(len(self.called))
        x, y = self._expression("u", 2), self._expression("u", 2)
        made = self._put(f"OpFunctionCall %uint %function{number} %arr {x[0]} {y[0]}")
        self.lines.append(f"OpStore %var_v {made}")
        called = self.called[number]
        return lambda env: env.__setitem__("v", called(env, x[1](env), y[1](env)))

    def _if(self, depth: int) -> Step:
        text, value = self._expression("b")
        then, other, done = (f"%b{self.count}_{n}" for n in range(3))
        self.count += 1
        self.lines += [
            f"OpSelectionMerge {done} None",
            f"OpBranchConditional {text} {then} {other}",
        ]
        arms = []
        for label in (then, other):
            self._label(label)
            arms.append(self._statements(depth + 1, 2))
            leave = self._leave() if self.random.random() < 0.25 else None
            if leave is None:
                self.lines.append(f"OpBranch {done}")
            else:
                arms[-1].append(leave)
        self._label(done)

        def step(env: Env) -> None:
            for each in arms[0] if value(env) else arms[1]:
                each(env)

        return step

    def _leave(self) -> Step | None:
        """End a block by a break, continue or return, where there is one."""
        if self.in_function:
            text, value = self._expression("u", 1)
            self.lines.append(f"OpReturnValue {text}")

            def give(env: Env) -> None:
                raise Leave("return", value(env))

            return give
        if not self.inside or self.in_switch:
            return None
        kind = self.random.choice(("break", "continue"))
        self.lines.append(f"OpBranch %{kind}{self.loops[-1]}")

        def leave(env: Env) -> None:
            raise Leave(kind)

        return leave

    def _loop(self, depth: int) -> Step:
        self.count += 1
        number = self.count
        counter = f"%loop{self.inside}"
        turns = self._index(4)
        head, test, body = (f"%{name}{number}" for name in ("head", "test", "body"))
        self.lines.append(f"OpStore {counter} {self._literal('u', 0)}")
        self.lines.append(f"OpBranch {head}")
        self._label(head)
        self.lines += [f"OpLoopMerge %break{number} %continue{number} None", f"OpBranch {test}"]
        self._label(test)
        at = self._put(f"OpLoad %uint {counter}")
        more = self._put(f"OpULessThanEqual %bool {at} {turns[0]}")
        self.lines.append(f"OpBranchConditional {more} {body} %break{number}")
        self._label(body)
        self.inside += 1
        self.loops.append(number)
        inner, self.in_switch = self.in_switch, 0
        steps = self._statements(depth + 1, 3)
        self.in_switch = inner
        self.loops.pop()
        self.inside -= 1
        self.lines.append(f"OpBranch %continue{number}")
        self._label(f"%continue{number}")
        old = self._put(f"OpLoad %uint {counter}")
        new = self._put(f"OpIAdd %uint {old} {self._literal('u', 1)}")
        self.lines += [f"OpStore {counter} {new}", f"OpBranch {head}"]
        self._label(f"%break{number}")

        def step(env: Env) -> None:
            for _ in range(turns[1](env) + 1):
                try:
                    for each in steps:
                        each(env)
                except Leave as leave:
                    if leave.kind == "break":
                        break
                    if leave.kind == "return":
                        raise

        return step

    def _switch(self, depth: int) -> Step:
        self.count += 1
        number = self.count
        at = self._index(5)
        labels = [f"%case{number}_{n}" for n in range(3)]
        done = f"%end{number}"
        falls = self.random.random() < 0.5
        self.lines.append(f"OpSelectionMerge {done} None")
        self.lines.append(f"OpSwitch {at[0]} {labels[2]} 0 {labels[0]} 1 {labels[1]} 3 {labels[1]}")
        arms = []
        for n, label in enumerate(labels):
            self._label(label)
            self.in_switch += 1
            arms.append(self._statements(depth + 1, 2))
            self.in_switch -= 1
            to = labels[1] if falls and n == 0 else done
            self.lines.append(f"OpBranch {to}")
        self._label(done)

        def step(env: Env) -> None:
            chosen = {0: 0, 1: 1, 3: 1}.get(at[1](env), 2)
            steps = arms[chosen] + (arms[1] if falls and chosen == 0 else [])
            for each in steps:
                each(env)

        return step

    # -- functions ---------------------------------------------------------------------------------

    def _function(self) -> None:
        """Add a function of an array and two numbers, which may return early."""
        number = len(self.called)
        self.in_function = True
        self.lines = []
        steps = self._statements(1, 3)
        text, value = self._expression("u", 1)
        self.functions += [
            f"%function{number} = OpFunction %uint None %fn",
            *(f"%{name}{number} = OpFunctionParameter {kind}"
              for name, kind in (("arr", "%p_array"), ("p", "%uint"), ("q", "%uint"))),
            f"%first{number} = OpLabel",
            *(line.replace("%arr ", f"%arr{number} ") for line in self.lines),
            f"OpReturnValue {text}", "OpFunctionEnd",
        ]  # fmt: skip
        self.in_function = False

        def call(env: Env, p: int, q: int) -> int:
            try:
                for each in steps:
                    each(env)
            except Leave as leave:
                return leave.value
            found: int = value(env)
            return found

        self.called.append(call)

    def _start(self) -> None:
        """Initialise the variables."""
        self.lines = []
        for name, kind in self._readable():
            text, value = self._constant(kind)
            self.lines.append(f"OpStore %var_{name} {text}")
            self.steps.append(lambda env, name=name, value=value: env.__setitem__(name, value(env)))  # type: ignore[misc]

    def _stored(self) -> str:
        """Return the id of a word that depends on all variables."""
        found = "%x"
        for name, kind in self._readable():
            text = self._put(f"OpLoad {TYPES[kind]} %var_{name}")
            if kind in "if":
                text = self._put(f"OpBitcast %uint {text}")
            elif kind != "u":
                text = self._put(f"OpUConvert %uint {text}")
            found = self._put(f"OpIAdd %uint {found} {text}")
        for at in range(SIZE):
            place = self._put(f"OpAccessChain %p_u %arr {self._literal('u', at)}")
            found = self._put(f"OpBitwiseXor %uint {found} {self._put(f'OpLoad %uint {place}')}")
        return found

    def expected(self, words: list[int]) -> list[int]:
        """Return the word that each lane stores."""
        return [self._lane(word) for word in words]

    def _lane(self, word: int) -> int:
        env: Env = {"x": word, "arr": [0] * SIZE, "vec": [np.float32(0)] * 4}
        for each in (*self.steps, *self.body):
            each(env)
        found = word
        for name, kind in self._readable():
            value = env[name]
            if kind == "f":
                bits = int(np.float32(value).view(np.uint32))
                value = 0x7FC0_0000 if np.isnan(value) else bits
            found = _cut("u", found + value)
        for each in env["arr"]:
            found ^= each
        return found


def _shown(kind: str, value: int) -> str:
    return str(value / 4) if kind == "f" else str(value)
