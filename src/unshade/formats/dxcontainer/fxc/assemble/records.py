"""The records of a container's parts, made from the comments and the program.

    creator, buffers, bindings                         RDEF
    signatures, or the program's declarations          ISGN OSGN PCSG (ISG1 OSG1 PSG1, OSG5)
    classes, instances, slots                          IFCE
    notes, and what the program asks for               SFI0
    the program, counted                               STAT

Which parts there are, and their order, is that of fxc: streams make OSG5 of OSGN for every geometry
shader from model 5 on, minimum precision makes ISG1 and OSG1 of both.
"""

from typing import Any

from .....programs.tpf import Program
from .....vocab import fxc
from .....vocab.d3d import ShaderKind
from ...parts.ifce import ClassLinkage
from ...parts.rdef import RdefSizes, RdefTarget, ResourceDefinition
from ...parts.sfi0 import FEATURES, FeatureInfo
from ...parts.signature import ProgramSignature
from ...parts.stat import ShaderStatistics
from ..counting import FXC, count
from ..listing.header import DISASSEMBLER, EARLY_DEPTH_STENCIL
from ..listing.signatures import SIGNATURES
from .declared import DeclaredSignatures
from .tables import Tables

__all__ = ["ORDER", "Records"]

# fxc's order of parts; of a domain shader the patch constants stand before the output.
ORDER = ("RDEF", "ISGN", "OSGN", "PCSG", "IFCE", "SHDR", "SHEX", "SFI0", "STAT", "RTS0", "PRIV")
DOMAIN_ORDER = ("RDEF", "ISGN", "PCSG", "OSGN", *ORDER[4:])
LIKE = {"ISG1": "ISGN", "OSG1": "OSGN", "OSG5": "OSGN", "PSG1": "PCSG"}  # stand in the same place

VKD3D = "vkd3d-shader"  # counts declarations as instructions, too
UNNAMED = "unshade"  # creator of RDEF where tables stand without a banner
NO_PRESHADER = 0x100  # D3DCOMPILE_*; fxc has it in every file
TAGS = {(5, 0): 0x31314452, (5, 1): 0x25441313}  # `RD11`, and what 5.1 has instead
BINDING_SIZES = {(5, 0): 32, (5, 1): 40}
BITS = {name: 1 << bit for bit, name, _ in FEATURES}
# fxc sets it for what is bound above u7 before model 5.1, where ranges have no such end.
UNTOLD = BITS["Max64UAVs"]
RAW_BUFFERS = "enableRawAndStructuredBuffers"  # what came with 5.0 is SHEX in model 4, too
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
    """The parts of one text by the name that fxc gives the plain kind: OSGN stands for OSG5, too.

    `None` is a part that the text says nothing about.
    """

    def __init__(
        self,
        tables: Tables,
        program: Program,
        *,
        counted: bool = True,
        alone: bool = False,
    ) -> None:
        """`counted`: with STAT; `alone`: signatures the text lacks follow from the program."""
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
        """Return the name that a part of that kind has in this container."""
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

    # ------------------------------------------------------------ one part each

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
        asked = sum(BITS[name] for name in self.facts.features)
        if self.tables.complete or self.program.model >= (5, 1):
            asked &= ~UNTOLD
        flags = asked | (self.tables.features or 0) & ~EARLY_DEPTH_STENCIL
        return FeatureInfo(flags=flags) if flags else None

    def _statistics(self) -> ShaderStatistics | None:
        if not self.counted:
            return None
        creator = self.tables.creator or ""
        found = count(self.program, version=fxc.version(creator) or FXC)
        if VKD3D in creator:
            found.instruction_count = len(self.program.instructions)
        return found
