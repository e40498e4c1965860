"""Verification of programs: rules, and the walk that applies them."""

from collections.abc import Iterator

from ....errors import Diagnostic, EncodeError
from ....rule import Findings
from ..code import Code
from ..codec.commands import CURRENT
from ..facts import definitions_of, uniform_blocks
from ..spans import command_spans
from ..tree import ProgramUnit, TreeNode
from ..tree.node import inner_fields
from .flow import BREAKABLE, check_body, check_jump
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
    defined = definitions_of(code.unit) if isinstance(code.unit, ProgramUnit) else None
    for node, path, around in _walk(code.unit):
        check_node(node, path, findings, may_discard)
        check_jump(node, path, findings, around)
        check_body(node, path, findings, defined)
    if isinstance(code.unit, ProgramUnit):
        for block in uniform_blocks(code.unit):
            for problem in block.misplaced():
                findings.add("sksl.offset", problem, block.path)
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


def _walk(unit: TreeNode) -> Iterator[tuple[TreeNode, str, TreeNode | None]]:
    """Yield every node that is neither symbol nor type, its path, the loop or switch around it."""
    waiting: list[tuple[TreeNode, str, TreeNode | None]] = [(unit, "", None)]
    while waiting:
        node, path, around = waiting.pop()
        yield node, path, around
        around = node if isinstance(node, BREAKABLE) else around
        inner = []
        for name in inner_fields(type(node)):
            value = getattr(node, name)
            where = f"{path}.{name}" if path else name
            if isinstance(value, list):
                inner += [(each, f"{where}[{index}]", around) for index, each in enumerate(value)]
            elif value is not None:
                inner.append((value, where, around))
        waiting += reversed(inner)


def _offsets(code: Code) -> dict[str, int]:
    """Return the offset of each node's command by its path, and of each field."""
    found: dict[str, int] = {}
    for span in command_spans(code):
        path = span.path.removesuffix(".command")
        found.setdefault(path, span.offset)
    return found
