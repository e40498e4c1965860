"""Shader Model 4 and 5 code as `ir`: what `vm` runs.

    lower(program) -> Lowered(kernel, resources, …)

Compute, pixel and vertex shaders. Each operation carries the number of its line in the native
listing, the profile line being 1.
"""

from collections.abc import Mapping

from ....errors import UnsupportedError
from ....ir.kernel import Kernel
from ....ir.lowered import Lowered
from ....vocab.d3d import ShaderKind
from ..instruction import CUSTOMDATA, Instruction
from ..program import Program
from ..selection import LETTERS
from .arithmetic import lower_components
from .declarations import Declared, arrays, declare
from .flow import Flow, label_of
from .memory import Memories
from .registers import Registers
from .textures import Textures

__all__ = ["lower"]

STAGES = {
    ShaderKind.COMPUTE: "compute",
    ShaderKind.PIXEL: "pixel",
    ShaderKind.VERTEX: "vertex",
}


def lower(program: Program, interfaces: Mapping[int, int] | None = None) -> Lowered:
    """The program as a kernel.

    `interfaces` says for each interface slot (fp#) which function table (ft#) it is bound to; one
    that can have a single table needs no word. UnsupportedError names what cannot be run.
    """
    stage = STAGES.get(program.kind)  # type: ignore[call-overload]
    if stage is None:
        raise UnsupportedError(f"a {program.entry_points[0][1]} shader cannot be run yet")
    return _Lowering(program, stage, interfaces or {}).lower()


class _Lowering:
    def __init__(self, program: Program, stage: str, interfaces: Mapping[int, int]) -> None:
        self.instructions = program.instructions
        self.text = program.disassemble().splitlines()
        self.lines = _lines(program.instructions)
        self.kernel = Kernel("main", stage)
        self.registers = Registers(self.kernel)
        self.declared = Declared()
        self.flow = Flow(self.registers, self._body)
        self.memories = Memories(self.registers, self.declared)
        self.textures = Textures(self.registers, self.declared)
        self.chosen = interfaces
        self.labels: dict[int, int] = {}

    def lower(self) -> Lowered:
        first = len(self.instructions)
        for at, instruction in enumerate(self.instructions):
            row = instruction.op
            if row is None:
                raise UnsupportedError(f"{instruction.name} cannot be run: it is not known")
            if row.name == "label":
                label = label_of(instruction)
                if label is not None:
                    self.labels.setdefault(label, at + 1)
                first = min(first, at)
            elif row.kind == "decl" or row.code == CUSTOMDATA:
                declare(self.registers, self.declared, instruction)
        array = arrays(self.registers, self.instructions)
        b = self.registers.builder
        if array is not None:
            for name, port in self.registers.inputs.items():
                if name[0] == "v" and name[1].isdigit():
                    number, _, letter = name[1:].partition(".")
                    b.store(array, int(number), 4 * LETTERS.index(letter), b.input(port))
        self._run(0, first)
        self.flow.finish()
        self._give_outputs()
        return Lowered(self.kernel, self.declared.resources, self.text)

    def _body(self, label: int) -> None:
        start = self.labels.get(label)
        if start is None:
            raise UnsupportedError(f"label l{label} is called, but does not stand anywhere")
        end = start
        while end < len(self.instructions) and self.instructions[end].name != "label":
            end += 1
        self._run(start, end)

    def _run(self, start: int, end: int) -> None:
        b = self.registers.builder
        for at in range(start, end):
            instruction = self.instructions[at]
            row = instruction.op
            assert row is not None
            if row.kind == "decl" or row.code == CUSTOMDATA:
                continue
            b.line = self.lines[at]
            if row.name in ("ret", "retc"):
                self._give_outputs()
            self._one(instruction)

    def _one(self, instruction: Instruction) -> None:
        row = instruction.op
        assert row is not None
        if row.name == "fcall":
            self._interface_call(instruction)
        elif not (
            self.flow.lower(instruction)
            or lower_components(self.registers, instruction)
            or self.memories.lower(instruction)
            or self.textures.lower(instruction)
        ):
            raise UnsupportedError(f"{row.name} cannot be run yet")

    def _give_outputs(self) -> None:
        """Outputs that a register indexed go to their ports at the end."""
        array = self.registers.output_array
        if array is None or len(self.flow.frames) > 1:
            return
        b = self.registers.builder
        for name, port in self.registers.outputs.items():
            if name[0] == "o" and name[1].isdigit():
                number, _, letter = name[1:].partition(".")
                b.output(port, b.load(array, int(number), 4 * LETTERS.index(letter)))

    def _interface_call(self, instruction: Instruction) -> None:
        """fcall fp#[index][site]: the function that stands at the site of the slot's table."""
        operand = instruction.operands[0]
        slot = operand.indices[0].immediate
        site = instruction.words[0] if instruction.words else 0
        index = self.registers.index(operand.indices[1]) if len(operand.indices) > 1 else 0
        if not isinstance(index, int):
            raise UnsupportedError("an interface chosen by a register cannot be run yet")
        tables = self.declared.interfaces.get(slot, [])
        table = self.chosen.get(slot + index)
        if table is None:
            if len(tables) != 1:
                names = ", ".join(f"ft{each}" for each in tables) or "none"
                raise UnsupportedError(f"interface fp{slot} needs one of its tables: {names}")
            table = tables[0]
        bodies = self.declared.bodies.get(table, [])
        if site >= len(bodies):
            raise UnsupportedError(f"table ft{table} has no function {site}")
        self.flow._call(bodies[site])


def _lines(instructions: list[Instruction]) -> "list[int]":
    """The line of each instruction; a table of constants takes several."""
    from ..enumerations import CustomClass

    line = 2
    found = []
    for instruction in instructions:
        found.append(line)
        if (
            instruction.opcode == CUSTOMDATA
            and instruction.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER
        ):
            line += max(1, -(-len(instruction.payload or ()) // 4))
        else:
            line += 1
    return found
