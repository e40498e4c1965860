"""Counters of draws: pipeline statistics, and the samples of an occlusion query.

    counts = PipelineStatistics()
    raster.draw(…, statistics=counts)
    raster.draw(…, statistics=counts)
    counts.ps_invocations, counts.samples_passed

Both APIs leave room for a device's own ways: vertices that several indices name may count once or
several times, shaders may run for pixels that nobody sees. The counters here count executed work:

    vs_invocations    vertices of the draw, each once, whatever the indices are
    c_primitives      pieces of primitives that clipping leaves, before faces are culled
    ps_invocations    pixels (with per-sample shading samples) that are covered; not helpers

Sources: D3D12_QUERY_DATA_PIPELINE_STATISTICS1; Vulkan specification, Pipeline Statistics Queries
and Occlusion Queries.
"""

from dataclasses import fields

from ...dataclass import dataclass

__all__ = ["PipelineStatistics"]


@dataclass(slots=True)
class PipelineStatistics:
    """Counters of draws; the fields of Direct3D 12, in the same order.

    `samples_passed` are the samples that passed all tests: the occlusion query.
    """

    ia_vertices: int = 0
    ia_primitives: int = 0
    vs_invocations: int = 0
    gs_invocations: int = 0
    gs_primitives: int = 0
    c_invocations: int = 0
    c_primitives: int = 0
    ps_invocations: int = 0
    hs_invocations: int = 0
    ds_invocations: int = 0
    cs_invocations: int = 0
    as_invocations: int = 0
    ms_invocations: int = 0
    ms_primitives: int = 0
    samples_passed: int = 0

    def add(self, **counts: int) -> None:
        """Add to some counters."""
        for name, count in counts.items():
            setattr(self, name, getattr(self, name) + count)

    def document(self) -> dict[str, int]:
        """Return the counters as plain data, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}
