"""The state of the output merger: blending and stencil, as Direct3D 12 and Vulkan have it.

    BlendState([Blend(src_blend="src_alpha", dest_blend="inv_src_alpha")])
    StencilState(StencilFace(pass_op="replace", reference=1))

Fields have the names of Direct3D 12; `state_fields` fills them from a mapping with the names of
either API. Defaults are those of CD3DX12_BLEND_DESC and CD3DX12_DEPTH_STENCIL_DESC.

Sources: Direct3D 11.3 functional specification, sections 17.1 (blend state) and 17.8 (depth-stencil
state); Vulkan specification, VkPipelineColorBlendStateCreateInfo and VkStencilOpState.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UsageError
from ..binding.numbers import shown
from ..binding.suggestions import suggestion
from .state_fields import filled
from .state_words import BlendOp, Comparison, Factor, LogicOp, StencilOp, word_of

CHANNELS = "rgba"
WHOLE = (1 << len(CHANNELS)) - 1  # the write mask that has every channel
MOST_TARGETS = 8
DUAL = frozenset(each for each in Factor if "src1" in each)

__all__ = [
    "PRESETS", "Blend", "BlendState", "StencilFace", "StencilState", "blend_state",
    "stencil_state",
]  # fmt: skip


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
    `write_mask` are the channels as letters of "rgba", or as the bits of both APIs.
    """

    src_blend: str = Factor.ONE
    dest_blend: str = Factor.ZERO
    blend_op: str = BlendOp.ADD
    src_blend_alpha: str = Factor.ONE
    dest_blend_alpha: str = Factor.ZERO
    blend_op_alpha: str = BlendOp.ADD
    write_mask: int | str = WHOLE
    blend_enable: bool | None = None

    def __post_init__(self) -> None:
        for name in ("src_blend", "dest_blend", "src_blend_alpha", "dest_blend_alpha"):
            _set(self, name, word_of(Factor, getattr(self, name), f"blend factor of {name}:"))
        for name in ("blend_op", "blend_op_alpha"):
            _set(self, name, word_of(BlendOp, getattr(self, name), f"operation of {name}:"))
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
    `independent_blend_enable` is False. A `logic_op` takes the place of blending. `blend_factor`
    are the constants of the factors "blend_factor" and "alpha_factor".
    """

    targets: Blend | Sequence[Blend] = (Blend(),)
    logic_op: str | None = None
    blend_factor: Sequence[float] = (1.0, 1.0, 1.0, 1.0)
    alpha_to_coverage_enable: bool = False
    alpha_to_one_enable: bool = False
    independent_blend_enable: bool = True

    def __post_init__(self) -> None:
        given = [self.targets] if isinstance(self.targets, Blend | str | Mapping) else self.targets
        found = tuple(_blend(each) for each in given)
        if not 1 <= len(found) <= MOST_TARGETS:
            raise UsageError(f"blend: expected 1 to {MOST_TARGETS} targets, got {len(found)}")
        _set(self, "targets", found)
        if self.logic_op is not None:
            _set(self, "logic_op", word_of(LogicOp, self.logic_op, "logic operation"))
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
    def is_dual(self) -> bool:
        """True if the first target is blended with the second colour of the shader."""
        return self.logic_op is None and self.each[0].is_dual


@dataclass(frozen=True, slots=True)
class StencilFace:
    """The stencil test of one face, and what becomes of the stencil."""

    fail_op: str = StencilOp.KEEP
    depth_fail_op: str = StencilOp.KEEP
    pass_op: str = StencilOp.KEEP
    function: str = Comparison.ALWAYS
    read_mask: int = 0xFF
    write_mask: int = 0xFF
    reference: int = 0

    def __post_init__(self) -> None:
        for name in ("fail_op", "depth_fail_op", "pass_op"):
            _set(self, name, word_of(StencilOp, getattr(self, name), f"operation of {name}:"))
        _set(self, "function", word_of(Comparison, self.function, "stencil function"))
        for name in ("read_mask", "write_mask", "reference"):
            given: object = getattr(self, name)
            if not isinstance(given, int | np.integer) or given < 0:
                raise UsageError(f"stencil {name}: expected 0 or more, got {shown(given)}")
            _set(self, name, int(given) & 0xFF)

    @property
    def writes(self) -> bool:
        """True if the test may change a stencil."""
        kept = {self.fail_op, self.depth_fail_op, self.pass_op} == {StencilOp.KEEP}
        return bool(self.write_mask) and not kept


@dataclass(frozen=True, slots=True)
class StencilState:
    """The stencil tests of both faces; `back` is by default as `front`."""

    front: StencilFace = StencilFace()
    back: StencilFace | None = None

    def __post_init__(self) -> None:
        for name in ("front", "back"):
            given: object = getattr(self, name)
            if isinstance(given, Mapping):
                _set(self, name, filled(StencilFace, given, f"stencil {name}"))
            elif not isinstance(given, StencilFace) and (name == "front" or given is not None):
                raise UsageError(f"stencil {name}: expected a StencilFace, got {shown(given)}")

    @property
    def faces(self) -> tuple[StencilFace, StencilFace]:
        """The tests of front and back faces."""
        return self.front, self.front if self.back is None else self.back


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


def stencil_state(given: Any) -> StencilState | None:
    """Return the state for the argument of a draw: a state, a face for both, or a mapping."""
    if given is None or isinstance(given, StencilState):
        return given
    if isinstance(given, StencilFace):
        return StencilState(given)
    if isinstance(given, Mapping):
        return filled(StencilState, given, "stencil")
    raise UsageError(f"stencil: expected a StencilState or a StencilFace, got {shown(given)}")


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
