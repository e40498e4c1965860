"""The records of a container's parts, made from the comments and the program.

    creator, buffers, bindings                         RDEF
    signatures, or the program's declarations          ISGN OSGN PCSG (ISG1 OSG1 PSG1, OSG5)
    classes, instances, slots                          IFCE
    notes, and features that the program needs         SFI0
    counts of the program                              STAT

The parts and their order are as in fxc: the output signature is OSG5 for geometry shaders since
model 5.0, and all signatures are ISG1, OSG1 and PSG1 in a program with minimum precision.
"""

from typing import Any

from .....programs.tpf import Program
from .....vocab import fxc
from .....vocab.d3d import ShaderKind
from .....vocab.features import FEATURES
from ...parts.ifce import ClassLinkage
from ...parts.rdef import RdefSizes, RdefTarget, ResourceDefinition
from ...parts.sfi0 import FeatureInfo
from ...parts.signature import ProgramSignature
from ...parts.stat import ShaderStatistics
from ..counting import FXC, count
from ..listing.header import DISASSEMBLER, EARLY_DEPTH_STENCIL
from ..listing.signatures import SIGNATURES
from .declared import DeclaredSignatures
from .tables import Tables

__all__ = ["ORDER", "Records"]

# fxc's order of parts; a domain shader has PCSG before OSGN.
ORDER = ("RDEF", "ISGN", "OSGN", "PCSG", "IFCE", "SHDR", "SHEX", "SFI0", "STAT", "RTS0", "PRIV")
DOMAIN_ORDER = ("RDEF", "ISGN", "PCSG", "OSGN", *ORDER[4:])
LIKE = {"ISG1": "ISGN", "OSG1": "OSGN", "OSG5": "OSGN", "PSG1": "PCSG"}  # have the same position


UNNAMED = "unshade"  # creator in RDEF if the text does not name one
NO_PRESHADER = 0x100  # D3DCOMPILE_*; fxc has it in every file
TAGS = {(5, 0): 0x31314452, (5, 1): 0x25441313}  # `RD11`, and its counterpart of 5.1
BINDING_SIZES = {(5, 0): 32, (5, 1): 40}
BITS = {each.name: 1 << bit for bit, each in enumerate(FEATURES)}
# fxc sets it for views above u7 before model 5.1; a whole listing has a note of it.
MANY_UAVS = BITS["Max64UAVs"]
RAW_BUFFERS = "enableRawAndStructuredBuffers"  # with this flag model 4 has SHEX, too
PRECISION = "enableMinimumPrecision"
TARGETS: dict[int, RdefTarget] = {
    ShaderKind.PIXEL: RdefTarget.PIXEL,
    ShaderKind.VERTEX: RdefTarget.VERTEX,
    ShaderKind.GEOMETRY: RdefTarget.GEOMETRY,
    ShaderKind.HULL: RdefTarget.HULL,
    ShaderKind.DOMAIN: RdefTarget.DOMAIN,
    ShaderKind.COMPUTE: RdefTarget.COMPUTE,
}


class Records:
    """The records of one text, by the oldest name of their part: OSGN also for OSG5 and OSG1.

    The record of a part that the text does not mention is None.
    """

    def __init__(
        self,
        tables: Tables,
        program: Program,
        *,
        counted: bool = True,
        alone: bool = False,
    ) -> None:
        """`counted`: with STAT; `alone`: derive signatures that the text lacks from the program."""
        self.program = program
        self.tables = tables
        self.counted = counted
        self.facts = program.facts()
        self.flags = self.facts.global_flags
        self.values: dict[str, Any] = {
            "RDEF": self._definition(),
            "IFCE": self._interfaces(),
            "SFI0": self._features(),
            "STAT": self._statistics(),
        }
        declared = DeclaredSignatures(program) if alone else None
        for kind in SIGNATURES:
            found = tables.signatures.get(kind.title)
            if found is None and declared is not None:
                found = declared.signature(kind.title, program.kind in kind.writers)
            self.values[kind.parts[0]] = found

    def part_name(self, name: str) -> str:
        """Return the name of the part in this container: OSGN may be OSG5 or OSG1."""
        if name in ("SHDR", "SHEX"):
            newer = self.program.kind == ShaderKind.COMPUTE or RAW_BUFFERS in self.flags
            return "SHEX" if newer or self.program.model >= (5, 0) else "SHDR"
        if name not in ("ISGN", "OSGN", "PCSG"):
            return name
        rows = [row for each in self.values.values() if isinstance(each, ProgramSignature)
                for row in each.elements]  # fmt: skip
        if PRECISION in self.flags or any(row.min_precision for row in rows):
            return {"ISGN": "ISG1", "OSGN": "OSG1", "PCSG": "PSG1"}[name]
        streamed = self.program.kind == ShaderKind.GEOMETRY and self.program.model >= (5, 0)
        return "OSG5" if name == "OSGN" and streamed else name

    # ------------------------------------------------------------ one method per part

    def _definition(self) -> ResourceDefinition | None:
        tables = self.tables
        creator = tables.creator if tables.creator != DISASSEMBLER else None
        if creator is None and tables.buffers is None and tables.bindings is None:
            return None
        major, minor = self.program.model
        size = (5, 1) if (major, minor) >= (5, 1) else (5, 0)
        sizes = RdefSizes(
            tag=TAGS[size],
            header_size=60,
            buffer_size=24,
            binding_size=BINDING_SIZES[size],
            variable_size=40,
            type_size=36,
            member_size=12,
            interface_slots=sum(slot.span for slot in tables.slots or ()),
        )
        return ResourceDefinition(
            buffers=tables.buffers or [],
            bindings=tables.bindings or [],
            major=major,
            minor=minor,
            target=TARGETS.get(self.program.kind, 0),
            flags=NO_PRESHADER,
            creator=creator or tables.creator or UNNAMED,
            sizes=sizes if major >= 5 else None,
        )

    def _interfaces(self) -> ClassLinkage | None:
        tables = self.tables
        if tables.classes is None and tables.instances is None and tables.slots is None:
            return None
        return ClassLinkage(
            slot_total=sum(slot.span for slot in tables.slots or ()),
            instances=tables.instances or [],
            classes=tables.classes or [],
            slots=tables.slots or [],
        )

    def _features(self) -> FeatureInfo | None:
        """Return the features in the notes and in the program; notes alone are incomplete."""
        needed = sum(BITS[name] for name in self.facts.features)
        if self.tables.complete or self.program.model >= (5, 1):
            needed &= ~MANY_UAVS
        flags = needed | (self.tables.features or 0) & ~EARLY_DEPTH_STENCIL
        return FeatureInfo(flags=flags) if flags else None

    def _statistics(self) -> ShaderStatistics | None:
        if not self.counted:
            return None
        creator = self.tables.creator or ""
        found = count(self.program, version=fxc.version(creator) or FXC)
        if fxc.by_vkd3d(creator):  # its count includes declarations
            found.instruction_count = len(self.program.listed)
        return found
