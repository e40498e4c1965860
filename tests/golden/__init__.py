"""Answers of the whole library on inputs of our own, held by their digests.

    tests/golden/tpf.txt          a line for each input: its name, and the digest of each answer

    python -m tests.golden                        compare all answers with the digests
    python -m tests.golden --write [FAMILY …]     make the digests anew
    python -m tests.golden tpf/lit listing        print one answer

What a right answer is, other tests say, with values and their sources. These here notice that an
answer has changed: whoever changes one on purpose prints it before and after, and makes the digests
anew. The inputs are made by seeds and by the fixtures of the other tests (`inputs.py`); each answer
is a text (`answers.py`).

A folder of tests holds the answers that the sources of its name take part in:

    test_answers = held("tpf", "lowered", "flow")
    test_tables = held_tables(__file__)          the tables of its sources
"""

from .digests import held, held_tables

__all__ = ["held", "held_tables"]
