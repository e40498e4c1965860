"""Replacing operations by others, in place.

def double(b, value):               # b appends where the operation stood
    if value.op is OPS.iadd and value.args[0] is value.args[1]:
        return b.ishl(value.args[0], 1)
    return None                     # stays as it is

rewrite(kernel, double)
"""

from collections.abc import Callable

from .builder import Builder
from .kernel import If, Kernel, Region, Switch, Value, regions
from .ops import OPS

# What a rule gives: the value that stands for the old one, KEEP, or DROP where nothing uses it.
Rule = Callable[[Builder, Value], "Value | None"]


def rewrite(kernel: Kernel, rule: Rule) -> None:
    """Ask the rule about every operation; operands of what follows are replaced."""
    _Rewriter(kernel, rule).region(kernel.body)


class _Rewriter:
    def __init__(self, kernel: Kernel, rule: Rule) -> None:
        self.builder = Builder(kernel)
        self.rule = rule
        self.instead: dict[Value, Value] = {}

    def region(self, region: Region) -> None:
        """All statements of a region and of those inside it."""
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
