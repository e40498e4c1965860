"""Minimal records for tests: RDEF, a row of a signature."""

from __future__ import annotations

from collections.abc import Sequence

from unshade.formats.dxcontainer.parts.rdef import (
    RdefBinding,
    RdefBuffer,
    RdefTarget,
    ResourceDefinition,
)
from unshade.formats.dxcontainer.parts.signature import SignatureElement
from unshade.vocab.d3d import RegisterComponentType


def resources(
    buffers: Sequence[RdefBuffer] = (), bindings: Sequence[RdefBinding] = (), minor: int = 0
) -> ResourceDefinition:
    """RDEF of a pixel shader of model 5 that "fxc" made."""
    return ResourceDefinition(
        buffer_count=None,
        buffers=list(buffers),
        binding_count=None,
        bindings=list(bindings),
        minor=minor,
        major=5,
        target=RdefTarget.PIXEL,
        flags=0,
        creator="fxc",
        sizes=None,
    )


def element(
    name: str = "TEXCOORD",
    index: int = 0,
    value: int = 0,
    kind: int = RegisterComponentType.FLOAT32,
    register: int = 0,
    mask: int = 15,
    rw: int = 15,
    stream: int = 0,
    precision: int = 0,
) -> SignatureElement:
    return SignatureElement(
        stream=stream,
        name=name,
        index=index,
        system_value=value,
        component_type=kind,
        register=register,
        mask=mask,
        rw_mask=rw,
        min_precision=precision,
    )
