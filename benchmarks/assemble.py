"""Assembling one large program of each family, against listing it.

    python benchmarks/assemble.py [--instructions N] [--only FAMILY]

Both take turns in one process: from the exact text (in SkSL, the native one) to bytes, and from
bytes to the native text. Times are processor time, medians.
"""

import argparse
import sys
from functools import partial

from large import LISTINGS
from peers import cpu_medians

import unshade

MOST = 4.0


def _listed(data: bytes) -> str:
    return unshade.loads(data).disassemble()


def _assembled(text: str, kind: str) -> bytes:
    return unshade.assemble(text, kind).to_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--instructions", type=int, default=60_000)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    over = 0
    for family, make in LISTINGS.items():
        if given.only not in family:
            continue
        shader = unshade.assemble(make(given.instructions))
        data = shader.to_bytes()
        dialect = None if family == "sksl" else "exact"
        text = shader.disassemble(dialect)
        lists = partial(_listed, data)
        assembles = partial(_assembled, text, shader.format)
        assert assembles() == data, family
        times = cpu_medians({"list": lists, "assemble": assembles}, given.rounds)
        ratio = times["assemble"] / times["list"]
        over += ratio > MOST
        print(
            f"{family:6} {len(data):10,} bytes {text.count(chr(10)):8,} lines: "
            f"listing {times['list']:6.2f} s, assembling {times['assemble']:6.2f} s, "
            f"{ratio:5.2f} x{'   OVER' if ratio > MOST else ''}",
            flush=True,
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
