"""`unshade verify`: check files against every rule of their format and programs."""

from itertools import zip_longest
from typing import TYPE_CHECKING

from ...errors import LimitError, UsageError
from ...rule import is_finding
from ...screens.text import visible
from .. import exits
from ..commands import VerifyOptions
from ..finding_reports import COLLECTED, write_findings
from ..inputs import Input
from ..inputs import run as run_on
from ..output import Collected, CommandOutput
from ..sources import use_if_asked

if TYPE_CHECKING:
    from ...rule import Rule


FINDING = {
    "code": "string", "severity": "string", "offset": "integer?", "path": "string",
    "message": "string",
}  # fmt: skip
SHAPE = {"findings": [FINDING]}
RULE = {"code": "string", "severity": "string", "summary": "string", "explanation": "string"}
WHOLE = (RULE, [RULE])  # of --explain and --rules


def run(given: VerifyOptions) -> int:
    """Print the findings of each file.

    Returns:
        1 for errors and warnings, 3 for a file whose structure cannot be read; its damage is
        reported as findings. Notes do not count.
    """
    use_if_asked(given.sources, given.stage, given.entry)
    if bool(given.files) + given.rules + (given.explain is not None) != 1:
        raise UsageError("expected FILE..., --rules or --explain CODE")
    if given.as_json and given.format not in (None, "json"):
        raise UsageError(f"--json cannot be combined with --format {given.format}")
    format = "json" if given.as_json else given.format or "text"
    if format in COLLECTED:
        if not given.files:
            raise UsageError(f"--format {format} needs FILE...: it cannot list rules")
        out: CommandOutput = Collected(
            given.output, lambda out: write_findings(out, format, "verify")
        )
    else:
        out = CommandOutput(given.output, as_json=format == "json", fills_screen=False)
    if not given.files:
        with out:
            (_list if given.explain is None else _explain)(out, given.explain or "")
        return exits.FINE

    def verify(item: Input) -> int:
        shader = item.open(strict=False)
        if not shader.editable and isinstance(shader.damage, LimitError):
            raise shader.damage  # the findings would be incomplete
        findings = shader.verify(**given.of_formats)
        if out.as_json:
            out.document(item, {"findings": [each.to_dict() for each in findings]})
        elif findings:
            from ...screens.findings import line, listed

            shown = listed(shader, findings)
            for each, following in zip_longest(findings, findings[1:]):
                out.lines([line(item.name, each)])
                if each.path in shown and (following is None or following.path != each.path):
                    out.line(f"    {visible(shown[each.path])}")
        if not shader.editable:
            return exits.MALFORMED
        bad = any(map(is_finding, findings))
        return exits.FINDING if bad else exits.FINE

    return run_on(given.files, verify, out)


def _explain(out: CommandOutput, code: str) -> None:
    from ...analysis.explanations import VERIFY, explain, known_rules

    found = explain(code, VERIFY)
    if out.as_json:
        out.json(_plain(known_rules()[code]))
        return
    from ...screens.explanations import blocks

    out.blocks(blocks(found))


def _list(out: CommandOutput, _: str) -> None:
    from ...analysis.explanations import known_rules

    known = known_rules().values()
    if out.as_json:
        out.json([_plain(rule) for rule in known])
        return
    from ...screens.blocks import Cell, TableBlock
    from ...screens.info import TONES

    rows: list[list[Cell]] = [
        [(rule.code, "name"), (str(rule.severity), TONES[rule.severity]), rule.summary]
        for rule in known
    ]
    out.blocks([TableBlock("", ("code", "severity", "summary"), rows)])


def _plain(rule: "Rule") -> dict[str, str]:
    return {**rule._asdict(), "severity": str(rule.severity)}
