"""The row of the grammar about an operation in a text."""

from .tables.grammar import grammar

__all__ = ["explain"]

QUANTIFIERS = {"": "", "?": " (optional)", "*": " (any number)"}


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an instruction; empty for an unknown one.

    The instruction is of the core or, without `Op`, of the first extended set that has the name.
    """
    op = grammar().core.by_name.get(operation)
    origin = ""
    if op is None:
        sets = ((name, grammar().extended(name)) for name in grammar().set_names)
        found = ((name, each.by_name.get(operation)) for name, each in sets if each is not None)
        origin, op = next((pair for pair in found if pair[1] is not None), ("", None))
    if op is None:
        return []
    operands = [f"{each.name or each.kind}{QUANTIFIERS[each.quantifier]}" for each in op.operands]
    needs = op.needs
    version = "" if needs.since == "None" else f"SPIR-V {needs.since}"
    pairs = [
        ("", f"{op.group.replace('-', ' ')} instruction" if op.group else ""),
        ("set", origin),
        ("operands", ", ".join(operands)),
        ("capability", " or ".join(needs.capabilities)),
        ("extension", " or ".join(needs.extensions)),
        ("since", version if needs.since != "1.0" else ""),
        ("opcode", str(op.code)),
    ]
    return [(label, text) for label, text in pairs if text]
