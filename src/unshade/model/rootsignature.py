"""A Direct3D 12 root signature: where an application puts what the shader reads.

parameter   table -> ranges of descriptors  |  32-bit constants  |  one descriptor
"""

from .plain import Facts, fact


class RootRange(Facts):
    """A run of descriptors in a table."""

    kind: str = fact("srv, uav, cbv or sampler")
    register: int = fact("first register")
    space: int = fact("register space")
    count: int | None = fact("how many, None without bound")
    offset: int | None = fact(
        "descriptors from the start of the table; None behind a range without bound"
    )
    flags: list[str] = fact("what may change while commands run", factory=list)


class RootParameter(Facts):
    """One root parameter; a table has ranges, the others a register."""

    kind: str = fact("table, constants, cbv, srv or uav")
    visibility: str = fact("the stage that sees it, or all")
    register: int | None = fact("register of constants or descriptor", default=None)
    space: int | None = fact("register space of those", default=None)
    count: int | None = fact("number of 32-bit constants", default=None)
    flags: list[str] = fact("what may change while commands run", factory=list)
    ranges: list[RootRange] = fact("what a table holds", factory=list)
    cost: int = fact("32-bit words of the 64 that a root signature may take")


class StaticSampler(Facts):
    """A sampler that is part of the root signature."""

    register: int = fact("s register")
    space: int = fact("register space")
    visibility: str = fact("the stage that sees it, or all")
    filter: str = fact("D3D12_FILTER in lower case")
    address: list[str] = fact("addressing in u, v and w")
    mip_lod_bias: float = fact("added to the level of detail")
    max_anisotropy: int = fact("1 to 16")
    comparison: str = fact("comparison function")
    border_color: str = fact("border colour")
    min_lod: float = fact("least level of detail")
    max_lod: float = fact("greatest level of detail")
    flags: list[str] = fact("from 1.2", factory=list)


class RootSignature(Facts):
    """The whole root signature."""

    version: str = fact("1.0, 1.1 or 1.2")
    flags: list[str] = fact("D3D12_ROOT_SIGNATURE_FLAGS in lower case")
    parameters: list[RootParameter] = fact("in order: their indices are what commands name")
    samplers: list[StaticSampler] = fact("static samplers")
