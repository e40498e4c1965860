"""`unshade verify`: every rule of the format and its programs, and where a file breaks one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import LimitError, UsageError
from ..rule import is_finding
from . import exits
from .inputs import Input, Named
from .inputs import run as run_on
from .output import Output

if TYPE_CHECKING:
    from ..rule import Rule


def run(
    files: Sequence[str],
    as_json: bool = False,
    format: str | None = None,
    explain: str | None = None,
    rules: bool = False,
    output: str | None = None,
) -> int:
    """Print the findings of each file. Exit code 1 for an error or a warning, notes count not.

    What is wrong with a file whose structure cannot be read are findings, too; its exit code is 3.

    `format` is text, json, junit or sarif. `explain` is the code of a rule to explain instead,
    `rules` asks for a list of them all.
    """
    if bool(files) + rules + (explain is not None) != 1:
        raise UsageError("verify takes either FILE..., or --rules, or --explain CODE")
    if as_json and format not in (None, "json"):
        raise UsageError(f"--json and --format {format} are two formats: give one")
    format = "json" if as_json else format or "text"
    if format in ("junit", "sarif"):
        if not files:
            raise UsageError(f"--format {format} is for findings, not for rules")
        out: Output = _Report(output, format)
    else:
        out = Output(output, as_json=format == "json", fills_screen=False)
    if not files:
        with out:
            (_list if explain is None else _explain)(out, explain or "")
        return exits.FINE

    def verify(item: Input) -> int:
        shader = item.open(strict=False)
        if not shader.editable and isinstance(shader.damage, LimitError):
            raise shader.damage  # it is not known what would have been found
        findings = shader.verify()
        if out.as_json:
            out.document(item, {"findings": [each.to_dict() for each in findings]})
        elif findings:
            from ..screens.findings import line

            out.segments(line(item.name, each) for each in findings)
        if not shader.editable:
            return exits.MALFORMED
        bad = any(map(is_finding, findings))
        return exits.FINDING if bad else exits.FINE

    return run_on(files, verify, out)


class _Report(Output):
    """Keeps the JSON document of each file, and writes all of them at the end in another form."""

    def __init__(self, path: str | None, format: str) -> None:
        super().__init__(path, as_json=True, fills_screen=False)
        self.format = format
        self.documents: list[dict[str, Any]] = []

    def document(self, item: Named, data: dict[str, Any]) -> None:
        """One file's findings, or its error."""
        self.documents.append({**item.named(), **data})

    def __exit__(self, kind: object, *_: object) -> None:
        self.as_json = False  # what is written is not a list of documents
        if kind is None:
            self._write()
        super().__exit__(kind)

    def _write(self) -> None:
        if self.format == "junit":
            from ..report.junit import junit

            self.text(junit(self.documents))
            return
        from .. import __version__
        from ..report.sarif import sarif

        self.json(sarif(self.documents, known_rules().values(), tool_version=__version__))


def known_rules() -> "dict[str, Rule]":
    """The rules of all formats by code."""
    from ..damaged import RULES
    from ..formats import known

    of_formats = (each.shader().rules() for each in known())
    return {code: rule for rules in (RULES, *of_formats) for code, rule in rules.items()}


def _explain(out: Output, code: str) -> None:
    known = known_rules()
    if code not in known:
        from difflib import get_close_matches

        near = get_close_matches(code, known, cutoff=0.5)
        hint = f"the nearest are {', '.join(near)}" if near else "--rules lists them"
        raise UsageError(f"no rule {code!r}; {hint}")
    rule = known[code]
    if out.as_json:
        out.json(_plain(rule))
        return
    from ..screens.blocks import Facts, Title
    from ..screens.info import TONES

    out.blocks(
        [
            Title(rule.code, rule.summary),
            Facts([("severity", (str(rule.severity), TONES[rule.severity]))]),
            Facts([("", rule.explanation)]),
        ]
    )


def _list(out: Output, _: str) -> None:
    known = known_rules().values()
    if out.as_json:
        out.json([_plain(rule) for rule in known])
        return
    from ..screens.blocks import Cell, Table
    from ..screens.info import TONES

    rows: list[list[Cell]] = [
        [(rule.code, "name"), (str(rule.severity), TONES[rule.severity]), rule.summary]
        for rule in known
    ]
    out.blocks([Table("", ("code", "severity", "what was found"), rows)])


def _plain(rule: "Rule") -> dict[str, str]:
    return {**rule._asdict(), "severity": str(rule.severity)}
