"""The row of the table of operations about an operation in a text."""

from collections.abc import Iterable

from .mnemonics import read_mnemonic
from .tables.ops import OPS

__all__ = ["explain", "words"]

LETTERS = {
    "d": "destination", "s": "source", "u": "usage", "f": "float", "i": "integer", "b": "boolean",
}  # fmt: skip


def words() -> Iterable[str]:
    """Return the words that `explain` knows, without suffixes."""
    return OPS.by_name


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an operation with its suffixes; empty for an unknown one."""
    found = read_mnemonic(operation)
    op = OPS.by_name.get(operation) if found is None else OPS[found.opcode]  # setp, of setp_gt
    if op is None:
        return []
    operands = [LETTERS[each.strip("[]")] for each in op.operands]
    pairs = [
        ("", op.doc),
        ("operands", "\n".join(operands)),
        ("slots", str(op.slots) if op.slots else ""),
        ("opcode", f"0x{op.code:x}"),
    ]
    return [(label, text) for label, text in pairs if text]
