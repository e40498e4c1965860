"""Switches that are branches: one case beside the default, or cases that do nothing.

switch (x) { case 1: a; break;  default: break; }      ->      if (x == 1) { a; }
"""

from ..ir.builder import constant
from ..ir.kernel import If, KernelIR, Loop, Region, Statement, Switch, Value, every_region, regions
from ..ir.ops import OPS
from ..ir.types import BOOL

__all__ = ["without_small_switches"]


def without_small_switches(kernel: KernelIR) -> None:
    """Make branches of the program's switches with one case, in place."""
    for region in every_region(kernel.body):
        region[:] = [
            each
            for statement in region
            for each in (_branched(statement) if isinstance(statement, Switch) else [statement])
        ]


def _branched(switch: Switch) -> Region:
    """Return the statements that a switch is: itself, a branch, or those of its default."""
    if not switch.branch:  # it selects a resource
        return [switch]
    bodies = [_without_break(case.body) for case in switch.cases]
    if any(map(_breaks, bodies)):
        return [switch]
    default = next((at for at, each in enumerate(switch.cases) if each.default), None)
    otherwise = bodies[default] if default is not None else []
    cases = [
        (case, body) for case, body in zip(switch.cases, bodies, strict=True)
        if case.labels and not case.default and (body or otherwise)
    ]  # fmt: skip
    if not cases:
        return otherwise
    (case, body), *others = cases
    if others or len(case.labels) > 1:
        if default is not None and not otherwise:  # nothing is done for other values
            switch.cases = [each for each, _ in cases]
        return [switch]
    if not body:
        op, body, otherwise = OPS.ine, otherwise, []
    else:
        op = OPS.ieq
    where = switch.line, switch.location
    (label,) = case.labels
    type = switch.value.type
    condition = Value(op, BOOL, (switch.value, constant(label, type)), None, *where)
    return [condition, If(condition, body, otherwise, *where, True)]


def _without_break(body: Region) -> Region:
    last = body[-1] if body else None
    ends = isinstance(last, Value) and last.op is OPS.break_
    return body[:-1] if ends else body


def _breaks(body: Region) -> bool:
    """Return True if a `break` leaves the switch that a body is in."""
    waiting: list[Statement] = [*body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Value):
            if each.op is OPS.break_:
                return True
        elif not isinstance(each, Loop | Switch):
            waiting += [inner for region in regions(each) for inner in region]
    return False
