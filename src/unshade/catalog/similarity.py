"""The shaders of a catalogue that are like another one, the likest first.

    marks of the shader ──► the rare ones ──► shaders that have them ──► score
                            (sketches is sorted by mark)

A mark counts by how rare it is in the catalogue. The score is the weight of the common marks as a
share of the weight of all marks of both, from 0 to 1; marks of the other shader that are not common
are taken to have the mean weight. Labels count only if they are common, since other compilers and
instruction sets make other ones of the same source.

A threshold would lie, since the shaders of one engine are all alike: a match is told by the
distance to the runner-up, and by equal results.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.identities import kernels_of, key_of_interface, key_of_shape, program_key
from ..errors import UnshadeError, UsageError
from .queries import Catalog
from .sketches import KEY, LABEL, MARKS, ShaderMark, marks_of

if TYPE_CHECKING:
    from ..shader import Shader

__all__ = ["SimilarShader", "similar"]

SHARE = 0.02  # of all shaders: a mark that more of them have is common
FEW = 2000  # shaders that may have a rare mark in a small catalogue
ENOUGH = 8  # rare marks, without which common ones count, too
SPARE = 4  # times as many are ranked, since those of other stages are left out
SAME = ("program", "shape", "interface")  # whose keys are marks


class SimilarShader(NamedTuple):
    """A shader of the catalogue.

    Attributes:
        shader: SHA-256 of its bytes.
        score: From 0 to 1.
        margin: Score less that of the next one.
        same: `bytes`, or of `program`, `shape` and `interface` those whose keys are equal.
        common: For each kind of marks, the number that both have, and that the given one has.
        words: Some of the rarest common words: constants, names, operations.
        format: Its format.
        stage: Its stage.
        profile: Its profile or version.
        path: The path of a file that it is in.
        place: Its place in that file.
    """

    shader: str
    score: float
    margin: float
    same: tuple[str, ...]
    common: dict[str, tuple[int, int]]
    words: tuple[str, ...]
    format: str
    stage: str | None
    profile: str | None
    path: str | None
    place: str | None


def marks_of_shader(shader: "Shader") -> list[ShaderMark]:
    """Return the marks of a shader that was opened."""
    keys: dict[str, str | None] = {}
    reflection = None
    try:
        reflection = shader.reflect()
        keys["interface"] = key_of_interface(reflection)
        keys["program"] = program_key(shader)
    except UnshadeError:
        pass
    kernels = kernels_of(shader)
    keys["shape"] = key_of_shape(kernels)
    return marks_of(keys, reflection, kernels)


def similar(catalog: Catalog, shader: "Shader", *, most: int = 10) -> list[SimilarShader]:
    """Return the shaders of a catalogue that are most like another one.

    Args:
        catalog: A catalogue that is not quick.
        shader: The shader, of any format.
        most: The number of shaders to return.

    Raises:
        UsageError: The catalogue is quick.
    """
    if catalog.manifest.quick:
        raise UsageError("expected a catalogue that is not quick, whose shaders have marks")
    marks = {each.mark: each for each in marks_of_shader(shader)}
    words = {mark for mark, each in marks.items() if each.kind != LABEL}
    weights, unknown = _weights(catalog, [*marks], words)
    ranked = _ranked(catalog, weights, words, unknown, SPARE * (most + 1))
    described = _described(catalog, [key for key, _ in ranked], weights)
    stage = _stage(shader)
    ranked = [each for each in ranked if stage is None or described[each[0]][0][2] == stage]
    found = []
    for number, (key, score) in enumerate(ranked[:most]):
        row, common = described[key]
        after = ranked[number + 1][1] if number + 1 < len(ranked) else 0.0
        ours = [marks[each] for each in common]
        kinds = {each.kind for each in ours}
        found.append(
            SimilarShader(
                row[0], score, score - after, tuple(each for each in SAME if each in kinds),
                _counts([*marks.values()], ours), _words(ours, weights), *row[1:],
            )
        )  # fmt: skip
    return found


def _stage(shader: "Shader") -> str | None:
    """Return the stages of a shader, as the column of the table has them."""
    known = shader.identity()
    several = known.entry_points or [known]
    stages = (str(each.stage) for each in several if each.stage is not None)
    return ",".join(dict.fromkeys(stages)) or None


def _weights(
    catalog: Catalog, marks: Sequence[int], words: set[int]
) -> tuple[dict[int, float], float]:
    """Return the weight of each mark that the catalogue has, and of all words that it has not.

    Common marks have none if there are enough rare ones.
    """
    [(total,)] = catalog.query("SELECT count(*) FROM shaders")
    if not total or not marks:
        return {}, 0.0
    counted = catalog.query(
        f"SELECT mark, count(*) FROM sketches WHERE mark IN ({_listed(marks)}) GROUP BY mark"
    )
    counts = {mark: int(number) for mark, number in counted}
    rare = {mark for mark, number in counts.items() if number <= max(SHARE * total, FEW)}
    kept = rare if len(rare) >= ENOUGH else counts
    unknown = len(words - counts.keys()) * math.log(1 + total)
    return {mark: math.log(1 + total / counts[mark]) for mark in kept}, unknown


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _ranked(
    catalog: Catalog, weights: dict[int, float], words: set[int], unknown: float, most: int
) -> list[tuple[int, float]]:
    """Return the keys of the likest shaders and their scores."""
    if not weights:
        return []
    counted = [weight for mark, weight in weights.items() if mark in words]
    all_weight = sum(counted)
    mean = all_weight / max(len(counted), 1)
    share = len(counted) / max(len(words), 1)  # of the words of another one, as of ours, count
    values = ", ".join(
        f"({mark}, {weight!r}, {int(mark not in words)})" for mark, weight in weights.items()
    )
    found = catalog.query(
        "SELECT key, weight / (? + labels + greatest(words * ? - common, 0) * ?) AS score FROM ("
        " SELECT key, any_value(words) AS words, count(*) - sum(label) AS common,"
        " sum(weight * label) AS labels, sum(weight) AS weight"
        f" FROM sketches JOIN (VALUES {values}) AS wanted (mark, weight, label) USING (mark)"
        f" WHERE mark IN ({_listed([*weights])}) GROUP BY key)"
        " ORDER BY score DESC, key LIMIT ?",
        [all_weight + unknown, share, mean, most],
    )
    return [(int(key), min(float(score), 1.0)) for key, score in found]


Described = tuple[tuple[Any, ...], list[int]]


def _described(
    catalog: Catalog, keys: Sequence[int], weights: dict[int, float]
) -> dict[int, Described]:
    """Return the columns of shaders and their common marks, by key."""
    if not keys:
        return {}
    ranges = " OR ".join(f"shader[:15] = '{key:015x}'" for key in keys)
    rows = catalog.query(
        "SELECT key, any_value(shader), any_value(format), any_value(stage),"
        " any_value(coalesce(profile, model)), min_by(path, path), min_by(place, path)"
        f" FROM (SELECT {KEY} AS key, * FROM shaders WHERE {ranges}) AS one"
        " LEFT JOIN places USING (shader) GROUP BY key"
    )
    marks = catalog.query(
        f"SELECT key, list(mark) FROM sketches WHERE mark IN ({_listed([*weights])})"
        f" AND key IN ({_listed(keys)}) GROUP BY key"
    )
    common = {int(key): [int(each) for each in listed] for key, listed in marks}
    return {int(key): (tuple(row), common.get(int(key), [])) for key, *row in rows}


def _counts(
    marks: "Sequence[ShaderMark]", common: "Sequence[ShaderMark]"
) -> dict[str, tuple[int, int]]:
    """Return the number of common marks and of all, by kind."""
    found = {}
    for kind in MARKS:
        if kind not in SAME:
            number = sum(each.kind == kind for each in marks)
            if number:
                found[kind] = sum(each.kind == kind for each in common), number
    return found


def _words(common: Sequence[ShaderMark], weights: dict[int, float]) -> tuple[str, ...]:
    """Return the rarest words that people can read."""
    shown = [each for each in common if each.kind in ("constant", "operation", "interface word")]
    shown.sort(key=lambda each: (-weights[each.mark], each.word))
    return tuple(each.word for each in shown[:6])
