"""The fixed fragment stage of the Nintendo 3DS.

Lighting, texture units, procedural textures, texture combiners, alpha test and fog.
"""

from .description import AlphaTest, Combiner, Fog, FragmentStage, TevStage
from .lights import DistanceAttenuation, Light, Lighting, LightingLut
from .pixel import pixel_shader
from .procedural import ProceduralNoise, ProceduralTexture
from .texture_unit import TextureUnit, shadow_texture

__all__ = [
    "AlphaTest",
    "Combiner",
    "DistanceAttenuation",
    "Fog",
    "FragmentStage",
    "Light",
    "Lighting",
    "LightingLut",
    "ProceduralNoise",
    "ProceduralTexture",
    "TevStage",
    "TextureUnit",
    "pixel_shader",
    "shadow_texture",
]
