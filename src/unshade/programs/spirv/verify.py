"""Verification of a module: the validator, with rules that no compiler's modules violate."""

from ...errors import Diagnostic
from .module import Module
from .validate import RULES, ValidatorOptions, validate
from .validate.environment import DEFAULT_ENVIRONMENT
from .validate.header import reading

__all__ = ["RULES", "reading", "verify"]

# The layout of blocks depends on the features of a device; the loosest is allowed.
OPTIONS = ValidatorOptions(scalar_block_layout=True)


def verify(module: Module, target: str = DEFAULT_ENVIRONMENT) -> list[Diagnostic]:
    """Return diagnostics in file order; offsets are relative to the start of the module.

    Args:
        module: The module; it is not changed.
        target: The environment it is for: spv1.6, vulkan1.3, opencl2.1, …

    Raises:
        UsageError: The target is unknown.
    """
    return validate(module, target, OPTIONS)
