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
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.identities import kernels_of, key_of_interface, key_of_shape, program_key
from ..errors import UnshadeError, UsageError
from .facts import operations_of
from .queries import Catalog
from .sketches import KEY, LABEL, MARKS, ShaderMark, marks_of
from .store import literal

if TYPE_CHECKING:
    import pyarrow as pa

    from ..shader import Shader

__all__ = ["SimilarShader", "similar"]

SHARE = 0.02  # of all shaders: a mark that more of them have is common
FEW = 2000  # shaders that may have a rare mark in a small catalogue
ENOUGH = 8  # rare marks, without which common ones count, too
SPARE = 4  # times as many are ranked, since those of other stages are left out
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
    described = _described(catalog, [key for key, _ in ranked])
    stage = _stage(shader)
    ranked = [
        (key, score)
        for key, score in ranked
        if key in described and stage in (None, described[key][2])
    ]
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
    rows: "pa.Table"


def _weights(catalog: Catalog, marks: Sequence[int], words: set[int]) -> _Weights:
    """Return the weight of each mark that the catalogue has.

    Common marks have none if there are enough rare ones; their rows are not even read.
    """
    import pyarrow as pa
    from pyarrow import compute

    total = catalog.manifest.rows("shaders")
    most = int(max(SHARE * total, FEW))
    rows, common = catalog.marks.rows(marks, most)
    counts = _counted(rows)
    kept = {mark for mark, number in counts.items() if number <= most}
    if len(kept) < ENOUGH:
        rows, common = catalog.marks.rows(marks, None)
        counts = _counted(rows)
        kept = set(counts)
    values = pa.array(sorted(kept), pa.int64())
    rows = rows.filter(compute.is_in(rows["mark"], value_set=values))
    unknown = len(words - counts.keys() - common) * math.log(1 + total)
    return _Weights({mark: math.log(1 + total / counts[mark]) for mark in kept}, unknown, rows)


def _counted(rows: "pa.Table") -> dict[int, int]:
    """Return the number of rows of each mark."""
    found = rows.group_by("mark").aggregate([([], "count_all")])
    return dict(zip(found["mark"].to_pylist(), found["count_all"].to_pylist(), strict=True))


def _ranked(weights: _Weights, words: set[int], most: int) -> list[tuple[int, float]]:
    """Return the keys of the most similar shaders and their scores."""
    if not weights.of:
        return []
    import pyarrow as pa
    from pyarrow import compute

    counted = [weight for mark, weight in weights.of.items() if mark in words]
    all_weight = sum(counted) + weights.unknown
    mean = sum(counted) / max(len(counted), 1)
    share = len(counted) / max(len(words), 1)  # of the words of another one, as of ours, count
    marks = sorted(weights.of)
    places = compute.index_in(weights.rows["mark"], value_set=pa.array(marks, pa.int64()))
    weight = pa.array([weights.of[each] for each in marks], pa.float64())
    of_label = pa.array([0.0 if each in words else weights.of[each] for each in marks])
    word = pa.array([int(each in words) for each in marks])
    table = pa.table(
        {
            "key": weights.rows["key"],
            "words": weights.rows["words"],
            "weight": compute.take(weight, places),
            "labels": compute.take(of_label, places),
            "common": compute.take(word, places),
        }
    )
    found = table.group_by("key").aggregate(
        [("words", "max"), ("weight", "sum"), ("labels", "sum"), ("common", "sum")]
    )
    theirs = compute.subtract(
        compute.multiply(compute.cast(found["words_max"], pa.float64()), share),
        compute.cast(found["common_sum"], pa.float64()),
    )
    rest = compute.multiply(compute.max_element_wise(theirs, pa.scalar(0.0)), mean)
    whole = compute.add(compute.add(found["labels_sum"], rest), all_weight)
    found = found.append_column("score", compute.divide(found["weight_sum"], whole))
    best = compute.select_k_unstable(
        found,
        k=min(most, found.num_rows),
        sort_keys=[("score", "descending"), ("key", "ascending")],
    )
    first = found.take(best)
    scores = zip(first["key"].to_pylist(), first["score"].to_pylist(), strict=True)
    return [(int(key), min(float(score), 1.0)) for key, score in scores]


def _described(catalog: Catalog, keys: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the hash, format, stage and profile of shaders, by key."""
    if not keys:
        return {}
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
    import pyarrow as pa
    from pyarrow import compute

    rows = weights.rows
    rows = rows.filter(compute.is_in(rows["key"], value_set=pa.array(keys, pa.int64())))
    found: dict[int, list[int]] = {key: [] for key in keys}
    for key, mark in zip(rows["key"].to_pylist(), rows["mark"].to_pylist(), strict=True):
        found[key].append(mark)
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
