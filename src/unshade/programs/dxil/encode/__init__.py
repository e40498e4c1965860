"""From the model to records."""

from .module import encode_module

__all__ = ["encode_module"]
