"""Vocabulary that formats, programs and tools share.

words.py     the neutral vocabulary: stages, system values, component types, …
slots.py     slots of inputs, outputs and resources
numbers.py   tables from the numbers of a specification to the words
d3d.py       Direct3D's numbers, each table next to its enumeration
"""
