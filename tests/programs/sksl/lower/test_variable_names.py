"""Variables in traces: their function, type and name in the source."""

from typing import Any

import unshade

TEXT = """
uniform half4 base;
half4 shade(half4 c, float k) {
    half4 r = c * half(k);
    if (k > 0.5) { r.x = 2; }
    return r + c;
}
half4 main(float2 p) {
    float table[20];
    int last = int(p.x);
    for (int i = 0; i < 20; ++i) { table[i] = p.y; }
    bool half_way = p.y > 0.5;
    return shade(base, p.x * 2) + half(table[7]) + half(half_way) + half(last);
}
"""


def debugger() -> Any:
    shader = unshade.assemble(TEXT, "sksl")
    found = unshade.kernel(shader).debug((2, 1))
    found.shade((4, 4), base=(1, 0.5, 0.25, 1))
    return found


def watched(found: Any, name: str) -> set[tuple[str, str, str]]:
    found.check_name(name)
    return {(each.label, each.type, each.kind) for _, each in found.trace.watch(name)}


def test_a_variable_is_called_by_its_function() -> None:
    found = debugger()
    assert watched(found, "last") == {("main::last", "int", "int")}
    assert watched(found, "main::half_way") == {("main::half_way", "bool", "bool")}
    assert watched(found, "table[2]") == {("main::table[2]", "float[20]", "float")}


def test_a_variable_of_an_inlined_function_has_its_name_in_the_source() -> None:
    """The compiler calls it _1_k; its function is not known any more."""
    assert watched(debugger(), "k") == {("k", "float", "float")}


def test_the_name_is_printed_once() -> None:
    found = debugger()
    labels = {each.name: each.other_label for _, each in found.trace.watch("last")}
    assert labels == {"last": ""}
    assert {each.other_label for _, each in found.trace.watch("k")} == {"k"}
