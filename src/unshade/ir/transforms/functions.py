"""Inline lowering of function calls.

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

A body is lowered once for each call. A return leaves the block of the call, through the loops and
switches in it; lanes that return early wait at its end, so that all reconverge after the call.

    by value        the body uses the value itself
    by reference    it uses the caller's variable or memory
    in and out      a variable of the call is set before the body, and read after it

Each call has its own variables and memories, even if one function is called twice on one path; they
keep their contents when lanes reach the same call again.

In a graph of blocks a return is `cfg.ExitGraph(frame.block)`.

Nested calls multiply the size of the code, so lowered instructions are counted: `spend` enforces a
limit that depends on the size of the program.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from ...errors import UnsupportedError
from ..builder import Builder
from ..kernel import Block, Value, walk
from ..locations import Call, SourceLocation
from ..memory import Memory, Space, Var
from ..types import Type
from ..unique_names import UniqueNames

__all__ = ["DEEPEST", "MOST", "CallFrame", "Calls"]

DEEPEST = 32  # nested calls
MOST = 1 << 16  # instructions beyond the instructions of the program


class Calls:
    """The calls in a kernel under construction; `instructions` is the size of the program."""

    def __init__(self, builder: Builder, instructions: int = 0, deepest: int = DEEPEST) -> None:
        self.builder = builder
        self.deepest = deepest
        self.frames: list[CallFrame] = []  # the open calls, the innermost last
        self.allowed = MOST + instructions
        self.spent = 0
        kernel = builder.kernel
        self.variables = builder.names
        self.memories = UniqueNames(
            kernel.memories, kernel.textures, kernel.samplers, kernel.inputs, kernel.outputs
        )

    def spend(self, instructions: int = 1) -> None:
        """Count lowered instructions; raise UnsupportedError above the limit."""
        self.spent += instructions
        if self.spent > self.allowed:
            raise UnsupportedError(f"more than {self.allowed} instructions after inlining")

    @contextmanager
    def enter(
        self, name: str, *results: Type, key: Hashable | None = None
    ) -> Iterator["CallFrame"]:
        """Open a call: statements appended in the context are the body of the function.

        Args:
            name: name of the function.
            results: types of its results.
            key: identifies the function; the name by default.

        Raises:
            UnsupportedError: if the function calls itself or calls are nested too deeply.
        """
        key = name if key is None else key
        if any(each.key == key for each in self.frames):
            raise UnsupportedError(f"{name} calls itself")
        if len(self.frames) >= self.deepest:
            raise UnsupportedError(f"{name}: calls are nested more than {self.deepest} deep")
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
    """An open call: the block that its returns leave, and its variables and memories.

    `call` is the call site, for the locations of its statements.
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
        name = calls.variables.unique(f"{self.name}.{name}")
        return calls.builder.var(name, type, internal=internal)

    def memory(self, name: str, stride: int, count: int, *, internal: bool = False) -> Memory:
        """Return a new local memory."""
        calls = self.calls
        name = calls.memories.unique(f"{self.name}.{name}")
        return calls.builder.memory(name, Space.LOCAL, stride, count, internal=internal)

    def leave(self, *values: Value) -> None:
        """Append a return with the results of the function."""
        b = self.calls.builder
        for var, value in zip(self.results, values, strict=True):
            b.set(var, value)
        b.exit(self.block)
