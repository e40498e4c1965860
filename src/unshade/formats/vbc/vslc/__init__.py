"""The contract between vslc, VSL's compiler, and Vega: how modules use the file's bindings.

    set 0, binding 0 … 4    arrays of descriptors: the tables of samplers, images, buffers, texels
    push constants          two slots a word: slot s is the low half of word s / 2 if s is even
    set 1, binding 0        the uniform block
    set 2, binding i        subpass input i

`derive` reads it from the modules. Source: VSL's code generator, c110b1b, checked on the modules of
the corpus.
"""

from .derive import Derived, DerivedBinding, DerivedUniform, derive

__all__ = ["Derived", "DerivedBinding", "DerivedUniform", "derive"]
