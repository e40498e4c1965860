"""The shaders of a catalogue, read from the files that they were found in."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .. import archives, files
from ..errors import UnshadeError
from ..limits import DEFAULT, Limits
from ..screens.text import many
from .loading import whole
from .queries import Catalog

if TYPE_CHECKING:
    from ..search import Found

__all__ = ["shaders_of"]


def shaders_of(
    catalog: Catalog,
    where: str = "true",
    *,
    limits: Limits = DEFAULT,
    tell: Callable[[str], object] = lambda problem: None,
) -> Iterator[tuple[str, "Found"]]:
    """Yield each shader of a catalogue once: the path of a file, and the result of `find` there.

    Its bytes are read from a file that contains it. A shader whose files are gone or have changed
    is left out.

    Args:
        catalog: The catalogue.
        where: A condition in SQL about columns of the table `shaders`.
        limits: Bounds on unpacking.
        tell: Takes a sentence about shaders that are left out.

    Raises:
        UsageError: The condition is wrong.
    """
    left: dict[str, None] = {
        shader: None for (shader,) in catalog.query(f"SELECT shader FROM shaders WHERE ({where}\n)")
    }
    # The file with the most of them first, so that few files are read.
    paths = catalog.query(
        "SELECT path, content, list(DISTINCT shader) FROM places"
        f" SEMI JOIN (SELECT shader FROM shaders WHERE ({where}\n)) AS wanted USING (shader)"
        " GROUP BY path, content ORDER BY count(DISTINCT shader) DESC, path"
    )
    for path, _, inside in paths:
        wanted = {each for each in inside if each in left}
        if wanted:
            for found in _in_file(path, wanted, limits, tell):
                del left[found.hash]
                yield path, found
    if left:
        some = next(iter(left))
        several = many(len(left), "shader")
        tell(f"{several} left out, whose files are gone or have changed: {some}, …")


def _in_file(
    path: str, wanted: set[str], limits: Limits, tell: Callable[[str], object]
) -> Iterator["Found"]:
    """Yield the shaders that are wanted and that a file still contains."""
    try:
        with whole(path) as data:
            for found in archives.find(data, strict=False, limits=limits):
                if found.hash in wanted:
                    wanted.discard(found.hash)
                    yield found
                    if not wanted:
                        return
    except (OSError, ValueError) as error:
        tell(f"{path}: {files.reason(error)}")
    except UnshadeError as error:
        tell(f"{path}: {error}")
