"""Values read back in the call that wrote them: as the format stores them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.run.slots import lowered
from unshade import UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Form, LoweredResource
from unshade.ir.memory import Space
from unshade.ir.textures import Shape
from unshade.run import Texture
from unshade.run.binding.pixel_formats import pixel_format
from unshade.run.binding.texels import decode
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep

COUNT = 64


def engines() -> list[Any]:
    found: list[Any] = [Lockstep()]
    if find_spec("llvmlite") is not None:
        from unshade.vm.jit import Jit

        found.append(Jit(threads=1))
    return found


def stored_and_read(returns: str, engine: Any) -> Kernel:
    """u0[i] = t0[i];  u1[i] = u0[i], four components of 32 bits each."""
    b = Builder(Code("main", group=(COUNT, 1, 1)))
    given = b.memory("t0", Space.BUFFER, 16)
    view = b.memory("u0", Space.BUFFER, 16, writable=True)
    out = b.memory("u1", Space.BUFFER, 16, writable=True)
    lane = b.source("thread_id.x")
    for at in range(4):
        b.store(view, lane, 4 * at, b.load(given, lane, 4 * at))
    for at in range(4):
        b.store(out, lane, 4 * at, b.load(view, lane, 4 * at))
    resources = {
        "t0": LoweredResource("t0", Form.RAW, 16),
        "u0": LoweredResource("u0", Form.TYPED, 16, True, (returns,) * 4, Shape.BUFFER),
        "u1": LoweredResource("u1", Form.RAW, 16, True),
    }
    return kernel_of(lowered(b.kernel, resources.values()), None, engine)


FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, np.nan, np.inf, -np.inf, 1e-40, 65504.0, 65520.0]


def numbers(returns: str) -> np.ndarray[tuple[int, ...], np.dtype[Any]]:
    rng = np.random.default_rng(3)
    if returns in ("uint", "sint"):
        found = rng.integers(0, 1 << 32, (COUNT, 4), np.uint32)
        found[::2] = rng.integers(0, 1 << 9, (COUNT // 2, 4))
        found[1::4] = -found[:16] if returns == "sint" else found[:16]
        return found
    made = rng.uniform(-1.2, 1.2, (COUNT, 4)).astype("<f4")
    made[0, : len(FLOATS[:4])] = FLOATS[:4]
    made[1], made[2], made[3, 0] = FLOATS[4:8], FLOATS[8:12], FLOATS[12]
    steps = (np.arange(32) + 0.5) / 255  # halves between two numbers of 8 bits
    made[8:16] = steps.astype("<f4").reshape(8, 4)
    made[16:24] = -(steps * 255 / 127).astype("<f4").reshape(8, 4)
    made[24:32] = np.nextafter(made[8:16], np.float32(0))
    return made


@pytest.mark.heavy
@pytest.mark.parametrize("components", [1, 2, 4])
@pytest.mark.parametrize(
    ("returns", "dtype"),
    [
        ("unorm", "u1"), ("unorm", "u2"), ("snorm", "i1"), ("snorm", "i2"), ("float", "f2"),
        ("float", "f4"), ("float", "u1"), ("uint", "u1"), ("uint", "u2"), ("uint", "u4"),
        ("sint", "i1"), ("sint", "i2"), ("sint", "i4"),
    ],
)  # fmt: skip
def test_stored_texels_keep_the_precision_of_their_format(
    returns: str, dtype: str, components: int
) -> None:
    given = numbers(returns)
    previous = None
    for engine in engines():
        u0 = np.zeros((COUNT, components), dtype)
        u1 = np.zeros((COUNT, 4), "<u4")
        stored_and_read(returns, engine).dispatch(1, t0=given, u0=u0, u1=u1)
        with np.errstate(invalid="ignore"):
            kept = decode(u0, (returns,) * 4)
        both_nan = np.isnan(kept) & np.isnan(u1.view("<f4")) if kept.dtype.kind == "f" else False
        assert ((kept.view("<u4") == u1) | both_nan).all()
        if previous is not None:
            assert (u1 == previous).all()
        previous = u1


def test_wide_formats_cost_nothing() -> None:
    kernel = stored_and_read("float", Lockstep())
    wide = {"u0": np.zeros((COUNT, 4), "<f4"), "u1": np.zeros((COUNT, 4), "<u4")}
    kernel.dispatch(1, t0=numbers("float"), **wide)
    ((code, _),) = kernel.execution.prepared.values()
    assert {value.op.name for value in code.values()} <= {"source", "load", "store"}


def test_atomics_need_a_format_of_32_bits() -> None:
    b = Builder(Code("main", group=(4, 1, 1)))
    u0 = b.memory("u0", Space.BUFFER, 16, writable=True)
    b.atomic_add(b.i32(0), b.i32(0), b.i32(1), attr=u0)
    resources = {"u0": LoweredResource("u0", Form.TYPED, 16, True, ("uint",) * 4, Shape.BUFFER)}
    kernel = kernel_of(lowered(b.kernel, resources.values()), None, Lockstep())
    result = kernel.dispatch(1, u0=np.zeros(2, np.uint32))
    assert result["u0"].tolist() == [4, 0]
    with pytest.raises(
        UsageError,
        match=r"u0: expected texels of uint with atomics in an array of uint32, got uint8",
    ):
        kernel.dispatch(1, u0=np.zeros(2, np.uint8))
    assert kernel.bindings[0].words == "(texels[, 1 to 4]) uint32"


@pytest.mark.parametrize(
    ("returns", "name"),
    [
        ("float", "B10G11R11_UFLOAT_PACK32"), ("unorm", "A2B10G10R10_UNORM_PACK32"),
        ("uint", "A2B10G10R10_UINT_PACK32"), ("snorm", "R8G8B8A8_SNORM"),
        ("float", "R16G16B16A16_SFLOAT"), ("float", "R32G32_SFLOAT"),
    ],
)  # fmt: skip
def test_stored_pixels_keep_the_precision_of_their_format(returns: str, name: str) -> None:
    form = pixel_format(name)
    given = numbers(returns)
    for engine in engines():
        u0 = np.zeros((COUNT, form.size), np.uint8)
        u1 = np.zeros((COUNT, 4), "<u4")
        stored_and_read(returns, engine).dispatch(1, t0=given, u0=Texture(u0, format=name), u1=u1)
        decoded = form.decode(u0)
        read = u1.view(decoded.dtype)
        np.testing.assert_array_equal(read, decoded)
        wanted = given.view(decoded.dtype)[:, : form.channels]
        with np.errstate(invalid="ignore"):
            near = np.abs(read[:, : form.channels] - wanted) < 1e-3 * np.abs(wanted) + 5e-3
        assert returns == "uint" or near.mean() > 0.4


def test_pixels_must_fit_the_shader_and_the_array() -> None:
    kernel = stored_and_read("float", Lockstep())
    data = np.zeros((COUNT, 4), np.uint8)
    rest: dict[str, Any] = {"t0": numbers("float"), "u1": np.zeros((COUNT, 4), "<u4")}
    with pytest.raises(UsageError, match="expected pixels of float, got the format R8G8B8A8_UINT"):
        kernel.dispatch(1, u0=Texture(data, format="R8G8B8A8_UINT"), **rest)
    with pytest.raises(UsageError, match="of 8 bytes each for R32G32_SFLOAT"):
        kernel.dispatch(1, u0=Texture(data, format="R32G32_SFLOAT"), **rest)
