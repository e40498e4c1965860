"""Reader of the `.shader_test` files of vkd3d and Wine: sources, resources, and what is expected.

    [require]            shader model >= 4.0
    [pixel shader]       float4 main(float4 u : position) : sv_target …
    [srv 0]              size (2d, 2, 2)    0.1 0.2 0.3 0.4 …
    [test]               uniform 0 float4 1 2 3 4 | draw quad | probe (0, 0) rgba (1, 2, 3, 4) 1

Conditions such as `if(sm<4)` are asked for one shader model; words other than `sm` name drivers and
are false. What is not understood is a ScriptError.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

HEAD = re.compile(r"^\[([^\]]*)\]\s*$")
STAGES = ("vertex", "hull", "domain", "geometry", "pixel", "compute")
FORMATS = {  # the type of a component, and the number of components
    "r32g32b32a32-float": ("<f4", 4), "r32g32b32a32-sint": ("<i4", 4),
    "r32g32b32a32-uint": ("<u4", 4), "r32g32-float": ("<f4", 2), "r32g32-sint": ("<i4", 2),
    "r32g32-uint": ("<u4", 2), "r32-float-shadow": ("<f4", 1), "r32-float": ("<f4", 1),
    "r32-sint": ("<i4", 1), "r32-uint": ("<u4", 1), "r32-typeless": ("<u4", 1),
    "unknown": ("<u4", 0),
}  # fmt: skip
BUFFERS = ("buffer", "raw_buffer", "counter_buffer")
MARK = re.compile(r"\s*(todo|bug|if)\b\s*(?:\(([^)]*)\))?\s*")
COMPARED = re.compile(r"\b([a-z]\w*)\s*(>=|<)\s*([0-9.]+)")


class ScriptError(Exception):
    """A script that this reader does not understand."""


@dataclass
class Section:
    """A part of a script: its head without brackets, its first line, and its lines."""

    head: list[str]
    number: int
    lines: list[tuple[int, str]] = field(default_factory=list)

    def words(self) -> Iterator[list[str]]:
        """Yield the words of each line."""
        for _, line in self.lines:
            yield line.split()

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(line for _, line in self.lines)


def sections_of(path: Path) -> list[Section]:
    """Return the sections of a script, without comments and blank lines outside of sources."""
    found: list[Section] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        head = HEAD.match(line)
        if head is not None:
            found.append(Section(head[1].split(), number))
        elif found and line.startswith("%"):
            found[-1].lines += [(number, "")] if "shader" in found[-1].head else []
        elif found and (line.strip() or "shader" in found[-1].head):
            found[-1].lines.append((number, line))
    return found


def holds(condition: str, model: float) -> bool:
    """Return whether a condition holds: `sm>=4 & sm<6`, `msl | glsl`."""

    def term(text: str) -> bool:
        text = text.strip()
        if text.startswith("!"):
            return not term(text[1:])
        found = COMPARED.fullmatch(text)
        if found is None or found[1] != "sm":
            return False
        return model >= float(found[3]) if found[2] == ">=" else model < float(found[3])

    return any(all(map(term, each.split("&"))) for each in condition.split("|"))


def command_of(line: str, model: float) -> tuple[str, bool] | None:
    """Return a line of a test without its marks, and whether vkd3d is known to fail it.

    None for a line of other shader models.
    """
    known = False
    while (mark := MARK.match(line)) is not None and (mark[1] != "if" or mark[2] is not None):
        applies = mark[2] is None or holds(mark[2], model)
        if mark[1] == "if" and not applies:
            return None
        known |= mark[1] != "if" and applies
        line = line[mark.end() :]
    return line.strip(), known


def fails(section: Section, model: float) -> bool:
    """Return whether a source is expected not to compile, or is no source."""
    rest = " ".join(section.head[2:])
    if "hex" in rest:
        return True
    found = re.search(r"(?:fail|notimpl)(?:\(([^)]*)\))?", rest)
    return found is not None and (found[1] is None or holds(found[1], model))


@dataclass
class Requirements:
    """The shader models that a script is for, and options of the compiler."""

    least: float = 0.0
    below: float = 9.0
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, section: Section) -> "Requirements":
        found = cls()
        for _, line in section.lines:
            model = re.match(r"\s*shader model (>=|<) ([0-9.]+)", line)
            if model is not None and model[1] == ">=":
                found.least = max(found.least, float(model[2]))
            elif model is not None:
                found.below = min(found.below, float(model[2]))
            elif line.startswith("options:"):
                found.options = (*line.split()[1:],)
        return found


@dataclass
class ScriptResource:
    """A buffer or texture: `kind` is srv, uav, rtv, vb or dsv, `array` its words or texels."""

    kind: str
    slot: int
    format: str = "r32g32b32a32-float"
    dimension: str = ""
    size: list[int] = field(default_factory=list)
    stride: int = 0
    levels: int = 1
    array: Any = None

    @property
    def is_buffer(self) -> bool:
        return self.dimension in BUFFERS

    @property
    def samples(self) -> int:
        return self.size[0] if self.dimension == "2dms" else 0

    @property
    def layers(self) -> int:
        return self.size[2] if self.dimension == "2darray" else 0

    @classmethod
    def of(cls, section: Section) -> "ScriptResource":
        kind = section.head[0]
        found = cls(kind, int(section.head[1]) if len(section.head) > 1 else 0)
        if kind == "dsv":
            found.format = "r32-float"
        words: list[int] = []
        for line in section.words():
            match line[0]:
                case "format":
                    found.format = line[1]
                case "stride":
                    found.stride = int(line[1])
                case "levels":
                    found.levels = int(line[1])
                case "size":
                    inside = " ".join(line).partition("(")[2].partition(")")[0].split(",")
                    found.dimension = inside[0].strip()
                    found.size = [int(each) for each in inside[1:]]
                case _:
                    words += map(_word, line)
        found._fill(np.array(words, "<u4"))
        return found

    def _fill(self, words: Array) -> None:
        dtype, components = FORMATS[self.format]
        if self.kind == "vb":
            self.array = words
            return
        if self.is_buffer:
            bytes_each = self.stride or 4 * max(components, 1)
            bytes_each = 4 if self.dimension == "counter_buffer" else bytes_each
            self.array = _padded(words, self.size[0] * bytes_each // 4)
            return
        if self.dimension not in ("2d", "2dms", "2darray", "3d", "cube"):
            raise ScriptError(f"size ({self.dimension}, …) is not read")
        width, *others = self.size[1:] if self.dimension == "2dms" else self.size
        height = others[0] if others else width
        images = {"2darray": self.layers, "cube": 6}.get(self.dimension, 1)
        at = 0
        levels: list[list[Array]] = [[] for _ in range(self.levels)]
        for _ in range(images):
            for level in range(self.levels):
                shape = [max(1, each >> level) for each in (height, width)]
                shape = [max(1, self.size[2] >> level), *shape] if self.dimension == "3d" else shape
                count = int(np.prod(shape)) * components
                texels = _padded(words[at : at + count], count).view(dtype)
                levels[level].append(texels.reshape(*shape, components))
                at += count
        several = self.dimension in ("2darray", "cube")
        made = [np.stack(each) if several else each[0] for each in levels]
        self.array = made if self.levels > 1 else made[0]
        if self.kind == "dsv":
            self.array = made[0][..., 0]


def _padded(words: Array, count: int) -> Array:
    made = np.zeros(count, "<u4")
    made[: min(count, len(words))] = words[:count]
    return made


def _word(text: str) -> int:
    """Return the bits of a number, which is a float if it has a point."""
    text = text.rstrip(",")
    if "." in text and not text.lower().startswith("0x"):
        return int(struct.unpack("<I", struct.pack("<f", float(text)))[0])
    return int(text, 0) & 0xFFFF_FFFF


UNIFORMS = {  # the type of a number, and how many there are
    "float4": ("<f4", 4), "float": ("<f4", 1), "double2": ("<f8", 2), "int4": ("<i4", 4),
    "uint4": ("<u4", 4), "int": ("<i4", 1), "uint": ("<u4", 1), "int64_t2": ("<i8", 2),
    "uint64_t2": ("<u8", 2),
}  # fmt: skip


def uniform_of(words: list[str]) -> tuple[int, Array]:
    """Return the first word of constants and their bits: `uniform 4 float4 1 2 3 4`."""
    dtype, count = UNIFORMS[words[2]]
    return int(words[1]), _numbers(words[3 : 3 + count], np.dtype(dtype)).view("<u4")


def _numbers(words: list[str], dtype: np.dtype[Any]) -> Array:
    if dtype.kind == "f":
        return np.array([_float(each) for each in words], dtype)
    mask = (1 << 8 * dtype.itemsize) - 1
    whole = np.array([int(each, 0) & mask for each in words], f"<u{dtype.itemsize}")
    return whole.view(dtype)


def _float(text: str) -> float:
    return float(int(text, 16)) if text.startswith("0x") else float(text)


PROBE = re.compile(
    r"probe\s+(?:(uav|rtv) (\d+)|(dsv))?\s*\(([^)]*)\)"  # the place
    r"\s*(rgba|[fui](?:32|64))\s*\(([^)]*)\)\s*(\d*)"  # the numbers
)


@dataclass
class Probe:
    """Texels or elements of a resource, and the numbers that they have to have."""

    kind: str
    slot: int
    box: tuple[int, int, int, int]  # left, top, right, bottom
    layer: int
    expected: Array
    ulps: int

    @classmethod
    def of(cls, line: str) -> "Probe":
        found = PROBE.fullmatch(line)
        if found is None:
            raise ScriptError(f"{line} is not read")
        kind, slot = found[1] or found[3] or "rtv", int(found[2] or 0)
        place = [int(each) for each in found[4].split(",")]
        layer = place.pop() if len(place) == 3 else 0
        left, top = place[0], place[1] if len(place) > 1 else 0
        right, bottom = (place[2], place[3]) if len(place) == 4 else (left + 1, top + 1)
        letter, bits = ("f", 32) if found[5] == "rgba" else (found[5][0], int(found[5][1:]))
        dtype = np.dtype(f"<{letter}{bits // 8}")
        words = [each.strip() for each in found[6].split(",")]
        if letter == "f" and any(each.startswith("0x") for each in words):
            whole = [int(each, 16) for each in words]
            expected = np.array(whole, f"<u{bits // 8}").view(dtype)
        else:
            expected = _numbers(words, dtype)
        box = left, top, right, bottom
        return cls(kind, slot, box, layer, expected, int(found[7] or 0))

    def fault(self, resource: ScriptResource) -> str:
        """Return "" if a resource has the numbers, else what it has."""
        for each in self._texels(resource):
            got = each[: len(self.expected)]
            if not _near(got, self.expected[: len(got)], self.ulps):
                return f"expected {self.expected.tolist()}, got {got.tolist()}"
        return ""

    def _texels(self, resource: ScriptResource) -> Iterator[Array]:
        dtype = self.expected.dtype
        array = resource.array[0] if isinstance(resource.array, list) else resource.array
        left, top, right, bottom = self.box
        if resource.is_buffer:
            data = array.view(np.uint8)
            components = FORMATS[resource.format][1]
            is_typed = resource.dimension == "buffer" and not resource.stride and components
            size = resource.stride or (4 * components if is_typed else self.expected.nbytes)
            for at in range(left, right):
                yield data[at * size : at * size + self.expected.nbytes].view(dtype)
            return
        if resource.dimension in ("2darray", "cube", "3d"):
            array = array[self.layer]
        for y in range(top, bottom):
            for x in range(left, right):
                yield np.atleast_1d(np.ascontiguousarray(array[y, x])).view(dtype)


def _near(got: Array, expected: Array, ulps: int) -> bool:
    if got.dtype.kind != "f":
        return bool((got == expected).all())
    least = np.iinfo(f"<i{got.dtype.itemsize}").min
    places = []
    for each in (got, expected):
        bits = each.view(f"<i{got.dtype.itemsize}").astype(object)
        places.append([least - bit if bit < 0 else bit for bit in bits])
    nan = np.isnan(got) & np.isnan(expected)
    return all(
        same or abs(one - other) <= ulps for same, one, other in zip(nan, *places, strict=True)
    )
