"""Catalogues: facts about many shaders, in a folder of Parquet files.

    catalog.scan(["build"], "cat", jobs=8)      files that have not changed are not read again
    with catalog.Catalog("cat") as opened:
        for path, size in opened.query("SELECT path, size FROM files WHERE shaders > 1"): …

Needs PyArrow, DuckDB and NumPy (extra `catalog`), which are imported when something is called.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .changes import CatalogChange, CatalogDiff, compare
    from .compacting import compact
    from .exporting import shaders_of
    from .queries import Catalog, CatalogRows, CatalogSummary
    from .scanning import ScanResult, scan
    from .similarity import SimilarShader, similar

__all__ = [
    "Catalog",
    "CatalogChange",
    "CatalogDiff",
    "CatalogRows",
    "CatalogSummary",
    "ScanResult",
    "SimilarShader",
    "compact",
    "compare",
    "scan",
    "shaders_of",
    "similar",
]

if not TYPE_CHECKING:
    from ..lazy import attributes

    def __getattr__(name: str) -> Any:
        return attributes(
            __name__,
            {
                "Catalog": ".queries",
                "CatalogChange": ".changes",
                "CatalogDiff": ".changes",
                "compact": ".compacting",
                "compare": ".changes",
                "shaders_of": ".exporting",
                "similar": ".similarity",
                "CatalogRows": ".queries",
                "ScanResult": ".scanning",
                "SimilarShader": ".similarity",
                "CatalogSummary": ".queries",
                "scan": ".scanning",
            },
        )(name)
