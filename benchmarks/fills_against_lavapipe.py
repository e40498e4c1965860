"""Fill modes and depth bias against lavapipe: covered samples, and depths that a bias has moved.

    python benchmarks/fills_against_lavapipe.py [--seeds N] [--peer COMMAND]

Each seed draws the kinds of seeded_geometry.py that are triangles: as edges, as corners, and filled
with a constant and with a slope-scaled bias. Printed are the samples that one side covers and those
that both do; and of the samples that show the same primitive how many have moved by the same depth,
within a thousandth of it. Known differences:

    constant    lavapipe takes the greatest depth of each piece of a polygon that it has cut, the
                Vulkan specification that of the polygon
    slope       it takes corners before they are rounded to 1/256 of a pixel, which changes the
                slopes of thin triangles

Those of edges and corners, at the sides of the view for the most part, are counted only.
"""

import argparse
from collections import Counter
from dataclasses import replace

import numpy as np
import pixels_against_lavapipe as pixels
import seeded_geometry as geometry
from comparing_pixels import Draw, Drawn
from device_process import DeviceProcess
from vulkan import exit_with

WITHIN = 1e-3
EVERY = 0xFFFF_FFFF
ALWAYS = 7  # of the comparisons
BIASES = {"constant": (1402.0, 0.0, 0.0), "slope": (0.0, 0.0, 1.5)}


def drawn(peer: DeviceProcess, what: Draw) -> tuple[Drawn, Drawn]:
    """Both pictures."""
    return pixels.ours(what, "jit"), pixels.theirs(peer, what)


def covers(peer: DeviceProcess, what: Draw, fill: int, counts: Counter[str]) -> None:
    """Count the samples that parts of polygons cover."""
    state = replace(what.state, mask=EVERY, fill=fill)
    mine, peers = (each.number >= 0 for each in drawn(peer, replace(what, state=state)))
    name = pixels.FILLS[fill]
    counts[f"{name}: samples that one side covers"] += int((mine | peers).sum())
    counts[f"{name}: samples that both cover"] += int((mine & peers).sum())


def moves(peer: DeviceProcess, what: Draw, name: str, counts: Counter[str]) -> None:
    """Count the samples whose depth a bias moves by the same amount."""
    state = replace(what.state, mask=EVERY, compare=ALWAYS)
    plain = drawn(peer, replace(what, state=state, depth=True))
    moved = drawn(peer, replace(what, state=replace(state, bias=BIASES[name]), depth=True))
    same = (moved[0].number == moved[1].number) & (moved[0].number >= 0)
    changes = []
    for before, after in zip(plain, moved, strict=True):
        assert before.depth is not None
        assert after.depth is not None
        change = after.depth.astype(np.float64) - before.depth
        changes.append(change.reshape(same.shape)[same])
    near = np.abs(changes[0] - changes[1]) <= WITHIN * np.abs(changes[1]) + 1e-7
    counts[f"{name} bias: samples of the same primitive"] += int(same.sum())
    counts[f"{name} bias: moved by the same depth"] += int(near.sum())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4, help="how many draws of each kind")
    parser.add_argument("--peer", default="", help="a command that starts a Python")
    given = parser.parse_args()
    kinds = [kind for kind, (topology, _) in geometry.KINDS.items() if topology == "triangle_list"]
    counts: Counter[str] = Counter()
    for seed in range(given.seeds):
        with DeviceProcess(given.peer) as peer:
            for kind in kinds:
                what = pixels.made(kind, seed)
                for fill in (1, 2):
                    covers(peer, what, fill, counts)
                for name in BIASES:
                    moves(peer, what, name, counts)
    for text, count in counts.items():
        print(f"{count:12,} {text}")
    return 0


if __name__ == "__main__":
    exit_with(main)
