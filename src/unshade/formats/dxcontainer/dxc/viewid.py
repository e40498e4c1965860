"""ViewID state of a listing: which outputs depend on the view and on which inputs.

    ; Number of inputs: 4, outputs: 8
    ; Outputs dependent on ViewId: { 4, 5 }
    ; Inputs contributing to computation of Outputs:
    ;   output 0 depends on inputs: { 0, 1 }

The metadata `dx.viewIdState` is an array of words:

    inputs, then for each stream: outputs, [mask of outputs], a mask of outputs for each input
    then of hull, domain and mesh shaders: patch constants, …

A mask has a bit for each scalar, in words. The first masks exist if the shader reads the view.

Source: listings of dxc; DXC ComputeViewIdState.cpp for the order of words.
"""

from collections.abc import Iterable

from ....errors import FormatError, LimitError
from ....limits import Limits
from ....programs.dxil.code import Code
from ....programs.dxil.shaderinfo.fields import named_nodes
from ....vocab.d3d import ShaderKind
from ..parts.psv0 import PipelineStateValidation, PsvElement

__all__ = ["recorded_words", "view_id_lines", "view_id_words"]

STREAMS = 4
MOST_SCALARS = 4 * 32 * 4


class _Words:
    """Words, read in sequence."""

    def __init__(self, words: list[int]) -> None:
        self.words = words
        self.at = 0

    def number(self) -> int:
        return self.take(1)[0]

    def count(self) -> int:
        found = self.number()
        if found > MOST_SCALARS:
            raise FormatError(
                f"expected at most {MOST_SCALARS} scalars, got {found}", path="dx.viewIdState"
            )
        return found

    def take(self, count: int) -> list[int]:
        found = self.words[self.at : self.at + count]
        if len(found) < count:
            raise FormatError(
                f"expected {self.at + count} words, got {len(self.words)}", path="dx.viewIdState"
            )
        self.at += count
        return found

    def mask(self, outputs: int) -> list[int]:
        """Return the bits set in a mask."""
        words = self.take((outputs + 31) // 32)
        return [bit for bit in range(outputs) if words[bit // 32] >> bit % 32 & 1]

    def table(self, inputs: int, outputs: int) -> dict[int, list[int]]:
        """Return the inputs that each output depends on, in the order of outputs."""
        found: dict[int, list[int]] = {}
        for number in range(inputs):
            for output in self.mask(outputs):
                found.setdefault(output, []).append(number)
        return dict(sorted(found.items()))


def recorded_words(code: Code) -> list[int] | None:
    """Return the words in the metadata of a program; None if it has none.

    Raises:
        FormatError: The metadata is malformed.
    """
    nodes = named_nodes(code.read_module(), "dx.viewIdState")
    return nodes[0].words(0) if nodes else None


def view_id_words(state: PipelineStateValidation) -> list[int]:
    """Return the words equivalent to the masks of PSV0, from version 1 on."""
    inputs = _scalars(state.inputs)
    words = [inputs]
    streams = range(STREAMS if state.stage == ShaderKind.GEOMETRY else 1)
    outputs = [_scalars(each for each in state.outputs if each.stream == at) for at in streams]
    for stream, count in enumerate(outputs):
        words.append(count)
        if state.uses_view_id:
            words += _mask_words(getattr(state, f"view_outputs_{stream}"), count)
        words += _table_words(getattr(state, f"dependencies_{stream}"), inputs, count)
    patch = _scalars(state.patch)
    if state.stage in (ShaderKind.HULL, ShaderKind.MESH):
        words.append(patch)
        if state.uses_view_id:
            words += _mask_words(state.view_patch, patch)
        words += _table_words(state.patch_dependencies, inputs, patch)
    elif state.stage == ShaderKind.DOMAIN:
        words += [patch, *_table_words(state.dependencies_on_patch, patch, outputs[0])]
    return words


def _scalars(elements: Iterable[PsvElement]) -> int:
    """Return the number of components up to the last one."""
    return max(
        (
            4 * (each.start_row + len(each.indices) - 1) + each.mask().bit_length()
            for each in elements
            if each.allocated
        ),
        default=0,
    )


def _mask_words(mask: int, count: int) -> list[int]:
    return [mask >> at & 0xFFFF_FFFF for at in range(0, count, 32)]


def _table_words(table: list[int], inputs: int, outputs: int) -> list[int]:
    masks = [*table, *[0] * inputs][:inputs]
    return [word for mask in masks for word in _mask_words(mask, outputs)]


def _set(numbers: list[int]) -> str:
    return f"{{ {', '.join(map(str, numbers))} }}"


def _view(name: str, numbers: list[int]) -> str:
    return f"; {name} dependent on ViewId: {_set(numbers)}"


def _dependences(inputs: str, outputs: str, table: dict[int, list[int]]) -> list[str]:
    lines = [f"; {inputs} contributing to computation of {outputs}:"]
    for output, numbers in table.items():
        lines.append(f";   output {output} depends on inputs: {_set(numbers)}")
    return lines


def view_id_lines(words: list[int], stage: str, uses_view_id: bool, limits: Limits) -> list[str]:
    """Return the lines for the words of `dx.viewIdState`; `stage` is as in `gs`.

    Raises:
        FormatError: The words are fewer than they declare.
    """
    reader = _Words(words)
    inputs = reader.count()
    outputs: list[int] = []
    views: list[str] = []
    tables: list[str] = []
    for stream in range(STREAMS if stage == "gs" else 1):
        count = reader.count()
        outputs.append(count)
        mask = reader.mask(count) if uses_view_id else []
        table = reader.table(inputs, count)
        if stage != "gs" or count:
            name = f"Outputs for Stream {stream}" if stage == "gs" else "Outputs"
            views.append(_view(name, mask))
            tables += _dependences("Inputs", name, table)
    numbers = f"; Number of inputs: {inputs}"
    if stage == "gs":
        numbers += f", outputs per stream: {{ {', '.join(map(str, outputs))} }}"
    else:
        numbers += f", outputs: {outputs[0]}"
    if stage in ("hs", "ds", "ms"):
        count = reader.count()
        numbers += f", {'primitive outputs' if stage == 'ms' else 'patchconst'}: {count}"
        if stage == "ds":
            tables += _dependences("PCInputs", "Outputs", reader.table(count, outputs[0]))
        else:
            name = "Primitive Outputs" if stage == "ms" else "PCOutputs"
            views.append(_view(name, reader.mask(count) if uses_view_id else []))
            tables += _dependences("Inputs", name, reader.table(inputs, count))
    if len(tables) > limits.members:
        raise LimitError("members", limits.members, len(tables))
    return [";", "; ViewId state:", ";", numbers, *views, *tables, ";"]
