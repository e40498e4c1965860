"""What each pass costs that a program goes through until it can run, and each call on its shader.

    costs(shader, time.process_time)      {"lower": 0.031, "number_values": 0.002, …}

The cost of a pass excludes that of another pass which it calls. The machine code itself is not
made: how long LLVM takes for a text is not up to us.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any
from unittest import mock

import unshade
from unshade import Shader, UnshadeError
from unshade.ir.library.sampling import SamplerState, TextureState
from unshade.ir.specialisation import Specialisation
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout
from unshade.vm.jit.loop_exits import split_loop_exits
from unshade.vm.jit.processor import processor
from unshade.vm.jit.tuning import width_of
from unshade.vm.lockstep.compile import compile_kernel
from unshade.vm.prepare import prepare

__all__ = ["costs"]

Clock = Callable[[], float]

# Functions by the module that calls them.
WATCHED = {
    "unshade.vm.prepare": ["copied_kernel", "simplify", "canonicalise"],
    "unshade.ir.simplify": [
        "number_values", "remove_dead_code", "flatten", "hoist", "split_variables",
        "retype_variables", "merge_copies", "coalesce",
    ],
    "unshade.ir.library.sampling": ["expand"],
    "unshade.ir.library.formats": ["expand"],
    "unshade.ir.library.maths": ["expand"],
    "unshade.ir.transforms.flush": ["expand"],
    "unshade.vm.jit.engine": [
        "check_convergence", "spill_values", "kernel_facts", "module_text", "level_of", "meter_of",
    ],
    "unshade.vm.jit.codegen.kernel_facts": ["uniformity"],
    "unshade.vm.jit.segments": ["uniformity"],
    "unshade.ir.analysis.uniformity": ["liveness"],
    "unshade.vm.lockstep.compile": ["loop_strips"],
}  # fmt: skip

CALLS: dict[str, Callable[[Shader], object]] = {
    "to_bytes": lambda shader: shader.to_bytes(),
    "to_data": lambda shader: shader.to_data(),
    "from_data": lambda shader: type(shader).from_data(shader.to_data()),
    "disassemble": lambda shader: shader.disassemble(),
    "reflect": lambda shader: shader.reflect().to_dict(),
    "verify": lambda shader: shader.verify(),
    "spans": lambda shader: shader.spans(),
    "control_flow": lambda shader: [each.control_flow() for each in shader.programs],
    "diff": lambda shader: unshade.diff(shader, unshade.loads(shader.to_bytes())),
}


class Meter:
    """Costs by name, each without those of the calls inside."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.costs: dict[str, float] = {}
        self._inside: list[float] = []

    def __call__(self, name: str, function: Callable[[], Any]) -> Any:
        """Call a function, and add what it costs."""
        start = self.clock()
        self._inside.append(0)
        try:
            return function()
        finally:
            whole = self.clock() - start
            own = whole - self._inside.pop()
            self.costs[name] = self.costs.get(name, 0) + own
            if self._inside:
                self._inside[-1] += whole

    def of(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose calls are added."""
        return lambda *given, **named: self(name, lambda: function(*given, **named))


@contextmanager
def watched(meter: Meter) -> Iterator[None]:
    """Let a meter see the calls of the watched functions."""
    patches = []
    for where, names in WATCHED.items():
        module = import_module(where)
        for name in names:
            shown = f"{where.rpartition('.')[2]}.{name}" if name == "expand" else name

            patches.append(mock.patch.object(module, name, meter.of(shown, getattr(module, name))))
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


class MachineCodeReached(Exception):
    """The text for LLVM is complete."""


def _unmade(*args: object) -> None:
    raise MachineCodeReached


def costs(
    make: Callable[[], Any], clock: Clock, calls: bool = True
) -> tuple[dict[str, float], str]:
    """Return the costs of all passes over a program, and the message that ended them early."""
    meter = Meter(clock)
    with watched(meter), mock.patch("unshade.vm.jit.engine.compile_text", _unmade):
        try:
            made = meter("assemble", make)
            if calls and isinstance(made, Shader):
                for name, call in CALLS.items():
                    with suppress(UnshadeError):
                        meter(name, lambda: call(made))  # noqa: B023
            _run(meter, made)
        except UnshadeError as error:
            return meter.costs, f"{type(error).__name__}: {error}"
    return meter.costs, ""


def _run(meter: Meter, made: Any) -> None:
    program = made.programs[0] if isinstance(made, Shader) else made
    entry, _ = program.entry_points[0]
    lowered = meter("lower", lambda: program.lower(entry, Specialisation()))
    textures = {each.key: TextureState() for each in lowered.kernel.textures}
    samplers = {each.key: SamplerState() for each in lowered.kernel.samplers}
    kernel = meter("prepare", lambda: prepare(lowered, textures, samplers))
    meter("lockstep", lambda: compile_kernel(kernel))
    code = meter("split_loop_exits", lambda: split_loop_exits(kernel))
    meter("width_of", lambda: width_of(code, processor().bits))
    # A width that size decides would make the text of one of two programs twice as long.
    plan = layout(code, True, True, width_of(code, processor().bits, quick=True))
    with suppress(MachineCodeReached):
        meter("jit", lambda: CompiledKernel(code, plan))
