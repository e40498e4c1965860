"""The state of blending, as Direct3D 12 and Vulkan have it.

    BlendState([Blend(src_blend="src_alpha", dest_blend="inv_src_alpha")])
    BlendState(Blend(write_mask="rgb"), logic_op="xor")

Fields have the names of Direct3D 12; `state_fields` fills them from a mapping with the names of
either API. Defaults are as in CD3DX12_BLEND_DESC.

Sources: Direct3D 11.3 functional specification, section 17.1 (blend state); Vulkan
specification, VkPipelineColorBlendStateCreateInfo.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....dataclass import dataclass
from ....errors import UsageError
from ...binding.numbers import shown
from ...binding.suggestions import suggestion
from .fields import filled, flag
from .words import ADVANCED, BlendOp, Factor, LogicOp, Overlap, word_of

CHANNELS = "rgba"
WHOLE = (1 << len(CHANNELS)) - 1  # the write mask that has every channel
MOST_TARGETS = 8
DUAL = frozenset(each for each in Factor if "src1" in each)

__all__ = ["PRESETS", "Blend", "BlendState", "blend_state"]


def _mask_of(given: Any) -> int:
    """Return a write mask as bits."""
    if isinstance(given, str):
        letters = given.lower()
        if not {*letters} - {*CHANNELS}:
            return sum(1 << CHANNELS.index(each) for each in {*letters})
    elif isinstance(given, int | np.integer) and 0 <= given <= WHOLE:
        return int(given)
    raise UsageError(f"write_mask: expected letters of {CHANNELS}, or 0 to 15, got {shown(given)}")


def _set(state: object, name: str, value: object) -> None:
    """Set a field of a frozen state while it is made."""
    object.__setattr__(state, name, value)


@dataclass(frozen=True, slots=True)
class Blend:
    """The blending of one target, and the channels that are written.

    `blend_enable` is by default whether a factor or operation differs from its default.
    `write_mask` are the channels as letters of "rgba", or as the bits of both APIs. The logic
    operation of the first target applies to all, as in Direct3D; Vulkan's is in `BlendState`. An
    advanced operation of Vulkan applies to colour and alpha.
    """

    src_blend: str = Factor.ONE
    dest_blend: str = Factor.ZERO
    blend_op: str = BlendOp.ADD
    src_blend_alpha: str = Factor.ONE
    dest_blend_alpha: str = Factor.ZERO
    blend_op_alpha: str = BlendOp.ADD
    write_mask: int | str = WHOLE
    blend_enable: bool | None = None
    logic_op_enable: bool = False
    logic_op: str = LogicOp.NOOP

    def __post_init__(self) -> None:
        for name in ("src_blend", "dest_blend", "src_blend_alpha", "dest_blend_alpha"):
            _set(self, name, word_of(Factor, getattr(self, name), f"blend factor of {name}:"))
        for name in ("blend_op", "blend_op_alpha"):
            _set(self, name, word_of(BlendOp, getattr(self, name), f"operation of {name}:"))
        if self.blend_enable is not None:
            _set(self, "blend_enable", flag(self.blend_enable, "blend_enable"))
        _set(self, "logic_op_enable", flag(self.logic_op_enable, "logic_op_enable"))
        if {self.blend_op, self.blend_op_alpha} & ADVANCED:
            if self.blend_op_alpha not in (self.blend_op, BlendOp.ADD):
                raise UsageError(
                    f"blend_op_alpha: expected {self.blend_op} as for colours, got"
                    f" {self.blend_op_alpha}"
                )
            _set(self, "blend_op_alpha", self.blend_op)
        _set(self, "logic_op", word_of(LogicOp, self.logic_op, "logic operation"))
        _set(self, "write_mask", _mask_of(self.write_mask))

    @property
    def factors(self) -> tuple[str, str, str, str]:
        """Source and destination factor of the colour, then of alpha."""
        return self.src_blend, self.dest_blend, self.src_blend_alpha, self.dest_blend_alpha

    @property
    def blends(self) -> bool:
        """True if blending is enabled."""
        if self.blend_enable is not None:
            return self.blend_enable
        own = (*self.factors, self.blend_op, self.blend_op_alpha)
        return own != (*(Factor.ONE, Factor.ZERO) * 2, BlendOp.ADD, BlendOp.ADD)

    @property
    def is_dual(self) -> bool:
        """True if a factor is the second colour of the shader."""
        return self.blends and any(each in DUAL for each in self.factors)

    @property
    def written(self) -> tuple[int, ...]:
        """The channels that are written."""
        return tuple(at for at in range(4) if int(self.write_mask) >> at & 1)


@dataclass(frozen=True, slots=True)
class BlendState:
    """The blending of all targets.

    `targets` has one entry for all targets, or one for each; only the first counts if
    `independent_blend_enable` is False. A `logic_op` takes the place of blending, unless
    `logic_op_enable` is False. The last three fields are for the advanced operations of Vulkan,
    which take no factors. `blend_factor` are the constants of the factors "blend_factor" and
    "alpha_factor".
    """

    targets: Blend | Sequence[Blend] = (Blend(),)
    logic_op: str | None = None
    logic_op_enable: bool | None = None
    blend_factor: Sequence[float] = (1.0, 1.0, 1.0, 1.0)
    alpha_to_coverage_enable: bool = False
    alpha_to_one_enable: bool = False
    independent_blend_enable: bool = True
    src_premultiplied: bool = True
    dst_premultiplied: bool = True
    blend_overlap: str = Overlap.UNCORRELATED

    def __post_init__(self) -> None:
        given: Any = self.targets
        if isinstance(given, Blend | str | Mapping):
            given = [given]
        elif not isinstance(given, Sequence):
            raise UsageError(f"blend: expected a Blend, a name or a list, got {shown(given)}")
        found = tuple(_blend(each) for each in given)
        if not 1 <= len(found) <= MOST_TARGETS:
            raise UsageError(f"blend: expected 1 to {MOST_TARGETS} targets, got {len(found)}")
        _set(self, "targets", found)
        if self.logic_op is not None:
            _set(self, "logic_op", word_of(LogicOp, self.logic_op, "logic operation"))
        for name in (
            "alpha_to_coverage_enable", "alpha_to_one_enable", "independent_blend_enable",
            "src_premultiplied", "dst_premultiplied",
        ):  # fmt: skip
            _set(self, name, flag(getattr(self, name), name))
        if self.logic_op_enable is not None:
            _set(self, "logic_op_enable", flag(self.logic_op_enable, "logic_op_enable"))
        _set(self, "blend_overlap", word_of(Overlap, self.blend_overlap, "overlap"))
        try:
            factor = tuple(float(each) for each in self.blend_factor)
        except (TypeError, ValueError):
            factor = ()
        if len(factor) != 4:
            raise UsageError(f"blend_factor: expected 4 numbers, got {shown(self.blend_factor)}")
        _set(self, "blend_factor", factor)

    @property
    def each(self) -> Sequence[Blend]:
        """The blending of each target, or the only one."""
        return [self.targets] if isinstance(self.targets, Blend) else self.targets

    def of(self, number: int) -> Blend:
        """Return the blending of a target."""
        of_each = self.each
        if len(of_each) == 1 or not self.independent_blend_enable:
            return of_each[0]
        return of_each[number] if number < len(of_each) else Blend()

    @property
    def logic(self) -> str | None:
        """The logic operation; None if there is none."""
        first = self.each[0]
        if self.logic_op is None:
            return first.logic_op if first.logic_op_enable else None
        return None if self.logic_op_enable is False else self.logic_op

    @property
    def is_dual(self) -> bool:
        """True if the first target is blended with the second colour of the shader."""
        return self.logic is None and self.each[0].is_dual


# Common blending by name.
PRESETS = {
    "opaque": Blend(),
    "alpha": Blend("src_alpha", "inv_src_alpha", dest_blend_alpha="inv_src_alpha"),
    "premultiplied": Blend("one", "inv_src_alpha", dest_blend_alpha="inv_src_alpha"),
    "additive": Blend("src_alpha", "one", dest_blend_alpha="one"),
    "multiply": Blend("dest_color", "zero", src_blend_alpha="dest_alpha"),
}


def blend_state(given: Any) -> BlendState:
    """Return the state for the argument of a draw.

    It is a state, the blending of one target or of each, the name of a preset, or a mapping of
    fields.
    """
    if given is None:
        return BlendState()
    if isinstance(given, BlendState):
        return given
    if isinstance(given, Mapping):
        return filled(BlendState, given, "blend")
    if isinstance(given, Blend | str | Sequence):
        return BlendState(given)  # type: ignore[arg-type]  # which it converts
    raise UsageError(f"blend: expected a BlendState, a Blend or a name, got {shown(given)}")


def _blend(given: Any) -> Blend:
    if isinstance(given, Blend):
        return given
    if isinstance(given, Mapping):
        return filled(Blend, given, "blend")
    if isinstance(given, str) and given.lower() in PRESETS:
        return PRESETS[given.lower()]
    if isinstance(given, str):
        raise UsageError(f"unknown blend {given!r:.60}{suggestion(given, PRESETS)}")
    raise UsageError(f"blend: expected a Blend or a name, got {shown(given)}")
