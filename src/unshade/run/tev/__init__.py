"""The fixed fragment stage of the Nintendo 3DS: texture combiners, alpha test and fog."""

from .description import AlphaTest, Combiner, Fog, FragmentStage, TevStage
from .pixel import pixel_shader

__all__ = ["AlphaTest", "Combiner", "Fog", "FragmentStage", "TevStage", "pixel_shader"]
