"""The cache of the jit: a folder of files, machine code and Python objects in them."""
