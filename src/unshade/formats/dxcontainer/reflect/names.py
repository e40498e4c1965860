"""Names of flags that occur only in DirectX containers.

Tables of numbers that Direct3D and programs share are in vocab.d3d and programs.tpf.vocabulary.
"""

# D3DCOMPILE_*, from d3dcompiler.h.
COMPILE_FLAGS = (
    (0x00_0001, "debug"),
    (0x00_0002, "skip_validation"),
    (0x00_0004, "skip_optimization"),
    (0x00_0008, "pack_matrix_row_major"),
    (0x00_0010, "pack_matrix_column_major"),
    (0x00_0020, "partial_precision"),
    (0x00_0040, "force_vs_software_no_opt"),
    (0x00_0080, "force_ps_software_no_opt"),
    (0x00_0100, "no_preshader"),
    (0x00_0200, "avoid_flow_control"),
    (0x00_0400, "prefer_flow_control"),
    (0x00_0800, "enable_strictness"),
    (0x00_1000, "enable_backwards_compatibility"),
    (0x00_2000, "ieee_strictness"),
    (0x00_4000, "optimization_level0"),
    (0x00_8000, "optimization_level3"),
    (0x04_0000, "warnings_are_errors"),
    (0x08_0000, "resources_may_alias"),
    (0x10_0000, "enable_unbounded_descriptor_tables"),
    (0x20_0000, "all_resources_bound"),
)
