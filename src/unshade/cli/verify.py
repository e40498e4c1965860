"""`unshade verify`: every rule of the format and its programs, and where a file breaks one."""

from collections.abc import Sequence

from ..rules import is_finding
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, visible


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """Print the findings of each file. Exit code 1 for an error or a warning, notes count not."""
    out = Output(output, as_json=as_json, fills_screen=False)

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
