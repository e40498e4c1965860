"""The scripts of tools/, as modules."""

import importlib.util
from types import ModuleType

from tests.corpus import REPOSITORY


def tool(name: str) -> ModuleType:
    """Import a script of tools/."""
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
