"""Pixels of two sides: the samples that show the same, and values against those that are exact.

    tally = Tally()
    Comparison(draw, mine, peer, tally, verbose=True).run()
    tally.compared, tally.rules, tally.wrong        counts by kind and by rule; of what has no rule

What is a difference, and how large it may be: see pixels_against_lavapipe.py.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from exact_lines import ExactLines, ExactPoints
from exact_screen import STEP, ExactScreen
from vulkan_pipelines import State

from unshade.ir.library.sample_positions import POSITIONS

Array = npt.NDArray[Any]
POINTS, LINES = 0, (1, 2)  # topologies
RULES = {
    "cut": "lavapipe cuts primitives at the sides of the view, and rounds the new corners; what it"
    " makes linear on the screen is wrong, or NaN, after several cuts",
    "pieces": "the pieces of a primitive that was cut have each a coverage of their own",
    "depths": "two primitives are equally deep but for rounding",
    "tie": "a corner is so near to a tie that single precision rounds it to another step",
    "border": "lavapipe draws lines half a pixel beyond viewport and scissor, and leaves out"
    " samples that are as near to a border inside of it",
    "diamond": "an aliased line ends on the border of a pixel's diamond, where Direct3D says which"
    " edges count, or at its middle, or passes the middle between two pixels",
    "point": "lavapipe draws points whose centre is outside of the view",
    "mask": "Mesa 22.3 ignores the sample mask if there is one sample",
    "scissor": "lavapipe draws samples of pixels beside the scissor; Mesa 26.2 of lines only",
    "w of the centre": "lavapipe divides by w of the centre of the pixel, not by that of the place;"
    " Mesa 26.2 does so in FragCoord only",
    "centre": "SampleId enables sample shading, so values are those of the sample; lavapipe gives"
    " those of the centre",
    "centroid": "the centre, where it is not covered or samples are masked",
}


@dataclass
class Drawn:
    """What one side drew: targets (6, height, width, samples, 4), and the depth."""

    targets: Array
    depth: Array | None

    @property
    def number(self) -> Array:
        """The primitive that each sample shows; -1 for none."""
        return np.asarray(self.targets[2, ..., 2].astype(np.int64) - 1)


@dataclass
class Draw:
    """What is drawn."""

    name: str
    given: dict[str, Array]
    state: State
    place: str
    depth: bool
    primitives: Array  # vertices of each

    @property
    def viewport(self) -> tuple[float, ...]:
        return self.state.viewport or (0.0, 0.0, *map(float, self.state.size), 0.0, 1.0)


class Tally:
    """What was compared, by kind, and what was different, by rule."""

    def __init__(self) -> None:
        self.compared: dict[str, Counter[str]] = {}
        self.rules: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.sizes: dict[str, list[Array]] = {}
        self.kind = ""

    def add(self, what: str, count: int) -> None:
        """Count what was compared."""
        self.compared.setdefault(self.kind, Counter())[what] += count

    def differs(self, what: str, rule: str, count: int) -> None:
        """Count differences; "" is no rule."""
        if count:
            self.rules[f"{what}, {rule or 'no rule'}"] += count
            if not rule:
                self.wrong[self.kind] += count

    def worst(self, what: str, sizes: Array) -> None:
        """Add how many times what is allowed differences are."""
        self.sizes.setdefault(what, []).append(sizes)


class Comparison:
    """One draw on both sides."""

    def __init__(self, what: Draw, mine: Drawn, peer: Drawn, tally: Tally, verbose: bool) -> None:
        self.what, self.mine, self.peer, self.tally = what, mine, peer, tally
        self.verbose = verbose
        corners = what.given["place"][what.primitives]
        self.exact: ExactScreen | ExactLines
        if corners.shape[1] == 3:
            self.exact = ExactScreen(corners, what.viewport)
        elif corners.shape[1] == 2:
            self.exact = ExactLines(corners, what.viewport, what.state.bresenham)
        else:
            sizes = what.given["size"][what.primitives[:, 0], 0]
            self.exact = ExactPoints(corners, what.viewport, sizes.astype(np.float64))
        self.values = what.given["value"][what.primitives].astype(np.float64)
        samples = what.state.samples
        self.offsets = np.array(POSITIONS[samples], np.float64) / 16

    def run(self) -> None:
        """Compare everything."""
        self.tally.kind = self.what.name.split()[0]
        self.tally.add("draws", 1)
        mine, peer = self.mine.number, self.peer.number
        self.tally.add("samples", mine.size)
        self.tally.add("covered", int((peer >= 0).sum()))
        self._samples(mine, peer)
        same = np.argwhere((mine == peer) & (mine >= 0))
        if len(same):
            self._facts(same)
            self._values(same)

    def report(self, what: str, at: Array, *more: object) -> None:
        if self.verbose:
            print(f"    {self.what.name}, {self.what.place}: {what} at {at.tolist()}", *more)

    def _samples(self, mine: Array, peer: Array) -> None:
        for at in np.argwhere(mine != peer):
            rule = ""
            for number in {int(mine[*at]), int(peer[*at])} - {-1}:
                if not self.exact.whole[number] and self._at_edge(number, at):
                    rule = "cut"
                elif self.exact.tied[number] and self._at_edge(number, at):
                    rule = "tie"
            if not rule and self.what.state.samples == 1 and not self.what.state.mask & 1:
                rule = "mask"
            if not rule and int(mine[*at]) < 0 and self._beside_scissor(at):
                rule = "scissor"
            if not rule and self.what.state.topology in LINES and self._at_border(at):
                rule = "border"
            if not rule and self.what.state.bresenham:
                rule = self._at_diamond(at, {int(mine[*at]), int(peer[*at])} - {-1})
            if not rule and self.what.state.topology == POINTS:
                number = int(peer[*at])
                rule = "" if number < 0 or self.exact.whole[number] else "point"
            if not rule and self.what.depth and self._level(at, int(mine[*at]), int(peer[*at])):
                rule = "depths"
            self.tally.differs("samples", rule, 1)
            if not rule:
                self.report("samples", at, int(mine[*at]), int(peer[*at]))

    def _at_edge(self, number: int, at: Array) -> bool:
        """Whether a sample is beside an edge of a primitive."""
        x, y = (at[1 - axis] + 0.5 + self.offsets[at[2], axis] for axis in (0, 1))
        far = self.exact.far_in(
            np.array([number]), np.array([x]), np.array([y]), not self.what.state.clamp
        )[0]
        return bool(far.min() >= -1.5 * STEP and np.abs(far).min() <= 1.5 * STEP)

    def _beside_scissor(self, at: Array) -> bool:
        """Whether a pixel is outside of the scissor, but next to it."""
        if not self.what.state.scissor:
            return False
        left, top, across, down = self.what.state.scissor
        x, y = at[1] - left, at[0] - top
        return not (0 <= x < across and 0 <= y < down) and -1 <= x <= across and -1 <= y <= down

    def _at_border(self, at: Array) -> bool:
        """Whether a pixel of a line is next to the border of what viewport and scissor leave."""
        state = self.what.state
        low, size = np.array(self.what.viewport[:2]), np.array(self.what.viewport[2:4])
        low, high = np.maximum(low, 0), np.minimum(low + size, state.size)
        if state.scissor:
            corner = np.array(state.scissor[:2])
            low, high = np.maximum(low, corner), np.minimum(high, corner + state.scissor[2:])
        place = at[1::-1] + 0.5
        return bool(np.minimum(np.abs(place - low), np.abs(place - high)).min() <= 1)

    def _at_diamond(self, at: Array, numbers: set[int]) -> str:
        """Say "diamond" if a line ends at the border or middle of a diamond, or touches it."""
        assert isinstance(self.exact, ExactLines)
        for number in numbers:
            ends = np.rint((self.exact.ends[number] - at[1::-1] - 0.5) / STEP)
            size = np.abs(ends).sum(axis=1)
            along = np.abs(ends[1] - ends[0])
            axis = int(along[1] > along[0])
            slope = (ends[1] - ends[0])[1 - axis] / max(along[axis], 1)
            slope *= np.sign((ends[1] - ends[0])[axis])
            crossing = ends[0, 1 - axis] - ends[0, axis] * slope
            inside = size < 130
            if np.any(np.abs(size - 128) <= 1) or np.any(inside & (np.abs(ends[:, axis]) <= 1)):
                return "diamond"
            if abs(abs(crossing) - 128) <= 1:
                return "diamond"
        return ""

    def _level(self, at: Array, first: int, second: int) -> bool:
        """Whether the depths of two primitives are equal but for rounding."""
        if min(first, second) < 0:
            return False
        x, y = (np.full(2, at[1 - axis] + 0.5 + self.offsets[at[2], axis]) for axis in (0, 1))
        z, off = self.exact.values(self.values, np.array([first, second]), x, y, "z")
        return bool(abs(z[0, 0] - z[1, 0]) <= off[:, 0].sum() + 1e-6)

    def _facts(self, same: Array) -> None:
        """Compare what has to be equal where both show the same primitive."""
        index = tuple(same.T)
        mine, peer = self.mine.targets[2][index], self.peer.targets[2][index]
        self.tally.add("facts", 3 * len(same))
        whole = self.exact.whole[self.mine.number[index]]
        for column, what in ((0, "flat values"), (1, "faces"), (3, "coverage")):
            wrong = mine[:, column] != peer[:, column]
            cut = np.zeros_like(wrong)
            if what == "coverage":
                cut = wrong & ~whole
            self.tally.differs(what, "pieces", int(cut.sum()))
            self.tally.differs(what, "", int((wrong & ~cut).sum()))
            for at in same[wrong & ~cut][:3]:
                self.report(what, at, self.mine.targets[2][*at], self.peer.targets[2][*at])

    def _values(self, same: Array) -> None:
        """Compare interpolated values with the exact ones."""
        number = self.mine.number[tuple(same.T)]
        good = ~self.exact.flat[number]
        same, number = same[good], number[good]
        centre = np.stack([same[:, 1], same[:, 0]], axis=1) + 0.5
        moved = centre + self.offsets[same[:, 2]]
        each = Fragments(self, same, number)
        sampled = self.what.place == "SampleId"
        place = moved if sampled else centre
        late = [Expected("centre", *each.at(centre, "perspective"))] if sampled else []
        each.near("perspective", 0, [Expected("", *each.at(place, "perspective")), *late])
        late = [Expected("centre", *each.at(centre, "screen"))] if sampled else []
        each.near("noperspective", 1, [Expected("", *each.at(place, "screen")), *late])
        runs = self.what.place != "Centroid"
        depth, off = each.at(moved if runs else centre, "z")
        other, other_off = each.at(centre, "z")
        late = [Expected("w of the centre", *(
            np.stack([a[:, 0], b[:, 1]], axis=1) for a, b in ((depth, other), (off, other_off))
        ))]  # fmt: skip
        each.near("depth and 1/w", 3, [Expected("", depth, off), *late], slice(2, 4))
        if self.what.place == "Sample":
            each.near("at samples", 4, each.with_w(centre, moved))
        elif self.what.place == "Centroid":
            self._centroids(each, centre)
        self._slopes(each, place, centre)

    def _centroids(self, each: "Fragments", centre: Array) -> None:
        """Compare values at centroids: at the centre or one of the covered samples."""
        mask = self.mine.targets[2][tuple(each.same.T)][:, 3].astype(np.int64)
        full = mask == (1 << len(self.offsets)) - 1
        places = [(np.zeros(2), full)]
        places += [(offset, mask >> at & 1 == 1) for at, offset in enumerate(self.offsets)]
        expected: list[Expected] = []
        for place, covered in places:
            found = each.with_w(centre, centre + place)
            expected += [replace(row, off=np.where(covered[:, None], row.off, -1)) for row in found]
        expected.sort(key=lambda row: row.rule)
        expected.append(Expected("centroid", *each.at(centre, "perspective")))
        each.near("at the centroid", 4, expected)

    def _slopes(self, each: "Fragments", place: Array, centre: Array) -> None:
        """Compare derivatives: differences between the pixels of a quad."""
        expected = []
        for rule, where in (("", place), ("centre", centre))[: 1 + (self.what.place == "SampleId")]:
            slopes: list[Array] = []
            offs: list[Array] = []
            for axis in (0, 1):
                low, high = where.copy(), where.copy()
                low[:, axis] -= each.same[:, 1 - axis] & 1
                high[:, axis] = low[:, axis] + 1
                first, second = each.at(low, "perspective"), each.at(high, "perspective")
                slopes.append((second[0] - first[0])[:, :2])
                offs.append((second[1] + first[1])[:, :2])
            count = 3 if self.what.place == "SampleId" else 4
            made, off = (np.concatenate(rows, axis=1)[:, :count] for rows in (slopes, offs))
            expected.append(Expected(rule, made, off))
        each.near("derivatives", 5, expected, slice(0, count))


@dataclass
class Expected:
    """Values, how much they may be off (less than 0: they do not apply), and by what rule."""

    rule: str
    values: Array
    off: Array


class Fragments:
    """Samples that show the same primitive on both sides."""

    def __init__(self, whole: Comparison, same: Array, number: Array) -> None:
        self.whole, self.same, self.number = whole, same, number
        self.cut = ~whole.exact.whole[number]

    def at(self, place: Array, way: str) -> tuple[Array, Array]:
        """What is exact at places (n, 2), and how much it may be off."""
        values = self.whole.values
        exact, off = self.whole.exact.values(values, self.number, place[:, 0], place[:, 1], way)
        largest = 1.0 if way == "z" else np.abs(values[self.number]).max(axis=(1, 2))[:, np.newaxis]
        return exact, off + 1e-5 * largest

    def with_w(self, centre: Array, place: Array) -> list[Expected]:
        """What is exact at places, and the same if 1/w is that of the centre."""
        exact, off = self.at(place, "perspective")
        here, (inverse, inverse_off) = self.at(place, "z")[0][:, 1:], self.at(centre, "z")
        with np.errstate(all="ignore"):
            scale = here / inverse[:, 1:]
        late = off + np.abs(exact) * inverse_off[:, 1:] / np.abs(inverse[:, 1:])
        rule = "w of the centre"
        with np.errstate(invalid="ignore"):
            scaled = Expected(rule, exact * scale, late * np.abs(scale))
        return [Expected("", exact, off), scaled]

    def near(
        self, what: str, target: int, expected: list[Expected], columns: slice = slice(0, 4)
    ) -> None:
        """Compare a target of both sides; what comes first is right, the others by rule."""
        tally, drawn = self.whole.tally, (self.whole.mine, self.whole.peer)
        known = np.any([np.isfinite(each.off) & (each.off >= 0) for each in expected], axis=0)
        tally.add(what, int(known.sum()))
        for side, targets in zip(("here", "there"), drawn, strict=True):
            found = targets.targets[target][tuple(self.same.T)][:, columns]
            left = known.copy()
            best = np.full(found.shape, np.inf)
            for each in expected:
                with np.errstate(invalid="ignore"):
                    off = np.abs(found - each.values)
                    fits = off <= each.off
                    best = np.fmin(best, off / np.where(each.off > 0, each.off, np.inf))
                if each.rule:
                    tally.differs(f"{what} {side}", each.rule, int((left & fits).sum()))
                left &= ~fits
            cut = left & self.cut[:, np.newaxis]
            tally.differs(f"{what} {side}", "cut", int(cut.sum()))
            if cut.any():
                tally.worst(f"{what} {side}, cut", best[cut])
            left &= ~cut
            tally.differs(f"{what} {side}", "", int(left.sum()))
            for at in np.argwhere(left)[:2]:
                row = at[0]
                known_as = [(each.values[row], "+-", each.off[row]) for each in expected]
                self.whole.report(
                    f"{what} {side}", self.same[row], self.number[row], found[row], *known_as
                )
