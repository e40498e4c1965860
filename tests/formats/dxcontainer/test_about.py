"""about.py, which repeats names so that help needs no import, agrees with the code."""

from unshade.formats.dxcontainer.about import DXCONTAINER
from unshade.formats.dxcontainer.fxc.listing.generation import GENERATIONS
from unshade.programs.tpf.text.literals import Library


def test_listing_choices_match_the_code() -> None:
    choices = {each.name: each.choices for each in DXCONTAINER.listing}
    assert choices == {
        "generation": tuple(GENERATIONS),
        "library": tuple(each.name.lower() for each in Library),
    }
