"""Reader of AmberScript and VkScript: the fields that tests/conformance/vulkan_vectors.py runs.

    script_of(path)      buffers, samplers, pipelines, commands; shaders as text in `modules`

Both languages are described in Amber's documentation: docs/amber_script.md, docs/vk_script.md. Ray
tracing and OpenCL are not read. A script that is not understood is a ScriptError.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.conformance.vulkan_vectors import component_layout, is_format

Json = dict[str, Any]
Words = list[str]

VERSION = re.compile(r"^VK_KHR_spirv_(\d)_(\d)$")
TARGETS = {"SPIRV-ASM": "spv1.0", "GLSL": "spv1.0"}
SECTION = re.compile(r"^\[([a-z ]+)\]\s*$")
TOPOLOGIES = {"_WITH_ADJACENCY": "_ADJACENCY"}
OPERATORS = {
    "==": "EQ", "!=": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "~=": "EQ",
}  # fmt: skip
SIZES = {
    "int": "int32", "uint": "uint32", "float": "float", "double": "double", "int8_t": "int8",
    "uint8_t": "uint8", "int16_t": "int16", "uint16_t": "uint16", "int64_t": "int64",
    "uint64_t": "uint64", "float16_t": "float16",
}  # fmt: skip
PREFIXES = {
    "": "float", "d": "double", "i": "int32", "u": "uint32", "i8": "int8", "u8": "uint8",
    "i16": "int16", "u16": "uint16", "i64": "int64", "u64": "uint64", "f16": "float16",
}  # fmt: skip


class ScriptError(Exception):
    """A script that this reader does not understand."""


def script_of(path: Path) -> Json:
    """Return what a script has: buffers, samplers, pipelines, commands."""
    text = path.read_text("utf-8", "replace")
    if text.lstrip().startswith("#!amber"):
        return AmberScript(text, path.parent).script
    return VkScript(text).script


def numbers_of(words: Words, kinds: list[np.dtype[Any]]) -> Iterator[tuple[np.dtype[Any], Any]]:
    """Yield the numbers of words in turn, each with the type of its component."""
    for at, word in enumerate(words):
        kind = kinds[at % len(kinds)]
        yield kind, number_of(word, kind.kind == "f")


def number_of(word: str, is_float: bool) -> Any:
    """Return a number; hexadecimal ones are integers."""
    try:
        if word.lower().startswith(("0x", "-0x")):
            return float(int(word, 16)) if is_float else int(word, 16)
        return float(word) if is_float else int(word)
    except ValueError:
        raise ScriptError(f"expected a number, got {word!r}") from None


def bytes_of(value: Any, kind: np.dtype[Any]) -> bytes:
    """Return a number as Amber stores it: integers wrap, half floats are cut off."""
    if kind.kind != "f":
        return (int(value) & ((1 << 8 * kind.itemsize) - 1)).to_bytes(kind.itemsize, "little")
    if kind.itemsize > 2:
        return np.array(value, kind).tobytes()
    bits = int(np.array(value, "<f4").view("<u4"))
    exponent = (bits >> 23 & 0xFF) - 112
    sign = bits >> 16 & 0x8000
    if exponent <= 0:
        return sign.to_bytes(2, "little")
    return (sign | min(exponent, 31) << 10 | bits >> 13 & 0x3FF).to_bytes(2, "little")


def data_of(words: Words, type_name: str, layout: str) -> bytes:
    """Return the bytes of numbers, one element after another."""
    kinds, offsets, size = component_layout(type_name, layout)
    elements = -(-len(words) // len(kinds))
    data = bytearray(elements * size)
    for at, (kind, value) in enumerate(numbers_of(words, kinds)):
        place = at // len(kinds) * size + offsets[at % len(kinds)]
        data[place : place + kind.itemsize] = bytes_of(value, kind)
    return bytes(data)


def new_buffer(name: str, type_name: str, layout: str = "std430") -> Json:
    """Return a buffer without contents."""
    kinds, offsets, size = component_layout(type_name, layout)
    return {
        "name": name, "type": type_name.removesuffix("[]"), "element_size": size, "size": 0,
        "component_types": [each.str for each in kinds], "component_offsets": offsets,
        "init": {"zero": True},
    }  # fmt: skip


def new_pipeline(name: str, kind: str) -> Json:
    """Return a pipeline of which nothing is known."""
    return {
        "name": name, "type": kind, "stages": [], "bindings": [], "color": [], "resolve": [],
        "vertex_data": [], "framebuffer": {"width": 250, "height": 250}, "depth": {},
    }  # fmt: skip


def finished(script: Json) -> Json:
    """Give pictures their size, and buffers without contents theirs."""
    buffers = {each["name"]: each for each in script["buffers"]}
    for each in script["buffers"]:
        if "image" in each:
            each["image"] = {"width": 1, "height": 1, "depth": 1} | each["image"]
    for pipeline in script["pipelines"]:
        size = pipeline["framebuffer"]
        if pipeline["type"] == "graphics" and not pipeline["color"]:
            made = new_buffer(f"{pipeline['name']}'s colour", "B8G8R8A8_UNORM")
            made["image"] = {"levels": 1, "samples": 1, "dim": 2}
            script["buffers"].append(made)
            buffers[made["name"]] = made
            pipeline["color"].append({"location": 0, "buffer": made["name"]})
        targets = [*pipeline["color"], *pipeline["resolve"]]
        if "depth_stencil" in pipeline:
            targets.append({"buffer": pipeline["depth_stencil"]})
        for each in targets:
            # pictures that are drawn into get the size of the framebuffer
            image = buffers[each["buffer"]].setdefault("image", {"levels": 1, "samples": 1})
            level = each.get("level", 0)
            wide, high = size["width"] << level, size["height"] << level
            image |= {"dim": 2, "width": wide, "height": high, "depth": 1}
        pipeline["color"].sort(key=lambda each: int(each["location"]))
    return script


# ---------------------------------------------------------------- AmberScript


class AmberScript:
    """A script in AmberScript, read line by line."""

    def __init__(self, text: str, folder: Path) -> None:
        self.lines = text.split("\n")
        self.at = 0
        self.folder = folder
        self.files: dict[str, str] = {}
        self.needs: list[str] = []
        self.script: Json = {
            "buffers": [], "samplers": [], "pipelines": [], "commands": [], "modules": [],
            "requirements": self.needs,
        }  # fmt: skip
        self.named: dict[str, Json] = {}
        while (words := self.words()) is not None:
            self.statement(words)
        finished(self.script)

    def words(self) -> Words | None:
        """Return the words of the next line that has some."""
        while self.at < len(self.lines):
            line = self.lines[self.at].split("#")[0]
            self.at += 1
            while line.rstrip().endswith("\\") and self.at < len(self.lines):
                line = line.rstrip()[:-1] + " " + self.lines[self.at].split("#")[0]
                self.at += 1
            if found := line.split():
                return found
        return None

    def until_end(self) -> str:
        """Return the lines before END, as they are."""
        found: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if line.split("#")[0].split()[:1] == ["END"]:
                return "\n".join(found)
            found.append(line)
        raise ScriptError("expected END, got the end of the script")

    def block(self) -> Iterator[Words]:
        """Yield the statements before END."""
        while (words := self.words()) is not None:
            if words[0] == "END":
                return
            yield words
        raise ScriptError("expected END, got the end of the script")

    def statement(self, words: Words) -> None:
        match words:
            case ["DEVICE_FEATURE" | "DEVICE_EXTENSION" | "DEVICE_PROPERTY"
                  | "INSTANCE_EXTENSION", what, *_]:  # fmt: skip
                self.needs.append(what)
            case ["SET", "ENGINE_DATA", *_]:
                pass
            case ["VIRTUAL_FILE", name]:
                self.files[name] = self.until_end()
            case ["SHADER", stage, name, *rest]:
                self.shader(stage, name, rest)
            case ["BUFFER", name, *rest]:
                self.buffer(name, rest)
            case ["IMAGE", name, *rest]:
                self.image(name, rest)
            case ["SAMPLER", name, *rest]:
                self.sampler(name, rest)
            case ["PIPELINE", kind, name]:
                self.pipeline(new_pipeline(name, kind))
            case ["DERIVE_PIPELINE", name, "FROM", parent]:
                given = self.find("pipelines", parent)
                self.pipeline(
                    {key: value.copy() if isinstance(value, list | dict) else value
                     for key, value in given.items()} | {"name": name}
                )  # fmt: skip
            case _:
                self.script["commands"].append(self.command(words))

    def find(self, kind: str, name: str) -> Json:
        for each in self.script[kind]:
            if each["name"] == name:
                found: Json = each
                return found
        raise ScriptError(f"expected a name of {kind}, got {name}")

    def shader(self, stage: str, name: str, rest: Words) -> None:
        made: Json = {"name": name, "stage": stage}
        self.script["modules"].append(made)
        if rest == ["PASSTHROUGH"]:
            made["builtin"] = "passthrough_vertex"
            return
        language, *rest = rest
        made["language"] = language
        if rest[:1] == ["TARGET_ENV"]:
            made["target"] = rest[1]
            rest = rest[2:]
        match rest:
            case []:
                made["text"] = self.until_end()
            case ["VIRTUAL_FILE", file]:
                made["text"] = self.files[file]
            case ["FILE", file]:
                made["text"] = (self.folder / file).read_text()
            case _:
                raise ScriptError(f"SHADER {name}: unknown {rest}")

    # ------------------------------------------------------------ buffers

    def buffer(self, name: str, rest: Words) -> None:
        first, type_name, *rest = rest
        layout = "std430"
        if rest[:1] in (["STD140"], ["STD430"]):
            layout = rest.pop(0).lower()
        made = new_buffer(name, type_name, layout)
        self.script["buffers"].append(made)
        if first == "FORMAT":
            options = dict(zip(rest[::2], rest[1::2], strict=True))
            if set(options) - {"MIP_LEVELS", "SAMPLES"}:
                raise ScriptError(f"BUFFER {name}: unknown {rest}")
            made["image"] = {
                "levels": int(options.get("MIP_LEVELS", 1)), "dim": 2,
                "samples": int(options.get("SAMPLES", 1)),
            }  # fmt: skip
            return
        count = 1
        if rest[:1] == ["SIZE"]:
            count, rest = int(rest[1]), rest[2:]
        elif rest[:1] == ["WIDTH"]:
            count, rest = int(rest[1]) * int(rest[3]), rest[4:]
        self.contents(made, type_name, layout, count, rest)

    def image(self, name: str, rest: Words) -> None:
        first, type_name, *rest = rest
        options: dict[str, str] = {}
        dim = 0
        while (rest and rest[0] in ("MIP_LEVELS", "SAMPLES", "WIDTH", "HEIGHT", "DEPTH")) or (
            rest and rest[0].startswith("DIM_")
        ):
            if rest[0].startswith("DIM_"):
                dim = int(rest.pop(0)[4])
                continue
            options[rest[0]] = rest[1]
            rest = rest[2:]
        wide, high, deep = (int(options.get(each, 1)) for each in ("WIDTH", "HEIGHT", "DEPTH"))
        made = new_buffer(name, type_name)
        self.script["buffers"].append(made)
        made["image"] = {
            "levels": int(options.get("MIP_LEVELS", 1)), "samples": int(options.get("SAMPLES", 1)),
            "dim": dim, "width": wide, "height": high, "depth": deep,
        }  # fmt: skip
        if first not in ("FORMAT", "DATA_TYPE"):
            raise ScriptError(f"IMAGE {name}: unknown {first}")
        self.contents(made, type_name, "std430", wide * high * deep, rest)

    def contents(self, made: Json, type_name: str, layout: str, count: int, rest: Words) -> None:
        kinds, _, size = component_layout(type_name, layout)
        match rest:
            case []:
                data = bytes(size * count)
            case ["DATA", *some]:
                if some[-1:] == ["END"]:
                    words = some[:-1]
                else:
                    text = "\n".join(each.split("#")[0] for each in self.until_end().split("\n"))
                    words = some + text.split()
                data = data_of(words, type_name, layout)
            case ["FILL", word]:
                is_float = kinds[0].kind == "f"
                whole = re.fullmatch(r"-?\d+", word)
                if (is_float and whole) or (not is_float and not whole):
                    word = "0"  # Amber takes the wrong part of its number
                data = data_of([word] * len(kinds), type_name, layout) * count
            case ["SERIES_FROM", start, "INC_BY", step]:
                is_float = kinds[0].kind == "f"
                value, more = number_of(start, is_float), number_of(step, is_float)
                parts = []
                for _ in range(count):
                    parts.append(bytes_of(value, kinds[0]).ljust(size, b"\0"))
                    value += more
                data = b"".join(parts)
            case ["FILE", "TEXT", file]:
                lines = (self.folder / file).read_text().split("\n")
                words = " ".join(each.split("#")[0] for each in lines).split()
                data = data_of(words, type_name, layout)
            case ["FILE", "BINARY", file]:
                data = (self.folder / file).read_bytes()
            case _:
                raise ScriptError(f"BUFFER {made['name']}: unknown {rest}")
        made["init"] = {"bytes": data}
        made["size"] = len(data)

    def sampler(self, name: str, rest: Words) -> None:
        made = {
            "name": name, "mag_filter": "nearest", "min_filter": "nearest",
            "address_mode_u": "repeat", "address_mode_v": "repeat", "address_mode_w": "repeat",
            "border_color": "float_transparent_black", "min_lod": 0.0, "max_lod": 1.0,
            "compare": False, "compare_op": "never", "normalized_coords": True,
        }  # fmt: skip
        words = iter(rest)
        for word in words:
            key = word.lower()
            if word in ("NORMALIZED_COORDS", "UNNORMALIZED_COORDS"):
                made["normalized_coords"] = word[0] == "N"
            elif word == "COMPARE":
                made[key] = next(words) == "on"
            elif word in ("MIN_LOD", "MAX_LOD"):
                made[key] = float(next(words))
            elif key in made:
                made[key] = next(words)
            else:
                raise ScriptError(f"SAMPLER {name}: unknown {word}")
        self.script["samplers"].append(made)

    # ------------------------------------------------------------ pipelines

    def pipeline(self, made: Json) -> None:
        self.script["pipelines"].append(made)
        for words in self.block():
            match words:
                case ["ATTACH", name, *rest]:
                    self.attach(made, name, rest)
                case ["FRAMEBUFFER_SIZE", wide, high]:
                    made["framebuffer"] = {"width": int(wide), "height": int(high)}
                case ["VIEWPORT", x, y, "SIZE", wide, high, *rest]:
                    options = dict(zip(rest[::2], rest[1::2], strict=True))
                    made["viewport"] = [
                        *map(float, (x, y, wide, high)), float(options.get("MIN_DEPTH", 0)),
                        float(options.get("MAX_DEPTH", 1)),
                    ]  # fmt: skip
                case ["BIND", *rest]:
                    self.bind(made, rest)
                case ["VERTEX_DATA", name, *rest]:
                    options = dict(zip(rest[::2], rest[1::2], strict=True))
                    made["vertex_data"].append({
                        "buffer": name, "location": int(options["LOCATION"]),
                        "rate": options.get("RATE", "vertex"), "format": options.get("FORMAT"),
                        "offset": int(options.get("OFFSET", 0)),
                        "stride": int(options["STRIDE"]) if "STRIDE" in options else None,
                    })  # fmt: skip
                case ["INDEX_DATA", name]:
                    made["index_data"] = name
                case ["POLYGON_MODE", mode]:
                    made["polygon_mode"] = mode
                case ["PATCH_CONTROL_POINTS", count]:
                    made["patch_control_points"] = int(count)
                case ["DEPTH"]:
                    made["depth"] = {"depthCompareOp": "always", **self.given_depth()}
                case ["SUBGROUP", name]:
                    self.subgroup(made, name)
                case ["SHADER_OPTIMIZATION" | "COMPILE_OPTIONS", *_]:
                    raise ScriptError(f"{words[0]} is not read")
                case _:
                    raise ScriptError(f"PIPELINE {made['name']}: unknown {words}")

    def attach(self, made: Json, name: str, rest: Words) -> None:
        at = next(
            (at for at, each in enumerate(self.script["modules"]) if each["name"] == name), -1
        )
        if at < 0:
            raise ScriptError(f"ATTACH: unknown {name}")
        stage: Json = {
            "stage": self.script["modules"][at]["stage"], "module": at, "entry": "main",
            "specialization": [],
        }  # fmt: skip
        while rest:
            match rest:
                case ["TYPE", kind, *rest]:
                    stage["stage"] = kind
                case ["ENTRY_POINT", entry, *rest]:
                    stage["entry"] = entry
                case ["SPECIALIZE", number, "AS", kind, value, *rest]:
                    given = number_of(value, kind.startswith(("float", "double")))
                    stage["specialization"].append({"id": int(number), "value": given})
                case _:
                    raise ScriptError(f"ATTACH {name}: unknown {rest}")
        made["stages"].append(stage)

    def subgroup(self, made: Json, name: str) -> None:
        found: Json = {}
        for key, value in self.block():
            if key == "REQUIRED_SIZE":
                found["required_size"] = int(value) if value.isdigit() else 0
        for stage in made["stages"]:
            if self.script["modules"][stage["module"]]["name"] == name:
                stage["subgroup"] = found

    def given_depth(self) -> Json:
        """Return the state of the depth test, with what an extension of the device changes."""
        found = dict(self.depth())
        if "VK_EXT_depth_range_unrestricted" in self.needs:
            found["depthRangeUnrestricted"] = True
        return found

    def depth(self) -> Iterator[tuple[str, Any]]:
        """Yield the state of the depth test in Vulkan's words."""
        for words in self.block():
            match words:
                case ["TEST", value]:
                    yield "depthTestEnable", value == "on"
                case ["WRITE", value]:
                    yield "depthWriteEnable", value == "on"
                case ["COMPARE_OP", value]:
                    yield "depthCompareOp", value
                case ["CLAMP", value]:
                    yield "depthClampEnable", value == "on"
                case ["BOUNDS", "min", least, "max", most]:
                    yield "minDepthBounds", float(least)
                    yield "maxDepthBounds", float(most)
                case ["BIAS", "constant", constant, "clamp", clamp, "slope", slope]:
                    yield "depthBiasEnable", True
                    yield "depthBiasConstantFactor", float(constant)
                    yield "depthBiasClamp", float(clamp)
                    yield "depthBiasSlopeFactor", float(slope)
                case _:
                    raise ScriptError(f"DEPTH: unknown {words}")

    def bind(self, made: Json, rest: Words) -> None:
        match rest:
            case ["BUFFER", name, "AS", "color", "LOCATION", location, *more]:
                level = int(more[1]) if more[:1] == ["BASE_MIP_LEVEL"] else 0
                made["color"].append({"location": int(location), "buffer": name, "level": level})
            case ["BUFFER", name, "AS", "depth_stencil"]:
                made["depth_stencil"] = name
            case ["BUFFER", name, "AS", "resolve"]:
                made["resolve"].append({"buffer": name})
            case ["BUFFER", name, "AS", "push_constant"]:
                made["push_constant"] = {"buffer": name}
            case ["BUFFER" | "BUFFER_ARRAY" | "SAMPLER" | "SAMPLER_ARRAY" as what, *words]:
                made["bindings"].append(_binding(what, words))
            case _:
                raise ScriptError(f"BIND: unknown {rest}")

    # ------------------------------------------------------------ commands

    def command(self, words: Words) -> Json:
        match words:
            case ["CLEAR_COLOR", name, *rgba]:
                return {"op": "clear_color", "pipeline": name, "rgba": [int(x) for x in rgba]}
            case ["CLEAR_DEPTH", name, value]:
                return {"op": "clear_depth", "pipeline": name, "value": float(value)}
            case ["CLEAR_STENCIL", name, value]:
                return {"op": "clear_stencil", "pipeline": name, "value": int(value)}
            case ["CLEAR", name]:
                return {"op": "clear", "pipeline": name}
            case ["COPY", source, "TO", to]:
                return {"op": "copy", "from": source, "to": to}
            case ["REPEAT", count]:
                return {
                    "op": "repeat", "count": int(count),
                    "commands": [self.command(each) for each in self.block()],
                }  # fmt: skip
            case ["RUN", *rest]:
                return self.run(rest)
            case ["EXPECT", name, *rest]:
                return self.expect(name, rest)
        raise ScriptError(f"unknown command {' '.join(words[:4])}")

    def run(self, rest: Words) -> Json:
        if rest[0] == "TIMED_EXECUTION":
            rest = rest[1:]
        name, *rest = rest
        pipeline = self.find("pipelines", name)
        match rest:
            case ["DRAW_RECT", "POS", x, y, "SIZE", wide, high]:
                box = [float(each) for each in (x, y, wide, high)]
                size = pipeline["framebuffer"]
                return {
                    "op": "draw_rect", "pipeline": name,
                    "ndc_vertices": rectangle(*_ndc(box, size["width"], size["height"])),
                }  # fmt: skip
            case ["DRAW_GRID", "POS", x, y, "SIZE", wide, high, "CELLS", columns, rows]:
                box = [float(each) for each in (x, y, wide, high)]
                size = pipeline["framebuffer"]
                corners = grid(*_ndc(box, size["width"], size["height"]), int(columns), int(rows))
                return {
                    "op": "draw_rect", "pipeline": name, "topology": "TRIANGLE_LIST",
                    "ndc_vertices": corners,
                }  # fmt: skip
            case ["DRAW_ARRAY", "AS", topology, *more]:
                made: Json = {"op": "draw_array", "pipeline": name, "topology": topology}
                if more[:1] == ["INDEXED"]:
                    made["indexed"] = True
                    more = more[1:]
                made |= {
                    key.lower(): int(value)
                    for key, value in zip(more[::2], more[1::2], strict=True)
                }  # fmt: skip
                return made | {"start": made.pop("start_idx", 0)}
            case [x, y, z]:
                return {"op": "run", "pipeline": name, "groups": [int(x), int(y), int(z)]}
        raise ScriptError(f"RUN {name}: unknown {' '.join(rest[:3])}")

    def expect(self, name: str, rest: Words) -> Json:
        made: Json = {"op": "expect", "buffer": name}
        match rest:
            case ["EQ_BUFFER", other]:
                return made | {"cmp": "EQ_BUFFER", "other": other}
            case ["RMSE_BUFFER" | "EQ_HISTOGRAM_EMD_BUFFER" as what, other, "TOLERANCE", value]:
                return made | {"cmp": what, "other": other, "limit": float(value)}
            case ["IDX", x, y, "SIZE", wide, high, what, *words]:
                count = len(what) - len("EQ_")
                made |= {
                    "x": int(x), "y": int(y), "width": int(wide), "height": int(high), "cmp": what,
                    "value": [int(each) for each in words[:count]],
                }  # fmt: skip
                if words[count : count + 1] == ["TOLERANCE"]:
                    made["tolerance"] = [_tolerance(each) for each in words[count + 1 :]]
                return made
            case ["IDX", index, *words]:
                made["byte_offset"] = int(index)
                if words[0] == "TOLERANCE":
                    stop = next(at for at, each in enumerate(words) if each in OPERATORS.values())
                    made["tolerance"] = [_tolerance(each) for each in words[1:stop]]
                    words = words[stop:]
                buffer = self.find("buffers", name)
                kinds = [np.dtype(each) for each in buffer["component_types"]]
                made["values"] = [value for _, value in numbers_of(words[1:], kinds)]
                return made | {"cmp": words[0]}
        raise ScriptError(f"EXPECT {name}: unknown {' '.join(rest[:3])}")


def _tolerance(word: str) -> Json:
    return {"value": float(word.rstrip("%")), "percent": word.endswith("%")}


def _ndc(box: list[float], wide: int, high: int) -> tuple[float, float, float, float]:
    """Return a rectangle of pixels in the view's coordinates, in the precision of floats."""
    x, y, w, h = (np.float32(each) for each in box)
    two, one, width, height = (np.float32(each) for each in (2, 1, wide, high))
    return (
        float(x / width * two - one), float(y / height * two - one),
        float(w / width * two), float(h / height * two),
    )  # fmt: skip


def rectangle(x: float, y: float, wide: float, high: float) -> list[list[float]]:
    """Return the corners of a rectangle: a strip that begins at the lower left."""
    return [[x, y + high], [x, y], [x + wide, y + high], [x + wide, y]]


def grid(
    x: float, y: float, wide: float, high: float, columns: int, rows: int
) -> list[list[float]]:
    """Return the corners of the triangles of a grid, two for each cell."""
    found = []
    w, h = np.float32(wide) / np.float32(columns), np.float32(high) / np.float32(rows)
    for row in range(rows):
        for column in range(columns):
            left, right = (float(np.float32(x) + w * np.float32(column + at)) for at in (0, 1))
            top, bottom = (float(np.float32(y) + h * np.float32(row + at)) for at in (0, 1))
            found += [[right, bottom], [left, bottom], [left, top]]
            found += [[right, bottom], [left, top], [right, top]]
    return found


BIND_WORDS = {
    "AS", "SAMPLER", "DESCRIPTOR_SET", "BINDING", "OFFSET", "DESCRIPTOR_OFFSET",
    "DESCRIPTOR_RANGE", "BASE_MIP_LEVEL",
}  # fmt: skip


def _binding(what: str, words: Words) -> Json:
    """Return a binding: what is bound, and where."""
    parts: dict[str, Words] = {}
    key = "names"
    for word in words:
        if word in BIND_WORDS and not (key == "names" and "names" not in parts):
            key = word
            parts[key] = []
        else:
            parts.setdefault(key, []).append(word)
    names = parts["names"]
    items: list[Json] = []
    for at, name in enumerate(names):
        item: Json = {"sampler" if what.startswith("SAMPLER") else "buffer": name}
        if "SAMPLER" in parts:
            item["sampler"] = parts["SAMPLER"][min(at, len(parts["SAMPLER"]) - 1)]
        for word, field in (
            ("OFFSET", "dynamic_offset"), ("DESCRIPTOR_OFFSET", "offset"),
            ("DESCRIPTOR_RANGE", "range"), ("BASE_MIP_LEVEL", "base_mip_level"),
        ):  # fmt: skip
            if word in parts:
                item[field] = int(parts[word][min(at, len(parts[word]) - 1)])
        items.append(item)
    return {
        "set": int(parts["DESCRIPTOR_SET"][0]), "binding": int(parts["BINDING"][0]),
        "kind": "sampler" if what.startswith("SAMPLER") else parts["AS"][0], "items": items,
    }  # fmt: skip


# ---------------------------------------------------------------- VkScript


class VkScript:
    """A script in VkScript: sections in brackets, then commands."""

    def __init__(self, text: str) -> None:
        self.pipelines = {
            kind: new_pipeline(kind, kind) for kind in ("graphics", "compute")
        }  # fmt: skip
        self.needs: list[str] = []
        self.commands: list[Json] = []
        self.script: Json = {
            "buffers": [], "samplers": [], "pipelines": [], "modules": [],
            "commands": self.commands, "requirements": self.needs,
        }  # fmt: skip
        self.buffers: dict[tuple[int, int], Json] = {}
        self.push: bytearray | None = None
        self.clear = [0.0, 0.0, 0.0, 0.0]
        self.tolerance: list[Json] = []
        self.form = "B8G8R8A8_UNORM"
        self.indices: Words = []
        for header, lines in _sections(text):
            self.section(header, lines)
        self.finish()

    def section(self, header: str, lines: list[str]) -> None:
        plain = [each.split("#")[0].split() for each in lines]
        if header == "require":
            for words in filter(None, plain):
                match words:
                    case ["framebuffer", form]:
                        self.form = form
                    case ["fbsize", wide, high]:
                        size = {"width": int(wide), "height": int(high)}
                        self.pipelines["graphics"]["framebuffer"] = size
                    case _:
                        self.needs.append(words[0])
        elif "shader" in header:
            self.shader(header, lines)
        elif header == "indices":
            self.indices = [word for words in plain for word in words]
        elif header == "vertex data":
            self.vertices([words for words in plain if words])
        elif header == "test":
            for words in filter(None, (_joined(lines))):
                self.command(words)
        else:
            raise ScriptError(f"unknown section {header}")

    def shader(self, header: str, lines: list[str]) -> None:
        stage, kind = header.split(" shader")
        stage, kind = stage.strip().replace(" ", "_"), kind.strip()
        made: Json = {"name": stage, "stage": stage}
        if kind == "passthrough":
            made["builtin"] = "passthrough_vertex"
        else:
            made["language"] = {"": "GLSL", "spirv": "SPIRV-ASM", "spirv hex": "SPIRV-HEX"}[kind]
            made["text"] = "\n".join(lines)
        pipeline = self.pipelines["compute" if stage == "compute" else "graphics"]
        pipeline["stages"].append({
            "stage": stage, "module": len(self.script["modules"]), "entry": "main",
            "specialization": [],
        })  # fmt: skip
        self.script["modules"].append(made)

    def vertices(self, rows: list[Words]) -> None:
        at = 0
        for header in rows[0]:
            location, kind, *more = header.split("/")
            if more:
                kind = _type_of(more[0])
            count = len(component_layout(kind, "std430")[0])
            words = [word for row in rows[1:] for word in row[at : at + count]]
            at += count
            made = new_buffer(f"vertices {location}", kind)
            data = data_of(words, kind, "std430")
            made |= {"init": {"bytes": data}, "size": len(data)}
            self.script["buffers"].append(made)
            row = {"buffer": made["name"], "location": int(location), "rate": "vertex"}
            self.pipelines["graphics"]["vertex_data"].append(row)

    def place(self, word: str) -> tuple[int, int]:
        first, _, second = word.rpartition(":")
        return int(first or 0), int(second)

    def held(self, word: str, kind: str, size: int) -> Json:
        """Return the buffer of a binding, of at least that many bytes."""
        where = self.place(word)
        made = self.buffers.get(where)
        if made is None:
            made = new_buffer(f"buffer {where}", "uint8")
            made |= {"kind": kind, "data": bytearray()}
            self.buffers[where] = made
            self.script["buffers"].append(made)
        data = made["data"]
        data.extend(bytes(max(0, size - len(data))))
        return made

    def command(self, words: Words) -> None:
        graphics = self.pipelines["graphics"]
        size = graphics["framebuffer"]
        made: Json
        match words:
            case ["draw", "rect", *rest]:
                patch = "patch" in rest
                ortho = "ortho" in rest
                box = [float(each) for each in rest if each not in ("patch", "ortho")]
                x, y, wide, high = _ndc(box, size["width"], size["height"]) if ortho else box
                made = {
                    "op": "draw_rect", "pipeline": "graphics",
                    "ndc_vertices": rectangle(x, y, wide, high),
                }  # fmt: skip
                if patch:
                    made["topology"] = "PATCH_LIST"
                    graphics["patch_control_points"] = 4
                self.commands.append(made)
            case ["draw", "arrays", *rest]:
                indexed, instanced = "indexed" in rest, "instanced" in rest
                topology, start, count, *more = (
                    each for each in rest if each not in ("indexed", "instanced")
                )
                made = {
                    "op": "draw_array", "pipeline": "graphics", "topology": topology,
                    "start": int(start), "count": int(count), "indexed": indexed,
                }  # fmt: skip
                if instanced and more:
                    made["instance_count"] = int(more[0])
                self.commands.append(made)
            case ["compute", "entrypoint", name]:
                self.pipelines["compute"]["stages"][0]["entry"] = name
            case ["compute", *groups]:
                self.commands.append(
                    {"op": "run", "pipeline": "compute", "groups": [int(each) for each in groups]}
                )
            case [stage, "entrypoint", name]:
                for each in graphics["stages"]:
                    if each["stage"] == stage:
                        each["entry"] = name
            case ["patch", "parameter", "vertices", count]:
                graphics["patch_control_points"] = int(count)
            case ["tolerance", *values]:
                self.tolerance = [_tolerance(each) for each in values]
            case ["clear", "color", *values]:
                self.clear = [float(each) for each in values]
            case ["clear"]:
                self.commands += [
                    {"op": "clear_color", "pipeline": "graphics",
                     "rgba": [255 * each for each in self.clear]},
                    {"op": "clear", "pipeline": "graphics"},
                ]  # fmt: skip
            case ["ssbo", place, "subdata", kind, offset, *values]:
                data = data_of(values, _type_of(kind), "std430")
                made = self.held(place, "storage", int(offset) + len(data))
                made["data"][int(offset) : int(offset) + len(data)] = data
            case ["ssbo", place, count]:
                self.held(place, "storage", int(count))
            case ["uniform", "ubo", place, kind, offset, *values]:
                data = data_of(values, _type_of(kind), "std140")
                made = self.held(place, "uniform", int(offset) + len(data))
                made["data"][int(offset) : int(offset) + len(data)] = data
            case ["uniform", kind, offset, *values]:
                data = data_of(values, _type_of(kind), "std430")
                self.push = self.push or bytearray()
                self.push.extend(bytes(max(0, int(offset) + len(data) - len(self.push))))
                self.push[int(offset) : int(offset) + len(data)] = data
            case ["probe", "ssbo", kind, place, offset, operator, *values]:
                type_name = _type_of(kind)
                kinds, offsets, step = component_layout(type_name, "std430")
                made = {
                    "op": "expect", "buffer": f"buffer {self.place(place)}",
                    "byte_offset": int(offset), "cmp": OPERATORS[operator],
                    "values": [value for _, value in numbers_of(values, kinds)],
                    "layout": ([each.str for each in kinds], offsets, step),
                }  # fmt: skip
                if operator == "~=":
                    made["tolerance"] = self.tolerance or [{"value": 1e-6, "percent": True}]
                self.commands.append(made)
            case [*_, "rgb" | "rgba" as what, _] | [*_, "rgb" | "rgba" as what]:
                raise ScriptError(f"unknown {' '.join(words)} {what}")
            case ["probe" | "relative", *_]:
                self.probe(words)
            case _:
                raise ScriptError(f"unknown command {' '.join(words[:3])}")

    def probe(self, words: Words) -> None:
        text = " ".join(words)
        found = re.fullmatch(
            r"(relative )?probe (all |rect )?(rgba?) (?:\(([^)]*)\) ?)?\(?([^)]*)\)?", text
        )
        if found is None:
            raise ScriptError(f"unknown command {text}")
        relative, extent, channels, place, colour = found.groups()
        size = self.pipelines["graphics"]["framebuffer"]
        wide, high = size["width"], size["height"]
        if extent == "all ":
            box = [0.0, 0.0, float(wide), float(high)]
        else:
            box = [float(each) for each in place.replace(",", " ").split()]
            if relative:
                box = [each * (wide, high)[at % 2] for at, each in enumerate(box)]
            box = box + [1.0, 1.0] * (len(box) == 2)
        x, y, w, h = (int(each) for each in box)
        made: Json = {
            "op": "expect", "buffer": "framebuffer", "x": x, "y": y, "width": w, "height": h,
            "cmp": f"EQ_{channels.upper()}",
            "value": [255 * float(each) for each in colour.replace(",", " ").split()],
        }  # fmt: skip
        if self.tolerance:
            made["tolerance"] = self.tolerance
        self.commands.append(made)

    def finish(self) -> None:
        """Bind everything, and add what is not named in the script."""
        for made in self.buffers.values():
            data = bytes(made.pop("data"))
            made |= {"init": {"bytes": data}, "size": len(data)}
        rows = [
            {"set": where[0], "binding": where[1], "kind": made.pop("kind"),
             "items": [{"buffer": made["name"]}]}
            for where, made in self.buffers.items()
        ]  # fmt: skip
        target = new_buffer("framebuffer", self.form)
        target["image"] = {"levels": 1, "samples": 1, "dim": 2}
        self.script["buffers"].append(target)
        graphics = self.pipelines["graphics"]
        graphics["color"].append({"location": 0, "buffer": "framebuffer", "level": 0})
        if self.indices:
            made = new_buffer("indices", "uint32")
            data = data_of(self.indices, "uint32", "std430")
            self.script["buffers"].append(made | {"init": {"bytes": data}, "size": len(data)})
            graphics["index_data"] = "indices"
        for pipeline in self.pipelines.values():
            pipeline["bindings"] = rows
            if self.push is not None:
                pipeline["push_constant"] = {"bytes": bytes(self.push)}
            if pipeline["stages"] or pipeline is graphics:
                self.script["pipelines"].append(pipeline)
        finished(self.script)


def _joined(lines: list[str]) -> Iterator[Words]:
    """Yield the words of the lines; a backslash at the end joins two."""
    before = ""
    for each in lines:
        line = before + each.split("#")[0].rstrip()
        before = ""
        if line.endswith("\\"):
            before = line[:-1] + " "
            continue
        yield line.split()


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections: their names, and their lines."""
    header = ""
    found: list[str] = []
    for line in text.split("\n"):
        if match := SECTION.match(line):
            if header:
                yield header, found
            header, found = match[1], []
        else:
            found.append(line)
    if header:
        yield header, found


def _type_of(word: str) -> str:
    """Return the name of a type in AmberScript's words."""
    if word in SIZES:
        return SIZES[word]
    if is_format(word):
        return word
    match = re.fullmatch(r"([a-z0-9]*?)(vec|mat)(\d(?:x\d)?)", word)
    if match is None or match[1] not in PREFIXES:
        raise ScriptError(f"unknown type {word}")
    count = match[3] if match[2] == "vec" or "x" in match[3] else f"{match[3]}x{match[3]}"
    return f"{match[2]}{count}<{PREFIXES[match[1]]}>"


Compiler = Callable[[Json], bytes]
