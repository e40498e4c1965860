"""A program that an engine can execute.

    arguments ── code prepared for their textures, samplers and children ── engine ── report

Code is prepared once for each combination of the kinds of what is bound, and comes from the cache
if that has it (stored.py). A call of the engine adds to the report.
"""

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, NoReturn, Self

import numpy as np

from ..errors import BudgetError, UsageError
from ..ir.children import Child, expand
from ..ir.kernel import KernelIR as Code
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Lowered
from ..ir.specialisation import Specialisation
from ..model import Reflection
from ..vm.launch import BUDGET, Launch, Report
from ..vm.prepare import prepare
from ..vocab.slots import Exchange
from . import engines
from .binding.arguments import Arguments
from .binding.children import Bindings as Bound
from .binding.children import joined
from .binding.typical import typical
from .interface import ShaderInterface
from .stages.groups import group_counts
from .stages.lanes import Lanes, thread_name
from .stored import StoredProgram

States = tuple[
    Specialisation,
    tuple[tuple[Hashable, TextureState], ...],
    tuple[tuple[Hashable, SamplerState], ...],
    tuple[tuple[Hashable, Child], ...],
]


class Executable(ShaderInterface):
    """A program and the engine that executes it; `Runner` describes its attributes."""

    def __init__(
        self,
        lowered: Lowered | None,
        reflection: Reflection | None,
        engine: engines.Engine,
        stored: StoredProgram | None = None,
    ) -> None:
        """`lowered` may be None if the program is `stored`."""
        super().__init__(lowered, reflection, stored)
        self.report = Report(engine.name)
        self.budget = BUDGET
        self.title = ""
        self.described: Callable[[], Lowered] = lambda: self.lowered
        self.progress: Callable[[int, int], None] | None = None
        self._engine = engine
        self._prepared: dict[States, tuple[Code, Callable[[], Lowered]]] = {}
        self._listed: Callable[[], Lowered] = lambda: self.lowered

    def __copy__(self) -> Self:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __reduce__(self) -> NoReturn:
        raise UsageError(
            "a kernel cannot be pickled: pickle the bytes of its shader, and make a kernel of them"
            " by unshade.kernel(unshade.loads(data)); its machine code is in the cache"
        )

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self._engine.name

    @property
    def listing(self) -> list[str]:
        """The lines that reports and traces refer to, from line 1.

        After a call they include the listings of the children that were bound for it.
        """
        return self._listed().lines

    def __repr__(self) -> str:
        names = ", ".join(each.where for each in self.bindings)
        return f"<Kernel: {self.stage}, {self.engine}, binds {names or 'nothing'}>"

    @property
    def ir(self) -> str:
        """The program as engines run it, as text: the form may change with any version."""
        from ..ir.text.printing import print_kernel

        return print_kernel(self.lowered.kernel)

    def compile(
        self,
        bound: Bound = None,
        /,
        *,
        groups: int | tuple[int, ...] | None = None,
        **bindings: Any,
    ) -> None:
        """Compile the program now instead of in the first call, and put it into the cache.

        Code depends on the kinds of textures, samplers and children, not on any numbers. What is
        not given is of the usual kind: a texture of 32-bit components without smaller levels, a
        linear sampler. Engines that do not compile do nothing.

        Args:
            bound: Bindings by name or slot, as in the calls to come.
            groups: Thread groups, as in the calls to come: for those along one axis there is code
                of its own. By default they have the axes that a group has.
            bindings: More bindings, by name.

        Raises:
            UnsupportedError: The engine is `jit`, and cannot compile the program.
        """
        code = self.code(Arguments(self.bindings, typical(self.bindings, joined(bound, bindings))))
        flat = group_counts(self.group if groups is None else groups)[1:] == (1, 1)
        engines.compile_now(self._engine, code, flat, True)

    def launch(self, arguments: Arguments, launch: Launch, lanes: Lanes) -> Report:
        """Run the kernel prepared for these arguments, and add to `report`."""
        code = self.code(arguments)
        if any(memory.key is Exchange.SAMPLE_COUNT for memory in code.memories):
            word = np.array([self.samples], "<u4").view(np.uint8)
            launch.memories = {**launch.memories, Exchange.SAMPLE_COUNT: word}
        undefined = np.zeros(1, "<u4")
        if any(memory.key is Exchange.UNDEFINED for memory in code.memories):
            counter = undefined.view(np.uint8)
            launch.memories = {**launch.memories, Exchange.UNDEFINED: counter}
        try:
            report = self._run(code, launch, lanes)
        except BudgetError as error:
            if error.lane >= 0:
                error.where += f" for thread {thread_name(lanes.thread(error.lane))}"
            raise
        total = self.report
        total.lanes += report.lanes
        total.discarded += report.discarded
        total.undefined += int(undefined[0])
        for name, count in report.out_of_bounds.items():
            total.out_of_bounds[name] = total.out_of_bounds.get(name, 0) + count
        return total

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        return self._engine.run(code, launch)

    def code(self, arguments: Arguments) -> Code:
        """Return the kernel prepared for the textures, samplers and children of a call."""
        textures, samplers = tuple(arguments.textures.items()), tuple(arguments.samplers.items())
        children = tuple(arguments.children.items())
        states = self.declared.specialisation, textures, samplers, children
        found = self._prepared.get(states)
        if found is None:

            @cache
            def whole() -> Lowered:
                return expand(self.lowered, dict(children))

            def make() -> Code:
                return prepare(whole(), dict(textures), dict(samplers), simplified=self._simplified)

            if self.stored is None or children:
                code = make()
            else:
                code = self.stored.code(textures, samplers, make, self._store)
            found = self._prepared[states] = code, whole
        code, self._listed = found
        return code

    _simplified = True

    def _store(self) -> None:
        """Store the program, now that some of its code is stored."""
        if self.stored is not None and self.stored.declared is None:
            self.stored.store(self.lowered, self.bindings, self.reflection)
