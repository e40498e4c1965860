"""Operations of parts of a wave: the active lanes whose keys are equal.

    by_part(b, keys, types, make, wave)    loop { first = wave_first(key)
                                                  if key == first { make(); break } }
    matching(b, keys, wave)                the mask of the lanes of the part
    active(b, mask, wave)                  a mask without lanes that are inactive or do not exist

Masks have four words. Keys are compared as bits.

Sources: Shader Model 6.5, WaveMatch and WaveMultiPrefix; SPV_EXT_shader_subgroup_partitioned.
"""

from collections.abc import Callable, Sequence

from ..builder import Builder, constant
from ..kernel import Value
from ..ops import OPS
from ..types import BOOL, I32, Type
from ..waves import Wave

__all__ = ["active", "by_part", "matching"]

WORDS = 4


def _ballot(b: Builder, wave: Wave) -> tuple[Value, ...]:
    yes = b.bool(True)
    return tuple(
        b.wave_ballot(yes, attr=Wave(word=word, helpers=wave.helpers)) for word in range(WORDS)
    )


def active(b: Builder, mask: Sequence[Value], wave: Wave) -> tuple[Value, ...]:
    """Append the bits of a mask that belong to active lanes."""
    return tuple(b.and_(word, known) for word, known in zip(mask, _ballot(b, wave), strict=True))


def matching(b: Builder, keys: Sequence[Value], wave: Wave) -> tuple[Value, ...]:
    """Append the mask of the lanes whose keys are those of the lane."""
    return by_part(b, keys, [I32] * WORDS, lambda: _ballot(b, wave), wave)


def by_part(
    b: Builder,
    keys: Sequence[Value],
    types: Sequence[Type],
    make: Callable[[], Sequence[Value]],
    wave: Wave,
) -> tuple[Value, ...]:
    """Append the code of `make` for each set of lanes with equal keys, one after the other."""
    first = len(b.kernel.variables)
    results = [b.var(f"part.{at}", type, internal=True) for at, type in enumerate(types, first)]
    with b.loop():
        same: Value | None = None
        for key in keys:
            word = b.select(key, constant(1, I32), 0) if key.type is BOOL else key
            lowest = b.make(OPS.wave_first, word, attr=wave)
            if word.type.kind == "f":
                word, lowest = b.asint(word), b.asint(lowest)
            equal = b.ieq(word, lowest)
            same = equal if same is None else b.and_(same, equal)
        assert same is not None
        with b.when(same):
            for var, value in zip(results, make(), strict=True):
                b.set(var, value)
            b.break_()
    return tuple(b.get(var) for var in results)
