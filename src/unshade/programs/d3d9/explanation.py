"""The row of the table of operations about an operation in a text."""

from .mnemonics import read_mnemonic
from .tables.ops import OPS

__all__ = ["explain"]

LETTERS = {
    "d": "destination", "s": "source", "u": "usage", "f": "float", "i": "integer", "b": "boolean",
}  # fmt: skip


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an operation with its suffixes; empty for an unknown one."""
    found = read_mnemonic(operation)
    if found is None:
        return []
    op = OPS[found.opcode]
    operands = [LETTERS[each.strip("[]")] for each in op.operands]
    pairs = [
        ("", op.doc),
        ("operands", ", ".join(operands)),
        ("slots", str(op.slots) if op.slots else ""),
        ("opcode", f"0x{op.code:x}"),
    ]
    return [(label, text) for label, text in pairs if text]
