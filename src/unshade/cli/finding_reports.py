"""Reports of findings, for `verify` and `check`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..rule import Rule
    from .output import Collected


COLLECTED = ("junit", "sarif", "github")  # formats of reports of all findings


def write_findings(
    out: "Collected", format: str, verb: str, rules: "Iterable[Rule] | None" = None
) -> None:
    """Write the collected documents in one of COLLECTED: SARIF has those rules, or all."""
    if format == "github":
        from ..report.annotations import workflow_commands

        out.text(workflow_commands(out.documents))
        return
    if format == "junit":
        from ..report.junit import junit

        out.text(junit(out.documents, verb=verb))
        return
    from .. import __version__
    from ..analysis.explanations import known_rules
    from ..report.sarif import sarif

    known = known_rules().values() if rules is None else rules
    out.json(sarif(out.documents, known, tool_version=__version__))
