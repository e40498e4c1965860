"""Stages of the execution models."""

from ....vocab.words import Stage
from .numbers import ExecutionModel

__all__ = ["STAGES"]

STAGES = {
    ExecutionModel.Vertex:                 Stage.VERTEX,
    ExecutionModel.TessellationControl:    Stage.HULL,
    ExecutionModel.TessellationEvaluation: Stage.DOMAIN,
    ExecutionModel.Geometry:               Stage.GEOMETRY,
    ExecutionModel.Fragment:               Stage.PIXEL,
    ExecutionModel.GLCompute:              Stage.COMPUTE,
    ExecutionModel.Kernel:                 Stage.COMPUTE,
    ExecutionModel.TaskNV:                 Stage.AMPLIFICATION,
    ExecutionModel.TaskEXT:                Stage.AMPLIFICATION,
    ExecutionModel.MeshNV:                 Stage.MESH,
    ExecutionModel.MeshEXT:                Stage.MESH,
    ExecutionModel.RayGenerationKHR:       Stage.RAYGENERATION,
    ExecutionModel.IntersectionKHR:        Stage.INTERSECTION,
    ExecutionModel.AnyHitKHR:              Stage.ANYHIT,
    ExecutionModel.ClosestHitKHR:          Stage.CLOSESTHIT,
    ExecutionModel.MissKHR:                Stage.MISS,
    ExecutionModel.CallableKHR:            Stage.CALLABLE,
}  # fmt: skip
