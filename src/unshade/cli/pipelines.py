"""`unshade check --pipeline`: the pipelines of a command line, and their findings.

unshade check --pipeline vs.cso ps.cso         one pipeline
unshade check --pair 'vs/*.cso=ps/*.cso'       a pipeline of each pair
unshade check --pipelines pipelines.json       those of a file
unshade check --pipeline game.database         those that a database describes
unshade check --pipeline rays.library          the state object of libraries
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, with_origin
from ..files import check_output, protect
from ..rule import is_finding
from . import exits
from .commands import CheckOptions
from .finding_reports import COLLECTED, write_findings
from .inputs import Input, expand, run_over, summary
from .output import Collected, CommandOutput, note

if TYPE_CHECKING:
    from ..analysis.pipelines import (
        Pipeline,
        PipelineFinding,
        StateObject,
        StoredObjectOpener,
        StoredPipelineOpener,
    )
    from ..shader import Shader

__all__ = ["PipelineInput", "run"]

Beside = Input | Mapping[str, Any] | None
MOST_ALONE = 20  # files without a partner that are listed
WORDS = {**exits.WORDS, exits.FINDING: "with findings"}


class PipelineInput:
    """A pipeline of a command line: the files of its stages, its layout and its state.

    `layout` and `state` are files of JSON, or their data.
    """

    __slots__ = ("layout", "name", "root_signature", "stages", "state")

    def __init__(
        self,
        stages: Sequence[tuple[Input, str | None]],
        name: str = "",
        *,
        root_signature: Input | None = None,
        layout: Beside = None,
        state: Beside = None,
    ) -> None:
        self.stages = stages
        self.name = name or " + ".join(dict.fromkeys(each.name for each, _ in stages))
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
        for each, entry in self.stages:
            with with_origin(each.name):
                stages += stages_of(each.open_program(True, entry=entry), each.name, entry)
        given: dict[str, Any] = {}
        for name, read in (("layout", layout_of), ("state", state_of)):
            beside: Beside = getattr(self, name)
            if isinstance(beside, Input):
                with with_origin(beside.name):
                    given[name] = read(parsed(beside.read(), beside.name))
            elif beside is not None:
                given[name] = read(beside)
        if self.root_signature is not None:
            file = self.root_signature
            with with_origin(file.name):
                given["root_signature"] = root_signature_of(file.read(), file.name)
        return Pipeline(*stages, name=self.name, **given)


class StoredPipelineInput:
    """A pipeline or state object that a file of the command line describes."""

    __slots__ = ("name", "stored")

    def __init__(self, stored: "StoredPipelineOpener | StoredObjectOpener") -> None:
        self.stored = stored
        self.name = stored.name

    def named(self) -> dict[str, str | None]:
        """Return the keys that identify the pipeline in a JSON document."""
        return {"pipeline": self.name}

    def open(self) -> "Pipeline | StateObject":
        """Open the shaders, and return the pipeline or state object."""
        return self.stored.open()


class LibrariesInput:
    """Libraries of a command line, which are one state object."""

    __slots__ = ("libraries", "name", "root_signature")

    def __init__(
        self, libraries: Sequence[tuple[Input, "Shader"]], *, root_signature: Input | None = None
    ) -> None:
        self.libraries = libraries
        self.root_signature = root_signature
        self.name = " + ".join(dict.fromkeys(each.name for each, _ in libraries))

    def named(self) -> dict[str, str | None]:
        """Return the keys that identify the pipeline in a JSON document."""
        return {"pipeline": self.name}

    def open(self) -> "StateObject":
        """Return the state object."""
        from ..analysis.pipelines import object_of, root_signature_of

        root = None
        if self.root_signature is not None:
            file = self.root_signature
            with with_origin(file.name):
                root = root_signature_of(file.read(), file.name)
        libraries = [(shader, each.name) for each, shader in self.libraries]
        return object_of(libraries, root_signature=root, name=self.name)


Checked = PipelineInput | StoredPipelineInput | LibrariesInput


def run(given: CheckOptions) -> int:
    """Check pipelines; return 1 if one has an error or a warning."""
    format = "json" if given.as_json else given.format or "text"
    files = {
        "root_signature": given.root_signature,
        "layout": given.layout,
        "state": given.state,
    }
    beside: dict[str, Any] = {name: Input(path) for name, path in files.items() if path}
    for path in (*files.values(), given.pipelines):
        if path:
            protect(path)
    if given.output not in (None, "-"):
        check_output(given.output)
    pipelines: list[Checked] = []
    if given.pipeline:
        if not given.files:
            raise UsageError("--pipeline needs FILE...")
        pipelines += _given(list(expand(given.files)), beside)
    elif given.files:
        hint = ": the globs of --pair contain the folders" if given.pair else ""
        raise UsageError(f"FILE... needs --pipeline{hint}")
    for rule in given.pair:
        pipelines += _paired(rule, beside)
    if given.pipelines is not None:
        pipelines += _described(given.pipelines, beside)
    if format in COLLECTED:
        out: CommandOutput = Collected(
            given.output, lambda out: write_findings(out, format, "check")
        )
    else:
        out = CommandOutput(given.output, as_json=format == "json", fills_screen=False)
    out.several = len(pipelines) != 1 or not given.pipeline

    def check(item: Checked) -> int:
        pipeline = item.open()
        findings = pipeline.check()
        if out.as_json:
            out.document(item, _plain(pipeline, findings))
        elif findings:
            from ..screens.findings import pipeline_lines

            out.lines(line for each in findings for line in pipeline_lines(each))
        return exits.FINDING if any(map(is_finding, findings)) else exits.FINE

    counts = run_over(pipelines, check, out)
    if not counts:
        note("no pipelines")
        return exits.USAGE
    if out.several:
        note(summary(counts, "pipeline", WORDS))
    return max(counts)


def _given(files: Sequence[Input], beside: Mapping[str, Any]) -> "Iterator[Checked]":
    """Yield the pipeline whose stages are the files, or the pipelines that databases describe.

    Libraries together are a state object.
    """
    from ..formats import format_named, identify

    stages = []
    libraries = []
    for each in files:
        format = None if each.path == "-" else identify(each.head())
        if format is not None and format_named(format).stores_pipelines:
            from ..analysis.pipelines import stored_objects, stored_pipelines

            if beside:
                raise UsageError(
                    f"{each.name} describes its pipelines: expected no --{min(beside)}"
                )
            shader = each.open()
            yield from map(StoredPipelineInput, stored_pipelines(shader, each.name))
            yield from map(StoredPipelineInput, stored_objects(shader, each.name))
        elif (library := _library(each, format)) is not None:
            libraries.append((each, library))
        else:
            stages.append((each, None))
    if libraries:
        first = libraries[0][0].name
        wrong = next((name for name in beside if name != "root_signature"), None)
        if wrong is not None:
            raise UsageError(f"{first} is a library: expected no --{wrong}")
        if stages:
            other = stages[0][0].name
            raise UsageError(f"{first} is a library: expected libraries alone, got {other}, too")
        yield LibrariesInput(libraries, **beside)
    if stages:
        yield PipelineInput(stages, **beside)


def _library(file: Input, format: str | None) -> "Shader | None":
    """Return a file that is a library, or a module of shaders of ray tracing alone, or None."""
    from ..analysis.pipelines.rays import OF_RAYS
    from ..errors import UnshadeError
    from ..formats import format_named
    from ..model import Stage

    if format is None or format_named(format).pipelines not in ("direct3d", "vulkan"):
        return None
    try:
        shader = file.open()
        if shader.identity().stage == Stage.LIBRARY:
            return shader
        stages = {stage for each in shader.programs for _, stage in each.entry_points}
        return shader if stages and stages <= {*OF_RAYS} else None
    except UnshadeError:
        return None  # the error of opening it as a stage tells more


def _paired(text: str, beside: Mapping[str, Any]) -> Iterator[PipelineInput]:
    """Yield the pipelines of a rule; note the files that have no partner."""
    from ..analysis.pipelines.pairing import pair_rule

    rule = pair_rule(text)
    files: dict[str, list[str]] = {}
    for folder in rule.folders:
        if folder not in files:
            files[folder] = [_slashed(each.path) for each in expand([folder or "."])]
    made, alone = rule.pipelines([files[folder] for folder in rule.folders])
    for paths in made:
        for path in paths:
            protect(path)
        yield PipelineInput([(Input(path), None) for path in paths], **beside)
    for path in alone[:MOST_ALONE]:
        note(f"{path}: no partner for {text}")
    if len(alone) > MOST_ALONE:
        note(f"{len(alone) - MOST_ALONE:,} more files without a partner for {text}")


def _slashed(path: str) -> str:
    """Return a path as globs are written."""
    return path.replace(os.sep, "/").removeprefix("./")


def _described(path: str, beside: Mapping[str, Any]) -> Iterator[PipelineInput]:
    """Yield the pipelines of a JSON file, whose paths are relative to its folder."""
    from ..analysis.pipelines import parsed
    from ..analysis.pipelines.pairing import described_pipelines

    folder = os.path.dirname(path)

    def there(name: str) -> Input:
        found = os.path.join(folder, name)
        protect(found)
        return Input(found)

    for each in described_pipelines(parsed(Input(path).read(), path), path):
        own = dict(beside)
        for name in ("root_signature", "layout", "state"):
            value = getattr(each, name)
            if value is not None:
                own[name] = there(value) if isinstance(value, str) else value
        yield PipelineInput([(there(one.file), one.entry) for one in each.stages], each.name, **own)


def _plain(
    pipeline: "Pipeline | StateObject", findings: "Sequence[PipelineFinding]"
) -> dict[str, Any]:
    return {
        "stages": [
            {"stage": each.stage, "file": each.name, "entry_point": each.entry}
            for each in pipeline.stages
        ],
        "findings": [each.to_dict() for each in findings],
    }
