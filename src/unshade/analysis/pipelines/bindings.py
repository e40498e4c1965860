"""Root signatures of a state object: the global one, local ones, and the bindings of its shaders.

    global   SRV(t0), UAV(u0)                       held by the command list
    local    CBV(b0, space=1)   of hit group glass  arguments in the records of its table
    shade    t0, b0 in space 1                      each is bound by one of the two

Source: DirectX-Specs, Raytracing, "Local root signatures vs global root signatures"; published logs
of the debug layer.
"""

from collections.abc import Sequence

from ...model.rootsignature_bindings import check_bindings
from ...model.rootsignature_rules import check_root_signature
from .exports import ExportedShader, ObjectExports
from .findings import PipelineFindings
from .roots import NUMBERS, VIEWS, GivenRootSignature, range_of, stage_bindings

__all__ = ["check_bindings_of"]


def check_bindings_of(found: PipelineFindings, object: ObjectExports) -> None:
    """Check the root signatures of a state object, and the bindings of its shaders against them.

    A resource is bound by the global root signature or by the local one. Shaders without a root
    signature are taken to get one from the application later, unless the state object contains root
    signatures.
    """
    described = object.described
    for key, given in object.roots.items():
        is_local = key in described.local_root_signatures
        for problem in check_root_signature(given.root, local=is_local):
            found.add(problem.code, problem.message, given.place(problem.path))
    if not object.is_whole or not object.roots:
        return
    of_programs = {name for each in described.programs for name in each.exports}
    for export in object.exports:
        if export.stage.stage in NUMBERS and not any(map(export.is_named, of_programs)):
            continue
        names = object.associated(export, described.global_root_signatures)
        local = object.associated(export, described.local_root_signatures)
        if len(names) > 1 or len(local) > 1:
            what = "global" if len(names) > 1 else "local"
            message = f"{export.shown!r:.80} has {max(len(names), len(local))} {what} root"
            found.add("object.root", f"{message} signatures", export.stage.place())
            continue
        _check_export(found, export, [object.roots[each] for each in (*local, *names)])


def _check_export(
    found: PipelineFindings, export: ExportedShader, given: Sequence[GivenRootSignature]
) -> None:
    stage = export.stage
    facts = stage.facts
    problems = [
        list(check_bindings(each.root, stage.stage, stage_bindings(stage, each), facts.features))
        for each in given
    ]
    unbound = [
        {each.binding for each in some if each.code == "rts0.unbound" and each.binding is not None}
        for some in problems
    ] or [{*range(len(facts.resources))}]
    start = (
        f'Resource bindings for function "{export.shown}" not compatible with associated root'
        " signatures (if any)"
    )
    for number in sorted(set.intersection(*unbound)):
        resource = facts.resources[number]
        if resource.resource.register_class not in VIEWS or resource.resource.used is False:
            continue
        place = stage.place(stage.shader.resource_path(stage.program, resource))
        roots = ", ".join(each.name for each in given) or "none"
        message = (
            f"{start}: {roots}. Error detail: {range_of(resource.resource)} is not fully bound"
        )
        found.add("object.binding", f"{message} in a root signature.", place)
    for each, some in zip(given, problems, strict=True):
        for problem in some:
            if problem.code != "rts0.unbound":
                found.add(
                    problem.code, f"{start}: {problem.message}",
                    stage.place(), each.place(problem.path),
                )  # fmt: skip
