"""The rows of the grammar about an operation in a text, and about its enumerants."""

from collections.abc import Iterator, Sequence

from ...isa.steps import Step
from .tables.grammar import Enumerant, Needs, OperandKind, OperandRule, grammar

__all__ = ["enumerants", "explain"]

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
    pairs = [
        ("", f"{op.group.replace('-', ' ')} instruction" if op.group else ""),
        ("set", origin),
        ("operands", _operands(op.operands)),
        *_needs(op.needs),
        ("opcode", str(op.code)),
    ]
    return [(label, text) for label, text in pairs if text]


def enumerants(step: Step) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the names of values in a line, each with labels and texts about it.

    OpExecutionMode %main LocalSize 8 8 1      LocalSize, an ExecutionMode
    """
    op = grammar().core.by_name.get(step.operation)
    kinds = grammar().kinds
    waiting = [each for each in reversed(op.operands if op is not None else ())
               if each.kind != "IdResult"]  # fmt: skip
    for term in step.operands:
        while waiting and kinds[waiting[-1].kind].bases:
            bases = kinds[waiting.pop().kind].bases
            waiting += [OperandRule(each) for each in reversed(bases)]
        if not waiting:
            return
        rule = waiting.pop()
        if rule.quantifier == "*":
            waiting.append(rule)
        kind = kinds[rule.kind]
        for name in term.text.split("|") if kind.is_enum else ():
            found = kind.by_name.get(name)
            if found is None:
                return  # a number: what follows is not known
            waiting += reversed(found.operands)
            yield name, _explain_enumerant(kind, found)


def _explain_enumerant(kind: OperandKind, found: Enumerant) -> list[tuple[str, str]]:
    pairs = [
        ("", kind.name),
        ("also", ", ".join(found.aliases)),
        ("operands", _operands(found.operands)),
        *_needs(found.needs),
        (
            "bit" if kind.is_mask else "value",
            hex(found.value) if kind.is_mask else f"{found.value}",
        ),
    ]
    return [(label, text) for label, text in pairs if text]


def _operands(rules: Sequence[OperandRule]) -> str:
    return ", ".join(f"{each.name or each.kind}{QUANTIFIERS[each.quantifier]}" for each in rules)


def _needs(needs: Needs) -> list[tuple[str, str]]:
    version = "" if needs.since in ("None", "1.0") else f"SPIR-V {needs.since}"
    return [
        ("capability", " or ".join(needs.capabilities)),
        ("extension", " or ".join(needs.extensions)),
        ("since", version),
    ]
