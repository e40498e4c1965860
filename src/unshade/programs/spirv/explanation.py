"""The rows of the grammar about an operation in a text, and about its enumerants.

The grammar says how an operation is written; `tables/meanings.txt` says what it does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pkgutil import get_data

from ...isa.steps import Step
from . import tables
from .tables.grammar import Enumerant, Needs, OperandKind, OperandRule, grammar

__all__ = ["enumerants", "explain", "words"]

UNSAID = ("@", "reserved")  # groups of the grammar that say nothing
QUANTIFIERS = {"": "", "?": " (optional)", "*": " (any number)"}


def words() -> Iterable[str]:
    """Return the words that `explain` knows: instructions, those of extended sets, enumerants."""
    sets = (grammar().extended(name) for name in grammar().set_names)
    of_sets = (name for each in sets if each is not None for name in each.by_name)
    of_kinds = (name for each in grammar().kinds.values() if each.is_enum for name in each.by_name)
    return dict.fromkeys((*grammar().core.by_name, *of_sets, *of_kinds))


@cache
def meanings() -> Mapping[str, str]:
    """Return a sentence on what an instruction does, by name, of the core and GLSL.std.450."""
    text = (get_data(tables.__package__, "meanings.txt") or b"").decode()
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    rows = (line.partition(" ") for line in lines)
    return {name: meaning.strip() for name, _, meaning in rows}


def explain(operation: str) -> list[tuple[str, str]]:
    """Return labels and texts about an instruction or an enumerant; empty for an unknown word.

    An instruction is of the core or, without `Op`, of the first extended set that has the name.
    Enumerants of several kinds follow each other.
    """
    op = grammar().core.by_name.get(operation)
    origin = ""
    if op is None:
        sets = ((name, grammar().extended(name)) for name in grammar().set_names)
        found = ((name, each.by_name.get(operation)) for name, each in sets if each is not None)
        origin, op = next((pair for pair in found if pair[1] is not None), ("", None))
    if op is None:
        kinds = (each for each in grammar().kinds.values() if each.is_enum)
        found_in = [(each, each.by_name[operation]) for each in kinds if operation in each.by_name]
        return [pair for each in found_in for pair in _explain_enumerant(*each)]
    group = op.group.replace("-", " ").replace("_", " ").lower()
    meaning = meanings().get(op.name, "") if origin in ("", "GLSL.std.450") else ""
    pairs = [
        ("", meaning),
        ("set", origin),
        ("group", "" if group.startswith(UNSAID) else group),
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
    return "\n".join(f"{each.name or each.kind}{QUANTIFIERS[each.quantifier]}" for each in rules)


def _needs(needs: Needs) -> list[tuple[str, str]]:
    version = "" if needs.since in ("None", "1.0") else f"SPIR-V {needs.since}"
    return [
        ("capability", " or ".join(needs.capabilities)),
        ("extension", " or ".join(needs.extensions)),
        ("since", version),
    ]
