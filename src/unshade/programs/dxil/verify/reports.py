"""Findings about things that have a record."""

from ....rule import Findings
from ..bitstream import BitRecord
from ..model.instructions import Instruction
from ..model.values import Function

__all__ = ["Reports", "name_of"]


class Reports:
    """Findings, and the records that their paths refer to."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.records: dict[str, BitRecord | None] = {}

    def add(self, code: str, message: str, path: str = "", record: BitRecord | None = None) -> None:
        """Add a violation of a rule."""
        if self.findings.lists(code):
            self.records.setdefault(path, record)
        self.findings.add(code, message, path)

    def instruction(
        self, code: str, message: str, function: Function, instruction: Instruction, number: int
    ) -> None:
        """Add a violation by an instruction, given its index in the function."""
        path = f"{name_of(function)}[{number}]"
        self.add(code, f"{instruction.opcode}: {message}", path, instruction.record)


def name_of(function: Function) -> str:
    """Return the name of a function as in paths."""
    return function.name or "function"
