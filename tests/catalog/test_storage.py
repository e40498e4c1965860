"""Files and catalogues in object stores: the same rows as in folders."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.catalog.places import ask, filled, state
from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade import catalog
from unshade.catalog.storage import filesystem, is_remote, storage_of, store_errors
from unshade.errors import FileError, FormatError, UsageError

fsspec = pytest.importorskip("fsspec")

ROWS = "SELECT name, place, shader FROM places ORDER BY ALL"


@pytest.fixture
def store() -> Iterator[Any]:
    """Yield an empty store in memory."""
    system = fsspec.filesystem("memory")
    yield system
    if system.exists("/"):
        system.rm("/", recursive=True)


def objects(url: str) -> dict[str, bytes]:
    system, root = filesystem(url)
    return {
        each.removeprefix(root).lstrip("/"): system.cat_file(each) for each in system.find(root)
    }


def without_lock(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in found.items() if name != ".lock"}


def test_urls_are_told_from_paths() -> None:
    assert is_remote("s3://bucket/a")
    assert not is_remote("C://a")
    assert not is_remote("a/b://c")


def test_objects_have_the_rows_of_files(
    store: Any, build: Path, made: Path, tmp_path: Path
) -> None:
    url = filled("memory://dumps/build", build)
    store.pipe_file("/dumps/build/.hidden/a.dxbc", PHONG.read_bytes())
    found = catalog.scan([url], str(tmp_path / "other"))
    assert found == catalog.ScanResult(1, 7, 7, 0, 4, 1, 0)
    assert ask(tmp_path / "other", ROWS) == ask(made, ROWS)
    assert ask(tmp_path / "other", "SELECT path, root FROM files WHERE name = 'saxpy.dxbc'") == [
        (f"{url}/saxpy.dxbc", url)
    ]
    assert catalog.scan([url], str(tmp_path / "other")).run is None


def test_changed_and_removed_objects(store: Any, build: Path, tmp_path: Path) -> None:
    url = filled("memory://dumps", build)
    catalog.scan([url], str(tmp_path / "other"))
    store.rm_file("/dumps/cut.dxbc")
    store.pipe_file("/dumps/words.txt", SAXPY.read_bytes())
    found = catalog.scan([url], str(tmp_path / "other"))
    assert (found.files, found.read, found.removed, found.run) == (6, 1, 1, 2)


def test_a_single_object_and_its_root(store: Any, tmp_path: Path) -> None:
    store.pipe_file("/dumps/one.bin", gzip.compress(PHONG.read_bytes()))
    assert catalog.scan(["memory://dumps/one.bin"], str(tmp_path / "cat")).shaders == 1
    assert ask(tmp_path / "cat", "SELECT root, name FROM files") == [("memory://dumps", "one.bin")]
    with pytest.raises(UsageError, match=r"memory://dumps/two\.bin: no such file or folder"):
        catalog.scan(["memory://dumps/two.bin"], str(tmp_path / "cat"))


def test_a_large_object_is_searched_from_a_copy(store: Any, tmp_path: Path) -> None:
    store.pipe_file("/dumps/large.bin", bytes(2 << 20) + PHONG.read_bytes())
    assert catalog.scan(["memory://dumps"], str(tmp_path / "cat")).shaders == 1
    assert ask(tmp_path / "cat", 'SELECT "offset" FROM places') == [(2 << 20,)]
    with catalog.Catalog(str(tmp_path / "cat")) as opened:
        [(path, found)] = catalog.shaders_of(opened)
    assert path == "memory://dumps/large.bin"
    assert found.data == PHONG.read_bytes()


def test_an_object_that_cannot_be_read_is_a_row(
    store: Any, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = filled("memory://dumps", build)
    read = type(store).cat_file

    def denied(self: Any, path: str, *more: Any, **options: Any) -> bytes:
        if path.endswith("phong.dxbc"):
            raise PermissionError(13, "Permission denied")
        return bytes(read(self, path, *more, **options))

    with monkeypatch.context() as patch:
        patch.setattr(type(store), "cat_file", denied)
        assert catalog.scan([url], str(tmp_path / "cat")).failed == 1
    assert ask(tmp_path / "cat", "SELECT name, error FROM files WHERE error IS NOT NULL") == [
        ("phong.dxbc", "Permission denied")
    ]
    assert catalog.scan([url], str(tmp_path / "cat")).failed == 0


def test_a_catalogue_in_a_store_has_the_bytes_of_one_in_a_folder(
    store: Any, build: Path, made: Path
) -> None:
    assert catalog.scan([str(build)], "memory://cats/one").run == 1
    assert objects("memory://cats/one") == without_lock(state(made))
    (build / "words.txt").unlink()
    catalog.scan([str(build)], "memory://cats/one")
    catalog.scan([str(build)], str(made))
    assert objects("memory://cats/one") == without_lock(state(made))
    assert len(catalog.compact("memory://cats/one").runs) == 1
    catalog.compact(str(made))
    assert objects("memory://cats/one") == without_lock(state(made))


def test_a_catalogue_in_its_own_source_is_left_out(store: Any, build: Path) -> None:
    url = filled("memory://dumps", build)
    assert catalog.scan([url], f"{url}/cat").files == 7
    assert catalog.scan([url], f"{url}/cat").run is None


OUTSIDE = [
    "SELECT * FROM read_parquet('memory:///secret/a.parquet')",
    "SELECT * FROM read_parquet('memory://secret/a.parquet')",
    "SELECT * FROM read_parquet('memory:///cats/one/../../secret/a.parquet')",
    "SELECT * FROM read_text('memory:///secret/a.parquet')",
    "SELECT * FROM glob('memory:///*')",
    "SELECT * FROM read_text('/etc/hostname')",
    "COPY (SELECT 1) TO 'memory:///cats/one/a.parquet'",
]


def test_questions_to_a_catalogue_in_a_store_read_nothing_else(store: Any, build: Path) -> None:
    catalog.scan([str(build)], "memory://cats/one")
    store.pipe_file("/secret/a.parquet", store.cat_file("/cats/one/shaders/000001-00.parquet"))
    before = objects("memory://cats")
    with catalog.Catalog("memory://cats/one") as opened:
        assert [*opened.query("SELECT count(*) FROM shaders")] == [(4,)]
        for sql in OUTSIDE:
            with pytest.raises(UsageError, match=r"^SQL: "):
                [*opened.query(sql)]
    assert objects("memory://cats") == before


def test_a_manifest_that_has_changed_meanwhile_is_not_replaced(
    store: Any, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unshade.catalog import merging, scanning

    merge: Any = merging.merge
    catalog.scan([str(build / "phong.dxbc")], "memory://cats/other")
    other = store.cat_file("/cats/other/catalog.json")

    def other_first(*given: Any) -> object:
        store.pipe_file("/cats/one/catalog.json", other)
        return merge(*given)

    monkeypatch.setattr(scanning, "merge", other_first)
    with pytest.raises(UsageError, match="another process has changed the catalogue"):
        catalog.scan([str(build)], "memory://cats/one")
    assert store.cat_file("/cats/one/catalog.json") == other


def test_segments_that_are_gone_are_an_error_of_ours(
    store: Any, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unshade.catalog import merging, scanning

    merge: Any = merging.merge

    def removed_first(*given: Any) -> object:
        store.rm("/cats/one/pending", recursive=True)
        return merge(*given)

    monkeypatch.setattr(scanning, "merge", removed_first)
    with pytest.raises(UsageError, match="the rows that were read cannot be joined"):
        catalog.scan([str(build)], "memory://cats/one")


def test_errors_of_stores_are_ours(store: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere://a"):
        catalog.scan(["nowhere://a"], str(tmp_path / "cat"))
    with pytest.raises(UsageError, match="memory://none"):
        catalog.Catalog("memory://none")
    store.pipe_file("/bad/catalog.json", b"{")
    with pytest.raises(FormatError, match="JSONDecodeError"):
        catalog.Catalog("memory://bad")
    with pytest.raises(FileError, match="s3://x: denied"), store_errors("s3://x"):
        raise PermissionError(13, "denied")
    assert storage_of("memory://none").read("a") is None


# ---------------------------------------------------------------- a server of S3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of packages that talk to the server
def test_sources_and_catalogue_on_a_server(bucket: str, build: Path, made: Path) -> None:
    url = filled(f"{bucket}/dumps", build)
    found = catalog.scan([url], f"{bucket}/cat", jobs=2)
    assert found == catalog.ScanResult(1, 7, 7, 0, 4, 1, 0)
    with catalog.Catalog(f"{bucket}/cat") as opened:
        assert [*opened.query(ROWS)] == ask(made, ROWS)
        for sql in ("SELECT * FROM read_text('s3://shaders/dumps/words.txt')",
                    "SELECT * FROM glob('s3://shaders/*')"):  # fmt: skip
            with pytest.raises(UsageError, match=r"^SQL: "):
                [*opened.query(sql)]
    assert catalog.scan([url], f"{bucket}/cat").run is None
    ended = unshade("catalog", "query", f"{bucket}/cat", "SELECT count(*) AS n FROM shaders")
    assert (ended.code, ended.out) == (0, "n\n4\n")
