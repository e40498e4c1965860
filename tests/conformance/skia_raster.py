"""Runtime effects on Skia's raster pipeline, by skia-python: 32-bit floats, no colour space.

Colours are premultiplied and not clamped. Uniforms are packed as Skia wants them: in the order of
their declaration, four bytes a component, columns of matrices after each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import unshade

Array = np.ndarray[Any, np.dtype[np.float32]]


def packed(reflection: unshade.Reflection, values: Mapping[str, Any]) -> bytes:
    """Return the uniforms of a program as bytes."""
    found = b""
    for buffer in reflection.constant_buffers:
        for each in buffer.variables:
            kind = "<i4" if each.type.scalar in ("int", "bool", "uint") else "<f4"
            value = np.asarray(values[each.name], kind)
            if each.type.type_class == "matrix_columns":
                value = value.swapaxes(-1, -2)
            found += np.ascontiguousarray(value).tobytes()
    return found


class SkiaRaster:
    """Effects of skia-python; `colour_space` is None or "srgb"."""

    def __init__(self, colour_space: str | None = None) -> None:
        import skia

        self.skia = skia
        self.space = skia.ColorSpace.MakeSRGB() if colour_space == "srgb" else None
        self._held: list[Any] = []  # data that pictures and effects refer to without owning it

    def data(self, values: bytes) -> Any:
        """Return bytes as data of Skia, which is kept."""
        self._held.append((values, self.skia.Data.MakeWithCopy(values)))
        return self._held[-1][1]

    def surface(self, width: int, height: int) -> Any:
        """Return a surface of 32-bit floats."""
        skia = self.skia
        info = skia.ImageInfo.Make(
            width, height, skia.kRGBA_F32_ColorType, skia.kPremul_AlphaType, self.space
        )
        return skia.Surface.MakeRaster(info)

    def painted(
        self, kind: str, text: str, uniforms: bytes, colours: Array, child: Sequence[float]
    ) -> Array:
        """Return the colours of a shader, or of a filter of some colours.

        Args:
            kind: "shader" or "filter".
            text: the source; RuntimeError if Skia refuses it.
            uniforms: values of its uniforms.
            colours: the colours to filter, (height, width, 4); a shader has as many pixels.
            child: the colour of every child that is a shader; others are not given.
        """
        if kind == "filter":
            return self.filtered(text, uniforms, colours)
        height, width, _ = colours.shape
        return self.shaded(self.shader(text, uniforms, self.colour(child)), width, height)

    def shader(self, text: str, uniforms: bytes, child: Any = None) -> Any:
        """Return a shader of Skia; RuntimeError if its compiler refuses the source.

        `child` is the shader for every child that is one; others are not given.
        """
        skia = self.skia
        effect = skia.RuntimeEffect.MakeForShader(text)
        data = self.data(uniforms)
        children = [str(each.type).rpartition(".")[2] for each in effect.children()]
        if not children:
            return effect.makeShader(data)
        found = []
        for each in children:
            shader = child if each == "kShader" else None
            found.append(skia.RuntimeEffectChildPtr(shader) if shader else
                         skia.RuntimeEffectChildPtr())  # fmt: skip
        return effect.makeShader(data, skia.VectorRuntimeEffectChildPtr(found))

    def colour(self, premultiplied: Sequence[float]) -> Any:
        """Return the shader of one colour."""
        *colour, alpha = premultiplied
        straight = self.skia.Color4f(*(each / alpha for each in colour), alpha)
        return self.skia.Shaders.Color(straight, *([self.space] if self.space else []))

    def shaded(self, shader: Any, width: int, height: int) -> Array:
        """Return the colours of a shader, (height, width, 4)."""
        skia = self.skia
        surface = self.surface(width, height)
        surface.getCanvas().drawPaint(skia.Paint(Shader=shader, BlendMode=skia.BlendMode.kSrc))
        return self.pixels(surface, width, height)

    def filtered(self, text: str, uniforms: bytes, colours: Array) -> Array:
        """Return the colours that a colour filter makes of some, (height, width, 4)."""
        skia = self.skia
        height, width, _ = colours.shape
        info = skia.ImageInfo.Make(
            width, height, skia.kRGBA_F32_ColorType, skia.kPremul_AlphaType, self.space
        )
        data = self.data(np.ascontiguousarray(colours, "<f4").tobytes())
        image = skia.Image.MakeRasterData(info, data, width * 16)
        effect = skia.RuntimeEffect.MakeForColorFilter(text)
        paint = skia.Paint(
            Shader=image.makeShader(skia.SamplingOptions()), BlendMode=skia.BlendMode.kSrc,
            ColorFilter=effect.makeColorFilter(self.data(uniforms)),
        )  # fmt: skip
        surface = self.surface(width, height)
        surface.getCanvas().drawPaint(paint)
        found = self.pixels(surface, width, height)
        self._held.clear()
        return found

    def pixels(self, surface: Any, width: int, height: int) -> Array:
        """Return the pixels of a surface."""
        found = np.zeros((height, width, 4), "<f4")
        skia = self.skia
        info = skia.ImageInfo.Make(
            width, height, skia.kRGBA_F32_ColorType, skia.kPremul_AlphaType, self.space
        )
        if not surface.readPixels(skia.Pixmap(info, found, width * 16), 0, 0):
            raise RuntimeError("the surface cannot be read")
        return found
