"""Parts that are kept as bytes: parts of unknown layout, and private data, which may be anything.

Source: DXC DxilContainer.h, LLVM DXContainerConstants.def, d3dcompiler.h (D3D_BLOB_PART).
"""

from .description import Category, PartDescription

__all__ = ["PARTS"]

PARTS = {
    "PRIV": PartDescription(
        "private data",
        Category.PRIVATE,
        loss="data attached by the application; Direct3D does not read it",
    ),
    "XNAP": PartDescription("XNA prepass shader", Category.CODE, repeats="the code of a prepass"),
    "XNAS": PartDescription("XNA shader", Category.CODE, repeats="the code for XNA"),
    "LIBF": PartDescription("library functions", Category.CODE, several=True),  # a part for each
    "LIBH": PartDescription("library header", Category.INTERFACE),
    "LFS0": PartDescription("library function signature", Category.INTERFACE),
    "XHSH": PartDescription("hash of an Xbox shader", Category.DIGEST),
    "DXBC": PartDescription("container, named by LLVM only", Category.CONTAINER),
}
