"""Functions in place of their calls.

    calls = Calls(b)
    with calls.enter("f", F32) as frame:      set @f.x, %given
        x = frame.variable("x", F32)          block $0 {
        …                                       if %small {
        with b.when(small):                       set @f.result, f32 0.0
            frame.leave(b.f32(0.0))               exit $0
        …                                       }
    found = b.get(frame.results[0])             …
                                              }
                                              %found = get @f.result

A body is lowered once for each of its calls. A return leaves the block of the call, through the
loops and switches in it; lanes that return early wait at its end, so that all meet behind the call.

    by value        the body uses the value as it is
    by reference    it uses the caller's variable or memory
    in and out      a variable of the call is set before the body, and read behind it

Variables and memories of a call belong to it alone, also where a function is called by what it
calls twice; lanes that come to the same call again find in them what they left there.

In a graph of blocks a return is `cfg.End(frame.block)`.

Functions that call others several times grow with every level, so what is lowered is counted:
`spend` refuses more than a program of its size may be worth.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from ..errors import UnsupportedError
from .builder import Builder
from .kernel import Block, Value, walk
from .locations import Call, SourceLocation
from .memory import Memory, Space, Var
from .types import Type
from .unique_names import UniqueNames

__all__ = ["DEEPEST", "MOST", "CallFrame", "Calls"]

DEEPEST = 32  # calls inside calls
MOST = 1 << 16  # instructions more than the program has


class Calls:
    """The calls of one kernel while it is made; `instructions` is the size of the program."""

    def __init__(self, builder: Builder, instructions: int = 0, deepest: int = DEEPEST) -> None:
        self.builder = builder
        self.deepest = deepest
        self.frames: list[CallFrame] = []  # the calls that the builder is in, the innermost last
        self.allowed = MOST + instructions
        self.spent = 0
        kernel = builder.kernel
        self.variables = UniqueNames(kernel.variables)
        self.memories = UniqueNames(
            kernel.memories, kernel.textures, kernel.samplers, kernel.inputs, kernel.outputs
        )

    def spend(self, instructions: int = 1) -> None:
        """Count what is lowered; UnsupportedError where it is too much."""
        self.spent += instructions
        if self.spent > self.allowed:
            raise UnsupportedError(
                f"more than {self.allowed} instructions once functions stand in place"
            )

    @contextmanager
    def enter(
        self, name: str, *results: Type, key: Hashable | None = None
    ) -> Iterator["CallFrame"]:
        """What is appended meanwhile is the body of a function; UnsupportedError if it is open.

        `key` tells functions apart whose names do not.
        """
        key = name if key is None else key
        if any(each.key == key for each in self.frames):
            raise UnsupportedError(f"{name} calls itself")
        if len(self.frames) >= self.deepest:
            raise UnsupportedError(f"{name}: calls lie more than {self.deepest} deep")
        b = self.builder
        frame = CallFrame(self, name, key, results)
        self.frames.append(frame)
        location, b.location = b.location, SourceLocation(function=name, call=frame.call)
        with b.within(frame.block.body):
            yield frame
        b.location = location
        self.frames.pop()
        body = frame.block.body
        left = any(value.attr is frame.block for value in walk(body))
        b.region += [frame.block] if left else body


class CallFrame:
    """One call: the block that its returns leave, and what belongs to it; `call` is for the
    locations of its statements.
    """

    def __init__(self, calls: Calls, name: str, key: Hashable, results: tuple[Type, ...]) -> None:
        self.calls = calls
        self.name = name
        self.key = key
        b = calls.builder
        self.block = Block(line=b.line, location=b.location)
        self.call = Call(b.line, b.location)
        self.results = [self.variable("result", type, internal=True) for type in results]

    def variable(self, name: str, type: Type, *, internal: bool = False) -> Var:
        """Return a new variable."""
        calls = self.calls
        name = calls.variables.apart(f"{self.name}.{name}")
        return calls.builder.var(name, type, internal=internal)

    def memory(self, name: str, stride: int, count: int, *, internal: bool = False) -> Memory:
        """Return a new memory of each lane."""
        calls = self.calls
        name = calls.memories.apart(f"{self.name}.{name}")
        return calls.builder.memory(name, Space.LOCAL, stride, count, internal=internal)

    def leave(self, *values: Value) -> None:
        """Return from the function with its results."""
        b = self.calls.builder
        for var, value in zip(self.results, values, strict=True):
            b.set(var, value)
        b.exit(self.block)
