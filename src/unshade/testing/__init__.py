"""Testing shaders with pytest.

    def test_saxpy(shader: ShaderFixture) -> None:
        kernel = shader("saxpy.dxbc")
        result = kernel.dispatch(1, a=2.0, X=x, Y=y)
        assert result["Y"] == approx_ulp(2.0 * x + y, 1)

The plugin (plugin.py) provides the fixture `shader`, explains comparisons that fail with the trace
of the thread that wrote the wrong number, writes pages of such shaders (pages.py), and counts
coverage of the listing. Modules are loaded on first use, because the plugin is part of every test
run where unshade is installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..run.ulp import ulp_distance
    from .checking import check
    from .kernels import FrameFixture, ShaderFixture
    from .strategies import arguments
    from .ulp import approx_ulp, assert_close
    from .vector import Vector, vectors

_HOME = {
    "FrameFixture": ".kernels",
    "ShaderFixture": ".kernels",
    "Vector": ".vector",
    "approx_ulp": ".ulp",
    "arguments": ".strategies",
    "assert_close": ".ulp",
    "check": ".checking",
    "ulp_distance": "..run.ulp",
    "vectors": ".vector",
}

__all__ = [
    "FrameFixture", "ShaderFixture", "Vector", "approx_ulp", "arguments", "assert_close", "check",
    "ulp_distance", "vectors",
]  # fmt: skip


if not TYPE_CHECKING:  # a type checker would take every name for one that is there

    def __getattr__(name: str) -> Any:
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module 'unshade.testing' has no attribute {name!r}")
        from ..run import need_numpy

        need_numpy()
        return getattr(import_module(home, __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
