"""Linking of objects into a SHBIN: their code is concatenated, and targets and labels relocated.

    object a    code 0 … 9     descriptors 0 … 3     label f at 4
    object b    code 0 … 5     descriptors 0 … 2     call f                   (undefined there)
    SHBIN       a 0 … 9, b 10 … 15      equal descriptors once      call 4

Each object with outputs becomes an executable that starts at its first word. An object without
outputs is a library: an executable that refers to one of its labels takes over its constants,
uniforms and labels.

An undefined label refers to the code of another object: its offset is past the end of the code,
such as 0xffffffff. Relocations list the words that refer to it; their first unknown word is taken
as the number of the label. Undefined labels follow unshade's interpretation, since no object with
one is known.

Source: 3dbrew and GBATEK for the tables; the vendor's linker is not known.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from ...dialect import only_options
from ...errors import UsageError
from ...tuples import NamedTuple
from .program import CodePiece, merge
from .records import Dvlb, Dvle, Dvlp, Dvoj, Label
from .shader import Shbin

if TYPE_CHECKING:
    from .dvoj import DvojShader


class PlacedObject(NamedTuple):
    """An object, and the word at which its code begins."""

    record: Dvoj
    base: int


def link(objects: "Sequence[DvojShader]", **options: Any) -> Shbin:
    """Return the SHBIN of these objects, with the executables in their order.

    Raises:
        UsageError: A symbol is undefined or defined twice, two objects use a register differently,
            or no object has outputs.
    """
    only_options("linking", options)
    base = 0
    placed = []
    for each in objects:
        each.to_bytes()  # writes edits of the program into the record
        placed.append(PlacedObject(each.record, base))
        base += len(each.record.code)
    linker = _Linker(placed)
    code, descriptors = merge([linker.piece(each) for each in placed])
    dvles = [linker.executable(each) for each in placed if each.record.outputs]
    names = dict.fromkeys(line.file for each in placed for line in each.record.lines)
    version = placed[0].record.version if placed else 0
    dvlp = Dvlp(version=version, code=code, descriptors=descriptors, symbols=list(names))
    if not dvles:
        raise UsageError("expected an object with outputs, got none")
    return Shbin(Dvlb(dvlp=dvlp, dvles=dvles))


class _Linker:
    def __init__(self, placed: Sequence[PlacedObject]) -> None:
        self.placed = placed
        self.symbols = self._symbols()

    def _symbols(self) -> dict[str, tuple[PlacedObject, Label]]:
        """Return the defined labels by name; names defined in two objects go to `twice`."""
        found: dict[str, tuple[PlacedObject, Label]] = {}
        twice: set[str] = set()
        for each in self.placed:
            for label in each.record.labels:
                if label.offset <= len(each.record.code):
                    if label.symbol in found and found[label.symbol][0] is not each:
                        twice.add(label.symbol)
                    found.setdefault(label.symbol, (each, label))
        self.twice = twice
        return found

    # -- code --------------------------------------------------------------------------------

    def piece(self, each: PlacedObject) -> CodePiece:
        """Return the code of an object, with its targets in other objects."""
        return CodePiece(each.record.code, each.record.descriptors, self._outside(each))

    def _outside(self, each: PlacedObject) -> dict[int, int]:
        """Return the targets in other objects, by word of this object."""
        labels = {label.id: label for label in each.record.labels if _undefined(each, label)}
        found = {}
        for row in each.record.relocations:
            label = labels.get(row.unknown_4)
            if label is not None:
                other, place = self._resolved(label.symbol)
                found[row.offset] = other.base + place.offset
        return found

    def _resolved(self, symbol: str) -> tuple[PlacedObject, Label]:
        if symbol in self.twice:
            raise UsageError(f"duplicate symbol {symbol!r}")
        if symbol not in self.symbols:
            raise UsageError(f"undefined symbol {symbol!r}")
        return self.symbols[symbol]

    # -- executables -------------------------------------------------------------------------

    def executable(self, each: PlacedObject) -> Dvle:
        """Return the DVLE of an object, with the tables of the objects that it calls."""
        record = each.record
        found = Dvle(
            version=record.version,
            type=record.type,
            flags=record.flags,
            main=each.base,
            end=each.base + len(record.code),
            input_mask=record.input_mask,
            output_mask=record.output_mask,
            outputs=deepcopy(record.outputs),
        )
        for other in self._needed(each):
            self._take(found, other)
        found.uniforms.sort(key=lambda row: row.start)
        return found

    def _needed(self, each: PlacedObject) -> list[PlacedObject]:
        """Return the object itself and all that it calls, directly or indirectly."""
        found = [each]
        for one in found:
            for label in one.record.labels:
                if _undefined(one, label):
                    other, _ = self._resolved(label.symbol)
                    if not any(other is known for known in found):
                        found.append(other)
        return found

    def _take(self, found: Dvle, other: PlacedObject) -> None:
        for constant in deepcopy(other.record.constants):
            same = [c for c in found.constants if (c.type, c.id) == (constant.type, constant.id)]
            if any(c.data != constant.data for c in same):
                raise UsageError(
                    f"two objects have different values for constant {constant.id}"
                    f" of type {constant.type}"
                )
            if not same:
                found.constants.append(constant)
        for uniform in deepcopy(other.record.uniforms):
            for known in found.uniforms:
                shared = known.start <= uniform.end and uniform.start <= known.end
                if known != uniform and (shared or known.symbol == uniform.symbol):
                    raise UsageError(
                        f"uniforms {known.symbol!r} and {uniform.symbol!r} of two objects"
                        " share a register or a name, but differ"
                    )
            if uniform not in found.uniforms:
                found.uniforms.append(uniform)
        for label in deepcopy(other.record.labels):
            if not _undefined(other, label):
                label.offset += other.base
                label.id = len(found.labels)
                found.labels.append(label)


def _undefined(each: PlacedObject, label: Label) -> bool:
    return label.offset > len(each.record.code)
