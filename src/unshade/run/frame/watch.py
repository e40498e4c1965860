"""The history of a pixel over the draws of a frame that have a target."""

from collections.abc import Iterable

from ..raster.history import PixelHistory
from .resources import FrameTarget

__all__ = ["PixelWatcher"]


class PixelWatcher:
    """A history, and the target, or the layer of one, that its pixel is in.

    `title` is the place of the command that is run, which names its draws in the history.
    """

    def __init__(self, history: PixelHistory, target: FrameTarget) -> None:
        self.history = history
        self.name = target.name
        self.layer = history.layer
        self.title = ""

    def history_of(self, targets: Iterable[FrameTarget]) -> PixelHistory | None:
        """Return the history for a draw into these targets; None if the pixel is in none."""
        names = [each.name for each in targets]
        whole, _, number = self.name.rstrip("]").partition("[")
        if self.name in names:
            self.history.layer = self.layer
        elif number and whole in names:
            self.history.layer = int(number)
        else:
            return None
        return self.history
