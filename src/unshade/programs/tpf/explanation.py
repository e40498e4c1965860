"""The row of the table of operations about an operation in a text."""

from collections.abc import Iterable

from .assembler.mnemonics import resolve
from .tables.ops import LETTERS, OPS

__all__ = ["explain", "words"]


def words() -> Iterable[str]:
    """Return the words that `explain` knows, without suffixes."""
    return OPS.by_name


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an operation with its suffixes; empty for an unknown one."""
    found = resolve(operation)
    row = OPS.by_name.get(operation) if found is None else found.row  # discard, of discard_nz
    if row is None:
        return []
    stages = "all" if len(row.stages) == 6 else " ".join(sorted(s.profile for s in row.stages))
    operands = [LETTERS[letter] for letter in row.operands]
    pairs = [
        ("", row.doc),
        ("operands", "\n".join([*operands, *row.dwords])),
        ("model", f"{row.since[0]}.{row.since[1]} and later"),
        ("stages", stages),
        ("opcode", str(row.code)),
    ]
    return [(label, text) for label, text in pairs if text]
