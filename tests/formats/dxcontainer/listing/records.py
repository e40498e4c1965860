"""A resource definition with nothing in it but what a test is about."""

from __future__ import annotations

from collections.abc import Sequence

from unshade.formats.dxcontainer.parts.rdef import Binding, Buffer, ResourceDefinition, Target


def resources(
    buffers: Sequence[Buffer] = (), bindings: Sequence[Binding] = (), minor: int = 0
) -> ResourceDefinition:
    """RDEF of a pixel shader of model 5 that "fxc" made."""
    return ResourceDefinition(
        buffer_count=None,
        buffers=list(buffers),
        binding_count=None,
        bindings=list(bindings),
        minor=minor,
        major=5,
        target=Target.PIXEL,
        flags=0,
        creator="fxc",
        sizes=None,
    )
