"""A damaged YAML text is read, or refused with an error of our own."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.sampling import fewer
from unshade import UnshadeError


@settings(max_examples=fewer(300), deadline=None)
@given(st.data())
def test_damaged_text_is_refused_or_read(data: st.DataObject) -> None:
    text = unshade.to_yaml(unshade.loads(blog.build()))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(at + 20, len(text))))
        text = text[:at] + data.draw(st.text(max_size=8)) + text[end:]
    with suppress(UnshadeError):
        unshade.from_yaml(text).to_bytes()
