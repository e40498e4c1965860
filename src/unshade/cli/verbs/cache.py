"""`unshade cache`: show the cache of machine code, fill it, or clear it."""

from typing import TYPE_CHECKING

from ...errors import UnsupportedError, UsageError
from ...run import kernel, need_numpy
from ...screens.text import many, visible
from .. import exits
from ..commands import CacheOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput

if TYPE_CHECKING:
    from ...vm.jit.cache.disk import CacheContents


SHAPE = {"compiled": "integer"}
WHOLE = {
    "folder": "string", "refused": "any", "objects": "integer", "entries": "integer",
    "size": "integer", "limit": "integer", "removed?": "integer",
}  # fmt: skip


def run(given: CacheOptions) -> int:
    """Compile every program of the files; without files, show the cache or clear it.

    Returns:
        4 if a program cannot be compiled, or the cache is not used.
    """
    if given.files and given.clear:
        raise UsageError("expected FILE... or --clear, got both")
    need_numpy()
    from ...vm.jit.cache import disk

    out = CommandOutput(given.output, as_json=given.as_json)
    if not given.files:
        with out:
            removed = disk.clear() if given.clear else 0
            return _show(out, disk.usage(), removed if given.clear else None, disk.MAX_BYTES)
    usage = disk.usage()
    if usage.refused:
        raise UnsupportedError(f"the cache is not used: {_reason(usage)}")

    def compile(item: Input) -> int:
        shader = item.open()
        made = 0
        for number, program in enumerate(shader.programs):
            names = [name for name, _ in program.entry_points]
            for entry in names if len(names) > 1 else [None]:  # as it is called
                kernel(shader, number, entry, engine="jit").compile()
                made += 1
        if not made:
            raise UnsupportedError(f"this {shader.format} has no program that can be run")
        if given.as_json:
            out.document(item, {"compiled": made})
        else:
            out.line(f"{visible(item.name)}: {many(made, 'program')} compiled")
        return exits.FINE

    return run_on(given.files, compile, out)


def _show(out: CommandOutput, usage: "CacheContents", removed: int | None, most: int) -> int:
    """Print the contents of the cache."""
    found = {
        "folder": usage.folder, "refused": usage.refused or None, "objects": usage.objects,
        "entries": usage.entries, "size": usage.size, "limit": most,
    }  # fmt: skip
    if removed is not None:
        found["removed"] = removed
    if out.as_json:
        out.json(found)
    elif usage.refused:
        raise UnsupportedError(f"the cache is not used: {_reason(usage)}")
    else:
        if removed is not None:
            out.line(f"{many(removed, 'byte')} removed")
        out.text(
            f"{visible(usage.folder)}\n{many(usage.objects, 'object file')},"
            f" {many(usage.entries, 'entry', 'entries')},"
            f" {usage.size:,} of {most:,} bytes\n"
        )
    return exits.UNSUPPORTED if usage.refused else exits.FINE


def _reason(usage: "CacheContents") -> str:
    return f"{visible(usage.folder)}: {usage.refused}" if usage.folder else usage.refused
