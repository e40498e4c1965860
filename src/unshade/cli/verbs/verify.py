"""`unshade verify`: check files against every rule of their format and programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import LimitError, UsageError, did_you_mean
from ...rule import is_finding
from .. import exits
from ..inputs import Input, Subject
from ..inputs import run as run_on
from ..output import CommandOutput, effect
from ..rules import known_rules

if TYPE_CHECKING:
    from ...rule import Rule


def run(
    files: Sequence[str],
    as_json: bool = False,
    format: str | None = None,
    explain: str | None = None,
    rules: bool = False,
    output: str | None = None,
    **given: Any,
) -> int:
    """Print the findings of each file.

    Args:
        files: Files and folders.
        as_json: The same as `format="json"`.
        format: text, json, junit or sarif.
        explain: Code of a rule to explain instead.
        rules: List all rules instead.
        output: File to write to.
        given: Options of formats; those that are None keep the format's default.

    Returns:
        1 for errors and warnings, 3 for a file whose structure cannot be read; its damage is
        reported as findings. Notes do not count.
    """
    if bool(files) + rules + (explain is not None) != 1:
        raise UsageError("expected FILE..., --rules or --explain CODE")
    if as_json and format not in (None, "json"):
        raise UsageError(f"--json cannot be combined with --format {format}")
    format = "json" if as_json else format or "text"
    if format in ("junit", "sarif"):
        if not files:
            raise UsageError(f"--format {format} needs FILE...: it cannot list rules")
        out: CommandOutput = _Report(output, format)
    else:
        out = CommandOutput(output, as_json=format == "json", fills_screen=False)
    if not files:
        with out:
            (_list if explain is None else _explain)(out, explain or "")
        return exits.FINE

    options = {name: value for name, value in given.items() if value is not None}

    def verify(item: Input) -> int:
        shader = item.open(strict=False)
        if not shader.editable and isinstance(shader.damage, LimitError):
            raise shader.damage  # the findings would be incomplete
        findings = shader.verify(**options)
        if out.as_json:
            out.document(item, {"findings": [each.to_dict() for each in findings]})
        elif findings:
            from ...screens.findings import line

            out.segments(line(item.name, each) for each in findings)
        if not shader.editable:
            return exits.MALFORMED
        bad = any(map(is_finding, findings))
        return exits.FINDING if bad else exits.FINE

    return run_on(files, verify, out)


class _Report(CommandOutput):
    """An output that collects the JSON documents and writes them at the end as a report."""

    def __init__(self, path: str | None, format: str) -> None:
        super().__init__(path, as_json=True, fills_screen=False)
        self.format = format
        self.documents: list[dict[str, Any]] = []

    def document(self, item: Subject, data: dict[str, Any]) -> None:
        """Collect one file's findings, or its error."""
        self.collect({**item.named(), **data})

    @effect
    def collect(self, document: dict[str, Any]) -> None:
        """Add to `documents`."""
        self.documents.append(document)

    def __exit__(self, kind: object, *_: object) -> None:
        self.as_json = False  # the report is not a list of documents
        if kind is None:
            self._write()
        super().__exit__(kind)

    def _write(self) -> None:
        if self.format == "junit":
            from ...report.junit import junit

            self.text(junit(self.documents))
            return
        from ... import __version__
        from ...report.sarif import sarif

        self.json(sarif(self.documents, known_rules().values(), tool_version=__version__))


def _explain(out: CommandOutput, code: str) -> None:
    known = known_rules()
    if code not in known:
        hint = did_you_mean(code, known) or "; --rules lists all"
        raise UsageError(f"unknown rule {code!r}{hint}")
    rule = known[code]
    if out.as_json:
        out.json(_plain(rule))
        return
    from ...screens.blocks import FactsBlock, Title
    from ...screens.info import TONES

    out.blocks(
        [
            Title(rule.code, rule.summary),
            FactsBlock([("severity", (str(rule.severity), TONES[rule.severity]))]),
            FactsBlock([("", rule.explanation)]),
        ]
    )


def _list(out: CommandOutput, _: str) -> None:
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
