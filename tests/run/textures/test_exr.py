"""OpenEXR files, written and read back."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from unshade.errors import LimitError, UnsupportedError, UsageError
from unshade.limits import Limits
from unshade.run import open_texture
from unshade.run.textures.exr import exr, read_exr

openexr = pytest.importorskip("OpenEXR")


def written(**channels: Any) -> bytes:
    into = BytesIO()
    header = {"compression": openexr.ZIPS_COMPRESSION, "type": openexr.scanlineimage}
    openexr.File(header, channels).write(into)
    return into.getvalue()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.uint32])
@pytest.mark.parametrize("components", [2, 3, 4])
def test_numbers_come_back(dtype: Any, components: int) -> None:
    array = (np.random.default_rng(1).random((5, 7, components)) * 1000).astype(dtype)
    found = read_exr(exr(array), Limits())
    assert found.dtype == dtype
    assert np.array_equal(found, array)


def test_infinities_and_nan_come_back() -> None:
    array = np.array([[[np.inf, -np.inf, np.nan], [-0.0, 1e-40, 3e38]]], np.float32)
    found = read_exr(exr(array), Limits())
    assert np.array_equal(found.view("<u4"), array.view("<u4"))


def test_grey_and_single_channels() -> None:
    grey = np.array([[0.5, 2.0]], np.float32)
    assert read_exr(exr(grey), Limits()).tolist() == [[[0.5, 0.5, 0.5, 1], [2, 2, 2, 1]]]
    assert read_exr(written(Z=grey), Limits()).tolist() == [[[0.5], [2.0]]]
    both = read_exr(written(R=grey, A=grey * 2), Limits())
    assert both.tolist() == [[[0.5, 0, 0, 1], [2, 0, 0, 4]]]
    with pytest.raises(UsageError, match="R, G, B and A, or Y, or one; got X, Z"):
        read_exr(written(X=grey, Z=grey), Limits())


def test_integers_of_other_sizes() -> None:
    assert read_exr(exr(np.array([[[1, 2, 255]]], np.uint8)), Limits()).tolist() == [[[1, 2, 255]]]
    with pytest.raises(UsageError, match=r"unsigned integers for \.exr, got negative"):
        exr(np.array([[[-1]]], np.int32))


def test_a_file_is_a_texture() -> None:
    array = np.random.default_rng(1).random((2, 3, 4)).astype(np.float32)
    assert np.array_equal(open_texture(BytesIO(exr(array))).data, array)


def test_damaged_and_large_files(capfd: pytest.CaptureFixture[str]) -> None:
    data = exr(np.ones((64, 64, 3), np.float32))
    with pytest.raises(LimitError, match="texels = 4095 exceeded: the data needs 4096"):
        read_exr(data, Limits(texels=4095))
    for size in (4, 60, 200, len(data) - 9):
        with pytest.raises(UsageError, match="OpenEXR"):
            read_exr(data[:size], Limits())
    capfd.readouterr()  # what the library prints


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "OpenEXR", None)
    with pytest.raises(UnsupportedError, match=r"an OpenEXR file needs OpenEXR: .*\[scene\]"):
        exr(np.ones((1, 1, 3), np.float32))
