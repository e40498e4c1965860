"""Descriptions of pipelines that a file contains beside its shaders.

StoredPipeline ── stages           vertex: key of the shader
              ├─ root_signature   key of its blob
              └─ state            input layout, blending, depth, formats, …
"""

from typing import Any

from .plain import Facts, fact

__all__ = ["StoredPipeline"]


class StoredPipeline(Facts):
    """A pipeline: shaders, root signature and fixed-function state."""

    key: str = fact("key of the pipeline in the file, spelled as text")
    group: str = fact("key by which the application asks for it; empty if none", default="")
    version: int | None = fact("version of that group", default=None)
    type: str = fact("`graphics`, `compute` or `mesh`; `unknown` without a shader")
    stages: dict[str, str] = fact("key of the shader of each stage", factory=dict)
    root_signature: str | None = fact("key of the root signature", default=None)
    state: dict[str, Any] = fact(
        "fixed-function state, with the names of the API: input layout, blend, rasterizer, …",
        factory=dict,
    )
