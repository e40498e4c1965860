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
    Pass,
    TargetDescription,
    TextureDescription,
)
from .running import Frame, FrameResult

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
    "Pass",
    "TargetDescription",
    "TextureDescription",
]  # fmt: skip
