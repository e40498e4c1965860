"""Verification of programs: rules, and the walk that applies them."""

from collections.abc import Iterator

from ....errors import Diagnostic, EncodeError
from ....rule import Findings
from ..code import Code
from ..codec.commands import CURRENT
from ..spans import command_spans
from ..tree import ProgramUnit, TreeNode
from ..tree.node import inner_fields
from .nodes import check_node
from .rules import RULES
from .symbols import check_symbols

__all__ = ["RULES", "verify"]

OF_CHOICE = {
    "define": "sksl.numbering",
    "refer": "sksl.numbering",
    "name": "sksl.numbering",
    "form": "sksl.form",
    "names": "sksl.names",
    "offset": "sksl.string",
}


def verify(code: Code) -> list[Diagnostic]:
    """Return the violations of `RULES`, with offsets in the command stream."""
    findings = Findings(RULES)
    for path, (how, value) in code.odd.items():
        findings.add(OF_CHOICE[how], f"{RULES[OF_CHOICE[how]].summary}: {value!r:.40}", path)
    if code.strings is not None:
        findings.add("sksl.pool")
    check_symbols(code.unit, findings)
    # A module has no kind: those of fragment programs may discard.
    may_discard = not isinstance(code.unit, ProgramUnit) or code.unit.kind.is_fragment
    known = code.version == CURRENT  # our modules are those of this version
    for node, path in _walk(code.unit):
        check_node(node, path, findings, may_discard)
    if not known:
        findings.found = [each for each in findings.found if each.code != "sksl.name"]
    offsets: dict[str, int] = {}
    try:
        code.encode()
        if findings.found:
            offsets = _offsets(code)
    except EncodeError as error:
        findings.add("sksl.held", error.problem, error.path)
    return findings.diagnostics(offsets.get)


def _walk(unit: TreeNode) -> Iterator[tuple[TreeNode, str]]:
    """Yield every node that is neither symbol nor type, with its path."""
    waiting = [(unit, "")]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        inner = []
        for name in inner_fields(type(node)):
            value = getattr(node, name)
            where = f"{path}.{name}" if path else name
            if isinstance(value, list):
                inner += [(each, f"{where}[{index}]") for index, each in enumerate(value)]
            elif value is not None:
                inner.append((value, where))
        waiting += reversed(inner)


def _offsets(code: Code) -> dict[str, int]:
    """Return the offset of each node's command by its path, and of each field."""
    found: dict[str, int] = {}
    for span in command_spans(code):
        path = span.path.removesuffix(".command")
        found.setdefault(path, span.offset)
    return found
