"""Values of `--bind NAME=VALUE` and `--set NAME=VALUE`, as arguments of a kernel.

y.npy  image.png  consts.json  dump.bin      files; images may have `,mips` and `,srgb`
wood.dds  sky.ktx2  light.exr  light.hdr     textures, with the same options
px.png,nx.png,py.png,ny.png,pz.png,nz.png    several images: cube faces, layers, slices
zeros(64)  ones(8,8)  iota(64,uint32)  random(64)      generated arrays
tint.rts  tint.skslb                         a program, for a child: `--set NAME.k=3` sets its own
{"a": 2.0}  [1, 2, 3]  true  0.5  1,2  0x10  JSON, numbers
float32[1, 2]  uint8[[0, 255]]               an array of numbers of this type
point  linear,wrap  anisotropic,max_lod=4    samplers: filter, address, numbers by name
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UsageError, with_origin
from ..files import read
from .results import IMAGES, PICTURES, TEXTURES, numbers_of, suffix_of

if TYPE_CHECKING:
    from ..run.binding.bindings import Binding
    from ..run.runner import Runner

SHOWN = (*IMAGES, *PICTURES)  # several may be faces, layers or slices
TEXELS = (*SHOWN, *TEXTURES)
MAKERS = ("zeros", "ones", "iota", "random")
MAKER = re.compile(rf"({'|'.join(MAKERS)})\(([^)]*)\)")
TYPED = re.compile(r"((?:u?int(?:8|16|32|64)|float(?:16|32|64)))(\[.*\])", re.DOTALL)
COUNT = re.compile(r"[1-9]\d{0,8}", re.ASCII)
EXTENT = re.compile(r"-?\d{1,9}(?:[,x]-?\d{1,9})*")
SAMPLER_NUMBERS = (
    "lod_bias", "min_lod", "max_lod", "border", "comparison", "max_anisotropy"
)  # fmt: skip
TRUTH = ("true", "false")
MOST = 1 << 28  # elements of a generated array


def extent(
    text: str, what: str, count: int = 3, *, least: int = 1, most: int = 10**9
) -> tuple[int, ...]:
    """Parse sizes along axes: `64,1,1`, `640x480`, `64`."""
    found = tuple(map(int, re.split("[,x]", text))) if EXTENT.fullmatch(text) else ()
    if not 1 <= len(found) <= count:
        raise UsageError(f"{what}: expected up to {count} integers, got {text!r:.40}")
    if min(found) < least or max(found) > most:
        upto = f"{least} to {most:,}" if most < 10**9 else f"{least} or more"
        raise UsageError(f"{what}: expected {upto} along each axis, got {text:.40}")
    return found


def named(texts: tuple[str, ...], option: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Parse NAME=VALUE arguments."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"{option}: expected {form}, got {text!r:.60}")
        if name in found:
            raise UsageError(f"{option}: {name} is given twice")
        found[name] = value
    return found


def options(given: object = None, **instead: Any) -> dict[str, Any]:
    """Return the options of a kernel: `--interface SLOT=CLASS`, `--samples N` and so on.

    Args:
        given: The options of a verb, which has some or all of KERNEL_OPTIONS.
        instead: Values in place of the verb's.

    Defaults are left out, since programs reject options that do not apply to them.
    """
    found = {}
    for name, parse in KERNEL_OPTIONS.items():
        value = instead[name] if name in instead else getattr(given, name, None)
        parsed = None if value is None else parse(value)
        if parsed is not None:
            found[name] = parsed
    return found


def _interfaces(texts: Iterable[str]) -> dict[str, str] | None:
    return named(tuple(texts), "--interface", "SLOT=CLASS") or None


def _constants(texts: Iterable[str]) -> dict[int | str, int | float | bool] | None:
    return {
        int(name) if COUNT.fullmatch(name) or name == "0" else name: _constant(name, text)
        for name, text in named(tuple(texts), "--constant").items()
    } or None


def _group(text: str) -> tuple[int, ...]:
    return (*extent(text, "--group"), 1, 1)[:3]


def _lengths(texts: Iterable[str]) -> dict[str, int] | None:
    counts = named(tuple(texts), "--length", "FIRST=N")
    for first, text in counts.items():
        if not COUNT.fullmatch(text):
            raise UsageError(f"--length {first}: expected a positive integer, got {text!r:.40}")
    return {first: int(text) for first, text in counts.items()} or None


# Options of verbs that are options of a kernel: the value, None for the default.
KERNEL_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "samples": lambda count: count if count != 1 else None,
    "entry": str,
    "precision": lambda word: word if word != "float32" else None,
    "color_space": str,
    "interfaces": _interfaces,
    "constants": _constants,
    "group": _group,
    "wave_size": int,
    "lengths": _lengths,
}


def _constant(name: str, text: str) -> int | float | bool:
    """Return the value of a specialisation constant: a number, true or false."""
    value = plain(text, f"--constant {name}")
    if not isinstance(value, int | float):
        raise UsageError(f"--constant {name}: expected a number, true or false, got {text!r:.40}")
    return value


def bindings(
    kernel: "Runner",
    binds: Iterable[str],
    sets: Iterable[str],
    child: "Callable[[str], Runner]",
    defaults: "Callable[[Runner, dict[str, Any]], dict[str, Any]] | None" = None,
) -> dict[str, Any]:
    """Return the arguments of a call: bindings, variables of constant buffers, inputs, by name.

    Args:
        kernel: the program that is called.
        binds: texts NAME=VALUE of `--bind`; a name `src.gain` belongs to the child `src`.
        sets: texts of `--set`, the same.
        child: opens the program in a file, for a child.
        defaults: adds the bindings that a child is not given.
    """
    known = {name: each for each in kernel.bindings for name in each.names}
    children = {name for name, each in known.items() if each.form == "child"}
    binds, inner_binds = _of_children(binds, children)
    sets, inner_sets = _of_children(sets, children)
    found: dict[str, Any] = {}
    for name, text in named(tuple(binds), "--bind").items():
        if name in children and is_program(text):
            inside = child(text)
            mine = inner_binds.pop(name, []), inner_sets.pop(name, [])
            own = bindings(inside, *mine, child, defaults)
            found[name] = inside.bind(defaults(inside, own) if defaults is not None else own)
        else:
            found[name] = value_of(text, known.get(name), f"--bind {name}")
    for name in (*inner_binds, *inner_sets):
        raise UsageError(f"{name} has no bindings: it is not a program; give --bind {name}=FILE")
    for name, text in named(tuple(sets), "--set").items():
        found[name] = plain(text, f"--set {name}")
    return found


def _of_children(
    texts: Iterable[str], children: Iterable[str]
) -> tuple[list[str], dict[str, list[str]]]:
    """Return the texts that name no child, and the texts of each child."""
    names = frozenset(children)
    left: list[str] = []
    inside: dict[str, list[str]] = {}
    for text in texts:
        name, dot, rest = text.partition("=")[0].partition(".")
        if dot and name in names and "=" in text:
            inside.setdefault(name, []).append(rest + text[text.index("=") :])
        else:
            left.append(text)
    return left, inside


def is_program(text: str) -> bool:
    """Return True if a VALUE is a file that is neither a texture nor an array."""
    return os.path.exists(text) and suffix_of(text) not in (*TEXELS, ".npy", ".json")


def plain(text: str, where: str) -> Any:
    """Parse JSON or comma-separated numbers."""
    problem = ""
    try:
        return numbers_of(json.loads(text))
    except json.JSONDecodeError as error:
        found = _numbers(text)
        if text[:1] in ("[", "{"):  # meant as JSON
            problem = f": at character {error.pos + 1}, {error.msg[:1].lower()}{error.msg[1:]}"
    except ValueError:
        found = None
    if found is None:
        raise UsageError(f"{where}: expected numbers or JSON, got {text!r:.60}{problem}")
    return found


def _numbers(text: str) -> Any:
    """Parse `0.5`, `1,2,3`, `0x10`, `nan`; return None for anything else."""
    try:
        found = [_number(word.strip()) for word in text.split(",")]
    except ValueError:
        return None
    return found[0] if len(found) == 1 else found


def _number(word: str) -> int | float:
    try:
        return int(word, 0)
    except ValueError:
        return float(word)


def value_of(text: str, binding: "Binding | None", where: str = "--bind") -> Any:
    """Return the object for a binding's VALUE; `where` names the option in errors."""
    if binding is not None and binding.form == "sampler":
        return sampler(text)
    made = MAKER.fullmatch(text)
    if made is not None:
        return _made(made[1], made[2], binding)
    typed = TYPED.fullmatch(text)
    if typed is not None:
        return _typed(typed[1], typed[2], where)
    if text[:1] in "{[" or text in TRUTH:
        return plain(text, where)
    found = _numbers(text)
    return _file(text, binding, where) if found is None else found


def _typed(dtype: str, text: str, where: str) -> Any:
    """Return an array of a type from its numbers in JSON."""
    from ..run.binding.numbers import as_array, converted

    return converted(as_array(plain(text, where), f"{where}: expected numbers"), dtype, where)


def sampler(text: str) -> Any:
    """Parse a sampler: `point`, `linear,wrap,clamp`, `anisotropic,border,border=1/1/1/1`."""
    from ..run import Sampler

    words = text.split(",")
    numbers: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            continue
        if name not in SAMPLER_NUMBERS:
            raise UsageError(f"sampler: expected {', '.join(SAMPLER_NUMBERS)}, got {name!r:.40}")
        numbers[name] = _sampler_number(name, value)
    filter, *address = [word for word in words if "=" not in word] or ["linear"]
    return Sampler(filter, address or "clamp", **numbers)


def _sampler_number(name: str, text: str) -> Any:
    try:
        if name == "border":
            return [float(each) for each in text.split("/")]
        if name == "max_anisotropy":
            return int(text)
        return text if name == "comparison" else float(text)
    except ValueError:
        wanted = "numbers separated by /" if name == "border" else "a number"
        raise UsageError(f"sampler {name}: expected {wanted}, got {text!r:.40}") from None


def _made(kind: str, inside: str, binding: "Binding | None") -> Any:
    import numpy as np

    sizes, dtype = [], _default_dtype(binding)
    for each in filter(None, (word.strip() for word in inside.split(","))):
        if each.isdigit():
            sizes.append(int(each))
            continue
        try:
            dtype = np.dtype(each)
        except TypeError:
            raise UsageError(f"{kind}({inside}): expected a size or dtype, got {each!r}") from None
    count = 1
    for size in sizes:
        count *= size
    if not sizes or count > MOST:
        raise UsageError(f"{kind}({inside}): expected sizes of up to {MOST:,} elements")
    base = dtype.subdtype[0] if dtype.subdtype else dtype
    if kind == "zeros":
        return np.zeros(sizes, dtype)
    if base.names:
        raise UsageError(f"{kind}({inside}): expected zeros(...) for a structure")
    shape = (*sizes, *(dtype.shape if dtype.subdtype else ()))
    if kind == "ones":
        return np.ones(shape, base)
    if kind == "iota":
        return np.arange(int(np.prod(shape))).reshape(shape).astype(base)
    rng = np.random.default_rng(0)
    if base.kind in "iu":  # floats in [0, 1) would all convert to 0
        bounds = np.iinfo(base)
        return rng.integers(bounds.min, bounds.max, shape, base, endpoint=True)
    return rng.random(shape).astype(base)


def _default_dtype(binding: "Binding | None") -> Any:
    import numpy as np

    if binding is None:
        return np.dtype("<f4")
    if binding.form == "raw":
        return np.dtype("<u4")
    if binding.form == "structured":
        if binding.dtype is not None:
            return binding.dtype
        return np.dtype(("<u4", (binding.resource.stride // 4,)))
    return np.dtype({"uint": "<u4", "sint": "<i4"}.get((*binding.resource.returns, "")[0], "<f4"))


def files_of(binds: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the paths of each NAME=VALUE that reads files."""
    for bind in binds:
        name, _, text = bind.partition("=")
        made = MAKER.fullmatch(text) or TYPED.fullmatch(text)
        written = made or text[:1] in "{[" or text in TRUTH
        if written or _numbers(text) is not None:
            continue
        words = text.split(",") if not os.path.exists(text) else [text]
        yield name, [words[0], *(each for each in words[1:] if suffix_of(each) in TEXELS)]


def _file(text: str, binding: "Binding | None", where: str) -> Any:

    path, *options = text.split(",") if not os.path.exists(text) else [text]
    suffix = suffix_of(path)
    more = [each for each in options if suffix_of(each) in TEXELS]
    _check(text, binding, where, [each for each in options if each not in more], bool(more))
    options = [each for each in options if each not in more]
    try:
        if suffix == ".npy":
            from ..run.binding.npy import read_npy

            with with_origin(path):
                return read_npy(read(path))
        if suffix == ".json":
            return numbers_of(json.loads(read(path)))
        if suffix in TEXELS:
            return _texture([path, *more], options)
        return read(path)
    except UnshadeError:
        raise
    except Exception as error:  # any error of NumPy or Pillow
        raise UsageError(f"{path}: {error}") from None


def _check(
    text: str, binding: "Binding | None", where: str, options: list[str], several: bool
) -> None:
    """Raise UsageError for invalid options of a file, or a file that does not fit the binding."""
    path = text.partition(",")[0] if options or several else text
    suffix = suffix_of(path)
    maker = re.fullmatch(r"(\w+)\(.*\)", text)
    if maker is not None and not os.path.exists(text):
        raise UsageError(f"{where}: expected one of {', '.join(MAKERS)}, got {maker[1]}(…)")
    typed = re.fullmatch(r"(\w+)\[.*\]", text)
    if typed is not None and not os.path.exists(text):
        raise UsageError(f"{where}: expected a type such as float32, got {typed[1]}[…]")
    if (options or several) and suffix not in TEXELS:
        raise UsageError(f"{where}: {path} is not an image: only images take mips and srgb")
    unknown = [each for each in options if each not in ("mips", "srgb")]
    if unknown:
        raise UsageError(f"{where}: expected mips or srgb, got {unknown[0]!r:.40}")
    texels = binding is not None and binding.form in ("texture", "typed")
    if binding is not None and texels and suffix not in (*TEXELS, ".npy", ".json"):
        raise UsageError(
            f"{where}: expected an image, .npy or .json, got {path}; {binding.where} takes"
            f" {binding.words}"
        )


def _texture(paths: list[str], options: list[str]) -> Any:
    """Return the texture in a file, or in several that are its faces, layers or slices."""
    from ..run import Texture
    from ..run.textures.reading import read_picture, read_texture

    mips, srgb = "mips" in options, "srgb" in options
    if len(paths) == 1:
        with with_origin(paths[0]):
            return read_texture(read(paths[0]), mips=mips, srgb=srgb)
    arrays = []
    for path in paths:
        if suffix_of(path) in TEXTURES:
            raise UsageError(f"{path}: expected one file with all layers or faces, or images only")
        with with_origin(path):
            arrays.append(read_picture(read(path)))
    return Texture(arrays, mips=mips, srgb=srgb)
