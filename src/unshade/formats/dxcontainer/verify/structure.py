"""Checks of the container structure: header, digest, order and names of the parts."""

from ..container import Container
from ..digest import DigestKind
from ..parts.description import UNKNOWN
from ..parts.program import NAMES as PROGRAMS
from ..parts.program import version_token
from ..parts.signature import INPUTS, OUTPUTS
from .places import ContainerFindings

DIGESTS = {
    DigestKind.UNKNOWN: "container.digest",
    DigestKind.NONE: "container.unsigned",
    DigestKind.BYPASS: "container.digest-bypass",
    DigestKind.PREVIEW_BYPASS: "container.digest-bypass",
    DigestKind.DEBUG: "container.debug-digest",
}
NEW_MODEL = 5  # programs from this model on are in SHEX


def check_structure(found: ContainerFindings) -> None:
    """Check everything that does not depend on the contents of parts."""
    container = found.container
    if (container.major, container.minor) != (1, 0):
        version = f"version {container.major}.{container.minor}"
        found.add("container.version", version, offset=20, path="major")
    code = DIGESTS.get(container.digest_kind)
    if code is not None:
        found.add(code, offset=4, path="digest")
    if not container.parts:
        found.add("container.no-parts", offset=28, path="part_count")
    if container.order is not None:
        found.add("container.part-order", offset=32, path="offsets")
    for name, raw in (("tail", container.tail), ("trailing", container.trailing)):
        if raw:
            found.add(f"container.{name}", f"{len(raw)} bytes", path=name)
    _check_parts(found, container)
    _check_programs(found)


def _check_parts(found: ContainerFindings, container: Container) -> None:
    parts = container.parts
    unaligned = 0
    seen: set[str] = set()
    for i, part in enumerate(parts):
        name, gap = part.name, part.gap
        if gap:
            message = f"{len(gap)} bytes before {name}"
            found.add(
                "container.gap", message, offset=part.offset - len(gap), path=f"parts[{i}].gap"
            )
        unaligned += bool(part.offset % 4)
        if part.description is UNKNOWN:
            proper = name.isascii() and name.isalnum() and len(name) == 4
            if proper:
                found.part("part.unknown", part)
            else:
                found.part("part.name", part, f"the name is {name!r}")
        if name in seen and not part.description.several:
            found.part("part.duplicate", part)
        seen.add(name)
        if name == "PRIV" and i != len(parts) - 1:
            found.part("part.private-last", part)
    if unaligned:
        found.add("container.alignment", f"{unaligned} of {len(parts)} parts")


def _check_programs(found: ContainerFindings) -> None:
    names = found.present
    programs = found.all(*PROGRAMS)
    if len(programs) + ("DXIL" in names) > 1:
        found.part("container.programs", programs[-1])
    for part in programs:
        version = version_token(part.value)
        if part.name == "SHDR" and version is not None and version[0] >> 4 >= NEW_MODEL:
            found.part("container.program-part", part)
    sides = (("inputs", INPUTS), ("outputs", OUTPUTS))
    missing = " or ".join(side for side, of_side in sides if names.isdisjoint(of_side))
    if programs and missing:
        found.part("container.no-signature", programs[0], f"no signature of {missing}")
