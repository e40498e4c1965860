"""Tables of a shader's external interfaces: its root signature, its class interfaces."""

from collections.abc import Iterator

from ..model.reflection import Interfaces, Reflection
from ..model.rootsignature import RootParameter, RootRange, RootSignature, StaticSampler
from ..model.rootsignature_rules import LETTERS
from .blocks import Block, Cell, TableBlock
from .text import many, visible

WORDS = 64  # that a root signature may take


def linkage(found: Reflection) -> Iterator[Block]:
    """Yield the tables that a shader has data for."""
    if found.root_signature is not None:
        yield from root_signature(found.root_signature)
    if found.interfaces is not None:
        yield from interfaces(found.interfaces)


def root_signature(found: RootSignature) -> Iterator[Block]:
    """Yield the parameters, with the ranges of each table, and the static samplers."""
    if found.parameters:
        cost = sum(each.cost for each in found.parameters)
        rows: list[list[Cell]] = []
        for number, each in enumerate(found.parameters):
            rows.append(
                [str(number), (each.kind, "name"), (_held(each), "key"), each.visibility,
                 (str(each.cost), "number"), ", ".join(each.flags)]
            )  # fmt: skip
            for part in each.ranges:
                rows.append(
                    ["", f"  {part.kind}", (_range(part), "key"), "", "", ", ".join(part.flags)]
                )
        yield TableBlock(
            f"Root parameters, {cost} of {WORDS} words",
            (">", "kind", "registers", "visible to", ">words", ""),
            rows,
        )
    if found.samplers:
        yield TableBlock(
            "Static samplers",
            ("slot", "visible to", "filter", "addressing", ""),
            [_sampler(each) for each in found.samplers],
        )


def _registers(kind: str, first: int, count: int | None, space: int | None) -> str:
    letter = LETTERS.get(kind, "")
    last = "..." if count is None else f"-{letter}{first + count - 1}" if count > 1 else ""
    return f"{letter}{first}{last}" + (f" space{space}" if space else "")


def _held(each: RootParameter) -> str:
    if each.register is None:
        return ""
    register = _registers(each.kind, each.register, 1, each.space)
    return register if each.count is None else f"{register}, {each.count} x 32 bits"


def _range(part: RootRange) -> str:
    return _registers(part.kind, part.register, part.count, part.space)


def _sampler(each: StaticSampler) -> list[Cell]:
    more = [f"compares {each.comparison}"] if each.filter.startswith("comparison") else []
    more += [f"bias {each.mip_lod_bias:g}"] if each.mip_lod_bias else []
    more += [f"at most {each.max_anisotropy} x"] if "anisotropic" in each.filter else []
    more += [f"border {each.border_color}"] if "border" in each.address else []
    more += each.flags
    return [
        (_registers("sampler", each.register, 1, each.space), "key"),
        each.visibility,
        each.filter,
        "/".join(each.address[:1] if len(set(each.address)) == 1 else each.address),
        ", ".join(more),
    ]


def interfaces(found: Interfaces) -> Iterator[Block]:
    """Return the classes that each interface slot accepts, and the instances."""
    names = {each.id: each.name for each in found.classes}

    def named(number: int) -> str:
        return visible(names.get(number, f"class {number}"))

    yield TableBlock(
        f"Interfaces, {many(found.slot_count, 'slot')}",
        ("slot", "function tables", "classes"),
        [
            [
                (_run(slot.start, slot.span), "key"),
                ", ".join(map(str, slot.tables)),
                ", ".join(map(named, slot.class_ids)),
            ]
            for slot in found.slots
        ],
    )
    if found.instances:
        yield TableBlock(
            "Instances",
            ("name", "class"),
            [
                [
                    (
                        visible(each.name) + (f"[{each.elements}]" if each.elements > 1 else ""),
                        "name",
                    ),
                    named(each.class_id),
                ]
                for each in found.instances
            ],
        )


def _run(first: int, count: int) -> str:
    return str(first) if count < 2 else f"{first}-{first + count - 1}"
