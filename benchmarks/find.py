"""Search for shaders where there are none: megabytes a second of one processor.

    python benchmarks/find.py [--size MB] [FILE...]

Noise, zeros and text, or files. Processor time; strict and not, which also lists damaged shaders.
The peer is `bytes.find`, twice, of bytes that are nowhere.
"""

import argparse
import random
import time
from pathlib import Path

from unshade.archives import find


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="megabytes")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    size = given.size * 1_000_000
    chance = random.Random(35)
    words = b" ".join(b"%x" % chance.getrandbits(40) for _ in range(100_000))
    data = {
        "noise": chance.randbytes(size),
        "zeros": bytes(size),
        "text": (words * (size // len(words) + 1))[:size],
    }
    if given.files:
        data = {path.name: path.read_bytes() for path in given.files}
    list(find(b"DXBC VBC x\x9c"))  # imports
    for name, each in data.items():
        for strict in (True, False):
            start = time.process_time()
            count = sum(1 for _ in find(each, strict=strict))
            taken = time.process_time() - start
            start = time.process_time()
            assert each.find(b"\0\1\2\3\4\5\6\7\x08") < 0
            assert each.find(b"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8") < 0
            one = time.process_time() - start
            speed = f"{len(each) / taken / 1e6:7.0f} MB/s"
            mode = "strict" if strict else "damaged, too"
            print(f"{name:20} {mode:13} {count:4} found {speed}   {taken / one:5.1f} x two passes")


if __name__ == "__main__":
    main()
