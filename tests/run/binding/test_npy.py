"""NPY files, and headers that declare more than there is."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.run.binding.npy import read_npy


def written(array: Any) -> bytes:
    into = BytesIO()
    np.save(into, array, allow_pickle=True)
    return into.getvalue()


def test_arrays_come_back() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert np.array_equal(read_npy(written(array)), array)
    assert np.array_equal(read_npy(written(array.T)), array.T)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (written(np.zeros((3, 4), "f4")).replace(b"(3, 4), ", b"(3000000000,), "), "expected "),
        (written(np.zeros((3, 4), "f4")).replace(b"(3, 4), ", b"(3,99), "), "expected 1,188 bytes"),
        (written(np.zeros((3, 4), "f4"))[:-1], "expected 48 bytes of numbers in a .npy file, got"),
        (written(np.array([{}], object)), "expected an array in a .npy file: Object arrays"),
        (b"\x93NUMPY\x01\x00\x04\x00[(,\n", "expected an array in a .npy file"),
        (b"\x93NUMPY\x09\x00", "expected an array in a .npy file"),
    ],
)
def test_malformed_files(data: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_npy(data)
