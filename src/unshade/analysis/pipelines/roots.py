"""Root signatures against the bindings of the stages.

    main.rootsig   CBV(b0), DescriptorTable(SRV(t0), visibility=SHADER_VISIBILITY_PIXEL)
    vs.cso         b0, t0                 t0 is not bound for vertex: parameters[1] is for pixel

The root signature is given, or the stages embed it.
The rules, which `verify` also checks for a shader that embeds one, are in
`model.rootsignature_rules` and `model.rootsignature_bindings`.
"""

from collections.abc import Sequence
from contextlib import suppress

from ...api import assemble, loads
from ...errors import UnshadeError, UsageError
from ...files import Path, contents
from ...format import load
from ...formats import identify, known
from ...isa.source import Source, decoded
from ...model.resources import Resource
from ...model.rootsignature import RootSignature
from ...model.rootsignature_bindings import (
    ShaderBinding,
    bindings_of,
    check_bindings,
    layouts_of,
)
from ...model.rootsignature_rules import check_root_signature
from ...shader import Shader
from ...tuples import NamedTuple
from ...vocab.words import Stage, SystemValue
from .findings import PipelineFindings
from .rules import PSO
from .stages import PathOffsets, PipelinePlace, PipelineStage

__all__ = [
    "NUMBERS",
    "VIEWS",
    "GivenRootSignature",
    "check_roots",
    "range_of",
    "root_signature_of",
    "stage_bindings",
]

UNNAMED = "the root signature"
INPUT_LAYOUT = "allow_input_assembler_input_layout"
NUMBERS = {  # of D3D12_MESSAGE_ID_CREATE…PIPELINESTATE_xS_ROOT_SIGNATURE_MISMATCH
    Stage.HULL: 686, Stage.DOMAIN: 687, Stage.VERTEX: 688, Stage.GEOMETRY: 689, Stage.PIXEL: 690,
    Stage.COMPUTE: 882, Stage.AMPLIFICATION: 1244, Stage.MESH: 1245,
}  # fmt: skip
# Rules that the runtime checks when it creates a pipeline.
REPORTED = ("rts0.unbound", "rts0.denied", "rts0.descriptor", "rts0.heap")
VIEWS = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "sampler"}


class GivenRootSignature(NamedTuple):
    """A root signature, the shader that its file contains (else None), and the name of the file."""

    root: RootSignature
    shader: Shader | None = None
    name: str = UNNAMED

    def place(self, path: str) -> PipelinePlace:
        """Return the place of a field of the model."""
        if self.shader is not None and path:
            path = self.shader.root_signature_path(path)
            return PipelinePlace("", self.name, path, PathOffsets(self.shader).of(path))
        return PipelinePlace("", self.name, path)


def root_signature_of(
    given: "RootSignature | Shader | bytes | Path | GivenRootSignature", name: str = ""
) -> GivenRootSignature:
    """Return a root signature.

    Args:
        given: The root signature of a reflection, a shader that embeds one, the bytes of one, or
            the path of a file: of such a shader, of the part of a container alone, or of a text in
            HLSL.
        name: The name of its file, for findings.

    Raises:
        UsageError: There is no root signature.
        AssembleError: The text contains errors.
    """
    if isinstance(given, GivenRootSignature):
        return given
    if isinstance(given, RootSignature):
        return GivenRootSignature(given, name=name or UNNAMED)
    if not isinstance(given, Shader | bytes):
        name = name or str(given)
        given = contents(given)
    name = name or UNNAMED
    is_shader = True
    if isinstance(given, bytes):
        is_shader = identify(given) is not None
        given = loads(given) if is_shader else _alone(given, name)
    found = given.reflect().root_signature
    if found is None:
        raise UsageError(f"{name}: expected a root signature")
    return GivenRootSignature(found, given if is_shader else None, name)


def _alone(data: bytes, name: str) -> Shader:
    """Return a shader for the data of a part with a root signature, or for a text."""
    for each in known():
        if each.root_signature:
            with suppress(UnshadeError):
                found: Shader = load(each.root_signature)(data)
                return found
    text = decoded(data)
    return loads(data) if text is None else assemble(Source(text, name))


# -- checks --------------------------------------------------------------------------------------


def check_roots(
    found: PipelineFindings, stages: Sequence[PipelineStage], given: GivenRootSignature | None
) -> None:
    """Check the root signature of a pipeline; `given` replaces the root signatures of stages.

    Stages that embed different root signatures belong to an application that passes another; each
    stage is then checked against its own.
    """
    embedded = {} if given is not None else _embedded(stages)
    roots = [given] if given is not None else [*embedded.values()]
    if not roots:
        return
    first, *others = roots
    different = [each for each in others if each.root != first.root]
    for each in different:
        message = f"{each.name} embeds another root signature than {first.name}"
        found.add("root.several", message, each.place("version"), first.place("version"))
    for each in [first, *different]:
        for problem in check_root_signature(each.root, local=False):
            found.add(problem.code, problem.message, each.place(problem.path))
    for stage in stages:
        own = embedded.get(stage.stage) if different else first
        if own is not None:
            _check_stage(found, stage, own)


def _embedded(stages: Sequence[PipelineStage]) -> dict[str, GivenRootSignature]:
    """Return the root signatures that stages embed."""
    found = {}
    for each in stages:
        root = each.reflection.root_signature
        if root is not None:
            found[each.stage] = GivenRootSignature(root, each.shader, each.name)
    return found


def _check_stage(found: PipelineFindings, stage: PipelineStage, given: GivenRootSignature) -> None:
    facts = stage.facts
    bindings = stage_bindings(stage, given)
    number = NUMBERS.get(Stage(stage.stage))
    kind = "CREATECOMPUTEPIPELINESTATE_" if stage.stage == Stage.COMPUTE else PSO
    short = {Stage.COMPUTE: "CS"}.get(Stage(stage.stage), f"{stage.stage[0].upper()}S")
    reference = f"STATE_CREATION ERROR #{number}: {kind}{short}_ROOT_SIGNATURE_MISMATCH"
    features = stage.reflection.features or facts.features
    for problem in check_bindings(given.root, stage.stage, bindings, features):
        places = [given.place(problem.path)] if problem.path or problem.binding is None else []
        message = f"Root Signature doesn't match {stage.title}: "
        if problem.binding is None:
            places.insert(0, stage.place())
        else:
            resource = facts.resources[problem.binding]
            places.insert(0, stage.place(stage.shader.resource_path(stage.program, resource)))
            if problem.code == "rts0.unbound":
                message += f"{range_of(resource.resource)} is not fully bound in root signature. "
        told = reference if problem.code in REPORTED else ""
        found.add(problem.code, message + problem.message, *places, reference_of=told)
    _check_input_layout(found, stage, given)


def _check_input_layout(
    found: PipelineFindings, stage: PipelineStage, given: GivenRootSignature
) -> None:
    reads = [
        each.name
        for each in stage.rows("inputs")
        if each.row.system_value not in (SystemValue.VERTEX_ID, SystemValue.INSTANCE_ID)
    ]
    if stage.stage == Stage.VERTEX and reads and INPUT_LAYOUT not in given.root.flags:
        message = f"expected the flag {INPUT_LAYOUT.upper()}: the vertex shader reads "
        found.add(
            "root.input-layout", message + ", ".join(reads), given.place("flags"), stage.place()
        )


def range_of(one: Resource) -> str:
    """Return a range of descriptors in the words of the runtime."""
    count = 0xFFFF_FFFF if one.count is None else one.count
    return (
        f"Shader {VIEWS[one.register_class]} descriptor range"
        f" (BaseShaderRegister={one.register}, NumDescriptors={count}, RegisterSpace={one.space})"
    )


def stage_bindings(stage: PipelineStage, given: GivenRootSignature) -> list[ShaderBinding]:
    """Return the bindings of a stage, to be checked against a root signature."""
    return list(
        bindings_of(
            given.root,
            stage.facts,
            lambda: stage.program.constant_reads(stage.entry),
            lambda: layouts_of(stage.reflection),
        )
    )
