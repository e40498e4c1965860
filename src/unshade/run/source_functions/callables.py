"""The functions of one source, found by name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compilers import compiled_shader, declared_functions, read_job
from ...compilers.jobs import Job
from ...compilers.signatures import DeclaredFunction, DeclaredType
from ...errors import UsageError, did_you_mean
from ...files import Path
from ...isa.source import Source
from ...limits import DEFAULT, Limits
from ...vm.launch import Array
from ...vocab.words import Stage
from ..binding.numbers import as_array
from ..stages.functions import dtype_of_parameter, in_memory_order
from . import wrapper
from .choice import CalledOverload, chosen_call

if TYPE_CHECKING:
    from ...vm.lockstep.debug import Coverage
    from ..debugging.debugger import Debugger
    from ..kernels import Kernel
    from ..runner import Runner

__all__ = ["ShaderFunction", "ShaderFunctions", "functions"]


def functions(
    source: Path | Source,
    *,
    bindings: Mapping[str, Any] | None = None,
    language: str | None = None,
    defines: Mapping[str, object] | None = None,
    include: Sequence[Path] = (),
    compiler: str | None = None,
    options: Sequence[str] = (),
    engine: str = "auto",
    fast: bool = False,
    limits: Limits = DEFAULT,
) -> "ShaderFunctions":
    """Return the functions of a source as callables over NumPy arrays.

    Args:
        source: A path, a text or a `Source`, as in `unshade.compile`.
        bindings: Values of the source's textures, samplers, buffers and constants, by name, as in
            calls of a kernel.
        language: `hlsl`, `slang` or `glsl`; by default the suffix decides.
        defines: Macros and their values; True defines one without a value.
        include: Folders that includes may be read from, beside the source's own.
        compiler: The name of a compiler that describes functions; by default Slang.
        options: Further arguments for the compiler.
        engine: `lockstep`, `jit` or `auto`, as in `unshade.kernel`.
        fast: As in `unshade.kernel`.
        limits: Bounds on the compiler's time and memory.

    Raises:
        CompileError: The source is invalid: all messages, each with file, line and column.
        UnsupportedError: Slang, NumPy or llvmlite is not installed.
    """
    job = read_job(
        source, language=language, defines=defines, include=include, options=options, limits=limits
    )
    return ShaderFunctions(job, compiler, engine, fast, dict(bindings or {}))


class ShaderFunctions(Mapping[str, "ShaderFunction"]):
    """The functions of a source, as attributes and as a mapping; names contain namespaces."""

    def __init__(
        self, job: Job, compiler: str | None, engine: str, fast: bool, bindings: dict[str, Any]
    ) -> None:
        self.bindings = bindings
        self._job = job
        self._compiler = compiler
        self._engine = engine, fast
        named: dict[str, list[DeclaredFunction]] = {}
        for each in declared_functions(job, compiler):
            named.setdefault(each.name, []).append(each)
        self._functions = {
            name: ShaderFunction(self, tuple(overloads)) for name, overloads in named.items()
        }
        self._kernels: dict[tuple[DeclaredFunction, int], Kernel] = {}

    def __getitem__(self, name: str) -> "ShaderFunction":
        if name in self._functions:
            return self._functions[name]
        raise UsageError(f"no function {name!r:.60}{did_you_mean(name, self._functions)}")

    def __getattr__(self, name: str) -> "ShaderFunction":
        try:
            return self._functions[name]
        except KeyError:
            hint = did_you_mean(name, self._functions)
            raise AttributeError(f"no function {name!r:.60}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(each for each in self._functions if each.isidentifier())]

    def __repr__(self) -> str:
        return f"<ShaderFunctions {', '.join(self._functions)}>"

    def kernel(self, call: CalledOverload) -> "Kernel":
        """Return the kernel that calls a function with these of its parameters."""
        key = call.function, len(call.values)
        if key not in self._kernels:
            from .. import kernel

            text = self._job.text + wrapper.wrapper(call.function, call.given)
            job = self._job._replace(
                text=text,
                entries=((wrapper.ENTRY, Stage.COMPUTE),),
                options=(*self._job.options, *wrapper.OPTIONS),
            )
            shader = compiled_shader(job, self._compiler)
            engine, fast = self._engine
            made = kernel(shader, entry=wrapper.ENTRY, engine=engine, fast=fast)
            made.title = call.function.name
            self._kernels[key] = made
        return self._kernels[key]


class ShaderFunction:
    """A function, with all its overloads; see `functions`.

    Calling it returns the result, or a tuple of the result and the parameters that the function
    writes, in the order of the declaration. Values have the shape to which the arguments are
    broadcast, followed by that of the type: `float2` adds an axis of 2, `float2x3` axes of 2 and 3,
    an array its length. Structures are structured arrays, or dicts of members as arguments.
    """

    def __init__(self, owner: ShaderFunctions, overloads: tuple[DeclaredFunction, ...]) -> None:
        self._owner = owner
        self.overloads = overloads

    @property
    def name(self) -> str:
        """The name, with namespaces."""
        return self.overloads[0].name

    def __repr__(self) -> str:
        return "\n".join(map(str, self.overloads))

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function for each element of the arguments' common shape."""
        call = chosen_call(self.overloads, args, named)
        return self._called(call, self._owner.kernel(call))

    def debug(self, lane: int, /, *args: Any, **named: Any) -> "Debugger":
        """Call the function in lockstep; return the debugger with the trace of one element.

        Args:
            lane: The element, by its number in the order of the broadcast arguments.
            args: Arguments, as in a call.
            named: More arguments, by name.
        """
        call = chosen_call(self.overloads, args, named)
        debugger = self._owner.kernel(call).debug((lane, 0, 0))
        self._called(call, debugger)
        return debugger

    def coverage(self, *args: Any, **named: Any) -> "Coverage":
        """Call the function in lockstep; return how many elements ran each line."""
        from ...vm.lockstep.debug import Coverage

        call = chosen_call(self.overloads, args, named)
        counts = Coverage()
        debugger = self._owner.kernel(call).debug(checks=False, coverage=counts)
        self._called(call, debugger)
        return counts

    def image(self, size: int | tuple[int, int], /, *args: Any, **named: Any) -> Array:
        """Call a function of a position for each pixel of a picture.

        Args:
            size: Width and height, or one number for both.
            args: The arguments after the position.
            named: More arguments, by name.

        Returns:
            The result, (height, width, …). Positions go from 0 to 1, at the centres of pixels, to
            the right and down.
        """
        width, height = (size, size) if isinstance(size, int) else size
        x = (np.arange(width, dtype=np.float32) + np.float32(0.5)) / np.float32(width)
        y = (np.arange(height, dtype=np.float32) + np.float32(0.5)) / np.float32(height)
        places = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)
        found = self(places, *args, **named)
        return as_array(found[0] if isinstance(found, tuple) else found, self.name)

    def _called(self, call: CalledOverload, kernel: "Runner") -> Any:
        """Run a call; return its result, or the results in order."""
        count = int(np.prod(call.batch, dtype=np.int64))
        bound: dict[str, Any] = {wrapper.CONSTANTS: {wrapper.COUNT: count}}
        written: list[tuple[str, DeclaredType]] = []
        if call.function.result is not None:
            written.append((wrapper.RESULT, call.function.result))
        for at, each in enumerate(call.function.parameters):
            if at in call.values:
                array = np.broadcast_to(call.values[at], (*call.batch, *each.type.shape))
                bound[wrapper.input_name(at)] = _memory(each.type, array, count)
            if each.written:
                written.append((wrapper.output_name(at), each.type))
        bound |= {name: np.zeros(count * _size(type), np.uint8) for name, type in written}
        if count:
            # The compiler leaves out what the function does not use.
            known = {name for each in kernel.bindings for name in each.called}
            given = {**self._owner.bindings, **bound}
            given = {name: value for name, value in given.items() if name in known}
            groups = -(-count // wrapper.THREADS)
            bound |= dict(kernel.dispatch((groups, 1, 1), **given))
        values = tuple(_value(type, bound[name], call.batch) for name, type in written)
        return values[0] if len(values) == 1 else values or None


def _dtype(type: DeclaredType) -> np.dtype[Any]:
    """Return the dtype of an element of a buffer; a bool is a uint there."""
    if type.scalar == "bool":
        return np.dtype((np.uint32, type.shape)) if type.shape else np.dtype(np.uint32)
    return np.dtype(dtype_of_parameter(wrapper.layout_of(type)))


def _size(type: DeclaredType) -> int:
    return _dtype(type).itemsize


def _memory(type: DeclaredType, array: Array, count: int) -> Array:
    """Return the bytes of arguments, in the order of the batch."""
    made = np.zeros(count, _dtype(type))
    made[...] = in_memory_order(wrapper.layout_of(type), array).reshape(made.shape)
    return made.reshape(-1).view(np.uint8)


def _value(type: DeclaredType, memory: Array, batch: tuple[int, ...]) -> Any:
    """Return results from the memory of a buffer."""
    dtype = _dtype(type)
    rows = np.ascontiguousarray(memory).reshape(-1).view(np.uint8)
    found = rows.view(dtype.base).reshape((*batch, *dtype.shape))
    found = in_memory_order(wrapper.layout_of(type), found)
    if type.scalar == "bool":
        found = found != 0
    return found[()] if not found.shape else found
