"""The row of the grammar about an operation in a text."""

from .tables.grammar import grammar

__all__ = ["explain"]

QUANTIFIERS = {"": "", "?": " (optional)", "*": " (any number)"}


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an instruction of the core; empty for an unknown one."""
    op = grammar().core.by_name.get(operation)
    if op is None:
        return []
    operands = [f"{each.name or each.kind}{QUANTIFIERS[each.quantifier]}" for each in op.operands]
    needs = op.needs
    version = "" if needs.since == "None" else f"SPIR-V {needs.since}"
    pairs = [
        ("", f"{op.group.replace('-', ' ')} instruction" if op.group else ""),
        ("operands", ", ".join(operands)),
        ("capability", " or ".join(needs.capabilities)),
        ("extension", " or ".join(needs.extensions)),
        ("since", version if needs.since != "1.0" else ""),
        ("opcode", str(op.code)),
    ]
    return [(label, text) for label, text in pairs if text]
