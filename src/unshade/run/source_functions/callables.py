"""The functions of one source or compiled shader, found by name."""

import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ... import api
from ...compilers import compile, declared_functions, is_source, read_job
from ...compilers.registry import chosen
from ...errors import UsageError, did_you_mean
from ...files import Path
from ...isa.source import Source
from ...limits import DEFAULT, Limits
from ...shader import Shader
from ...vm.launch import Array
from ..binding.numbers import as_array
from .calls import FunctionKernel, called
from .choice import CalledOverload, chosen_call
from .compiled import SourceOrigin
from .overloads import Overload
from .plans import CallPlan, signature_of
from .programs import ProgramOrigin

if TYPE_CHECKING:
    from ...vm.lockstep.debug import Coverage
    from ..debugging.debugger import Debugger
    from ..kernels import Kernel

__all__ = ["ShaderFunction", "ShaderFunctions", "functions"]


MOST_PLANS = 256  # of a function: kinds of arguments


def functions(
    source: "Path | Source | Shader",
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
    **specialisation: Any,
) -> "ShaderFunctions":
    """Return the functions of a source or of a compiled shader as callables over NumPy arrays.

    The functions of a compiled shader are those that its code still has: of a SPIR-V module all
    that are not entry points, by name or by id, of DXIL those that a library exports and those
    that were not inlined. No compiler takes part.

    Args:
        source: A path, a text or a `Source`, as in `unshade.compile`; or a shader, or the path of
            one.
        bindings: Values of the source's textures, samplers, buffers and constants, by name, as in
            calls of a kernel.
        language: `hlsl`, `slang`, `glsl` or another language of a source; by default the suffix
            decides.
        defines: Macros and their values; True defines one without a value.
        include: Folders that includes may be read from, beside the source's own.
        compiler: The name of a compiler. Slang, the default, describes the functions of a source;
            for other compilers, the functions of the compiled shader are returned.
        options: Further arguments for the compiler.
        engine: `lockstep`, `jit` or `auto`, as in `unshade.kernel`.
        fast: As in `unshade.kernel`.
        limits: Bounds on the compiler's time and memory.
        specialisation: As in `unshade.kernel`: `constants`, `lengths`, …

    Raises:
        CompileError: The source is invalid: all messages, each with file, line and column.
        FormatError: The shader is malformed.
        UnsupportedError: Slang, NumPy or llvmlite is not installed.
    """
    asked = {"engine": engine, "fast": fast, **specialisation}
    given = dict(bindings or {})
    shader = _opened(source, language, limits)
    if shader is not None:
        return ShaderFunctions(ProgramOrigin(shader, asked), given)
    assert not isinstance(source, Shader)
    job = read_job(
        source, language=language, defines=defines, include=include, options=options, limits=limits
    )
    if getattr(chosen(job.language, compiler), "functions", None) is not None:
        return ShaderFunctions(SourceOrigin(job, compiler, asked), given)
    try:
        shader = compile(
            source, language=language, defines=defines, include=include, compiler=compiler,
            options=options, limits=limits,
        )  # fmt: skip
    except UsageError:  # no entry point, so that there is no shader
        declared_functions(job, compiler)  # raises the error
        raise
    return ShaderFunctions(ProgramOrigin(shader, asked), given)


def _opened(source: object, language: str | None, limits: Limits) -> Shader | None:
    """Return the shader that is given, or that a path leads to; None for a source."""
    if isinstance(source, Shader):
        return source
    if language is not None or not isinstance(source, str | os.PathLike):
        return None
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return None
    if is_source(os.fsdecode(source), "#version"):  # shared suffixes: read_job looks for it
        return None
    return api.open(source, limits=limits)


class FunctionOrigin(Protocol):
    """A source or a shader whose functions are called."""

    @property
    def names(self) -> list[str]:
        """The names of the functions."""

    def overloads(self, name: str) -> tuple[Overload, ...]:
        """Return the overloads of a function."""

    def kernel(self, call: CalledOverload) -> FunctionKernel:
        """Return the kernel that calls a function with these of its parameters."""


class ShaderFunctions(Mapping[str, "ShaderFunction"]):
    """The functions of a source or shader, as attributes and as a mapping.

    Names contain namespaces. `bindings` are the values of resources, which may be changed.
    """

    def __init__(self, origin: FunctionOrigin, bindings: dict[str, Any]) -> None:
        self.bindings = bindings
        self._origin = origin
        self._functions = {name: ShaderFunction(self, name) for name in origin.names}
        self._kernels: dict[tuple[Overload, tuple[int, ...]], FunctionKernel] = {}

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

    def _overloads(self, name: str) -> tuple[Overload, ...]:
        return self._origin.overloads(name)

    def kernel(self, call: CalledOverload) -> "Kernel":
        """Return the kernel that calls a function with these of its parameters."""
        return self._function_kernel(call).kernel

    def _function_kernel(self, call: CalledOverload) -> FunctionKernel:
        key = call.overload, tuple(call.values)
        if key not in self._kernels:
            self._kernels[key] = self._origin.kernel(call)
        return self._kernels[key]


class ShaderFunction:
    """A function, with all its overloads; see `functions`.

    Calling it returns the result, or a tuple of the result and the parameters that the function
    writes, in the order of the declaration. Values have the shape to which the arguments are
    broadcast, followed by the shape of the type: `float2` adds an axis of 2, `float2x3` axes of 2
    and 3, an array its length. Structures are structured arrays, or dicts of members as arguments.
    """

    def __init__(self, owner: ShaderFunctions, name: str) -> None:
        self._owner = owner
        self.name = name
        self._plans: dict[Hashable, CallPlan] = {}

    @cached_property
    def overloads(self) -> tuple[Overload, ...]:
        """The overloads, whose text is their declaration."""
        return self._owner._overloads(self.name)

    @cached_property
    def _resources(self) -> dict[int, str]:
        """The names of parameters that are resources, by their places among the arguments."""
        for overload in self.overloads:
            if overload.resources and overload.whole is not None:
                return {
                    sum(each.read for each in overload.whole.parameters[:at]): parameter.name
                    for at, parameter in overload.resources
                }
        return {}

    def __repr__(self) -> str:
        return "\n".join(map(str, self.overloads))

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function for each element of the arguments' common shape."""
        args, named, bindings = self._bound(args, named)
        key = signature_of(args, named)
        plan = self._plans.get(key)
        if plan is not None:
            found = plan.run(args, named, bindings)
            if found is not None:
                return found[0]
        call = chosen_call(self.overloads, args, named)
        function = self._owner._function_kernel(call)
        if key is not None and plan is None and len(self._plans) < MOST_PLANS:
            self._plans[key] = CallPlan(function, call, args, named)
        return called(function, function.kernel, call, bindings)

    def _bound(
        self, args: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], Mapping[str, Any]]:
        """Return the arguments without resources, and the bindings with these."""
        bindings, places = self._owner.bindings, self._resources
        if not places:
            return args, named, bindings
        by_place = {places[at]: value for at, value in enumerate(args) if at in places}
        by_name = {name: named[name] for name in places.values() if name in named}
        if twice := by_place.keys() & by_name.keys():
            raise UsageError(f"{self.name}: parameter {min(twice)} is given twice")
        others = tuple(value for at, value in enumerate(args) if at not in places)
        rest = {name: value for name, value in named.items() if name not in by_name}
        return others, rest, {**bindings, **by_place, **by_name}

    def debug(self, lane: int, /, *args: Any, **named: Any) -> "Debugger":
        """Call the function in lockstep; return the debugger with the trace of one element.

        Args:
            lane: The element, by its number in the order of the broadcast arguments.
            args: Arguments, as in a call.
            named: More arguments, by name.
        """
        args, named, bindings = self._bound(args, named)
        call = chosen_call(self.overloads, args, named)
        function = self._owner._function_kernel(call)
        thread = (lane,) if function.count is None else (lane, 0, 0)
        debugger = function.kernel.debug(thread)
        called(function, debugger, call, bindings)
        return debugger

    def coverage(self, *args: Any, **named: Any) -> "Coverage":
        """Call the function in lockstep; return how many elements ran each line."""
        from ...vm.lockstep.debug import Coverage

        args, named, bindings = self._bound(args, named)
        call = chosen_call(self.overloads, args, named)
        function = self._owner._function_kernel(call)
        counts = Coverage()
        debugger = function.kernel.debug(checks=False, coverage=counts)
        called(function, debugger, call, bindings)
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
