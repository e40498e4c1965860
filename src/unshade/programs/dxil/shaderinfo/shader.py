"""Everything that the metadata of a module contains about a shader."""

from ....tuples import NamedTuple
from ..model.module import DxilModule
from .annotations import FunctionAnnotation, StructAnnotation, read_annotations
from .entry import DxilEntryPoint, read_entry
from .fields import named_nodes
from .resources import DxilResources, read_resources

__all__ = ["DxilShader", "DxilSourceFile", "read_shader"]


class DxilSourceFile(NamedTuple):
    """A source file that the module contains."""

    name: str
    text: str


class DxilShader(NamedTuple):
    """The description of a shader by metadata; versions are (major, minor), or None if not stated.

    `stage` is the compiler's name of the stage: `ps`, `lib`. A shader for the newest validator, or
    for no validator, contains the version 0.0.
    """

    version: tuple[int, int] | None
    validator: tuple[int, int] | None
    stage: str
    shader_model: tuple[int, int] | None
    entry_points: list[DxilEntryPoint]
    resources: DxilResources
    view_id_state: list[int]
    structures: list[StructAnnotation]
    functions: list[FunctionAnnotation]
    sources: list[DxilSourceFile]
    main_file: str
    defines: list[str]
    arguments: list[str]

    def is_validated_by(self, major: int, minor: int) -> bool:
        """Return whether the shader is meant for this version of the validator, or a later one."""
        stated = self.validator or (1, 0)
        return stated == (0, 0) or stated >= (major, minor)


def read_shader(module: DxilModule) -> DxilShader:
    """Return the description of a shader in the metadata of a module.

    Raises:
        FormatError: The structure of metadata is not DXIL's; the path leads to it.
    """
    stage = ""
    shader_model = None
    for node in named_nodes(module, "dx.shaderModel")[:1]:
        stage, shader_model = node.text(0), (node.number(1), node.number(2))
    resources = named_nodes(module, "dx.resources")
    state: list[int] = []
    for node in named_nodes(module, "dx.viewIdState")[:1]:
        state = node.words(0)
    structures, functions = read_annotations(module)
    contents = named_nodes(module, "dx.source.contents")
    return DxilShader(
        version=_version(module, "dx.version"),
        validator=_version(module, "dx.valver"),
        stage=stage,
        shader_model=shader_model,
        entry_points=[read_entry(node) for node in named_nodes(module, "dx.entryPoints")],
        resources=read_resources(resources[0] if resources else None),
        view_id_state=state,
        structures=structures,
        functions=functions,
        sources=[DxilSourceFile(node.text(0), node.text(1)) for node in contents],
        main_file="".join(_texts(module, "dx.source.mainFileName")),
        defines=_texts(module, "dx.source.defines"),
        arguments=_texts(module, "dx.source.args"),
    )


def _version(module: DxilModule, name: str) -> tuple[int, int] | None:
    found = named_nodes(module, name)
    return (found[0].number(0), found[0].number(1)) if found else None


def _texts(module: DxilModule, name: str) -> list[str]:
    """Return the strings of named metadata."""
    return [node.text(at) for node in named_nodes(module, name) for at in range(len(node))]
