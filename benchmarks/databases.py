"""A State Object Database of 2,000 pipelines and 5,000 shaders: read, written, checked, compared.

    python benchmarks/databases.py [--pipelines 2000] [--shaders 5000] [--changed 40]

The shaders are vertex and pixel shaders of the corpus that fit, each made different by private
data. The second build has another shader in some pipelines, chosen by the seed, and the comparison
must report exactly these. The time of the `sqlite3` module for reading all rows stands beside ours.
"""

import argparse
import random
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from levels import machine

import unshade
from tests.corpus import containers, corpus_root
from unshade.analysis.pipelines import stored_pipelines
from unshade.formats.sodb.database import DatabaseRow

EXAMPLE = Path(__file__).parent.parent / "examples" / "pipelines.sodb"


def variants(stage: str, count: int) -> list[bytes]:
    """Return different containers of a stage, of at most 20,000 bytes each."""
    found = []
    for path in containers(corpus_root()):
        if path.stat().st_size > 20_000:
            continue
        shader = unshade.open(path)
        if not isinstance(shader, unshade.DxContainer) or not shader.programs:
            continue
        if str(shader.reflect().stage) == stage:
            found.append(shader.to_bytes())
    made = []
    for number in range(count):
        shader = unshade.DxContainer.loads(found[number % len(found)])
        shader["PRIV"] = b"variant %8d" % number
        made.append(shader.to_bytes())
    return made


def made(pipelines: int, shaders: int) -> unshade.Sodb:
    """Return a database; each pipeline has a vertex shader of its own and shares pixel shaders."""
    database = unshade.Sodb.open(EXAMPLE)
    tables = database.tables
    state, group = tables["pipeline_states"][-1], tables["groups"][0]
    code = tables["shader_bytecode"][0]
    for name in ("so_to_dxil_lib_associations", "state_objects"):
        tables[name].clear()
    vertex, pixel = variants("vertex", pipelines), variants("pixel", shaders - pipelines)
    rows: dict[str, list[DatabaseRow]]
    rows = {name: [] for name in ("pipeline_states", "groups", "shader_bytecode")}

    def add(name: str, like: DatabaseRow, **values: Any) -> None:
        rows[name].append(DatabaseRow(len(rows[name]) + 1, {**like.values, **values}))

    for kind, several in (("VS", vertex), ("PS", pixel)):
        for number, data in enumerate(several):
            add("shader_bytecode", code, Key=b"%s %d" % (kind.encode(), number), Type=kind,
                Bytecode=data)  # fmt: skip
    for number in range(pipelines):
        keys = {"ByteCode_VS": b"VS %d" % number, "ByteCode_PS": b"PS %d" % (number % len(pixel))}
        add("pipeline_states", state, Key=b"state %d" % number, InputLayout=None, **keys)
        add("groups", group, Key=b"group %d" % number, Version=1, PSOKey=b"state %d" % number,
            SOKey=None)  # fmt: skip
    for name, new in rows.items():
        tables[name][:] = new
    return database


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Return the result; print the processor time."""
    start = time.process_time()
    result = work()
    print(f"{what:44} {time.process_time() - start:6.2f} s", flush=True)
    return result


def main() -> int:
    """Make both builds, and print the time of each job."""
    layout = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--pipelines", type=int, default=2000)
    parser.add_argument("--shaders", type=int, default=5000)
    parser.add_argument("--changed", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(machine())
    data = made(given.pipelines, given.shaders).to_bytes()
    print(f"{given.pipelines:,} pipelines, {given.shaders:,} shaders, {len(data):,} bytes")

    def by_sqlite() -> int:
        connection = sqlite3.connect(":memory:")
        connection.deserialize(data)
        found = connection.execute("select name from sqlite_schema where type = 'table'")
        names = [name for (name,) in found]
        return sum(len(connection.execute(f"select * from {name}").fetchall()) for name in names)

    rows = timed("rows by sqlite3", by_sqlite)
    first = timed("read", lambda: unshade.Sodb.loads(data))
    assert sum(map(len, first.tables.values())) == rows
    again = timed("written", lambda: unshade.Sodb.loads(data).to_bytes())
    assert again == data
    second = unshade.Sodb.loads(data)
    chosen = sorted(random.Random(given.seed).sample(range(given.pipelines), given.changed))
    for number in chosen:
        other = b"VS %d" % ((number + 1) % given.pipelines)
        second.shaders[b"VS %d" % number] = first.shaders[other].to_bytes()
    changed = timed("written with changes", second.to_bytes)
    first, second = unshade.Sodb.loads(data), unshade.Sodb.loads(changed)
    checked = timed("checked", lambda: [each.open().check() for each in stored_pipelines(first)])
    print(f"    {sum(map(bool, checked)):,} pipelines with findings")
    found = timed("compared", lambda: unshade.diff(first, second))
    names = sorted(int(each.name.split()[1].rstrip("\\0")) for each in found.pipelines)
    print(f"    {found.verdict}")
    return 0 if names == chosen else 1


if __name__ == "__main__":
    sys.exit(main())
