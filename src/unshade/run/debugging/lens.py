"""Lenses: a register, value or variable after a line, as an array over all pixels or threads.

lens = debugger.lens("r0.xyz", line=47)
debugger.shade((640, 480), …)
lens.array                 (480, 640, 3)
lens.minimum, lens.nans    of the lanes that ran the line
lens.image("signed")       bytes of red, green and blue

If a drawing shades several fragments at one pixel, the last fragment counts.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UsageError
from ...ir.kernel import KernelIR
from ...notebook import Shown
from ...vm.launch import Array, Launch
from ...vm.lockstep.debug.lens import PlaceRecorder
from ..lanes import Lanes, PixelLanes, RowLanes
from .trace_view import COMMON, finite

if TYPE_CHECKING:
    from ...ir.locations import SymbolName

QUIET = 0x7FC0_0000  # the NaN of operations
NOT_REACHED = (96, 96, 112)  # colours of lanes without a number
NAN = (255, 0, 255)
INFINITE = (0, 255, 255)
# Colours at equal distances, for `ramp`: dark blue, blue, green, yellow, red, dark red.
RAMP = ((40, 20, 90), (50, 110, 240), (40, 190, 150), (230, 220, 60), (240, 100, 30), (120, 10, 20))
SIGNED = ((20, 60, 200), (240, 240, 240), (200, 40, 20))  # least, 0, greatest


class Lens(Shown):
    """A place after a line in every lane.

    `components` are the names of the components, which `array` has as its last axis.
    """

    drawn_by = "lens"

    def __init__(self, place: str, recorder: PlaceRecorder) -> None:
        self.place = place
        self.recorder = recorder
        self._lanes: list[tuple[Array, Array, Array]] = []  # coordinates, bits, there

    def __repr__(self) -> str:
        return f"<Lens: {self.title}>" if not self._lanes else f"<Lens: {self}>"

    def __str__(self) -> str:
        """`r0.xyz@47: 96 x 54, -0.98 to 1.08, 0 NaN`."""
        there = self.reached
        text = f"{self.title}: {' x '.join(map(str, there.shape[::-1]))}"
        if there.any():
            text += f", {self.minimum:.9g} to {self.maximum:.9g}, {self.nans:,} NaN"
        left = int((~there).sum())
        return text + (f", {left:,} not reached" if left else "")

    def document(self) -> dict[str, Any]:
        """Return the facts of the lens as plain data."""
        there = self.reached
        return {
            "place": self.place,
            "line": self.recorder.line,
            "iteration": self.recorder.iteration,
            "components": [str(each) for each in self.components],
            "shape": list(there.shape),
            "minimum": finite(self.minimum),
            "maximum": finite(self.maximum),
            "nan": self.nans,
            "not_reached": int((~there).sum()),
        }

    @property
    def title(self) -> str:
        """The place and the line: `r0.xyz@47`, with the iteration `r0.xyz@47#3`."""
        return self.title_at(self.recorder.line)

    def title_at(self, line: int) -> str:
        """Return the title with another number of the line, such as the number on a page."""
        turn = "" if self.recorder.iteration is None else f"#{self.recorder.iteration}"
        return f"{self.place}@{line}{turn}"

    @property
    def components(self) -> "list[SymbolName]":
        """The names of the components."""
        return self.recorder.components

    def _watching(self, kernel: KernelIR) -> PlaceRecorder:
        """Return the watcher of a call of a kernel."""
        if kernel is not self.recorder.kernel:
            self.recorder = self.recorder.of(kernel)
        return self.recorder

    def _take(self, launch: Launch, lanes: Lanes) -> None:
        """Take the records of a call."""
        for record in self.recorder.records:
            number = record.first + np.arange(len(record.there))
            where = _coordinates(lanes, number)
            kept = np.ones(len(number), np.bool_)
            if launch.helpers is not None:
                kept = ~launch.helpers[number]
            self._lanes.append((where[kept], record.bits[:, kept], record.there[kept]))
        self.recorder.records.clear()

    # ------------------------------------------------------------ numbers

    @property
    def array(self) -> Array:
        """The numbers: (height, width, components) of pixels, ([z, y,] x, components) of threads.

        Lanes that did not run the line have no number: NaN for floats, otherwise 0.
        """
        bits, there = self._grid()
        kind, size = self._kind(bits, there), self.recorder.size
        if kind == "bool":
            return np.asarray(bits != 0)
        letter = {"float": "f", "int": "i"}.get(kind, "u")
        size = max(size, 2) if letter == "f" else size
        found: Array = np.ascontiguousarray(bits.astype(f"<u{size}")).view(f"<{letter}{size}")
        return np.where(there[..., np.newaxis], found, np.nan) if letter == "f" else found

    @property
    def reached(self) -> Array:
        """True for the lanes that ran the line and had written the place."""
        return self._grid()[1]

    @property
    def minimum(self) -> float:
        """The least number that is not NaN; NaN if there is none."""
        return self._extreme(np.min)

    @property
    def maximum(self) -> float:
        """The greatest number that is not NaN; NaN if there is none."""
        return self._extreme(np.max)

    @property
    def nans(self) -> int:
        """The number of lanes that have a NaN."""
        array, there = self.array, self.reached
        if array.dtype.kind != "f":
            return 0
        return int((np.isnan(array).any(axis=-1) & there).sum())

    def _extreme(self, of: Callable[[Array], Array]) -> float:
        numbers = self.array[self.reached].astype(np.float64)
        numbers = numbers[~np.isnan(numbers)]
        return float(of(numbers)) if numbers.size else float("nan")

    def _grid(self) -> tuple[Array, Array]:
        """Return the bits on the grid of lanes, and the lanes that have bits."""
        if not self._lanes:
            raise UsageError(f"{self.title}: nothing has run since the lens was made")
        axes = self._lanes[0][0].shape[1]
        shape = [1 + max(int(where[:, at].max(initial=0)) for where, *_ in self._lanes)
                 for at in range(axes)]  # fmt: skip
        bits = np.zeros((*shape, len(self.components)), np.uint64)
        there = np.zeros(shape, np.bool_)
        for where, found, has in self._lanes:
            place = tuple(where[has].T)
            bits[place] = found[:, has].T
            there[place] = True
        # Threads have three axes, of which the first are often 1.
        while axes == 3 and there.ndim > 1 and there.shape[0] == 1:
            bits, there = bits[0], there[0]
        return bits, there

    def _kind(self, bits: Array, there: Array) -> str:
        """Return the kind of the numbers, by their size where the program does not say."""
        known = self.recorder.kind()
        if known or self.recorder.size != 4:
            return known
        words = bits[there].astype("<u4")
        numbers = np.abs(words.view("<f4"))
        with np.errstate(invalid="ignore"):
            common = (numbers == 0) | ((numbers > COMMON[0]) & (numbers < COMMON[1]))
        common |= np.isinf(numbers) | (words & 0x7FFF_FFFF == QUIET)
        return "float" if common.all() else "int"

    # ------------------------------------------------------------ pictures

    def image(self, colours: str = "grey") -> Array:
        """Return a picture, (height, width, 3) bytes.

        Args:
            colours: "grey" from the minimum to the maximum, "colour" for three or four components
                as red, green and blue from 0 to 1, "ramp" from blue to red, or "signed": blue below
                0, red above. Several components are shown by their mean, except as "colour".
        """
        if colours not in MAPS:
            raise UsageError(f"colours: expected one of {', '.join(MAPS)}, got {colours!r:.40}")
        array, there = self.array.astype(np.float64), self.reached
        there = there.reshape(-1, there.shape[-1])  # layers of threads below each other
        array = array.reshape(*there.shape, -1)
        with np.errstate(invalid="ignore", over="ignore"):
            found = MAPS[colours](array, self.minimum, self.maximum)
            made = np.rint(np.clip(np.nan_to_num(found), 0, 255)).astype(np.uint8)
        made[np.isinf(array).any(axis=-1)] = INFINITE
        made[np.isnan(array).any(axis=-1)] = NAN
        made[~there] = NOT_REACHED
        return np.asarray(made)


def _coordinates(lanes: Lanes, numbers: Array) -> Array:
    """Return the place of lanes on the grid, the slowest axis first."""
    if isinstance(lanes, PixelLanes):
        return np.stack([np.asarray(lanes.y)[numbers], np.asarray(lanes.x)[numbers]], axis=1)
    if isinstance(lanes, RowLanes):
        return (numbers // lanes.copies)[:, np.newaxis]
    return np.array([lanes.thread(int(each))[::-1] for each in numbers], np.int64)


def _scaled(array: Array, least: float, most: float) -> Array:
    """Return the mean of the components from 0 to 1."""
    with np.errstate(all="ignore"):
        mean = array.mean(axis=-1)
    if not (np.isfinite(least) and np.isfinite(most)) or most <= least:
        return np.where(mean >= most, 1.0, 0.0) if most > least else np.full(mean.shape, 0.5)
    return np.asarray((mean - least) / (most - least))


def _grey(array: Array, least: float, most: float) -> Array:
    return np.repeat(_scaled(array, least, most)[..., np.newaxis] * 255, 3, axis=-1)


def _ramp(array: Array, least: float, most: float) -> Array:
    return _between(_scaled(array, least, most), RAMP)


def _signed(array: Array, least: float, most: float) -> Array:
    reach = np.nanmax([abs(least), abs(most), np.finfo(np.float32).tiny])
    return _between(_scaled(array, -reach, reach), SIGNED)


def _colour(array: Array, least: float, most: float) -> Array:
    if array.shape[-1] < 3:
        return _grey(array, least, most)
    return array[..., :3] * 255


def _between(where: Array, stops: tuple[tuple[int, int, int], ...]) -> Array:
    """Return colours between stops at equal distances from 0 to 1."""
    at = np.linspace(0, 1, len(stops))
    clean = np.nan_to_num(where)
    return np.stack([np.interp(clean, at, channel) for channel in np.array(stops).T], axis=-1)


MAPS: dict[str, Callable[[Array, float, float], Array]] = {
    "grey": _grey, "colour": _colour, "ramp": _ramp, "signed": _signed,
}  # fmt: skip
