"""Lowering of PICA200 code to `ir`, which `vm` runs.

    lower(program, entry, specialisation) -> Lowered(kernel, resources, …)

Each operation records the number of its line in the listing of the program. Arithmetic uses 32-bit
floats, as in emulators, or with `precision="float24"` the format of the hardware.
"""

from ....errors import UnsupportedError
from ....garbage_collection import uncollected
from ....ir.kernel import DEEPEST, KernelIR, height
from ....ir.locations import SourceLocation
from ....ir.lowered import Lowered
from ....ir.specialisation import Specialisation
from ....ir.types import KEEP
from ....vocab.words import Stage
from ..code import Code, Entry
from ..instruction import Instruction
from ..text import listing
from .arithmetic import lower_arithmetic
from .flow import Flow
from .geometry import TRIANGLES, GeometryLowering
from .jumps import too_deep
from .precision import PRECISIONS
from .registers import Registers

__all__ = ["lower"]

TURNS = 256  # maximum of iterations of a loop


@uncollected
def lower(program: Code, entry: Entry, specialisation: Specialisation) -> Lowered:
    """Lower one shader of a program to a kernel; UnsupportedError if it cannot be run.

    A shader that emits vertices is a geometry shader, whatever its container declares: old
    assemblers did not distinguish the two.
    """
    return _Lowering(program, entry, specialisation).lower()


class _Lowering:
    def __init__(self, program: Code, entry: Entry, specialisation: Specialisation) -> None:
        self.entry = entry
        self.specialisation = specialisation
        self.kernel = KernelIR(entry.name, flush=KEEP)
        self.registers = Registers(self.kernel, PRECISIONS[specialisation.precision])
        self.flow = Flow(self.registers, program, self._one)
        self.text, self.flow.lines, self.flow.names = listing(program)
        self.registers.builder.location = SourceLocation(function=entry.name)
        self.geometry: GeometryLowering | None = None
        self.emits: dict[tuple[int, int], int] = {}

    def lower(self) -> Lowered:
        main = self.entry.main
        words = self.flow.reached(main)
        code = [self.flow.code[at] for at in sorted(words)]
        self.kernel.stage = Stage.VERTEX
        if self.entry.stage == "geometry" or any(each.name == "emit" for each in code):
            self.kernel.stage = Stage.GEOMETRY
            emits = self._emits(main, len(self.flow.code) + 1)
            self.geometry = GeometryLowering(self.registers, code, emits)
            self.geometry.prepare()
        self.flow.run(main, len(self.flow.code) + 1)
        if height(self.kernel.body) > DEEPEST:
            raise too_deep()
        # 3dbrew, GPU/Fixed Pipeline: primitives are clipped to -w <= z <= 0.
        found = Lowered(self.kernel, self.registers.resources, self.text, least_depth=-1)
        found.specialisation = self.specialisation
        if self.geometry is not None:
            found.points = [self.geometry.inputs, self.geometry.stream]
        return found

    def _one(self, instruction: Instruction) -> None:
        if lower_arithmetic(self.registers, instruction):
            return
        if self.geometry is None or not self.geometry.lower(instruction):
            raise UnsupportedError(f"{instruction.name} cannot be run yet")

    def _emits(self, start: int, stop: int, depth: int = 0) -> int:
        """Return how often a level may emit, up to `TRIANGLES`.

        Code with a level inside itself, or deeper levels than the hardware has, is refused later.
        """
        known = self.emits.get((start, stop))
        if known is None:
            self.emits[start, stop] = TRIANGLES
            if depth > DEEPEST:
                return TRIANGLES
            known = self.emits[start, stop] = self._count(start, stop, depth + 1)
        return known

    def _count(self, start: int, stop: int, depth: int) -> int:
        total = 0
        flow = self.flow
        for at in flow.level(start, min(stop, len(flow.code))):
            if at not in flow.words:
                continue
            instruction = flow.code[at]
            block = flow.blocks.get(at)
            if instruction.name == "emit":
                total += 1
            elif block is not None:
                inner = self._emits(block.start, block.middle, depth)
                total += inner * (TURNS if block.is_loop else 1)
            elif instruction.name.startswith("call"):
                target = instruction.target
                total += self._emits(target, target + instruction.length, depth)
            else:
                target = flow.found.jumps.get(at, at + 1)
                if target < start or (target <= at and total):
                    total = TRIANGLES
            if total >= TRIANGLES:
                return TRIANGLES
        return total
