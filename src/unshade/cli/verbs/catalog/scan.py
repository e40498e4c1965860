"""`unshade catalog scan`: read the shaders in files into a catalogue."""

from .... import catalog
from ....screens.text import many
from ... import exits
from ...commands import CatalogScanOptions
from ...found import SCANNING, limits_of
from ...output import CommandOutput, note
from ...processes.jobs import cores
from ...progress import bar

WHOLE = {
    "files": "integer", "read": "integer", "removed": "integer", "shaders": "integer",
    "damaged": "integer", "failed": "integer", "run": "integer?",
}  # fmt: skip


def run(given: CatalogScanOptions) -> int:
    """Scan, and print what has changed.

    Returns 3 if a shader is damaged, or a file cannot be read to its end.
    """
    limits = limits_of(given.limits, SCANNING)
    with bar(1, "files") as advance:
        found = catalog.scan(
            given.paths, given.to, quick=given.quick, again=given.again, limits=limits,
            jobs=given.jobs or cores(), scheduler=given.scheduler, progress=advance, tell=note,
        )  # fmt: skip
    with CommandOutput(as_json=given.as_json) as out:
        if given.as_json:
            out.json(found._asdict())
        else:
            out.line(_words(found))
    return exits.MALFORMED if found.damaged or found.failed else exits.FINE


def _words(found: "catalog.ScanResult") -> str:
    """Return `46 files: 46 read, 22 new shaders; run 1`."""
    words = [f"{found.read:,} read"]
    if found.removed:
        words.append(f"{found.removed:,} gone")
    words.append(many(found.shaders, "new shader"))
    if found.damaged:
        words.append(f"{found.damaged:,} of them damaged")
    if found.failed:
        words.append(f"{found.failed:,} not read to the end")
    run = "nothing has changed" if found.run is None else f"run {found.run}"
    return f"{many(found.files, 'file')}: {', '.join(words)}; {run}"
