"""Chunk width and optimisation level, chosen by the size of a kernel and its register pressure.

    W = 64      4 registers of 512 bits for each value: hides the latency of operations, needs
                few live values                                                     (xorshift)
    W = 32      2 registers: loops that lanes leave in different iterations, since a chunk runs
                until its last lane has left                                      (mandelbrot)
    W = 16      1 register: long kernels, and those with many live values

The widths are those of registers of 512 bits; narrower ones hold fewer lanes. Several registers for
a value make a kernel 1.5 to 3 times as fast while all live values fit into the registers, and still
a little faster when some are spilled. If operations wait for each other (chains.py), a wider chunk
pays for more spilling: with 16 registers and 64 lanes, a loop of `log2` is 1.6 times as fast as
with 16 lanes. Where lanes leave in different iterations it does not: more of them are idle. Code
size and compile time grow with the width, and both are bounded: kernels beyond `MAX_WIDE` have one
register for a value (`MAX_CHAINED`: if operations wait for each other), those beyond
`MAX_OPTIMISED` are compiled without optimisation, and those beyond `MAX_OPERATIONS` are left
to the lockstep engine. LLVM takes about 0.1 ms for an operation and 0.2 to 2 ms for one with
texture or buffer accesses, but quadratic time in blocks and accesses: kernels beyond `MAX_BLOCKS`
and `MAX_ACCESSES` are not optimised either, which takes 0.05 to 0.25 ms for any operation.
"""

from ...errors import UnsupportedError
from ...ir.analysis.uniformity import Uniformity, uniformity
from ...ir.kernel import If, KernelIR, Loop, Region, Statement, Switch, Value, regions
from ...ir.memory import Memory, Var
from ...ir.ops import OPS
from ...ir.types import BOOL
from .chains import registers_worth_having
from .layout import WIDTHS

MAX_WIDE, MAX_CHAINED = 4000, 12_000  # operations times registers for a value
MAX_OPTIMISED, MAX_OPERATIONS = 16_000, 200_000
MAX_ACCESSES, MAX_BLOCKS = 1200, 2500
MAX_LINES = 1_000_000  # of LLVM text
REGISTERS = {512: 32, 256: 16, 128: 16}
# Live values for each register. Where there are 16, two registers for a value are 1.15 times as
# fast for the 16 values of n-body (Zen 3, Ice Lake); where there are 32, four are 0.86 times.
SPILL_FACTOR = {512: 1.5, 256: 2.0, 128: 2.0}
CHAINED_SPILL_FACTOR = 6.0
MAX_REGISTERS = 8  # for a value, to hide latency
HEADROOM = 1.5  # registers in those that hide latency if the order of operations is ideal


def width_of(kernel: KernelIR, native: int, quick: bool = False) -> int:
    """Return the number of lanes in a chunk, for vector registers of `native` bits.

    With `quick`, a value takes one register, and the kernel is not examined.
    """
    one = native // 32
    wanted = one if quick else _widest(kernel, native)
    if kernel.dispatched:
        x, y, z = kernel.group
        if x < x * y * z and x & -x >= one:
            wanted = min(wanted, x & -x)  # a row of the group, so that y is uniform
        while wanted > 8 and wanted > x * y * z:
            wanted //= 2
    return max(WIDTHS[-1], wanted)


def _widest(kernel: KernelIR, native: int) -> int:
    """Return the number of lanes by size, register pressure and chains of operations."""
    one = native // 32
    found = uniformity(kernel)
    size, number = sum(1 for _ in kernel.values()), register_pressure(kernel, found)
    apart = any(isinstance(each, Loop) for each in found.divergent)

    def fitting(wanted: int, operations: int, factor: float) -> int:
        while wanted > one and (
            size * wanted // one > operations or number * wanted // one > REGISTERS[native] * factor
        ):
            wanted //= 2
        return wanted

    usual = fitting(min(WIDTHS[0], (2 if apart else 4) * one), MAX_WIDE, SPILL_FACTOR[native])
    worth = 0.0 if apart else registers_worth_having(kernel, found)
    hiding = one
    while worth > 1 and hiding < min(WIDTHS[0], one * min(MAX_REGISTERS, worth * HEADROOM)):
        hiding *= 2
    return max(usual, fitting(hiding, MAX_CHAINED, CHAINED_SPILL_FACTOR))


def fits_in(kernel: KernelIR, width: int, native: int) -> bool:
    """Return True if a kernel is short enough to be compiled for chunks of `width` lanes."""
    return sum(1 for _ in kernel.values()) * width // (native // 32) <= MAX_CHAINED


def check_size(kernel: KernelIR, lines: int = 0) -> None:
    """Raise UnsupportedError for a kernel (or its text, of `lines` lines) that is too long."""
    size = sum(1 for _ in kernel.values())
    if size > MAX_OPERATIONS or lines > MAX_LINES:
        raise UnsupportedError(
            f"{size} operations are too many to compile; the lockstep engine runs them"
        )


def level_of(kernel: KernelIR, text: str) -> int:
    """Return LLVM's optimisation level for a kernel with this text."""
    size = sum(1 for _ in kernel.values())
    accesses = sum(isinstance(value.attr, Memory) for value in kernel.values())
    check_size(kernel, text.count("\n"))
    blocks = text.count(":\n")
    return 2 if size <= MAX_OPTIMISED and accesses <= MAX_ACCESSES and blocks <= MAX_BLOCKS else 0


def register_pressure(kernel: KernelIR, found: Uniformity) -> int:
    """Return the largest number of live values, in vector registers for 32-bit values."""
    return LiveRanges(found).most(kernel.body)


class LiveRanges:
    """The range of the text in which each value and variable is live."""

    def __init__(self, found: Uniformity) -> None:
        self.found = found
        self.at = 0
        self.first: dict[Value | Var, int] = {}
        self.last: dict[Value | Var, int] = {}
        self.loops: list[tuple[int, set[Value | Var]]] = []  # start, values from outside

    def most(self, body: Region) -> int:
        """Return the largest number of simultaneously live values."""
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
            for condition in _condition_of(statement):
                self._operand(condition)
            if isinstance(statement, Loop):
                self.loops.append((self.at, set()))
            for inner in regions(statement):
                self._region(inner)
            if isinstance(statement, Loop):
                begin, outer = self.loops.pop()
                for each in outer:  # live in the next iteration
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
                return  # it shares the variable's register
        elif value.type.kind in "if" and self.found.of(value).stride is None:
            self.first[value] = self.at


def _condition_of(statement: Statement) -> tuple[Value, ...]:
    if isinstance(statement, If):
        return (statement.condition,)
    return (statement.value,) if isinstance(statement, Switch) else ()
