"""Rules of types of operands, which each class of instructions declares (`problems`)."""

from ..model.values import Function
from .reports import Reports

__all__ = ["check_types"]


def check_types(function: Function, reports: Reports) -> None:
    """Check the operands of all instructions of a function."""
    for number, each in enumerate(function.instructions):
        for message in each.problems(function):
            reports.instruction("dxil.type", message, function, each, number)
