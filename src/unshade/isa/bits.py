"""Words made of bit fields.

    class OpcodeToken(Word):
        opcode = Bits(0, 11, "operation")
        length = Bits(24, 7, "words, this included")

    token = OpcodeToken(0x0700_0036)
    token.opcode            # 0x36
    token.length = 5        # EncodeError if it does not fit

Only the word is stored: bits outside of any field are kept, and an edit changes only the bits of
its field. Decoders for which speed matters shift and mask `word` directly.

An instruction of several words can have the fields of each word:

    class Instruction:
        opcode = OpcodeToken.opcode.held_in("token")      # its attribute `token` is a plain int
"""

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, ClassVar, Self, overload

from ..enums import IntEnum, member_of
from ..errors import EncodeError, UsageError


class Bits:
    """A field of `width` bits that starts at bit `low`; bit 0 is the least significant.

    Values are numbers. `enum` has names for them, or `spell` returns their spelling (a swizzle).
    The inverse of `spell` tries all values, so such fields have at most 8 bits.
    """

    __slots__ = (
        "doc", "enum", "holder", "low", "mask", "name", "signed", "spell", "spelled", "width",
    )  # fmt: skip

    def __init__(
        self,
        low: int,
        width: int,
        doc: str = "",
        *,
        enum: type[IntEnum] | None = None,
        signed: bool = False,
        spell: Callable[[int], str] | None = None,
    ) -> None:
        self.low = low
        self.width = width
        self.doc = doc
        self.enum = enum
        self.signed = signed
        self.spell = spell
        self.spelled: dict[str, int] | None = None  # the inverse of `spell`, made when needed
        self.holder = "word"
        self.mask = (1 << width) - 1
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> int: ...
    def __get__(self, instance: object | None, owner: type) -> Self | int:
        if instance is None:
            return self
        value: int = getattr(instance, self.holder) >> self.low & self.mask
        return value - self.mask - 1 if self.signed and value >> (self.width - 1) else value

    def __set__(self, instance: object, value: int) -> None:
        setattr(instance, self.holder, self.put(getattr(instance, self.holder), value))

    def held_in(self, attribute: str) -> Self:
        """Return this field for a class that holds the word in that attribute."""
        found = copy(self)
        found.holder = attribute
        return found

    def of(self, word: int) -> int:
        """Return the value of the field in a word."""
        value = word >> self.low & self.mask
        return value - self.mask - 1 if self.signed and value >> (self.width - 1) else value

    def text_of(self, value: int) -> str:
        """Return the name or spelling of a value, or its number if it has neither."""
        if self.spell is not None:
            return self.spell(value) or str(value)
        member = member_of(self.enum, value) if self.enum else None
        return str(value) if member is None else member.name

    def value_of(self, text: str) -> int | None:
        """Return the value with that name or spelling, or None."""
        if self.spell is None:
            return self.enum.__members__.get(text) if self.enum else None
        if self.spelled is None:
            self.spelled = {self.spell(value): value for value in range(self.mask, -1, -1)}
        return self.spelled.get(text)

    def put(self, word: int, value: int) -> int:
        """Return the word with the field set to `value`; EncodeError if it does not fit."""
        low, high = (-(self.mask >> 1) - 1, self.mask >> 1) if self.signed else (0, self.mask)
        try:
            fits = low <= value <= high
        except TypeError:
            fits = False
        if not fits:
            raise EncodeError(
                f"expected {low} to {high} ({self.width} bits), got {value!r:.40}", path=self.name
            )
        return word & ~(self.mask << self.low) | (value & self.mask) << self.low


class Word:
    """A word of `WIDTH` bits with named fields, which subclasses declare as class attributes."""

    __slots__ = ("word",)
    WIDTH: ClassVar[int] = 32
    FIELDS: ClassVar[tuple[Bits, ...]] = ()
    BY_NAME: ClassVar[dict[str, Bits]] = {}

    def __init__(self, word: int = 0, **values: int) -> None:
        self.word = word
        for name, value in values.items():
            if not isinstance(getattr(type(self), name, None), Bits):
                known = ", ".join(f.name for f in self.FIELDS)
                problem = f"{type(self).__name__} has no field {name!r}"
                raise UsageError(f"{problem}: expected one of {known}")
            setattr(self, name, value)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = {f.name: f for f in cls.FIELDS}
        found |= {name: f for name, f in vars(cls).items() if isinstance(f, Bits)}
        cls.FIELDS = tuple(sorted(found.values(), key=lambda f: f.low))
        cls.BY_NAME = {f.name: f for f in cls.FIELDS}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and other.word == self.word

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={f.of(self.word)}" for f in self.FIELDS if f.of(self.word))
        return f"{type(self).__name__}(0x{self.word:08x}: {shown})"

    @classmethod
    def named_mask(cls) -> int:
        """Return the mask of all fields."""
        mask = 0
        for f in cls.FIELDS:
            mask |= f.mask << f.low
        return mask

    def items(self) -> Iterator[tuple[Bits, int]]:
        """Iterate over the fields and their values."""

        for f in self.FIELDS:
            yield f, f.of(self.word)
