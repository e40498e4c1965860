"""The rules of `verify` for VBC files."""
# ruff: noqa: E501

from ....errors import Severity
from ....rule import Rule, table

__all__ = ["RULES"]

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES = table((
    # Reading
    Rule("vbc.module", E, "a module is not SPIR-V", "The words of each stage are a SPIR-V module; its first word is the magic number. Vega passes them to Vulkan as they are."),
    Rule("vbc.subpass-form", N, "subpass inputs are C++ objects", "VSL's compiler writes its objects in memory instead of the documented records of 4 bytes, so that their size and contents depend on its standard library. Vega cannot load such a file. `record.subpasses` keeps them; a new file has the documented records."),
    Rule("vbc.layout", N, "the file has an older layout", "VSL's compiler wrote other layouts in January 2021, all with version 1. Vega loads the last one only. `older` is the layout; the record has the numbers that it would have today. Without it, the file is written as it would be today."),
    # Limits of the compiler
    Rule("vbc.name", W, "the name of a member is not one that VSL allows", "Names have 1 to 32 letters, digits and underscores, and do not begin with a digit. Vega cannot load a name of more than 64 bytes."),
    Rule("vbc.base-type", E, "the base type does not fit the variable", "Inputs, outputs and members are BOOLEAN, SIGNED, UNSIGNED or FLOAT, inputs and outputs not BOOLEAN; bindings are SAMPLER to RW_TEXELS."),
    Rule("vbc.dimensions", E, "the dimensions of a type are impossible", "A vector has 1 to 4 components, a matrix of floats 2 to 4 rows and columns, an array at least one element."),
    Rule("vbc.input", E, "a vertex input is not one that VSL allows", "Locations are 0 to 15, each used once; an array has at most 16 elements and is not of matrices. A matrix takes a location for each column, an array for each element."),
    Rule("vbc.output", E, "a fragment output is not one that VSL allows", "Locations are 0 to 7, each used once; an output is a scalar, or a vector of 2 or 4 components."),
    Rule("vbc.slot", E, "the slot of a binding is above 31 or used twice", "There are 32 slots, and bindings do not share them."),
    Rule("vbc.texel", E, "the texels of a binding are not possible", "Images have ranks D1 to CUBE, texel buffers BUFFER. SIGNED, UNSIGNED and FLOAT have 4 bytes a component, UNORM and SNORM 1 or 2; there are 1, 2 or 4 components. What is only read has 4 components of 4 bytes."),
    Rule("vbc.element-size", E, "the element of a buffer has an impossible size", "A structure has 4 to 1024 bytes, a multiple of 4: every component has 4 bytes, and nothing is padded."),
    Rule("vbc.stages", E, "a stage mask names a stage that the file does not have", "The bits are VkShaderStageFlags from vertex to fragment. Vega passes them on when it makes pipeline layouts."),
    Rule("vbc.uniform", E, "the uniform block is not one that VSL allows", "A block has at most 1024 bytes, a multiple of 4, and at least one member. Members are at multiples of 4, do not overlap, and end within the block; an array has at most 64 elements."),
    Rule("vbc.subpass", E, "a subpass input is not one that VSL allows", "There are at most 4, each of 4 components of type SIGNED, UNSIGNED or FLOAT."),
    Rule("vbc.padding", W, "padding is not zero", "Writers fill the unused bytes of records with zeros."),
    Rule("vbc.loader", N, "Vega's loader does not accept the file", "It requires a vertex and a fragment stage and no other, and tables of 8192, 128, 512, 128 and 128 descriptors. It fails on members of type BOOLEAN and images of rank CUBE."),
    # Against the modules
    Rule("vbc.stage", E, "the stage of a module differs from the stage of its place", "Each stage of the header has a module with an entry point of that stage; Vega calls `main`."),
    Rule("vbc.byte-order", E, "a module has big-endian words", "Vulkan expects words in the byte order of the machine. All other numbers of the file are little-endian."),
    Rule("vbc.resource", E, "a module declares a resource that Vega does not bind", "Set 0 has the tables of samplers, images, buffers and texel buffers, arrays at bindings 0 to 4; set 1 the uniform block at binding 0, set 2 the subpass inputs. Vega makes layouts of descriptor sets for these alone: no pipeline has others."),
    Rule("vbc.push-constants", E, "the push constants are not slots", "They are up to 16 words of 32 bits. Vega writes the numbers of descriptors there, two to a word, and nothing else."),
    Rule("vbc.index", W, "a table is not indexed by a slot", "A module finds a binding by the number in its slot of the push constants. With any other index it reads a descriptor that belongs to another binding, or to none."),
    Rule("vbc.input-mismatch", E, "a vertex input differs from the module's", "Vega makes the vertex input state of the pipeline from the file; the module reads what its decorations specify."),
    Rule("vbc.output-mismatch", E, "a fragment output differs from the module's", "Vega chooses formats of attachments by the file; the module writes what its decorations specify."),
    Rule("vbc.binding-mismatch", E, "a binding differs from what a module uses at its slot", "A slot is half a word of the push constants, which indexes the table of the binding's kind. If the kind, the dimension or the size differ, the module reads something else."),
    Rule("vbc.mask-mismatch", E, "a stage uses a binding, but is not in its mask", "Vega makes a binding visible to the stages in its mask only."),
    Rule("vbc.table-mismatch", E, "a module declares a larger table than the header", "The descriptor sets that an application creates have the sizes of the header."),
    Rule("vbc.uniform-mismatch", E, "the uniform block differs from a module's", "Applications set members at the offsets in the file; modules read them at the offsets in their decorations. A Boolean member is an unsigned integer in the module."),
    Rule("vbc.subpass-mismatch", E, "a subpass input differs from a module's", "Subpass input i is binding i of set 2."),
    Rule("vbc.local-mismatch", E, "a stage reads what the one before it does not write", "Values between stages are joined by location; vslc numbers them in the order of their declaration."),
))  # fmt: skip
