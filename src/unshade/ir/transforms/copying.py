"""Deep copies of statements and kernels, which share variables, memories and ports.

    copied([%1 = load …, store … %1])  ->  [%2 = load …, store … %2]

Operands and blocks from outside of the region are kept; constants are shared. If the statements of
a function are inlined, their locations have the call (ir/locations.py).
"""

from ..kernel import Block, Case, If, KernelIR, Loop, Region, Switch, Value
from ..locations import InlinedLocations, SourceLocation
from ..ops import OPS


def _same(location: SourceLocation | None) -> SourceLocation | None:
    return location


def copied(region: Region, sites: InlinedLocations | None = None) -> Region:
    """Return a copy of statements.

    Args:
        region: the statements.
        sites: maps locations, if the statements are inlined.
    """
    place = sites or _same
    made: dict[Value, Value] = {}
    blocks: dict[object, Block] = {}

    def operands(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple([made.get(value, value) for value in values])

    def each(old: Region) -> Region:
        new: Region = []
        for statement in old:
            if isinstance(statement, Value):
                attr = statement.attr
                if statement.op is OPS.exit:
                    attr = blocks.get(attr, attr)
                twin = statement.with_args(operands(statement.args), attr)
                if sites is not None:
                    twin.location = sites(statement.location)
                made[statement] = twin
                new.append(twin)
                continue
            match statement:
                case If():
                    condition = operands((statement.condition,))[0]
                    then, otherwise = each(statement.then), each(statement.otherwise)
                    where = place(statement.location)
                    branch = statement.branch
                    new.append(If(condition, then, otherwise, statement.line, where, branch))
                case Loop():
                    where = place(statement.location)
                    new.append(Loop(each(statement.body), statement.line, where))
                case Switch():
                    cases = [Case(c.labels, c.default, each(c.body)) for c in statement.cases]
                    value, where = operands((statement.value,))[0], place(statement.location)
                    branch = statement.branch
                    new.append(Switch(value, cases, statement.line, where, branch))
                case Block():
                    block = blocks[statement] = Block([], statement.line, place(statement.location))
                    block.body = each(statement.body)
                    new.append(block)
        return new

    return each(region)


def copied_kernel(kernel: KernelIR) -> KernelIR:
    """Return a copy of a kernel that shares no statements with it."""
    return KernelIR(
        kernel.name, kernel.stage, kernel.group, kernel.flush, kernel.written, kernel.wave,
        kernel.quads, list(kernel.memories), list(kernel.textures), list(kernel.samplers),
        list(kernel.inputs), list(kernel.outputs), list(kernel.variables), copied(kernel.body),
    )  # fmt: skip
