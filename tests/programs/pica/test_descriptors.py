"""Operand descriptors: bits, letters, equality."""

from __future__ import annotations

from unshade.programs.pica import OperandDescriptor
from unshade.programs.pica.descriptors import mask_letters, swizzle_components, swizzle_letters


def test_bits() -> None:
    """x is the highest bit of the mask, and of each swizzle."""
    found = OperandDescriptor(0x1000_0000 | 1 << 22 | 0x1B << 5 | 8)
    assert mask_letters(found.mask) == "x"
    assert [swizzle_letters(each) for each in found.swizzles] == ["xyzw", "xxxx", "xzxx"]
    assert found.negates == (0, 0, 1)
    assert swizzle_components(0b00_01_10_11) == (0, 1, 2, 3)
    assert swizzle_components(0b11_00_01_01) == (3, 0, 1, 1)
    assert OperandDescriptor(neg1=1, neg2=1).word == 1 << 4 | 1 << 13
    assert OperandDescriptor.named_mask() == 0xFFFF_FFFF


def test_equality_sees_the_second_word() -> None:
    assert OperandDescriptor(5, 0xF) != OperandDescriptor(5)
    assert OperandDescriptor(5, 0xF) == OperandDescriptor(5, 0xF)
    assert OperandDescriptor(5, 0xF).encode() == (5, 0xF)


def test_repr() -> None:
    found = OperandDescriptor(mask=0b1100, swz1=0x1B, neg2=1, high=0xF)
    assert repr(found) == "<OperandDescriptor xy, xyzw, -xxxx, xxxx, high=0xf>"
