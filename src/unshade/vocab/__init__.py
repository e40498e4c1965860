"""What several folders name alike.

words.py     the neutral vocabulary: stages, system values, component types, …
slots.py     places of inputs, outputs and resources
numbers.py   tables from the numbers of a specification to the words
d3d.py       Direct3D's numbers, each table beside its enumeration
"""
