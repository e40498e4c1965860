"""Runtime effects on our engines and on Skia's: inputs, tolerance, and the rule of discontinuities.

A difference is explained where our own result jumps: where colours, positions or uniforms that
differ by three parts in a million move it by more than the tolerance. Skia may contract a product
and a sum, which is a difference of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import unshade
from tests.programs.sksl.generate import generated, is_rough
from unshade.model import TypeDescription

Array = np.ndarray[Any, Any]
SIZE = 64
KINDS = {
    "shader": "runtime_shader", "filter": "runtime_color_filter", "blender": "runtime_blender",
}  # fmt: skip
SUFFIXES = {".rts": "shader", ".rtcf": "filter", ".rtb": "blender", ".sksl": "shader"}
INPUTS = {"shader": 1, "filter": 1, "blender": 2}
MOVED = (1 - 3e-6, 1 + 3e-6, 1 - 1e-6, 1 + 1e-6)
CHILD = (0.25, 0.5, 0.125, 0.75)  # the colour of every child that is a shader


@dataclass(slots=True)
class Effect:
    """A program with values for its uniforms."""

    kind: str
    name: str
    shader: unshade.Shader
    text: str
    uniforms: Mapping[str, Any]

    @property
    def rough(self) -> bool:
        """True if functions take part that processors approximate differently."""
        return is_rough(self.text)

    def run(self, inputs: list[Array], factor: float = 1.0, engine: str = "auto") -> Array:
        """Return the colours for arrays of positions or colours; uniforms times a factor."""
        kernel = unshade.kernel(self.shader, engine=engine)
        rows = dict(zip((each.label for each in kernel.inputs), inputs, strict=False))
        values = {name: moved(value, factor) for name, value in self.uniforms.items()}
        children = {each.name: CHILD for each in kernel.bindings if each.form == "child" and
                    each.resource.shape is not None}  # fmt: skip
        if not rows:
            return np.asarray(kernel.shade((SIZE, SIZE), **values, **children)["main"])
        return np.asarray(kernel.shade(rows, **values, **children)["main"])


class Agreement(NamedTuple):
    """Numbers of pixels: that differ, and of those the ones that no rule explains."""

    different: int
    unexplained: int


def moved(value: Any, factor: float) -> Any:
    """Return floats times a factor; integers stay."""
    array = np.asarray(value)
    return value if array.dtype.kind in "iub" else array.astype("f4") * np.float32(factor)


def colours(seed: int) -> Array:
    """Return premultiplied colours, (SIZE, SIZE, 4)."""
    chance = np.random.default_rng(seed)
    alpha = chance.random((SIZE, SIZE, 1), "f4")
    return np.concatenate([chance.random((SIZE, SIZE, 3), "f4") * alpha, alpha], -1)


def positions() -> Array:
    """Return the centres of the pixels, (SIZE, SIZE, 2)."""
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    return np.stack([x + 0.5, y + 0.5], -1).astype("f4")


def inputs_of(kind: str) -> list[Array]:
    """Return the inputs of an effect, each (SIZE, SIZE, components)."""
    return [positions()] if kind == "shader" else [colours(each) for each in range(INPUTS[kind])]


def agreement(effect: Effect, theirs: Array, engine: str = "auto") -> Agreement:
    """Compare the colours of an effect with Skia's."""
    inputs = [each.reshape(-1, each.shape[-1]) for each in inputs_of(effect.kind)]
    theirs = theirs.reshape(-1, 4)
    ours = effect.run(inputs, engine=engine).reshape(-1, 4)
    allowed = (5e-4 if effect.rough else 1e-5) + 1e-4 * np.abs(theirs)
    different = _beyond(ours, theirs, allowed)
    if not different.any():
        return Agreement(0, 0)
    jumps = np.zeros(len(ours), np.bool_)
    for factor in MOVED:
        near = [each * np.float32(factor) for each in inputs]
        for given, times in ((near, 1.0), (inputs, factor), (near, factor)):
            result = effect.run(given, times, engine).reshape(-1, 4)
            jumps |= _beyond(result, ours, allowed)
    return Agreement(int(different.sum()), int((different & ~jumps).sum()))


def is_unpainted(effect: Effect, theirs: Array) -> bool:
    """Return True for a program of `#version 300` that Skia compiled and left transparent."""
    return "#version 300" in effect.text and not theirs.any()


def _beyond(one: Array, other: Array, allowed: Array) -> Array:
    """Return where colours differ by more than is allowed; equal infinities and NaNs do not."""
    with np.errstate(invalid="ignore"):
        near = np.abs(one - other) <= allowed
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    return np.asarray(~(near | same).all(1))


# -- effects -----------------------------------------------------------------------------------


def generated_effect(kind: str, seed: int) -> Effect:
    """Return the effect of a seed."""
    made = generated(kind, seed)
    shader = unshade.assemble(made.text, "sksl", kind=KINDS[kind])
    return Effect(kind, f"{kind} {seed}", shader, made.text, made.uniforms)


def corpus_effects(corpus: Path) -> Iterator[Effect]:
    """Yield the runtime effects among the sources of the corpus that compile as such."""
    folder = corpus / "sksl" / "source"
    for path in sorted(each for each in folder.rglob("*") if each.suffix in SUFFIXES):
        text = path.read_text("utf-8", "surrogateescape")
        kind = SUFFIXES[path.suffix]
        try:
            shader = unshade.assemble(text, "sksl", kind=KINDS[kind])
        except unshade.UnshadeError:
            continue
        chance = np.random.default_rng(len(text))
        values = {
            each.name: _value(each.type, chance)
            for buffer in shader.reflect().constant_buffers
            for each in buffer.variables
        }
        yield Effect(kind, path.relative_to(folder).as_posix(), shader, text, values)


def _value(type_: TypeDescription, chance: np.random.Generator) -> Array:
    shape = [*type_.elements]
    if type_.type_class == "matrix_columns":
        shape += [type_.rows, type_.columns]
    elif type_.columns > 1:
        shape.append(type_.columns)
    if type_.scalar in ("float", "half"):
        return chance.uniform(-1, 2, shape).astype("f4")
    return chance.integers(0, 4, shape).astype("i4")
