"""Lines of a listing keep the paths of their fields."""

import pickle

from unshade.isa.linked import LinkedLine, paths_of, relinked

LINE = LinkedLine("add r0, r1, r2", "code[3]", "descriptors[1]")


def test_a_linked_line_is_its_text() -> None:
    assert "\n".join(["main:", LINE]) == "main:\nadd r0, r1, r2"
    assert LINE == "add r0, r1, r2"


def test_text_before_a_line_keeps_its_paths() -> None:
    indented = "\t" + LINE
    assert indented == "\tadd r0, r1, r2"
    assert paths_of([indented, "end"]) == [("code[3]", "descriptors[1]"), ()]


def test_paths_can_be_put_below_another_path() -> None:
    lines = relinked(["main:", LINE], lambda path: f"DVLP.{path}")
    assert paths_of(lines) == [(), ("DVLP.code[3]", "DVLP.descriptors[1]")]
    assert lines == ["main:", "add r0, r1, r2"]


def test_a_linked_line_is_pickled_with_its_paths() -> None:
    again = pickle.loads(pickle.dumps(LINE))
    assert (again, again.paths) == (LINE, LINE.paths)
