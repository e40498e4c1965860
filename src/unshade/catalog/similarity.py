"""The shaders of a catalogue that are similar to another shader, the most similar first.

    marks of the shader ──► the rare ones ──► shaders that have them ──► score
                            (sketches is sorted by mark; common marks are not read)

A mark counts by how rare it is in the catalogue. The score is the weight of the common marks as a
share of the weight of all marks of both, from 0 to 1; marks of the other shader that are not common
are taken to have the mean weight. Labels count only if they are common, since other compilers and
instruction sets make other labels of the same source.

A fixed threshold would mislead, since the shaders of one engine are all alike: a match shows in the
distance to the runner-up, and in equal results.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.identities import kernels_of, key_of_interface, key_of_shape, program_key
from ..errors import UnshadeError, UsageError
from ..tuples import NamedTuple
from .facts import operations_of
from .marks import MarkRows
from .queries import Catalog
from .sketches import KEY, LABEL, MARKS, ShaderMark, marks_of
from .store import literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..shader import Shader

__all__ = ["SimilarShader", "similar"]

SHARE = 0.02  # of all shaders: a mark that more of them have is common
FEW, MANY = 2000, 20_000  # shaders that may have a rare mark in a small catalogue, and in any
ENOUGH = 8  # rare marks, without which common ones count, too
SPARE = 4  # times as many are ranked, since those of other stages are left out
PIECE = 8  # shaders that are described at once, at least
EQUAL = 1e-9  # difference of equal scores
SAME = ("program", "shape", "interface")  # whose keys are marks


class SimilarShader(NamedTuple):
    """A shader of the catalogue.

    Attributes:
        shader: SHA-256 of its bytes.
        score: From 0 to 1.
        margin: The score minus the score of the next shader.
        same: `bytes`, or of `program`, `shape` and `interface` those whose keys are equal.
        common: For each kind of marks, the number of common marks, and of marks of the given
        shader.
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
    weights = _weights(catalog, [*marks], words)
    ranked = _ranked(weights, words, SPARE * (most + 1))
    ranked, described = _of_stage(catalog, ranked, _stage(shader), most)
    ranked = _untied(catalog, shader, ranked, described)
    chosen = ranked[:most]
    places = _places(catalog, [described[key][0] for key, _ in chosen])
    common = _common(weights, [key for key, _ in chosen])
    found = []
    for number, (key, score) in enumerate(chosen):
        row = described[key]
        after = ranked[number + 1][1] if number + 1 < len(ranked) else 0.0
        ours = [marks[each] for each in common[key]]
        kinds = {each.kind for each in ours}
        found.append(
            SimilarShader(
                row[0], score, score - after, tuple(each for each in SAME if each in kinds),
                _counts([*marks.values()], ours), _words(ours, weights.of), *row[1:],
                *places.get(row[0], (None, None)),
            )
        )  # fmt: skip
    return found


def _stage(shader: "Shader") -> str | None:
    """Return the stages of a shader, as the column of the table has them."""
    known = shader.identity()
    several = known.entry_points or [known]
    stages = (str(each.stage) for each in several if each.stage is not None)
    return ",".join(dict.fromkeys(stages)) or None


class _Weights(NamedTuple):
    """The weights of the marks of a shader, and the rows of the shaders that have them."""

    of: dict[int, float]  # by mark
    unknown: float  # of all words that the catalogue has not
    rows: MarkRows


def _weights(catalog: Catalog, marks: Sequence[int], words: set[int]) -> _Weights:
    """Return the weight of each mark that the catalogue has.

    Common marks have none if there are enough rare ones; their rows are not even read. If there are
    not, as many of them count as can be read in a bounded time.
    """
    total = catalog.manifest.rows("shaders")
    most = int(min(max(SHARE * total, FEW), MANY))
    rows = catalog.marks.rows(marks, most, ENOUGH)
    counts = _counted(rows)
    kept = {mark for mark, number in counts.items() if number <= most}
    if len(kept) < ENOUGH:
        kept = set(counts)
    unknown = len(words - counts.keys() - rows.common) * math.log(1 + total)
    return _Weights({mark: math.log(1 + total / counts[mark]) for mark in kept}, unknown, rows)


def _counted(rows: MarkRows) -> dict[int, int]:
    """Return the number of rows of each mark that has any."""
    import numpy as np

    counts = np.bincount(rows.number, minlength=len(rows.marks)).tolist()
    return {mark: int(count) for mark, count in zip(rows.marks, counts, strict=True) if count}


def _ranked(weights: _Weights, words: set[int], most: int) -> list[tuple[int, float]]:
    """Return the keys of the most similar shaders and their scores."""
    if not weights.of:
        return []
    import numpy as np

    counted = [weight for mark, weight in weights.of.items() if mark in words]
    all_weight = sum(counted) + weights.unknown
    mean = sum(counted) / max(len(counted), 1)
    share = len(counted) / max(len(words), 1)  # of the words of another one, as of ours, count
    rows = weights.rows
    weight = np.array([weights.of.get(each, 0.0) for each in rows.marks])
    is_word = np.array([each in words for each in rows.marks])
    kept = np.array([each in weights.of for each in rows.marks])[rows.number]
    number = rows.number[kept]
    keys, place = _numbered(rows.key[kept])
    their_words = np.zeros(len(keys))
    their_words[place] = rows.words[kept]
    both = np.bincount(place, weight[number])
    labels = np.bincount(place, np.where(is_word, 0.0, weight)[number])
    common = np.bincount(place, is_word[number].astype(np.float64))
    rest = np.maximum(their_words * share - common, 0.0) * mean
    score = both / (labels + rest + all_weight)
    least = np.partition(score, -most)[-most] if most < len(score) else -1.0
    (best,) = np.nonzero(score >= least)  # with all that are equal to the last one
    best = best[np.lexsort((keys[best], -score[best]))[:most]]
    return [(int(keys[each]), min(float(score[each]), 1.0)) for each in best]


def _numbered(
    keys: "npt.NDArray[np.int64]",
) -> "tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]":
    """Return the different keys in order, and for each key its number among them.

    The keys of a mark are in order, so that merging these runs is quicker than sorting anew, as
    `numpy.unique` does.
    """
    import numpy as np

    order = keys.argsort(kind="stable")
    ordered = keys[order]
    differs = np.ones(len(keys), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=differs[1:])
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.cumsum(differs) - 1
    return ordered[differs], numbers


def _of_stage(
    catalog: Catalog, ranked: Sequence[tuple[int, float]], stage: str | None, most: int
) -> tuple[list[tuple[int, float]], dict[int, tuple[Any, ...]]]:
    """Return the shaders of a stage and the rows about them.

    These are enough of the most similar: more than `most`, and all whose scores equal the best.
    Rows are asked for in pieces, since each shader is in another group of rows.
    """
    kept: list[tuple[int, float]] = []
    described: dict[int, tuple[Any, ...]] = {}
    size = max(most + 1, PIECE)
    for at in range(0, len(ranked), size):
        piece = ranked[at : at + size]
        described |= _described(catalog, [key for key, _ in piece])
        kept += [
            (key, score)
            for key, score in piece
            if key in described and stage in (None, described[key][2])
        ]
        if len(kept) > most and kept[0][1] - kept[-1][1] >= EQUAL:
            break
    return kept, described


def _described(catalog: Catalog, keys: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the hash, format, stage and profile of shaders, by key."""
    ranges = " OR ".join(f"shader BETWEEN '{key:015x}' AND '{key:015x}g'" for key in keys)
    rows = catalog.query(
        f"SELECT {KEY}, shader, format, stage, coalesce(profile, model) FROM shaders WHERE {ranges}"
    )
    return {int(key): tuple(row) for key, *row in rows}


def _untied(
    catalog: Catalog,
    shader: "Shader",
    ranked: list[tuple[int, float]],
    described: dict[int, tuple[Any, ...]],
) -> list[tuple[int, float]]:
    """Return the ranks; sort the best ones of equal score by the difference of their operations.

    Variants of a shader may have the same marks; the counts of their operations distinguish them.
    """
    tied = [each for each in ranked if ranked[0][1] - each[1] < EQUAL]
    if len(tied) < 2:
        return ranked
    ours = dict(operations_of(shader))
    names = ", ".join(literal(described[key][0]) for key, _ in tied)
    theirs: dict[str, dict[str, int]] = {}
    query = f"SELECT shader, operation, count FROM operations WHERE shader IN ({names})"
    for name, operation, count in catalog.query(query):
        theirs.setdefault(name, {})[operation] = count

    def difference(each: tuple[int, float]) -> int:
        its = theirs.get(described[each[0]][0], {})
        return sum(abs(ours.get(name, 0) - its.get(name, 0)) for name in {*ours, *its})

    return [*sorted(tied, key=difference), *ranked[len(tied) :]]


def _places(catalog: Catalog, shaders: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the first file of each shader, and its place in it."""
    if not shaders:
        return {}
    rows = catalog.query(
        "SELECT shader, min_by(path, path), min_by(place, path) FROM places"
        f" WHERE shader IN ({', '.join(map(literal, shaders))}) GROUP BY shader"
    )
    return {shader: (path, place) for shader, path, place in rows}


def _common(weights: _Weights, keys: Sequence[int]) -> dict[int, list[int]]:
    """Return the common marks of shaders, by key."""
    import numpy as np

    rows = weights.rows
    (places,) = np.nonzero(np.isin(rows.key, keys))
    found: dict[int, list[int]] = {key: [] for key in keys}
    for place in places:
        mark = rows.marks[rows.number[place]]
        if mark in weights.of:
            found[int(rows.key[place])].append(mark)
    return found


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
    return tuple(readable(each.word) for each in shown[:6])


def readable(word: str) -> str:
    """Return the word of a mark as it is shown: `resource texture texture2d writable`."""
    if not word.startswith("resource "):
        return word
    *kind, dimension, writable = word.split(" ")
    shown = [*kind, dimension if dimension != "None" else "", "writable" * (writable == "True")]
    return " ".join(filter(None, shown))
