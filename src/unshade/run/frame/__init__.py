"""Frames: several passes of draws, dispatches and copies over resources with names."""

from .description import (
    BufferDescription,
    Command,
    Copy,
    Dispatch,
    Draw,
    FrameCamera,
    FrameDescription,
    FrameMesh,
    FramePipeline,
    FrameShader,
    FrameStreamOutput,
    Indirect,
    Pass,
    QueryCopy,
    Resolve,
    TargetDescription,
    TextureDescription,
)
from .result import FrameResult
from .running import Frame

__all__ = [
    "BufferDescription",
    "Command",
    "Copy",
    "Dispatch",
    "Draw",
    "Frame",
    "FrameCamera",
    "FrameDescription",
    "FrameMesh",
    "FramePipeline",
    "FrameResult",
    "FrameShader",
    "FrameStreamOutput",
    "Indirect",
    "Pass",
    "QueryCopy",
    "Resolve",
    "TargetDescription",
    "TextureDescription",
]  # fmt: skip
