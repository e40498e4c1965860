"""`unshade check --pipeline`: the pipelines of a command line, and their findings.

unshade check --pipeline vs.cso ps.cso         one pipeline
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, with_origin
from ..rule import is_finding
from . import exits
from .commands import CheckOptions
from .inputs import Input, expand, run_over, summary
from .output import Collected, CommandOutput, note

if TYPE_CHECKING:
    from ..analysis.pipelines import Pipeline, PipelineFinding

__all__ = ["PipelineInput", "run"]

WORDS = {**exits.WORDS, exits.FINDING: "with findings"}


class PipelineInput:
    """A pipeline of a command line: the files of its stages, and what describes it beside them."""

    __slots__ = ("files", "layout", "name", "root_signature", "state")

    def __init__(
        self,
        files: Sequence[Input],
        name: str = "",
        *,
        root_signature: Input | None = None,
        layout: Input | None = None,
        state: Input | None = None,
    ) -> None:
        self.files = files
        self.name = name or " + ".join(each.name for each in files)
        self.root_signature = root_signature
        self.layout = layout
        self.state = state

    def named(self) -> dict[str, str | None]:
        """Return the keys that identify the pipeline in a JSON document."""
        return {"pipeline": self.name}

    def open(self) -> "Pipeline":
        """Open the files, and return the pipeline."""
        from ..analysis.pipelines import (
            Pipeline,
            layout_of,
            parsed,
            root_signature_of,
            stages_of,
            state_of,
        )

        stages = []
        for each in self.files:
            with with_origin(each.name):
                stages += stages_of(each.open_program(), each.name)
        given: dict[str, Any] = {}
        for name, read in (("layout", layout_of), ("state", state_of)):
            file: Input | None = getattr(self, name)
            if file is not None:
                with with_origin(file.name):
                    given[name] = read(parsed(file.read(), file.name))
        if self.root_signature is not None:
            file = self.root_signature
            with with_origin(file.name):
                given["root_signature"] = root_signature_of(file.read(), file.name)
        return Pipeline(*stages, name=self.name, **given)


def run(given: CheckOptions) -> int:
    """Check pipelines; return 1 if one has an error or a warning."""
    format = "json" if given.as_json else given.format or "text"
    beside: dict[str, Any] = {
        name: None if getattr(given, name) is None else Input(getattr(given, name))
        for name in ("root_signature", "layout", "state")
    }
    pipelines = [PipelineInput(expand(given.files), **beside)]
    if format in ("junit", "sarif"):
        out: CommandOutput = Collected(given.output, lambda out: _report(out, format))
    else:
        out = CommandOutput(given.output, as_json=format == "json", fills_screen=False)
    out.several = len(pipelines) > 1

    def check(item: PipelineInput) -> int:
        pipeline = item.open()
        findings = pipeline.check()
        if out.as_json:
            out.document(item, _plain(pipeline, findings))
        elif findings:
            from ..screens.findings import pipeline_lines

            out.segments(line for each in findings for line in pipeline_lines(each))
        return exits.FINDING if any(map(is_finding, findings)) else exits.FINE

    counts = run_over(pipelines, check, out)
    if not counts:
        raise UsageError("no pipelines")
    if out.several:
        note(summary(counts, "pipeline", WORDS))
    return max(counts)


def _plain(pipeline: "Pipeline", findings: "Sequence[PipelineFinding]") -> dict[str, Any]:
    return {
        "stages": [
            {"stage": each.stage, "file": each.name, "entry_point": each.entry}
            for each in pipeline.stages
        ],
        "findings": [each.to_dict() for each in findings],
    }


def _report(out: Collected, format: str) -> None:
    if format == "junit":
        from ..report.junit import junit

        out.text(junit(out.documents, verb="check"))
        return
    from .. import __version__
    from ..report.sarif import sarif
    from .rules import known_rules

    out.json(sarif(out.documents, known_rules().values(), tool_version=__version__))
