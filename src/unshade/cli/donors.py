"""Selection of the donor of a text: the named shader, or the matching shader of a folder.

`dis FOLDER -o TEXTS` names texts by `targets.apart`; the same rule finds the shader of a text in a
folder of donors.
"""

import os
from collections import defaultdict

from .. import files as system
from ..errors import UsageError
from .inputs import Input, is_shader
from .targets import apart

Known = dict[str, dict[str, list[Input]]]


class Donors:
    """The shaders that `--donor` names."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = path != "-" and os.path.isdir(path)
        self._known: dict[str, Known] = {}

    def of(self, item: Input) -> Input:
        """Return the donor of a text; UsageError if a folder contains none or several."""
        if not self.folder:
            return Input(self.path)
        folder, name = os.path.split(os.path.join(self.path, item.stem))
        known = self._in(folder)
        found = known["called"][name] or known["whole"][name] or known["stem"][name]
        if len(found) == 1:
            return found[0]
        if not found:
            raise UsageError(f"no donor named {name!r} in {folder}")
        which = ", ".join(each.inside for each in found)
        raise UsageError(f"several donors named {name!r} in {folder}: {which}")

    def name(self, item: Input) -> str | None:
        """Return the output name for a text whose donor is in a folder, else None."""
        if not self.folder:
            return None
        try:
            donor = self.of(item)
        except UsageError:
            return None
        return os.path.join(os.path.dirname(item.inside), donor.inside)

    def _in(self, folder: str) -> Known:
        """Return the shaders of a folder, by the names of their texts and by their file names."""
        if folder not in self._known:
            try:
                there = sorted(each for each in system.entries(folder) if each.regular)
            except OSError:
                there = []
            found = [Input(each.path, each.name, found=True) for each in there]
            found = [each for each in found if is_shader(each)]
            called = apart((each.stem, each.inside) for each in found)
            known: Known = {way: defaultdict(list) for way in ("called", "whole", "stem")}
            for name, each in zip(called, found, strict=True):
                known["called"][name].append(each)
                known["whole"][each.inside].append(each)
                known["stem"][each.stem].append(each)
            self._known[folder] = known
        return self._known[folder]
