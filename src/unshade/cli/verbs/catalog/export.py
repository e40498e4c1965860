"""`unshade catalog export`: write each shader of a catalogue to a file."""

from .... import catalog
from ....screens.text import many
from ... import exits, templates
from ...commands import CatalogExportOptions
from ...found import UNIQUE, fields_of, limits_of, named_writer
from ...inputs import Input
from ...output import note


def run(given: CatalogExportOptions) -> int:
    """Write the shaders; return 1 if there are none, or some are left out."""
    template = given.template or UNIQUE
    templates.check(template, fields_of(None, None))
    limits = limits_of(given.limits)
    write = named_writer(given.output, template)
    left_out: list[str] = []
    with catalog.Catalog(given.catalog) as opened:
        found = catalog.shaders_of(opened, given.where, limits=limits, tell=left_out.append)
        count = 0
        for path, each in found:
            write(Input(path), each)
            count += 1
    for problem in left_out:
        note(problem)
    note(f"{many(count, 'shader')} written")
    return exits.FINE if count and not left_out else exits.FINDING
