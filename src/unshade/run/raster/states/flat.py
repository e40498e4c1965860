"""The states of a draw from fields in one mapping, as on the command line.

    depth_bias=4           rasterizer       depth_bias
    depth_func=always      depth_stencil    depth_func
    pass_op=incr           depth_stencil    front_face.pass_op, and so of both faces
    back_face.ref=3        depth_stencil    back_face.ref
    src_blend=one          blend            of all targets
    targets.1.blend_op=max blend            of the second target

A field is found by its name in either API, first in the states, then in their parts.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ....errors import UsageError
from ...binding.suggestions import suggestion
from .blend import MOST_TARGETS, PRESETS, Blend, BlendState
from .depth_stencil import DepthStencilState, StencilFace
from .fields import field_of, names_of
from .rasterizer import RasterizerState
from .words import plain

STATES = {"rasterizer": RasterizerState, "depth_stencil": DepthStencilState, "blend": BlendState}

__all__ = ["states_of"]


def states_of(given: Mapping[str, Any], blend: str | None = None) -> dict[str, dict[str, Any]]:
    """Return mappings of fields by the name of their state; the states that are given.

    `blend` is a preset, which fields of blending change.
    """
    found: dict[str, dict[str, Any]] = {}
    every: dict[str, Any] = {} if blend is None else asdict(PRESETS[blend])
    own: dict[int, dict[str, Any]] = {}
    for name, value in given.items():
        head, dot, rest = name.partition(".")
        state = next((each for each, kind in STATES.items() if field_of(kind, head)), None)
        field = field_of(STATES[state], head) if state is not None else None
        if state is not None and not dot:
            found.setdefault(state, {})[str(field)] = value
        elif field in ("front_face", "back_face") and field_of(StencilFace, rest):
            face = found.setdefault("depth_stencil", {}).setdefault(str(field), {})
            face[str(field_of(StencilFace, rest))] = value
        elif field == "targets" and field_of(Blend, rest.partition(".")[2]):
            number, _, last = rest.partition(".")
            if not number.isdigit() or int(number) >= MOST_TARGETS:
                raise UsageError(f"{name}: expected targets.0 to targets.{MOST_TARGETS - 1}")
            own.setdefault(int(number), {})[str(field_of(Blend, last))] = value
        elif not dot and field_of(Blend, head):
            every[str(field_of(Blend, head))] = value
        elif not dot and field_of(StencilFace, head):
            face = found.setdefault("depth_stencil", {}).setdefault("front_face", {})
            face[str(field_of(StencilFace, head))] = value
        else:
            known = [x for kind in (*STATES.values(), Blend, StencilFace) for x in names_of(kind)]
            close = suggestion(name, known) if plain(name) else ""
            raise UsageError(f"unknown field of a state {name!r:.60}{close}")
    if own:
        several = range(max(own) + 1)
        found.setdefault("blend", {})["targets"] = [{**every, **own.get(x, {})} for x in several]
    elif every:
        found.setdefault("blend", {}).setdefault("targets", [every])
    return found
