"""One of several by a number, on lanes that choose differently."""

from tests.vm.engines import same, words
from unshade.ir.builder import Builder
from unshade.ir.choices import each_of, one_of
from unshade.ir.kernel import Kernel, Value
from unshade.ir.memory import Space
from unshade.ir.printing import print_kernel
from unshade.ir.verify import check


def test_each_lane_does_what_its_number_says() -> None:
    b = Builder(Kernel(group=(5, 1, 1)))
    own = b.source("thread_id_in_group_flattened")
    memories = [b.memory(f"u{number}", Space.BUFFER, 4, writable=True) for number in range(4)]
    each_of(b, own, (1, 3), lambda number: b.store(memories[number], own, 0, b.i32(number)))
    left = same(print_kernel(check(b.kernel)), {each.name: words(*[9] * 5) for each in memories})
    assert left == {
        "u0": words(9, 9, 9, 9, 9),
        "u1": words(9, 1, 9, 9, 9),
        "u2": words(9, 9, 9, 9, 9),
        "u3": words(9, 9, 9, 3, 9),
    }


def test_a_value_for_each_number_and_one_for_all_others() -> None:
    b = Builder(Kernel(group=(5, 1, 1)))
    own = b.source("thread_id_in_group_flattened")
    out = b.memory("u0", Space.BUFFER, 4, writable=True)

    def make(number: int) -> Value:
        return b.iadd(own, 10 * number)

    first = one_of(b, own, (1, 4), make, b.i32(-1))
    second = one_of(b, b.isub(own, 1), (1, 3), make, first)  # its name is another variable's
    b.store(out, own, 0, second)
    left = same(print_kernel(check(b.kernel)), {"u0": words(*[0] * 5)})
    assert left["u0"] == words(-1, 11, 12, -1, 34)
