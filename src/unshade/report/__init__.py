"""Findings and measurements in forms that other programs read.

    sarif   code scanning and editors        junit   test reports of CI systems

Both are made from the plain documents that `unshade verify --json` prints, one a file:
{"file": …, "findings": […]}, or {"file": …, "error": {…}} for a file that could not be checked.
"""

from typing import Any

Document = dict[str, Any]

__all__ = ["Document"]
