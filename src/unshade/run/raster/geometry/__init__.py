"""The stages before the rasteriser: from the arguments of a draw to primitives."""
