"""Payloads: data that task shaders pass to mesh shaders, and ray tracing shaders to each other.

    TaskPayloadWorkgroupEXT     of a task shader and its mesh shaders
    RayPayloadKHR               passed when a ray is traced; IncomingRayPayloadKHR takes it
    CallableDataKHR             passed to a callable shader; IncomingCallableDataKHR takes it

Sizes are those of the members without padding: these types have no layout.

Source: SPIR-V, Storage Class; SPV_EXT_mesh_shader, SPV_KHR_ray_tracing.
"""

from ....model import MeshShading, RayTracing, Stage
from ....model.facts import ProgramFacts
from ..tables.numbers import StorageClass
from .resources import ModuleVariable

__all__ = ["add_payload"]

OF_MESHES = (Stage.MESH, Stage.AMPLIFICATION)
OF_RAYS: dict[int, str] = {
    StorageClass.RayPayloadKHR: "passed_payloads",
    StorageClass.CallableDataKHR: "passed_parameters",
    StorageClass.IncomingRayPayloadKHR: "payload_size",
    StorageClass.IncomingCallableDataKHR: "payload_size",
    StorageClass.HitAttributeKHR: "attribute_size",
}


def add_payload(facts: ProgramFacts, variable: ModuleVariable, size: int) -> None:
    """Add the size of a variable if it is a payload."""
    if variable.storage == StorageClass.TaskPayloadWorkgroupEXT and facts.stage in OF_MESHES:
        if facts.mesh is None:
            facts.mesh = MeshShading()
        facts.mesh.payload_size = size
    field = OF_RAYS.get(variable.storage)
    if field is None:
        return
    if facts.ray_tracing is None:
        facts.ray_tracing = RayTracing(passed_payloads=[], passed_parameters=[])
    known = getattr(facts.ray_tracing, field)
    if isinstance(known, list):
        setattr(facts.ray_tracing, field, sorted({*known, size}))
    else:
        setattr(facts.ray_tracing, field, size)
