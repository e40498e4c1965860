"""A million shaders that drifted from others: `similar` and point lookup, in processor time.

    python benchmarks/similar_million.py [--shaders N] [--bases N] [--searches N] [FOLDER]

The marks of the programs below a folder, by default that of the corpus, are those of the bases;
of programs with the same marks only the first is one, since no search can tell them apart.
Each shader of the catalogue has the marks of a base, of which a tenth, chosen by a seed, are
replaced by others. A catalogue of that many shaders is written with the library's own writer, each
in two files. Then bases are looked for: facts of the shader, ranking, and rows of the best in SQL
are told apart. The first search of a process is made in processes of their own, which also tell the
imports and the opening of the catalogue. And rows are looked up by hash, among shaders and among
places, by one process; the first lookup of each kind reads the footers of the files.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

import unshade
from unshade import catalog
from unshade.catalog import similarity
from unshade.catalog.queries import Catalog, CatalogRows
from unshade.catalog.sketches import key_of
from unshade.catalog.storage import storage_of
from unshade.catalog.store import Manifest, Run, arrow_schema, need_packages, save, write_run
from unshade.catalog.tables import TABLES, column_names
from unshade.errors import UnshadeError

DRIFT = 0.1  # share of marks that are replaced
PIECE = 1 << 16  # rows that are written at once
COPIES = 2  # files of each shader
FACTS = "marks_of_shader", "operations_of"  # functions of `similarity` that read the given shader


def bases(folder: Path, most: int) -> list[tuple[unshade.Shader, list[int]]]:
    """Return shaders with at least 20 marks, and these, which no other one has."""
    found: list[tuple[unshade.Shader, list[int]]] = []
    known: set[frozenset[int]] = set()
    for path in sorted(folder.rglob("*.dxbc")):
        if len(found) == most:
            break
        try:
            shader = unshade.open(path)
            marks = [each.mark for each in similarity.marks_of_shader(shader)]
        except UnshadeError:
            continue
        if len(marks) >= 20 and frozenset(marks) not in known:
            known.add(frozenset(marks))
            found.append((shader, marks))
    return found


def sketches(known: list[list[int]], hashes: list[str], seed: int) -> pa.Table:
    """Return the rows of sketches, sorted."""
    chance = np.random.default_rng(seed)
    keys = np.array([key_of(each) for each in hashes], np.int64)
    marks, owners, words = [], [], []
    for number, base in enumerate(known):
        of = keys[number :: len(known)]
        made = np.tile(np.array(base, np.int64), (len(of), 1))
        changed = chance.random(made.shape) < DRIFT
        made[changed] = chance.integers(-(2**63), 2**63 - 1, int(changed.sum()), np.int64)
        marks.append(made.ravel())
        owners.append(np.repeat(of, len(base)))
        words.append(np.full(made.size, len(base), np.int64))
    mark, key = np.concatenate(marks), np.concatenate(owners)
    order = np.lexsort((key, mark))
    columns = [mark[order], key[order], np.concatenate(words)[order]]
    return pa.Table.from_arrays(
        [pa.array(each) for each in columns], schema=arrow_schema("sketches")
    )


def filled(table: str, count: int, **columns: pa.Array) -> pa.Table:
    """Return rows with these columns; the others are NULL, or empty lists."""
    schema = arrow_schema(table)
    arrays = []
    for name in column_names(table):
        kind = schema.field(name).type
        if name in columns:
            arrays.append(columns[name])
        elif pa.types.is_list(kind):
            arrays.append(pa.array([[]] * count, kind))
        else:
            arrays.append(pa.nulls(count, kind))
    return pa.Table.from_arrays(arrays, schema=schema)


def pieces(whole: pa.Table) -> Iterator[pa.Table]:
    for at in range(0, whole.num_rows, PIECE):
        yield whole.slice(at, PIECE)


def write(to: str, known: list[list[int]], stages: list[str], count: int, seed: int) -> list[str]:
    """Write a catalogue; return the hashes of its shaders."""
    hashes = [sha256(b"%d" % number).hexdigest() for number in range(count)]
    numbers_of = {each: number for number, each in enumerate(hashes)}
    ordered = sorted(hashes)
    shaders = pa.array(ordered)
    stage = pa.array([stages[numbers_of[each] % len(stages)] for each in ordered])
    contents = [sha256(b"file %d" % number).hexdigest() for number in range(COPIES * count)]
    numbers = pa.array(np.zeros(len(contents), np.int64))
    paths = pa.array([f"build/{number:08}.cso" for number in range(len(contents))])
    tables = {
        "files": filled("files", len(contents), path=paths, name=paths,
                        root=pa.array(["build"] * len(contents)), size=numbers, modified=numbers,
                        content=pa.array(contents), removed=pa.array([False] * len(contents))),
        "paths": filled("paths", len(contents), content=pa.array(contents), path=paths, name=paths,
                        root=pa.array(["build"] * len(contents))).sort_by("content"),
        "contents": filled("contents", len(contents), content=pa.array(sorted(contents))),
        "places": filled("places", len(contents), number=numbers, offset=numbers, size=numbers,
                         content=pa.array(contents), place=pa.array(["dxbc@0x0"] * len(contents)),
                         shader=pa.array([each for each in ordered for _ in range(COPIES)])),
        "shaders": filled("shaders", count, shader=shaders, stage=stage,
                          format=pa.array(["dxcontainer"] * count)),
        "sketches": sketches(known, hashes, seed),
    }  # fmt: skip
    storage = storage_of(to)
    storage.prepare()
    written = {name: write_run(storage, name, 1, pieces(rows)) for name, rows in tables.items()}
    run = Run(1, ("build",), False, {name: written[name] for name in TABLES if name in written})
    save(storage, Manifest(False, unshade.__version__, (run,)), Manifest())
    return hashes


class KeptRows(CatalogRows):
    """The rows of an answer, all of which have been read."""

    def __init__(self, rows: CatalogRows) -> None:
        self.columns, self.types = rows.columns, rows.types
        self._rows = [*rows]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rows)


class TimedCatalog(Catalog):
    """A catalogue that counts the processor time of its answers."""

    seconds = 0.0

    def query(self, sql: str, parameters: Sequence[object] = ()) -> CatalogRows:
        start = time.process_time()
        found = KeptRows(super().query(sql, parameters))
        self.seconds += time.process_time() - start
        return found


class Search(NamedTuple):
    """The processor time of a search, in seconds."""

    facts: float
    ranking: float
    rows: float


class Searches:
    """Searches in a catalogue, whose stages are timed.

    Args:
        opened: The catalogue.
    """

    def __init__(self, opened: TimedCatalog) -> None:
        self.opened = opened
        self.facts = 0.0
        for name in FACTS:
            setattr(similarity, name, self._timed(getattr(similarity, name)))

    def _timed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            start = time.process_time()
            found = work(*given)
            self.facts += time.process_time() - start
            return found

        return called

    def search(self, shader: unshade.Shader) -> tuple[Search, list[similarity.SimilarShader]]:
        """Return the times of a search and the best shader."""
        self.facts = self.opened.seconds = 0.0
        start = time.process_time()
        found = catalog.similar(self.opened, shader, most=1)
        whole = time.process_time() - start
        rest = whole - self.facts - self.opened.seconds
        return Search(self.facts, rest, self.opened.seconds), found


def first_search(to: str, shader: str) -> None:
    """Print the seconds of imports, of opening, and of the stages of a process's first search."""
    start = time.process_time()
    need_packages()
    import_module("pyarrow.parquet")  # which the first search imports
    imported = time.process_time()
    with TimedCatalog(to) as opened:
        ready = time.process_time()
        taken, _ = Searches(opened).search(unshade.open(shader))
    print(imported - start, ready - imported, *taken)


def told(what: str, times: Sequence[float]) -> None:
    """Print the median and the worst of times."""
    print(f"{what:34} median {1000 * statistics.median(times):6.1f} ms, worst"
          f" {1000 * max(times):6.1f} ms, {len(times)} times")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shaders", type=int, default=1_000_000)
    parser.add_argument("--bases", type=int, default=1000)
    parser.add_argument("--searches", type=int, default=40)
    parser.add_argument("--processes", type=int, default=10, help="that search once")
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--first", nargs=2, metavar=("CATALOG", "SHADER"), help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args()
    if given.first:
        first_search(*given.first)
        return
    folder = given.folder or Path(os.environ["UNSHADE_CORPUS"])
    chance = random.Random(given.seed)
    found = bases(folder, given.bases)
    with tempfile.TemporaryDirectory() as to:
        marks = [each for _, each in found]
        stages = [str(each.identity().stage) for each, _ in found]
        hashes = write(to, marks, stages, given.shaders, given.seed)
        right = 0
        times: list[Search] = []
        points, lookups, started = [], [], []
        for _ in range(given.processes):
            chance.choice(found)[0].save(Path(to) / "sought")
            line = [sys.executable, __file__, "--first", to, f"{to}/sought"]
            done = subprocess.run(line, stdout=subprocess.PIPE, check=True)
            started.append([*map(float, done.stdout.split())])
        with TimedCatalog(to) as opened:
            searches = Searches(opened)
            for _ in range(given.searches):
                number = chance.randrange(len(found))
                taken, first = searches.search(found[number][0])
                times.append(taken)
                same = {*hashes[number :: len(found)]}
                right += bool(first) and first[0].shader in same
            for _ in range(given.searches):
                start = time.process_time()
                (row,) = opened.query("SELECT stage FROM shaders WHERE shader = ?",
                                      [chance.choice(hashes)])  # fmt: skip
                points.append(time.process_time() - start)
                assert row
                start = time.process_time()
                rows = [*opened.query("SELECT path, place FROM places WHERE shader = ?",
                                      [chance.choice(hashes)])]  # fmt: skip
                lookups.append(time.process_time() - start)
                assert len(rows) == COPIES
        print(f"{given.shaders:,} shaders of {len(found)} bases; load {os.getloadavg()[0]:.1f}")
        for name, stage in zip(Search._fields, zip(*times, strict=True), strict=True):
            told(f"{name} of a search", stage)
        names = "imports", "opening", *(f"{each} of its first search" for each in Search._fields)
        for name, stage in zip(names, zip(*started, strict=True), strict=True):
            told(f"a process: {name}", stage)
        told(f"lookup among {given.shaders:,} shaders", points)
        told(f"its {COPIES} files, among {COPIES * given.shaders:,}", lookups)
        print(f"a version of the base first: {right} of {given.searches}")


if __name__ == "__main__":
    main()
