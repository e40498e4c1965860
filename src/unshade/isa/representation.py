"""`repr` of instructions and operands."""

LONGEST = 120  # characters of a line


def described(thing: object, text: str) -> str:
    """Return a `repr` with the text: `<Instruction mul_sat r0.x, r1.x, l(0.500000)>`."""

    first, *more = text.split("\n")
    long = more or len(first) > LONGEST
    return f"<{type(thing).__name__} {first[:LONGEST]}{' …' if long else ''}>"
