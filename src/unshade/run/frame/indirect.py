"""Draws and dispatches whose arguments are in a buffer, and counters that are written to one.

indirect: {buffer: culled, draws: 100, count: visible}    D3D12's ExecuteIndirect,
                                                          vkCmdDrawIndirectCount
query: {query: sun, buffer: results, offset: 8}           ResolveQueryData,
                                                          vkCmdCopyQueryPoolResults
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...vm.launch import Array
from ..binding.suggestions import suggestion
from ..raster.geometry.draw_arguments import (
    GROUPS,
    INDEXED,
    PLAIN,
    DrawArguments,
    dispatch_arguments,
)
from ..raster.statistics import PipelineStatistics
from .description import Indirect, QueryCopy

MOST_VERTICES = 20_000_000
MOST_GROUPS = 65535  # along an axis, in both APIs
BITS = (32, 64)
Buffers = Callable[[str], Array]


@dataclass(frozen=True, slots=True)
class DrawPart:
    """One draw of a command: its vertices or thread groups, and which of them are drawn."""

    vertices: Any
    arguments: DrawArguments | None = None


def indirect_draws(given: Indirect, buffers: Buffers, indexed: bool) -> Iterator[DrawArguments]:
    """Yield the arguments of each draw in a buffer, except draws of nothing."""
    buffer = buffers(given.buffer)
    for number, offset in _offsets(given, buffers, (INDEXED if indexed else PLAIN).size):
        found = DrawArguments.read(buffer, offset, indexed=indexed, draw_index=number)
        if found.count and found.instance_count:
            check_count(found.count, found.instance_count)
            yield found


def indirect_groups(given: Indirect, buffers: Buffers) -> Iterator[tuple[int, int, int]]:
    """Yield the thread groups of each dispatch in a buffer."""
    buffer = buffers(given.buffer)
    for _, offset in _offsets(given, buffers, GROUPS.size):
        found = dispatch_arguments(buffer, offset)
        if max(found) > MOST_GROUPS:
            raise UsageError(f"indirect: expected at most {MOST_GROUPS} groups, got {max(found)}")
        yield found


def check_count(count: int, instances: int) -> None:
    """Raise UsageError for more vertices than a draw may have."""
    if not 0 < count * instances <= MOST_VERTICES:
        words = f"{count:,}" if instances == 1 else f"{count:,} for each of {instances:,} instances"
        raise UsageError(f"count: expected 1 to {MOST_VERTICES:,}, got {words}")


def copy_query(queries: Mapping[str, PipelineStatistics], given: QueryCopy, buffer: Array) -> None:
    """Write a counter of a query to a buffer."""
    if given.query not in queries:
        raise UsageError(f"no query {given.query!r:.60}{suggestion(given.query, list(queries))}")
    counters = queries[given.query].document()
    if given.counter not in counters:
        hint = suggestion(given.counter, list(counters))
        raise UsageError(f"no counter {given.counter!r:.60}{hint}")
    if given.bits not in BITS:
        raise UsageError(f"query.bits: expected 32 or 64, got {given.bits}")
    size = given.bits // 8
    place = buffer.reshape(-1).view(np.uint8)
    if not 0 <= given.offset <= len(place) - size:
        raise UsageError(
            f"query: expected {size} bytes at offset {given.offset}, got a buffer of {len(place)}"
        )
    number = min(counters[given.counter], (1 << given.bits) - 1)
    place[given.offset : given.offset + size] = list(number.to_bytes(size, "little"))


def _offsets(given: Indirect, buffers: Buffers, size: int) -> Iterator[tuple[int, int]]:
    """Yield the number and the offset of each structure of arguments in a buffer."""
    stride = size if given.stride is None else given.stride
    if stride < size or given.draws < 0:
        raise UsageError(
            f"indirect: expected a stride of at least {size} and draws of at least 0, got {stride}"
            f" and {given.draws}"
        )
    count = given.draws
    if given.count is not None:
        held = buffers(given.count).reshape(-1).view(np.uint8)
        if not 0 <= given.count_offset <= len(held) - 4:
            raise UsageError(
                f"indirect: expected 4 bytes at count_offset {given.count_offset}, got a buffer of"
                f" {len(held)}"
            )
        word = held[given.count_offset : given.count_offset + 4].tobytes()
        count = min(count, int.from_bytes(word, "little"))
    for number in range(count):
        yield number, given.offset + number * stride
