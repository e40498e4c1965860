"""Target environments and options of the validator.

    spv1.6          the language alone
    vulkan1.2       the language as Vulkan 1.2 takes it: more rules, other capabilities
    opencl2.1 …     as OpenCL takes it; opencl2.1embedded: the embedded profile
    opengl4.5 …     as OpenGL takes it

Names are as in SPIRV-Tools.
"""

from dataclasses import dataclass, field

from ....tuples import NamedTuple
from ..assembler.targets import version_of

__all__ = ["DEFAULT_ENVIRONMENT", "Environment", "ModuleLimits", "ValidatorOptions", "environment"]

DEFAULT_ENVIRONMENT = "spv1.6"


class Environment(NamedTuple):
    """A target environment: `version` is the newest accepted version, as a header word."""

    name: str
    family: str  # spv, vulkan, opencl or opengl
    api: tuple[int, int]  # version of the API
    version: int
    embedded: bool = False

    @property
    def vulkan(self) -> bool:
        """True for Vulkan."""
        return self.family == "vulkan"

    @property
    def opencl(self) -> bool:
        """True for OpenCL."""
        return self.family == "opencl"


def environment(name: str) -> Environment:
    """Return the environment of a name; UsageError for an unknown one."""
    version = version_of(name)
    family = next(each for each in ("spv", "vulkan", "opencl", "opengl") if name.startswith(each))
    digits = name[len(family) :].partition("spv")[0].removesuffix("embedded")
    major, _, minor = digits.partition(".")
    return Environment(name, family, (int(major), int(minor)), version, name.endswith("embedded"))


class ModuleLimits(NamedTuple):
    """Universal limits of a module (SPIR-V specification, section 2.17)."""

    struct_members: int = 16383
    struct_depth: int = 255
    local_variables: int = 524287
    global_variables: int = 65535
    switch_branches: int = 16383
    function_arguments: int = 255
    control_flow_depth: int = 1023
    access_chain_indexes: int = 255
    id_bound: int = 0x3FFFFF


@dataclass(frozen=True)
class ValidatorOptions:
    """Options of the validator; names are as in spirv-val.

    Attributes:
        relax_logical_pointer: Allow variables that hold pointers in the logical addressing model.
        relax_block_layout: Allow vectors of blocks at offsets aligned to a component.
        uniform_buffer_standard_layout: Lay out uniform blocks like storage blocks.
        scalar_block_layout: Align members of blocks to their components only.
        workgroup_scalar_block_layout: The same for explicitly laid out workgroup memory.
        skip_block_layout: Do not check the layout of blocks.
        relax_struct_store: Allow stores of structures of another type with the same layout.
        before_hlsl_legalization: Allow what HLSL compilers write before they legalise a module.
        allow_localsizeid: Allow LocalSizeId in environments that do not.
        allow_offset_texture_operand: Allow the image operand Offset outside of gathers.
        allow_vulkan_32_bit_bitwise: Require 32-bit operands of bit operations in Vulkan.
        limits: Universal limits.
    """

    relax_logical_pointer: bool = False
    relax_block_layout: bool = False
    uniform_buffer_standard_layout: bool = False
    scalar_block_layout: bool = False
    workgroup_scalar_block_layout: bool = False
    skip_block_layout: bool = False
    relax_struct_store: bool = False
    before_hlsl_legalization: bool = False
    allow_localsizeid: bool = False
    allow_offset_texture_operand: bool = False
    allow_vulkan_32_bit_bitwise: bool = False
    limits: ModuleLimits = field(default_factory=ModuleLimits)
