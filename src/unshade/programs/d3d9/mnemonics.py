"""Mnemonics with their suffixes, from tokens and back.

    texld_pp        opcode 0x42, controls 0          mad_x2_sat      shift 1, saturate
    texldp          opcode 0x42, controls 1          if_gt           opcode 0x29, comparison GT
    dcl_texcoord1   opcode 0x1f, usage TEXCOORD, index 1               dcl_2d    a sampler

The names of 0x40 and 0x42 depend on the version: `texcoord` and `tex` before ps_1_4.

Source: fxc's listings; the pages of the assembly language.
"""

from ...enums import member_of
from ...tuples import NamedTuple
from .tables.ops import OPS
from .tables.tokens import (
    ComparisonControl,
    DeclarationToken,
    DeclarationUsage,
    DestinationParameter,
    InstructionToken,
    RegisterType,
    TextureKind,
    Version,
)

__all__ = ["MnemonicParts", "read_mnemonic", "spelled_mnemonic", "spelled_name"]

TEXCOORD, TEX, DCL = 0x40, 0x42, 0x1F
COMPARED = {0x29: "if", 0x2D: "break", 0x5E: "setp"}
UNCOMPARED = {"if": 0x28, "break": 0x2C, "if_nz": 0x28, "breakp_nz": 0x60}  # _nz: as vkd3d writes
SHIFTS = {1: "x2", 2: "x4", 3: "x8", -1: "d2", -2: "d4", -3: "d8"}
SHIFT_NAMES = {name: shift for shift, name in SHIFTS.items()}
MODIFIERS = {1: "sat", 2: "pp", 4: "centroid"}
MODIFIER_NAMES = {name: bit for bit, name in MODIFIERS.items()}
TEXTURES = {TextureKind.D2: "2d", TextureKind.CUBE: "cube", TextureKind.VOLUME: "volume"}
TEXTURE_NAMES = {name: kind for kind, name in TEXTURES.items()}
PROJECTED, BIASED = 1, 2
SAMPLES = {"texld": 0, "texldp": PROJECTED, "texldb": BIASED}
COMPARISONS = {each.name.lower(): each for each in ComparisonControl}
USAGES = {each.name.lower(): each for each in DeclarationUsage}
READ_USAGES = USAGES | {  # also the names that vkd3d writes
    "blend": DeclarationUsage.BLENDINDICES, "weight": DeclarationUsage.BLENDWEIGHT,
    "specular": DeclarationUsage.COLOR,
}  # fmt: skip
AFTER_FIRST = ("specular",)  # specular0 is color1


class MnemonicParts(NamedTuple):
    """The contents of a mnemonic: opcode, controls, declaration, fields of the destination."""

    opcode: int
    controls: int = 0
    usage: int = 0
    usage_index: int = 0
    texture: int = 0
    modifiers: int = 0
    shift: int = 0


def spelled_name(token: InstructionToken, version: Version) -> str:
    """Return the mnemonic without suffixes; `opcode_61` for an unknown opcode."""
    op = OPS.get(token.opcode)
    if op is None:
        return f"opcode_{token.opcode:x}"
    newer = not version.is_pixel or (version.major, version.minor) >= (1, 4)
    if op.code == TEX:
        if not newer:
            return "tex"
        names = (name for name, controls in SAMPLES.items() if controls == token.controls)
        return next(names, "texld")
    if op.code == TEXCOORD:
        return "texcrd" if newer else "texcoord"
    return COMPARED.get(op.code, op.name)


def spelled_mnemonic(
    token: InstructionToken,
    declaration: DeclarationToken | None,
    destination: DestinationParameter | None,
    version: Version,
) -> str:
    """Return the mnemonic with its suffixes."""
    name = spelled_name(token, version)
    if token.opcode in COMPARED:
        comparison = member_of(ComparisonControl, token.controls)
        name += f"_{comparison.name.lower() if comparison else f'cmp{token.controls}'}"
    if destination is None:
        return name
    if declaration is not None:
        name += _declared(declaration, destination, version)
    shift = destination.shift
    if shift:
        name += f"_{SHIFTS.get(shift, f'shift{shift}')}"
    for bit, word in MODIFIERS.items():
        if destination.modifiers & bit:
            name += f"_{word}"
    return name


def _declared(token: DeclarationToken, register: DestinationParameter, version: Version) -> str:
    """Return the suffix of `dcl` that says what a register is."""
    if register.file == RegisterType.SAMPLER:
        kind = member_of(TextureKind, token.texture)
        return f"_{TEXTURES.get(kind, f'texture{token.texture}')}"  # type: ignore[arg-type]
    if register.file == RegisterType.MISCTYPE or (version.is_pixel and version.major < 3):
        return ""
    usage = member_of(DeclarationUsage, token.usage)
    name = f"usage{token.usage}_" if usage is None else usage.name.lower()
    return f"_{name}{token.index or ''}"


def read_mnemonic(text: str) -> MnemonicParts | None:
    """Return what a mnemonic says, None if it is unknown."""
    if text in UNCOMPARED:
        return MnemonicParts(UNCOMPARED[text])
    name, *suffixes = text.split("_")
    compared = suffixes[0] if suffixes else ""
    opcode = next((code for code, word in COMPARED.items() if word == name), None)
    if opcode is not None and compared in COMPARISONS:
        return MnemonicParts(opcode, COMPARISONS[compared]) if len(suffixes) == 1 else None
    if name in SAMPLES or name == "tex":
        found = MnemonicParts(TEX, SAMPLES.get(name, 0))
    elif name in ("texcrd", "texcoord"):
        found = MnemonicParts(TEXCOORD)
    elif name in OPS.by_name and opcode is None:
        found = MnemonicParts(OPS[name].code)
    else:
        return None
    if found.opcode == DCL and suffixes:
        declared = _read_declared(suffixes[0])
        if declared is not None:
            found = declared
            del suffixes[0]
    return _with_suffixes(found, suffixes)


def _read_declared(word: str) -> MnemonicParts | None:
    """Return the declaration that a suffix of `dcl` names, None if it names none."""
    if word in TEXTURE_NAMES:
        return MnemonicParts(DCL, texture=TEXTURE_NAMES[word])
    bare = word.rstrip("0123456789")
    digits = word[len(bare) :]
    if bare not in READ_USAGES or len(digits) > 2:
        return None
    number = int(digits or 0) + (bare in AFTER_FIRST)
    return MnemonicParts(DCL, usage=READ_USAGES[bare], usage_index=number) if number < 16 else None


def _with_suffixes(found: MnemonicParts, suffixes: list[str]) -> MnemonicParts | None:
    """Return a spelling with the suffixes of the result, None if one is unknown."""
    for word in suffixes:
        if word in SHIFT_NAMES and not found.shift:
            found = found._replace(shift=SHIFT_NAMES[word])
        elif word in MODIFIER_NAMES and not found.modifiers & MODIFIER_NAMES[word]:
            found = found._replace(modifiers=found.modifiers | MODIFIER_NAMES[word])
        else:
            return None
    return found
