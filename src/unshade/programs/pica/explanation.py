"""The row of the table of operations about an operation in a text."""

from collections.abc import Iterable

from .assembler.instructions import MNEMONICS

__all__ = ["explain", "words"]


def words() -> Iterable[str]:
    """Return the words that `explain` knows."""
    return MNEMONICS


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an operation; empty for an unknown one."""
    op = MNEMONICS.get(operation)
    if op is None:
        return []
    last = op.code + op.span - 1
    pairs = [
        ("", f"{op.doc} {op.cases}".rstrip()),
        ("operands", "\n".join(op.operands)),
        ("stages", "geometry" if op.geometry else ""),
        ("opcode", f"0x{op.code:02x}" + (f" to 0x{last:02x}" if op.span > 1 else "")),
        ("hardware", op.errata),
    ]
    return [(label, text) for label, text in pairs if text]
