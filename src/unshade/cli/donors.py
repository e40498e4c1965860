"""Which shader supplies what a text does not say: the one that is named, or of a folder the one
that the text was made from.

`dis FOLDER -o TEXTS` calls a text as `targets.apart` says; among the shaders of a folder of donors
the same rule finds the shader again.
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
        """Return the donor of a text; UsageError where a folder has none, or several."""
        if not self.folder:
            return Input(self.path)
        folder, name = os.path.split(os.path.join(self.path, item.stem))
        known = self._in(folder)
        found = known["called"][name] or known["whole"][name] or known["stem"][name]
        if len(found) == 1:
            return found[0]
        told = f"{len(found)} shaders" if found else "no shader"
        which = f" ({', '.join(each.inside for each in found)})" if found else ""
        raise UsageError(f"{told} called {name!r} in {folder}{which}, to be the donor")

    def name(self, item: Input) -> str | None:
        """Return what a shader is called that is to stand beside its donors; None for no donor."""
        if not self.folder:
            return None
        try:
            donor = self.of(item)
        except UsageError:
            return None
        return os.path.join(os.path.dirname(item.inside), donor.inside)

    def _in(self, folder: str) -> Known:
        """Return the shaders of a folder by what their texts are called, and by their own names."""
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
