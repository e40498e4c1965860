"""From records to the model."""

from .module import decode_module

__all__ = ["decode_module"]
