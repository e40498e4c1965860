"""The container's digest in Python, against the MD5 of hashlib, which is native code.

    python benchmarks/digest.py

It cannot be hashlib's: the digest ends in a tail that MD5 does not have. The figure is what
`sign()`, `verify()` and writing after an edit cost; reading a container computes no digest.
"""

import hashlib
import random
from functools import partial

from peers import best_of

from unshade.formats.dxcontainer.digest import DigestKind, compute


def main() -> None:
    for size in (1_000, 10_000, 1_000_000):
        data = random.Random(size).randbytes(size)
        times = best_of(
            {
                "unshade": partial(compute, memoryview(data), DigestKind.RETAIL),
                "hashlib": partial(hashlib.md5, data),
            },
            rounds=3,
        )
        ours, theirs = times["unshade"], times["hashlib"]
        print(f"{size:8} bytes   unshade {ours * 1e3:8.2f} ms, {size / ours / 1e6:6.2f} MB/s"
              f"   hashlib {size / theirs / 1e6:7.1f} MB/s   {ours / theirs:5.0f} x")  # fmt: skip


if __name__ == "__main__":
    main()
