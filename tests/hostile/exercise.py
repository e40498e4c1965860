"""Calls that are made with a hostile input, and their permitted outcomes."""

import random
from collections.abc import Callable, Iterator

import unshade
from unshade import Shader, UnshadeError, UnsupportedError

CALLS: dict[str, Callable[[Shader], object]] = {
    "diagnostics": lambda shader: shader.diagnostics,
    "disassemble": lambda shader: shader.disassemble(),
    "reflect": lambda shader: shader.reflect().to_dict(),
    "verify": lambda shader: shader.verify(),
    "spans": lambda shader: shader.spans(),
}
OF_DAMAGED: tuple[Callable[[Shader], object], ...] = (
    lambda shader: [part.value for part in shader.parts],
    lambda shader: shader.programs,
    lambda shader: shader.extract(),
    lambda shader: shader.to_data(),
)


class Broken(AssertionError):
    """A promise that did not hold; the message says which."""


def exercise(data: bytes) -> str:
    """Call everything on a shader; return 'read', or the name of the error that ended it.

    Any exception but ours goes through to the caller, and so does `Broken` where bytes were lost.
    """
    try:
        shader = unshade.loads(data)
    except UnshadeError as error:
        look_at_the_rest(data, error)
        return type(error).__name__
    if shader.to_bytes() != data:
        raise Broken("to_bytes of what was just read differs")
    for call in CALLS.values():
        try:
            call(shader)
        except UnshadeError as error:
            str(error)
    if shader.to_bytes() != data:
        raise Broken("to_bytes differs after everything was looked at")
    try:
        plain = shader.to_data()
    except UnshadeError:
        return "read"
    if unshade.from_data(plain).to_bytes() != data:
        raise Broken("to_bytes differs after from_data(to_data())")
    return "read"


def look_at_the_rest(data: bytes, refusal: UnshadeError) -> None:
    """Call everything on the intact parts of a file that is refused."""
    try:
        shader = unshade.loads(data, strict=False)
    except UnshadeError as error:
        if isinstance(error, UnsupportedError):  # of a version that is not known
            return
        if unshade.identify(data) is not None:
            raise Broken("a file with a magic is refused") from error
        return
    if str(shader.damage) != str(refusal):
        raise Broken(f"the damage is {shader.damage}, not {refusal}")
    if shader.to_bytes() != data:
        raise Broken("to_bytes of a damaged file differs")
    for call in (*(CALLS[name] for name in CALLS if name != "verify"), *OF_DAMAGED):
        try:
            call(shader)
        except UnshadeError as error:
            str(error)
    at = 0
    for span in shader.spans():
        if span.offset > at:
            raise Broken(f"no span covers the byte at {at}")
        at = max(at, span.offset + span.length)
    if at != len(data):
        raise Broken(f"the spans end at {at}, the data at {len(data)}")
    if shader.to_bytes() != data:
        raise Broken("to_bytes of a damaged file differs after everything was looked at")


def mutations(data: bytes) -> Iterator[bytes]:
    """Iterate over truncations, changed bytes (three ways) and replaced words (five)."""
    for size in range(len(data)):
        yield data[:size]
    for at in range(len(data)):
        for bits in (0x01, 0x80, 0xFF):
            yield data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]
    for at in range(0, len(data) - 3, 4):
        for value in (0, 1, len(data), 0x7FFF_FFFF, 0xFFFF_FFFF):
            yield data[:at] + value.to_bytes(4, "little") + data[at + 4 :]


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return data with random damage: changes, cuts, duplications, moves, truncations."""
    raw = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(max(len(raw), 1))
        match chance.randrange(8):
            case 0 | 1:
                raw[at : at + 1] = bytes([chance.randrange(256)])
            case 2 | 3:
                at &= ~3
                word = chance.choice((0, 1, 2, 4, 8, 28, 0x7FFFFFFF, 0xFFFFFFFF, len(raw), at))
                raw[at : at + 4] = word.to_bytes(4, "little")
            case 4:
                other = chance.randrange(max(len(raw), 1)) & ~3
                raw[at & ~3 : (at & ~3) + 4] = raw[other : other + 4]
            case 5:
                raw[at : at + chance.choice((1, 4, 16, 64))] = b""
            case 6:
                piece = raw[at : at + chance.choice((1, 4, 16, 64))]
                raw[at:at] = piece
            case _:
                if chance.random() < 0.2:
                    del raw[at:]
    return bytes(raw)


def check(cases: Iterator[bytes], seen: Callable[[str], object] = lambda outcome: None) -> None:
    """Exercise each case; raise an unexpected error with the bytes that caused it."""
    for data in cases:
        try:
            seen(exercise(data))
        except Exception as error:
            error.add_note(f"the input, {len(data)} bytes: {data.hex()}")
            raise
