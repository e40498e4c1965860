"""`unshade verify`: every rule of the format and its programs, and where a file breaks one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..rule import is_finding
from ..screens.text import visible
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output

if TYPE_CHECKING:
    from ..rule import Rule


def run(
    files: Sequence[str],
    as_json: bool = False,
    explain: str | None = None,
    rules: bool = False,
    output: str | None = None,
) -> int:
    """Print the findings of each file. Exit code 1 for an error or a warning, notes count not.

    `explain` is the code of a rule to tell about instead, `rules` asks for a list of them all.
    """
    if bool(files) + rules + (explain is not None) != 1:
        raise UsageError("verify takes either FILE..., or --rules, or --explain CODE")
    out = Output(output, as_json=as_json, fills_screen=False)
    if not files:
        with out:
            (_list if explain is None else _explain)(out, explain or "")
        return exits.FINE

    def verify(item: Input) -> int:
        findings = item.open().verify()
        if as_json:
            out.document(item, {"findings": [each.to_dict() for each in findings]})
        else:
            for each in findings:
                out.text(visible(f"{item.name}: {each}") + "\n")
        bad = any(map(is_finding, findings))
        return exits.FINDING if bad else exits.FINE

    return run_on(files, verify, out)


def _rules() -> "dict[str, Rule]":
    """The rules of all formats by code."""
    from ..formats import FORMATS

    return {code: rule for each in FORMATS for code, rule in each.shader().rules().items()}


def _explain(out: Output, code: str) -> None:
    known = _rules()
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
    known = _rules().values()
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
