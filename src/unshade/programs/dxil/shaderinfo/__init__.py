"""Descriptions of shaders by metadata: versions, entry points, signatures, resources, types.

    dx.version dx.valver dx.shaderModel       versions
    dx.entryPoints                            functions, signatures, resources, properties by tag
    dx.resources                              resources of all entry points
    dx.typeAnnotations                        names, offsets and types of fields, parameters
    dx.viewIdState                            which outputs depend on which inputs
    dx.source.contents .defines .mainFileName .args

`read_shader(module)` returns all facts. Numbers are as in the file; vocab.dxil contains their
names.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst and DxilMetadataHelper.h.
"""

from .annotations import (
    FieldAnnotation,
    FunctionAnnotation,
    ParameterAnnotation,
    StructAnnotation,
    TemplateArgument,
)
from .entry import (
    DxilDomain,
    DxilEntryPoint,
    DxilGeometry,
    DxilHull,
    DxilMesh,
    DxilSignatures,
    EntryProperties,
    NodeRecords,
)
from .resources import DxilResource, DxilResources
from .shader import DxilShader, DxilSourceFile, read_shader
from .signatures import DxilSignatureElement

__all__ = [
    "DxilDomain",
    "DxilEntryPoint",
    "DxilGeometry",
    "DxilHull",
    "DxilMesh",
    "DxilResource",
    "DxilResources",
    "DxilShader",
    "DxilSignatureElement",
    "DxilSignatures",
    "DxilSourceFile",
    "EntryProperties",
    "FieldAnnotation",
    "FunctionAnnotation",
    "NodeRecords",
    "ParameterAnnotation",
    "StructAnnotation",
    "TemplateArgument",
    "read_shader",
]
