"""From records to the model."""

from .common import RecordError
from .module import decode_module

__all__ = ["RecordError", "decode_module"]
