"""Findings about pipelines, with the places in every file that they concern."""

from collections.abc import Sequence

from ...errors import Diagnostic, Severity
from ...model.rootsignature_rules import RULES as OF_ROOTS
from ...notebook import Shown
from .rules import BY_CODE, DIRECT3D, PSO, RULES, S, reference
from .stages import PipelinePlace, PipelineStage, StageRow

__all__ = ["PipelineFinding", "PipelineFindings", "PipelineReport"]

OF_PATCH = f"{S}#659: {PSO}SHADER_LINKAGE_HS_DS_SIGNATURE_MISMATCH"  # of patch constants


class PipelineFinding(Diagnostic):
    """A finding about a pipeline.

    `offset` and `path` belong to the first place. `places` are the places in all files that the
    finding concerns, `reference` identifies the message of the API: a number and name of the debug
    layer of Direct3D, a valid usage identifier of Vulkan; empty if the API has no such rule.
    """

    __slots__ = ("places", "reference")

    def __init__(
        self,
        code: str,
        severity: Severity,
        message: str,
        *,
        places: Sequence[PipelinePlace] = (),
        reference: str = "",
    ) -> None:
        first = places[0] if places else PipelinePlace("", "")
        super().__init__(code, severity, message, offset=first.offset, path=first.path)
        self.places = tuple(places)
        self.reference = reference

    def to_dict(self) -> dict[str, object]:
        """Return plain data: code, severity, offset (or None), path, message, places, reference."""
        places = [each.to_dict() for each in self.places]
        return {**super().to_dict(), "places": places, "reference": self.reference}

    def __str__(self) -> str:
        return f"{self.severity} {self.code}: {self.text}"

    @property
    def text(self) -> str:
        """The message, its reference, and all places."""
        shown = f" [{self.reference}]" if self.reference else ""
        return f"{self.message}{shown} ({'; '.join(map(str, self.places))})"


class PipelineReport(Shown, list[PipelineFinding]):
    """The findings about a pipeline; notebooks show them as a table."""

    drawn_by = "findings"


class PipelineFindings:
    """A collector of findings about one pipeline, for a runtime: d3d11, d3d12 or vulkan."""

    def __init__(self, runtime: str) -> None:
        self.runtime = runtime
        self.found = PipelineReport()

    def add(
        self,
        code: str,
        message: str,
        *places: PipelinePlace,
        severity: Severity | None = None,
        reference_of: str | None = None,
    ) -> None:
        """Add a violation of a rule."""
        rule = RULES.get(code) or OF_ROOTS[code]
        found = rule.severity if severity is None else severity
        known = reference(code, self.runtime) if reference_of is None else reference_of
        self.found.append(PipelineFinding(code, found, message, places=places, reference=known))

    def link(self, code: str, before: PipelineStage, row: StageRow, message: str) -> None:
        """Add a violation by an input and the stage before, in the words of the API."""
        self._link(code, before.title, row, message, row.place, before.place())

    def pair(self, code: str, output: StageRow, row: StageRow, message: str = "") -> None:
        """Add a violation by an output and an input."""
        shown = f"{output.name} is {output.where} in {output.stage.title.lower()}"
        shown += f", {row.where} in {row.stage.title.lower()}"
        text = f"{shown}{': ' if message else ''}{message}"
        self._link(code, output.stage.title, row, text, row.place, output.place)

    def _link(
        self, code: str, before: str, row: StageRow, message: str, *places: PipelinePlace
    ) -> None:
        words = BY_CODE[code].words if row.stage.api == DIRECT3D else ""
        if words:
            words = words.format(semantic=row.row.semantic, index=row.row.index)
            message = f"{before} - {row.stage.title} linkage error: {words} {message}"
        of_patch = row.is_of_patch and self.runtime == "d3d12"
        self.add(code, message, *places, reference_of=OF_PATCH if of_patch else None)
