"""Replacement of operations by others, in place.

def double(b, value):               # b appends in place of the operation
    if value.op is OPS.iadd and value.args[0] is value.args[1]:
        return b.ishl(value.args[0], 1)
    return None                     # keeps the operation

rewrite(kernel, double)
"""

from collections.abc import Callable

from ..builder import Builder
from ..kernel import If, KernelIR, Region, Switch, Value, regions
from ..ops import OPS

# Returns the replacement of an operation, or None to keep it.
Rule = Callable[[Builder, Value], "Value | None"]


def rewrite(kernel: KernelIR, rule: Rule) -> None:
    """Apply a rule to every operation, and update the operands of later operations."""
    _Rewriter(kernel, rule).region(kernel.body)


class _Rewriter:
    def __init__(self, kernel: KernelIR, rule: Rule) -> None:
        self.builder = Builder(kernel)
        self.rule = rule
        self.instead: dict[Value, Value] = {}

    def region(self, region: Region) -> None:
        """Rewrite the statements of a region and of the regions inside it."""
        old = region[:]
        region.clear()
        b = self.builder
        instead = self.instead
        for statement in old:
            if isinstance(statement, Value):
                if any(arg in instead for arg in statement.args):
                    statement.args = tuple(instead.get(arg, arg) for arg in statement.args)
                b.region, b.line, b.location = region, statement.line, statement.location
                made = self.rule(b, statement)
                if made is None:
                    region.append(statement)
                elif made is not statement:
                    instead[statement] = made
                    if made.label is None and made.op is not OPS.const:
                        made.label = statement.label
                continue
            if isinstance(statement, If):
                statement.condition = instead.get(statement.condition, statement.condition)
            elif isinstance(statement, Switch):
                statement.value = instead.get(statement.value, statement.value)
            region.append(statement)
            for inner in regions(statement):
                self.region(inner)
