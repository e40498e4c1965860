"""Many magics are found at once, at the places where `bytes.find` finds them."""

import random

import pytest

from unshade.scanning import Magics, MagicScanner, passes


def places(data: bytes, magics: tuple[bytes, ...]) -> list[tuple[int, bytes]]:
    scanner, found, at = MagicScanner(data, Magics([(each, each) for each in magics])), [], 0
    while (place := scanner.next(at)) is not None:
        found += [(place[0], each) for each in place[1]]
        at = place[0] + 1
    return found


@pytest.mark.parametrize("seed", range(20))
def test_all_places_of_magics(seed: int) -> None:
    chance = random.Random(seed)
    letters = b"AB\0\xff\n.*"
    magics = tuple({bytes(chance.choices(letters, k=chance.randint(2, 5))) for _ in range(6)})
    magics = tuple(m for m in magics if not any(m != n and n.startswith(m) for n in magics))
    data = bytes(chance.choices(letters, k=500))
    wanted = [
        (at, magic) for at in range(len(data)) for magic in magics if data.startswith(magic, at)
    ]
    assert sorted(places(data, magics)) == sorted(wanted)


def test_magics_that_share_a_letter_share_a_pass() -> None:
    assert len(passes((b"DXBC", b"VBC", b"BC\xc0\xde"))) == 1
    assert len(passes((b"ab", b"cd"))) == 2


def test_two_meanings_of_one_magic() -> None:
    assert MagicScanner(b"xAB", Magics([(b"AB", 1), (b"AB", 2)])).next(0) == (1, [1, 2])
    assert MagicScanner(b"xAB", Magics([(b"AB", 1)])).next(2) is None
    assert MagicScanner(b"", Magics([(b"AB", 1)])).next(0) is None


def test_a_pattern_matches_magics_alone() -> None:
    """Letters behind a shared letter that are no magic are left out by the pattern itself."""
    (only,) = passes((b"VKS\1", b"ABCS\2", b"S\3\4"))
    data = b"S\1 S\2 S\3 BCS\2 " * 100 + b"VKS\1 ABCS\2 S\3\4"
    assert len(only.pattern.findall(data)) == 3


def test_magics_that_overlap_are_found_in_the_order_of_their_places() -> None:
    assert places(b"..xyzAB.", (b"xyzA", b"AB")) == [(2, b"xyzA"), (5, b"AB")]
    assert places(b".ABxyzA.", (b"BxyzA", b"AB")) == [(1, b"AB"), (2, b"BxyzA")]


def test_the_least_of_the_magics_at_one_place_is_found() -> None:
    """Also at the start, where no pass is made."""
    magics = Magics([(b"ABC", 1), (b"AB", 2)])
    assert MagicScanner(b"ABC", magics).next(0) == (0, [2])
    assert MagicScanner(b"xABC", magics).next(0) == (1, [2])
    assert MagicScanner(b"xABC", magics).next(1) == (1, [2])
