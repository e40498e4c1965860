"""Expected results of the modules, computed lane by lane in plain Python and NumPy."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
WORD = 0xFFFF_FFFF


def collatz(numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return steps to 1, the maximum, tripled numbers and mixer rounds of each number."""
    return np.array([[*_way(int(each)), _turns(int(each))] for each in numbers], "<u4").reshape(-1)


def _way(number: int) -> tuple[int, int, int]:
    n = (number & 0xFFFF) + 1
    steps, peak, odd = 0, n, 0
    while n != 1 and steps < 400:
        steps += 1
        if n % 2 == 0:
            n >>= 1
        else:
            n = 3 * n + 1 & WORD
            odd += 1
            peak = max(peak, n)
    return steps, peak, odd


def _turns(x: int) -> int:
    c = 0
    while True:
        x = (x ^ x >> 3) * 2654435761 & WORD
        c += 1
        for q in range(x & 3):
            if (x >> q) % 7 == 3:
                break
            c += q
        if x & 15 == 7 or c >= 200:
            return c


def subgroup(numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Of 64 lanes: sum, maximum, odd ones; whether lanes count alike; neighbours; fives."""
    v = numbers[:64] & 0xFFF
    found = np.zeros(256, "<u4")
    found[:3] = v.sum(), v.max(), (v & 1).sum()
    found[64:128] = 1
    found[128:192] = v.reshape(-1, 2)[:, ::-1].reshape(-1)
    found[192:] = 5
    return found


def constants(
    numbers: npt.NDArray[np.float32], lanes: int, n: int, s: float, first: bool, group: int
) -> npt.NDArray[np.uint32]:
    """Return scaled sums transformed by a matrix; each operation rounded to 32 bits."""
    found = np.zeros((lanes, 4), "<u4")
    total = np.zeros(lanes, "f4")
    for at in range(n):
        total = total + numbers[at : at + lanes] * np.float32(s)
    x = np.float32(1) * total + np.float32(3) * np.float32(1.25) + np.float32(0.5)
    y = np.float32(2) * total + np.float32(4) * np.float32(1.25) + np.float32(-0.75)
    found[:, 0] = (x if first else y).astype("<f4").view("<u4")
    found[:, 1] = 3 * n + 1 + 9
    found[:, 2] = group
    found[:, 3] = y.astype("<f4").view("<u4")
    return found.reshape(-1)


def legacy(a: Array, b: Array) -> Array:
    """Return a product that is 0 if a factor is 0."""
    with np.errstate(invalid="ignore"):
        return np.where((a == 0) | (b == 0), np.float32(0), np.asarray(a * b, "f4"))


def tint(
    texel: npt.NDArray[np.float32], colour: Array, by: Array, gain: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the colours of the pixel shader of Direct3D 9, and the mask of pixels kept."""
    found = np.asarray(legacy(legacy(texel, colour), by) + np.float32(gain), "f4")
    bright = texel[:, :1] > np.float32(0.25)
    found[:, :3] = np.where(bright, found[:, :3] * np.float32(2), found[:, :3])
    found[:, 3] = np.where(-texel[:, 1] >= 0, np.abs(found[:, 3]), np.float32(0.5))
    return np.clip(found, 0, 1), texel[:, 3] >= np.float32(0.25)


def grey(texel: Array, by: Array, gain: float) -> npt.NDArray[np.float32]:
    """Return the colours of the runtime shader, in halves."""
    c = texel.astype("f2")
    part = np.float16
    total = c[..., 0] * part(0.25) + c[..., 1] * part(0.5)
    total = total + c[..., 2] * part(0.25)
    mixed = c[..., :3] + (total[..., None] - c[..., :3]) * part(gain)
    whole = np.concatenate([mixed, c[..., 3:]], axis=-1) * by.astype("f2")
    return np.asarray(whole, "f4")
