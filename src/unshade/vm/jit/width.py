"""How many lanes a chunk has, and how hard LLVM tries: by the size of a kernel and what it holds.

    W = 64      4 registers of 512 bits for each value: hides the time an operation takes, needs
                few values at the same time                              (mandelbrot, xorshift)
    W = 16      1 register: long kernels, and those that hold many values

Several registers for a value are worth 1.5 to 3 times the speed while all that is live fits into
the registers, and still a little when some of it has to be spilled. Code and the time to compile it
grow with the width; both are bounded: kernels beyond `LONG` have one register for a value, those
beyond `LONGER` are compiled without optimisation, and those beyond `LONGEST` not at all: lockstep
runs them. LLVM takes some 0.1 ms for an operation, 0.2 to 2 ms for one with texture or buffer
accesses, but for blocks and accesses it needs quadratic time: those beyond `BLOCKS` and `ACCESSES`
go without optimisation, too. That takes 0.05 to 0.25 ms for any operation.
"""

from ...errors import UnsupportedError
from ...ir.analysis.uniformity import Uniformity, uniformity
from ...ir.kernel import If, Kernel, Loop, Region, Statement, Switch, Value, regions
from ...ir.memory import Memory, Var
from ...ir.ops import OPS
from ...ir.types import BOOL
from .layout import WIDTHS

LONG = 4000  # operations, times registers for a value
LONGER, LONGEST = 16_000, 200_000  # operations
ACCESSES, BLOCKS = 1200, 2500
LINES = 1_000_000  # of text
REGISTERS = {512: 32, 256: 16, 128: 16}
SPILL = 1.5  # of the registers: what may be live at the same time


def width_of(kernel: Kernel, native: int) -> int:
    """Lanes of a chunk, for registers of `native` bits."""
    one = native // 32
    size, number = sum(1 for _ in kernel.values()), held(kernel, uniformity(kernel))
    wanted = min(WIDTHS[0], 4 * one)
    while wanted > one and (
        size * wanted // one > LONG or number * wanted // one > REGISTERS[native] * SPILL
    ):
        wanted //= 2
    if kernel.dispatched:
        x, y, z = kernel.group
        if x < x * y * z and x & -x >= one:
            wanted = min(wanted, x & -x)  # a row of the group: y is then the same for all lanes
        while wanted > 8 and wanted > x * y * z:
            wanted //= 2
    return max(WIDTHS[-1], wanted)


def check_size(kernel: Kernel, lines: int = 0) -> None:
    """UnsupportedError for what is too long to compile, as a kernel or as so many lines of text."""
    size = sum(1 for _ in kernel.values())
    if size > LONGEST or lines > LINES:
        raise UnsupportedError(
            f"{size} operations are too many to compile; the lockstep engine runs them"
        )


def level_of(kernel: Kernel, text: str) -> int:
    """LLVM's level of optimisation for a kernel that became this text."""
    size = sum(1 for _ in kernel.values())
    accesses = sum(isinstance(value.attr, Memory) for value in kernel.values())
    check_size(kernel, text.count("\n"))
    blocks = text.count(":\n")
    return 2 if size <= LONGER and accesses <= ACCESSES and blocks <= BLOCKS else 0


def held(kernel: Kernel, found: Uniformity) -> int:
    """The most values that lanes hold at the same time, in registers for vectors of 32 bits."""
    return Held(found).most(kernel.body)


class Held:
    """From where to where in the text each value and variable is needed."""

    def __init__(self, found: Uniformity) -> None:
        self.found = found
        self.at = 0
        self.first: dict[Value | Var, int] = {}
        self.last: dict[Value | Var, int] = {}
        self.loops: list[tuple[int, set[Value | Var]]] = []  # begin, what it uses from outside

    def most(self, body: Region) -> int:
        """The greatest number at any place."""
        self._region(body)
        changes = [0] * (self.at + 2)
        for each, first in self.first.items():
            bits = each.type.bits
            if each.type != BOOL:
                changes[first] += max(1, bits // 32)
                changes[self.last.get(each, first) + 1] -= max(1, bits // 32)
        most = now = 0
        for change in changes:
            now += change
            most = max(most, now)
        return most

    def _used(self, each: "Value | Var") -> None:
        first = self.first.setdefault(each, self.at)
        self.last[each] = self.at
        for begin, outer in self.loops:
            if first < begin or isinstance(each, Var):
                outer.add(each)

    def _region(self, region: Region) -> None:
        for statement in region:
            self.at += 1
            if isinstance(statement, Value):
                self._value(statement)
                continue
            for asked in _asked(statement):
                self._operand(asked)
            if isinstance(statement, Loop):
                self.loops.append((self.at, set()))
            for inner in regions(statement):
                self._region(inner)
            if isinstance(statement, Loop):
                begin, outer = self.loops.pop()
                for each in outer:  # needed again in the next iteration
                    self.first[each] = min(self.first[each], begin)
                    self.last[each] = self.at

    def _operand(self, value: Value) -> None:
        if value in self.first:
            self._used(value)

    def _value(self, value: Value) -> None:
        for arg in value.args:
            self._operand(arg)
        if value.op in (OPS.get, OPS.set):
            if not self.found.variables[value.attr].uniform:
                self._used(value.attr)
            if value.op is OPS.get:
                return  # the same register
        elif value.type.kind in "if" and self.found.of(value).stride is None:
            self.first[value] = self.at


def _asked(statement: Statement) -> tuple[Value, ...]:
    if isinstance(statement, If):
        return (statement.condition,)
    return (statement.value,) if isinstance(statement, Switch) else ()
