"""Direct3D 12 root signatures: the locations from which a shader reads its resources.

parameter   table -> ranges of descriptors  |  32-bit constants  |  one descriptor
"""

from .plain import Facts, fact


class RootRange(Facts):
    """A range of descriptors in a table."""

    kind: str = fact("kind of the descriptors: srv, uav, cbv or sampler")
    register: int = fact("first register")
    space: int = fact("register space")
    count: int | None = fact("number of descriptors; None if unbounded")
    offset: int | None = fact(
        "offset from the start of the table, in descriptors; None after an unbounded range"
    )
    flags: list[str] = fact("D3D12_DESCRIPTOR_RANGE_FLAGS in lower case", factory=list)


class RootParameter(Facts):
    """A root parameter: a table of ranges, 32-bit constants, or a descriptor."""

    kind: str = fact("kind of the parameter: table, constants, cbv, srv or uav")
    visibility: str = fact("stage that can access it, or all")
    register: int | None = fact(
        "register of the constants or descriptor; None for a table", default=None
    )
    space: int | None = fact("register space; None for a table", default=None)
    count: int | None = fact("number of 32-bit constants; None for other kinds", default=None)
    flags: list[str] = fact("D3D12_ROOT_DESCRIPTOR_FLAGS in lower case", factory=list)
    ranges: list[RootRange] = fact("ranges of a table", factory=list)
    cost: int = fact("size in 32-bit words; a root signature has 64")


class StaticSampler(Facts):
    """A sampler that is part of the root signature."""

    register: int = fact("number of the s register")
    space: int = fact("register space")
    visibility: str = fact("stage that can access it, or all")
    filter: str = fact("D3D12_FILTER in lower case")
    address: list[str] = fact(
        "address modes in u, v and w: D3D12_TEXTURE_ADDRESS_MODE in lower case"
    )
    mip_lod_bias: float = fact("bias added to the level of detail")
    max_anisotropy: int = fact("maximum anisotropy, 1 to 16")
    comparison: str = fact("D3D12_COMPARISON_FUNC in lower case")
    border_color: str = fact("D3D12_STATIC_BORDER_COLOR in lower case")
    min_lod: float = fact("minimum level of detail")
    max_lod: float = fact("maximum level of detail")
    flags: list[str] = fact("D3D12_SAMPLER_FLAGS in lower case; from version 1.2", factory=list)


class RootSignature(Facts):
    """A Direct3D 12 root signature."""

    version: str = fact("version: 1.0, 1.1 or 1.2")
    flags: list[str] = fact("D3D12_ROOT_SIGNATURE_FLAGS in lower case")
    parameters: list[RootParameter] = fact("parameters; commands refer to them by index")
    samplers: list[StaticSampler] = fact("static samplers")
