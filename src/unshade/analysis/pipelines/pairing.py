"""Pipelines of many files: by a rule for their names, or listed in JSON.

    vs/*.cso=ps/*.cso          vs/a.cso with ps/a.cso, vs/b.cso with ps/b.cso
    vs/full.cso=ps/*.cso       one vertex shader with every pixel shader
    **/*.vert.spv=**/*.frag.spv    in every folder, beside each other

    {"pipelines": [{"name": "water", "stages": ["vs.cso", {"file": "all.spv", "entry": "ps"}],
                    "root_signature": "main.rootsig", "layout": …, "state": …}],
     "state": {"features": ["maintenance4"]}}

`*` stands for a text without `/`; `**` stands for any folders. Files of a rule make a
pipeline if their wildcards stand for the same. Keys beside `pipelines` hold for all of them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...errors import UsageError
from ...tuples import NamedTuple
from .reading import items, record, text

__all__ = ["DescribedPipeline", "DescribedStage", "PairRule", "described_pipelines", "pair_rule"]

WILDCARD = re.compile(r"\*\*/|\*\*|\*|\?")
PATTERNS = {"**/": r"(?:(.+)/)?", "**": r"(.*)", "*": r"([^/]*)", "?": r"([^/])"}

Captured = tuple[str | None, ...]


class PairRule(NamedTuple):
    """A rule: the globs of the stages."""

    text: str
    globs: Sequence[str]

    @property
    def folders(self) -> list[str]:
        """The folder of each glob that contains all files that it matches."""
        return [WILDCARD.split(each, maxsplit=1)[0].rpartition("/")[0] for each in self.globs]

    def pipelines(self, files: Sequence[Iterable[str]]) -> "tuple[list[list[str]], list[str]]":
        """Return the files of each pipeline, and those that have no partner.

        Args:
            files: For each glob, the files that it may match, with `/` between folders.
        """
        sides = [_matching(glob, found) for glob, found in zip(self.globs, files, strict=True)]
        fixed = [[*side.values()] if () in side else [] for side in sides]
        keys: dict[Captured, None] = {}
        for side in sides:
            keys.update(dict.fromkeys(key for key in side if key))
        made, alone = [], []
        for key in keys or {(): None}:
            found = [side.get(key) or (one[0] if one else None)
                     for side, one in zip(sides, fixed, strict=True)]  # fmt: skip
            known = [each for each in found if each is not None]
            if len(known) == len(found):
                made.append(known)
            else:
                alone += [side[key] for side in sides if key in side]
        return made, alone


def _matching(glob: str, files: Iterable[str]) -> dict[Captured, str]:
    """Return the files that a glob matches, by the texts that its wildcards stand for."""
    pattern, at = "", 0
    for each in WILDCARD.finditer(glob):
        pattern += re.escape(glob[at : each.start()]) + PATTERNS[each[0]]
        at = each.end()
    whole = re.compile(pattern + re.escape(glob[at:]))
    found = ((whole.fullmatch(each), each) for each in files)
    return {match.groups(): name for match, name in found if match is not None}


def pair_rule(rule: str) -> PairRule:
    """Return the rule of a text: globs with `=` between them; of one glob, each file is a pipeline.

    Raises:
        UsageError: A glob is empty, or the wildcards of the globs differ in number.
    """
    globs = rule.replace("\\", "/").split("=")
    if not all(globs):
        raise UsageError(f"{rule}: expected globs with = between them: 'vs/*.cso=ps/*.cso'")
    counts = {len(WILDCARD.findall(each)) for each in globs} - {0}
    if len(counts) > 1:
        raise UsageError(f"{rule}: expected the same number of wildcards in each glob")
    return PairRule(rule, globs)


# -- JSON ----------------------------------------------------------------------------------------


class DescribedStage(NamedTuple):
    """A stage of a described pipeline."""

    file: str
    entry: str | None = None


class DescribedPipeline(NamedTuple):
    """A pipeline that plain data describes, with the paths as written there.

    `layout` and `state` are plain data or the path of a JSON file.
    """

    name: str
    stages: Sequence[DescribedStage]
    root_signature: str | None = None
    layout: str | Mapping[str, Any] | None = None
    state: str | Mapping[str, Any] | None = None


def _stage(data: Any, path: str) -> DescribedStage:
    if isinstance(data, str):
        return DescribedStage(text(data, path))
    given = record(data, path, {"file": text, "entry": text})
    if "file" not in given:
        raise UsageError(f"{path}: expected the key 'file'")
    return DescribedStage(**given)


def _beside(data: Any, path: str) -> str | Mapping[str, Any]:
    """Read plain data, or the path of its file."""
    if isinstance(data, Mapping):
        return data
    return text(data, path)


BESIDE = {"root_signature": text, "layout": _beside, "state": _beside}


def _pipeline(data: Any, path: str) -> dict[str, Any]:
    given = record(data, path, {"name": text, "stages": items(_stage), **BESIDE})
    if not given.get("stages"):
        raise UsageError(f"{path}.stages: expected the files of the stages")
    return given


def described_pipelines(data: Any, name: str = "pipelines") -> list[DescribedPipeline]:
    """Return the pipelines of plain data.

    Raises:
        UsageError: The data does not describe pipelines; names the path.
    """
    given = record(data, name, {"pipelines": items(_pipeline), **BESIDE})
    shared = {key: value for key, value in given.items() if key != "pipelines"}
    if "pipelines" not in given:
        raise UsageError(f"{name}: expected the key 'pipelines'")
    return [DescribedPipeline(**{"name": "", **shared, **each}) for each in given["pipelines"]]
