"""A second implementation of `unshade.ir`, that the tests hold the first one against.

    parsing.py    text ──► kernel       the inverse of `unshade.ir.printing`
    verify.py     kernel ──► findings   the rules of a well-formed kernel
    interpret.py  kernel ──► results    one lane after the other, in plain Python

None of it is part of the package that users install.
"""
