"""`unshade catalog compact`: join the runs of a catalogue."""

from .... import catalog
from ....screens.text import many
from ... import exits
from ...commands import CatalogCompactOptions
from ...output import CommandOutput


def run(given: CatalogCompactOptions) -> int:
    """Join the runs, and print what is left."""
    manifest = catalog.compact(given.catalog)
    with CommandOutput() as out:
        files, shaders = manifest.rows("files"), manifest.rows("shaders")
        number = manifest.runs[-1].number if manifest.runs else 0
        out.line(f"run {number}: {many(files, 'file')}, {many(shaders, 'shader')}")
    return exits.FINE
