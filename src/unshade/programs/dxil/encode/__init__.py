"""From the model to records."""

from .enumeration import enumerate_module
from .module import encode_module
from .standard import encode_standard

__all__ = ["encode_module", "encode_standard", "enumerate_module"]
