"""What operations do that are not pure: memories, ports, variables, quads, how lanes leave."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...ir.kernel import Value
from ...ir.ops import OPS, Op
from .lanes import Lanes, Party
from .waves import wave

if TYPE_CHECKING:
    from .engine import Block

Effect = Callable[["Block", Value, Party, list[Lanes]], Lanes]


def _selected(found: Lanes, party: Party) -> Lanes:
    """Of an array over the block what the party has."""
    if not np.ndim(found) or party.outer is None:
        return found
    return found[party.positions()]


def _source(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    return _selected(block.source(value.attr), party)


def _input(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    given = block.launch.inputs[value.attr.key]
    return _selected(given[block.first : block.first + block.count], party)


def _output(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    lanes = block.acting(party)
    given = args[0]
    written = given[lanes] if np.ndim(given) else given
    block.launch.outputs[value.attr.key][party.positions()[lanes] + block.first] = written
    return None


def _get(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    return party.get(value.attr)


def _set(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    party.set(value.attr, args[0])
    return None


def _load(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    store = block.stores[value.attr]
    return store.load(args[0], args[1], value.type, party.positions(), party.alive)


def _store(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    store = block.stores[value.attr]
    which = block.writing(party, value.attr)
    store.store(args[0], args[1], args[2], party.positions(), which)
    return None


def _count(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    return np.uint32(block.stores[value.attr].count & 0xFFFF_FFFF)


def _atomic(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    store = block.stores[value.attr]
    operands = args[0], args[1]
    lanes = party.positions()
    which = block.writing(party, value.attr)
    flush = block.kernel.flush
    return store.atomic(value.op, operands, tuple(args[2:]), lanes, which, flush)


def _quad_swap(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    """The partner's value; a lane's own where its partner is not here."""
    given = args[0]
    if not np.ndim(given):
        return given
    row, lane = block.wave_of(party.positions())
    places = row * block.kernel.wave + lane
    where = np.full((int(row.max(initial=0)) + 1) * block.kernel.wave, -1, np.int64)
    alive = np.arange(party.count) if party.alive is None else np.flatnonzero(party.alive)
    where[places[alive]] = alive
    partner = where[places ^ value.attr]
    return np.where(partner >= 0, given[partner], given)


def _discard(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    condition = np.broadcast_to(args[0], (party.count,))
    block.killed[party.positions()[party.where(condition)]] = True
    return None


def _is_helper(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    return _selected(block.killed.copy(), party)


def _nothing(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    return None


def _leave(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    block.leave(value, party)
    return None


def _return(block: "Block", value: Value, party: Party, args: list[Lanes]) -> Lanes:
    party.leave(None, hand_over=False)
    return None


EFFECTS: dict[Op, Effect] = {
    OPS.source: _source,
    OPS.input: _input,
    OPS.output: _output,
    OPS.get: _get,
    OPS.set: _set,
    OPS.load: _load,
    OPS.store: _store,
    OPS.count: _count,
    OPS.quad_swap: _quad_swap,
    OPS.discard: _discard,
    **{op: wave for op in OPS if op.attribute == "wave"},
    OPS.is_helper: _is_helper,
    OPS.barrier: _nothing,
    OPS.message: _nothing,
    OPS.break_: _leave,
    OPS.continue_: _leave,
    OPS.exit: _leave,
    OPS.return_: _return,
    **{op: _atomic for op in OPS if op.atomic},
}
